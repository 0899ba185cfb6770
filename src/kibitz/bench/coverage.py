"""Coverage: how often intervals hold the truth in simulations, printed as the tables of docs/results/statistics.md.

`python -m kibitz.bench.coverage` makes them again, in a few minutes on one core. Every simulated match is a row of
blocks; games of a block share a deal, which may decide them together in many ways.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import get_args

import numpy as np

from kibitz.arena.results.statistics.interval import (
    LEVEL,
    LEVEL_AFTER_STOP,
    mean_in_range,
    mean_of_blocks,
    normal_point,
    ratio_of_blocks,
    student_point,
    wilson,
    wilson_of_blocks,
)
from kibitz.arena.results.statistics.paired import paired_difference
from kibitz.arena.results.statistics.stopping import BlockTest, Call
from kibitz.arena.results.statistics.verdict import Verdict, compare, margin_of_share, narrower, share_difference

BLOCKS, SIZES, SHARES = (2, 3, 5, 10, 30, 100, 200), (2, 6, 24, 120), (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
FEWER, MORE = BLOCKS[:3], BLOCKS[3:]  # in two tables
RUNS, STOPPED_RUNS, SEED = 1000, 500, 1
LOWEST, HIGHEST = 0.93, 0.97  # coverage that is called right
LEAST_WIDTH = 0.01
NEAR = 1e-9  # numbers that are closer are equal
LOGIT = 174  # points of rating are one unit of log odds
NODES = (50, 20)  # Gauss-Hermite points of an integral over normal luck, and how many times it is halved

Interval = tuple[float, float]
ShareMethod = Callable[[np.ndarray, np.ndarray], Interval]
Deals = Callable[[np.random.Generator, tuple[int, int], int, float], np.ndarray]


def independent(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
    """Return wins by run and block where games of a deal have nothing in common."""
    return rng.binomial(size, share, shape)


def alike(correlation: float) -> Deals:
    """Return deals whose games are correlated: each has a rate of its own, from a beta distribution."""

    def wins(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
        if correlation == 1:
            return size * rng.binomial(1, share, shape)
        strength = (1 - correlation) / correlation
        return rng.binomial(size, rng.beta(share * strength, (1 - share) * strength, shape))

    return wins


def lucky(points: float) -> Deals:
    """Return deals that add normal luck to an agent's rating, with this standard deviation."""
    spread = points / LOGIT

    def wins(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
        middle = _middle(spread, share)
        return rng.binomial(size, 1 / (1 + np.exp(-middle - spread * rng.normal(size=shape))))

    return wins


def _middle(spread: float, share: float) -> float:
    """Return the log odds around which luck gives this share on average."""
    at, weight = np.polynomial.hermite_e.hermegauss(NODES[0])
    low, high = -100.0, 100.0
    for _ in range(3 * NODES[1]):
        middle = (low + high) / 2
        mean = float((weight / (1 + np.exp(np.clip(-middle - spread * at, -700, 700)))).sum() / weight.sum())
        low, high = (middle, high) if mean < share else (low, middle)
    return low


def deciding(part: float) -> Deals:
    """Return deals of which this part is won or lost in all games, and the others are like single games."""

    def wins(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
        together = size * rng.binomial(1, share, shape)
        return np.where(rng.random(shape) < part, together, rng.binomial(size, share, shape))

    return wins


def for_a_seat(part: float) -> Deals:
    """Return deals of which this part is won by seats: an agent that has every seat wins a fixed number of games."""

    def wins(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
        fixed = np.floor(size * share + rng.random(shape))
        return np.where(rng.random(shape) < part, fixed, rng.binomial(size, share, shape))

    return wins


def seat_or_agent(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
    """Return wins where every deal is won by a seat, which gives half of its games, or by the better of two agents."""
    return size / 2 * rng.binomial(1, 2 * share, shape)


def two_kinds(rng: np.random.Generator, shape: tuple[int, int], size: int, share: float) -> np.ndarray:
    """Return deals of two kinds, equally many of each: hard ones and easy ones."""
    return rng.binomial(size, share * np.where(rng.random(shape) < 0.5, 1 - APART, 1 + APART))


APART = 0.8  # by which part the shares of two kinds of deals differ from their mean: 0.1 and 0.9
PLAIN, TOTAL = "independent games", "correlation 1: a deal decides all its games"
DEALS: dict[str, Deals] = {
    PLAIN: independent,
    "correlation 0.05": alike(0.05),
    "correlation 0.2": alike(0.2),
    "correlation 0.5": alike(0.5),
    "correlation 0.8": alike(0.8),
    TOTAL: alike(1),
    "luck of 174 points": lucky(174),
    "luck of 347 points": lucky(347),
    "luck of 695 points": lucky(695),
    "one deal in five decides all its games": deciding(0.2),
    "every second deal decides all its games": deciding(0.5),
    "every second deal favours a seat": for_a_seat(0.5),
    "nine deals in ten favour a seat": for_a_seat(0.9),
    "a deal is won by a seat or by the better agent": seat_or_agent,
    "two kinds of deals, such as 10 % and 90 %": two_kinds,
}


def single_games(wins: np.ndarray, games: np.ndarray) -> Interval:
    """Return the interval as if all games were independent."""
    return wilson(float(wins.sum()), float(games.sum()))


def student(wins: np.ndarray, games: np.ndarray) -> Interval:
    """Return Student's interval of the rates of blocks."""
    rates = wins / games
    reach = student_point(len(rates) - 1, (1 + LEVEL) / 2) * float(rates.std(ddof=1)) / sqrt(len(rates))
    return float(rates.mean()) - reach, float(rates.mean()) + reach


def imaginary_blocks(wins: np.ndarray, games: np.ndarray) -> Interval:
    """Return Wilson's interval of the effective games, with two imaginary blocks, one won and one lost throughout."""
    total, blocks = float(games.sum()), len(games)
    rate, size = float(wins.sum()) / total, total / blocks
    seen = float(((wins - rate * games) ** 2).sum()) * blocks / (blocks - 1)
    effect = (seen + size**2 / 2) / (total * rate * (1 - rate) + size / 2)
    effect *= (student_point(blocks - 1, (1 + LEVEL) / 2) / normal_point((1 + LEVEL) / 2)) ** 2
    return wilson(wins.sum() / effect, total / effect)


METHODS: dict[str, ShareMethod] = {
    "Wilson's, of single games": single_games,
    "Student's, of the rates of blocks": student,
    "Wilson's, with two imaginary blocks": imaginary_blocks,
    "Wilson's, with a prior guess of the correlation (used)": wilson_of_blocks,
}
USED = [*METHODS][-1]


@dataclass(frozen=True)
class Cell:
    """How an interval did in one situation."""

    method: str
    deals: str
    blocks: int
    size: int
    share: float
    covered: float  # part of the runs
    width: float  # as a multiple of that of Wilson's interval if the correlation were known


def cells(
    runs: int, methods: Sequence[str] = (USED,), deals: Sequence[str] = tuple(DEALS), blocks: Sequence[int] = BLOCKS,
    sizes: Sequence[int] = SIZES, shares: Sequence[float] = SHARES, seed: int = SEED,
) -> Iterator[Cell]:  # fmt: skip
    """Yield how intervals of shares did in every situation; the same seed gives the same matches."""
    for number, size, share, name in product(blocks, sizes, shares, deals):
        rng = np.random.default_rng([seed, number, size, int(1000 * share), [*DEALS].index(name)])
        played = DEALS[name](rng, (runs, number), size, share)
        kinds, often = np.unique(np.sort(played, axis=1), axis=0, return_counts=True)
        games = np.full(number, float(size))
        effect = max(float(played.var()) / (size * share * (1 - share)), 1 / size)
        needed = np.array([np.ptp(wilson(kind.sum() / effect, number * size / effect)) for kind in kinds]) @ often
        for method in methods:
            low, high = np.array([METHODS[method](kind.astype(float), games) for kind in kinds]).T
            covered = float(((low <= share + 1e-12) & (share - 1e-12 <= high)) @ often) / runs
            width = float((np.minimum(high, 1) - np.maximum(low, 0)) @ often / needed)
            yield Cell(method, name, number, size, share, covered, width)


def _summary(found: Sequence[Cell]) -> list[str]:
    """Return how many situations were covered rightly, too little and too much, the least, the mean and the width."""
    covered = np.array([cell.covered for cell in found])
    right = (covered >= LOWEST) & (covered <= HIGHEST)
    parts = (right.mean(), (covered < LOWEST).mean(), (covered > HIGHEST).mean())
    return [*(f"{part:.0%}".replace("%", " %") for part in parts), _percent(covered.min()), _percent(covered.mean()),
            f"{_width(found):.2f}"]  # fmt: skip


def _width(found: Sequence[Cell]) -> float:
    """Return the mean width (geometric) as a multiple of what is needed."""
    return float(np.exp(np.mean(np.log([max(cell.width, LEAST_WIDTH) for cell in found]))))


def shares_tables(runs: int) -> Iterator[str]:
    """Yield the tables of shares: by method, and of the one that is used by deals and blocks, and where it is worst."""
    found = [*cells(runs, [*METHODS])]
    headings = ("93 to 97 %", "below", "above", "lowest", "mean", "times as wide as needed")
    yield _table(("interval", *headings), [
        (method, *_summary([cell for cell in found if cell.method == method])) for method in METHODS
    ])  # fmt: skip
    plain = [cell for cell in found if cell.deals == PLAIN and cell.blocks in MORE]
    yield _table(("times as wide as needed", *(f"{size} games a block" for size in SIZES)), [
        (method, *(f"{_width([cell for cell in plain if (cell.method, cell.size) == (method, size)]):.2f}"
                   for size in SIZES))
        for method in METHODS
    ])  # fmt: skip
    used = [cell for cell in found if cell.method == USED]
    for part in (FEWER, MORE):
        yield _table((f"deals, {part[0]} to {part[-1]} blocks", *headings), [
            (name, *_summary([cell for cell in used if cell.deals == name and cell.blocks in part])) for name in DEALS
        ])  # fmt: skip
    worst = [min((cell for cell in used if cell.blocks == number), key=lambda cell: cell.covered) for number in BLOCKS]
    yield _table(("blocks", "lowest coverage", "games a block", "share", "deals"), [
        (str(cell.blocks), _percent(cell.covered), str(cell.size), f"{cell.share:g}", cell.deals) for cell in worst
    ])  # fmt: skip


UNEQUAL: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {  # games of each block
    "1 to 24 games, equally likely": lambda rng, blocks: rng.integers(1, 25, blocks),
    "log-normal sizes around 4 games": lambda rng, blocks: np.ceil(4 * np.exp(rng.normal(0, 1, blocks))).astype(int),
    "one block of 500 games, the others of 2": lambda rng, blocks: np.where(np.arange(blocks), 2, 500),
}
OF_UNEQUAL, UNEQUAL_SHARE = (5, 10, 30, 100), 0.3


def unequal_table(runs: int) -> str:
    """Return the table of shares from blocks that are not equally large: the coverage by number of blocks."""
    rows = []
    for (what, sizes), name in product(UNEQUAL.items(), (PLAIN, "correlation 0.2", TOTAL)):
        found = [_unequal_covered(sizes, DEALS[name], number, runs) for number in OF_UNEQUAL]
        rows.append((f"{what}: {name}", *map(_percent, found)))
    return _table(("blocks that are not equally large", *(f"{number} blocks" for number in OF_UNEQUAL)), rows)


def _unequal_covered(
    sizes: Callable[[np.random.Generator, int], np.ndarray], deals: Deals, blocks: int, runs: int
) -> float:
    rng, covered = np.random.default_rng([SEED, blocks]), 0
    for _ in range(runs):
        games = sizes(rng, blocks)
        wins = np.array([deals(rng, (1, 1), int(size), UNEQUAL_SHARE)[0, 0] for size in games], dtype=float)
        low, high = wilson_of_blocks(wins, games.astype(float))
        covered += low <= UNEQUAL_SHARE <= high
    return covered / runs


ORDER_BLOCKS, ORDER_SIZE, RESAMPLES = (4, 5, 8, 10, 19, 20, 50), 6, 1000
STRENGTHS = {"two equal agents": 0.5, "one half as strong again": 0.6, "one four times as strong": 0.8}


def order_table(runs: int) -> str:
    """Return the table of differences of two agents: how often they are shown, and how often the interval holds."""
    rows = []
    for (what, share), name in product(STRENGTHS.items(), (PLAIN, "correlation 0.2")):
        found = np.array([_order_found(share, DEALS[name], number, runs) for number in ORDER_BLOCKS]).T
        for column, how in zip(found, ("shown", "covered"), strict=True):
            rows.append((f"{what}, {name}: {how}", *map(_percent, column)))
    return _table(("two agents", *(f"{number} blocks" for number in ORDER_BLOCKS)), rows)


def _order_found(share: float, deals: Deals, blocks: int, runs: int) -> tuple[float, float]:
    """Return how often a difference is shown, and how often its interval holds the truth."""
    rng, shown, covered, true = np.random.default_rng([SEED, blocks]), 0, 0, 2 * share - 1
    seatings = np.tile([(0, 1), (1, 0)], (ORDER_SIZE * blocks // 2, 1))
    of = np.repeat(np.arange(blocks), ORDER_SIZE)
    for wins in deals(rng, (runs, blocks), ORDER_SIZE, share):
        won = (np.arange(ORDER_SIZE) < wins[:, None]).ravel()[:, None]
        payoffs = np.where(seatings == 0, won, ~won).astype(float)
        found = paired_difference(seatings, payoffs, of, 0, 1, resamples=RESAMPLES)
        shown += found.p < 1 - LEVEL
        covered += found.interval[0] - NEAR <= true <= found.interval[1] + NEAR
    return shown / runs, covered / runs


Situation = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]


def _payoffs(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return payoffs of 1, 1/2 and 0 for places of three, by block of six games whose deals bring luck."""
    chances = rng.dirichlet((2, 2, 2), blocks)
    return np.array([rng.multinomial(6, chance) @ (1, 0.5, 0) for chance in chances]), np.full(blocks, 6.0)


def _rare_payoffs(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return payoffs of an agent that seldom wins and sometimes draws, by block of 24 games."""
    return rng.multinomial(24, (0.02, 0.06, 0.92), blocks) @ np.array((1, 0.5, 0)), np.full(blocks, 24.0)


def _events(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return counts with a mean of half an event a game, by block of four games, half of them deals with none."""
    return rng.poisson(4 * rng.gamma(2, 0.25, blocks)).astype(float), np.full(blocks, 4.0)


def _nodes(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes by block of four games: long-tailed within a deal, and from deal to deal."""
    return _long(rng, blocks, 0.5, 1.0).sum(axis=1), np.full(blocks, 4.0)


def _long(rng: np.random.Generator, blocks: int, between: float, within: float) -> np.ndarray:
    """Return amounts by block and game with a mean of 1; their logarithms are normal."""
    spread = rng.normal(0, between, (blocks, 1)) + rng.normal(0, within, (blocks, 4))
    return np.exp(spread - (between**2 + within**2) / 2)


def _chips(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return chips of a game in which 1 is won or lost, in blocks of four games whose deals bring luck."""
    return 2 * rng.binomial(4, rng.beta(4, 4, blocks)) - 4.0, np.full(blocks, 4.0)


def _pots(rng: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return chips of a game in which 1 is won or lost, and once in twenty games 20."""
    amounts = np.where(rng.random((blocks, 4)) < 1 / 20, 20.0, 1.0)
    return (amounts * rng.choice((-1.0, 1.0), (blocks, 4))).sum(axis=1), np.full(blocks, 4.0)


MEANS: dict[str, tuple[Situation, float, float, float]] = {  # with the true mean and what it must lie between
    "payoffs 1, 1/2 and 0, with luck": (_payoffs, 0.5, 0.0, 1.0),
    "payoffs of an agent that wins 2 % and draws 6 %": (_rare_payoffs, 0.05, 0.0, 1.0),
    "chips 1 and -1, declared to lie between -200 and 200": (_chips, 0.0, -200.0, 200.0),
    "chips 1 and -1, seldom 20 and -20, declared likewise": (_pots, 0.0, -200.0, 200.0),
    "events, 0.5 a game": (_events, 0.5, 0.0, np.inf),
    "nodes, long-tailed": (_nodes, 1.0, 0.0, np.inf),
}


RATIOS = {  # how much the logarithms of nodes differ from deal to deal, and from game to game
    "ratio of nodes, where deals make games long": (0.7, 0.5),
    "ratio of nodes, where each agent makes them long": (0.1, 1.0),
}


def means_table(runs: int) -> str:
    """Return the table of means and ratios: the coverage by number of blocks, and of Student's interval beside it."""
    rows: list[tuple[str, ...]] = []
    for name, (situation, mean, least, most) in MEANS.items():
        for limits, what in (((least, most), name), ((-np.inf, np.inf), f"{name}: Student's")):
            found = [_mean_covered(situation, mean, limits, number, runs) for number in BLOCKS]
            rows.append((what, *map(_percent, found)))
    for what, spreads in RATIOS.items():
        for paired, how in ((True, ""), (False, ": only the numerator's variance")):
            rows.append(
                (f"{what}{how}", *(_percent(_ratio_covered(number, runs, spreads, paired)) for number in BLOCKS))
            )
    return _table(("mean or ratio", *(f"{number} blocks" for number in BLOCKS)), rows)


def _mean_covered(situation: Situation, mean: float, limits: Interval, blocks: int, runs: int) -> float:
    rng, covered = np.random.default_rng([SEED, blocks]), 0
    for _ in range(runs):
        drawn = situation(rng, blocks)
        if np.isfinite(limits).all():
            low, high = mean_in_range(*drawn, *limits)
        else:
            low, high = mean_of_blocks(*drawn, LEVEL, *limits) or (-np.inf, np.inf)
        covered += low <= mean <= high
    return covered / runs


def _ratio_covered(blocks: int, runs: int, spreads: Interval, paired: bool) -> float:
    """Return how often the interval of a ratio of 2 holds it; spreads are those of deals and of games."""
    rng, covered, ones = np.random.default_rng([SEED, blocks]), 0, np.ones(blocks)
    for _ in range(runs):
        deal = np.exp(rng.normal(0, spreads[0], (blocks, 1)))
        ours, theirs = (
            (2 * deal * _long(rng, blocks, 0, spreads[1])).sum(axis=1),
            (deal * _long(rng, blocks, 0, spreads[1])).sum(axis=1),
        )
        if paired:
            low, high = ratio_of_blocks(ours, ones, theirs, ones) or (0.0, np.inf)
        else:
            low, high = (end / theirs.mean() for end in mean_of_blocks(ours, ones) or (0.0, np.inf))
        covered += low <= 2 <= high
    return covered / runs


STOPS = (  # seats, games a block, deals
    (2, 1, "independent games"), (2, 2, "independent games"), (2, 2, "correlation 0.2"),
    (2, 2, "every second deal favours a seat"), (4, 1, "independent games"), (4, 4, "correlation 0.2"),
)  # fmt: skip
BETTER, EDGES, AT_ONCE = (0.03, 0.1, 0.2), (0.0, 0.5, 1.0, 1.5), 200


def stop_table(runs: int) -> str:
    """Return the table of intervals after a stop rule: the lowest coverage over rules and over how good the hero is."""
    rows = []
    for seats, size, name in STOPS:
        found = [
            _after_stop(seats, size, DEALS[name], better, edge * better, runs)
            for better, edge in product(BETTER, EDGES)
        ]
        rows.append((f"{seats} seats, {size} games a block, {name}", *map(_percent, np.min(found, axis=0))))
    return _table(("situation", "95 % interval", f"{LEVEL_AFTER_STOP:.1%} interval".replace("%", " %")), rows)


def _after_stop(seats: int, size: int, deals: Deals, better: float, edge: float, runs: int) -> list[float]:
    """Return how often intervals hold the hero's share after the rule chose the last game."""
    rng, share, covered = np.random.default_rng([SEED, seats, size]), 1 / seats + edge, {LEVEL: 0, LEVEL_AFTER_STOP: 0}
    for _ in range(runs):
        test, played = BlockTest(0.0, better), np.zeros(0)
        while test.call == Call.CONTINUE:
            wins = deals(rng, (1, AT_ONCE), size, share)[0]
            test.feed(wins / size - 1 / seats)
            played = np.append(played, wins)[: test.blocks]
        for level in covered:
            low, high = wilson_of_blocks(played, np.full(len(played), float(size)), level)
            covered[level] += low <= share <= high
    return [count / runs for count in covered.values()]


MARGIN, PUBLISHED, PUBLISHED_GAMES = 0.05, 0.3, 500
TRUTHS = {"true": 0.0, "off by the margin of 5 points": MARGIN, "off by 15 points": 3 * MARGIN}


def verdict_table(runs: int) -> str:
    """Return the table of verdicts on a published share of 30 %, exact or from 500 games, that is true or is not."""
    rows = []
    for (truth, off), name, published, number in product(
        TRUTHS.items(), (PLAIN, "correlation 0.2"), (None, PUBLISHED_GAMES), (10, 100)
    ):
        rng, called = np.random.default_rng([SEED, number]), dict.fromkeys(get_args(Verdict), 0)
        for _ in range(runs):
            wins = DEALS[name](rng, (1, number), 24, PUBLISHED + off)[0].astype(float)
            said = rng.binomial(published, PUBLISHED) / published if published else PUBLISHED
            called[compare(share_difference(wins, np.full(number, 24.0), said, published), MARGIN).verdict] += 1
        source = f"of {published} games" if published else "exact"
        rows.append((truth, source, name, str(number), *(_percent(count / runs) for count in called.values())))
    return _table(("published share", "which is", "deals", "blocks of 24", *get_args(Verdict)), rows)


EDGE_GAMES, EDGE_BLOCK, EDGE_RUNS = 15_000, 10, 2000
EDGES_PUBLISHED = ((0.5, 1000), (0.9, 1000), (0.95, 1000), (0.98, 1000), (0.98, 10_000))  # share, and of how many games


def edge_table(runs: int) -> str:
    """Return the table of shares that differ by just the margin: how often they agree, by how the margin shrinks.

    The published share errs, and so does a margin that follows from it.
    """
    rows = []
    for share, games in EDGES_PUBLISHED:
        found = np.array([*_edge_agreed(share, games, runs)])
        rows.append((f"{share:.0%} of {games:,} games".replace("%", " %"), *map(_percent, found.mean(axis=0))))
    return _table(("off by the margin, towards 50 %", "margin of the published share", "margin used"), rows)


def _edge_agreed(share: float, published_games: int, runs: int) -> Iterator[tuple[bool, bool]]:
    """Yield whether a run agrees with the margin of the published share, and with that which is used."""
    rng, blocks = np.random.default_rng([SEED, published_games, int(1000 * share)]), EDGE_GAMES // EDGE_BLOCK
    played, true = np.full(blocks, float(EDGE_BLOCK)), share - margin_of_share(share, MARGIN)
    for _ in range(runs):
        wins = independent(rng, (1, blocks), EDGE_BLOCK, true)[0].astype(float)
        said = rng.binomial(published_games, share) / published_games
        plain = margin_of_share(said, MARGIN)
        gap = share_difference(wins, played, said, published_games)
        yield compare(gap, plain).verdict == "agrees", compare(gap, plain * narrower(gap)).verdict == "agrees"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---", *("---:" for _ in headings[1:])], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def main(runs: int = RUNS, stopped: int = STOPPED_RUNS, edge: int = EDGE_RUNS) -> None:
    """Print all tables."""
    for part in (
        *shares_tables(runs), unequal_table(runs), means_table(runs), stop_table(stopped), verdict_table(stopped),
        edge_table(edge), order_table(stopped),
    ):  # fmt: skip
        print(part)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
