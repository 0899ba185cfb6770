"""Levels: the agents that stand for beginner, club and strong in a game."""

from collections.abc import Iterable

from kibitz.agents import refusal
from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.level import BEGINNER, CLUB, LEVELS, STRONG

# Where a game declares no agent for a level: its first policy for beginners, and for the others the first that fits.
FITTING = {
    CLUB: ("minimax(depth=2)", "mcts(iterations=300)", "ismcts(iterations=300)"),
    STRONG: ("minimax(seconds=3, opening=none)", "mcts(seconds=3)", "ismcts(seconds=3)"),
}


def opponent(game: Game, level: str = STRONG) -> str:
    """Return the text of the agent that plays a game at a level."""
    if level not in LEVELS:
        raise UnknownName("level", level, LEVELS)
    if level in game.levels:
        return game.levels[level]
    if level == BEGINNER:
        return f"policy({next(iter(game.policies))})" if game.policies else "random"
    return _first_that_fits(game, FITTING[level])


def _first_that_fits(game: Game, texts: Iterable[str]) -> str:
    return next((text for text in texts if not refusal(text, game)), "random")
