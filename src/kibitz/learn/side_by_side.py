"""Self-play of many games side by side: the network runs as matrix products over all of them, on a card or here.

Every seat searches one move ahead, as in learn/self_play.py: all legal moves of all games are played, the network
judges the positions after them together, and each game takes its best. Targets are the same TD(lambda) returns.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kibitz.batches.game_batch import GameBatch
from kibitz.core.contract import LEAST, OVER, SPAN
from kibitz.core.game import Game
from kibitz.learn.training_settings import TrainingSettings
from kibitz.networks.net import encodings
from kibitz.networks.network_file import EACH, RELU, About

AT_A_TIME = 1 << 16  # positions that the network judges together
TIES = 1e-6  # values that differ less are as good

Array = Any  # of NumPy or CuPy
Layers = list[tuple[Array, Array]]


class Ply(NamedTuple):
    """A ply of all games."""

    live: Array  # [game]: whether the game was not over
    kept: Array  # [game]: whether the position is learnt from
    movers: Array  # [game]: the seat to move
    inputs: list[Array]  # of each side that is kept: [game, input]
    estimates: Array  # [game, seat]: the network's estimate of the position
    explored: Array  # [game]: whether a random move was made
    best: Array  # [game, seat]: the network's estimate after the best move


class Judge:
    """Judges positions of a batch by a network."""

    def __init__(self, game: Game, about: About, layers: Layers):
        self.game, self.about, self.layers = game, about, layers
        self.exact = np.int8 if encodings(game)[about.encoding].most else np.float32  # holds the inputs

    def chances(self, xp: Any, inputs: Array) -> Array:
        """Return the probability of each seat to win, from the side of the inputs."""
        return xp.concatenate([
            self._chances(xp, inputs[first : first + AT_A_TIME]) for first in range(0, len(inputs), AT_A_TIME)
        ])  # fmt: skip

    def _chances(self, xp: Any, inputs: Array) -> Array:
        units = inputs.astype(np.float32)
        for weights, biases in self.layers[:-1]:
            sums = units @ weights + biases
            units = xp.maximum(sums, 0) if self.about.activation == RELU else 1 / (1 + xp.exp(-xp.clip(sums, -60, 60)))
        weights, biases = self.layers[-1]
        logits = (units @ weights + biases)[:, : self.game.seats]
        raised = xp.exp(logits - logits.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)

    def inputs(self, batch: GameBatch, movers: Array) -> list[Array]:
        """Return the inputs of each side that the network is asked from, that of the seat to move first."""
        sides = self.game.seats if self.about.sides == EACH else 1
        return [
            batch.features(self.about.encoding, (movers + side) % self.game.seats).astype(self.exact)
            for side in range(sides)
        ]

    def estimates(self, xp: Any, inputs: list[Array], movers: Array) -> Array:
        """Return the probability of each seat to win, seat 0 first."""
        if len(inputs) == 1:
            return rotated(xp, self.chances(xp, inputs[0]), -movers)
        own = xp.stack([self.chances(xp, side)[:, 0] for side in inputs], axis=1)
        return rotated(xp, own / own.sum(axis=1, keepdims=True), -movers)

    def judged(self, batch: GameBatch) -> Array:
        """Return what each position is worth to each seat: where the game is over, what was earned."""
        xp, turns = batch.arrays, batch.turn
        movers = xp.maximum(turns, 0)
        found = self.estimates(xp, self.inputs(batch, movers), movers)
        return xp.where((turns == OVER)[:, None], earned_shares(batch), found)


def rotated(xp: Any, rows: Array, by: Array) -> Array:
    """Return rows in which place k holds what stood `by` places further."""
    seats = rows.shape[1]
    return xp.take_along_axis(rows, (xp.arange(seats)[None, :] + by[:, None]) % seats, axis=1)


def earned_shares(batch: GameBatch) -> Array:
    """Return what each seat earned as shares of 1, equal ones if nobody earned anything; anything before the end."""
    xp, rules, seats = batch.arrays, batch.game.rules, batch.game.seats
    earned = xp.nan_to_num(batch.payoff())
    if int(rules[SPAN]) != 0:
        earned = (earned - int(rules[LEAST])) / int(rules[SPAN])
    total = earned.sum(axis=1, keepdims=True)
    return xp.where(total > 0, earned / xp.where(total > 0, total, 1), 1 / seats).astype(np.float32)


class SideBySide:
    """Games in which a network plays every seat."""

    def __init__(self, batch: GameBatch, judge: Judge, settings: TrainingSettings, seed: int):
        self.batch, self.judge, self.settings, self.xp = batch, judge, settings, batch.arrays
        self.random = self.xp.random.RandomState(seed % 2**32)
        self.openings = self.random.randint(0, settings.openings + 1, batch.games)

    def play(self) -> tuple[Array, Array, int]:
        """Play all games to the end; return the inputs and the targets of their positions, and how many were over."""
        plies = list(self._plies())
        result = self.judge.judged(self.batch)
        inputs, targets = [], []
        for at in range(len(plies) - 1, -1, -1):
            ply = plies[at]
            result = self._result(ply, plies[at + 1] if at + 1 < len(plies) else None, result)
            for side, own in enumerate(ply.inputs):
                inputs.append(own[ply.kept])
                targets.append(rotated(self.xp, result, ply.movers + side)[ply.kept])
        games = int((self.batch.turn == OVER).sum())
        return self.xp.concatenate(inputs), self.xp.concatenate(targets).astype(np.float32), games

    def _result(self, ply: Ply, after: Ply | None, result: Array) -> Array:
        """Return the target of each game at a ply, given that of the next."""
        xp, trace = self.xp, self.settings.trace
        if after is not None:
            mixed = (1 - trace) * after.estimates + trace * result
            result = xp.where(after.live[:, None], mixed, result)
        return xp.where((ply.live & ply.explored)[:, None], ply.best, result)

    def _plies(self) -> Iterator[Ply]:
        batch, xp = self.batch, self.xp
        for number in range(self.settings.longest):
            turns = batch.turn
            live = turns != OVER
            if not bool(live.any()):
                return
            movers, in_opening = xp.maximum(turns, 0), number < self.openings
            inputs = self.judge.inputs(batch, movers)
            actions, best = self._best(turns)
            explored = self.random.random_sample(batch.games) < self.settings.epsilon
            random = batch.sample()
            yield Ply(
                live, live & ~in_opening, movers, inputs, self.judge.estimates(xp, inputs, movers), explored, best
            )
            batch.play(xp.where(in_opening | explored, random, actions))

    def _best(self, turns: Array) -> tuple[Array, Array]:
        """Return the best action of each game one move ahead, and what the position after it is worth to each seat."""
        xp, legal = self.xp, self.batch.legal()
        rows, actions = xp.nonzero(legal)
        worth = self.judge.judged(self.batch.after(rows, actions))
        own = xp.take_along_axis(worth, turns[rows][:, None], axis=1)[:, 0]
        scores = xp.full(legal.shape, -1, dtype=np.float32)
        scores[rows, actions] = own + TIES * self.random.random_sample(len(own))
        best = scores.argmax(axis=1)
        places = xp.zeros(legal.shape, dtype=np.int64)
        places[rows, actions] = xp.arange(len(rows))
        return best, worth[places[xp.arange(len(best)), best]]
