"""TD learning: a network plays itself, looking one move ahead, and learns what will come of each position."""

from typing import Any

from kibitz.core.game import Game
from kibitz.learn.training import USUAL_SECONDS, TrainingBudget, TrainingProgress, have_secrets, teach
from kibitz.learn.training_options import TD, TrainingOptions, new_lesson

__all__ = [
    "USUAL_SECONDS",
    "TrainingBudget",
    "TrainingOptions",
    "TrainingProgress",
    "have_secrets",
    "teach",
    "usual_lesson",
]


def usual_lesson(game: Game, positions: int | None = None, **changes: Any) -> TrainingOptions:
    """Return the lesson that is used for a game when nothing else is said; with few positions rounds are short."""
    return new_lesson(game, positions, method=TD, **changes)
