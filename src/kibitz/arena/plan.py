"""The plan of a tournament: a small TOML file, read and checked as a whole before the first game."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.agents import build
from kibitz.agents.human import Human
from kibitz.arena.fixture import Fixture
from kibitz.arena.limits import Limits
from kibitz.arena.schedule import (
    LONGEST_OPENING,
    SCHEMES,
    Seating,
    check_opening,
    deal_hashes,
    schedule,
    seatings,
    usual_opening,
)
from kibitz.arena.statistics.stopping import StopRule
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.files import fingerprint, paths_in
from kibitz.core.game import Game
from kibitz.core.spec import parse
from kibitz.games import find

USUAL_GAMES = 1000
MOST_GAMES = 1_000_000_000
MOST_SEED = 2**64 - 1
MOST_LIMIT = 1_000_000_000

EXAMPLE = """\
# A tournament of Kibitz. Play it with:  kibitz tournament FILE --db results.db
# Only `game` and `agents` are needed; everything else is shown with what it is by default, or commented out.

game = "quarto"            # with options if need be: "cartagena(seats=4, version=jamaica)"
agents = ["random", "novice", "greedy(value=completing_absolute)"]

# Who meets whom:
#   round-robin          every seating of the agents
#   gauntlet             the hero against the field, in every seat
#   one-against-copies   one agent in every seat against copies of another: the hero, or each in turn
#   fixed                the agents keep the seats in which they are listed
#   self-play            copies of each agent among themselves: what are the seats worth?
scheme = "round-robin"
# hero = "novice"          # for gauntlet, one-against-copies and stop; the first agent if not named

games = 1000               # in all; rounded up so that every seating is played equally often
seed = 1                   # the same seed gives the same games
openings = "auto"          # random plies before the agents take over; "auto": none where deals differ anyway

# Stop as soon as it is clear whether the hero is better than its opponents, by the sequential test of Wald:
# stop = { better = "+3 %", alpha = 0.05, beta = 0.05 }

# hooks = ["my_hooks.py"]  # Python files with before(plan), after(game) and summary(), for statistics of your own

