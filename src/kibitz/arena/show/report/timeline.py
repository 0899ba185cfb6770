"""Over the course of a game: the time a move took, and what agents thought their own seat was worth."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.agents.search.evaluation import MOST_VALUE
from kibitz.arena.results.game_columns import GameColumns, moves_in
from kibitz.arena.results.statistics.outcome import outcomes

SEARCHED = ("nodes", "depth")  # what searches tell of a move beside its time
PARTS = 10  # of a game, for values: games differ in length
UNKNOWN = "nothing is known of single moves: these games were played by compiled code"


def timeline(games: GameColumns, annotations: Iterable[str], order: Sequence[int], width: int) -> dict[str, Any]:
    """Return times by agent and bin of plies, and values by agent, seat and part of the game.

    Times are medians: on a busy machine single moves take long.
    """
    agents = games.agents
    moves = _Moves(len(agents), games.seatings.shape[1], int(games.plies.max()) // width + 1)
    for row, line in enumerate(annotations):
        known = moves_in(line)
        if known is not None:
            moves.add(known, games, row, width)
    return {
        "times": _times(games, moves, agents, order, width),
        "values": _values(moves, agents, order),
        "no_course": None if moves.groups else UNKNOWN,
        "no_values": None if moves.counts.any() else "no agent reported values" if moves.groups else UNKNOWN,
    }


class _Moves:
    """What is known of single moves."""

    def __init__(self, agents: int, seats: int, bins: int):
        self.bins = bins
        self.groups: list[np.ndarray] = []  # agent * bins + bin of plies, move by move, as are the seconds
        self.seconds: list[np.ndarray] = []
        self.searched = {name: np.zeros((agents, 2)) for name in SEARCHED}  # by agent: the sum, and of how many moves
        self.counts = np.zeros((agents, seats, PARTS, 2), dtype=np.int64)  # ..., part of the game, whether the seat won
        self.values = np.zeros((agents, seats, PARTS, 2))  # their sums
        self.sure = np.zeros_like(self.counts)  # moves that saw the end of the game, which are not counted

    def add(self, thoughts: dict[str, list[Any]], games: GameColumns, row: int, width: int) -> None:
        """Add one game: seconds and values of its last moves, those after the opening."""
        plies = int(games.plies[row])
        ply = np.array(thoughts.get("plies", range(plies - len(thoughts["seconds"]), plies)), dtype=np.int64)
        seats = np.array(thoughts["seats"], dtype=np.int64)
        agents = games.seatings[row][seats]
        self.groups.append((agents * self.bins + ply // width).astype(np.int32))
        self.seconds.append(np.array(thoughts["seconds"], dtype=np.float32))
        for name, totals in self.searched.items():
            told = np.array(thoughts.get(name, np.zeros(len(seats))), dtype=np.float64)
            np.add.at(totals, agents, np.stack([told, told > 0], axis=1))
        valued = [place for place, values in enumerate(thoughts["values"]) if values is not None]
        own = np.array([thoughts["values"][place][seats[place]] for place in valued])
        won = outcomes(games.payoffs[row : row + 1])[0][0].astype(np.int64)
        of, open_ = seats[valued], np.abs(own) <= MOST_VALUE
        where = np.stack([agents[valued], of, ply[valued] * PARTS // max(1, plies), won[of]])
        np.add.at(self.counts, tuple(where[:, open_]), 1)
        np.add.at(self.values, tuple(where[:, open_]), own[open_])
        np.add.at(self.sure, tuple(where[:, ~open_]), 1)

    def mean_searched(self, name: str, agent: int) -> float | None:
        """Return the mean of what an agent reported about its searches; None if it reported nothing."""
        total, told = self.searched[name][agent]
        return round(total / told, 1) if told else None

    def times(self) -> dict[tuple[int, int], np.ndarray]:
        """Return the seconds of all moves by agent and bin of plies, sorted."""
        if not any(map(len, self.groups)):
            return {}
        groups, seconds = np.concatenate(self.groups), np.concatenate(self.seconds)
        order = np.lexsort((seconds, groups))
        groups, seconds = groups[order], seconds[order]
        found, start = np.unique(groups, return_index=True)
        parts = np.split(seconds, start[1:])
        return {divmod(group, self.bins): part for group, part in zip(found.tolist(), parts, strict=True)}


def _times(
    games: GameColumns, moves: _Moves, agents: Sequence[str], order: Sequence[int], width: int
) -> list[dict[str, Any]]:
    rows, times = [], moves.times()
    for rank, agent in enumerate(order, 1):
        mine = games.seatings == agent
        made, seconds = int(games.moves[mine].sum()), float(games.seconds[mine].sum())
        bins = [
            {"from": at * width, "to": at * width + width - 1, "moves": len(part),
             "median": _rounded(np.median(part)), "longest": _rounded(part[-1])}
            for (who, at), part in times.items() if who == agent
        ]  # fmt: skip
        rows.append({
            "rank": rank, "agent": agents[agent], "moves": made, "seconds": seconds or None,
            "seconds_per_move": (seconds / made if made else 0) or None,
            "longest": max((part["longest"] for part in bins), default=None), "course": bins,
            **{name: moves.mean_searched(name, agent) for name in SEARCHED},
        })  # fmt: skip
    return rows


def _rounded(seconds: float) -> float:
    """Return seconds to the microsecond, as they are kept."""
    return round(float(seconds), 6)


def _values(moves: _Moves, agents: Sequence[str], order: Sequence[int]) -> list[dict[str, Any]]:
    """Return the mean value of its own seat for every agent that reported one."""
    return [
        {
            "rank": rank,
            "agent": agents[agent],
            "by_seat": [
                _means(moves, (agent, seat, slice(None), slice(None)), -1) for seat in range(moves.counts.shape[1])
            ],
            "won": _means(moves, (agent, slice(None), slice(None), 1), 0),
            "not_won": _means(moves, (agent, slice(None), slice(None), 0), 0),
        }
        for rank, agent in enumerate(order, 1)
        if moves.counts[agent].any()
    ]


def _means(moves: _Moves, part: tuple[Any, ...], along: int) -> dict[str, list[Any]]:
    """Return by part of the game the mean, the number of moves behind it, and how many others saw the game's end."""
    counts, sums, sure = (table[part].sum(along).tolist() for table in (moves.counts, moves.values, moves.sure))
    means = [total / count if count else None for total, count in zip(sums, counts, strict=True)]
    return {"mean": means, "moves": counts, "sure": sure}
