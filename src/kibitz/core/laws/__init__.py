"""The laws of games: what must hold for every game, as functions that find where it does not."""

from kibitz.core.laws import calibration, course, data, encodings, judgement, secrets, shortcuts, sizes, texts
from kibitz.core.laws.law import Broken, DoesNotApply, Law, Position, laws_in, statement

__all__ = ["FIRST", "LAWS", "ONCE", "Broken", "DoesNotApply", "Law", "Position", "statement"]

LAWS: tuple[Law, ...] = tuple(
    check
    for room in (course, sizes, secrets, shortcuts, texts, data, judgement, encodings, calibration)
    for check in laws_in(room)
)
FIRST = course.a_game_ends  # games that break it cannot be tried for the others
ONCE = (calibration.guesses_are_calibrated,)  # laws that look at many games by themselves
