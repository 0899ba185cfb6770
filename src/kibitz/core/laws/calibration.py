"""Calibration: in games of random legal play, the truth cannot be told from guesses.

Given what a seat sees, the truth and K guesses are K + 1 draws from the same distribution if the rule guess is right:
they are exchangeable, and so is all that follows. From the first half of the positions ways to tell the truth are
learnt (core/laws/truth_classifier.py); in the other half they are judged by a test that is exact whatever was learnt
(core/laws/relabelling.py). With a limit of time each round has twice the positions of the last, learns from those
before, and judges in new ones; round r may err with half the probability of round r - 1.
"""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from scipy import stats

from kibitz.core.arrays import Float32s, Floats
from kibitz.core.dice import derive
from kibitz.core.game import Game
from kibitz.core.laws.guess_samples import GUESSES, WORLDS, GuessedPositions, GuessSampler
from kibitz.core.laws.law import Broken, DoesNotApply, law
from kibitz.core.laws.relabelling import p_value, standardised
from kibitz.core.laws.truth_classifier import ColumnScale, TruthClassifier
from kibitz.core.laws.view_conditions import ViewConditions
from kibitz.core.laws.world_features import WorldFeatures

ALLOWED = 0.001  # how often a check of a game without a fault may find one
A_GAME = 200  # positions for each game that other laws look at
POSITIONS = 4 * A_GAME
BATCH = 100  # positions whose columns are computed at once
LEAST = 40  # positions that can be judged
MOST_LEARNT = 1600  # positions that are learnt from at once
LEAST_CONDITION = 10  # positions in which a condition holds, and in which it does not
MOST_TOLD = 3  # ways that are named
CLEAR = 4.0  # standard deviations from which a column is named before what adds up many
OUTLYING = " (how far out it lies)"
FOUND = 0.95  # how often a fault of the size told is found
_FEATURES, _RELABEL = 101, 102  # streams of dice


@dataclass(frozen=True)
class GuessEffort:
    """How many positions to look at, half of them to learn from, or for how long; how often chance may seem a fault."""

    positions: int = POSITIONS
    seconds: float | None = None
    level: float = ALLOWED

    @classmethod
    def shared(cls, variants: int, games: int, seconds: float | None) -> "GuessEffort":
        """Return the effort for each of the variants that are checked together."""
        return cls(A_GAME * games, seconds / variants if seconds else None, ALLOWED / variants)


@dataclass(frozen=True)
class Deviation:
    """A way in which the truth deviates from guesses, in the positions judged."""

    way: str
    truth: float | None  # the mean of the column, if the way is one
    guesses: float | None
    deviation: float  # standard deviations

    def __str__(self) -> str:
        if self.truth is None:
            return f"{self.way} ({self.deviation:.1f} standard deviations)"
        return f"{self.way} is {self.truth:.4g} on average in truth and {self.guesses:.4g} in guesses"


@dataclass(frozen=True)
class Findings:
    """The result of looking for faults: the ways that deviate most, and the probability that chance does as much."""

    told: list[Deviation]
    p: float
    level: float  # below which p counts as a fault
    positions: int
    least_share: float  # of guesses that a fault would have to mark to be found
    columns: int  # that were compared

    @property
    def fault(self) -> bool:
        """Whether there is a fault."""
        return self.p <= self.level


@law
def the_truth_looks_like_a_guess(game: Game, seed: int) -> str | None:
    """In games of random legal play nothing that is compared tells the truth from guesses."""
    return with_effort(game, seed, GuessEffort())


def with_effort(game: Game, seed: int, effort: GuessEffort) -> str:
    """Try the law with some effort; return what was found, or raise Broken."""
    if not game.hidden:
        raise DoesNotApply("the game hides nothing")
    found = find_faults(game, seed, effort)
    if found is None:
        return "too little is hidden to compare"
    if found.fault:
        listed = "; ".join(map(str, found.told[:MOST_TOLD]))
        raise Broken(
            f"the rule guess is not calibrated, or chance is not fair: {listed} (p < {found.p:.2g} in "
            f"{found.positions:,} positions, corrected for all comparisons)"
        )
    return (
        f"no fault found in {found.positions:,} positions; a fault that marks {found.least_share:.1%} of guesses, and "
        f"never the truth, in one of {found.columns:,} numbers compared would have been found with {FOUND:.0%}"
    )


