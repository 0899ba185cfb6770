"""A trial: one set-up of an experiment, and how it is run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from math import ceil
from pathlib import Path
from typing import Any, Self

from kibitz.arena.session import OnProgress
from kibitz.lab.finding import Finding
from kibitz.lab.validation import Text, forms_of, table


@dataclass(frozen=True)
class TrialSetup:
    """Where a trial is run: how large, by how many workers, and where its games are kept."""

    scale: float = 1.0
    jobs: int = 1
    db: Path | None = None
    progress: OnProgress | None = None

    def games(self, published: int) -> int:
        """Return how many games are played for so many in the document."""
        return max(1, ceil(published * self.scale))


@dataclass(frozen=True)
class Trial(ABC):
    """One set-up of an experiment."""

    what: Text

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the trial that plain data describes; whether it can be run, `check` says."""
        needed = [entry.name for entry in fields(cls) if entry.default is MISSING and entry.default_factory is MISSING]
        table("key", forms_of(cls), needed)("", given)
        return cls(**given)

    @property
    def games(self) -> int:
        """How many games are played at the document's own size, fewer at a smaller scale."""
        return 0

    @property
    def size(self) -> dict[str, int]:
        """What is counted at the document's own size: games, or what there is in their place."""
        return {"games": self.games}

    def check(self) -> None:
        """Refuse what cannot be run."""

    @abstractmethod
    def run(self, bench: TrialSetup) -> list[Finding]:
        """Run the trial and return what was found."""
