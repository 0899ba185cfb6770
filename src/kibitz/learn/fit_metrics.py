"""How well layers of weights predict the targets of samples."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue
from kibitz.learn.array_module import NUMPY, ArrayModule
from kibitz.learn.fit_math import FitMath
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.samples import Samples
from kibitz.networks.network_file import Layers

MOST_LENGTH = 1 << 16  # of an encoding: the inputs of a batch are a dense matrix
ASSESSED = 8192  # positions in a batch when nothing is learnt


@dataclass(frozen=True)
class FitMetrics:
    """How well layers predict the targets, on average over positions; NaN for a head that is missing."""

    positions: int
    error: float  # the loss
    value_entropy: float  # the cross-entropy of the value head, in nats
    value_squares: float  # the sum of its squared errors
    policy_entropy: float  # the cross-entropy of the policy head, over the moves that it is compared by
    least_entropy: float  # the entropy of the target policy: the least that policy_entropy can be
    policy_squares: float  # the sum of the squared errors of the policy head, as sigmoid outputs
    agreement: float  # how often its best move is a best move of the target policy
    legal: float  # how often its best move among all moves is legal


def assess(layers: Layers, samples: Samples, options: FitOptions) -> FitMetrics:
    """Return how well layers predict the targets of samples."""
    check_fit(layers, samples)
    module = ArrayModule(options.by)
    return measure(FitMath(module, samples, options).sums, on_device(module, layers), samples)


def predict(layers: Layers, samples: Samples, options: FitOptions) -> np.ndarray:
    """Return all logits of each position."""
    check_fit(layers, samples)
    kernel = FitMath(ArrayModule(NUMPY), samples, options)
    parts = [kernel.forward(layers, batch)[-1] for batch in _batches(samples)]
    return np.concatenate(parts) if parts else np.zeros((0, len(layers[-1][1])), dtype=np.float32)


def check_fit(layers: Layers, samples: Samples) -> None:
    """Refuse layers and samples that do not fit each other, with a BadValue."""
    outputs, moves = len(layers[-1][1]), samples.shares.shape[1]
    if samples.moves is not None:
        moves = int(samples.moves.max(initial=-1)) + 1
    if not len(samples):
        raise BadValue("there is nothing to learn from: no position is left beside what is held out")
    if samples.length > MOST_LENGTH:
        raise BadValue(f"the encoding has {samples.length:,} rows; at most {MOST_LENGTH:,} can be fitted")
    fits = outputs == samples.seats + moves if samples.moves is None else outputs >= samples.seats + moves
    if len(layers[0][0]) != samples.length or not fits:
        raise BadValue(
            f"layers of {len(layers[0][0])} inputs and {outputs} outputs do not fit samples of {samples.length} "
            f"inputs, {samples.seats} seats and {moves} moves"
        )


def _batches(samples: Samples) -> Iterator[dict[str, np.ndarray]]:
    """Yield all samples in batches, as arrays by name."""
    for start in range(0, len(samples), ASSESSED):
        yield samples.select(np.arange(start, min(start + ASSESSED, len(samples)))).arrays()


def on_device(module: ArrayModule, layers: Layers) -> Any:
    """Return layers as arrays of the module that computes."""
    return [(module.xp.asarray(weights), module.xp.asarray(biases)) for weights, biases in layers]


def measure(sums: Callable[..., Any], layers: Any, samples: Samples) -> FitMetrics:
    """Return the metrics of layers, given the function that sums them up over a batch."""
    total = np.sum([np.asarray(sums(layers, batch), dtype=np.float64) for batch in _batches(samples)], axis=0)
    known, judged, *rest = total.tolist()
    by_value = [number / known if known else np.nan for number in rest[1:3]]
    by_policy = [number / judged if judged else np.nan for number in rest[3:]]
    return FitMetrics(len(samples), rest[0] / len(samples), *by_value, *by_policy)
