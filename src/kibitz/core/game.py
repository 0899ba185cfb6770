"""A game: rules found in a folder, with seats and options chosen; for people, agents and compiled code alike."""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from kibitz.core import rules as contract
from kibitz.core.errors import BadMove, BadValue, UnknownName
from kibitz.core.knowledge import RANDOM, Opening, Policy, Ranking, Ready, Sieve, Value, ready
from kibitz.core.options import Option, as_text, read_options
from kibitz.core.rules import Native, bind
from kibitz.core.spec import Spec, parse

_SECRETS = ("view", "guess", "seen")


class Game:
    """The rules of one game with its seats and options."""

    def __init__(self, package: str, spec: Spec):
        self.name = spec.name
        self.open = False
        self._package = package
        module = self._module("rules")
        lacking = [name for name in ("VERSION", "SEATS", "SIZE", "MOST_MOVES", "OPTIONS") if not hasattr(module, name)]
        if lacking:
            raise BadValue(f"{spec.name}/rules.py does not say {', '.join(lacking)}; docs/adding-a-game.md tells how")
        self._rules_module = module
        self.version: int = module.VERSION
        self.size: int = module.SIZE
        self.most_moves: int = module.MOST_MOVES
        self.declared = declared_options(module)
        chosen = read_options(self.name, self.declared, spec)
        self.seats: int = chosen.pop("seats", module.SEATS[0])
        self.options: dict[str, Any] = chosen
        encoded = [self.declared[name].encode(value) for name, value in chosen.items()]
        self.encoded_options = np.array([self.seats, *encoded], dtype=np.int64)

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self._package}.{name}")

    def __str__(self) -> str:
        changed = {name: value for name, value in self.options.items() if value != self.declared[name].default}
        if "seats" in self.declared and self.seats != self.declared["seats"].default:
            changed = {"seats": self.seats, **changed}
        args = {name: Spec(as_text(value)) for name, value in changed.items()}
        return str(Spec(self.name, args))

    @cached_property
    def rules(self) -> Any:
        """The rules as compiled code takes them."""
        found = self._rules_found()
        missing = [name for name in contract.REQUIRED if name not in found]
        if missing:
            raise TypeError(f"game {self.name} lacks the rules {', '.join(missing)}")
        turn_cell = getattr(self._rules_module, "TURN_CELL", -1)
        return bind(found, self.size, self.most_moves, self.seats, turn_cell)

    def has(self, rule: str) -> bool:
        """Tell whether the game has an optional rule."""
        return rule in self._rules_found()

    def _rules_found(self) -> dict[str, Native]:
        found = _members(self._rules_module, Native)
        return {name: rule for name, rule in found.items() if name not in _SECRETS} if self.open else found

    def opened(self) -> "Game":
        """Return the same game with nothing hidden, as it is inside a guessed world."""
        twin = copy(self)
        twin.open = True
        twin.__dict__.pop("rules", None)
        return twin

    @property
    def hidden(self) -> bool:
        """Tell whether anything is ever hidden from a seat."""
        return self.has("guess")

    @cached_property
    def values(self) -> dict[str, Value]:
        """The game's evaluation functions by name."""
        return _members(self._module("values"), Value)

    @cached_property
    def policies(self) -> dict[str, Policy]:
        """The game's quick policies by name."""
        return _members(self._module("policies"), Policy)

    @cached_property
    def sieves(self) -> dict[str, Sieve]:
        """What says which moves a search may leave out, by name."""
        return _members(self._module("policies"), Sieve)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """What says which moves a search should try first, by name."""
        return _members(self._module("policies"), Ranking)

    @property
    def agents(self) -> Mapping[str, str]:
        """The agents that the game declares: names that stand for longer texts."""
        return getattr(self._module("policies"), "AGENTS", {})

    @property
    def usual_value(self) -> str:
        """The value that agents use when none is named."""
        return self._module("values").USUAL

    @property
    def usual_width(self) -> int:
        """How many moves a tree search keeps at every position when that is not said; 0 for all."""
        return getattr(self._module("values"), "WIDTH", 0)

    def value(self, spec: Spec | str) -> Ready:
        """Find a value by its text."""
        return ready(f"value of {self.name}", self.values, _as_spec(spec))

    def policy(self, spec: Spec | str) -> Ready:
        """Find a policy by its text; `random` is every game's."""
        spec = _as_spec(spec)
        if spec.name == "random":
            read_options("random", {}, spec)
            return RANDOM
        if spec.name not in self.policies:
            raise UnknownName(f"policy of {self.name}", spec.name, ["random", *self.policies])
        return ready(f"policy of {self.name}", self.policies, spec)

    def sieve(self, spec: Spec | str) -> Ready:
        """Find a sieve by its text."""
        return ready(f"filter of {self.name}", self.sieves, _as_spec(spec))

    def ranking(self, spec: Spec | str) -> Ready:
        """Find a ranking by its text."""
        return ready(f"order of {self.name}", self.rankings, _as_spec(spec))

    @property
    def usual_opening(self) -> Opening | None:
        """The opening play of searchers that do not say otherwise, where the game has one."""
        return getattr(self._module("policies"), "OPENING", None)

    @property
    def progress_unit(self) -> str:
        """What `progress` counts, in words."""
        return getattr(self._rules_module, "PROGRESS", "")

    @property
    def seat_names(self) -> Sequence[str]:
        """What the seats are called."""
        names = getattr(self._rules_module, "SEAT_NAMES", None)
        return names[: self.seats] if names else [f"seat {seat + 1}" for seat in range(self.seats)]

    def write(self, view: np.ndarray, move: int) -> str:
        """Return the text of a legal move."""
        return self._module("notation").write(view, int(move))

    def read(self, view: np.ndarray, legal: Sequence[int], text: str) -> int:
        """Return the legal move that a text names, else a BadMove that lists the choices."""
        notation = self._module("notation")
        wanted = notation.fold(text)
        by_text = {notation.fold(notation.write(view, move)): int(move) for move in legal}
        if wanted in by_text:
            return by_text[wanted]
        shown = ", ".join(notation.write(view, move) for move in legal)
        why = notation.objection(view, text) if hasattr(notation, "objection") else ""
        raise BadMove(f"{why or f'{text!r} is no move here'}; the moves are {shown}")

    def text(self, view: np.ndarray) -> str:
        """Return a view as lines of text for a terminal."""
        return self._module("scene").text(view)

    def scene(self, view: np.ndarray, legal: Sequence[int]) -> Any:
        """Return a view as shapes, with the legal moves on those that may be clicked."""
        return self._module("scene").draw(view, legal)


