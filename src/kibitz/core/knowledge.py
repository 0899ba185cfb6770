"""What is known about one game beyond its rules: values (what a position seems worth) and policies (quick choices)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import UnknownName
from kibitz.core.options import Option, read_options
from kibitz.core.rules import POLICY, VALUE, Native
from kibitz.core.spec import Spec


class Knowledge(Native):
    """A compiled value or policy with named weights."""

    def __init__(self, function: Callable[..., Any], signature: Any, weights: Mapping[str, float | Option]):
        super().__init__(function, signature)
        self.weights = {name: _as_option(given) for name, given in weights.items()}


def _as_option(weight: float | Option) -> Option:
    return weight if isinstance(weight, Option) else Option(float(weight), "")


class Value(Knowledge):
    """Writes what a position seems worth to each seat."""


class Policy(Knowledge):
    """Picks a legal move quickly; sees a view and dice, nothing else."""


@dataclass(frozen=True)
class Ready:
    """A value or policy with its weights, as compiled code takes it; handle 0 is the random policy."""

    text: str
    handle: Any
    weights: np.ndarray


@dataclass(frozen=True)
class Opening:
    """Who plays the opening for a searcher, and how far, as the game counts progress."""

    agent: str
    until: int


RANDOM = Ready("random", 0, np.zeros(1))


def value(**weights: float | Option) -> Callable[[Callable[..., Any]], Value]:
    """Make a value out of `function(state, weights, out)`; weights, defaults or options, come in the order named."""
    return lambda function: Value(function, VALUE, weights)


def policy(**weights: float | Option) -> Callable[[Callable[..., Any]], Policy]:
    """Make a policy out of `function(view, weights, rng)`; weights, defaults or options, come in the order named."""
    return lambda function: Policy(function, POLICY, weights)


def ready(what: str, known: Mapping[str, Knowledge], spec: Spec) -> Ready:
    """Find a value or policy by its text and fill in its weights."""
    if spec.name not in known:
        raise UnknownName(what, spec.name, known)
    found = known[spec.name]
    weights = read_options(spec.name, found.weights, spec)
    numbers = np.array([*weights.values(), 0.0], dtype=np.float64)
    return Ready(str(spec), found.handle, numbers)
