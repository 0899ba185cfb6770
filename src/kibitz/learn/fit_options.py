"""How a network is fitted to samples, and the ranges of options of learning."""

from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.core.errors import BadValue
from kibitz.learn.array_module import NUMPY
from kibitz.networks.network_file import ACTIVATIONS, MOST_LAYERS, MOST_UNITS, RELU

# The loss of a policy head: cross-entropy over the legal moves or over all moves, or squared error of sigmoid outputs.
POLICY_ERRORS = LEGAL, ALL, SQUARED = ("legal", "all", "squared")
STEPS = ADAM, PLAIN = ("adam", "plain")  # plain: stochastic gradient descent with momentum


@dataclass(frozen=True)
class FitOptions:
    """How layers are fitted; the same seed gives the same weights on the same machine."""

    activation: str = RELU
    policy_error: str = LEGAL
    policy_weight: float = 1.0  # of the policy head's error beside the value head's
    epochs: int = 30  # at most
    patience: int = 5  # stop after this many epochs without a smaller error on the held-out games
    held: float = 0.1  # the share of the games that is held out
    batch: int = 512
    rate: float = 0.002  # the learning rate
    slowest: float = 0.05  # the learning rate of the last epoch, as a share of `rate`; 1 keeps it
    decay: float = 1e-4  # weight decay
    steps: str = ADAM
    momentum: float = 0.9  # of plain steps
    seed: int = 1
    by: str = NUMPY

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise BadValue(f"hidden units are {' or '.join(ACTIVATIONS)}, not {self.activation!r}")
        if self.policy_error not in POLICY_ERRORS:
            raise BadValue(f"the policy's error is {', '.join(POLICY_ERRORS)}, not {self.policy_error!r}")
        if self.steps not in STEPS:
            raise BadValue(f"steps are {' or '.join(STEPS)}, not {self.steps!r}")
        check_ranges(
            self, epochs=(1, 1_000_000), patience=(1, 1_000_000), held=(0, 0.9), batch=(1, 1 << 20), rate=(0, 10),
            slowest=(0, 1), decay=(0, 1), policy_weight=(0, 1000), momentum=(0, 1), seed=(0, 2**64 - 1),
        )  # fmt: skip


def check_ranges(options: object, names: Mapping[str, str] | None = None, **ranges: tuple[float, float]) -> None:
    """Refuse options outside their ranges; `names` are what people call them, where that differs."""
    for name, (least, most) in ranges.items():
        number = getattr(options, name)
        if not least <= number <= most:
            raise BadValue(f"{(names or {}).get(name, name)} is {number}; it must be from {least} to {most:,}")


def check_hidden(hidden: tuple[int, ...]) -> None:
    """Refuse hidden layers that no network has."""
    if not all(1 <= units <= MOST_UNITS for units in hidden) or len(hidden) >= MOST_LAYERS:
        raise BadValue(
            f"hidden layers {hidden}: a network has at most {MOST_LAYERS - 1} of them, each of 1 to {MOST_UNITS} units"
        )


def hidden_layers(text: str) -> tuple[int, ...]:
    """Return the sizes of hidden layers from a text such as 64,32; 0 means none."""
    try:
        return () if text.strip() == "0" else tuple(int(word) for word in text.split(","))
    except ValueError:
        raise BadValue(f"hidden layers are numbers, as in 64 or 64,32, not {text!r}") from None
