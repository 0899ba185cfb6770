"""A trial: one set-up of an experiment, and how it is run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from math import ceil
from pathlib import Path
from typing import Any, Self

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.session import OnProgress, play_plan
from kibitz.lab.finding import Finding
from kibitz.lab.validation import Count, Seed, Text, forms_of, table


@dataclass(frozen=True)
class TrialSetup:
    """How a trial is run: its scale, the number of workers, and the ledger that keeps its games."""

    scale: float = 1.0
    jobs: int = 1
    db: Path | None = None
    progress: OnProgress | None = None

    def games(self, published: int) -> int:
        """Return how many games to play where the document has `published`."""
        return max(1, ceil(published * self.scale))


@dataclass(frozen=True)
class Trial(ABC):
    """One set-up of an experiment."""

    what: Text

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the trial that plain data describes; `check` tells whether it can be run."""
        needed = [entry.name for entry in fields(cls) if entry.default is MISSING and entry.default_factory is MISSING]
        table("key", forms_of(cls), needed)("", given)
        return cls(**given)

    @property
    def games(self) -> int:
        """How many games are played at full scale."""
        return 0

    @property
    def size(self) -> dict[str, int]:
        """The size at full scale, by unit: games, or what the trial has in place of games."""
        return {"games": self.games}

    def check(self) -> None:
        """Refuse what cannot be run."""

    @abstractmethod
    def run(self, setup: TrialSetup) -> list[Finding]:
        """Run the trial and return its findings."""


@dataclass(frozen=True, kw_only=True)
class PlayedTrial(Trial):
    """A trial whose findings come from games that agents play."""

    game: Text
    play: Count = 1000  # games
    seed: Seed = 1
    why: Text = ""

    @property
    def games(self) -> int:
        """How many games are played at full scale."""
        return self.play

    @abstractmethod
    def plan(self, scale: float) -> Plan:
        """Return what is played at a scale."""

    @abstractmethod
    def _findings(self, run: Run) -> list[Finding]:
        """Return the findings of the games."""

    def run(self, setup: TrialSetup) -> list[Finding]:
        """Play the games and compare them with the published numbers."""
        return play_plan(self.plan(setup.scale), self._findings, setup.db, setup.jobs, setup.progress)
