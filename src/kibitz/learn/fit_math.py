"""The mathematics of fitting, written once for NumPy and JAX: forward pass, loss, backward pass, Adam."""

from typing import Any

import numpy as np

from kibitz.learn.array_module import ArrayModule
from kibitz.learn.fit_options import LEGAL, PLAIN, SQUARED, FitOptions
from kibitz.learn.samples import Samples
from kibitz.networks.network_file import RELU

NEVER = -1e30  # the logit of a move that cannot be chosen
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # of Adam

Array = Any  # of NumPy or JAX
Batch = dict[str, Array]  # the arrays of samples, by name


class FitMath:
    """The mathematics of one step, over an array module."""

    def __init__(self, module: ArrayModule, samples: Samples, options: FitOptions):
        self.module, self.options = module, options
        self.listed, self.length, self.seats = samples.listed, samples.length, samples.seats
        self.step = module.compiled(self._step)
        self.sums = module.compiled(self._sums)

    def forward(self, layers: Any, batch: Batch) -> list[Array]:
        """Return the inputs, the activations of each hidden layer, and the logits."""
        xp, inputs = self.module.xp, batch["inputs"]
        found = [self.module.scatter(inputs, np.float32(1), self.length) if self.listed else inputs.astype(np.float32)]
        for weights, biases in layers[:-1]:
            sums = found[-1] @ weights + biases
            found.append(xp.maximum(sums, 0) if self.options.activation == RELU else _sigmoid(xp, sums))
        weights, biases = layers[-1]
        return [*found, found[-1] @ weights + biases]

    def _targets(self, batch: Batch, moves: int) -> tuple[Array, Array]:
        """Return the target of each move, and 1 for each legal one."""
        shares = batch["shares"].astype(np.float32)
        if "moves" not in batch:
            return shares, self.module.xp.ones_like(shares)
        scatter = self.module.scatter
        return scatter(batch["moves"], shares, moves), scatter(batch["moves"], np.float32(1), moves)

    def _predict(self, logits: Array, batch: Batch) -> tuple[Array, Array, Array]:
        """Return the predictions of the value head and of the policy head, and the gradient of the loss by logit."""
        xp, by = self.module.xp, self.options.policy_error
        values = batch["values"].astype(np.float32)
        value_logits, move_logits = logits[:, : self.seats], logits[:, self.seats :]
        chances = _softmax(xp, value_logits)
        target, legal = self._targets(batch, move_logits.shape[1])
        if by == SQUARED:
            outputs = _sigmoid(xp, move_logits)
            slopes = 2 * (outputs - target) * outputs * (1 - outputs)
        else:
            outputs = _softmax(xp, xp.where(legal > 0, move_logits, NEVER) if by == LEGAL else move_logits)
            slopes = outputs * target.sum(axis=1, keepdims=True) - target
        value_slopes = chances * values.sum(axis=1, keepdims=True) - values
        return chances, outputs, xp.concatenate([value_slopes, slopes * self.options.policy_weight], axis=1)

    def _errors(self, chances: Array, outputs: Array, batch: Batch) -> tuple[Array, Array]:
        """Return the loss of each position by the value head and by the policy head."""
        xp = self.module.xp
        target, _ = self._targets(batch, outputs.shape[1])
        value = _cross_entropy(xp, batch["values"], chances)
        if self.options.policy_error == SQUARED:
            return value, ((outputs - target) ** 2).sum(axis=1)
        return value, _cross_entropy(xp, target, outputs)

    def _step(self, layers: Any, moments: Any, data: Batch, index: Array, rate: Array, count: Array) -> Any:
        """Return the layers and the optimizer's moments after a step, and the loss before it."""
        batch = {name: array[index] for name, array in data.items()}
        units = self.forward(layers, batch)
        chances, outputs, slopes = self._predict(units[-1], batch)
        value, policy = self._errors(chances, outputs, batch)
        error = (value + self.options.policy_weight * policy).mean()
        gradients = self._backward(layers, units, slopes / len(index))
        moved, kept = [], []
        for layer, gradient, before in zip(layers, gradients, moments, strict=True):
            parts = [self._update(*three, rate, count) for three in zip(layer, gradient, before, strict=True)]
            moved.append(tuple(part[0] for part in parts))
            kept.append(tuple(part[1] for part in parts))
        return moved, kept, error

    def _backward(self, layers: Any, units: list[Array], slopes: Array) -> list[Any]:
        """Return the gradients of the loss by all weights and biases, given those by the logits."""
        found = []
        for at in range(len(layers) - 1, -1, -1):
            below = units[at]
            found.append((below.T @ slopes, slopes.sum(axis=0)))
            if at:
                derivative = (below > 0) if self.options.activation == RELU else below * (1 - below)
                slopes = (slopes @ layers[at][0].T) * derivative
        return found[::-1]

    def _update(self, weights: Array, gradient: Array, moments: Any, rate: Array, count: Array) -> tuple[Array, Any]:
        """Return weights after a step of Adam or of plain descent, and its moments; biases do not decay."""
        decay = self.options.decay if weights.ndim > 1 else 0.0
        if self.options.steps == PLAIN:
            velocity = self.options.momentum * moments[0] + gradient
            return (weights - rate * (velocity + decay * weights)).astype(np.float32), (velocity, moments[1])
        first = _BETA1 * moments[0] + (1 - _BETA1) * gradient
        second = _BETA2 * moments[1] + (1 - _BETA2) * gradient * gradient
        ahead = first / (1 - _BETA1**count)
        size = self.module.xp.sqrt(second / (1 - _BETA2**count)) + _EPSILON
        return (weights - rate * (ahead / size + decay * weights)).astype(np.float32), (first, second)

    def _sums(self, layers: Any, batch: Batch) -> Array:
        """Return sums over positions: known values, known policies, then what FitMetrics names from `error` on."""
        xp = self.module.xp
        logits = self.forward(layers, batch)[-1]
        chances, outputs, _ = self._predict(logits, batch)
        value, policy = self._errors(chances, outputs, batch)
        target, legal = self._targets(batch, outputs.shape[1])
        move_logits, values = logits[:, self.seats :], batch["values"]
        known, judged = values.sum(axis=1) > 0, target.sum(axis=1) > 0
        figures = [
            known, judged, value + self.options.policy_weight * policy, value,
            known * ((chances - values) ** 2).sum(axis=1),
        ]  # fmt: skip
        if move_logits.shape[1]:
            among = xp.where(legal > 0, move_logits, NEVER) if self.options.policy_error == LEGAL else move_logits
            best = xp.take_along_axis(target, among.argmax(axis=1)[:, None], axis=1)[:, 0] >= target.max(axis=1)
            lawful = xp.take_along_axis(legal, move_logits.argmax(axis=1)[:, None], axis=1)[:, 0]
            squares = ((_sigmoid(xp, move_logits) - target) ** 2).sum(axis=1)
            figures += [
                _cross_entropy(xp, target, _softmax(xp, among)), _cross_entropy(xp, target, target), judged * squares,
                judged * best, judged * lawful,
            ]  # fmt: skip
        else:
            figures += [judged] * 5
        return xp.stack([xp.asarray(figure).astype(np.float32).sum() for figure in figures])


def _sigmoid(xp: Any, sums: Array) -> Array:
    return 1 / (1 + xp.exp(-xp.clip(sums, -60, 60)))


def _softmax(xp: Any, logits: Array) -> Array:
    if not logits.shape[1]:
        return logits
    raised = xp.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _cross_entropy(xp: Any, target: Array, chances: Array) -> Array:
    return -(target * xp.log(xp.maximum(chances, 1e-12))).sum(axis=1)