[limits]                   # an agent that breaks one loses its game; without a line there is no such limit
# move_seconds = 1.0       # for one move
# game_seconds = 60.0      # for all moves of a seat in one game
# increment = 0.5          # seconds added to that clock after each move
# nodes = 100000           # positions searched for one move
# plies = 500              # moves of all seats in one game, which is then a draw
# memory = 2000            # MB that the agents of a game may take together
# start_seconds = 60.0     # to build an agent, where there is a clock
"""


@dataclass(frozen=True)
class Plan:
    """What is played in a tournament, checked; two equal plans give the same games."""

    game: Game
    agents: tuple[str, ...]
    scheme: str = "round-robin"
    hero: int | None = None
    games: int = USUAL_GAMES
    seed: int = 1
    openings: int = 0
    stop: dict[str, Any] | None = None
    limits: Limits = field(default_factory=Limits)
    hooks: tuple[str, ...] = ()

    @cached_property
    def seatings(self) -> list[Seating]:
        """The seatings that are played equally often; together they are a block."""
        return seatings(self.scheme, len(self.agents), self.game.seats, self.hero)

    @property
    def hero_meets_others(self) -> bool:
        """Tell whether the hero, the first agent if none is named, has opponents other than itself."""
        return any((self.hero or 0) in table and len(set(table)) > 1 for table in self.seatings)

    @property
    def planned(self) -> int:
        """How many games there will be: whole blocks."""
        return -(-self.games // len(self.seatings)) * len(self.seatings)

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games to be played."""
        return schedule(self.game, len(self.agents), self.seatings, self.planned, self.seed, self.openings)

    def deals(self, numbers: np.ndarray) -> np.ndarray:
        """Return a hash of the deal on which each of these games is played."""
        return deal_hashes(self.game, self.seed, numbers // len(self.seatings))

    def data(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "game": str(self.game),
            "seats": list(self.game.seat_names),
            "agents": list(self.agents),
            "scheme": self.scheme,
            "hero": None if self.hero is None else self.agents[self.hero],
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings,
            "stop": self.stop,
            "limits": asdict(self.limits),
            "hooks": list(self.hooks),
        }

    @cached_property
    def run(self) -> str:
        """The name of its run: equal for plans whose games are equal, however many of them there are to be."""
        identity = self.data() | {"kibitz": __version__, "version": self.game.version, "code": self._own_code()}
        for name in ("games", "stop", "hooks"):
            del identity[name]
        text = json.dumps(identity, sort_keys=True)
        return f"{Path(self.game.name).name}-{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}"

    def _own_code(self) -> list[str]:
        """Fingerprints of the user's own games and agents: with other code it is another run."""
        return [fingerprint(name) for text in (str(self.game), *self.agents) for name in paths_in(text)]


def read_plan(path: Path | None, flags: Mapping[str, Any]) -> Plan:
    """Read a plan from a TOML file, or from flags alone; flags that are not None go before the file, line by line."""
    where = "the flags" if path is None else str(path)
    given = {} if path is None else _toml(path)
    for name, value in flags.items():
        if value is not None:
            both = isinstance(value, dict) and isinstance(given.get(name), dict)
            given[name] = given[name] | value if both else value
    try:
        return _checked(given)
    except BadValue as error:
        raise BadValue(f"{where}: {error}") from None
    except UnknownName as error:
        raise BadValue(f"{where}: {error}") from None


def _toml(path: Path) -> dict[str, Any]:
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        repr(given)  # what cannot be shown could not be complained of either
        return given
    except OSError as error:
        raise BadValue(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadValue(f"{path} is not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise BadValue(f"cannot read {path}: a number in it has too many digits, or it is nested too deep") from None


def _checked(given: Mapping[str, Any]) -> Plan:
    known = [entry.name for entry in fields(Plan)]
    for name in given:
        if name not in known:
            raise UnknownName("key", name, known)
    for name in ("game", "agents"):
        if not given.get(name):
            raise BadValue(f"{name!r} is missing; `kibitz tournament --example` prints a whole file")
    game = find(_text("game", given["game"]))
    scheme = _text("scheme", given.get("scheme", "round-robin"))
    if scheme not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES)
    agents = _agents(game, given["agents"], scheme)
    seed = _whole("seed", given.get("seed", 1), 0, MOST_SEED)
    plan = Plan(
        game,
        agents,
        scheme,
        _hero(given.get("hero"), agents, scheme),
        _whole("games", given.get("games", USUAL_GAMES), 1, MOST_GAMES),
        seed,
        _openings(game, given.get("openings", "auto"), seed),
        _stop(given.get("stop")),
        _limits(given.get("limits", {})),
        tuple(_texts("hooks", given.get("hooks", []))),
    )
    if plan.games < len(plan.seatings):
        raise BadValue(f"games is {plan.games}, but the {len(plan.seatings)} seatings need at least one game each")
    if plan.limits.plies is not None and plan.limits.plies <= plan.openings:
        raise BadValue(f"the limit plies is {plan.limits.plies}, so openings of {plan.openings} leave nothing to play")
    if plan.stop is not None and not plan.hero_meets_others:
        raise BadValue(f"stop can never decide: in {scheme} nobody meets the hero; leave it out, or change the scheme")
    return plan


def _agents(game: Game, given: Any, scheme: str) -> tuple[str, ...]:
    agents = tuple(str(parse(text)) for text in _texts("agents", given))
    for text in agents:
        if isinstance(build(text, game, 0), Human):
            raise BadValue("a human cannot play in a tournament; use: kibitz play")
        if scheme != "fixed" and agents.count(text) > 1:
            raise BadValue(f"agent {text} is listed twice; only the scheme fixed allows that")
    return agents


def _hero(given: Any, agents: Sequence[str], scheme: str) -> int | None:
    if given is None:
        return None
    hero = str(parse(_text("hero", given)))
    if hero not in agents:
        raise UnknownName("hero", hero, agents)
    if scheme == "self-play":
        raise BadValue("in self-play nobody meets the hero; leave it out, or choose another scheme")
    if agents.count(hero) > 1:
        raise BadValue(f"the hero {hero} is listed twice")
    return agents.index(hero)


def _openings(game: Game, given: Any, seed: int) -> int:
    if given == "auto":
        return usual_opening(game, seed)
    plies = _whole("openings", given, 0, LONGEST_OPENING, 'or "auto"')
    check_opening(game, plies, seed)
    return plies


def _stop(given: Any) -> dict[str, Any] | None:
    if given is not None:
        StopRule.read(given)
    return given


def _limits(given: Any) -> Limits:
    if not isinstance(given, dict):
        raise BadValue(f"limits must be a table of limits, not {given!r}")
    known = {entry.name: entry for entry in fields(Limits)}
    for name, value in given.items():
        if name not in known:
            raise UnknownName("limit", name, known)
        whole = "int" in str(known[name].type)
        fits = isinstance(value, int) if whole else isinstance(value, int | float)
        least_fits = value >= 0 if name == "increment" and fits else fits and value > 0
        if not fits or isinstance(value, bool) or not least_fits or not value <= MOST_LIMIT:
            kind = "a whole number" if whole else "a number"
            raise BadValue(f"the limit {name} must be {kind} above 0 and at most {MOST_LIMIT:,}, not {value!r}")
    if given.get("increment") and "game_seconds" not in given:
        raise BadValue("the limit increment adds to the clock of game_seconds, which is missing")
    return Limits(**given)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadValue(f"{name} must be a text, not {value!r}")
    return value


def _texts(name: str, value: Any) -> list[str]:
    if not isinstance(value, list | tuple):
        raise BadValue(f"{name} must be a list of texts, not {value!r}")
    return [_text(name, entry) for entry in value]


def _whole(name: str, value: Any, least: int, most: int, other: str = "") -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadValue(f"{name} must be a whole number from {least} to {most}{other and ' ' + other}, not {value!r}")
    return value
