"""A run: the results of a plan while it is played, kept in memory or in a ledger."""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.arena.plan.plan import Plan, deals_are_secret
from kibitz.arena.play.batch import Batch, joined
from kibitz.arena.results.game_columns import GameColumns, moves_in, names_of
from kibitz.arena.results.ledger import Ledger, code_version, digest, open_ledger
from kibitz.arena.results.secret_deals import Dealt, dealt
from kibitz.arena.results.statistics.stopping import StopVerdict
from kibitz.core.scoring import Scoring
from kibitz.core.seeds import DEAL, derive_seed


class Run(ABC):
    """The results of a plan, without games beyond what is planned or cut off by the stop rule."""

    def __init__(self, plan: Plan):
        self.name, self.plan, self.planned = plan.run, plan, plan.planned
        self.seed = plan.session_seed()  # of this session
        self.seconds = 0.0  # of playing, by the clock on the wall, all sessions together
        self.verdict: StopVerdict | None = None  # of the stop rule

    def cut(self, verdict: StopVerdict) -> None:
        """End the run where the stop rule decided; later games do not belong to it."""
        self.planned, self.verdict = verdict.games, verdict

    @property
    def dropped(self) -> int:
        """How many games were played that will not be kept, as their secret block is not finished."""
        return 0

    def games(self) -> GameColumns:
        """Return the games that count, in the order of the plan."""
        return self.played().counted()

    def records(self) -> Iterator[str]:
        """Yield the records of the games that count, where they were kept."""
        return self.played().of_counted(self._records())

    def move_stats(self) -> Iterator[dict[str, list[Any]] | None]:
        """Yield what `moves_in` tells of the moves of each game; None where nothing is known."""
        return map(moves_in, self.played().of_counted(self._annotations()))

    @abstractmethod
    def played(self) -> GameColumns:
        """Return the games played, those of void blocks included, in the order of the plan."""

    @abstractmethod
    def _records(self) -> Iterable[str]:
        """Return the record of each game played."""

    @abstractmethod
    def _annotations(self) -> Iterable[str]:
        """Return what is kept of each game played beside its result."""

    @abstractmethod
    def numbers(self) -> set[int]:
        """Return which games have been played."""

    @abstractmethod
    def add(self, batch: Batch, seconds: float) -> None:
        """Keep games that took this many seconds by the clock on the wall."""

    @abstractmethod
    def reveal(self) -> None:
        """End the session: what its secret seed dealt is played, or never will be."""

    @abstractmethod
    def dealt(self) -> tuple[Dealt, ...]:
        """Return from which secret seeds blocks were dealt; nothing where the plan names the seed."""

    @abstractmethod
    def distinct(self) -> int:
        """Count the games that differ in the deal or in their moves."""

    @abstractmethod
    def programs(self) -> int:
        """Count the versions of Kibitz's own code that played the games."""

    @abstractmethod
    def unsound(self) -> list[Any]:
        """Return which games were found to be changed or damaged when the run was opened."""

    @abstractmethod
    def digest(self) -> str:
        """Return a hash over all results in the order of the plan; records must have been kept."""

    @abstractmethod
    def remark(self, sentence: str) -> None:
        """Keep, once, what a reader must know of how games were played."""

    @abstractmethod
    def remarks(self) -> list[str]:
        """Return what a reader must know of how games were played."""


class MemoryRun(Run):
    """A run whose results are kept in memory, as long as the program runs."""

    def __init__(self, plan: Plan):
        super().__init__(plan)
        self._batches: list[Batch] = []
        self._remarks: dict[str, None] = {}
        self._ordered = True  # there is at most one batch, in the order of the plan

    def numbers(self) -> set[int]:
        return {number for batch in self._batches for number in batch.numbers.tolist()}

    def add(self, batch: Batch, seconds: float) -> None:
        self._batches.append(batch)
        self._ordered = False
        self.seconds += seconds

    def reveal(self) -> None:
        """Do nothing: nobody else reads our memory."""

    def dealt(self) -> tuple[Dealt, ...]:
        blocks = self.games().blocks.tolist() if self.plan.seed is None else ()
        return dealt({block: derive_seed(self.seed, DEAL, block) for block in blocks}, [self.seed])

    def played(self) -> GameColumns:
        who, kept = self.plan.who, self._kept()
        blocks, seatings = kept.numbers // len(self.plan.seatings), who.number[kept.seatings]
        told = [json.loads(line) if line else {} for line in kept.move_stats]
        return GameColumns(
            who.agents, kept.numbers, blocks, seatings, kept.payoffs, kept.plies, kept.reasons, kept.offenders,
            kept.seconds, kept.moves, [about.get("drawn_by", "") for about in told], kept.faults,
            names_of(who.agents, zip(seatings, (about.get("called", ()) for about in told), strict=True)),
            Scoring.of_plan(self.plan.game.scoring.as_plan()),
        )  # fmt: skip

    def _records(self) -> list[str]:
        return self._kept().records

    def _annotations(self) -> list[str]:
        return self._kept().move_stats

    def distinct(self) -> int:
        kept = self._kept()
        kept = kept.taken(np.flatnonzero(np.isin(kept.numbers, self.games().numbers)))
        if not len(kept.numbers):
            return 0
        return len(np.unique(np.stack([self.plan.deals(kept.numbers, self.seed), kept.move_hashes]), axis=1).T)

    def programs(self) -> int:
        return 1

    def unsound(self) -> list[Any]:
        return []

    def digest(self) -> str:
        kept = self._kept()
        return digest(
            zip(
                kept.numbers.tolist(), kept.seatings.tolist(), kept.payoffs.tolist(), kept.plies.tolist(), kept.reasons,
                kept.offenders.tolist(), kept.records, strict=True,
            )
        )  # fmt: skip

    def remark(self, sentence: str) -> None:
        self._remarks[sentence] = None

    def remarks(self) -> list[str]:
        return list(self._remarks)

    def _kept(self) -> Batch:
        """Return all games in the order of the plan, as one batch."""
        if not self._batches:
            return Batch.empty(self.plan.game.seats)
        if not self._ordered:
            self._batches, self._ordered = [joined(self._batches).ordered()], True
        (whole,) = self._batches
        return whole.first(int(np.searchsorted(whole.numbers, self.planned)))


