"""The web application: pages, HTTP requests and the socket."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz import __version__
from kibitz.core import plugins
from kibitz.core.errors import SERVER_FAILED, KibitzError
from kibitz.core.scene import svg
from kibitz.web import messages, viewpoint
from kibitz.web.added_page import Page
from kibitz.web.connection import Connection
from kibitz.web.connection_limits import address_of
from kibitz.web.http_answers import FailedRequest, Health, OpenedTable, PageLink
from kibitz.web.lobby import Lobby
from kibitz.web.messages import Claim, NewTable, RequestRefused
from kibitz.web.rate_limit import RateLimit
from kibitz.web.request_guard import RequestGuard, json_answer
from kibitz.web.server_messages import ByeMessage
from kibitz.web.table_seat import PERSON, hashed
from kibitz.web.tournaments import Tournaments
from kibitz.web.viewpoint import ALL, PUBLIC
from kibitz.web.web_catalogue import WebCatalogue

STATIC = Path(__file__).parent / "static"
TOKEN_HEADER = "x-kibitz-token"
READY_HEADER = "x-kibitz-ready"  # whether everything is compiled
TABLES_AT_ONCE, TABLES_A_SECOND = 300, 1.0  # that one address may begin
MOST_ADDRESSES = 10_000  # that are counted
TRY_AGAIN_LATER = 1013  # a code of WebSockets
PATIENCE = 20.0  # seconds that a browser may take to receive a message
_LOG = logging.getLogger(__name__)


def application(lobby: Lobby, tournaments: Tournaments | None = None, local_only: bool = True) -> ASGIApp:
    """Return the application that serves a lobby."""
    site = _Site(lobby, tournaments or Tournaments([]))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        lobby.start()
        lobby.in_background(site.catalogue.prepare())
        yield
        await lobby.close()

    routes: list[Route | WebSocketRoute | Mount] = [
        Route("/health", site.health),
        Route("/", page_of("index.html")),
        Route("/t/{table}", page_of("table.html")),
        Route("/tournaments", page_of("tournaments.html")),
        Route("/tournaments/{name}", page_of("tournaments.html")),
        Route("/favicon.ico", page_of("favicon.svg")),
        Route("/api/games", site.games),
        Route("/api/games/{game}/rules", site.rules),
        Route("/api/games/{game}/preparation", site.preparation),
        Route("/api/tables", site.tables),
        Route("/api/tables", site.new_table, methods=["POST"]),
        Route("/api/tables/{table}/claim", site.claim, methods=["POST"]),
        Route("/api/tables/{table}/record", site.record),
        Route("/api/tables/{table}/picture", site.picture),
        Route("/api/records", site.upload, methods=["POST"]),
        Route("/api/tournaments", site.tournament_list),
        Route("/api/tournaments/{name}", site.tournament),
        Route("/api/tournaments/{name}/games/{number:int}", site.tournament_game),
        Route("/api/pages", site.pages),
        WebSocketRoute("/ws", site.socket),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    taken = {route.path.split("/")[1] for route in routes}
    for name, page in site.brought.items():
        if name in taken:
            _LOG.warning("the page %s cannot be shown: the name is taken", name)
        else:
            routes.append(Mount(f"/{name}", routes=page.routes(lobby)))
    return RequestGuard(Starlette(routes=routes, lifespan=lifespan), local_only)


def page_of(name: str, folder: Path = STATIC) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that answers with a page of a folder."""

    async def page(request: Request) -> Response:
        file = folder / name
        return FileResponse(file) if file.is_file() else PlainTextResponse(f"{name} is missing", 404)

    return page


class _TooMany(RequestRefused):
    """An address begins too many tables."""


