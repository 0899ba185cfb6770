"""A batch: finished games as columns, and how they are returned from another process."""

import io
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import Any

import numpy as np

from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.play.referee import GameResult
from kibitz.core.arrays import Floats, Int64s
from kibitz.core.dice import derive_all
from kibitz.core.errors import KibitzError

_HASH_SEED = 1  # of the factors that hash moves
_KINDS = {  # what may be returned, besides our own errors
    ("kibitz.arena.play.batch", "Batch"),
    ("kibitz.arena.play.reason", "Killed"),
    ("kibitz.arena.play.reason", "Reason"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
}


@dataclass(frozen=True)
class Batch:
    """Games played, one row each."""

    numbers: Int64s  # [game], like all columns below: of the fixture
    seatings: Int64s  # [game, seat]: the agent
    payoffs: Floats  # [game, seat]
    plies: Int64s
    seconds: Floats  # [game, seat]: 0 where agents share one compiled loop, which measures none of them
    moves: Int64s  # [game, seat]: without those of the opening
    reasons: list[Reason]
    offenders: Int64s  # the seat that failed, or -1
    faults: list[str]  # how it failed
    move_hashes: Int64s  # equal ones are the same moves
    records: list[str]  # lines, where they were asked for
    move_stats: list[str]  # lines: the cause of a draw, what bots call themselves, and, if asked for, every move
    killed: list[Killed] = field(default_factory=list)  # whether somebody else may have ended a process of the offender

    def ordered(self) -> "Batch":
        """Return the same games in the order of their numbers."""
        return self.taken(np.argsort(self.numbers))

    def taken(self, rows: Any) -> "Batch":
        """Return the games of these rows, in their order."""
        return Batch(*(_taken(getattr(self, column.name), rows) for column in fields(Batch)))

    def first(self, games: int) -> "Batch":
        """Return the first `games` games."""
        return self if games >= len(self.numbers) else Batch(*(getattr(self, c.name)[:games] for c in fields(Batch)))

    @classmethod
    def empty(cls, seats: int) -> "Batch":
        """Return a batch of no games."""
        none, whole, real = np.zeros(0, dtype=np.int64), np.zeros((0, seats), dtype=np.int64), np.zeros((0, seats))
        return cls(none, whole, real, none, real, whole, [], none, [], none, [], [])


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
        [result.annotations_line(moves=keep_records) for result in results],
        [result.killed for result in results],
    )


def joined(batches: Iterable[Batch]) -> Batch:
    """Return one or more batches as one."""
    columns = zip(*([getattr(batch, column.name) for column in fields(Batch)] for batch in batches), strict=True)
    return Batch(*map(_joined, columns))


def hash_moves(moves: np.ndarray, plies: np.ndarray) -> np.ndarray:
    """Return a hash of the moves of each game: one row per game, with zeros after its last move."""
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


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a class that may be returned; refuse anything else."""
        if (module, name) in _KINDS:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith("kibitz.") and "." not in name else None
        if isinstance(found, type) and issubclass(found, KibitzError):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} may not be handed back")


def unpickled(data: bytes) -> Any:
    """Unpickle what another process returns: games and our own errors; refuse anything that would run code."""
    return _Unpickler(io.BytesIO(data)).load()
