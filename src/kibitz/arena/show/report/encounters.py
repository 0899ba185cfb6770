"""Encounters: the results of games in which two agents met, and of tables with copies of an agent."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from kibitz.arena.results.games import Games
from kibitz.arena.results.statistics.fairness import holm
from kibitz.arena.results.statistics.interval import wilson_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.arena.results.statistics.paired import paired_difference


def encounters(games: Games, agents: Sequence[str], order: Sequence[int], level: float) -> list[dict[str, Any]]:
    """Return every pair of agents that met, by rank: who finished before whom, and how much more one earned a game."""
    pairs = [
        _encounter(games, agents, (rank, order[rank]), (other, order[other]), level)
        for rank, other in combinations(range(len(order)), 2)
    ]
    met = [pair for pair in pairs if pair is not None]
    for pair, p in zip(met, holm([pair["p"] for pair in met]), strict=True):
        pair["p_holm"] = p
    return met


def _encounter(
    games: Games, agents: Sequence[str], first: tuple[int, int], second: tuple[int, int], level: float
) -> dict[str, Any] | None:
    (rank, one), (other_rank, other) = first, second
    both = (games.seatings == one).any(axis=1) & (games.seatings == other).any(axis=1)
    if not both.any():
        return None
    seatings, payoffs = games.seatings[both], games.payoffs[both]
    mine, theirs = seatings == one, seatings == other
    pairs = mine[:, :, None] & theirs[:, None, :]
    gap = payoffs[:, :, None] - payoffs[:, None, :]
    found = paired_difference(seatings, payoffs, games.blocks[both], one, other, level=level)
    return {
        "rank": rank + 1, "agent": agents[one], "other_rank": other_rank + 1, "other": agents[other],
        "games": int(both.sum()),
        "before": int((pairs & (gap > 0)).sum()), "level": int((pairs & (gap == 0)).sum()),
        "behind": int((pairs & (gap < 0)).sum()),
        "mean_payoff": float(payoffs[mine].mean()), "other_mean_payoff": float(payoffs[theirs].mean()),
        "difference": found.mean, "interval": list(found.interval),
        "p": found.p, "blocks": found.blocks, "rough": found.rough,
    }  # fmt: skip


def compositions(games: Games, agents: Sequence[str], order: Sequence[int], level: float) -> list[dict[str, Any]]:
    """Return, where copies of an agent met others, how often each agent won at each composition of the table."""
    ranks = np.argsort(order)[games.seatings]
    tables, number = np.unique(np.sort(ranks, axis=1), axis=0, return_inverse=True)
    won, _ = outcomes(games.payoffs)
    if all(len(set(table)) in (1, len(table)) for table in tables.tolist()):
        return []
    return [
        {
            "games": int((number == at).sum()),
            "undecided": int((~won[number == at].any(axis=1)).sum()),
            "agents": [
                {**_in_composition(games, (ranks == rank)[number == at], number == at, won, level),
                 "rank": rank + 1, "agent": agents[order[rank]]}
                for rank in sorted(set(table))
            ],
        }
        for at, table in enumerate(tables.tolist())
        if len(set(table)) > 1
    ]  # fmt: skip


def _in_composition(games: Games, mine: np.ndarray, here: np.ndarray, won: np.ndarray, level: float) -> dict[str, Any]:
    """Return how an agent did at tables of one composition."""
    held, wins = int(mine[0].sum()), (won[here] & mine).any(axis=1)
    block = np.unique(games.blocks[here], return_inverse=True)[1]
    interval = wilson_of_blocks(np.bincount(block, weights=wins), np.bincount(block), level)
    return {
        "seats": held, "wins": int(wins.sum()), "win_rate": float(wins.mean()), "win_interval": list(interval),
        "fair": held / mine.shape[1], "mean_payoff": float(games.payoffs[here][mine].mean()),
    }  # fmt: skip
