"""A trial: one set-up of an experiment, and how it is run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, dataclass, field, fields
from math import ceil
from pathlib import Path
from typing import Annotated, Any, Self

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.session import OnProgress, play_plan
from kibitz.core.errors import BadValue
from kibitz.lab.finding import Finding
from kibitz.lab.validation import Count, Seed, Text, Truth, forms_of, number, one_of, table

ORIGINS = {
    "document": "",
    "program": "which program, its commit and licence where they are known",
    "derived": "how it was computed from what the document says",
}  # where a published number comes from, and what origin_note then tells
MARGINS = {"share": 0.05, "place": 0.1, "payoff": 0.05, "count": 0.1, "error": 0.1, "time": 0.25}
_MARGIN = number(0, 1, above=True)
_MARGINS = table("kind of margin", dict.fromkeys(MARGINS, _MARGIN))


def _margin(key: str, value: Any) -> None:
    """Refuse all but a margin, or a table of margins by kind."""
    (_MARGINS if isinstance(value, Mapping) else _MARGIN)(key, value)


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
    """One set-up of an experiment; the keys below may also stand at the head of the experiment, for all its trials."""

    what: Text
    _: KW_ONLY
    origin: Annotated[str, one_of("origin", ORIGINS)] = "document"
    origin_note: Text = ""
    fitted: Text = ""  # settings that were found by published numbers
    held_out: Truth = False  # whether these numbers had no part in finding them
    headline: Truth = False  # whether it is run with several seeds
    margin: Annotated[float | Mapping[str, float], _margin] = field(default_factory=dict)  # by kind: of MARGINS
    table: Text = ""  # of the document: p values are corrected within it; the trial alone if it is empty
    why: Text = ""  # the cause of a difference, shown at rows that contradict

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the trial that plain data describes; `check` tells whether it can be run."""
        needed = [entry.name for entry in fields(cls) if entry.default is MISSING and entry.default_factory is MISSING]
        table("key", forms_of(cls), needed)("", given)
        trial = cls(**given)
        trial.check_keys()
        return trial

    @property
    def games(self) -> int:
        """How many games are played at full scale."""
        return 0

    @property
    def size(self) -> dict[str, int]:
        """The size at full scale, by unit: games, or what the trial has in place of games."""
        return {"games": self.games}

    def check_keys(self) -> None:
        """Refuse keys that do not fit together."""
        wanted = ORIGINS[self.origin]
        if wanted and not self.origin_note:
            raise BadValue(f"origin is {self.origin}, so origin_note must tell {wanted}")
        if self.origin_note and not wanted:
            named = " or ".join(name for name, note in ORIGINS.items() if note)
            raise BadValue(f"origin_note is of no use without origin: {named}")

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
