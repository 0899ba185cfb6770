"""A batch: games played, as columns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import Any

import numpy as np

from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.play.referee import GameResult
from kibitz.core.dice import derive_all

_HASH_SEED = 1  # of the factors with which moves are hashed


@dataclass(frozen=True)
class Batch:
    """Games played: one row a game."""

    numbers: np.ndarray  # of the fixtures
    seatings: np.ndarray  # by game and seat, as are payoffs, seconds and moves
    payoffs: np.ndarray
    plies: np.ndarray
    seconds: np.ndarray  # 0 where agents share one compiled loop, which measures none of them
    moves: np.ndarray  # without those of the opening
    reasons: list[Reason]
    offenders: np.ndarray  # the seat that failed, or -1
    faults: list[str]  # how it failed
    move_hashes: np.ndarray  # equal ones are the same moves
    records: list[str]  # lines, where they were asked for
    move_stats: list[str]  # lines: how a draw came about, what bots call themselves, and, if asked for, every move
    killed: list[Killed] = field(default_factory=list)  # whether somebody else may have ended a process of the offender

    def ordered(self) -> "Batch":
        """Return the same games in the order of their numbers."""
        return self.taken(np.argsort(self.numbers))

    def taken(self, rows: Any) -> "Batch":
        """Return the games of these rows, in their order."""
        return Batch(*(_taken(getattr(self, column.name), rows) for column in fields(Batch)))

    def first(self, games: int) -> "Batch":
        """Return the first so many games."""
        return self if games >= len(self.numbers) else Batch(*(getattr(self, c.name)[:games] for c in fields(Batch)))


def batch_of(results: Sequence[GameResult], keep_records: bool) -> Batch:
    """Return results as columns."""
    plies = np.array([len(result.record.moves) for result in results], dtype=np.int64)
    moves = np.zeros((len(results), int(plies.max(initial=0))), dtype=np.int64)
    for row, result in enumerate(results):
        moves[row, : plies[row]] = result.record.moves
    return Batch(
        np.array([result.fixture.number for result in results], dtype=np.int64),
        np.array([result.fixture.seating for result in results], dtype=np.int64),
        np.array([result.payoff for result in results]),
        plies,
        np.array([result.seconds for result in results]),
        np.array([result.moves for result in results], dtype=np.int64),
        [result.reason for result in results],
        np.array([result.offender for result in results], dtype=np.int64),
        [result.fault for result in results],
        hash_moves(moves, plies),
        [result.record.line() for result in results] if keep_records else [],
        [result.remarks_line(moves=keep_records) for result in results],
        [result.killed for result in results],
    )


def joined(batches: Iterable[Batch]) -> Batch:
    """Return batches, of which there is at least one, as one."""
    columns = zip(*([getattr(batch, column.name) for column in fields(Batch)] for batch in batches), strict=True)
    return Batch(*map(_joined, columns))


def hash_moves(moves: np.ndarray, plies: np.ndarray) -> np.ndarray:
    """Return a hash of the moves of each game: one row a game, with zeros after its last move."""
    longest = int(plies.max(initial=0))
    factors = derive_all(_HASH_SEED, np.arange(longest + 1)) | np.uint64(1)
    used = np.ascontiguousarray(moves[:, :longest]).view(np.uint64)
    return (used @ factors[1:] + plies.astype(np.uint64) * factors[0]).view(np.int64)


def _joined(parts: Sequence[Any]) -> Any:
    return list(chain(*parts)) if isinstance(parts[0], list) else np.concatenate(parts)


def _taken(column: Any, order: np.ndarray) -> Any:
    if isinstance(column, list):
        return [column[at] for at in order] if column else []
    return column[order]
