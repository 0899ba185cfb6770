"""What a search says of a position, as a network can learn it: shares of the moves, chances of the seats."""

from collections.abc import Sequence

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search.evaluation import DECIDED, WON

USUAL_SOFTNESS = 0.05  # a move whose chances are so much better is e times as good, where nothing else is said
_ROUND = 1e-3  # chances may miss their sum by so much for each seat


def shares_of(decision: Decision, legal: Sequence[int], seat: int, temperature: float | None) -> np.ndarray:
    """Return how much of a decision falls to each legal move.

    Where playouts were counted, that is by their number, to the power 1 / temperature. Else, where all moves were
    judged, it is by what they are worth to the seat, and a move that is worth `temperature` more has e times the share.
    A proof leaves no doubt, and neither do numbers of an unknown scale without a temperature.
    """
    chosen = np.array([float(move == decision.move) for move in legal], dtype=np.float32)
    if decision.exact:
        return chosen
    if decision.tries:
        tries = np.array([decision.tries.get(move, 0) for move in legal], dtype=float)
        weights = (tries / max(tries.max(), 1.0)) ** (1.0 / (temperature or 1.0))
    else:
        weights = _by_worth(decision, legal, seat, temperature)
    return (weights / weights.sum()).astype(np.float32) if weights.sum() > 0 else chosen


def _by_worth(decision: Decision, legal: Sequence[int], seat: int, temperature: float | None) -> np.ndarray:
    known = {move: chances_of(worth) for move, worth in decision.worths.items()}
    if all(chances is not None for chances in known.values()):
        own = {
            move: float(chances[seat]) - _contempt(decision, move, seat)
            for move, chances in known.items()
            if chances is not None
        }
        temperature = temperature or USUAL_SOFTNESS
    elif temperature is not None:
        own = {move: worth[seat] for move, worth in decision.worths.items()}
    else:
        own = {}
    best = max(own.values(), default=0.0)
    return np.array([np.exp((own[move] - best) / (temperature or 1.0)) if move in own else 0.0 for move in legal])


def _contempt(decision: Decision, move: int, seat: int) -> float:
    """Return by how much less a move served the mover than it is worth to it: draws that it scorns."""
    served, worth = decision.considered.get(move, -1.0), decision.worths[move][seat]
    return worth - served if 0 <= served < worth else 0.0  # one that harms another seat considers what is below 0


def chances_of(values: Sequence[float] | None, exact: bool = False) -> np.ndarray | None:
    """Return what each seat may expect as chances that sum up to 1; None where the values are on another scale."""
    if values is None:
        return None
    found, seats = np.array(values, dtype=float), len(values)
    if (np.abs(found) > WON).any():  # a finished game, as tree searches write it
        found = np.clip(found / DECIDED + 1 / seats, 0, None)
    elif exact and np.ptp(found) == 0:
        found = np.ones(seats)
    elif (found < 0).any() or abs(found.sum() - 1) > _ROUND * seats:
        return None
    return (found / found.sum()).astype(np.float32)


def shares_of_payoff(payoff: Sequence[float]) -> np.ndarray:
    """Return what seats earned as shares of the whole; equal ones where nobody earned anything."""
    found = np.array(payoff, dtype=np.float32)
    return found / found.sum() if found.sum() > 0 else np.full(len(found), 1 / len(found), dtype=np.float32)
