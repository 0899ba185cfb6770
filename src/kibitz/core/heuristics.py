"""Heuristics of a game, compiled: values evaluate positions, policies choose moves quickly, filters say which moves a
search may leave out, and orders which it tries first.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import isfunction
from inspect import signature as signature_of
from typing import Any, overload

import numpy as np

from kibitz.core.address import Native
from kibitz.core.arrays import Floats, Int64s
from kibitz.core.calls import set_root_weights
from kibitz.core.contract import FILTER, ORDER, POLICY, PREPARE, SEAT_VALUE, TABLE_VALUE, check_arguments, where
from kibitz.core.errors import BadGame, UnknownName
from kibitz.core.native import INTERPRETED, compiled, pointer
from kibitz.core.options import Option, read_options
from kibitz.core.shares import WHOLE
from kibitz.core.spec import Spec

SEAT_FORM = ("state", "weights", "seat")
TABLE_FORM = ("state", "weights", "out")


@dataclass(frozen=True)
class ValueProperties:
    """What a value declares about its numbers with the default weights; `total` holds with any weights."""

    positive: bool = False  # every number is above 0
    total: float = 0.0  # an upper bound on the sum over all seats, none of them below 0; 0 if there is none
    unit: str = ""  # what a lead is measured in
    per_unit: float = 1.0  # the difference between two seats when one leads by one unit
    chances: bool = False  # the numbers are chances to win, which sum to 1

    def lead(self, ahead: float) -> str:
        """Return in words how far one seat is ahead of another, given the difference of their values."""
        return f"{ahead / self.per_unit:.4g}{' ' if self.unit else ''}{self.unit}"


class Heuristic(Native):
    """A compiled value, policy, filter or order with named weights."""

    def __init__(self, function: Callable[..., Any], signature: Any, weights: Mapping[str, float | Option]):
        super().__init__(function, signature)
        self.weights = {name: _as_option(given) for name, given in weights.items()}


def _as_option(weight: float | Option) -> Option:
    return weight if isinstance(weight, Option) else Option(float(weight), "")


def _as_number(option: Option, chosen: Any) -> float:
    """Return a weight as a number for compiled code: a word is its index among the choices."""
    return float(option.encode(chosen) if option.choices else chosen)


class Value(Heuristic):
    """An evaluation of positions, for one seat or for all, with what searches may rely on."""

    def __init__(
        self,
        function: Callable[..., Any],
        weights: Mapping[str, float | Option],
        properties: ValueProperties,
        shares: bool,
        root_weights: Native | None,
    ):
        form = tuple(signature_of(function).parameters)
        if form not in (SEAT_FORM, TABLE_FORM):
            raise BadGame(
                f"{where(function)}: the value {function.__name__} takes ({', '.join(form)}); it must take "
                f"({', '.join(SEAT_FORM)}) and return a number, or ({', '.join(TABLE_FORM)}) and write one a seat"
            )
        self.for_one_seat = form == SEAT_FORM
        super().__init__(function, SEAT_VALUE if self.for_one_seat else TABLE_VALUE, weights)
        self.properties, self.shares, self.root_weights = properties, shares, root_weights

    @property
    def entries(self) -> Any:
        """The value as compiled code takes it; core/calls.py names the entries."""
        entries = (self.handle, 0, int(self.shares)) if self.for_one_seat else (0, self.handle, int(self.shares))
        return entries if INTERPRETED else np.array(entries, dtype=np.int64)


class Policy(Heuristic):
    """Picks a legal move quickly from a view and dice alone."""


class Filter(Heuristic):
    """Keeps some of the legal moves, at least one, for a search that begins with the seat `root`."""


class Order(Heuristic):
    """Says which moves a search should try first."""


@dataclass(frozen=True)
class BoundHeuristic:
    """A value, policy, filter or order with its weights, as compiled code takes it; handle 0 is the random policy."""

    text: str
    handle: Any
    weights: Floats  # [weight], or a packed network
    properties: ValueProperties
    root_weights: Any = 0  # the function that sets the weights of a value by the root position of a search
    native: Native | None = None  # the function itself, to compile it for other machines
    calls: Mapping[int, Native] = field(default_factory=dict)  # what it calls by address, by the weight that holds it

    def prepare(self, state: Int64s, seat: int) -> None:
        """Set the weights of the value by the root position of a seat's search."""
        if self.root_weights:
            _set_root_weights(self.root_weights, state, seat, self.weights)

    def refuse_nan(self, values: Floats) -> None:
        """Refuse NaN, which cannot be compared."""
        if np.isnan(values).any():
            raise BadGame(f"the value {self.text} is not a number here; kibitz check finds the position")