def find_faults(game: Game, seed: int, effort: GuessEffort) -> Findings | None:
    """Look for faults; return None if too little is hidden to compare."""
    started = perf_counter()
    search = _Search(game, seed)
    if not search.features.names:
        return None
    half, level = max(LEAST, effort.positions // 2), effort.level
    search.learn_from(half)
    share = 1.0  # the least of all rounds
    while True:
        level = level / 2 if effort.seconds is not None else level
        found = search.judge(half, level)
        if found is None or found.fault or effort.seconds is None:
            return found
        share = min(share, found.least_share)
        passed = perf_counter() - started
        half = min(2 * half, int(search.positions / passed * (effort.seconds - passed)))
        if half < LEAST:
            return replace(found, least_share=share)


class _Search:
    """The positions of one search: what was learnt from, and the ways to be judged in new ones."""

    def __init__(self, game: Game, seed: int):
        self._game, self._seed = game, seed
        self._sampler = GuessSampler(game, seed)
        self.features = WorldFeatures(self._sampler, np.random.default_rng(derive(seed, _FEATURES)))
        self._learnt: list[tuple[GuessedPositions, Float32s]] = []
        self.positions = 0  # all positions so far

    def _take(self, positions: int) -> list[tuple[GuessedPositions, Float32s]]:
        """Take new positions in batches, with their columns."""
        batches = []
        for first in range(0, positions, BATCH):
            batch = self._sampler.take(min(BATCH, positions - first))
            batches.append((batch, self.features.of(batch)))
            self.positions += len(batch)
        return [batch for batch in batches if len(batch[0])]

    def learn_from(self, positions: int) -> None:
        """Take new positions to learn from; of all those that were taken the latest are kept."""
        self._learnt += self._take(positions)

    def judge(self, positions: int, level: float) -> Findings | None:
        """Judge in new positions the ways learnt so far; None if most games end too early."""
        learnt = self._learnt[-MOST_LEARNT // BATCH :]
        if sum(len(batch) for batch, _ in learnt) < LEAST:
            return None
        known = GuessedPositions.joined([batch for batch, _ in learnt])
        conditions = ViewConditions(self._game, known, LEAST_CONDITION)
        columns = np.concatenate([each for _, each in learnt])
        scale = ColumnScale.of(columns[:BATCH])
        classifier = TruthClassifier(scale.applied(columns), conditions.of(known))
        del columns
        new = self._take(positions)
        if sum(len(batch) for batch, _ in new) < LEAST:
            return None
        scores = [classifier.scores(scale.applied(each), conditions.of(batch)) for batch, each in new]
        judged = standardised(np.concatenate(scores))
        p = p_value(judged, derive(self._seed, _RELABEL, self.positions), level)
        told = self._told(classifier, scale, conditions, new, judged[:, 0].sum(axis=0))
        share = _least_share(level, classifier, len(known), len(judged))
        self._learnt += new
        return Findings(told, p, level, self.positions, share, len(self.features.names))

    def _told(
        self,
        classifier: TruthClassifier,
        scale: ColumnScale,
        conditions: ViewConditions,
        judged: list[tuple[GuessedPositions, Float32s]],
        deviations: Floats,
    ) -> list[Deviation]:
        """Return the ways in words, those that deviate most first; columns before what adds up many."""
        holds = np.concatenate([conditions.of(batch) for batch, _ in judged]) > 0
        found = []
        for (condition, at), deviation in zip(classifier.singles, deviations, strict=False):
            column = scale.column_of(at)
            inside = np.concatenate([each[:, :, column] for _, each in judged])[holds[:, condition]]
            means = (float(inside[:, 0].mean()), float(inside[:, 1:].mean())) if len(inside) else (0.0, 0.0)
            name = self.features.names[column] + (OUTLYING if at >= len(self.features.names) else "")
            found.append(Deviation(name + conditions.words[condition], *means, float(deviation)))
        rest = [Deviation(name, None, None, float(deviation))
                for name, deviation in zip(classifier.names, deviations[len(found):], strict=True)]  # fmt: skip
        return sorted([*found, *rest], key=lambda each: (each.truth is None or each.deviation < CLEAR, -each.deviation))


def _least_share(level: float, classifier: TruthClassifier, learnt: int, judged: int) -> float:
    """Return which share of guesses a fault must mark to be found.

    A column that is 1 in a share q of guesses and never in the truth deviates by sqrt(n q / (1 - q)) standard
    deviations in n positions, give or take one; a little less, as the mean of all worlds includes the truth. It must
    be among the best columns of the half that is learnt from, and beat in the other half what chance makes of all ways.
    """
    surely = float(stats.norm.isf((1 - FOUND) / 2))
    beaten = float(stats.norm.isf(level / classifier.ways))
    odds = WORLDS / GUESSES * max((classifier.last + surely) ** 2 / learnt, (beaten + surely) ** 2 / judged)
    return odds / (1 + odds)
