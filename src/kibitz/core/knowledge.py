"""What is known about one game beyond its rules, compiled.

Values say what a position seems worth, policies choose quickly, sieves say which moves a search may leave out, rankings
which it should try first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import UnknownName
from kibitz.core.native import compiled, pointer
from kibitz.core.options import Option, read_options
from kibitz.core.rules import LOOK, PART, POLICY, RANKING, SIEVE, VALUE, Native, look_first
from kibitz.core.spec import Spec


@dataclass(frozen=True)
class Nature:
    """What a value declares with its usual weights; `total` holds with any, for worths that are never below 0."""

    positive: bool = False  # every worth is above 0
    total: float = 0.0  # the most that the worths of all seats sum up to; 0 if that is not known
    unit: str = ""  # what a lead is counted in
    per_unit: float = 1.0  # how far apart two seats are worth when one leads by one unit

    def lead(self, ahead: float) -> str:
        """Return in words how far one seat is ahead of another, given the difference of their worths."""
        return f"{ahead / self.per_unit:.4g}{' ' if self.unit else ''}{self.unit}"


class Knowledge(Native):
    """A compiled value or policy with named weights."""

    def __init__(self, function: Callable[..., Any], signature: Any, weights: Mapping[str, float | Option]):
        super().__init__(function, signature)
        self.weights = {name: _as_option(given) for name, given in weights.items()}


def _as_option(weight: float | Option) -> Option:
    return weight if isinstance(weight, Option) else Option(float(weight), "")


def _as_number(option: Option, chosen: Any) -> float:
    """Return what a weight is to compiled code: a word of a choice is its index."""
    return float(option.encode(chosen) if option.choices else chosen)


class Value(Knowledge):
    """Writes what a position seems worth to each seat, and declares what searches may rely on."""

    def __init__(
        self,
        function: Callable[..., Any],
        weights: Mapping[str, float | Option],
        nature: "Nature",
        look: Native | None = None,
    ):
        super().__init__(function, VALUE, weights)
        self.nature = nature
        self.look = look
        self.one: Native | None = None

    def part(self, function: Callable[..., Any]) -> Native:
        """Take `function(state, weights, seat)`, which returns what the value writes for one seat, for less work."""
        self.one = Native(function, PART)
        return self.one


class Policy(Knowledge):
    """Picks a legal move quickly; sees a view and dice, nothing else."""


class Sieve(Knowledge):
    """Keeps some of the legal moves, at least one, for a search that begins with the seat `root`."""


class Ranking(Knowledge):
    """Says which moves a search should try first."""


@dataclass(frozen=True)
class Ready:
    """A value or policy with its weights, as compiled code takes it; handle 0 is the random policy."""

    text: str
    handle: Any
    weights: np.ndarray
    nature: Nature
    look: Any = 0  # where a value has a look at the position in which a search begins
    part: Any = 0  # where a value can be had for one seat only

    def look_at(self, state: np.ndarray, seat: int) -> None:
        """Let the value set its weights by the position from which a seat searches."""
        if self.look:
            _look_first(self.look, state, seat, self.weights)


@compiled
def _look_first(look, state, seat, weights):
    look_first(look, pointer(state), seat, pointer(weights))


@dataclass(frozen=True)
class Opening:
    """Who plays the opening for a searcher, and how far, as the game counts progress."""

    agent: str
    until: int


RANDOM = Ready("random", 0, np.zeros(1), Nature())


def value(
    *,
    positive: bool = False,
    total: float = 0.0,
    unit: str = "",
    per_unit: float = 1.0,
    look: Native | None = None,
    **weights: float | Option,
) -> Callable[[Callable[..., Any]], Value]:
    """Make a value out of `function(state, weights, out)`; weights, defaults or options, come in the order named."""
    return lambda function: Value(function, weights, Nature(positive, total, unit, per_unit), look)


def first_look(function: Callable[..., Any]) -> Native:
    """Make a value's look out of `function(state, seat, weights)`: a search lets it set weights before it begins."""
    return Native(function, LOOK)


def policy(**weights: float | Option) -> Callable[[Callable[..., Any]], Policy]:
    """Make a policy out of `function(view, weights, rng)`; weights, defaults or options, come in the order named."""
    return lambda function: Policy(function, POLICY, weights)


def sieve(function: Callable[..., Any]) -> Sieve:
    """Make a sieve out of `function(state, root, rng, moves, n)`, which keeps moves in place; it returns how many."""
    return Sieve(function, SIEVE, {})


def ranking(function: Callable[..., Any]) -> Ranking:
    """Make a ranking out of `function(state, move)`."""
    return Ranking(function, RANKING, {})


def ready(what: str, known: Mapping[str, Knowledge], spec: Spec) -> Ready:
    """Find a value or policy by its text and fill in its weights."""
    if spec.name not in known:
        raise UnknownName(what, spec.name, known)
    found = known[spec.name]
    weights = read_options(spec.name, found.weights, spec)
    numbers = np.array([*map(_as_number, found.weights.values(), weights.values()), 0.0], dtype=np.float64)
    nature = found.nature if isinstance(found, Value) else Nature()
    look = found.look.handle if isinstance(found, Value) and found.look else 0
    part = found.one.handle if isinstance(found, Value) and found.one else 0
    return Ready(str(spec), found.handle, numbers, nature, look, part)
