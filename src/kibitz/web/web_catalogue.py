"""The web catalogue: what a browser is told about the games and agents of a server."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from kibitz import agents
from kibitz.core.errors import KibitzError, UnknownName
from kibitz.core.game import Game
from kibitz.core.rulebook import rules_of
from kibitz.core.spec import Spec, parse
from kibitz.games import find
from kibitz.web.allowlist import option_entry
from kibitz.web.example_position import kept_example
from kibitz.web.http_answers import AgentEntry, GameEntry, GameRules, OptionEntry, Preparation
from kibitz.web.thinking_pool import PREPARE
from kibitz.web.thinking_questions import DescribeGame, GameDescription, PrepareGame

if TYPE_CHECKING:
    from kibitz.web.lobby import Lobby


class WebCatalogue:
    """The games and agents of a server; the pictures appear when a worker has made them."""

    def __init__(self, lobby: "Lobby"):
        self.lobby = lobby
        self.ready = False  # whether everything is compiled
        self._described: dict[str, asyncio.Future[GameDescription]] = {}

    async def prepare(self) -> None:
        """Compile all games and make their pictures before anybody asks."""
        for do in (self._describe, self._load):
            for name in self.lobby.allowlist.games:
                with suppress(KibitzError):  # whoever asks for the game is told
                    await do(name)
        for name in self.lobby.allowlist.games:
            with suppress(KibitzError):
                levels = (await self._describe(name)).levels.values()
                question = PrepareGame(game=self.lobby.allowlist.text(name), agents=list(levels))
                await self.lobby.pool.ask(question, PREPARE)
        self.ready = True

    async def entries(self) -> list[GameEntry]:
        """Return all games; never waits for machine code."""
        return await asyncio.to_thread(self._entries)

    async def rules(self, name: str) -> GameRules:
        """Return the rules of a game in prose."""
        self._check(name)
        game = await asyncio.to_thread(find, self.lobby.allowlist.text(name))
        return GameRules(name, rules_of(game, pictures=True))

    def preparation(self, name: str) -> Preparation:
        """Return how far compiling a game is."""
        self._check(name)
        return self.lobby.preparations.get(parse(self.lobby.allowlist.text(name)).name, Preparation())

    def _check(self, name: str) -> None:
        if name not in self.lobby.allowlist.games:
            raise UnknownName("game", name, self.lobby.allowlist.games)

    async def _load(self, name: str) -> None:
        await self.lobby.game(self.lobby.allowlist.text(name), PREPARE)

    async def _describe(self, name: str) -> GameDescription:
        if name not in self._described:
            question = DescribeGame(game=self.lobby.allowlist.text(name))
            work = self.lobby.pool.ask(question, PREPARE, limit=600.0)
            self._described[name] = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(self._described[name])
        except KibitzError:
            self._described.pop(name, None)
            raise

    def _entries(self) -> list[GameEntry]:
        found = []
        for name in self.lobby.allowlist.games:
            try:
                found.append(self._entry(name, find(self.lobby.allowlist.text(name))))
            except KibitzError:  # a game by path that does not load
                continue
        return found

    def _entry(self, name: str, game: Game) -> GameEntry:
        known = self._described.get(name)
        described = known.result() if known is not None and known.done() and not known.exception() else None
        least, most = game.seat_range
        return GameEntry(
            name=name, sentence=game.sentence, seats=(least, most), usual_seats=game.seats,
            options=[option_entry(key, option) for key, option in game.declared.items()],
            levels=described.levels if described else dict(game.levels),
            agents=self._agents(game, described.refuses if described else {}), hidden=game.hidden,
            positions=game.file("position") is not None, example=described.example if described else kept_example(game),
            seat_names_by_seats=_seat_names(game, least, most),
        )  # fmt: skip

    def _agents(self, game: Game, refuses: dict[str, str]) -> list[AgentEntry]:
        names = [*game.agents, *game.policies, *agents.names()]
        found = [AgentEntry(name, _help(name, game), _options(name), refuses.get(name, "")) for name in names]
        own = [AgentEntry(name, "", [], "") for name in self.lobby.allowlist.own_agents()]
        return [*own, *found]


def _help(name: str, game: Game) -> str:
    if name in game.agents:
        return f"stands for {game.agents[name]}"
    if name in game.policies:
        return (game.policies[name].__doc__ or "").strip()
    return (agents.kind(name).__doc__ or "").strip()


def _options(name: str) -> list[OptionEntry]:
    declared = agents.declared(name) if name in agents.names() else {}
    return [option_entry(key, option) for key, option in declared.items()]


def _seat_names(game: Game, least: int, most: int) -> dict[str, list[str]]:
    found = {}
    for seats in range(least, most + 1):
        try:
            other = game if seats == game.seats else find(str(Spec(game.name, {"seats": Spec(str(seats))})))
            found[str(seats)] = list(other.seat_names)
        except KibitzError:  # not with the usual options
            continue
    return found
