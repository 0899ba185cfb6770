"""What is known about one game beyond its rules: values (what a position seems worth) and policies (quick choices)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import UnknownName
from kibitz.core.options import Option, read_options
from kibitz.core.rules import POLICY, VALUE, Native
from kibitz.core.spec import Spec


@dataclass(frozen=True)
class Nature:
    """What a value declares with its usual weights; `total` needs worths that are never below 0."""

    positive: bool = False  # every worth is above 0
    total: float = 0.0  # the most that the worths of all seats sum up to; 0 if that is not known
    unit: str = ""  # what a worth is counted in


class Knowledge(Native):
    """A compiled value or policy with named weights."""

    def __init__(self, function: Callable[..., Any], signature: Any, weights: Mapping[str, float | Option]):
        super().__init__(function, signature)
        self.weights = {name: _as_option(given) for name, given in weights.items()}


def _as_option(weight: float | Option) -> Option:
    return weight if isinstance(weight, Option) else Option(float(weight), "")


class Value(Knowledge):
    """Writes what a position seems worth to each seat, and declares what searches may rely on."""

    def __init__(self, function: Callable[..., Any], weights: Mapping[str, float | Option], nature: "Nature"):
        super().__init__(function, VALUE, weights)
        self.nature = nature


class Policy(Knowledge):
    """Picks a legal move quickly; sees a view and dice, nothing else."""


@dataclass(frozen=True)
class Ready:
    """A value or policy with its weights, as compiled code takes it; handle 0 is the random policy."""

    text: str
    handle: Any
    weights: np.ndarray
    nature: Nature


@dataclass(frozen=True)
class Opening:
    """Who plays the opening for a searcher, and how far, as the game counts progress."""

    agent: str
    until: int


RANDOM = Ready("random", 0, np.zeros(1), Nature())


def value(
    *, positive: bool = False, total: float = 0.0, unit: str = "", **weights: float | Option
) -> Callable[[Callable[..., Any]], Value]:
    """Make a value out of `function(state, weights, out)`; weights, defaults or options, come in the order named."""
    return lambda function: Value(function, weights, Nature(positive, total, unit))


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
    nature = found.nature if isinstance(found, Value) else Nature()
    return Ready(str(spec), found.handle, numbers, nature)
