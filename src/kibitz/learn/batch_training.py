"""TD learning with many games side by side: rounds as in learn/training.py, on a graphics card.

A round plays until it has its positions, then learns by Adam from random ones, in batches, with moments that begin at
0: so it depends on the network and the dice alone, as rounds on processors do.
"""

from typing import Any

import numpy as np

from kibitz.batches.game_batch import GameBatch, device_of
from kibitz.core.dice import roll
from kibitz.learn.array_module import ArrayModule
from kibitz.learn.fit_math import FitMath
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.samples import Samples
from kibitz.learn.self_play import GAMES, KEPT
from kibitz.learn.side_by_side import Judge, SideBySide
from kibitz.learn.training import Training
from kibitz.networks.inference import read_layers, write_layers
from kibitz.networks.network_file import Layers

MOST_GAMES = 4096  # side by side
PLIES = 16  # a round has room for as many positions of each game
BATCH = 1024  # positions of a step
SEEDS = 1 << 30


class BatchTraining(Training):
    """A network in training on a device."""

    def __init__(self, *given: Any):
        super().__init__(*given)
        self.device = device_of(self.game, self.settings.device)
        self.module = ArrayModule.over(self.device.arrays)
        self.games_at_once = min(MOST_GAMES, max(1, self.settings.round // PLIES))
        self.math = FitMath(self.module, self._no_samples(), FitOptions(self.settings.activation, decay=0.0))
        self._inputs: list[Any] = []
        self._targets: list[Any] = []

    def _no_samples(self) -> Samples:
        inputs, seats = self.about.inputs, self.game.seats
        return Samples(np.zeros((0, inputs), np.float32), inputs, np.zeros((0, seats)), np.zeros((0, 0)))

    def _compile(self) -> None:
        self._measured_strength(0, 0)
        batch = GameBatch(self.game, 1, self.device, 0)
        SideBySide(batch, Judge(self.game, self.about, self._layers()), self.settings, 0).play()

    def _layers(self) -> list[tuple[Any, Any]]:
        """Return the weights on the device."""
        array = self.device.array
        return [(array(weights), array(biases)) for weights, biases in read_layers(self.buffer.net)]

    def _play(self) -> None:
        """Play games side by side until there are enough positions."""
        control, judge = self.buffer.control, Judge(self.game, self.about, self._layers())
        control[KEPT] = control[GAMES] = 0
        self._inputs.clear()
        self._targets.clear()
        while control[KEPT] < self.settings.round:
            deals, moves = (int(roll(self.buffer.rng, SEEDS)) for _ in range(2))
            batch = GameBatch(self.game, self.games_at_once, self.device, deals)
            inputs, targets, over = SideBySide(batch, judge, self.settings, moves).play()
            self._inputs.append(inputs)
            self._targets.append(targets)
            control[KEPT] += len(inputs)
            control[GAMES] += over

    def _learn(self, rate: float) -> float:
        """Learn from random positions, batch by batch; return the average cross-entropy."""
        xp, kept = self.module.xp, int(self.buffer.control[KEPT])
        data = {"inputs": xp.concatenate(self._inputs), "values": xp.concatenate(self._targets)}
        data["shares"] = xp.zeros((kept, 0), dtype=np.float32)
        layers, size, errors = self._layers(), min(BATCH, kept), []
        moments: Any = [tuple((xp.zeros_like(part), xp.zeros_like(part)) for part in layer) for layer in layers]
        random = xp.random.RandomState(int(roll(self.buffer.rng, SEEDS)))
        steps = max(1, int(self.settings.reuse * kept) // size)
        for step in range(1, steps + 1):
            index = random.randint(0, kept, size)
            layers, moments, error = self.math.step(layers, moments, data, index, np.float32(rate), np.float32(step))
            errors.append(error)
        write_layers(self._here(layers), self.buffer.net)
        return float(sum(float(error) for error in errors) / steps)

    def _here(self, layers: Any) -> Layers:
        """Return layers of the device as arrays of NumPy."""
        return tuple((_as_numpy(weights), _as_numpy(biases)) for weights, biases in layers)


def _as_numpy(array: Any) -> Any:
    return np.asarray(array.get() if hasattr(array, "get") else array)
