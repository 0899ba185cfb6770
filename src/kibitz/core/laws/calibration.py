"""Calibration: in games of random legal play, the truth cannot be told from guesses.

Given what a seat sees, the truth and K guesses are K + 1 draws from the same distribution if the rule guess is right:
they are exchangeable, and so is all that follows. So in every position the truth's rank among its guesses is
uniform, for every feature of a world: a hidden cell, the sum of a group of cells, a random function of the cells, how
many moves there are, what a cell holds some moves later, whether it is then what it is now, what each seat earns at the
end. The future is played with the same dice in all K + 1 worlds. Its features reveal what no hidden cell shows alone:
for example, the seed of a shuffle that does not shuffle.

One position is taken from each game, at a ply and from a seat chosen beforehand, so that positions are independent and
the choice depends on nothing that the seat does not know. Ranks are also compared within the positions in which
a cell that the seat can see has one value, or an error in both directions would cancel out. Equal features share
the mean of their ranks. A cell whose guesses never repeat is taken for a seed: its number means nothing, so only its
consequences are compared.

The probability of a deviation is bounded from above by Chernoff's inequality, with the exact distribution that
exchangeability implies, and corrected by Bonferroni for the number of comparisons made.
"""

from dataclasses import dataclass

import numpy as np

from kibitz.core.arrays import Floats, Int8s, Int64s
from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.dice import derive, dice, roll
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, law
from kibitz.core.laws.walk import MOST_PLIES, play_on, roomy, roomy_list
from kibitz.core.playout import deal_table, guess_world, legal_moves, look, settle, who

POSITIONS = 800
GUESSES = 15  # in every position
AHEAD = (4, 16)  # moves after which the future is examined
RANDOM_FEATURES = 16
PAIRS = 32  # of cells that are compared with each other
PILOTS = 50  # games that show how long games are, and which cells hold seeds
MOST_TRIES = 4  # games tried for each position wanted; some end too early
LEAST = 20  # positions that must have something to compare
MOST_VALUES = 8  # of a visible cell that positions are sorted by
MOST_SORTS = 64  # groups of positions examined separately, those nearest to half of all
SUSPECTS = 200  # features whose probability is computed
MOST_TOLD = 3  # deviations that are named
LEAST_VARIANCE = 1e-9
LEAST_P = 1e-300  # a probability that cannot be told from 0 is below this
OUTLYING = " (how far out it lies)"
ALLOWED = 0.001  # the lowest probability at which a deviation is attributed to chance
_DEAL, _MOVE, _PLY, _SEAT, _GUESS, _AHEAD, _FEATURE = range(7)  # streams of dice


@dataclass(frozen=True)
class Deviation:
    """The largest deviation of the truth from guesses, and how likely chance makes one as large."""

    feature: str
    where: str  # in which positions
    truth: float  # the mean of the feature
    guesses: float
    p: float  # corrected for the number of comparisons
    comparisons: int
    positions: int

    def __str__(self) -> str:
        chance = f"p {'=' if self.p else '<'} {self.p or LEAST_P:.2g}"
        return (
            f"{self.feature}{self.where} is {self.truth:.4g} on average in truth and {self.guesses:.4g} in guesses "
            f"({chance}, corrected by Bonferroni for {self.comparisons:,} comparisons in {self.positions:,} positions)"
        )


@law
def guesses_are_calibrated(game: Game, seed: int) -> str | None:
    """In games of random legal play no feature of a world tells the truth from guesses."""
    if not game.hidden:
        raise DoesNotApply("the game hides nothing")
    found = deviations(game, seed)
    if not found:
        return "too little is hidden to compare"
    clear = [deviation for deviation in found if deviation.p < ALLOWED]
    if clear:
        by_means = {(deviation.truth, deviation.guesses): deviation for deviation in reversed(clear)}
        listed = "; ".join(map(str, [*by_means.values()][: -MOST_TOLD - 1 : -1]))
        raise Broken(f"the rule guess is not calibrated, or chance is not fair: {listed}")
    return f"no feature of {found[0].positions:,} positions tells the truth from guesses"


