"""Encounters: every pair of agents that met, who finished before whom, and how much more one earned per game.

Each pair is a test, and ten agents have 45 pairs: some would seem to differ though all are equal. P values are
therefore corrected for the number of pairs that met by Holm's step-down method (1979). It limits the chance of a single
false claim however the tests depend on each other, and those of pairs share agents, deals and blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.fairness import holm
from kibitz.arena.results.statistics.paired import paired_difference


@dataclass(frozen=True)
class Encounter(Row):
    """Two agents in the games in which both took part; the one that stands higher comes first."""

    rank: int
    agent: str
    other_rank: int
    other: str
    games: int
    before: int  # pairs of their seats in which the first finished before the other
    level: int
    behind: int
    mean_payoff: float
    other_mean_payoff: float
    difference: float  # how much more the first earned a game
    interval: tuple[float, float]  # 95 %, of this pair alone
    p: float  # that there is no difference, of this pair alone
    p_holm: float  # the same, corrected for the number of pairs
    blocks: int
    rough: bool  # whether there are too few blocks to resample


def encounters(games: GameColumns, order: Sequence[int], level: float) -> list[Encounter]:
    """Return every pair of agents that met, by their places in this order."""
    pairs = [
        _encounter(games, (rank, order[rank]), (other, order[other]), level)
        for rank, other in combinations(range(len(order)), 2)
    ]
    met = [pair for pair in pairs if pair is not None]
    corrected = holm([pair.p for pair in met])
    return [replace(pair, p_holm=p) for pair, p in zip(met, corrected, strict=True)]


def _encounter(games: GameColumns, first: tuple[int, int], second: tuple[int, int], level: float) -> Encounter | None:
    (rank, one), (other_rank, other) = first, second
    both = (games.seatings == one).any(axis=1) & (games.seatings == other).any(axis=1)
    if not both.any():
        return None
    seatings, payoffs = games.seatings[both], games.payoffs[both]
    mine, theirs = seatings == one, seatings == other
    pairs = mine[:, :, None] & theirs[:, None, :]
    gap = payoffs[:, :, None] - payoffs[:, None, :]
    found = paired_difference(seatings, payoffs, games.blocks[both], one, other, level=level, span=games.scoring.span)
    return Encounter(
        rank=rank + 1, agent=games.agents[one], other_rank=other_rank + 1, other=games.agents[other],
        games=int(both.sum()), before=int((pairs & (gap > 0)).sum()), level=int((pairs & (gap == 0)).sum()),
        behind=int((pairs & (gap < 0)).sum()), mean_payoff=float(payoffs[mine].mean()),
        other_mean_payoff=float(payoffs[theirs].mean()), difference=found.mean, interval=found.interval,
        p=found.p, p_holm=found.p, blocks=found.blocks, rough=found.rough,
    )  # fmt: skip
