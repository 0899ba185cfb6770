"""Calibration: in games of random legal play, the truth cannot be told from guesses.

Given what a seat sees, the truth and K guesses are K + 1 draws from the same distribution if the rule guess is right:
they are exchangeable, and so is all that follows. From the first half of the positions ways to tell the truth are
learnt (core/laws/truth_classifier.py); in the other half they are judged by a test that is exact whatever was learnt
(core/laws/relabelling.py). With a limit of time each round has twice the positions of the last, learns from those
before, and judges in new ones; round r may err with half the probability of round r - 1.

What looks suspicious, with a probability p of at most SUSPICIOUS, is judged again in new games alone, after learning
from all the others. If q is the probability there, SUSPICIOUS * q takes the place of p: in a game without a fault that
is uniform again. So many variants can be checked together, and each pays little for the others.
"""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from scipy import stats

from kibitz.core.arrays import Float32s, Floats
from kibitz.core.dice import derive
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.laws.guess_examples import example_in_words
from kibitz.core.laws.guess_samples import GUESSES, WORLDS, GuessedPositions, GuessSampler
from kibitz.core.laws.law import Broken, DoesNotApply, Position, law
from kibitz.core.laws.relabelling import p_value, standardised
from kibitz.core.laws.truth_classifier import ColumnScale, TruthClassifier
from kibitz.core.laws.view_conditions import ViewConditions
from kibitz.core.laws.world_features import WorldFeatures

ALLOWED = 0.001  # how often a check of a game without a fault may find one
A_GAME = 200  # positions for each game that other laws look at
POSITIONS = 4 * A_GAME
BATCH = 100  # positions whose columns are computed at once
SUSPICIOUS = 0.05  # the probability up to which a game is judged again
AGAIN = 2  # times as many positions are judged then
WELL_KNOWN = 0.005  # probabilities down to this are known well, however little depends on it
LEAST = 40  # positions that can be judged
MOST_LEARNT = 1600  # positions that are learnt from at once
LEAST_CONDITION = 10  # positions in which a condition holds, and in which it does not
MOST_TOLD = 3  # ways that are named
CLEAR = 4.0  # standard deviations from which a column is named before what adds up many
OUTLYING = "how far from its mean lies "
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
    number: int = 0  # of the way
    column: int | None = None  # that is compared, if the way is one

    def __str__(self) -> str:
        if self.truth is None or self.guesses is None:
            return f"{self.way} ({self.deviation:.1f} standard deviations)"
        if self.way.startswith("whether "):
            return f"{self.way}: yes in {self.truth:.1%} of truths and {self.guesses:.1%} of guesses"
        return f"{self.way}: {self.truth:.4g} on average in truth and {self.guesses:.4g} in guesses"


@dataclass(frozen=True)
class Findings:
    """The result of looking for faults: the ways that deviate most, and the probability that chance does as much."""

    told: list[Deviation]
    p: float
    level: float  # below which p counts as a fault
    positions: int
    least_share: float  # of guesses that a fault would have to mark to be found
    columns: int  # that were compared
    example: str = ""  # how the truth differs from a guess in one position, in words
    place: Position | None = None  # that position

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
    try:
        found = find_faults(game, seed, effort)
    except BadGame as error:
        raise Broken(f"the rule guess is not calibrated: in a world that a seat guesses, {error}") from error
    if found is None:
        return "too little is hidden to compare"
    if found.fault:
        raise Broken(
            f"the rule guess is not calibrated, or chance is not fair: {_listed(found.told)} (p < {found.p:.2g} in "
            f"{found.positions:,} positions, corrected for all comparisons). {found.example}",
            found.place,
        )
    return (
        f"no fault found in {found.positions:,} positions; a fault that marks {found.least_share:.1%} of guesses, and "
        f"never the truth, in one of {found.columns:,} numbers compared would have been found with {FOUND:.0%}"
    )