def deviations(game: Game, seed: int, positions: int = POSITIONS) -> list[Deviation]:
    """Return how features of the truth deviate from those of guesses, the least likely deviation first."""
    samples = _Samples(game, seed)
    samples.take(positions)
    return _deviations(samples) if samples.ranks else []


class _Samples:
    """Positions of random games with the features of the true state and of guesses."""

    def __init__(self, game: Game, seed: int):
        self.game, self.seed = game, seed
        self.plies = _plies(game, seed)
        self.features = _Features(game, seed, self._seeds())
        self.ranks: list[Int8s] = []  # of each position [world, feature]: twice the mean rank, centred at 0
        self.truth: list[Floats] = []  # of each position [feature]: in the true state
        self.mean: list[Floats] = []  # [feature]: the mean of the guesses
        self.views: list[Int64s] = []  # [cell], then the seat

    def take(self, positions: int) -> None:
        """Take positions, each from another game."""
        for number in range(MOST_TRIES * positions):
            if len(self.ranks) == positions:
                return
            worlds = self._worlds(number)
            if worlds is not None:
                found = self.features.of(worlds, dice(derive(self.seed, _AHEAD, number)))
                self.ranks.append(_centred_ranks(found))
                self.truth.append(found[0])
                self.mean.append(found[1:].mean(axis=0))
                self.views.append(np.append(worlds.view, worlds.seat))

    def _seeds(self) -> np.ndarray:
        """Return which cells hold seeds, by their guesses in some positions."""
        seeds = np.zeros(self.game.size, dtype=bool)
        taken = [worlds for number in range(PILOTS) if (worlds := self._worlds(-1 - number)) is not None]
        for cell in range(self.game.size):
            guesses = [worlds.cells[1:, cell] for worlds in taken if worlds.view[cell] == UNKNOWN]
            several = len(guesses) >= LEAST
            seeds[cell] = several and len(np.unique(guesses)) == len(guesses) * GUESSES
        return seeds

    def _worlds(self, number: int) -> "_Worlds | None":
        """Return the worlds of one game at one ply; None if it ends earlier, which every seat would know."""
        game, seed = self.game, self.seed
        ply = self.plies[roll(dice(derive(seed, _PLY, number)), len(self.plies))]
        seat = int(roll(dice(derive(seed, _SEAT, number)), game.seats))
        state, rng = _dealt(game, derive(seed, _DEAL, number))
        play_on(game.rules, state, ply, rng, roomy_list(game))
        if who(game.rules, state) == OVER:
            return None
        view = roomy(game, np.zeros(game.size, dtype=np.int64))
        look(game.rules, state, seat, view)
        rows = np.tile(view, (1 + GUESSES, 1))
        hidden = view[: game.size] == UNKNOWN
        rows[0, : game.size][hidden] = state[: game.size][hidden]
        guessing = dice(derive(seed, _GUESS, number))
        for row in rows[1:]:
            guess_world(game.rules, row, seat, guessing)
        return _Worlds(seat, view[: game.size].copy(), rows)


@dataclass(frozen=True)
class _Worlds:
    """What a seat sees, and the worlds: the truth, then guesses."""

    seat: int
    view: Int64s  # [cell]
    cells: Int64s  # [world, cell]


def _plies(game: Game, seed: int) -> list[int]:
    """Return plies to choose from: all plies of some games that are used for nothing else."""
    plies: list[int] = []
    for number in range(PILOTS):
        state, rng = _dealt(game, derive(seed, _PLY, number))
        plies += range(play_on(game.rules, state, MOST_PLIES, rng, roomy_list(game)))
    return plies


