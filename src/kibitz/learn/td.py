"""TD learning: a network plays itself, looking one move ahead, and learns what will come of each position."""

from typing import Any

from kibitz.core.game import Game
from kibitz.learn.training import USUAL_SECONDS, TrainingBudget, TrainingProgress, have_secrets, teach
from kibitz.learn.training_settings import TD, TrainingSettings, new_settings

__all__ = [
    "USUAL_SECONDS",
    "TrainingBudget",
    "TrainingProgress",
    "TrainingSettings",
    "have_secrets",
    "teach",
    "usual_settings",
]


def usual_settings(game: Game, positions: int | None = None, **changes: Any) -> TrainingSettings:
    """Return the lesson that is used for a game when nothing else is said; with few positions rounds are short."""
    return new_settings(game, positions, method=TD, **changes)
