"""The laws of games: what must hold for every game, as functions that find where it does not."""

from kibitz.core.laws import calibration, gameplay, judgement, secrets, shortcuts, sizes, texts, view_fields
from kibitz.core.laws.law import Broken, DoesNotApply, Law, Position, laws_in, statement
from kibitz.networks import encoding_laws

__all__ = ["FIRST", "LAWS", "ONCE", "Broken", "DoesNotApply", "Law", "Position", "statement"]

LAWS: tuple[Law, ...] = tuple(
    check
    for room in (gameplay, sizes, secrets, shortcuts, texts, view_fields, judgement, encoding_laws, calibration)
    for check in laws_in(room)
)
FIRST = gameplay.a_game_ends  # games that break it cannot be tried for the others
ONCE = (calibration.guesses_are_calibrated,)  # laws that look at many games by themselves
