"""How a network is fitted to samples."""

from dataclasses import dataclass

from kibitz.core.errors import BadValue
from kibitz.learn.array_module import NUMPY
from kibitz.networks.network_file import ACTIVATIONS, RELU

# What a policy head is compared by: cross-entropy over the legal moves, or over all; squares of sigmoid outputs.
POLICY_ERRORS = LEGAL, ALL, SQUARED = ("legal", "all", "squared")
STEPS = ADAM, PLAIN = ("adam", "plain")  # plain: back-propagation as in textbooks, with momentum


@dataclass(frozen=True)
class FitOptions:
    """How layers are fitted; the same seed gives the same weights on the same machine."""

    activation: str = RELU
    policy_error: str = LEGAL
    policy_weight: float = 1.0  # of the policy head's error beside the value head's
    epochs: int = 30  # how often all samples are learnt from, at most
    patience: int = 5  # end after so many epochs without a smaller error on what is held out
    held: float = 0.1  # the part of the games that is held out
    batch: int = 512
    rate: float = 0.002
    slowest: float = 0.05  # of the rate, in the last epoch; 1 keeps it
    decay: float = 1e-4  # how much weights shrink with each step, of the rate
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
        for name, least, most in (
            ("epochs", 1, 1_000_000), ("patience", 1, 1_000_000), ("held", 0, 0.9), ("batch", 1, 1 << 20),
            ("rate", 0, 10), ("slowest", 0, 1), ("decay", 0, 1), ("policy_weight", 0, 1000),
            ("momentum", 0, 1), ("seed", 0, 2**64 - 1),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise BadValue(f"{name} is {getattr(self, name)}; it must be from {least} to {most:,}")
