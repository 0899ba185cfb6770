"""A run whose results are kept in a ledger, on disk.

Where players must not know the deals, games wait in memory until their block is finished: the ledger may lie where
programs read it, and must not tell them a deal on which they have games to play.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kibitz import __version__
from kibitz.arena.plan.default_seed import deals_are_secret
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch, joined
from kibitz.arena.results.annotations import moves_in
from kibitz.arena.results.code_version import code_version
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.incidents import faults, killed, voids
from kibitz.arena.results.ledger import Ledger
from kibitz.arena.results.secret_deals import Dealt


class LedgerRun:
    """A run whose results are kept in a ledger."""

    def __init__(self, ledger: Ledger, plan: Plan):
        self.name, self._ledger, self._plan = plan.run, ledger, plan
        self._id = ledger.enter(plan.run, plan.data(), plan.planned, len(plan.seatings), __version__)
        self._unsound = list(ledger.unsound(self._id))
        self.seed, self._secret = plan.session_seed(), plan.seed is None
        self._whole = self._secret or deals_are_secret(plan.game, plan.agents)  # whether whole blocks alone are written
        self._waiting: dict[int, list[Batch]] = {}  # games of unfinished blocks, one each
        self._seconds = 0.0  # since games were last written
        self._added = False
        if self._secret:
            ledger.doubt(self._id, self._parts_of_blocks())
        self._there = Counter(number // len(plan.seatings) for number in self.numbers())  # games by block

    def _parts_of_blocks(self) -> list[int]:
        """Return the games of blocks of which others are missing, whose deal is not ours to deal again."""
        done, size = self.numbers(), len(self._plan.seatings)
        found = Counter(number // size for number in done)
        return [number for number in done if found[number // size] < size]

    @property
    def planned(self) -> int:
        """How many games are planned."""
        return self._ledger.find(self.name)["planned"]

    @property
    def verdict(self) -> dict[str, Any] | None:
        """What the stop rule said."""
        return json.loads(self._ledger.find(self.name)["verdict"])

    @property
    def seconds(self) -> float:
        """How long it was played, all sessions together."""
        return self._ledger.find(self.name)["wall"]

    def numbers(self) -> set[int]:
        """Return which games have been played."""
        return self._ledger.numbers(self._id)

    def add(self, batch: Batch, seconds: float) -> None:
        """Keep games for good, where deals are to be kept secret when their block is finished."""
        self._seconds += seconds
        ready = self._finished(batch) if self._whole else batch
        if ready is None:
            return
        deals = self._plan.deals(ready.numbers, self.seed)
        self._ledger.add(self._id, ready, deals, code_version(), self._seconds)
        self._seconds, self._added = 0.0, True

    def _finished(self, batch: Batch) -> Batch | None:
        """Return the games of all blocks that a batch finishes; the others wait."""
        size, found = len(self._plan.seatings), list[Batch]()
        for at, number in enumerate(batch.numbers.tolist()):
            block = self._waiting.setdefault(number // size, [])
            block.append(batch.taken([at]))
            if self._there[number // size] + len(block) == size:
                found += self._waiting.pop(number // size)
        return joined(found) if found else None

    def reveal(self) -> None:
        """Write the secret from which this session dealt, and forget the blocks that it did not finish."""
        if self._secret and self._added:
            self._ledger.reveal(self._id, self.seed)

    def dealt(self) -> tuple[Dealt, ...]:
        """Return from which secrets blocks were dealt."""
        return self._ledger.dealt(self._id) if self._secret else ()

    @property
    def dropped(self) -> int:
        """How many games wait for others of their block, and are lost without them."""
        return sum(map(len, self._waiting.values()))

    def cut(self, planned: int, verdict: dict[str, Any]) -> None:
        """End the run after so many games; those beyond stay in the ledger."""
        self._ledger.cut(self._id, planned, verdict)

    def games(self) -> GameColumns:
        """Return the games that count."""
        return self.played().counted()

    def played(self) -> GameColumns:
        """Return the games played, those of void blocks included."""
        return self._ledger.games(self._id)

    def records(self) -> Iterator[str]:
        """Yield the records of the games that count."""
        return self.played().beside(self._ledger.records(self._id))

    def move_stats(self) -> Iterator[dict[str, list[Any]] | None]:
        """Yield what is known of the moves of each game that counts."""
        lines = (moves_in(line) for _, _, line in self._ledger.notes(self._id))
        return self.played().beside(lines)

    def faults(self) -> list[str]:
        """Return how agents failed."""
        return faults(self._ledger.faults(self._id))

    def killed(self) -> list[str]:
        """Return how processes were killed whose games were played again."""
        return killed(self._ledger.faults(self._id))

    def voids(self) -> list[str]:
        """Return why games are void."""
        return voids(self._ledger.faults(self._id))

    def distinct(self) -> int:
        """Count different games."""
        return self._ledger.distinct(self._id)

    def programs(self) -> int:
        """Count the states of Kibitz's own code that played the games."""
        return self._ledger.programs(self._id)

    def unsound(self) -> list[Any]:
        """Return which games were found to be changed or damaged when the run was opened."""
        return self._unsound

    def digest(self) -> str:
        """Return a hash over all results."""
        return self._ledger.digest(self._id)

    def remark(self, sentence: str) -> None:
        """Keep what a reader must know of how games were played, once."""
        self._ledger.remark(self._id, sentence)

    def remarks(self) -> list[str]:
        """Return what a reader must know of how games were played."""
        return self._ledger.remarks(self._id)
