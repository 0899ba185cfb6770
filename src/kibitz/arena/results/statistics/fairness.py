"""Tests of fairness: seats and tables of counts against what equal ones would give.

A game that nobody won alone says nothing about who wins, so tests of wins look at decided games only; given that
a game is decided, a fair one is won by each seat equally often. Tests of means (`equal_means`) look at all games.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import comb

import numpy as np

from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.outcome import outcomes

LEAST_EXPECTED = 5  # below it the chi-square distribution is not a good approximation (Cochran 1954)
MOST_TABLES = 50_000  # of counts, up to which all are looked at where it is not
SIMULATED = 20_000  # tables sampled where there are more; the least possible p value is 1 in this number
FEW_ROWS = 200  # blocks, up to which columns are exchanged instead of trusting a distribution
EXCHANGES, EXCHANGES_AT_ONCE = 10_000, 500
CERTAIN = 1e9  # a statistic beyond all others
SEED = 1  # of those samples: the same counts give the same p value


@dataclass(frozen=True)
class FairnessTest(Row):
    """How far counts are from what was expected, and how likely a difference at least as large is by chance."""

    statistic: float
    df: int
    p: float
    method: str  # "chi-square", "exact", "simulated", "clustered", "exchanged" or "too few games"
    counts: tuple[float, ...]
    expected: tuple[float, ...]


def fair_seats(payoffs: np.ndarray, blocks: np.ndarray | None = None) -> FairnessTest:
    """Ask whether every seat wins equally often.

    With blocks of several games, a deal that suits one seat counts once, not once a game: the test compares the means
    of blocks.
    """
    won, _ = outcomes(payoffs)
    seats = payoffs.shape[1]
    if blocks is None or len(np.unique(blocks)) == len(blocks):
        return goodness_of_fit(won.sum(axis=0), np.full(seats, 1 / seats))
    wins = won.sum(axis=0)
    found = equal_means(_sums_by_block(won, blocks))
    return replace(found, counts=_plain(wins), expected=_plain(np.full(seats, wins.sum() / seats)))


def equal_payoffs(payoffs: np.ndarray, blocks: np.ndarray) -> FairnessTest:
    """Ask whether every seat earns the same; a deal counts once, however many games were played on it."""
    _, number, counts = np.unique(blocks, return_inverse=True, return_counts=True)
    return equal_means(_sums_by_block(payoffs, number) / counts[:, None])


def goodness_of_fit(counts: np.ndarray, rates: np.ndarray) -> FairnessTest:
    """Test whether counts fit these rates: Pearson's chi-square, exact or simulated where counts are small."""
    from scipy.special import chdtrc

    total, df = int(np.sum(counts)), len(rates) - 1
    expected = total * np.asarray(rates, dtype=float)
    if not total or not df:
        return FairnessTest(0.0, 0, 1.0, "too few games", _plain(counts), _plain(expected))
    statistic = float(((counts - expected) ** 2 / expected).sum())
    if expected.min() >= LEAST_EXPECTED:
        p, method = float(chdtrc(df, statistic)), "chi-square"
    elif comb(total + df, df) <= MOST_TABLES:
        p, method = _exact_p(total, np.asarray(rates, dtype=float), statistic), "exact"
    else:
        sampled = np.random.default_rng(SEED).multinomial(total, rates, size=SIMULATED - 1)
        far = ((sampled - expected) ** 2 / expected).sum(axis=1)
        p, method = (1 + int((far >= statistic * (1 - 1e-9)).sum())) / SIMULATED, "simulated"
    return FairnessTest(statistic, df, p, method, _plain(counts), _plain(expected))


def _exact_p(total: int, rates: np.ndarray, statistic: float) -> float:
    """Return the chance of all tables with this total that are at least as far from what these rates expect."""
    from scipy.special import gammaln

    cells = range(total + len(rates) - 1)
    bars = np.array(list(combinations(cells, len(rates) - 1)))  # between which the counts of a table lie
    tables = np.diff(bars, axis=1, prepend=-1, append=len(cells)) - 1
    far = ((tables - total * rates) ** 2 / (total * rates)).sum(axis=1) >= statistic * (1 - 1e-9)
    chances = gammaln(total + 1) - gammaln(tables[far] + 1).sum(axis=1) + tables[far] @ np.log(rates)
    return min(1.0, float(np.exp(chances).sum()))


def same_rates(counts: np.ndarray) -> float:
    """Return the p value of equal rates in all rows of counts: Pearson's chi-square."""
    from scipy.special import chdtrc

    counts = counts[:, counts.sum(axis=0) > 0]
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    df = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return float(chdtrc(df, ((counts - expected) ** 2 / expected).sum())) if df else 1.0


