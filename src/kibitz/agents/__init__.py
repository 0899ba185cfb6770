"""Agents choose moves. Each stands in a file that bears its name; `agents.build` finds it.

Packages add agents by entry points of the group `kibitz.agents` (core/plugins.py). Code of other packages is foreign:
it runs where code named by a path runs.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.agents.agent import Agent
from kibitz.agents.book_agent import BOOK, BOOK_OPTION, BookAgent
from kibitz.agents.external_agent import ExternalAgent
from kibitz.agents.hosting import can_host, hosted, runs_here, say_that_none_can_host, trusting
from kibitz.agents.in_memory import AgentInMemory
from kibitz.agents.seated_agents import external
from kibitz.core import plugins
from kibitz.core.address import compile_expected, compiles_nothing, without_code
from kibitz.core.code_on_disk import forecast
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.options import Option, read_options
from kibitz.core.spec import Spec, parse
from kibitz.core.table import check_game
from kibitz.core.user_files import import_path, is_path, printing_on_stderr
from kibitz.networks.net import NET
from kibitz.networks.opening_book import find_book

_NOT_AGENTS = ("__init__", "agent", "book_agent", "external_agent", "hosting", "in_memory", "levels", "seated_agents")
_GROUP = "agents"  # of plugins

AgentLike = str | Spec | type[Agent] | Agent | AgentInMemory  # what `build` takes


@cache
def names() -> list[str]:
    """Return the names of the agents that everybody may use."""
    return sorted([*_own_names(), *(name for name, outside in _brought().items() if not outside)])


@cache
def outside_names() -> list[str]:
    """Return the names of the agents that run other programs or libraries, which not everybody may use."""
    return sorted(name for name, outside in _brought().items() if outside)


@cache
def _own_names() -> list[str]:
    return [path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in _NOT_AGENTS]


def _brought() -> dict[str, bool]:
    """Return the agents that packages add, by name, each with whether it runs other programs or libraries."""
    found = [name for name in plugins.plugins(_GROUP) if name not in _own_names()]
    ours = {plugin.name for plugin, _ in plugins.loaded(_GROUP, ours=True)}
    return {name: not is_foreign(name) and kind(name).OUTSIDE for name in found if name in ours or is_foreign(name)}


def is_foreign(name: str) -> bool:
    """Return whether the code of an agent is not ours: it is named by a path, or another package adds it."""
    plugin = None if is_path(name) or name in _own_names() else plugins.find(_GROUP, name)
    return is_path(name) or (plugin is not None and not plugin.ours)


def package_of(name: str) -> str:
    """Return the package that adds an agent."""
    plugin = plugins.find(_GROUP, name)
    assert plugin is not None
    return f"{plugin.package} {plugin.version}"


def _place(name: str) -> str:
    """Return the folder or file of the package that adds an agent."""
    plugin = plugins.find(_GROUP, name)
    assert plugin is not None
    return plugin.place


def import_roots(paths: Iterable[str]) -> list[str]:
    """Return the folders to import from for those of the paths that hold a package with agents."""
    brought = {plugin.place for plugin in plugins.plugins(_GROUP).values() if not plugin.ours}
    return [str(Path(path).resolve().parent) for path in paths if path in brought]


def _is_known(name: str) -> bool:
    return name in _own_names() or plugins.find(_GROUP, name) is not None


def is_known_to(name: str, game: Game) -> bool:
    """Return whether a name already stands for an agent in a game."""
    return _is_known(name) or name in (*game.agents, *game.policies, NET, "human")


def kind(name: str) -> type[Agent]:
    """Return the class of an agent by its name or, where foreign code may run, by its path."""
    if is_foreign(name) and not runs_here():
        raise BadValue(f"{name} is code that is not Kibitz's, which runs in a host only")
    return _kind(name)


@cache
def _kind(name: str) -> type[Agent]:
    module = _module(name)
    found = [
        member
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, Agent) and member.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise BadValue(f"{name} must hold one class that is an Agent, and it holds {len(found)}")
    if found[0].decide is Agent.decide:
        raise BadValue(f"{name}: class {found[0].__name__} has no method decide(self, view)")
    if is_path(name) and issubclass(found[0], ExternalAgent):
        raise BadValue(f"{name}: class {found[0].__name__} must be an Agent; views are all that it is told")
    if not is_path(name):
        found[0].NAME = name
    return found[0]


def _module(name: str) -> ModuleType:
    if is_path(name):
        return import_module(import_path(name))
    plugin = plugins.find(_GROUP, name, _own_names())
    if plugin is None:
        return import_module(f"{__name__}.{name}")
    return plugin.load()


def declared(name: str) -> Mapping[str, Option]:
    """Return the options of an agent, a book among them; none are known of code that does not run here."""
    if is_foreign(name) and not runs_here():
        return {}
    return {**kind(name).OPTIONS, BOOK: BOOK_OPTION}


def own_paths(text: str | Spec, game: Game) -> list[str]:
    """Return the paths of foreign code that an agent's text names: its own, and those of agents in its options."""
    spec = parse(text) if isinstance(text, str) else text
    if spec.name in game.agents and not _is_known(spec.name):
        spec = _declared_by(game, spec)
    if is_foreign(spec.name):
        place = spec.name if is_path(spec.name) else _place(spec.name)
        return [place, *(path for given in spec.args.values() for path in _existing_paths(given))]
    options = declared(spec.name) if _is_known(spec.name) else {}
    return [
        path for key, given in spec.args.items() if _kind_of(options, key) == "agent" for path in own_paths(given, game)
    ]


