"""The laws of games: properties that must hold for every game, as functions that find a position where one fails.

Packages add others by entry points in the group `kibitz.laws` (core/plugins.py).
"""

from kibitz.core.laws import calibration, chance, gameplay, judgement, secrets, shortcuts, texts
from kibitz.core.laws.law import Broken, DoesNotApply, Law, Position, laws_in, statement
from kibitz.core.plugins import loaded

__all__ = ["FIRST", "LAWS", "ONCE", "Broken", "DoesNotApply", "Law", "Position", "statement"]

OWN = (gameplay, chance, secrets, shortcuts, texts, judgement)
LAWS: tuple[Law, ...] = tuple(
    check for home in (*OWN, *(module for _, module in loaded("laws")), calibration) for check in laws_in(home)
)
FIRST = gameplay.a_game_ends  # a game that breaks it cannot be checked for the others
ONCE = {calibration.the_truth_looks_like_a_guess: calibration.with_effort}  # laws that look at many games themselves
