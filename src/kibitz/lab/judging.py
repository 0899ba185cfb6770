"""Judging: facts become findings, all facts of a table together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from kibitz.arena.results.statistics.fairness import holm
from kibitz.arena.results.statistics.interval import LEAST_BLOCKS, LEVEL, POWER, normal_point
from kibitz.arena.results.statistics.verdict import Assessment, Gap, compare, order_verdict
from kibitz.lab.experiment_outcome import TrialOutcome
from kibitz.lab.fact import Fact, Interval, finite
from kibitz.lab.finding import AGREES, ANSWERS, CONTRADICTS, OPEN, TOO_FEW_DEALS, Finding

LEAST_SEEDS = 2  # that a headline needs to contradict
DIGITS = 4


@dataclass(frozen=True)
class TrialRun:
    """What a trial found, before it is judged."""

    about: TrialOutcome  # without rows
    facts: Sequence[Fact]
    by_seed: Sequence[Sequence[Fact]] = ()  # the facts of each seed alone
    headline: bool = False
    why: str = ""


def judge(runs: Sequence[TrialRun], question: bool = False) -> tuple[TrialOutcome, ...]:
    """Return what came of trials; p values are corrected within each table by Holm's method (1979)."""
    corrected = _corrected(runs)
    return tuple(
        replace(run.about, rows=tuple(_finding(run, at, corrected, question) for at in range(len(run.facts))))
        for run in runs
    )


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
    told = [next((one.measured for one in facts if one.what == fact.what), "–") for facts in run.by_seed]
    found = Finding(
        fact.what, fact.published, fact.measured, fact.interval, fact.published_interval, fact.unit,
        scale=fact.scale.name, by_seed=tuple(told), curves=None if fact.curves is None else dict(fact.curves),
        assumed_games=fact.assumed_games,
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
    assessed = _assessed(fact, corrected[id(fact)])
    verdict = assessed.verdict
    if run.headline and verdict == CONTRADICTS and len(run.about.seeds) < LEAST_SEEDS:
        verdict = OPEN
    games = run.about.games
    return replace(
        found,
        difference=fact.scale.shown(assessed.difference),
        difference_interval=_shown(fact, assessed.interval),
        margin=margin,
        p=assessed.p,
        corrected_p=assessed.corrected_p,
        verdict=ANSWERS[verdict] if question else verdict,
        different=assessed.different,
        more_games=None if assessed.more_games is None or not games else ceil((assessed.more_games - 1) * games),
        too_few_published=verdict == OPEN and _too_few_published(fact),
        games_for_difference=_games_for(fact.gap, fact.margin, games) if question else None,
        why=run.why if verdict == CONTRADICTS else "",
    )


def _assessed(fact: Fact, corrected_p: float) -> Assessment:
    assert fact.gap is not None
    if fact.claim == "=":
        return compare(fact.gap, fact.margin, LEVEL, corrected_p)
    found = order_verdict(fact.gap, LEVEL, corrected_p)
    if fact.claim == ">" or found.verdict == OPEN:
        return found
    return replace(found, verdict="agrees" if found.verdict == CONTRADICTS else "contradicts")


def _too_few_published(fact: Fact) -> bool:
    """Return whether the published number is so uncertain that not even an equal one that is exact agrees with it."""
    if fact.gap is None or fact.claim != "=" or not fact.margin:
        return False
    least, most = fact.gap.theirs(2 * LEVEL - 1)
    farthest = max(most - fact.gap.published, fact.gap.published - least)
    return farthest > 0 and farthest + fact.gap.rounding > fact.margin


def _shown(fact: Fact, interval: Interval) -> Interval | None:
    kept = finite(interval, 9)
    return None if kept is None else (fact.scale.shown(kept[0]), fact.scale.shown(kept[1]))


def _games_for(gap: Gap, difference: float, games: int) -> int | None:
    """Return how many games show a true difference of so much with a power of 80 %."""
    own, _ = gap.errors
    wanted = difference / (normal_point((1 + LEVEL) / 2) + normal_point(POWER))
    return ceil(games * (own / wanted) ** 2) if games and difference and 0 < own < float("inf") else None
