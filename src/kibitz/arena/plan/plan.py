"""A plan: what is played in a match, a tournament or a look at the balance of a game, checked as a whole."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.agents import AgentLike, build, is_known_to, named, runs_apart
from kibitz.agents.agent import Agent
from kibitz.agents.in_memory import AgentInMemory
from kibitz.arena.plan.agent_index import AgentIndex, copies_of
from kibitz.arena.plan.default_seed import USUAL, default_seed
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.openings import LONGEST_OPENING, check_opening, usual_opening
from kibitz.arena.plan.own_agents import check_own_agents, code_paths, effective_agent, is_own
from kibitz.arena.plan.schedule import deal_hashes, schedule, striped
from kibitz.arena.plan.schemes import ONE_AGENT_TWICE, SCHEMES, Seating, seatings
from kibitz.arena.plan.stop_rule import StopRule
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

USUAL_GAMES = 1000
MOST_GAMES = 1_000_000_000
MOST_SEED = 2**64 - 1


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
    in_memory: tuple[AgentInMemory, ...] = ()  # agents that are no texts, which stand under their names in `agents`

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
        """Return a plan, checked; the arguments mean what the lines of a tournament file mean.

        An agent may be a class that inherits from Agent: it runs in this process, trusted, one game at a time.
        """
        given = {
            "game": game, "agents": agents, "scheme": scheme, "hero": hero, "games": games, "seed": seed,
            "openings": openings, "stop": stop, "limits": limits, "isolate": isolate, "hooks": hooks,
        }  # fmt: skip
        return cls.read(given)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Plan":
        """Return the plan that plain data describes; what is None or missing has its default."""
        given = {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in given.items()
            if value is not None
        }
        known = [*(entry.name for entry in fields(cls) if entry.name != "in_memory"), "isolate"]
        for name in given:
            if name not in known:
                raise UnknownName("key", name, known)
        for name in ("game", "agents"):
            if not given.get(name):
                raise BadValue(f"{name!r} is missing; a plan names a game and the agents that play it")
        game = given["game"] if isinstance(given["game"], Game) else find(_text("game", given["game"]))
        scheme = _text("scheme", given.get("scheme", cls.scheme))
        if scheme not in SCHEMES:
            raise UnknownName("scheme", scheme, SCHEMES)
        agents, in_memory = _agents(given["agents"])
        openings = _openings(given.get("openings", "auto"))
        asked = cls(
            game,
            agents,
            scheme,
            _hero(given.get("hero"), agents, scheme),
            _whole("games", given.get("games", cls.games), 1, MOST_GAMES),
            _whole("seed", given["seed"], 0, MOST_SEED) if "seed" in given else default_seed(game, agents, in_memory),
            openings or 0,
            _stop(given.get("stop")),
            _limits(given.get("limits", {}), given.get("isolate")),
            tuple(_texts("hooks", given.get("hooks", ()))),
            in_memory,
        )
        asked._check_words()
        plan = replace(asked, openings=_playable(game, openings, USUAL if asked.seed is None else asked.seed))
        plan._check_openings()
        plan._check_agents()
        return plan

    def _check_words(self) -> None:
        """Refuse what fits by itself, but not together, before any code runs: no rule, and no agent."""
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
        """Refuse agents that do not fit the game: those of Kibitz first, then, in processes, those of the user's."""
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
        """What compiled code can play by itself of each agent: all of it or, as for the user's own, nothing."""
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
        """The seatings that are played equally often; together they are a block."""
        return seatings(self.scheme, len(self.agents), self.game.seats, self.hero)

    @cached_property
    def who(self) -> AgentIndex:
        """The agents told apart by their texts: copies of one text are one agent."""
        return AgentIndex.of_list(self.agents)

    @property
    def hero_meets_others(self) -> bool:
        """Whether the hero, the first agent if none is named, has opponents other than itself."""
        hero = self.agents[self.hero or 0]
        tables = ({self.agents[number] for number in table} for table in self.seatings)
        return any(hero in table and len(table) > 1 for table in tables)

    @property
    def planned(self) -> int:
        """How many games there will be: whole blocks."""
        return -(-self.games // len(self.seatings)) * len(self.seatings)

    def session_seed(self) -> int:
        """Return the seed of a session that plays this: the plan's own, or a secret that is drawn now."""
        return secret_seed() if self.seed is None else self.seed

    def fixtures(self, seed: int | None = None) -> Iterator[Fixture]:
        """Yield all games to be played in a session with this seed, or one of its own.

        Where programs could remember hidden cards, games on one deal lie apart.
        """
        seed = self.session_seed() if seed is None else seed
        found = schedule(self.game, len(self.agents), self.seatings, self.planned, seed, self.openings)
        apart = self.game.hidden and any(
            runs_apart(effective_agent(text, self.game, self.limits), self.game) for text in self.agents
        )
        return striped(found, len(self.seatings)) if apart else found

    def deals(self, numbers: np.ndarray, seed: int) -> np.ndarray:
        """Return a hash of the deal on which each of these games is played in a session with this seed."""
        return deal_hashes(self.game, seed, numbers // len(self.seatings))

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
            "limits": {name: limit for name, limit in asdict(self.limits).items() if name != "isolate"},
            **({} if self.limits.isolate else {"isolate": False}),
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
        """Fingerprints of the user's own games, agents and networks: with others it is another run."""
        found = [fingerprint(path) for path in code_paths(self.game, self.agents)]
        found += [agent.fingerprint for agent in self.in_memory]
        found += [file_fingerprint(path) for text in self.agents for path in networks_in(text)]
        return found + [command_fingerprint(command) for text in self.agents for command in commands_in(text)]


def _agents(given: Any) -> tuple[tuple[str, ...], tuple[AgentInMemory, ...]]:
    """Return the texts of agents as they are written in full, and those among them that are no texts."""
    if not isinstance(given, list | tuple):
        raise BadValue(f"agents must be a list of texts, not {given!r:.80}")
    found = [named(entry) for entry in given]
    in_memory = {agent.name: agent for agent in found if isinstance(agent, AgentInMemory)}
    texts = tuple(text for agent in found for text in _written_out(agent))
    taken = [text for agent in found if isinstance(agent, str) for text in copies_of(agent)]
    for agent in found:
        if isinstance(agent, AgentInMemory) and (agent != in_memory[agent.name] or agent.name in taken):
            raise BadValue(f"two different agents are called {agent.name}; give one of them another name")
    return texts, tuple(in_memory.values())


def _written_out(agent: str | AgentInMemory) -> list[str]:
    return copies_of(agent) if isinstance(agent, str) else [agent.name]


def _try_out(agent: AgentInMemory, game: Game) -> None:
    """Build an agent in memory; what goes wrong is a BadValue."""
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


def _openings(given: Any) -> int | None:
    """Return how many plies are asked for; None for `auto`."""
    return None if given == "auto" else _whole("openings", given, 0, LONGEST_OPENING, 'or "auto"')


def _playable(game: Game, plies: int | None, seed: int) -> int:
    """Return how many plies openings have; games that are shorter than those asked for are refused."""
    if plies is None:
        return usual_opening(game, seed)
    check_opening(game, plies, seed)
    return plies


def _limits(given: Any, isolate: Any) -> Limits:
    if not isinstance(isolate, bool | None):
        raise BadValue(f"isolate must be true or false, not {isolate!r}")
    limits = Limits.read(given)
    return limits if isolate is None else replace(limits, isolate=isolate)


def _stop(given: Any) -> dict[str, Any] | None:
    if given is not None:
        StopRule.read(given)
    return given


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