def _listed(told: list[Deviation]) -> str:
    """Return the ways that deviate most, in words."""
    first, *others = map(str, told[:MOST_TOLD])
    if told[0].truth is None and others:
        return f"{first}; most by itself: {'; '.join(others)}"
    return "; ".join([first, *others])


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
        """Judge in new positions the ways learnt so far, and in others again what is suspicious.

        Return None if most games end too early.
        """
        found = self._judge(positions, SUSPICIOUS, level)
        if found is None or found.p > SUSPICIOUS:
            return found
        again = self._judge(AGAIN * positions, level / SUSPICIOUS, level)
        q = again.p if again else 1.0
        return replace(again or found, p=SUSPICIOUS * q, least_share=found.least_share)

    def _judge(self, positions: int, wanted: float, level: float) -> Findings | None:
        """Judge in new positions; `wanted` is the probability below which p must be known well."""
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
        p = p_value(judged, derive(self._seed, _RELABEL, self.positions), min(wanted, WELL_KNOWN))
        told = self._told(classifier, scale, conditions, new, judged[:, 0].sum(axis=0))
        share = _least_share(level, classifier, len(known), len(judged))
        self._learnt += new
        found = Findings(told, p, level, self.positions, share, len(self.features.names))
        return self._with_example(found, new, judged) if p <= level / SUSPICIOUS else found

    def _told(
        self,
        classifier: TruthClassifier,
        scale: ColumnScale,
        conditions: ViewConditions,
        judged: list[tuple[GuessedPositions, Float32s]],
        deviations: Floats,
    ) -> list[Deviation]:
        """Return the ways in words, those that deviate most first.

        If no column is clear by itself, the best of the ways that add up many comes before them.
        """
        holds = np.concatenate([conditions.of(batch) for batch, _ in judged]) > 0
        found = []
        for number, ((condition, at), deviation) in enumerate(zip(classifier.singles, deviations, strict=False)):
            column = scale.column_of(at)
            inside = np.concatenate([each[:, :, column] for _, each in judged])[holds[:, condition]]
            name = self.features.names[column]
            if at >= len(self.features.names):
                inside, name = np.abs(inside - inside.mean(axis=1, keepdims=True)), OUTLYING + name
            means = (float(inside[:, 0].mean()), float(inside[:, 1:].mean())) if len(inside) else (0.0, 0.0)
            words = (name + conditions.words[condition]).rstrip(",")
            found.append(Deviation(words, *means, float(deviation), number, column))
        found.sort(key=lambda each: -each.deviation)
        rest = [
            Deviation(name, None, None, float(deviations[len(found) + number]), len(found) + number)
            for number, name in enumerate(classifier.names)
        ]
        clear = bool(found) and found[0].deviation >= CLEAR
        return found if clear else [max(rest, key=lambda each: each.deviation), *found]

    def _with_example(self, found: Findings, new: list[tuple[GuessedPositions, Float32s]], judged: Floats) -> Findings:
        """Add the position in which the truth stands out most, and how it differs there from a guess."""
        positions = GuessedPositions.joined([batch for batch, _ in new])
        at = int(np.argmax(judged[:, 0, found.told[0].number]))
        column = next((each.column for each in found.told if each.column is not None), None)
        world, words = 1, ""
        if column is not None:
            compared = np.concatenate([each[:, :, column] for _, each in new])[at]
            world, words = int(np.argmax(np.abs(compared - compared[0]))) or 1, self.features.names[column]
        example = example_in_words(self._game, self._sampler.secrets, positions, at, world, words)
        number, ply, seat = (int(each[at]) for each in (positions.numbers, positions.plies, positions.seats))
        return replace(found, example=example, place=self._sampler.place(number, ply, seat))


def _least_share(level: float, classifier: TruthClassifier, learnt: int, judged: int) -> float:
    """Return which share of guesses a fault must mark to be found.

    A column that is 1 in a share q of guesses and never in the truth deviates by sqrt(n q / (1 - q)) standard
    deviations in n positions, give or take one; a little less, as the mean of all worlds includes the truth. It must
    be among the best columns of the half that is learnt from, be suspicious in the other half, and beat when it is
    judged again what chance makes of all ways.
    """
    surely = float(stats.norm.isf((1 - FOUND) / 3))
    tests = [(SUSPICIOUS, judged), (level / SUSPICIOUS, AGAIN * judged)]
    beaten = [(float(stats.norm.isf(p / classifier.ways)) + surely) ** 2 / n for p, n in tests]
    odds = WORLDS / GUESSES * max((classifier.last + surely) ** 2 / learnt, *beaten)
    return odds / (1 + odds)
