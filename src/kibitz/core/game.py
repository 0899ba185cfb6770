"""A game: the rules and other files of a folder, with seats and options chosen."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from kibitz.core import defaults, plugins
from kibitz.core.address import Native, compiles_nothing
from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.code_on_disk import forecast, full_name
from kibitz.core.compile_forecast import RULES
from kibitz.core.contract import CHANCE, GUARD, INTACT, REQUIRED, bind
from kibitz.core.declarations import check_contract, check_declarations, declared_options, seat_range
from kibitz.core.dice import dice
from kibitz.core.errors import BadGame, BadMove, BadValue, KibitzError
from kibitz.core.heuristics import (
    RANDOM,
    BoundHeuristic,
    Filter,
    Heuristic,
    Opening,
    Order,
    Policy,
    Value,
    bind_weights,
)
from kibitz.core.kit.game_scene import GameScene
from kibitz.core.options import as_text, read_options
from kibitz.core.playout import deal_table
from kibitz.core.scene import Scene
from kibitz.core.scoring import Scoring
from kibitz.core.signals import from_outside
from kibitz.core.spec import Spec, parse
from kibitz.core.user_files import explained, import_path, is_path

POSITION = "position"  # the option of every game that has a position.py
Member = TypeVar("Member")
Answer = TypeVar("Answer")
_LONGEST_QUOTED = 60  # characters of a text that is not a move
_SECRETS = ("view", "guess", "seen")


def _told_of(file: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Make an error in one of the game's files a sentence with its file and line."""

    def made(method: Callable[..., Answer]) -> Callable[..., Answer]:
        @wraps(method)
        def told(self: "Game", *given: Any) -> Answer:
            try:
                return method(self, *given)
            except KibitzError:
                raise
            except Exception as error:
                raise BadGame(f"{self.name}: {file}.py fails: {explained(error)}") from error

        return told

    return made


