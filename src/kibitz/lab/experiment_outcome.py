"""An outcome: what came of an experiment, trial by trial, with everything that a report shows."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kibitz.arena.results.row import Row
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, SAME, UNDECIDED, Finding

COUNTS = {
    "judged": (AGREES, OPEN, CONTRADICTS, SAME, UNDECIDED, DIFFERENT), "agreeing": (AGREES,), "open": (OPEN, UNDECIDED),
    "contradicting": (CONTRADICTS,), "different": (DIFFERENT,), "same": (SAME,),
}  # fmt: skip
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")  # {agreeing}, or {TRIAL: ROW} for what was measured
MISSING = "(not measured)"
QUESTION = "question"  # the kind of an experiment that asks something new


@dataclass(frozen=True)
class AgentTime(Row):
    """How long an agent thought in all games of a trial."""

    name: str
    moves: int
    cpu: float | None  # seconds of all its threads; None where it was not measured
    seconds: float | None  # by the clock on the wall; None likewise

    @property
    def cpu_per_move(self) -> float | None:
        """CPU seconds for a move."""
        return None if self.cpu is None else self.cpu / max(1, self.moves)

    def with_(self, other: "AgentTime") -> "AgentTime":
        """Return the time in these games and in others."""
        cpu = None if self.cpu is None or other.cpu is None else self.cpu + other.cpu
        seconds = None if self.seconds is None or other.seconds is None else self.seconds + other.seconds
        return AgentTime(self.name, self.moves + other.moves, cpu, seconds)


@dataclass(frozen=True)
class SecondSeed(Row):
    """The games with which a trial was played again, because a row contradicted."""

    games: int
    blocks: int
    seeds: tuple[int, ...]
    runs: tuple[str, ...]  # their names in the ledger


@dataclass(frozen=True)
class TrialOutcome(Row):
    """What came of a trial."""

    what: str
    game: str = ""
    agents: dict[str, str] = field(default_factory=dict)  # the text of each
    options: dict[str, str] = field(default_factory=dict)  # the other keys of the trial that are not the usual ones
    table: str = ""
    origin: str = "document"
    origin_note: str = ""
    fitted: str = ""
    held_out: bool = False
    alternative: bool = False  # a set-up changed on purpose
    games: int = 0
    blocks: int = 0  # of games on a common deal
    seeds: tuple[int, ...] = ()  # of the games
    runs: tuple[str, ...] = ()  # their names in the ledger
    times: tuple[AgentTime, ...] = ()
    untimed: str = ""  # why no times are known
    second: SecondSeed | None = None
    rows: tuple[Finding, ...] = ()

    @property
    def evidence(self) -> bool:
        """Whether it has the document's set-up, and its numbers had no part in finding the settings."""
        return not self.alternative and (self.held_out or not self.fitted)

    @property
    def family(self) -> tuple[str, bool, str]:
        """What is judged together: the rows compared with a published table.

        Those of fitted settings are apart, and so are those of each set-up that was changed on purpose.
        """
        return self.table or self.what, self.evidence, self.what if self.alternative else ""


@dataclass(frozen=True)
class Outcome(Row):
    """The findings of an experiment."""

    experiment: str
    trials: tuple[TrialOutcome, ...]
    seconds: float
    scale: float = 1.0
    seed: int = 1  # of the run
    kind: str = "document"
    file: str = ""  # of a user's own experiment
    data: str = ""  # a hash of what its file says
    texts: dict[str, str] = field(default_factory=dict)  # its title and other texts, by name
    made: dict[str, str] = field(default_factory=dict)  # commit, date, machine and versions
    others: tuple["Outcome", ...] = ()  # of the same experiment, with other seeds and scales

    @property
    def title(self) -> str:
        """The title in a report."""
        return self.texts.get("title") or self.experiment

    @property
    def asks(self) -> bool:
        """Whether nothing is published that it could contradict."""
        return self.kind == QUESTION

    @property
    def rows(self) -> tuple[Finding, ...]:
        """The findings of all trials."""
        return tuple(row for trial in self.trials for row in trial.rows)

    def count(self, word: str, evidence: bool = True) -> int:
        """Return how many rows have a verdict of COUNTS, of trials that are evidence or of the others."""
        return sum(row.verdict in COUNTS[word] for row in rows_of(self.trials, evidence))

    def filled_text(self, name: str) -> str:
        """Return a text of the experiment, with what came of it in place of placeholders."""
        return PLACEHOLDER.sub(lambda found: self._filled(found[1]), self.texts.get(name, ""))

    def _filled(self, name: str) -> str:
        if name in COUNTS:
            return str(self.count(name))
        for trial in self.trials:
            for row in trial.rows:
                if f"{trial.what}: {row.what}" == name:
                    return f"{number_text(row.measured)} {row.unit}".strip()
        return MISSING


def number_text(value: float | str) -> str:
    """Return a number, or what stands for one, as reports show it."""
    return value if isinstance(value, str) else f"{value:,.6g}"


def rows_of(trials: Iterable[TrialOutcome], evidence: bool) -> Iterator[Finding]:
    """Yield the rows of trials that are evidence, or of those that are not."""
    return (row for trial in trials if trial.evidence == evidence for row in trial.rows)