def _answers(handler: Callable[["_Site", Request], Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
    """Answer a refused request with a sentence."""

    @wraps(handler)
    async def guarded(site: "_Site", request: Request) -> Response:
        try:
            return await handler(site, request)
        except _TooMany as error:
            return json_answer(FailedRequest(str(error)), 429)
        except (RequestRefused, KibitzError) as error:
            status = 404 if "there is no table" in str(error) else 400
            return json_answer(FailedRequest(str(error)), status)
        except Exception:
            _LOG.exception("a request could not be answered: %s", request.url.path)
            return json_answer(FailedRequest(SERVER_FAILED), 500)

    return guarded


async def _body(request: Request, most: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise RequestRefused(f"at most {most:,} bytes are read, and this is more")
        parts.append(part)
    return b"".join(parts)


class _Site:
    """The handlers of requests."""

    def __init__(self, lobby: Lobby, tournaments: Tournaments):
        self.lobby, self.tournaments = lobby, tournaments
        self.catalogue = WebCatalogue(lobby)
        self.brought: dict[str, Page] = {plugin.name: page for plugin, page in plugins.loaded("pages")}
        self._allowances: dict[str, RateLimit] = {}

    def _count_table(self, request: Request) -> None:
        """Refuse another table to an address that has begun too many."""
        address = _address(request)
        if len(self._allowances) >= MOST_ADDRESSES:
            full = [other for other, allowance in self._allowances.items() if allowance.left >= TABLES_AT_ONCE]
            for other in full or list(self._allowances)[: MOST_ADDRESSES // 2]:
                del self._allowances[other]
        allowance = self._allowances.setdefault(address, RateLimit(TABLES_AT_ONCE, TABLES_A_SECOND))
        if not allowance.take():
            raise _TooMany("too many tables were begun from here; wait a minute and try again")

    @_answers
    async def health(self, request: Request) -> Response:
        response = json_answer(Health(True, __version__))
        response.headers[READY_HEADER] = "yes" if self.catalogue.ready else "no"
        return response

    @_answers
    async def games(self, request: Request) -> Response:
        return json_answer(await self.catalogue.entries())

    @_answers
    async def rules(self, request: Request) -> Response:
        return json_answer(await self.catalogue.rules(request.path_params["game"]))

    @_answers
    async def preparation(self, request: Request) -> Response:
        return json_answer(self.catalogue.preparation(request.path_params["game"]))

    @_answers
    async def pages(self, request: Request) -> Response:
        return json_answer([PageLink(page.title, f"/{name}/") for name, page in self.brought.items()])

    @_answers
    async def tables(self, request: Request) -> Response:
        return json_answer(self.lobby.listed())

    @_answers
    async def new_table(self, request: Request) -> Response:
        self._count_table(request)
        wanted = messages.read_body(NewTable, await _body(request, messages.LONGEST))
        return json_answer(await self.lobby.create(wanted, _address(request)))

    @_answers
    async def claim(self, request: Request) -> Response:
        wanted = messages.read_body(Claim, await _body(request, messages.LONGEST))
        return json_answer(await self.lobby.claim(request.path_params["table"], wanted.invite))

    @_answers
    async def record(self, request: Request) -> Response:
        session = await self.lobby.session(request.path_params["table"])
        async with session.lock:
            line = session.record().line()
        name = f"{self.lobby.allowlist.label(session.game)}-{session.id}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(f"{line}\n", media_type="application/x-ndjson", headers=headers)

    @_answers
    async def picture(self, request: Request) -> Response:
        session = await self.lobby.session(request.path_params["table"])
        token = hashed(request.headers.get(TOKEN_HEADER, ""))
        async with session.lock:
            ply = _whole(request.query_params.get("ply"), session.ply)
            seat = _whole(request.query_params.get("seat"), -1)
            viewer = ALL if session.revealed else PUBLIC
            if seat >= 0:
                if seat >= session.game.seats:
                    raise RequestRefused(f"there is no seat {seat}")
                of_seat = session.seats[seat]
                if not session.revealed and not (of_seat.who == PERSON and of_seat.token == token):
                    raise RequestRefused("the cards of that seat are not yours to see")
                viewer = seat
            scene = session.game.scene(viewpoint.seen(session.game, session.history.at(ply), viewer), [])
        return Response(svg(scene), media_type="image/svg+xml")

    @_answers
    async def upload(self, request: Request) -> Response:
        self._count_table(request)
        data = await _body(request, messages.LONGEST_RECORD)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise RequestRefused("a record is UTF-8 text") from None
        return json_answer(OpenedTable((await self.lobby.upload(text)).id))

    @_answers
    async def tournament_list(self, request: Request) -> Response:
        return json_answer(await asyncio.to_thread(self.tournaments.runs))

    @_answers
    async def tournament(self, request: Request) -> Response:
        page = _whole(request.query_params.get("page"), 0)
        return json_answer(await asyncio.to_thread(self.tournaments.standing, request.path_params["name"], page))

    @_answers
    async def tournament_game(self, request: Request) -> Response:
        name, number = request.path_params["name"], request.path_params["number"]
        session = await self.tournaments.session(self.lobby, name, number)
        return json_answer(OpenedTable(session.id))

    async def socket(self, socket: WebSocket) -> None:
        """Exchange messages with one browser until it leaves."""
        gone = asyncio.Event()
        connection = Connection(self.lobby, gone.set, _address(socket))
        try:
            self.lobby.admission.enter(connection)
        except RequestRefused as refusal:
            await socket.close(TRY_AGAIN_LATER, str(refusal))
            return
        await socket.accept()
        tasks = [
            asyncio.create_task(_listen(socket, connection)),
            asyncio.create_task(_speak(socket, connection)),
            asyncio.create_task(gone.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.lobby.admission.leave(connection)
            connection.leave_session()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if gone.is_set():
                await _bye(socket, connection.farewell)


async def _listen(socket: WebSocket, connection: Connection) -> None:
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            data = message.get("text")
            await connection.receive(message.get("bytes") or b"" if data is None else data)
    except (WebSocketDisconnect, RuntimeError):
        return


async def _speak(socket: WebSocket, connection: Connection) -> None:
    try:
        while True:
            message = await connection.outbox.get()
            await asyncio.wait_for(socket.send_text(message.decode()), PATIENCE)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        return


async def _bye(socket: WebSocket, sentence: str) -> None:
    try:
        await asyncio.wait_for(socket.send_text(messages.write(ByeMessage(sentence)).decode()), 1)
        await asyncio.wait_for(socket.close(1008), 1)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        return


def _address(connection: HTTPConnection) -> str:
    return address_of(connection.client.host if connection.client is not None else None)


def _whole(text: str | None, otherwise: int) -> int:
    if text is None or text == "":
        return otherwise
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise RequestRefused(f"{text!r:.40} is not a whole number")
    return int(text)
