"""Fitting layers of weights to samples. Needs NumPy alone; JAX makes it quicker.

The units of the last layer are logits: of each seat, then of each move. Nothing here knows a game or compiled code.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue
from kibitz.learn.array_module import ArrayModule
from kibitz.learn.fit_math import FitMath
from kibitz.learn.fit_metrics import FitMetrics, assess, check_fit, measure, on_device
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.samples import Samples
from kibitz.networks.network_file import Layers

Show = Callable[["Epoch"], None]


@dataclass(frozen=True)
class Epoch:
    """The loss after an epoch."""

    number: int
    rate: float
    error: float  # the average loss over its steps
    held: FitMetrics | None  # on held-out games; None if there are none
    seconds: float  # since the start


@dataclass(frozen=True)
class Fitted:
    """The layers with the least error on held-out games, and their metrics."""

    layers: Layers
    best: int  # the epoch that they are from
    epochs: tuple[Epoch, ...]
    train: FitMetrics
    held: FitMetrics | None
    by: str  # the array module


def fit(layers: Layers, samples: Samples, options: FitOptions, show: Show = lambda epoch: None) -> Fitted:
    """Fit layers to samples; return those of the epoch with the least error on held-out games."""
    train, held = samples.split(options.held, options.seed)
    return fit_split(layers, train, held, options, show)


def fit_split(
    layers: Layers, train: Samples, held: Samples, options: FitOptions, show: Show = lambda epoch: None
) -> Fitted:  # fmt: skip
    """Fit layers as `fit` does to samples that are already split; nothing need be held out."""
    check_fit(layers, train)
    run = _Optimizer(layers, train, options)
    best, least, epochs = (0, run.plain_layers()), np.inf, list[Epoch]()
    for epoch in run.epochs(held):
        epochs.append(epoch)
        show(epoch)
        error = epoch.held.error if epoch.held else -epoch.number
        if error < least:
            best, least = (epoch.number, run.plain_layers()), error
        elif epoch.number - best[0] >= options.patience:
            break
    number, found = best
    return Fitted(
        found, number, tuple(epochs), assess(found, train, options),
        assess(found, held, options) if len(held) else None, str(run.module),
    )  # fmt: skip


class _Optimizer:
    """Layers that are being fitted, and the moments of Adam."""

    def __init__(self, layers: Layers, samples: Samples, options: FitOptions):
        self.options, self.samples = options, samples
        self.module = ArrayModule(options.by)
        self.kernel = FitMath(self.module, samples, options)
        self.layers = on_device(self.module, layers)
        zeros = self.module.xp.zeros_like
        self.moments = [tuple((zeros(part), zeros(part)) for part in layer) for layer in self.layers]
        self.rng = np.random.Generator(np.random.PCG64(options.seed))
        self.steps = 0

    def plain_layers(self) -> Layers:
        """Return copies of the layers as arrays of NumPy."""
        return tuple((np.array(weights), np.array(biases)) for weights, biases in self.layers)

    def epochs(self, held: Samples) -> Iterator[Epoch]:
        """Learn from all samples in random order, epoch by epoch."""
        options, begun = self.options, perf_counter()
        data = {name: self.module.xp.asarray(array) for name, array in self.samples.arrays().items() if name != "games"}
        for number in range(1, options.epochs + 1):
            part = (number - 1) / max(options.epochs - 1, 1)
            rate = options.rate * (1 - part * (1 - options.slowest))
            error = self._epoch(data, rate)
            found = measure(self.kernel.sums, self.layers, held) if len(held) else None
            yield Epoch(number, rate, error, found, perf_counter() - begun)

    def _epoch(self, data: dict[str, Any], rate: float) -> float:
        """Learn from all samples once, except a last batch that is not full; return the average loss."""
        order, errors = self.rng.permutation(len(self.samples)), []
        size = min(self.options.batch, len(order))
        with np.errstate(all="ignore"):
            for start in range(0, len(order) - size + 1, size):
                self.steps += 1
                index = self.module.xp.asarray(order[start : start + size])
                self.layers, self.moments, error = self.kernel.step(
                    self.layers, self.moments, data, index, np.float32(rate), np.float32(self.steps)
                )
                errors.append(error)
        found = float(np.mean([float(error) for error in errors]))
        if not np.isfinite(found):
            raise BadValue(f"the weights grew beyond all bounds; a smaller rate than {self.options.rate} may help")
        return found