class Game:
    """The rules of one game with its seats and options."""

    def __init__(self, package: str, spec: Spec):
        self.name = spec.name
        self._package = package
        self._files: dict[str, ModuleType | None] = {}
        found = find_spec(f"{package}.rules")
        if found is None:
            raise BadGame(f"{spec.name} has no rules.py, so it is not a game")
        if found.origin:
            check_contract(spec.name, Path(found.origin))
        module = self._module("rules")
        assert module is not None
        check_declarations(spec.name, module)
        self._rules_module = module
        self.version: int = getattr(module, "VERSION", 1)
        self.cells: Cells = module.CELLS
        self.size: int = module.CELLS.size
        self.most_moves: int = module.MOST_MOVES
        self.moves_below: int | None = getattr(module, "MOVES_BELOW", None)  # moves are 0 to one less, if declared
        self.declared = declared_options(module)
        self.position = ""  # the text of the position to start from, if that is not a deal
        if POSITION in spec.args and POSITION not in self.declared:
            self.position = _plain_text(spec.args[POSITION])
            spec = Spec(spec.name, {key: arg for key, arg in spec.args.items() if key != POSITION})
        chosen = read_options(self.name, self.declared, spec)
        self.seats: int = chosen.pop("seats", seat_range(module)[0])
        self.options: dict[str, Any] = chosen
        refusal = self._ask_about_options("refuse")
        if not isinstance(refusal, str | None):
            raise BadGame(f"{self.name}: the function refuse returned {refusal!r}; it returns a sentence, or nothing")
        if refusal:
            raise BadValue(f"{self.name}: {refusal}")
        self.scoring = self._declared_scoring()
        self.open = bool(self._ask_about_options("is_open"))  # whether nothing is hidden with these options
        encoded = [self.declared[name].encode(value) for name, value in chosen.items()]
        self.encoded_options = np.array([self.seats, *encoded], dtype=np.int64)
        self._deal: Native | None = None  # what deals in place of the rule
        if self.position:
            self._start_from_position()

    def _declared_scoring(self) -> Scoring:
        """Return what counts: PAYOFF, what the function `scoring` says of these options, or else wins."""
        payoff = self._ask_about_options("scoring") or getattr(self._rules_module, "PAYOFF", None)
        total, shared = (getattr(self._rules_module, name, None) for name in ("PAYOFF_SUM", "SHARED"))
        return Scoring.declared(self.name, payoff, total, bool(shared), self.seats)

    def _start_from_position(self) -> None:
        """Make every deal the position of the text; only the chance left in it differs."""
        reader = self._module("position")
        if reader is None:
            raise BadValue(f"{self.name} has no position.py, so no position can be given as text")
        dealt = self.new_state()
        deal_table(self.rules, dealt, self.encoded_options, dice(0))
        state = reader.read(self.position, dealt[: self.size].copy())
        seat = int(state[self.cells["SEAT"]])
        if not 0 <= seat < self.seats and not (seat == CHANCE and self.chance):
            raise BadValue(f"{self.name}: nobody is to move in the position {self.position!r}")
        self.encoded_options = np.array([self.size, *state.tolist()], dtype=np.int64)
        self._deal = _members(reader, Native).get("deal", defaults.deal)
        del self.__dict__["rules"]

    def _module(self, name: str) -> ModuleType | None:
        """Return one of the game's files as a module; None if there is no such file."""
        if name not in self._files:
            full = f"{self._package}.{name}"
            try:
                self._files[name] = import_module(full) if find_spec(full) is not None else None
            except KibitzError as error:
                if ", line " in str(error):
                    raise
                raise BadGame(explained(error)) from error
            except BaseException as error:
                if from_outside(error):
                    raise
                why = f"{explained(error)}{_names_in_order(error)}"
                raise BadGame(f"{self.name}: {name}.py cannot be imported: {why}") from error
        return self._files[name]

    def members(self, file: str, kind: type[Member]) -> dict[str, Member]:
        """Return what one of the game's files declares of a kind, by name, and then what extensions add."""
        found: dict[str, Member] = {}
        for home in (self._module(file), *self._extensions):
            found |= {name: one for name, one in _members(home, kind).items() if name not in found}
        return found

    @cached_property
    def _extensions(self) -> list[ModuleType]:
        """The modules that packages add to the game."""
        return [module for _, module in plugins.loaded("extensions", prefix=f"{self.name}.")]

    @property
    def folder(self) -> Path:
        """The folder of the game's files."""
        return Path(self._rules_module.__file__ or "").parent

    def file(self, name: str) -> Path | None:
        """Return the path of one of the game's files, such as scene; None if there is no such file."""
        module = self._module(name)
        return None if module is None or module.__file__ is None else Path(module.__file__).resolve()

    @property
    def seat_range(self) -> tuple[int, int]:
        """The least and the greatest number of seats, whatever the options."""
        return seat_range(self._rules_module)

    def _ask_about_options(self, function: str) -> Any:
        """Return what a function of rules.py says about the chosen options; None if there is no such function."""
        ask = getattr(self._rules_module, function, None)
        chosen = {"seats": self.seats, **self.options}
        try:
            return ask(chosen) if ask else None
        except Exception as error:
            named = ", ".join(f"options[{name!r}]" for name in chosen)
            takes = f"it gets the options by name: {named}"
            raise BadGame(f"{self.name}: the function {function} fails; {takes}: {explained(error)}") from error

    def __str__(self) -> str:
        changed = {name: value for name, value in self.options.items() if value != self.declared[name].default}
        if "seats" in self.declared and self.seats != self.declared["seats"].default:
            changed = {"seats": self.seats, **changed}
        args = {name: Spec(as_text(value)) for name, value in changed.items()}
        if self.position:
            args[POSITION] = Spec(self.position)
        return str(Spec(self.name, args))

    def __repr__(self) -> str:
        secrets = "with secrets" if self.hidden else "with chance in the open" if self.chance else "open"
        return f"<game {self}: {self.seats} seats, {secrets}, version {self.version}>"

    def __copy__(self) -> "Game":
        return self  # nothing in it ever changes

    def __deepcopy__(self, memo: dict[int, object]) -> "Game":
        return self

    def __reduce__(self) -> tuple[Callable[[str, str, bool], "Game"], tuple[str, str, bool]]:
        return _found_again, (self._package, str(self), self.open)  # addresses mean nothing in another process

    @cached_property
    def rules(self) -> Any:
        """The rules as compiled code takes them."""
        found = self.found_rules()
        missing = [name for name in REQUIRED if name not in found]
        if missing:
            raise BadGame(f"{self.name}: rules.py lacks the rules {', '.join(missing)}")
        if not compiles_nothing():
            forecast.announce(str(self), RULES, self.rule_names)
        return bind(found, self.size, self.most_moves, self.seats, self.cells["SEAT"], self.scoring)

    def rule_names(self) -> list[str]:
        """Return the names of the functions of the rules, with their modules."""
        return [full_name(rule.function) for rule in self.found_rules().values()]

    def has(self, rule: str) -> bool:
        """Return whether the game has an optional rule or hint."""
        return rule in self.found_rules()

    def rule(self, name: str) -> Native:
        """Return a rule as it is declared."""
        return self._rules_declared[name]

    def found_rules(self) -> dict[str, Native]:
        """Return the rules and hints that hold with these options, by name."""
        found = dict(self._rules_declared)
        if self._deal is not None:
            found["deal"] = self._deal
        return {name: rule for name, rule in found.items() if name not in _SECRETS} if self.open else found

    @cached_property
    def _rules_declared(self) -> dict[str, Native]:
        return _members(self._rules_module, Native) | _members(self._module("hints"), Native)

    def opened(self) -> "Game":
        """Return the same game with nothing hidden, as in a guessed world."""
        twin = self.unbound()
        twin.open = True
        return twin

    def unbound(self) -> "Game":
        """Return the same game, for which no addresses of compiled rules have been looked up yet."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.__dict__.pop("rules", None)
        return twin

    @property
    def hidden(self) -> bool:
        """Whether anything can be hidden from a seat."""
        return self.has("guess")

    @property
    def chance(self) -> bool:
        """Whether chance moves: whether the game has the rule odds."""
        return self.has("odds")

    @property
    def secret(self) -> bool:
        """Whether the seed of a game tells what nobody may know before it is over: hidden cards, or rolls to come."""
        return self.hidden or self.chance

    def listed_deals(self) -> list[tuple[int, Int64s]] | None:
        """Return all deals with their weights, where rules.py lists them by a function `deals`; else None."""
        lister = getattr(self._rules_module, "deals", None)
        if lister is None or self.position:
            return None
        dealt = self.new_state()
        deal_table(self.rules, dealt, self.encoded_options, dice(0))
        found = lister({"seats": self.seats, **self.options}, dealt[: self.size].copy())
        return [(int(weight), np.asarray(cells, dtype=np.int64)) for weight, cells in found]

    def new_state(self) -> Int64s:
        """Return the cells of a new state, all 0, with a guard after them."""
        cells = np.zeros(self.size + GUARD, dtype=np.int64)
        cells[self.size :] = INTACT
        return cells

    def new_moves(self) -> Int64s:
        """Return room for a list of moves, with a guard after it."""
        return np.zeros(self.most_moves + GUARD, dtype=np.int64)

    @cached_property
    def values(self) -> dict[str, Value]:
        """The game's evaluation functions by name; `zero` if it has none."""
        return self.members("values", Value) or {"zero": defaults.zero}

    @cached_property
    def policies(self) -> dict[str, Policy]:
        """The game's policies by name."""
        return self.members("policies", Policy)

    @cached_property
    def filters(self) -> dict[str, Filter]:
        """The game's filters by name: which moves a search may leave out."""
        return self.members("hints", Filter)

    @cached_property
    def orders(self) -> dict[str, Order]:
        """The game's move orders by name: which moves a search tries first."""
        return self.members("hints", Order)

    @property
    def agents(self) -> Mapping[str, str]:
        """The agents that the game declares: the text of each by name; it may depend on the options."""
        homes = [module for module in (self._module("policies"), *self._extensions) if module is not None]
        declared = {name: text for home in homes for name, text in self._texts_of(home, "AGENTS").items()}
        chosen = {"seats": self.seats, **self.options}
        return {name: text if isinstance(text, str) else text(chosen) for name, text in declared.items()}

    @property
    def levels(self) -> Mapping[str, str]:
        """The opponents that the game declares for people: the text of an agent by level."""
        return self._texts_of(self._module("policies"), "LEVELS")

    def _texts_of(self, module: ModuleType | None, declaration: str) -> Mapping[str, Any]:
        """Return texts by name, as policies.py declares them."""
        given = getattr(module, declaration, {})
        if not isinstance(given, Mapping):
            raise BadGame(
                f"{self.name}: {declaration} of policies.py is {given!r:.60}; it must be a dictionary of texts"
            )
        return given

    @property
    def usual_value(self) -> str:
        """The value that agents use by default."""
        return getattr(self._module("values"), "USUAL", next(iter(self.values)))

    @property
    def usual_width(self) -> int:
        """How many moves a tree search keeps in each position by default; 0 for all."""
        return getattr(self._module("hints"), "WIDTH", 0)

    @property
    def usual_opening(self) -> Opening | None:
        """How searches open by default; None if the game declares nothing."""
        return getattr(self._module("hints"), "OPENING", None)

    def value(self, spec: Spec | str) -> BoundHeuristic:
        """Find a value by its text."""
        return self._found("value", self.values, _as_spec(spec))

    def policy(self, spec: Spec | str) -> BoundHeuristic:
        """Find a policy by its text; every game has `random`."""
        spec = _as_spec(spec)
        if spec.name == "random":
            read_options("random", {}, spec)
            return RANDOM
        return self._found("policy", self.policies, spec)

    def filter(self, spec: Spec | str) -> BoundHeuristic:
        """Find a filter by its text."""
        return bind_weights(f"filter of {self.name}", self.filters, _as_spec(spec))

    def order(self, spec: Spec | str) -> BoundHeuristic:
        """Find an order by its text."""
        return self._found("order", self.orders, _as_spec(spec))

    def _found(self, kind: str, known: Mapping[str, Heuristic], spec: Spec) -> BoundHeuristic:
        """Find what the game declares, or what a plugin makes of a text such as net(file)."""
        plugin = None if spec.name in known else plugins.find("values", spec.name)
        if plugin is None:
            more = ["random"] if kind == "policy" else []
            return bind_weights(f"{kind} of {self.name}", known, spec, more)
        make = getattr(plugin.load(), kind, None)
        if make is None:
            raise BadValue(f"{plugin} makes no {kind}")
        bound: BoundHeuristic = make(self, spec)
        return bound

    @property
    def normal_form(self) -> Callable[[Int64s], tuple[bytes, Callable[[int], int]]] | None:
        """The function that maps a view to a form that symmetric views share, and to the names of moves in it."""
        return getattr(self._module("symmetries"), "normal_form", None)

    @property
    def sentence(self) -> str:
        """The game in a sentence: the first line of the docstring of its rules, without the name."""
        first = self.rules_docstring.partition("\n")[0]
        return first.partition(": ")[2] or first

    @property
    def rules_docstring(self) -> str:
        """The docstring of rules.py."""
        return (self._rules_module.__doc__ or "").strip()

    @property
    def rules_text(self) -> str:
        """The rules in prose, as Markdown: README.md or else the docstring of rules.py."""
        readme = self.folder / "README.md"
        try:
            return readme.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return self.rules_docstring

    @property
    def seat_names(self) -> Sequence[str]:
        """The names of the seats."""
        names = getattr(self._rules_module, "SEAT_NAMES", None)
        return names[: self.seats] if names else [f"seat {seat + 1}" for seat in range(self.seats)]

    @cached_property
    def _notation(self) -> Any:
        return self._module("notation") or defaults.Numbers

    @cached_property
    def _scene(self) -> GameScene:
        return GameScene(self, self._module("scene"), self._rules_module)

    @_told_of("notation")
    def write(self, view: Int64s, move: int) -> str:
        """Return the text of a legal move."""
        return str(self._notation.write(view, int(move)))

    @_told_of("notation")
    def read(self, view: Int64s, legal: Sequence[int], text: str) -> int:
        """Return the legal move that a text names; any other text is a BadMove that lists the moves."""
        notation = self._notation
        wanted = notation.fold(text)
        by_text = {notation.fold(notation.write(view, move)): int(move) for move in legal}
        if wanted in by_text:
            return by_text[wanted]
        shown = ", ".join(notation.write(view, move) for move in legal)
        text = text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…"
        why = notation.objection(view, text) if hasattr(notation, "objection") else ""
        raise BadMove(f"{why or f'{text!r} is not a move here'}; the moves are {shown}")

    @property
    def passes(self) -> Collection[int]:
        """The moves that only pass the turn."""
        return getattr(self._notation, "PASSES", ())

    @property
    def tells_draws(self) -> bool:
        """Whether the game can say why it was drawn."""
        return hasattr(self._notation, "drawn_by")

    def drawn_by(self, view: Int64s) -> str:
        """Return why a game was drawn, such as `fourfold repetition`; empty if the game does not tell.

        `view` is the last position: the true state, or the view of any seat.
        """
        if not self.tells_draws:
            return ""
        try:
            return str(self._notation.drawn_by(view))
        except Exception as error:
            raise BadGame(f"{self.name}: drawn_by in notation.py fails: {explained(error)}") from error

    def position_text(self, state: Int64s) -> str:
        """Return the text of a position to start from; a BadValue says why there is none."""
        writer = self._module("position")
        if writer is None:
            raise BadValue(f"{self.name} has no position.py, so no position can be written as text")
        return str(writer.write(state))

    @cached_property
    def _fields(self) -> Any:
        return self._module("fields") or defaults.NamedFields(self.cells)

    @_told_of("fields")
    def fields(self, view: Int64s, seat: int) -> dict[str, Any]:
        """Return a seat's view as plain data by name; what is hidden is None."""
        return dict(self._fields.fields(view, seat))

    @_told_of("fields")
    def texts(self, view: Int64s, legal: Sequence[int]) -> list[str]:
        """Return the texts of legal moves."""
        if hasattr(self._fields, "texts"):
            return list(self._fields.texts(view, legal))
        write = self._notation.write
        return [write(view, move) for move in legal]

    @_told_of("scene")
    def text(self, view: Int64s) -> str:
        """Return a view as lines of text for a terminal."""
        return self._scene.text(view)

    @property
    def paint(self) -> Mapping[str, str]:
        """How to colour the text of a view: terminal styles by regular expression."""
        return self._scene.paint

    @_told_of("scene")
    def changes(self, before: Int64s, after: Int64s) -> list[str]:
        """Return what a move changed, in words, from the views of one seat before and after it."""
        return self._scene.changes(before, after)

    @property
    def events(self) -> Mapping[str, str]:
        """The events that can be counted in a game, with a title each."""
        return getattr(self._module("events"), "EVENTS", {})

    def events_of(self, before: Int64s, move: int, after: Int64s) -> Iterator[tuple[str, int, float]]:
        """Yield the events of a move, from the true states before and after it: name, seat, amount."""
        module = self._module("events")
        return module.events(before, move, after) if module else iter(())

    @_told_of("scene")
    def asked(self, view: Int64s) -> str:
        """Return what the declared scene asks the seat to move; empty if it asks nothing."""
        return self._scene.asked(view)

    @_told_of("scene")
    def scene(self, view: Int64s, legal: Sequence[int]) -> Scene:
        """Return a view as shapes; those that may be clicked carry legal moves."""
        return self._scene.picture(view, legal)


