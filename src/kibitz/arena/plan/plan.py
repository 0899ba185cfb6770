"""A plan: what is played in a match, a tournament or a study of balance, checked as a whole."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.agents import AgentLike, build, is_known_to, named, runs_apart
from kibitz.agents.agent import Agent
from kibitz.agents.in_memory import AgentInMemory
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import check_own_agents, code_paths, effective_agent, is_own
from kibitz.arena.plan.schedule import LONGEST_OPENING, check_opening, deal_hashes, schedule, striped, usual_opening
from kibitz.arena.plan.schemes import ONE_AGENT_TWICE, SCHEMES, Seating, seatings
from kibitz.arena.plan.stop_rule import StopRule
from kibitz.core.arrays import Int64s
from kibitz.core.errors import BadValue, KibitzError, UnknownName
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.seeds import secret_seed
from kibitz.core.spec import parse
from kibitz.core.user_files import (
    command_fingerprint,
    commands_in,
    explained,
    file_fingerprint,
    fingerprint,
    networks_in,
)
from kibitz.games import find

USUAL_GAMES, USUAL_SEED = 1000, 1
MOST_GAMES, MOST_SEED, MOST_COPIES = 10**12, 2**64 - 1, 16
GUESSABLE = 2**40  # an agent can try all seeds below this one by one
_COPIES = re.compile(r"(\d+) *\* *(.*)", re.DOTALL)


@dataclass(frozen=True)
class AgentIndex:
    """The different agents of a plan, by number; equal texts are one agent, even where it is listed twice."""

    agents: tuple[str, ...]
    number: Int64s  # [place in the list of the plan]

    @classmethod
    def of_list(cls, listed: Sequence[str]) -> "AgentIndex":
        """Return the index of a list of agents."""
        agents = tuple(dict.fromkeys(listed))
        return cls(agents, np.array([agents.index(text) for text in listed], dtype=np.int64))


@dataclass(frozen=True, repr=False)
class Plan:
    """What is played; two equal plans give the same games. `Plan.make` and `read_plan` check what they are given."""

    game: Game
    agents: tuple[str, ...]
    scheme: str = "round-robin"
    hero: int | None = None
    games: int = USUAL_GAMES
    seed: int | None = 1  # None: each session that plays draws a secret one
    openings: int = 0
    stop: dict[str, Any] | None = None
    limits: Limits = field(default_factory=Limits)
    hooks: tuple[str, ...] = ()
    in_memory: tuple[AgentInMemory, ...] = ()  # agents that are classes; `agents` has their names

    def __repr__(self) -> str:
        agents = ", ".join(self.agents)
        seed = "secret seed" if self.seed is None else f"seed {self.seed}"
        return f"<Plan of {self.game}: {self.scheme} of {agents}, {self.planned} games, {seed}>"

    @classmethod
    def make(
        cls,
        game: Game | str,
        agents: Sequence[AgentLike],
        *,
        scheme: str = "round-robin",
        hero: AgentLike | None = None,
        games: int = USUAL_GAMES,
        seed: int | None = None,
        openings: int | str = "auto",
        stop: Mapping[str, Any] | None = None,
        limits: Mapping[str, Any] | Limits | None = None,
        isolate: bool | None = None,
        hooks: Sequence[str] = (),
    ) -> "Plan":
        """Return a checked plan; the arguments are the lines of a tournament file.

        An agent may also be a class that inherits from Agent: it runs in this process, trusted, one game at a time.
        """
        given = {
            "game": game, "agents": agents, "scheme": scheme, "hero": hero, "games": games, "seed": seed,
            "openings": openings, "stop": stop, "limits": limits, "isolate": isolate, "hooks": hooks,
        }  # fmt: skip
        return cls.read(given)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Plan":
        """Return the plan that plain data describes; what is None or missing has its default."""
        given = _lines(given)
        game = given["game"] if isinstance(given["game"], Game) else find(_text("game", given["game"]))
        scheme = _text("scheme", given.get("scheme", cls.scheme))
        if scheme not in SCHEMES:
            raise UnknownName("scheme", scheme, SCHEMES)
        agents, in_memory = _agents(given["agents"])
        plies = given.get("openings", "auto")
        openings = None if plies == "auto" else _whole("openings", plies, 0, LONGEST_OPENING, 'or "auto"')
        asked = cls(
            game,
            agents,
            scheme,
            _hero(given.get("hero"), agents, scheme),
            _whole("games", given.get("games", cls.games), 1, MOST_GAMES),
            _whole("seed", given["seed"], 0, MOST_SEED) if "seed" in given else default_seed(game, agents, in_memory),
            openings or 0,
            given.get("stop"),
            _limits(given.get("limits", {}), given.get("isolate")),
            tuple(_texts("hooks", given.get("hooks", ()))),
            in_memory,
        )
        asked._check_words()
        seed = USUAL_SEED if asked.seed is None else asked.seed
        if openings is None:
            plan = replace(asked, openings=usual_opening(game, seed))
            plan._check_openings()
        else:
            plan = asked
            check_opening(game, openings, seed)
        plan._check_agents()
        return plan

    def _check_words(self) -> None:
        """Refuse words that do not fit together, before any rule or agent runs."""
        if self.stop is not None:
            StopRule.read(self.stop, self.game.scoring)
        for text in self.agents:
            if self.scheme not in ONE_AGENT_TWICE and self.agents.count(text) > 1:
                raise BadValue(
                    f"agent {text} is listed twice; only the schemes {' and '.join(ONE_AGENT_TWICE)} allow that"
                )
        if self.games < len(self.seatings) and self.scheme != "rotation":
            raise BadValue(f"games is {self.games}, but the {len(self.seatings)} seatings need at least one game each")
        self._check_openings()
        for agent in self.in_memory if self.limits.watched else ():
            raise BadValue(
                f"agent {agent.name} runs in this process, where no time or memory can be limited; save its class in "
                f"a file and name that by its path"
            )
        if self.stop is not None and not self.hero_meets_others:
            raise BadValue(
                f"stop can never decide: in {self.scheme} nobody meets the hero; leave it out, or change the scheme"
            )
        for path in self.hooks:
            if not Path(path).is_file():
                raise BadValue(f"there is no hook file {path}")

    def _check_openings(self) -> None:
        if self.limits.plies is not None and self.limits.plies <= self.openings:
            raise BadValue(
                f"the limit plies is {self.limits.plies}, so openings of {self.openings} leave nothing to play"
            )

    def _check_agents(self) -> None:
        """Refuse agents that do not fit the game: Kibitz's own first, then, in other processes, the user's."""
        assert self.policies
        for agent in self.in_memory:
            _try_out(agent, self.game)
        check_own_agents(self.game, self.agents, self.limits)

    @property
    def own_agents(self) -> bool:
        """Whether an agent is code of the user's own, which must not run in this process."""
        return any(is_own(text, self.game) for text in self.agents)

    @cached_property
    def policies(self) -> tuple[BoundHeuristic | None, ...]:
        """The policy of each agent that compiled code plays by itself; None for others, the user's own among them."""
        ours = [text not in self._by_name and not is_own(text, self.game) for text in self.agents]
        return tuple(
            build(text, self.game, 0).policy if our else None for text, our in zip(self.agents, ours, strict=True)
        )

    @cached_property
    def _by_name(self) -> dict[str, AgentInMemory]:
        return {agent.name: agent for agent in self.in_memory}

    def build(self, text: str, game: Game, seed: int) -> Agent:
        """Return an agent of this plan in this process."""
        return build(self._by_name.get(text, text), game, seed, trusted=not self.limits.isolate)

    @cached_property
    def seatings(self) -> list[Seating]:
        """The seatings, which are played equally often; together they are a block."""
        return seatings(self.scheme, len(self.agents), self.game.seats, self.hero)

    @cached_property
    def who(self) -> AgentIndex:
        """The different agents."""
        return AgentIndex.of_list(self.agents)

    @property
    def hero_meets_others(self) -> bool:
        """Whether the hero, the first agent if none is named, has opponents other than itself."""
        hero = self.agents[self.hero or 0]
        tables = ({self.agents[number] for number in table} for table in self.seatings)
        return any(hero in table and len(table) > 1 for table in tables)

    @property
    def planned(self) -> int:
        """How many games there will be, in whole blocks."""
        return -(-self.games // len(self.seatings)) * len(self.seatings)

    def session_seed(self) -> int:
        """Return the seed of a new session: the plan's own, or a secret drawn now."""
        return secret_seed() if self.seed is None else self.seed

    def fixtures(self, seed: int | None = None) -> Iterator[Fixture]:
        """Yield all games of a session with this seed, or with that of a new session.

        Where programs could remember hidden cards, games on one deal are kept apart.
        """
        seed = self.session_seed() if seed is None else seed
        found = schedule(self.game, len(self.agents), self.seatings, self.planned, seed, self.openings)
        apart = self.game.secret and any(
            runs_apart(effective_agent(text, self.game, self.limits), self.game) for text in self.agents
        )
        return striped(found, len(self.seatings)) if apart else found

    def fixture(self, number: int, seed: int) -> Fixture:
        """Return a game by its number in a session with this seed."""
        block, place = divmod(number, len(self.seatings))
        found = schedule(self.game, len(self.agents), self.seatings, self.planned, seed, self.openings, block)
        return next(islice(found, place, None))

    def deals(self, numbers: np.ndarray, seed: int) -> np.ndarray:
        """Return a hash of the deal on which each of these games is played in a session with this seed."""
        return deal_hashes(self.game, seed, numbers // len(self.seatings))

    def data(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "game": str(self.game),
            "seats": list(self.game.seat_names),
            **self.game.scoring.as_plan(),
            "agents": list(self.agents),
            "scheme": self.scheme,
            "hero": None if self.hero is None else self.agents[self.hero],
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings,
            "stop": self.stop,
            "limits": {name: limit for name, limit in asdict(self.limits).items() if name != "isolate"},
            **({} if self.limits.isolate else {"isolate": False}),
            "hooks": list(self.hooks),
        }

    @cached_property
    def run(self) -> str:
        """The name of its run: equal for plans whose games are equal, whatever their number."""
        identity = self.data() | {"kibitz": __version__, "version": self.game.version, "code": self._own_code()}
        for name in ("games", "stop", "hooks"):
            del identity[name]
        text = json.dumps(identity, sort_keys=True)
        return f"{Path(self.game.name).name}-{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}"

    def _own_code(self) -> list[str]:
        """Return fingerprints of the user's own games, agents and networks: other code is another run."""
        found = [fingerprint(path) for path in code_paths(self.game, self.agents)]
        found += [agent.fingerprint for agent in self.in_memory]
        found += [file_fingerprint(path) for text in self.agents for path in networks_in(text)]
        return found + [command_fingerprint(command) for text in self.agents for command in commands_in(text)]


def default_seed(game: Game, agents: Sequence[str], in_memory: Sequence[AgentInMemory] = ()) -> int | None:
    """Return the seed of a plan that names none; None in games with secrets where programs of the user's own play.

    Deals follow from the seed, so a program that tries likely seeds, or has seen it in an earlier result, would know
    every hand. Without a seed, each session draws its own and shows it when it is over.
    """
    return None if deals_are_secret(game, agents) or (game.secret and in_memory) else USUAL_SEED


def deals_are_secret(game: Game, agents: Sequence[str]) -> bool:
    """Return whether deals must be secret: the game has hidden cards, and an agent is not Kibitz's own code."""
    return game.secret and any(is_own(text, game) or runs_apart(text, game) for text in agents)


def _lines(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lines of a plan that are given; raise an error if one is unknown or missing."""
    known = [*(entry.name for entry in fields(Plan) if entry.name != "in_memory"), "isolate"]
    found = {}
    for name, value in given.items():
        if value is not None and name not in known:
            raise UnknownName("key", name, known)
        if value is not None:
            found[name] = dict(value) if isinstance(value, Mapping) else value
    for name in ("game", "agents"):
        if not found.get(name):
            raise BadValue(f"{name!r} is missing; a plan names a game and the agents that play it")
    return found


def _agents(given: Any) -> tuple[tuple[str, ...], tuple[AgentInMemory, ...]]:
    """Return the texts of agents, written in full, and the agents that are classes."""
    if not isinstance(given, list | tuple):
        raise BadValue(f"agents must be a list of texts, not {given!r:.80}")
    found = [named(entry) for entry in given]
    in_memory = {agent.name: agent for agent in found if isinstance(agent, AgentInMemory)}
    texts = tuple(text for agent in found for text in (_copies(agent) if isinstance(agent, str) else [agent.name]))
    taken = [text for agent in found if isinstance(agent, str) for text in _copies(agent)]
    for agent in found:
        if isinstance(agent, AgentInMemory) and (agent != in_memory[agent.name] or agent.name in taken):
            raise BadValue(f"two different agents are called {agent.name}; give one of them another name")
    return texts, tuple(in_memory.values())


def _copies(text: str) -> list[str]:
    """Return the agents that a text of a plan stands for, written in full: `2*random` is random twice."""
    found = _COPIES.fullmatch(text.strip())
    if found is None:
        return [str(parse(text))]
    copies, agent = int(found[1]), found[2]
    if not 1 <= copies <= MOST_COPIES or not agent:
        raise BadValue(f"{text!r} is not an agent; copies are written as 2*random, from 1 to {MOST_COPIES} of them")
    return [str(parse(agent))] * copies


def _try_out(agent: AgentInMemory, game: Game) -> None:
    """Build an agent in memory; raise BadValue if that fails."""
    if is_known_to(agent.name, game):
        raise BadValue(f"{game} has an agent called {agent.name} already; give your class another name")
    try:
        build(agent, game)
    except KibitzError as error:
        raise BadValue(f"agent {agent.name} cannot be built: {error}") from None
    except Exception as error:
        raise BadValue(f"agent {agent.name} cannot be built: {explained(error)}") from error


def _hero(given: Any, agents: Sequence[str], scheme: str) -> int | None:
    if given is None:
        return None
    found = named(given)
    hero = str(parse(found)) if isinstance(found, str) else found.name
    if hero not in agents:
        raise UnknownName("hero", hero, agents)
    if scheme == "self-play":
        raise BadValue("in self-play nobody meets the hero; leave it out, or choose another scheme")
    if agents.count(hero) > 1:
        raise BadValue(f"the hero {hero} is listed twice")
    return agents.index(hero)


def _limits(given: Any, isolate: Any) -> Limits:
    if not isinstance(isolate, bool | None):
        raise BadValue(f"isolate must be true or false, not {isolate!r}")
    limits = Limits.read(given)
    return limits if isolate is None else replace(limits, isolate=isolate)


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