def declared_options(rules_module: ModuleType) -> dict[str, Option]:
    """Return a game's options; `seats` is one of them where the number can be chosen."""
    least, most = rules_module.SEATS
    options: dict[str, Option] = dict(rules_module.OPTIONS)
    if least == most:
        return options
    default = getattr(rules_module, "USUAL_SEATS", least)
    return {"seats": Option(default, "how many take part", least=least, most=most), **options}


def option_values(game: Game) -> dict[str, Any]:
    """Return a game's options as plain data, seats included where they can be chosen."""
    return {"seats": game.seats, **game.options} if "seats" in game.declared else dict(game.options)


def spec_of(name: str, options: dict[str, Any]) -> Spec:
    """Return the specification of a game from plain data, the inverse of `option_values`."""
    for key, value in options.items():
        if not key.isidentifier() or not isinstance(value, bool | int | float | str):
            raise BadValue(f"{name}: option {key} cannot be {value!r}")
    return Spec(name, {key: Spec(as_text(value)) for key, value in options.items()})


def _as_spec(spec: Spec | str) -> Spec:
    return parse(spec) if isinstance(spec, str) else spec


def _members(module: ModuleType, kind: type) -> dict[str, Any]:
    return {name: member for name, member in vars(module).items() if isinstance(member, kind)}
