"""The targets that a search gives for a position: a policy over the moves, and win probabilities of the seats."""

from collections.abc import Sequence

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search.evaluation import DECIDED, MOST_VALUE

USUAL_TEMPERATURE = 0.05  # of win probabilities: a move better by this much gets e times the share
_ROUND = 1e-3  # for each seat: the tolerance of a sum of 1


def shares_of(decision: Decision, legal: Sequence[int], seat: int, temperature: float | None) -> np.ndarray:
    """Return the share of each legal move in the target policy.

    With visits, shares are visits to the power 1 / temperature. With values of all moves, they are the softmax: a move
    worth `temperature` more to the seat gets e times the share. The chosen move gets everything where it is proved, or
    where values are on an unknown scale and no temperature is given.
    """
    chosen = np.array([float(move == decision.move) for move in legal], dtype=np.float32)
    if decision.exact:
        return chosen
    if decision.tries:
        tries = np.array([decision.tries.get(move, 0) for move in legal], dtype=float)
        weights = (tries / max(tries.max(), 1.0)) ** (1.0 / (temperature or 1.0))
    else:
        weights = _softmax_of_values(decision, legal, seat, temperature)
    return (weights / weights.sum()).astype(np.float32) if weights.sum() > 0 else chosen


def _softmax_of_values(decision: Decision, legal: Sequence[int], seat: int, temperature: float | None) -> np.ndarray:
    known = {move: chances_of(worth) for move, worth in decision.move_values.items()}
    if all(chances is not None for chances in known.values()):
        own = {
            move: float(chances[seat]) - _contempt(decision, move, seat)
            for move, chances in known.items()
            if chances is not None
        }
        temperature = temperature or USUAL_TEMPERATURE
    elif temperature is not None:
        own = {move: worth[seat] for move, worth in decision.move_values.items()}
    else:
        own = {}
    best = max(own.values(), default=0.0)
    return np.array([np.exp((own[move] - best) / (temperature or 1.0)) if move in own else 0.0 for move in legal])


def _contempt(decision: Decision, move: int, seat: int) -> float:
    """Return how much less a move counted for the mover than its value: the contempt for draws."""
    served, worth = decision.considered.get(move, -1.0), decision.move_values[move][seat]
    return worth - served if 0 <= served < worth else 0.0  # offensive searches consider numbers below 0


def chances_of(values: Sequence[float] | None, exact: bool = False) -> np.ndarray | None:
    """Return values as win probabilities, which sum up to 1; None where the values are on another scale."""
    if values is None:
        return None
    found, seats = np.array(values, dtype=float), len(values)
    if (np.abs(found) > MOST_VALUE).any():  # a finished game, as tree searches write it
        found = np.clip(found / DECIDED + 1 / seats, 0, None)
    elif exact and np.ptp(found) == 0:
        found = np.ones(seats)
    elif (found < 0).any() or abs(found.sum() - 1) > _ROUND * seats:
        return None
    return (found / found.sum()).astype(np.float32)


def shares_of_payoff(payoff: Sequence[float]) -> np.ndarray:
    """Return payoffs as shares of their sum; equal shares where the sum is 0."""
    found = np.array(payoff, dtype=np.float32)
    return found / found.sum() if found.sum() > 0 else np.full(len(found), 1 / len(found), dtype=np.float32)
