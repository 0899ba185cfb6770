"""Compositions: the results of tables at which copies of an agent sat."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.statistics.interval import wilson_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes


def compositions(games: GameColumns, agents: Sequence[str], order: Sequence[int], level: float) -> list[dict[str, Any]]:
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


def _in_composition(
    games: GameColumns, mine: np.ndarray, here: np.ndarray, won: np.ndarray, level: float
) -> dict[str, Any]:
    """Return how an agent did at tables of one composition."""
    held, wins = int(mine[0].sum()), (won[here] & mine).any(axis=1)
    block = np.unique(games.blocks[here], return_inverse=True)[1]
    interval = wilson_of_blocks(np.bincount(block, weights=wins), np.bincount(block), level)
    return {
        "seats": held, "wins": int(wins.sum()), "win_rate": float(wins.mean()), "win_interval": list(interval),
        "fair": held / mine.shape[1], "mean_payoff": float(games.payoffs[here][mine].mean()),
    }  # fmt: skip
