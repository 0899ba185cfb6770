"""The allowlist: the games and agents that browsers may name, and the only way from a browser's text to either.

Code runs only if it came with Kibitz or if the owner of the server named it: by a path, or as the text of an agent
under a new name (`mybot=bot(cmd='python3 mybot.py')`), to which a browser adds nothing. Paths in a browser's text are
refused before anything looks at the disk.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from kibitz import agents, games
from kibitz.agents.levels import opponent
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import around_no_walls
from kibitz.bots.sandbox.sandbox import better_walls, without_walls
from kibitz.core.errors import UnknownName
from kibitz.core.game import POSITION, Game, spec_of
from kibitz.core.level import LEVELS
from kibitz.core.options import Option, as_text, read_options
from kibitz.core.spec import Spec, parse
from kibitz.core.user_files import existing, is_network_path, is_path
from kibitz.web.http_answers import OptionEntry
from kibitz.web.messages import GameChoice, RequestRefused

# The most that an agent named by a browser may spend on a move, by the name of the option.
MOST = {
    "seconds": 10.0, "iterations": 1_000_000, "playouts": 20_000, "nodes": 100_000_000, "depth": 60, "memory": 256,
    "worlds": 200, "trees": 8, "threads": 1,
}  # fmt: skip
LONGEST_TEXT = 4000  # characters of a game or agent named by a browser
MOST_OPTIONS = 50
NAMED = re.compile(r"([A-Za-z][\w-]{0,31})=(.+)", re.ASCII)  # an agent that the owner adds under a name
BUDGETS = ("depth", "iterations", "nodes")  # with one of them named, `seconds` is a second limit


class Allowlist:
    """What browsers may name."""

    def __init__(self, own_games: Sequence[str] = (), own_agents: Sequence[str] = (), public: bool = False):
        self._public = public  # whether others than the owner can reach the server
        self._loose: dict[tuple[str, str], bool] = {}  # by agent and game: whether no walls keep secrets from it
        self._games = {name: name for name in games.names()} | _by_label(own_games, "game")
        named = [match for text in own_agents if (match := NAMED.fullmatch(text.strip()))]
        self._agents = _by_label([text for text in own_agents if not NAMED.fullmatch(text.strip())], "agent")
        self._named = _by_name([(match[1], match[2]) for match in named], self._agents)

    @property
    def games(self) -> list[str]:
        """The names of the games, those that come with Kibitz first."""
        return list(self._games)

    def own_agents(self) -> list[str]:
        """Return the names of the agents that the owner has added."""
        return [*self._named, *self._agents]

    def text(self, wanted: str | GameChoice, position: str | None = None) -> str:
        """Return the text by which the library finds the game that a browser asks for."""
        spec = _parsed(wanted) if isinstance(wanted, str) else _spec(wanted)
        name = spec.name.removeprefix("./")  # as the record of a game by path names it
        if name not in self._games:
            raise UnknownName("game", spec.name, self._games)
        args = dict(spec.args)
        if position is not None:
            if "'" in position or '"' in position or not position.strip():
                raise RequestRefused("a position is a text without quotes in it")
            args[POSITION] = Spec(" ".join(position.split()))
        return str(Spec(self._games[name], args))

    def label(self, game: Game) -> str:
        """Return the name of a game as browsers know it."""
        return next((label for label, path in self._games.items() if path == game.name), Path(game.name).name)

    def shown(self, game: Game, with_position: bool) -> str:
        """Return the text of a game as browsers know it; a position in it may tell secrets."""
        spec = parse(str(game))
        args = {key: arg for key, arg in spec.args.items() if with_position or key != POSITION}
        return str(Spec(self.label(game), args))

    def agent(self, text: str, game: Game) -> str:
        """Return the text by which the library builds the agent that a browser asks for, its budgets bounded."""
        spec = _parsed(text)
        if spec.name in self._named:
            if spec.args:
                raise RequestRefused(
                    f"{spec.name} takes no options; it plays as the owner of this server has set it up"
                )
            found = str(spec)
        else:
            _refuse_foreign(spec)
            found = str(self._bounded(spec, game, self._known(game)))
        if self.is_loose(found, game):
            raise RequestRefused(
                f"{spec.name} may not play {self.label(game)} here: no walls keep secrets from it, and others can "
                f"reach this server; {better_walls()}"
            )
        return found

    def is_loose(self, text: str, game: Game) -> bool:
        """Return whether an agent may not play a game here: others reach this server, and no walls keep secrets."""
        return self._public and game.secret and self._has_no_walls(text, game)

    def caution(self, texts: Sequence[str], game: Game) -> str:
        """Return what people must know of agents that could find out what is hidden in a game; else nothing."""
        loose = [self.shown_agent(text) for text in dict.fromkeys(texts) if self._has_no_walls(text, game)]
        return without_walls(loose) if loose else ""

    def _has_no_walls(self, text: str, game: Game) -> bool:
        key = text, str(game)
        if key not in self._loose:
            self._loose[key] = bool(around_no_walls(game, [self.meant(text)], Limits()))
        return self._loose[key]

    def meant(self, text: str) -> str:
        """Return the text of an agent as the library builds it; a name that the owner gave stands for another text."""
        return self._named.get(text, text)

    def is_program(self, text: str) -> bool:
        """Return whether an agent runs other programs, which are told what has happened in the game."""
        return parse(self.meant(text)).name in agents.outside_names()

    def level(self, level: str, game: Game) -> str:
        """Return the agent of a level."""
        if level not in LEVELS:
            raise UnknownName("level", level, LEVELS)
        return opponent(game, level)

    def shown_agent(self, text: str) -> str:
        """Return the text of an agent without the paths of this machine."""
        return str(self._labelled(parse(text)))

    def _labelled(self, spec: Spec) -> Spec:
        label = next((label for label, path in self._agents.items() if path == spec.name), spec.name)
        return Spec(label, {key: self._labelled(given) for key, given in spec.args.items()})

    def _known(self, game: Game) -> list[str]:
        return [*agents.names(), *game.agents, *game.policies, *self._agents]

    def _bounded(self, spec: Spec, game: Game, known: Sequence[str]) -> Spec:
        if spec.name not in known:
            raise UnknownName(f"agent for {self.label(game)}", spec.name, known)
        if spec.name in self._agents:
            return Spec(
                self._agents[spec.name], {key: _at_most(spec.name, key, given) for key, given in spec.args.items()}
            )
        if spec.name in game.agents:
            stands_for = parse(game.agents[spec.name])
            meant = Spec(stands_for.name, {**stands_for.args, **spec.args})
            return self._bounded(meant, game, known) if spec.args else spec
        if spec.name not in agents.names():
            return spec  # a policy
        declared = agents.declared(spec.name)
        names = {
            key: list(declared)[int(key)] if key.isdigit() and int(key) < len(declared) else key for key in spec.args
        }
        args: dict[str, Spec] = {}
        for key, given in spec.args.items():
            nested = names[key] in declared and declared[names[key]].sort == "agent" and given.name != "none"
            args[key] = self._bounded(given, game, known) if nested else _at_most(spec.name, names[key], given)
        named = {*names.values()}
        if "seconds" in declared and "seconds" not in named and named & {*BUDGETS}:
            args["seconds"] = Spec(as_text(MOST["seconds"]))
        return Spec(spec.name, args)


def _at_most(agent: str, name: str, given: Spec) -> Spec:
    """Return the value of an option, limited if it has no limit; more than a browser may ask for is refused."""
    if name not in MOST or given.args:
        return given
    most = as_text(MOST[name])
    if given.name == "none":
        return Spec(most)
    try:
        number = float(given.name)
    except ValueError:
        return given  # which is refused when the agent is built
    if not number <= MOST[name]:
        raise RequestRefused(f"{agent}: {name}={given} is too much in the browser; {name} is at most {most} here")
    return Spec(most) if number == 0 and name in BUDGETS else given


def _refuse_foreign(spec: Spec) -> None:
    """Refuse paths and agents that run other programs, anywhere in a text."""
    if is_network_path(spec.name) or "\\" in spec.name:
        raise RequestRefused(
            f"{spec.name!r:.80} is a path; a browser names agents, values and policies by their names alone"
        )
    if spec.name in agents.outside_names():
        raise RequestRefused(f"{spec.name} runs other programs, which a browser cannot ask for")
    for inner in spec.args.values():
        _refuse_foreign(inner)


def _parsed(text: str) -> Spec:
    if len(text) > LONGEST_TEXT:
        raise RequestRefused(f"a text of {len(text):,} characters is too long; {LONGEST_TEXT:,} are allowed")
    return parse(text)


def _spec(choice: GameChoice) -> Spec:
    if len(choice.options) > MOST_OPTIONS:
        raise RequestRefused(f"{len(choice.options):,} options are too many; {MOST_OPTIONS} are allowed")
    if any(len(str(value)) > LONGEST_TEXT for value in (*choice.options, *choice.options.values())):
        raise RequestRefused(f"an option is too long; {LONGEST_TEXT:,} characters are allowed")
    return spec_of(choice.name, dict(choice.options)) if choice.options else Spec(choice.name)


def _by_name(named: Sequence[tuple[str, str]], others: dict[str, str]) -> dict[str, str]:
    """Return texts of agents by the names that their owner gave them."""
    found: dict[str, str] = {}
    for name, text in named:
        known = [*agents.names(), *agents.outside_names()]
        if name in (*known, *others, *found):
            raise RequestRefused(f"there is an agent {name} already; give this one another name")
        spec = parse(text)
        if is_path(spec.name):
            existing(spec.name)
        elif spec.name not in known:
            raise UnknownName("agent", spec.name, known)
        elif not agents.is_foreign(spec.name):
            read_options(spec.name, agents.declared(spec.name), spec)
        found[name] = text
    return found


def _by_label(paths: Sequence[str], what: str) -> dict[str, str]:
    """Return paths by the name that browsers see; one that is not there is a BadValue."""
    found: dict[str, str] = {}
    for path in paths:
        name = path if is_path(path) else f"./{path}"
        label = existing(name).resolve().stem
        if label in found:
            raise RequestRefused(f"two {what}s are called {label}; rename one of them")
        found[label] = str(Path(name).resolve())
    return found


def option_entry(name: str, option: Option) -> OptionEntry:
    """Return an option as a form needs it."""
    return OptionEntry(
        name=name, default=option.shown, help=option.help, sort=option.sort, takes=option.allowed,
        choices=list(option.choices), least=option.least, most=option.most,
    )  # fmt: skip
