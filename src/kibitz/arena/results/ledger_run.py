"""A run whose results are kept in a ledger, on disk."""

import json
from collections.abc import Iterator
from typing import Any

from kibitz import __version__
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.cluster_task import code_here
from kibitz.arena.results.games import Games
from kibitz.arena.results.ledger import Ledger


class LedgerRun:
    """A run whose results are kept in a ledger."""

    def __init__(self, ledger: Ledger, plan: Plan):
        self.name, self._ledger, self._plan = plan.run, ledger, plan
        self._id = ledger.enter(plan.run, plan.data(), plan.planned, len(plan.seatings), __version__)
        self._unsound = list(ledger.unsound(self._id))

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
        """Keep games for good."""
        self._ledger.add(self._id, batch, self._plan.deals(batch.numbers), code_here(), seconds)

    def cut(self, planned: int, verdict: dict[str, Any]) -> None:
        """End the run after so many games; those beyond stay in the ledger."""
        self._ledger.cut(self._id, planned, verdict)

    def games(self) -> Games:
        """Return the games played."""
        return self._ledger.games(self._id)

    def records(self) -> Iterator[str]:
        """Yield the records of the games."""
        return self._ledger.records(self._id)

    def thoughts(self) -> Iterator[dict[str, list[Any]] | None]:
        """Yield what is known of the moves of each game."""
        return (json.loads(line) if line else None for _, _, line in self._ledger.notes(self._id))

    def faults(self) -> list[str]:
        """Return how agents failed."""
        return [fault for offender, fault in self._said() if offender >= 0]

    def killed(self) -> list[str]:
        """Return how processes were killed whose games were played again."""
        return [fault for offender, fault in self._said() if offender < 0]

    def _said(self) -> list[tuple[int, str]]:
        return list(self._ledger.faults(self._id))

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
