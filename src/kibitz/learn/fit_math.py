"""The mathematics of fitting, written once for NumPy and JAX alike: forward, error, backward, Adam."""

from typing import Any

import numpy as np

from kibitz.learn.array_module import ArrayModule
from kibitz.learn.fit_options import LEGAL, PLAIN, SQUARED, FitOptions
from kibitz.learn.samples import Samples
from kibitz.networks.network_file import RELU

_FAR = -1e30  # the logit of what cannot be chosen
_FIRST_DECAY, _SECOND_DECAY, _LEAST = 0.9, 0.999, 1e-8  # of Adam


class FitMath:
    """The mathematics of one step, over an array module."""

    def __init__(self, module: ArrayModule, samples: Samples, options: FitOptions):
        self.module, self.options = module, options
        self.listed, self.length, self.seats = samples.listed, samples.length, samples.seats
        self.step = module.compiled(self._step)
        self.sums = module.compiled(self._sums)

    def forward(self, layers: Any, batch: dict[str, Any]) -> list[Any]:
        """Return the inputs, the activations of each hidden layer, and the logits."""
        xp, inputs = self.module.xp, batch["inputs"]
        found = [self.module.spread(inputs, np.float32(1), self.length) if self.listed else inputs.astype(np.float32)]
        for weights, biases in layers[:-1]:
            sums = found[-1] @ weights + biases
            found.append(xp.maximum(sums, 0) if self.options.activation == RELU else _sigmoid(xp, sums))
        weights, biases = layers[-1]
        return [*found, found[-1] @ weights + biases]

    def _targets(self, batch: dict[str, Any], moves: int) -> tuple[Any, Any]:
        """Return the target of each move, and 1 for each that can be chosen."""
        shares = batch["shares"].astype(np.float32)
        if "moves" not in batch:
            return shares, self.module.xp.ones_like(shares)
        spread = self.module.spread
        return spread(batch["moves"], shares, moves), spread(batch["moves"], np.float32(1), moves)

    def _judged(self, logits: Any, batch: dict[str, Any]) -> tuple[Any, Any, Any]:
        """Return the chances of the seats, the outputs for the moves, and the slope of the error by each logit."""
        xp, by = self.module.xp, self.options.policy_error
        values = batch["values"].astype(np.float32)
        own, odds = logits[:, : self.seats], logits[:, self.seats :]
        chances = _softmax(xp, own)
        target, legal = self._targets(batch, odds.shape[1])
        if by == SQUARED:
            outputs = _sigmoid(xp, odds)
            slopes = 2 * (outputs - target) * outputs * (1 - outputs)
        else:
            outputs = _softmax(xp, xp.where(legal > 0, odds, _FAR) if by == LEGAL else odds)
            slopes = outputs * target.sum(axis=1, keepdims=True) - target
        value_slopes = chances * values.sum(axis=1, keepdims=True) - values
        return chances, outputs, xp.concatenate([value_slopes, slopes * self.options.policy_weight], axis=1)

    def _errors(self, chances: Any, outputs: Any, batch: dict[str, Any]) -> tuple[Any, Any]:
        """Return the error of each position by the value head and by the policy head."""
        xp = self.module.xp
        target, _ = self._targets(batch, outputs.shape[1])
        value = _entropy(xp, batch["values"], chances)
        if self.options.policy_error == SQUARED:
            return value, ((outputs - target) ** 2).sum(axis=1)
        return value, _entropy(xp, target, outputs)

    def _step(self, layers: Any, memory: Any, data: dict[str, Any], index: Any, rate: Any, count: Any) -> Any:
        """Return the layers and the memory of Adam after a step, and the error before it."""
        batch = {name: array[index] for name, array in data.items()}
        units = self.forward(layers, batch)
        chances, outputs, slopes = self._judged(units[-1], batch)
        value, policy = self._errors(chances, outputs, batch)
        error = (value + self.options.policy_weight * policy).mean()
        gradients = self._backward(layers, units, slopes / len(index))
        moved, kept = [], []
        for layer, gradient, before in zip(layers, gradients, memory, strict=True):
            parts = [self._moved(*three, rate, count) for three in zip(layer, gradient, before, strict=True)]
            moved.append(tuple(part[0] for part in parts))
            kept.append(tuple(part[1] for part in parts))
        return moved, kept, error

    def _backward(self, layers: Any, units: list[Any], slopes: Any) -> list[Any]:
        """Return the slopes of the error by all weights and biases."""
        found = []
        for at in range(len(layers) - 1, -1, -1):
            below = units[at]
            found.append((below.T @ slopes, slopes.sum(axis=0)))
            if at:
                bend = (below > 0) if self.options.activation == RELU else below * (1 - below)
                slopes = (slopes @ layers[at][0].T) * bend
        return found[::-1]

    def _moved(self, weights: Any, gradient: Any, memory: Any, rate: Any, count: Any) -> tuple[Any, Any]:
        """Return weights moved by Adam or by a plain step, with decay of all but biases, and what is remembered."""
        decay = self.options.decay if weights.ndim > 1 else 0.0
        if self.options.steps == PLAIN:
            speed = self.options.momentum * memory[0] + gradient
            return (weights - rate * (speed + decay * weights)).astype(np.float32), (speed, memory[1])
        first = _FIRST_DECAY * memory[0] + (1 - _FIRST_DECAY) * gradient
        second = _SECOND_DECAY * memory[1] + (1 - _SECOND_DECAY) * gradient * gradient
        ahead = first / (1 - _FIRST_DECAY**count)
        size = self.module.xp.sqrt(second / (1 - _SECOND_DECAY**count)) + _LEAST
        return (weights - rate * (ahead / size + decay * weights)).astype(np.float32), (first, second)

    def _sums(self, layers: Any, batch: dict[str, Any]) -> Any:
        """Return sums over positions: known values, known choices, then all that Measures names."""
        xp = self.module.xp
        logits = self.forward(layers, batch)[-1]
        chances, outputs, _ = self._judged(logits, batch)
        value, policy = self._errors(chances, outputs, batch)
        target, legal = self._targets(batch, outputs.shape[1])
        odds, values = logits[:, self.seats :], batch["values"]
        known, judged = values.sum(axis=1) > 0, target.sum(axis=1) > 0
        figures = [
            known, judged, value + self.options.policy_weight * policy, value,
            known * ((chances - values) ** 2).sum(axis=1),
        ]  # fmt: skip
        if odds.shape[1]:
            among = xp.where(legal > 0, odds, _FAR) if self.options.policy_error == LEGAL else odds
            best = xp.take_along_axis(target, among.argmax(axis=1)[:, None], axis=1)[:, 0] >= target.max(axis=1)
            lawful = xp.take_along_axis(legal, odds.argmax(axis=1)[:, None], axis=1)[:, 0]
            squares = ((_sigmoid(xp, odds) - target) ** 2).sum(axis=1)
            likely = _softmax(xp, among)
            figures += [
                _entropy(xp, target, likely), _entropy(xp, target, target), judged * squares, judged * best,
                judged * lawful,
            ]  # fmt: skip
        else:
            figures += [judged] * 5
        return xp.stack([xp.asarray(figure).astype(np.float32).sum() for figure in figures])


def _sigmoid(xp: Any, sums: Any) -> Any:
    return 1 / (1 + xp.exp(-xp.clip(sums, -60, 60)))


def _softmax(xp: Any, logits: Any) -> Any:
    if not logits.shape[1]:
        return logits
    raised = xp.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _entropy(xp: Any, target: Any, chances: Any) -> Any:
    return -(target * xp.log(xp.maximum(chances, 1e-12))).sum(axis=1)
