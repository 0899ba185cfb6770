"""Judging: facts become findings, all facts of a table together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from kibitz.arena.results.statistics.fairness import holm
from kibitz.arena.results.statistics.interval import LEAST_BLOCKS, LEVEL, POWER, normal_point
from kibitz.arena.results.statistics.verdict import Assessment, Gap, Verdict, compare, order_verdict
from kibitz.lab.assumption import by_assumption
from kibitz.lab.experiment_outcome import SecondSeed, TrialOutcome
from kibitz.lab.fact import Fact, Interval, finite
from kibitz.lab.finding import AGREES, ANSWERS, CONTRADICTS, OPEN, TOO_FEW_DEALS, Finding
from kibitz.lab.second_seed import ONE_SEED, UNCONFIRMED, shown_by_two_seeds
from kibitz.lab.unanswered import what_it_takes

DIGITS = 4


@dataclass(frozen=True)
class TrialRun:
    """What a trial found, before it is judged."""

    about: TrialOutcome  # without rows
    facts: Sequence[Fact]
    by_seed: Sequence[Sequence[Fact]] = ()  # the facts of each seed alone
    why: str = ""
    second: "TrialRun | None" = None  # the same with a second seed, which confirms what contradicts or does not

    @property
    def seeds_alone(self) -> Sequence[Sequence[Fact]]:
        """The facts of each seed alone, of all seeds with which the trial was played."""
        return [self.facts, self.second.facts] if self.second is not None else self.by_seed


def judge(runs: Sequence[TrialRun], question: bool = False) -> tuple[TrialOutcome, ...]:
    """Return what came of trials; p values are corrected within each table by Holm's method (1979)."""
    corrected = _corrected(runs)
    return tuple(
        replace(_about(run), rows=tuple(_finding(run, at, corrected, question) for at in range(len(run.facts))))
        for run in runs
    )


def _about(run: TrialRun) -> TrialOutcome:
    """Return what a report tells of a trial beside its rows, with its second seed."""
    if run.second is None:
        return run.about
    again = run.second.about
    return replace(run.about, second=SecondSeed(again.games, again.blocks, again.seeds, again.runs))


def _mirrored(run: TrialRun, at: int) -> Fact | None:
    """Return the earlier fact of which this one is the mirror image, or None."""
    return next((earlier for earlier in run.facts[:at] if run.facts[at].mirrors(earlier)), None)


def _repeated(run: TrialRun, at: int) -> Fact | None:
    """Return the earlier fact with the same number in every block, or None."""
    return next((earlier for earlier in run.facts[:at] if run.facts[at].repeats(earlier)), None)


def _without_verdict(fact: Fact) -> str:
    """Return why a fact cannot be judged; empty if it can."""
    few = fact.gap is not None and fact.gap.blocks is not None and fact.gap.blocks < LEAST_BLOCKS
    return fact.without_verdict or (TOO_FEW_DEALS if few else "")


def _corrected(runs: Sequence[TrialRun]) -> dict[int, float]:
    """Return the corrected p value of each fact that is judged by one."""
    families: dict[object, list[Fact]] = {}
    for run in runs:
        for at, fact in enumerate(run.facts):
            alone = _mirrored(run, at) is None and _repeated(run, at) is None
            if fact.gap is not None and alone and not _without_verdict(fact):
                families.setdefault(run.about.family, []).append(fact)
    return {
        id(fact): p
        for facts in families.values()
        for fact, p in zip(facts, holm([fact.gap.p for fact in facts if fact.gap is not None]), strict=True)
    }


def _finding(run: TrialRun, at: int, corrected: Mapping[int, float], question: bool) -> Finding:
    fact = run.facts[at]
    found = Finding(
        fact.what, fact.published, fact.measured, fact.interval, fact.published_interval, fact.unit,
        scale=fact.scale.name, by_seed=_by_seed(run, fact.what), curves=None if fact.curves is None else
        dict(fact.curves), assumed_games=fact.assumed_games,
    )  # fmt: skip
    if fact.agrees is not None:
        verdict = AGREES if fact.agrees else CONTRADICTS
        return replace(found, verdict=verdict, why="" if fact.agrees else run.why)
    if fact.gap is None:
        return found
    margin = fact.scale.margin(fact.margin)
    if (mirror := _mirrored(run, at)) is not None:
        return replace(found, margin=margin, mirror_of=mirror.what)
    if (same := _repeated(run, at)) is not None:
        return replace(found, margin=margin, same_as=same.what)
    if reason := _without_verdict(fact):
        difference, interval = fact.scale.shown(fact.gap.value), _shown(fact, fact.gap.interval(LEVEL))
        return replace(
            found, margin=margin, difference=difference, difference_interval=interval, without_verdict=reason
        )
    return _judged(run, fact, replace(found, margin=margin), corrected[id(fact)], question)


def _by_seed(run: TrialRun, what: str) -> tuple[float | str, ...]:
    """Return what was measured with each seed alone, if there are several."""
    return tuple(next((one.measured for one in facts if one.what == what), "–") for facts in run.seeds_alone)


def _judged(run: TrialRun, fact: Fact, found: Finding, corrected_p: float, question: bool) -> Finding:
    """Return a finding with its verdict, and what that depends on."""
    assert fact.gap is not None
    gap, margin, games = fact.gap, fact.margin, run.about.games
    correction = corrected_p / gap.p

    def verdict_on(gap: Gap, margin: float) -> Assessment:
        return _assessed(fact, gap, margin, min(1.0, gap.p * correction))

    assessed = verdict_on(gap, margin)
    verdict: Verdict = assessed.verdict
    reason, more = "", None
    if fact.assumed_games and fact.of_games is not None:
        verdict, reason = by_assumption(verdict, fact.of_games, fact.assumed_games, verdict_on)
    if verdict == CONTRADICTS and not shown_by_two_seeds(run.seeds_alone, fact):
        verdict, reason = "not excluded", UNCONFIRMED if run.seeds_alone else ONE_SEED
    if verdict == OPEN and not reason:
        more, reason = what_it_takes(assessed, fact, games)
    return replace(
        found,
        difference=fact.scale.shown(assessed.difference),
        difference_interval=_shown(fact, assessed.interval),
        p=assessed.p,
        corrected_p=assessed.corrected_p,
        verdict=ANSWERS[verdict] if question else verdict,
        different=assessed.different,
        more_games=more,
        reason=reason,
        games_for_difference=_games_for(gap, margin, games) if question else None,
        why=run.why if verdict == CONTRADICTS else "",
    )


def _assessed(fact: Fact, gap: Gap, margin: float, corrected_p: float) -> Assessment:
    if fact.claim == "=":
        return compare(gap, margin, LEVEL, corrected_p)
    found = order_verdict(gap, LEVEL, corrected_p)
    if fact.claim == ">" or found.verdict == OPEN:
        return found
    return replace(found, verdict="agrees" if found.verdict == CONTRADICTS else "contradicts")


def _shown(fact: Fact, interval: Interval) -> Interval | None:
    kept = finite(interval, 9)
    return None if kept is None else (fact.scale.shown(kept[0]), fact.scale.shown(kept[1]))


def _games_for(gap: Gap, difference: float, games: int) -> int | None:
    """Return how many games show a true difference of so much with a power of 80 %."""
    own, _ = gap.errors
    wanted = difference / (normal_point((1 + LEVEL) / 2) + normal_point(POWER))
    return ceil(games * (own / wanted) ** 2) if games and difference and 0 < own < float("inf") else None
