"""The laws of games: what must hold for every game, as functions that find where it does not.

Packages bring others by entry points of the group `kibitz.laws` (core/plugins.py).
"""

from kibitz.core.laws import calibration, gameplay, judgement, secrets, shortcuts, sizes, texts, view_fields
from kibitz.core.laws.law import Broken, DoesNotApply, Law, Position, laws_in, statement
from kibitz.core.plugins import loaded

__all__ = ["FIRST", "LAWS", "ONCE", "Broken", "DoesNotApply", "Law", "Position", "statement"]

OWN = (gameplay, sizes, secrets, shortcuts, texts, view_fields, judgement)
LAWS: tuple[Law, ...] = tuple(
    check for home in (*OWN, *(module for _, module in loaded("laws")), calibration) for check in laws_in(home)
)
FIRST = gameplay.a_game_ends  # games that break it cannot be tried for the others
ONCE = (calibration.guesses_are_calibrated,)  # laws that look at many games by themselves