class LedgerRun(Run):
    """A run whose results are kept in a ledger.

    Where players must not know the deals, games wait in memory until their block is finished: the ledger may lie where
    programs read it, and must not tell them a deal on which they have games to play.
    """

    def __init__(self, ledger: Ledger, plan: Plan):
        super().__init__(plan)
        self._ledger = ledger
        self._id = ledger.enter(plan.run, plan.data(), plan.planned, len(plan.seatings), __version__)
        self._unsound = list(ledger.unsound(self._id))
        self.seconds = ledger.find(plan.run)["wall"]
        self._secret = plan.seed is None
        self._whole = self._secret or deals_are_secret(plan.game, plan.agents)  # whether only whole blocks are written
        self._waiting: dict[int, list[Batch]] = {}  # by block: games of unfinished ones, one each
        self._unwritten = 0.0  # seconds since games were last written
        self._added = False
        if self._secret:
            ledger.doubt(self._id, self._parts_of_blocks())
        self._there = Counter(number // len(plan.seatings) for number in self.numbers())  # games by block

    def _parts_of_blocks(self) -> list[int]:
        """Return the games of unfinished blocks, whose deal this session cannot deal again."""
        done, size = self.numbers(), len(self.plan.seatings)
        found = Counter(number // size for number in done)
        return [number for number in done if found[number // size] < size]

    @property
    def dropped(self) -> int:
        """How many games wait for others of their block, and are lost without them."""
        return sum(map(len, self._waiting.values()))

    def numbers(self) -> set[int]:
        return self._ledger.numbers(self._id)

    def add(self, batch: Batch, seconds: float) -> None:
        self._unwritten += seconds
        ready = self._finished(batch) if self._whole else batch
        if ready is None:
            return
        deals = self.plan.deals(ready.numbers, self.seed)
        self._ledger.add(self._id, ready, deals, code_version(), self._unwritten)
        self.seconds += self._unwritten
        self._unwritten, self._added = 0.0, True

    def _finished(self, batch: Batch) -> Batch | None:
        """Return the games of all blocks that a batch finishes; the others wait."""
        size, found = len(self.plan.seatings), list[Batch]()
        for at, number in enumerate(batch.numbers.tolist()):
            block = self._waiting.setdefault(number // size, [])
            block.append(batch.taken([at]))
            if self._there[number // size] + len(block) == size:
                found += self._waiting.pop(number // size)
        return joined(found) if found else None

    def reveal(self) -> None:
        if self._secret and self._added:
            self._ledger.reveal(self._id, self.seed)

    def dealt(self) -> tuple[Dealt, ...]:
        return self._ledger.dealt(self._id) if self._secret else ()

    def cut(self, verdict: StopVerdict) -> None:
        super().cut(verdict)
        self._ledger.cut(self._id, verdict.games, verdict.as_dict())

    def played(self) -> GameColumns:
        return self._ledger.games(self._id)

    def _records(self) -> Iterator[str]:
        return self._ledger.records(self._id)

    def _annotations(self) -> Iterator[str]:
        return (line for _, line in self._ledger.annotations(self._id))

    def distinct(self) -> int:
        return self._ledger.distinct(self._id)

    def programs(self) -> int:
        return self._ledger.programs(self._id)

    def unsound(self) -> list[Any]:
        return self._unsound

    def digest(self) -> str:
        return self._ledger.digest(self._id)

    def remark(self, sentence: str) -> None:
        self._ledger.remark(self._id, sentence)

    def remarks(self) -> list[str]:
        return self._ledger.remarks(self._id)


@contextmanager
def open_run(plan: Plan, db: Path | str | None) -> Iterator[Run]:
    """Open the run of a plan in a ledger, to continue it; without a ledger, begin one in memory."""
    if db is None:
        yield MemoryRun(plan)
        return
    with open_ledger(Path(db), write=True) as ledger:
        yield LedgerRun(ledger, plan)
        ledger.check()
