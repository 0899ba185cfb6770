"""The server: an address, the application, and an orderly end."""

import asyncio
import gc
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from kibitz.core.errors import BadValue
from kibitz.web.app import application
from kibitz.web.lobby import Lobby
from kibitz.web.request_guard import LOCAL
from kibitz.web.tournaments import Tournaments

GARBAGE = (20_000, 50, 100)  # messages are many objects without cycles; collecting more often delays clicks
MOST_FILES = 16_384  # a connection is one
LARGEST_FRAME = 256 * 1024  # bytes; a message that is too long but shorter than this is refused in words


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; an address that is taken is a BadValue."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
        return listener
    except OSError as error:
        raise BadValue(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None


def raise_limit_of_files() -> None:
    """Let this process have as many connections as the system allows."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def serve(lobby: Lobby, listener: socket.socket, host: str, ledgers: list[Path], started: Callable[[], None]) -> None:
    """Serve until somebody presses Ctrl-C; `started` is called when the first request can come."""
    raise_limit_of_files()
    gc.set_threshold(*GARBAGE)
    app = application(lobby, Tournaments(ledgers), local_only=host in LOCAL)
    with suppress(KeyboardInterrupt):  # which the server has heard, and sends on when it has ended
        asyncio.run(_Server(_config(app), started).serve(sockets=[listener]))


@contextmanager
def served_beside(app: ASGIApp, listener: socket.socket) -> Iterator[None]:
    """Serve an application in another thread while the body runs."""
    server = uvicorn.Server(_config(app))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app, log_level="warning", access_log=False, ws="websockets-sansio", ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False, ws_ping_interval=30, ws_ping_timeout=60, lifespan="on",
        timeout_graceful_shutdown=2, server_header=False,
    )  # fmt: skip


class _Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]):
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            self._tell()
