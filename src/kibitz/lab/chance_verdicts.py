"""Chance: how many verdicts on documents would contradict, or agree, by chance alone."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kibitz.arena.results.statistics.interval import LEVEL
from kibitz.arena.results.statistics.verdict import expected_false
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, Finding

QUESTIONS, CHANGED, FITTED, ASSUMED = "questions", "changed", "fitted", "assumed"  # what is no evidence on a document


@dataclass(frozen=True)
class ChanceCount:
    """How many verdicts on documents there are, and how many of them would contradict by chance alone."""

    verdicts: int  # of rows with chance in them
    families: int  # of rows whose p values were corrected together
    contradictions: int
    agreements: int  # of numbers with a margin
    with_margin: int
    apart: Mapping[str, tuple[int, int]]  # verdicts that are not counted above, and how many of them contradict

    @property
    def uncorrected(self) -> float:
        """Rows expected to contradict by chance if nothing were corrected."""
        return expected_false(self.verdicts, LEVEL)

    @property
    def corrected(self) -> float:
        """Families expected to have a row that contradicts by chance, at most."""
        return expected_false(self.families, LEVEL)

    @property
    def agreeing(self) -> float:
        """Numbers that would agree by chance at most, if all were off by their margins."""
        return expected_false(self.with_margin, LEVEL)


def chance_count(outcomes: Iterable[Outcome]) -> ChanceCount:
    """Return how many contradictions chance alone would give, if all that was published were true.

    Counted are documents with their own set-ups. Apart are questions, set-ups that were changed on purpose, settings
    that were fitted to published numbers, and numbers of an assumed number of games.
    """
    families: set[tuple[object, ...]] = set()
    counted: list[Finding] = []
    apart: dict[str, list[Finding]] = {QUESTIONS: [], CHANGED: [], FITTED: [], ASSUMED: []}
    for outcome, trial, row in _judged(outcomes):
        if kind := _apart(outcome, trial, row):
            apart[kind].append(row)
        else:
            counted.append(row)
            families.add((outcome.file or outcome.experiment, *trial.family))
    margins = [row for row in counted if row.margin]
    return ChanceCount(
        len(counted), len(families), _contradictions(counted), sum(row.verdict == AGREES for row in margins),
        len(margins), {kind: (len(rows), _contradictions(rows)) for kind, rows in apart.items() if rows},
    )  # fmt: skip


def _judged(outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, TrialOutcome, Finding]]:
    """Yield the rows whose verdict rests on chance."""
    for outcome in outcomes:
        for trial in outcome.trials:
            yield from ((outcome, trial, row) for row in trial.rows if row.judged and row.p is not None)


def _apart(outcome: Outcome, trial: TrialOutcome, row: Finding) -> str:
    """Return why a verdict is no evidence on a document; empty if it is."""
    if outcome.asks:
        return QUESTIONS
    if trial.alternative:
        return CHANGED
    return "" if trial.evidence and not row.assumed_games else ASSUMED if trial.evidence else FITTED


def _contradictions(rows: Iterable[Finding]) -> int:
    return sum(row.verdict in (CONTRADICTS, DIFFERENT) for row in rows)
