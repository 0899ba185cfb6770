"""A batch: fixtures played, as columns."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Protocol

import numpy as np

from kibitz.arena.limits import Reason
from kibitz.arena.referee import Result


class Played(Protocol):
    """Columns that tell of games, one row each; those that every count needs."""

    @property
    def seatings(self) -> np.ndarray: ...
    @property
    def payoffs(self) -> np.ndarray: ...
    @property
    def plies(self) -> np.ndarray: ...
    @property
    def seconds(self) -> np.ndarray: ...
    @property
    def moves(self) -> np.ndarray: ...


@dataclass(frozen=True)
class Batch:
    """Fixtures played: one row a game."""

    numbers: np.ndarray  # of the fixtures
    seatings: np.ndarray  # by game and seat, as are payoffs, seconds and moves
    payoffs: np.ndarray
    plies: np.ndarray
    seconds: np.ndarray
    moves: np.ndarray  # without those of the opening
    reasons: list[Reason]
    offenders: np.ndarray  # the seat that failed, or -1
    faults: list[str]  # how it failed
    records: list[str]  # lines, where they were asked for
    thoughts: list[str]  # lines, where they were asked for; empty ones for games played by compiled code

    def runs(self) -> Iterator["Batch"]:
        """Divide it into batches whose numbers follow one another."""
        cuts = np.flatnonzero(np.diff(self.numbers) != 1) + 1
        if len(cuts) == 0:
            yield self
            return
        for start, stop in zip([0, *cuts], [*cuts, len(self.numbers)], strict=True):
            yield Batch(*(getattr(self, column.name)[start:stop] for column in fields(self)))


def batch_of(results: Sequence[Result], keep_records: bool) -> Batch:
    """Return results as columns."""
    return Batch(
        np.array([result.fixture.number for result in results], dtype=np.int64),
        np.array([result.fixture.seating for result in results], dtype=np.int64),
        np.array([result.payoff for result in results]),
        np.array([len(result.record.moves) for result in results], dtype=np.int64),
        np.array([result.seconds for result in results]),
        np.array([result.moves for result in results], dtype=np.int64),
        [result.reason for result in results],
        np.array([result.offender for result in results], dtype=np.int64),
        [result.fault for result in results],
        [result.record.line() for result in results] if keep_records else [],
        [result.thoughts_line() for result in results] if keep_records else [],
    )


def joined(batches: Iterable[Batch]) -> Batch:
    """Return batches, of which there is at least one, as one."""
    columns = zip(*([getattr(batch, column.name) for column in fields(Batch)] for batch in batches), strict=True)
    return Batch(*map(_joined, columns))


def _joined(parts: Sequence[Any]) -> Any:
    return list(chain(*parts)) if isinstance(parts[0], list) else np.concatenate(parts)


def in_order(batches: Generator[Batch, None, None], number: int = 0) -> Generator[Batch, None, None]:
    """Hand on the games in the order of their numbers, which begin with `number` and leave none out."""
    held: dict[int, Batch] = {}
    with closing(batches):
        for batch in batches:
            held |= {int(run.numbers[0]): run for run in batch.runs()}
            while run := held.pop(number, None):
                number += len(run.numbers)
                yield run
