"""The balance of a game: does a seat win more often, or earn more, than the others?

The analysis of D. Crha's thesis on Colonizers (Prague 2020, experiments 1 and 2) for any game: wins, last places and
mean place by seat, each against equal seats, and tests of all seats together, corrected for their number.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.caveats import caveats_of
from kibitz.arena.results.row import Row, html_table, span
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.evidence import ALPHA, evidence
from kibitz.arena.results.statistics.fairness import FairnessTest, equal_means, goodness_of_fit, holm, same_rates, welch
from kibitz.arena.results.statistics.interval import games_needed, mean_in_range, wilson
from kibitz.arena.results.statistics.outcome import divided_wins
from kibitz.arena.results.tally import Tally
from kibitz.core.game import option_values
from kibitz.core.scoring import WINS, Scoring

TESTS = {"wins": "wins", "last": "last places", "payoff": "payoffs"}


@dataclass(frozen=True)
class BalanceSeat(Row):
    """One seat: how often it was first and last, and how far that is from equal seats."""

    seat: int
    name: str
    wins: int
    wins_rate: float
    wins_interval: tuple[float, float]
    wins_p: float  # corrected for the number of seats
    last: int
    last_rate: float
    last_interval: tuple[float, float]
    last_p: float
    mean_place: float  # seats that tie have the mean of their places
    mean_payoff: float
    payoff_interval: tuple[float, float]
    payoff_spread: float  # standard deviation


@dataclass(frozen=True)
class BalanceTest(Row):
    """A test of all seats together."""

    statistic: float
    df: int
    p: float
    corrected_p: float  # for the number of tests
    method: str
    counts: tuple[float, ...]
    expected: tuple[float, ...]


@dataclass(frozen=True)
class GameLength(Row):
    """How many plies games last."""

    mean: float
    least: int
    quarter: float
    median: float
    three_quarters: float
    most: int


@dataclass(frozen=True)
class Judgement(Row):
    """What payoffs by game and seat say about the seats."""

    decided: int  # games won by one seat alone
    draws: int
    seats: tuple[BalanceSeat, ...]
    tests: dict[str, BalanceTest]
    p: float  # of equal seats: the least of the tests, corrected for their number
    fair: bool  # p is 0.05 or more
    length: GameLength
    plies: int
    verdict: str


@dataclass(frozen=True, repr=False)
class BalanceResult(Row):
    """The result of an agent that played against itself in all seats."""

    game: str
    options: dict[str, Any]
    agent: str
    planned: int
    games: int
    seed: int
    openings: int  # random plies at the start of each game
    scoring: Scoring  # what counts, and the unit of payoffs
    decided: int  # games won by one seat alone
    draws: int
    seats: tuple[BalanceSeat, ...]
    tests: dict[str, BalanceTest]
    p: float  # of equal seats: the least of the tests, corrected for their number
    fair: bool  # p is 0.05 or more
    length: GameLength
    plies: int
    verdict: str
    distinct: int  # games that differ in what was dealt or in a move
    reasons: dict[str, int]  # why games ended
    drawn_by: dict[str, int]  # the causes of draws, where the game can tell
    faults: tuple[str, ...]  # how the agent failed, one sentence each
    notes: tuple[str, ...]  # what a reader must know beside the numbers
    seconds: float

    def __repr__(self) -> str:
        rates = ", ".join(f"{seat.name} {seat_score(seat, self.scoring)}" for seat in self.seats)
        return f"<BalanceResult of {self.game} by {self.agent}, {self.games} games: {rates}>"

    def _repr_html_(self) -> str:
        """Return the seats as a table for a notebook."""
        scoring = self.scoring
        wins = ("wins", "rate", "95 % interval", "p", "place") if scoring.by_wins else ()
        headings = ("seat", *wins, scoring.heading, "95 % interval")
        rows = [
            (seat.name,
             *((f"{seat.wins:,}", f"{seat.wins_rate:.1%}", span(seat.wins_interval), f"{seat.wins_p:.3g}",
                f"{seat.mean_place:.2f}") if wins else ()),
             scoring.mean_text(seat.mean_payoff), scoring.span_text(seat.payoff_interval))
            for seat in self.seats
        ]  # fmt: skip
        title = f"{self.game}, {self.agent} in every seat: {self.games:,} games"
        return html_table(title, headings, rows, (self.verdict, *self.faults[:1], *self.notes))


def balance_result(run: Run) -> BalanceResult:
    """Return the result of an agent that played against itself."""
    plan, played, distinct = run.plan, run.played(), run.distinct()
    games = played.counted()
    return result_of(
        plan,
        Tally.of_games(games.payoffs, games.plies),
        planned=run.planned - (len(played.numbers) - len(games.numbers)),
        seed=run.seed,
        distinct=distinct,
        reasons={str(reason): count for reason, count in Counter(games.reasons).items()},
        drawn_by=games.draws,
        faults=tuple(played.faults),
        notes=tuple(caveats_of(run, played, distinct)),
        seconds=run.seconds,
    )


def result_of(plan: Plan, tally: Tally, **told: Any) -> BalanceResult:
    """Return the result of a plan from the tally of its games, and what else is told of them."""
    scoring = Scoring.of_plan(plan.game.scoring.as_plan())
    judged = judge_tally(tally, plan.game.seat_names, plan.agents[0], scoring)
    return BalanceResult(
        **vars(judged),
        game=plan.game.name,
        options=option_values(plan.game),
        agent=plan.agents[0],
        games=tally.games,
        openings=plan.openings,
        scoring=scoring,
        **told,
    )


def judge(
    payoffs: np.ndarray, plies: np.ndarray, names: Sequence[str], agent: str, scoring: Scoring = WINS
) -> Judgement:  # fmt: skip
    """Return what payoffs by game and seat say about the seats; games count as independent."""
    return judge_tally(Tally.of_games(payoffs, plies), names, agent, scoring)


def judge_tally(tally: Tally, names: Sequence[str], agent: str, scoring: Scoring) -> Judgement:
    """Return what a tally says about the seats; games count as independent."""
    counts = {"wins": tally.first_places(), "last": tally.last_places()}
    tests = _corrected(_tests(tally, counts, scoring))
    least = min((test.corrected_p for test in tests.values()), default=1.0)
    decided = int(counts["wins"].sum())
    judged = Judgement(
        decided,
        tally.games - decided,
        _seats(tally, counts, names, scoring),
        tests,
        least,
        least >= ALPHA,
        _length(tally),
        int(tally.plies @ tally.lengths),
        "",
    )
    return replace(judged, verdict=verdict(judged, agent, len(tests), scoring))


def _tests(tally: Tally, counts: dict[str, np.ndarray], scoring: Scoring) -> dict[str, FairnessTest]:
    """Return the tests of what counts: none where all seats earn the same."""
    payoffs = tally.payoffs
    if not scoring.by_wins:
        return {} if scoring.shared else {"payoff": equal_means(payoffs, tally.counts)}
    even = np.full(payoffs.shape[1], 1 / payoffs.shape[1])
    found = {"wins": goodness_of_fit(counts["wins"], even)}
    if payoffs.shape[1] > 2 and counts["last"].any():  # with two seats they are the other seat's wins
        found["last"] = goodness_of_fit(counts["last"], even)
    if not np.allclose(payoffs, divided_wins(payoffs)):  # else payoffs say the same as wins
        found["payoff"] = equal_means(payoffs, tally.counts)
    return found


def _together(variants: Sequence[BalanceResult]) -> list[BalanceResult]:
    """Return results whose p values and verdicts are corrected for the tests of all of them."""
    number = sum(len(variant.tests) for variant in variants)
    corrected = iter(holm([test.p for variant in variants for test in variant.tests.values()]))
    found = []
    for variant in variants:
        tests = {what: replace(test, corrected_p=next(corrected)) for what, test in variant.tests.items()}
        least = min((test.corrected_p for test in tests.values()), default=1.0)
        judged = replace(variant, tests=tests, p=least, fair=least >= ALPHA)
        found.append(replace(judged, verdict=verdict(judged, variant.agent, number, variant.scoring)))
    return found


def _corrected(found: dict[str, FairnessTest]) -> dict[str, BalanceTest]:
    corrected = holm([test.p for test in found.values()])
    return {
        what: BalanceTest(**vars(test), corrected_p=p) for (what, test), p in zip(found.items(), corrected, strict=True)
    }


def _seats(
    tally: Tally, counts: dict[str, np.ndarray], names: Sequence[str], scoring: Scoring
) -> tuple[BalanceSeat, ...]:  # fmt: skip
    from scipy.stats import rankdata

    places = rankdata(-tally.payoffs, axis=1)
    found = []
    for seat, name in enumerate(names):
        parts: dict[str, Any] = {}
        for what, count in counts.items():
            n, total = int(count[seat]), int(count.sum())
            parts |= {
                what: n,
                f"{what}_rate": n / total if total else 0.0,
                f"{what}_interval": wilson(n, total),
                f"{what}_p": _seat_ps(count)[seat],
            }
        earned = tally.payoffs[:, seat]
        interval = mean_in_range(earned, np.ones(len(earned)), scoring.least, scoring.most, times=tally.counts)
        found.append(BalanceSeat(
            seat, name, **parts, mean_place=tally.mean(places[:, seat]), mean_payoff=tally.mean(earned),
            payoff_interval=interval, payoff_spread=tally.spread(seat),
        ))  # fmt: skip
    return tuple(found)


def _seat_ps(count: np.ndarray) -> list[float]:
    """Return for each seat the p value of a count as far from equal as its own, corrected for the number of seats."""
    total, even = int(count.sum()), 1 / len(count)
    ps = [goodness_of_fit(np.array([n, total - n]), np.array([even, 1 - even])).p for n in count]
    return holm(ps) if len(count) > 2 else ps  # two seats are one question


def _length(tally: Tally) -> GameLength:
    low, middle, high = tally.length_at((0.25, 0.5, 0.75))
    mean = int(tally.plies @ tally.lengths) / tally.games
    return GameLength(mean, int(tally.plies[0]), low, middle, high, int(tally.plies[-1]))


def seat_score(seat: BalanceSeat, scoring: Scoring) -> str:
    """Return what counts of a seat: how often it wins, or how much it earns."""
    return f"{seat.wins_rate:.1%}" if scoring.by_wins else scoring.mean_text(seat.mean_payoff)


def verdict(judged: Judgement | BalanceResult, agent: str, tests: int, scoring: Scoring) -> str:
    """Return in plain words whether the seats are equal, with one p value: the least of `tests`, corrected."""
    if scoring.shared:
        seat = judged.seats[0]
        mean = f"{scoring.mean_text(seat.mean_payoff)} {scoring.unit}"
        return f"{agent} in all seats scores {mean} a game (95 %: {scoring.span_text(seat.payoff_interval)})."
    if not scoring.by_wins:
        return _verdict_of_payoffs(judged, agent, tests, scoring)
    if not judged.decided:
        return "No game was won by one seat alone, so nothing can be said about who wins."
    first, *rest = judged.seats
    others = ", ".join(f"{seat.name} {seat.wins_rate:.1%}" for seat in rest)
    even = 1 / len(judged.seats)
    rates = (
        f"{first.name.capitalize()} wins {first.wins_rate:.1%} of {judged.decided:,} decided games, {others}; equal "
        f"seats would win {even:.1%} each."
    )
    uneven = " and ".join(TESTS[what] for what, test in judged.tests.items() if test.corrected_p < ALPHA)
    claim = f"the game is unfair by seat with {agent} in all seats{uneven and f', in {uneven}'}"
    found = evidence(claim, judged.p, f"{tests} tests" if tests > 1 else "")
    if uneven:
        return f"{found} {rates}"
    hidden = next(points for points in range(1, 1000) if _shows(even, points / 1000, judged.decided)) / 10
    return (
        f"{found} {rates} {judged.decided:,} games would probably not show an advantage of less than {hidden:.1f} "
        "percentage points."
    )


def _verdict_of_payoffs(judged: Judgement | BalanceResult, agent: str, tests: int, scoring: Scoring) -> str:
    claim = f"the game is unfair by seat with {agent} in all seats, in {scoring.unit}"
    found = evidence(claim, judged.p, f"{tests} tests" if tests > 1 else "")
    first, *rest = judged.seats
    others = ", ".join(
        f"{seat.name} {scoring.mean_text(seat.mean_payoff)} ({scoring.span_text(seat.payoff_interval)})"
        for seat in rest
    )
    mean = f"{scoring.mean_text(first.mean_payoff)} {scoring.unit} a game"
    return (
        f"{found} {first.name.capitalize()} earns {mean} (95 %: {scoring.span_text(first.payoff_interval)}), {others}."
    )


def _shows(even: float, difference: float, games: int) -> bool:
    return even + difference >= 1 or games_needed(even, difference) <= games


@dataclass(frozen=True, repr=False)
class BalanceComparison(Row):
    """Variants of a game, or several games, played by the same agent."""

    variants: tuple[BalanceResult, ...]
    # Of seats that win equally often in all variants or, where all seats earn the same, of variants that score equally.
    p: float | None  # None where they cannot be compared

    @property
    def faults(self) -> tuple[str, ...]:
        """How the agent failed, in all variants."""
        return tuple(fault for variant in self.variants for fault in variant.faults)

    def __repr__(self) -> str:
        return f"<BalanceComparison of {len(self.variants)} variants by {self.variants[0].agent}>"


def _equal_scores(variants: Sequence[BalanceResult]) -> float:
    """Return the p value of equal mean scores, which all seats share (Welch's analysis of variance)."""
    games = [variant.games for variant in variants]
    spreads = [variant.seats[0].payoff_spread for variant in variants]
    return welch([variant.seats[0].mean_payoff for variant in variants], spreads, games)


def balance_comparison(variants: Sequence[BalanceResult]) -> BalanceComparison:
    """Compare results, with a test whether seats win equally often in all of them.

    The tests of all variants are one family: their p values, and the verdicts, are corrected together.
    """
    variants = _together(variants)
    kinds = {variant.scoring for variant in variants}
    if any(not kind.by_wins for kind in kinds):
        alike = len(kinds) == 1 and len(variants) > 1 and variants[0].scoring.shared
        return BalanceComparison(tuple(variants), _equal_scores(variants) if alike else None)
    wins = [[seat.wins for seat in variant.seats] for variant in variants]
    comparable = len(wins) > 1 and len(set(map(len, wins))) == 1 and all(map(sum, wins))
    return BalanceComparison(tuple(variants), same_rates(np.array(wins)) if comparable else None)
