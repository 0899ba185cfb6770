"""Several guesses at what is hidden, and one decision."""

import numpy as np

from kibitz.agents.agent import Decision

HOW = ("vote", "mean")


def agree(asked: list[Decision], how: str) -> Decision:
    """Return the decision of several worlds: by votes, or by the mean of what they considered."""
    if len(asked) == 1:
        return asked[0]
    moves = sorted({decision.move for decision in asked} | {move for decision in asked for move in decision.considered})
    votes = {move: sum(decision.move == move for decision in asked) for move in moves}
    means = {move: float(np.mean([decision.considered.get(move, 0.0) for decision in asked])) for move in moves}
    best = max(moves, key=lambda move: (means[move],) if how == "mean" else (votes[move], means[move]))
    supporter = next((decision for decision in asked if decision.move == best), asked[0])
    values = [decision.values for decision in asked if decision.values is not None]
    return Decision(
        best, np.mean(values, axis=0).tolist() if values else None, supporter.line, means,
        visits=sum(decision.visits for decision in asked), nodes=sum(decision.nodes for decision in asked),
        cutoffs=sum(decision.cutoffs for decision in asked), depth=min(decision.depth for decision in asked),
        short=any(decision.short for decision in asked),
    )  # fmt: skip