@lru_cache(maxsize=64)
def _found_again(package: str, text: str, is_open: bool) -> Game:
    """Return a game that was pickled, by its name or path."""
    spec = parse(text)
    game = Game(import_path(spec.name) if is_path(spec.name) else package, spec)
    return game.opened() if is_open and not game.open else game


def option_values(game: Game) -> dict[str, Any]:
    """Return a game's options as plain data, with its seats if they can be chosen and its position if it has one."""
    seats = {"seats": game.seats} if "seats" in game.declared else {}
    return {**seats, **game.options, **({POSITION: game.position} if game.position else {})}


def spec_of(name: str, options: dict[str, Any]) -> Spec:
    """Return the specification of a game from plain data, the inverse of `option_values`."""
    for key, value in options.items():
        if not key.isidentifier() or not isinstance(value, bool | int | float | str):
            raise BadValue(f"{name}: option {key} cannot be {value!r}")
    return Spec(name, {key: Spec(as_text(value)) for key, value in options.items()})


def _names_in_order(error: BaseException) -> str:
    """Return how to unpack the cells, as the end of a sentence, if a line that does so failed."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    declared = step.tb_frame.f_globals.get("CELLS") if step else None
    if not isinstance(error, ValueError) or not isinstance(declared, Cells):
        return ""
    return f"; all names of the cells, in the order declared: {', '.join(declared.starts)} = CELLS"


def _plain_text(given: Spec) -> str:
    if given.args or "'" in given.name or '"' in given.name:
        raise BadValue(f"a position is a text in quotes, without quotes in it, not {given}")
    return " ".join(given.name.split())


def _as_spec(spec: Spec | str) -> Spec:
    return parse(spec) if isinstance(spec, str) else spec


def _members(module: ModuleType | None, kind: type[Member]) -> dict[str, Member]:
    return {name: member for name, member in vars(module).items() if isinstance(member, kind)} if module else {}
