"""An outcome: what came of an experiment, trial by trial, with everything that a report shows."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.interval import LEVEL
from kibitz.arena.results.statistics.verdict import expected_false
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, SAME, UNDECIDED, Finding

COUNTS = {
    "judged": (AGREES, OPEN, CONTRADICTS, SAME, UNDECIDED, DIFFERENT), "agreeing": (AGREES,), "open": (OPEN, UNDECIDED),
    "contradicting": (CONTRADICTS,), "different": (DIFFERENT,), "same": (SAME,),
}  # fmt: skip
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")  # {agreeing}, or {TRIAL: ROW} for what was measured
MISSING = "(not measured)"


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
    games: int = 0
    blocks: int = 0  # of games on a common deal
    seeds: tuple[int, ...] = ()  # of the games
    runs: tuple[str, ...] = ()  # their names in the ledger
    times: tuple[AgentTime, ...] = ()
    rows: tuple[Finding, ...] = ()

    @property
    def evidence(self) -> bool:
        """Whether its numbers had no part in finding its settings."""
        return self.held_out or not self.fitted

    @property
    def family(self) -> tuple[str, bool]:
        """What is judged together: the rows of a table, those of fitted settings apart."""
        return self.table or self.what, self.evidence


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

    @property
    def title(self) -> str:
        """The title in a report."""
        return self.texts.get("title") or self.experiment

    @property
    def rows(self) -> tuple[Finding, ...]:
        """The findings of all trials."""
        return tuple(row for trial in self.trials for row in trial.rows)

    def count(self, word: str, evidence: bool = True) -> int:
        """Return how many rows have a verdict of COUNTS; those of fitted settings are counted apart."""
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


@dataclass(frozen=True)
class ChanceCount:
    """How many verdicts there are, and how many of them would contradict by chance alone."""

    verdicts: int  # of rows with chance in them
    families: int  # of rows whose p values were corrected together: of tables, or of trials
    contradictions: int
    agreements: int  # of numbers with a margin
    with_margin: int
    assumed: int  # verdicts left out, because the number of published games is an assumption
    uncorrected: float  # rows expected to contradict by chance if nothing were corrected
    corrected: float  # families expected to have a row that contradicts by chance, at most
    agreeing: float  # numbers that would agree by chance at most, if all were off by their margins


def chance_count(outcomes: Iterable[Outcome]) -> ChanceCount:
    """Return how many contradictions chance alone would give, if all that was published were true."""
    families: set[tuple[str, str, bool]] = set()
    counted: list[Finding] = []
    assumed = 0
    for outcome in outcomes:
        for trial in filter(lambda trial: trial.evidence, outcome.trials):
            judged = [row for row in trial.rows if row.judged and row.p is not None]
            known = [row for row in judged if not row.assumed_games]
            assumed += len(judged) - len(known)
            counted += known
            if known:
                families.add((outcome.file or outcome.experiment, *trial.family))
    contradictions = sum(row.verdict in (CONTRADICTS, DIFFERENT) for row in counted)
    margins = [row.verdict for row in counted if row.margin]
    agreements = sum(verdict in (AGREES, SAME) for verdict in margins)
    return ChanceCount(
        len(counted), len(families), contradictions, agreements, len(margins), assumed,
        expected_false(len(counted), LEVEL), expected_false(len(families), LEVEL), expected_false(len(margins), LEVEL),
    )  # fmt: skip