def _existing_paths(spec: Spec) -> Iterator[str]:
    """Yield the paths in an option of a foreign agent, whose kind is unknown unless its code runs."""
    if is_path(spec.name) and Path(spec.name).exists():
        yield spec.name
    for given in spec.args.values():
        yield from _existing_paths(given)


def _kind_of(options: Mapping[str, Option], key: str) -> str:
    """Return the kind of an option by its name or position; empty if there is no such option."""
    name = dict(enumerate(options)).get(int(key), "") if key.isdigit() else key
    return options[name].sort if name in options else ""


def runs_apart(text: str | Spec, game: Game) -> bool:
    """Return whether an agent decides in its own process, where nothing it does can harm ours."""
    spec = parse(text) if isinstance(text, str) else text
    name = parse(game.agents[spec.name]).name if spec.name in game.agents else spec.name
    return plugins.find(_GROUP, name) is not None and not is_foreign(name) and issubclass(kind(name), ExternalAgent)


def named(agent: AgentLike) -> str | AgentInMemory:
    """Return the text of an agent, or what stands for a class of the user's and agents built from it."""
    if isinstance(agent, str | Spec):
        return str(agent)
    if isinstance(agent, AgentInMemory):
        return agent
    if isinstance(agent, Agent) and (not is_in_memory(agent) or is_path(parse(agent.text).name)):
        return agent.text
    found = AgentInMemory.of(agent)
    return _found_name(found.kind) if _is_found(found.kind) else found


def is_in_memory(mind: Agent) -> bool:
    """Return whether an agent is of a class of the user's and decides in this process."""
    return not isinstance(mind, ExternalAgent | BookAgent) and not _is_found(type(mind))


def _is_found(found: type[Agent]) -> bool:
    """Return whether Kibitz or a plugin has an agent of this class under a name."""
    name = _found_name(found)
    return _is_known(name) and kind(name) is found


def _found_name(found: type[Agent]) -> str:
    return vars(found).get("NAME") or found.__module__.rsplit(".", 1)[-1]


def build(agent: AgentLike, game: Game, seed: int = 0, trusted: bool = False) -> Agent:
    """Return the agent that a text names, for one game.

    A name that the game declares stands for its text, and options given with it replace those in the text; a policy's
    name alone stands for policy(name=…). Foreign code runs in a host, a process that holds nothing but views, unless it
    is trusted. A class that inherits from Agent may replace the text; it runs here.
    """
    text = agent if isinstance(agent, str | Spec) else named(agent)
    check_game(game)
    if isinstance(text, AgentInMemory):
        _check_prepare(text.name, text.kind.OPTIONS, text.kind)
        return text.build(game, seed)
    spec = parse(text) if isinstance(text, str) else text
    if trusted:
        with trusting():
            return _built(spec, game, seed)
    if runs_here() or runs_apart(spec, game) or not own_paths(spec, game):
        return _built(spec, game, seed)
    if not can_host():
        say_that_none_can_host(spec)
        return build(spec, game, seed, trusted=True)
    agent = _built(hosted(spec), game, seed)
    agent.text = str(spec)
    if (host := external(agent)) is not None:
        host.try_out()
    return agent


def refusal(text: str, game: Game) -> str:
    """Return why an agent of ours does not play a game; empty if it does. Nothing is compiled for that."""
    try:
        with without_code():
            build(text, game.unbound())
    except BadValue as error:
        return str(error)
    return ""


def _built(spec: Spec, game: Game, seed: int) -> Agent:
    """Return an agent whose code runs here."""
    given = str(spec)
    if not _is_known(spec.name) and not is_path(spec.name):
        spec = _declared_by(game, spec)
    options: dict[str, Any] = read_options(spec.name, declared(spec.name), spec)
    book = options.pop(BOOK)
    _check_prepare(spec.name, options, kind(spec.name))
    if not is_foreign(spec.name) and not compiles_nothing():
        forecast.announce(str(game), given, game.rule_names)
        compile_expected()
    try:
        with printing_on_stderr():
            agent = kind(spec.name)(given, game, seed, options)
        if book == BOOK_OPTION.default:
            return agent
        return BookAgent(agent, find_book(game, book), given)
    except MemoryError:
        raise BadValue(f"{given} asks for more memory than this machine gives; name a smaller memory=…") from None


def _check_prepare(name: str, options: Mapping[str, Any], found: type[Agent]) -> None:
    """Refuse an agent whose `prepare` does not take the options that it declares."""
    try:
        signature(found.prepare).bind(None, **options)
    except TypeError as error:
        raise BadValue(f"{name}: prepare must take the options {', '.join(options) or '(none)'}: {error}") from None


def _declared_by(game: Game, spec: Spec) -> Spec:
    if spec.name == "human":
        raise BadValue("a person (human) can only take a seat in a game that is played in the terminal")
    if spec.name in game.agents:
        stands_for = parse(game.agents[spec.name])
        return Spec(stands_for.name, {**stands_for.args, **spec.args})
    if spec.name not in (*game.policies, NET):
        if Path(spec.name).is_file() or Path(f"{spec.name}.py").is_file():
            raise BadValue(
                f"unknown agent {spec.name!r}; an agent in a file is named by its path: ./{Path(spec.name).stem}.py"
            )
        raise UnknownName(
            f"agent for {game.name}", spec.name, [*names(), *outside_names(), *game.agents, *game.policies]
        )
    book = {BOOK: spec.args[BOOK]} if BOOK in spec.args else {}
    weights = {key: given for key, given in spec.args.items() if key != BOOK}
    return Spec("policy", {"name": Spec(spec.name, weights), **book})