@compiled
def _set_root_weights(function, state, seat, weights):
    set_root_weights(function, pointer(state), seat, pointer(weights))


@dataclass(frozen=True)
class Opening:
    """The agent that plays the opening for a search, and until which progress of the game."""

    agent: str
    until: int


RANDOM = BoundHeuristic("random", 0, np.zeros(1), ValueProperties())


@overload
def value(function: Callable[..., Any], /) -> Value: ...
@overload
def value(
    *,
    positive: bool | None = ...,
    total: float = ...,
    shares: bool = ...,
    unit: str = ...,
    per_unit: float = ...,
    root_weights: Native | None = ...,
    **weights: float | Option,
) -> Callable[[Callable[..., Any]], Value]: ...
def value(
    function: Callable[..., Any] | None = None,
    /,
    *,
    positive: bool | None = None,
    total: float = 0.0,
    shares: bool = False,
    unit: str = "",
    per_unit: float = 1.0,
    root_weights: Native | None = None,
    **weights: float | Option,
) -> Value | Callable[[Callable[..., Any]], Value]:
    """Declare a value: `function(state, weights, seat)` returns what a position is worth to a seat.

    To evaluate all seats at once, write `function(state, weights, out)`. With `shares`, the numbers, none below 0,
    become per cent of their sum, and count as above 0 unless `positive` is False. `weights` come in the order given
    here, each as a default or an Option.
    """
    if shares:
        positive, total, unit = positive is not False, WHOLE, unit or "per cent"

    def made(function: Callable[..., Any]) -> Value:
        return Value(function, weights, ValueProperties(bool(positive), total, unit, per_unit), shares, root_weights)

    return made if function is None else made(_bare_function(function, "value"))


def root_weights(function: Callable[..., Any]) -> Native:
    """Declare what sets the weights of a value before a seat's search: `function(state, seat, weights)`."""
    check_arguments(function, "state, seat, weights", "function for root weights")
    return Native(function, PREPARE)


@overload
def policy(function: Callable[..., Any], /) -> Policy: ...
@overload
def policy(**weights: float | Option) -> Callable[[Callable[..., Any]], Policy]: ...
def policy(
    function: Callable[..., Any] | None = None, /, **weights: float | Option
) -> Policy | Callable[[Callable[..., Any]], Policy]:
    """Declare a policy, `function(view, weights, rng)`; each weight is a default or an Option, in this order."""

    def made(function: Callable[..., Any]) -> Policy:
        check_arguments(function, "view, weights, rng", "policy")
        return Policy(function, POLICY, weights)

    return made if function is None else made(_bare_function(function, "policy"))


def _bare_function(given: Any, what: str) -> Callable[..., Any]:
    """Return the function under a decorator without brackets; anything else is a BadGame."""
    if not isfunction(given):
        raise BadGame(
            f"@{what} is given {given!r:.80}, which has no name; write @{what}(name={given!r:.80}), or @{what}"
        )
    return given


def move_filter(function: Callable[..., Any]) -> Filter:
    """Declare a filter: `function(state, root, rng, moves, n)` keeps moves in place and returns how many."""
    check_arguments(function, "state, root, rng, moves, n", "filter")
    return Filter(function, FILTER, {})


def move_order(function: Callable[..., Any]) -> Order:
    """Declare an order, `function(state, move)`: moves with greater numbers are searched first."""
    check_arguments(function, "state, move", "order")
    return Order(function, ORDER, {})


def bind_weights(what: str, known: Mapping[str, Heuristic], spec: Spec, more: Iterable[str] = ()) -> BoundHeuristic:
    """Find a value, policy, filter or order by its text and set its weights; `more` are further names for the error."""
    if spec.name not in known:
        raise UnknownName(what, spec.name, [*known, *more])
    found = known[spec.name]
    weights = read_options(spec.name, found.weights, spec)
    numbers = np.array([*map(_as_number, found.weights.values(), weights.values()), 0.0], dtype=np.float64)
    if not isinstance(found, Value):
        return BoundHeuristic(str(spec), found.handle, numbers, ValueProperties(), native=found)
    setter = found.root_weights.handle if found.root_weights else 0
    return BoundHeuristic(str(spec), found.entries, numbers, found.properties, setter, found)