def equal_means(scores: np.ndarray, times: np.ndarray | None = None) -> FairnessTest:
    """Ask whether columns have equal means, from one row an independent block, or as many as `times` says.

    Few rows: columns are exchanged at random within rows, which is exact for any rows. Many: Hotelling's T².
    """
    if times is not None and times.sum() <= FEW_ROWS:
        scores, times = np.repeat(scores, times, axis=0), None
    rows, columns = len(scores) if times is None else int(times.sum()), scores.shape[1]
    means = np.average(scores, axis=0, weights=times) if rows else np.zeros(columns)
    expected = _plain(np.full(columns, means.mean()))
    if rows < 2:
        return FairnessTest(0.0, 0, 1.0, "too few games", _plain(means), expected)
    statistic, df, p = _no_mean(scores[:, 1:] - scores[:, :1], times)
    if rows > FEW_ROWS:
        return FairnessTest(statistic, df, p, "clustered", _plain(means), expected)
    rng, far = np.random.default_rng(SEED), 0
    seen, orders = _uneven(scores.sum(axis=0)), scores[:, list(permutations(range(columns)))]
    for _ in range(EXCHANGES // EXCHANGES_AT_ONCE):
        chosen = rng.integers(orders.shape[1], size=(EXCHANGES_AT_ONCE, rows))
        far += int((_uneven(orders[np.arange(rows), chosen].sum(axis=1)) >= seen * (1 - 1e-9)).sum())
    return FairnessTest(statistic, df, (1 + far) / (1 + EXCHANGES), "exchanged", _plain(means), expected)


def _uneven(totals: np.ndarray) -> np.ndarray:
    """Return how far totals are from each other."""
    return np.asarray(((totals - totals.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1))


def _no_mean(rows: np.ndarray, times: np.ndarray | None) -> tuple[float, int, float]:
    """Ask whether the mean of rows is zero: Hotelling's T², its df and p. What never varies must be 0."""
    from scipy.special import fdtrc

    n, mean = len(rows) if times is None else int(times.sum()), np.average(rows, axis=0, weights=times)
    spread = np.atleast_2d(np.cov(rows, rowvar=False, fweights=times)) / n
    inverse = np.linalg.pinv(spread, hermitian=True)
    df = int(np.linalg.matrix_rank(spread, hermitian=True))
    beyond = mean - spread @ inverse @ mean
    if np.abs(beyond).max(initial=0.0) > 1e-9 * max(1.0, float(np.abs(rows).max(initial=0.0))):
        return CERTAIN, df, 0.5 ** min(n - 1, 60)  # as a sign test: always to the same side
    if df == 0 or n <= df:
        return 0.0, df, 1.0
    statistic = float(mean @ inverse @ mean)
    return statistic, df, float(fdtrc(df, n - df, statistic * (n - df) / (df * (n - 1))))


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values corrected for their number by Holm's method (1979)."""
    order = np.argsort(ps, kind="stable")
    stepped = np.asarray(ps, dtype=float)[order] * np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return corrected.tolist()


def _sums_by_block(values: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    _, number = np.unique(blocks, return_inverse=True)
    return np.stack([np.bincount(number, weights=column) for column in values.T], axis=1)


def welch(means: Sequence[float], spreads: Sequence[float], counts: Sequence[int]) -> float:
    """Return the p value of equal means of independent numbers, whose spreads may differ (Welch 1951)."""
    from scipy.special import fdtrc

    if min(counts) < LEAST_EXPECTED:
        return 1.0
    mean, spread, n = (np.asarray(column, dtype=float) for column in (means, spreads, counts))
    if not spread.all():  # numbers that never vary tell how they differ by themselves
        return 1.0 if np.ptp(mean) == 0 else 0.5 ** min(counts)
    weight, groups = n / spread**2, len(n)
    centre = float(weight @ mean / weight.sum())
    off = float((((1 - weight / weight.sum()) ** 2) / (n - 1)).sum())
    between = float(weight @ (mean - centre) ** 2) / (groups - 1)
    statistic = between / (1 + 2 * (groups - 2) / (groups**2 - 1) * off)
    return float(fdtrc(groups - 1, (groups**2 - 1) / (3 * off), statistic))


def _plain(numbers: Sequence[float] | np.ndarray) -> tuple[float, ...]:
    return tuple(np.asarray(numbers, dtype=float).tolist())
