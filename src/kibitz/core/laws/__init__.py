"""The laws of games: what must hold for every game, as functions that find where it does not."""

from kibitz.core.laws import calibration, course, judgement, secrets, shortcuts, sizes, texts
from kibitz.core.laws.law import LAWS, Broken, DoesNotApply, Law, Position, statement

__all__ = ["LAWS", "Broken", "DoesNotApply", "Law", "Position", "statement"]
_ROOMS = (sizes, course, secrets, shortcuts, texts, judgement, calibration)
