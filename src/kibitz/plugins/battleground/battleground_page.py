"""The page of a battleground: the ladders, and the games that are being played, as anybody may see them."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.core.errors import SERVER_FAILED
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.plugins.battleground.battleground_messages import (
    BattlegroundMessage,
    LadderEntry,
    OfferedGame,
    RunningGame,
)
from kibitz.web.app import PATIENCE, STATIC, TRY_AGAIN_LATER, page_of
from kibitz.web.http_answers import FailedRequest
from kibitz.web.request_guard import LOCAL, RequestGuard, json_answer
from kibitz.web.viewpoint import PUBLIC, seen, shown_scene

HERE = Path(__file__).with_name("static")
EVERY = 0.5  # seconds between updates
MOST_WATCHERS = 500
MOST_BOARDS = 6  # of each game
OPEN, LONGEST_CHANNEL = "open", 64
_LOG = logging.getLogger(__name__)


class ShownGame(Protocol):
    """A game that is being played."""

    number: int
    names: list[str]
    seed: int
    moves: list[int]


class ShownLadders(Protocol):
    """Who has played how well."""

    def rungs(self, game: Game, channel: str) -> list[LadderEntry]:
        """Return the ladder of a game in a channel, the best first."""


class ShownBattleground(Protocol):
    """A battleground."""

    @property
    def games(self) -> list[str]:
        """The games that can be played there."""

    @property
    def books(self) -> ShownLadders:
        """The results."""

    def running(self, channel: str, game: str) -> Sequence[ShownGame]:
        """Return the games that are being played in a channel."""

    def waiting(self, channel: str, game: str) -> list[str]:
        """Return who waits for others in a channel."""


def application(ground: ShownBattleground, host: str) -> ASGIApp:
    """Return the application that shows a battleground."""
    show = _Show(ground)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        looking = asyncio.create_task(show.look())
        yield
        looking.cancel()

    routes = [
        Route("/", page_of("battleground.html", HERE)),
        Route("/favicon.ico", page_of("favicon.svg")),
        Route("/api/battleground", show.answer),
        WebSocketRoute("/ws", show.socket),
        Mount("/static", StaticFiles(directory=STATIC)),
        Mount("/battleground", StaticFiles(directory=HERE)),
    ]
    return RequestGuard(Starlette(routes=routes, lifespan=lifespan), local_only=host in LOCAL)


class _Show:
    """The current state, computed once for all spectators."""

    def __init__(self, ground: ShownBattleground):
        self.ground = ground
        self._watchers: Counter[str] = Counter()  # by channel
        self._now: dict[str, bytes] = {}

    @property
    def watchers(self) -> int:
        """How many people watch."""
        return self._watchers.total()

    async def answer(self, request: Request) -> Response:
        """Answer with the current state."""
        try:
            return Response(await asyncio.to_thread(self._made, _channel(request)), media_type="application/json")
        except Exception:
            _LOG.exception("the battleground could not be shown")
            return json_answer(FailedRequest(SERVER_FAILED), 500)

    async def look(self) -> None:
        """Update the state repeatedly while anybody watches."""
        while True:
            self._now = {channel: now for channel, now in self._now.items() if self._watchers[channel]}
            for channel in list(+self._watchers):
                try:
                    now = await asyncio.to_thread(self._made, channel)
                except Exception:  # spectators keep the last state until the next one
                    _LOG.exception("the battleground could not be shown")
                    continue
                if now != self._now.get(channel):
                    self._now[channel] = now
            await asyncio.sleep(EVERY)

    async def socket(self, socket: WebSocket) -> None:
        """Send a browser the current state, and again whenever it changes."""
        if self.watchers >= MOST_WATCHERS:
            await socket.close(TRY_AGAIN_LATER, "too many people are watching; try again later")
            return
        channel = _channel(socket)
        self._watchers[channel] += 1
        await socket.accept()
        telling = asyncio.create_task(self._tell(socket, channel))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect" and not telling.done():
                continue  # what a browser sends here is ignored
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._watchers[channel] -= 1
            telling.cancel()

    async def _tell(self, socket: WebSocket, channel: str) -> None:
        told = b""
        try:
            while True:
                now = self._now.get(channel, told)
                if now is not told:
                    told = now
                    await asyncio.wait_for(socket.send_text(told.decode()), PATIENCE)
                await asyncio.sleep(EVERY)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            return

    def _made(self, channel: str) -> bytes:
        games = [self._game(find(text), channel) for text in self.ground.games]
        return msgspec.json.encode(BattlegroundMessage(channel, games))

    def _game(self, game: Game, channel: str) -> OfferedGame:
        running = self.ground.running(channel, str(game))
        return OfferedGame(
            game=str(game), seat_names=list(game.seat_names), unit=game.scoring.unit,
            shared=game.scoring.shared, ladder=self.ground.books.rungs(game, channel),
            waiting=self.ground.waiting(channel, str(game)), playing=len(running),
            running=[_board(game, one) for one in running[:MOST_BOARDS]],
        )  # fmt: skip


def _channel(request: Request | WebSocket) -> str:
    """Return the channel in an address."""
    return request.query_params.get("channel", OPEN)[:LONGEST_CHANNEL]


def _board(game: Game, running: ShownGame) -> RunningGame:
    """Return a game as spectators may see it: what is hidden from any seat is hidden here."""
    table = Table(game, running.seed)
    for move in list(running.moves):
        table.play(move)
    return RunningGame(
        number=running.number, names=running.names, ply=table.ply, turn=None if table.over else table.turn,
        scene=shown_scene(game.scene(seen(game, table, PUBLIC), [])),
    )  # fmt: skip
