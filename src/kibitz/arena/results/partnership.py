"""Partnerships: what agents score together in a game in which all seats earn the same, everyone with everyone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.interval import LEVEL, mean_in_range

SELF_PLAY, CROSS_PLAY = "self-play", "cross-play"


@dataclass(frozen=True)
class Partnership(Row):
    """The games in which two agents sat at one table, or an agent with copies of itself alone."""

    rank: int
    agent: str
    other_rank: int
    other: str
    games: int
    mean_payoff: float
    payoff_interval: tuple[float, float]  # 95 %, from blocks


@dataclass(frozen=True)
class TeamRow(Row):
    """What an agent scores with copies of itself alone, and with others; None where it never did."""

    rank: int
    agent: str
    self_play: Partnership | None
    cross_play: Partnership | None  # with any others


def partnerships(games: GameColumns, order: Sequence[int], level: float = LEVEL) -> tuple[Partnership, ...]:
    """Return every pair of agents that played together, by their places in this order, and each by itself."""
    if not games.scoring.shared:
        return ()
    found = (
        _partnership(games, _with(games, order[one], order[other]), (one, other), order, level)
        for one, other in combinations_with_replacement(range(len(order)), 2)
    )
    return tuple(partners for partners in found if partners is not None)


def team_rows(games: GameColumns, order: Sequence[int], level: float = LEVEL) -> tuple[TeamRow, ...]:
    """Return what each agent scores with itself alone and with others, in this order."""
    if not games.scoring.shared:
        return ()
    rows = []
    for at, agent in enumerate(order):
        alone, others = _with(games, agent, agent), (games.seatings == agent).any(axis=1)
        parts = [_partnership(games, here, (at, at), order, level) for here in (alone, others & ~alone)]
        rows.append(TeamRow(at + 1, games.agents[agent], *parts))
    return tuple(rows)


def _with(games: GameColumns, one: int, other: int) -> np.ndarray:
    """Return in which games two agents take part; of an agent with itself, those in which nobody else does."""
    mine, theirs = games.seatings == one, games.seatings == other
    return np.asarray(mine.all(axis=1) if one == other else mine.any(axis=1) & theirs.any(axis=1))


def _partnership(
    games: GameColumns, here: np.ndarray, pair: tuple[int, int], order: Sequence[int], level: float
) -> Partnership | None:
    if not here.any():
        return None
    scores, scoring = games.payoffs[here, 0], games.scoring
    block = np.unique(games.blocks[here], return_inverse=True)[1]
    sums, counts = np.bincount(block, weights=scores), np.bincount(block)
    (one, other), names = pair, games.agents
    return Partnership(
        one + 1, names[order[one]], other + 1, names[order[other]], int(here.sum()), float(scores.mean()),
        mean_in_range(sums, counts, scoring.least, scoring.most, level),
    )  # fmt: skip