def _dealt(game: Game, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a deal, and the dice for its moves."""
    state = roomy(game, np.zeros(game.size, dtype=np.int64))
    deal_table(game.rules, state, game.encoded_options, dice(seed))
    return state, dice(derive(seed, _MOVE))


class _Features:
    """What is compared between worlds."""

    def __init__(self, game: Game, seed: int, seeds: np.ndarray):
        self.game = game
        self._seeds = seeds
        chosen = np.random.default_rng(derive(seed, _FEATURE))
        self._salts = chosen.integers(1, 2**62, size=(RANDOM_FEATURES, game.size), dtype=np.int64) | 1
        shares = chosen.choice([0.1, 0.5, 1.0], (RANDOM_FEATURES, 1))
        self._subsets = chosen.random((RANDOM_FEATURES, game.size)) < shares
        self._pairs = _pairs(game, chosen)
        self.names = self._names()

    def _names(self) -> list[str]:
        game = self.game
        cells = [game.cells.name_of(cell) for cell in range(game.size)]
        names = [*cells, *(f"the sum of {group}" for group in game.cells.sizes), "the number of moves"]
        names += [f"random function {number} of the cells" for number in range(RANDOM_FEATURES)]
        names += [f"whether {cells[a]} equals {cells[b]}" for a, b in self._pairs]
        for ahead in AHEAD:
            names += [f"{cell} {ahead} random moves later" for cell in cells]
            names += [f"whether {cell} is the same {ahead} random moves later" for cell in cells]
            names.append(f"the number of moves {ahead} random moves later")
        return [*names, *(f"what seat {seat + 1} earns by random play" for seat in range(game.seats))]

    def of(self, worlds: _Worlds, rng: np.ndarray) -> np.ndarray:
        """Return the features, one row per world; `rng` holds the dice for the future, the same in all worlds."""
        size = self.game.size
        now = worlds.cells[:, :size].copy()
        now[:, self._seeds] = 0
        starts = list(self.game.cells.starts.values())
        rows = [now, np.add.reduceat(now.astype(float), starts, axis=1), self._move_counts(worlds.cells)]
        rows += [self._random(now), np.array([[row[a] == row[b] for a, b in self._pairs] for row in now], dtype=float)]
        passed, dices = 0, [rng.copy() for _ in now]
        for ahead in AHEAD:
            self._play(worlds.cells, ahead - passed, dices)
            passed = ahead
            later = worlds.cells[:, :size].copy()
            later[:, self._seeds] = 0
            rows += [later, later == now, self._move_counts(worlds.cells)]
        self._play(worlds.cells, MOST_PLIES, dices)
        return np.hstack([row.astype(float) for row in (*rows, self._payoffs(worlds.cells))])

    def _random(self, now: np.ndarray) -> np.ndarray:
        """Return sums of random functions of single cells, over random subsets of the cells."""
        columns = []
        for salts, subset in zip(self._salts, self._subsets, strict=True):
            mixed = (now ^ salts) * salts
            mixed ^= mixed >> 29
            columns.append(np.where(subset, (mixed * salts) >> 40, 0).sum(axis=1))
        return np.array(columns).T

    def _move_counts(self, states: np.ndarray) -> np.ndarray:
        room = roomy_list(self.game)
        return np.array([[legal_moves(self.game.rules, state, room)] for state in states])

    def _play(self, states: np.ndarray, plies: int, dices: list[np.ndarray]) -> None:
        room = roomy_list(self.game)
        for state, rng in zip(states, dices, strict=True):
            play_on(self.game.rules, state, plies, rng, room)

    def _payoffs(self, states: np.ndarray) -> np.ndarray:
        earned = np.zeros((len(states), self.game.seats))
        for state, out in zip(states, earned, strict=True):
            settle(self.game.rules, state, out)
        return earned


def _pairs(game: Game, chosen: np.random.Generator) -> list[tuple[int, int]]:
    """Return pairs of cells, most of them of one group."""
    groups = [range(start, start + game.cells.sizes[name]) for name, start in game.cells.starts.items()]
    several = [group for group in groups if len(group) > 1] or [range(game.size)]
    pairs = set()
    for _ in range(PAIRS):
        group = several[int(chosen.integers(len(several)))]
        a, b = sorted(int(cell) for cell in chosen.choice(group, 2, replace=len(group) < 2))
        pairs.add((a, b))
    return sorted(pairs)


def _centred_ranks(found: np.ndarray) -> np.ndarray:
    """Return for each feature of a world how many worlds have less of it, minus how many have more."""
    ranks = np.zeros(found.shape, dtype=np.int8)
    for row in found:
        ranks += (found > row).view(np.int8)
        ranks -= (found < row).view(np.int8)
    return ranks


def _deviations(samples: _Samples) -> list[Deviation]:
    """Return the deviations of the features that deviate most, each in the positions where it does so most."""
    ranks = np.array(samples.ranks)  # [position, world, feature]
    kept = np.flatnonzero((ranks != 0).any(axis=1).sum(axis=0) >= LEAST)
    scores, of_feature = _scores(ranks[:, :, kept])
    of_truth, of_guesses = np.array(samples.truth), np.array(samples.mean)
    sorts, where = _sorts(samples)
    varied = sorts.T @ (scores != 0).any(axis=1)
    variance = sorts.T @ (scores**2).mean(axis=1)
    z = np.abs(sorts.T @ scores[:, 0, :]) / np.sqrt(np.maximum(variance, LEAST_VARIANCE))
    z[varied < LEAST] = 0
    comparisons = 2 * int((varied >= LEAST).sum())
    found = []
    for column in np.argsort(z.max(axis=0))[::-1][:SUSPECTS]:
        sort, feature = int(z[:, column].argmax()), int(kept[of_feature[column]])
        inside = sorts[:, sort] > 0
        p = min(1.0, comparisons * _bound(scores[inside, :, column].astype(float)))
        truth, guesses = (float(means[inside, feature].mean()) for means in (of_truth, of_guesses))
        name = samples.features.names[feature] + (OUTLYING if column >= len(kept) else "")
        found.append(Deviation(name, where[sort], truth, guesses, p, comparisons, len(ranks)))
    return sorted(found, key=lambda deviation: deviation.p)


def _scores(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores to compare, and the feature of each column.

    A score is how high a world ranks; also, for a feature with more than two values, how far from the middle.
    """
    high = ranks.astype(np.float32) / GUESSES
    most, least = ranks.max(axis=1, keepdims=True), ranks.min(axis=1, keepdims=True)
    several = np.flatnonzero(((ranks != most) & (ranks != least)).any(axis=(0, 1)))
    out = high[:, :, several] ** 2
    out -= out.mean(axis=1, keepdims=True)
    return np.concatenate([high, out], axis=2), np.append(np.arange(ranks.shape[2]), several)


def _sorts(samples: _Samples) -> tuple[np.ndarray, list[str]]:
    """Return groups of positions, one column each: all, then those in which a visible cell has one value."""
    views, game = np.array(samples.views), samples.game
    found: dict[bytes, tuple[int, np.ndarray, str]] = {}
    for cell in range(views.shape[1]):
        values = np.unique(views[:, cell])
        for value in values.tolist() if len(values) <= MOST_VALUES else ():
            inside = views[:, cell] == value
            uneven = abs(2 * int(inside.sum()) - len(views))
            if uneven <= len(views) - 2 * LEAST and value != UNKNOWN:
                name = "the seat that guesses" if cell == game.size else game.cells.name_of(cell)
                found.setdefault(inside.tobytes(), (uneven, inside, f", where {name} is {value},"))
    chosen = sorted(found.values(), key=lambda group: group[0])[:MOST_SORTS]
    columns = [np.ones(len(views)), *(inside.astype(float) for _, inside, _ in chosen)]
    return np.array(columns).T, ["", *(where for _, _, where in chosen)]


def _bound(scores: np.ndarray) -> float:
    """Return a bound on the probability that the truth deviates as far, either way, if worlds are exchangeable.

    `scores` has a row for each position and a column for each world, the truth first; rows sum to 0.
    """
    total = float(scores[:, 0].sum())
    towards = scores if total >= 0 else -scores
    least, steps = 0.0, np.geomspace(0.01, 30, 60)
    for step in steps:
        least = min(least, float(np.log(np.exp(step * towards).mean(axis=1)).sum()) - step * abs(total))
    return float(np.exp(least))
