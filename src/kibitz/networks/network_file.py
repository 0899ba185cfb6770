"""A network as a file: layers of weights in one .npz, with what it is for. Reading runs no code.

Layer k is the arrays wk [input, unit] and bk [unit], 32-bit numbers. All layers but the last are hidden. The units of
the last are logits: of each seat, starting with the one asked, then of each move if there is a policy head; or, in a
network that only chooses among actions, of these. `about` is JSON.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.arrays import Float32s
from kibitz.core.errors import BadValue
from kibitz.networks.archive import MOST_BYTES, Kind, archive_bytes, read_archive

FORMAT = 1
ACTIVATIONS = RELU, SIGMOID = ("relu", "sigmoid")
SIDES = MOVER, EACH = ("mover", "each")
MOST_LAYERS = 8
MOST_UNITS = 512  # of a hidden layer
Layers = tuple[tuple[Float32s, Float32s], ...]  # weights [input, unit] and biases [unit] of each
_LENGTH = 16  # of the digest, in hexadecimal digits


@dataclass(frozen=True)
class About:
    """What a network is for, and where it comes from."""

    game: str
    version: int
    options: dict[str, Any]  # of the game it was trained on
    seats: int
    encoding: str
    inputs: int
    activation: str = "relu"
    sides: str = "mover"  # MOVER: the seat to move is asked for all; EACH: each for itself, if seats have secrets
    moves: int = 0  # the logits of the policy head; 0: it has none
    numbering: str = ""  # which of the game's numberings they follow; empty: the numbers of moves
    trained: dict[str, Any] = field(default_factory=dict)  # how
    actions: str = ""  # which of the game's actions the logits are of, if not of seats and moves


KIND = Kind("network", "is not a network", About, {"digest": str}, FORMAT)


@dataclass(frozen=True)
class Network:
    """Layers of weights, each with its biases, and what they are for."""

    about: About
    layers: Layers

    @property
    def digest(self) -> str:
        """A hash of the weights."""
        found = blake2b(digest_size=_LENGTH // 2)
        for array in (array for layer in self.layers for array in layer):
            found.update(np.ascontiguousarray(array, dtype="<f4").tobytes())
        return found.hexdigest()

    @property
    def hidden(self) -> list[int]:
        """The units of each hidden layer."""
        return [weights.shape[1] for weights, _ in self.layers[:-1]]


def new_layers(inputs: int, hidden: Sequence[int], outputs: int, seed: int) -> Layers:
    """Return layers with small random weights; those of the last layer are 0."""
    rng, sizes = np.random.Generator(np.random.PCG64(seed)), [*pairwise([inputs, *hidden, outputs])]
    if sum((below + 1) * units for below, units in sizes) * np.dtype(np.float32).itemsize > MOST_BYTES:
        raise BadValue(
            f"a network with {inputs:,} inputs, hidden layers {tuple(hidden)} and {outputs:,} outputs would have more "
            f"than {MOST_BYTES >> 20:,} MB of weights"
        )
    layers = []
    for at, (below, units) in enumerate(sizes):
        spread = 0.0 if at == len(hidden) else (2.0 / min(below, 64)) ** 0.5 / 2
        weights = rng.normal(0.0, 1.0, (below, units)) * spread
        layers.append((weights.astype(np.float32), np.zeros(units, dtype=np.float32)))
    return tuple(layers)


def new_network(about: About, hidden: Sequence[int], seed: int) -> Network:
    """Return a network with random weights in its hidden layers, in which all seats and moves are equal."""
    layers = new_layers(about.inputs, hidden, about.seats + about.moves, seed)
    return checked(Network(about, layers), "a new network")


def as_bytes(network: Network) -> bytes:
    """Return a network as the bytes of a file; equal networks have equal files."""
    about = {"format": FORMAT, **asdict(network.about), "digest": network.digest}
    arrays = {}
    for at, (weights, biases) in enumerate(network.layers):
        arrays[f"w{at}"], arrays[f"b{at}"] = weights.astype("<f4"), biases.astype("<f4")
    return archive_bytes(about, arrays)


def read_network(path: Path) -> Network:
    """Read a network; a BadValue says what is wrong with a file."""
    about, more, arrays = read_archive(path, KIND)
    return _assembled(about, more["digest"], arrays, str(path))


def _assembled(about: About, digest: str, arrays: dict[str, np.ndarray], name: str) -> Network:
    count = len(arrays) // 2
    if not 1 <= count <= MOST_LAYERS or {*arrays} != {f"{letter}{at}" for letter in "wb" for at in range(count)}:
        raise BadValue(f"{name} is not a network: it holds the arrays {', '.join(sorted(arrays)) or 'none'}")
    layers = tuple((arrays[f"w{at}"], arrays[f"b{at}"]) for at in range(count))
    network = checked(Network(about, layers), name)
    if network.digest != digest:
        raise BadValue(f"{name} is damaged: its weights are not those that were written")
    return network


def checked(network: Network, name: str) -> Network:
    """Return a network if its sizes and numbers are consistent; else a BadValue says why not."""
    about = network.about
    if about.activation not in ACTIVATIONS:
        raise BadValue(f"{name}: its units are {about.activation!r}; they must be {' or '.join(ACTIVATIONS)}")
    if about.sides not in SIDES:
        raise BadValue(f"{name}: it asks {about.sides!r}; it must be {' or '.join(SIDES)}")
    inputs = about.inputs
    for at, (weights, biases) in enumerate(network.layers):
        last = at == len(network.layers) - 1
        units = about.seats + about.moves if last and not about.actions else biases.size
        if weights.shape != (inputs, units) or biases.shape != (units,) or not (last or 1 <= units <= MOST_UNITS):
            raise BadValue(
                f"{name}: layer {at} has weights {weights.shape} and biases {biases.shape}; with {inputs} inputs and "
                f"{units} units they must be {(inputs, units)} and {(units,)}, hidden units at most {MOST_UNITS}"
            )
        if weights.dtype != np.float32 or biases.dtype != np.float32:
            raise BadValue(f"{name}: layer {at} is {weights.dtype}; it must be float32")
        if not np.isfinite(weights).all() or not np.isfinite(biases).all():
            raise BadValue(f"{name}: layer {at} holds numbers that are not finite")
        inputs = units
    return network
