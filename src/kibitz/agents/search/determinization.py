"""Determinization: several guesses at what is hidden, and one decision."""

from collections.abc import Iterator

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.core.game import Game
from kibitz.core.playout import guess_world

HOW = ("vote", "mean")


def guess_worlds(game: Game, view: np.ndarray, seat: int, rng: np.ndarray, count: int) -> Iterator[np.ndarray]:
    """Guess `count` worlds from the view of a seat, one after another from the same dice; each is a new state."""
    for _ in range(count):
        world = view.copy()
        guess_world(game.rules, world, seat, rng)
        yield world


def agree(asked: list[Decision], how: str) -> Decision:
    """Return the decision of several worlds: by votes, or by the mean of what they considered."""
    if len(asked) == 1:
        return asked[0]
    moves = sorted({decision.move for decision in asked} | {move for decision in asked for move in decision.considered})
    votes = {move: sum(decision.move == move for decision in asked) for move in moves}
    means = {move: float(np.mean([_score(decision, move) for decision in asked])) for move in moves}
    best = max(moves, key=lambda move: (means[move],) if how == "mean" else (votes[move], means[move]))
    supporter = next((decision for decision in asked if decision.move == best), asked[0])
    move_values = {move: values for move in moves if (values := _values(asked, move)) is not None}
    return Decision(
        best, move_values.get(best), supporter.line, means, move_values, _tries(asked),
        visits=sum(decision.visits for decision in asked), nodes=sum(decision.nodes for decision in asked),
        cutoffs=sum(decision.cutoffs for decision in asked), depth=min(decision.depth for decision in asked),
        short=any(decision.short for decision in asked), ended=supporter.ended,
        why=f"best in {votes[best]} of {len(asked)} guesses at what is hidden" if how == "vote" else "",
    )  # fmt: skip


def _score(decision: Decision, move: int) -> float:
    """Return the score of a move in a world; a move not considered there gets its lowest score, at most 0."""
    return decision.considered.get(move, min([0.0, *decision.considered.values()]))


def _values(asked: list[Decision], move: int) -> list[float] | None:
    """Return what a move is worth to every seat, averaged over the worlds that know."""
    known = [
        values
        for decision in asked
        if (values := decision.move_values.get(move, decision.values if decision.move == move else None)) is not None
    ]
    return np.mean(known, axis=0).tolist() if known else None


def _tries(asked: list[Decision]) -> dict[int, int]:
    moves = sorted({move for decision in asked for move in decision.tries})
    return {move: sum(decision.tries.get(move, 0) for decision in asked) for move in moves}
