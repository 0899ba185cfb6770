"""The client of a battleground: it finds a channel, plays there, and returns when the connection is lost."""

import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from kibitz.bots.protocol import line_of, shown
from kibitz.core.errors import BadValue, KibitzError
from kibitz.plugins.battleground.client_player import ClientPlayer
from kibitz.plugins.battleground.lobby_messages import ConnectionRefused, Seek, Waiting, Welcome, check_name, read_lobby
from kibitz.plugins.battleground.resumable_connection import CHUNK, KEPT, LEAVE

CONNECTING = 10.0  # seconds
AGAIN_AFTER = 1.0  # seconds between attempts to return
RETURNING = 300.0  # seconds for which a client tries at least; a server may take longer than a bot to come back
LONGEST_LINE = 64 << 20  # bytes of a line of the server


class _Lost(Exception):
    """The connection is lost."""


@dataclass
class Address:
    """Where a battleground is."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> "Address":
        """Return the address that a text names."""
        host, _, port = text.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
            raise BadValue(f"{text!r} is not an address; it should be HOST:PORT, as in localhost:6666")
        return cls(host.strip("[]"), int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class BattlegroundClient:
    """A bot's connection to a battleground."""

    def __init__(
        self, address: Address, seek: Seek, player: ClientPlayer, tell: Callable[[str], None] = print,
        keep_token: Callable[[str], None] = lambda token: None,
    ):  # fmt: skip
        check_name(seek.name)
        self.address, self.seek, self.player, self.tell, self.keep_token = address, seek, player, tell, keep_token
        self.connection: socket.socket | None = None
        self._data = b""
        self._received = self._sent = 0  # lines of games
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._patience = 0.0  # seconds for which it tries to return
        self._error = ""

    def run(self) -> None:
        """Play until the server disconnects us; a KibitzError says why, unless the server has just ended."""
        self._connect()
        try:
            while True:
                try:
                    line = self._line()
                except _Lost:
                    if self._error:
                        raise BadValue(f"the server complains: {self._error}") from None
                    self._return()
                    continue
                if not self._lobby(line):
                    self._received += 1
                    if _is(line, "quit"):
                        return
                    if _is(line, "error"):
                        self._error = shown(line)
                    self.player.take(line, self._send)
        finally:
            self._leave()

    def _connect(self) -> None:
        """Connect and ask for a seat."""
        try:
            self.connection = socket.create_connection((self.address.host, self.address.port), CONNECTING)
            self.connection.settimeout(None)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            self._data = b""
            self.connection.sendall(line_of(self.seek))
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise BadValue(f"cannot connect to {self.address}: {why}") from None

    def _return(self) -> None:
        """Reconnect, for as long as the server waits and longer, since the server itself may restart."""
        self.tell("the connection is lost; trying to return")
        self.seek.received = self._received
        until = monotonic() + self._patience
        while True:
            self._hang_up()
            try:
                self._connect()
                return
            except BadValue:
                if monotonic() > until:
                    raise
            time.sleep(AGAIN_AFTER)

    def _lobby(self, line: bytes) -> bool:
        """Handle a line if it comes from the lobby; return whether it did."""
        match read_lobby(line):
            case Welcome() as welcome:
                self._welcome(welcome)
            case Waiting() as waiting:
                present = ", ".join(waiting.present)
                self.tell(f"in channel {waiting.channel!r} of {waiting.game} for {waiting.seats}: {present}")
            case ConnectionRefused() as refused:
                raise BadValue(f"{self.address} says: {refused.sentence}")
            case _:
                return False
        return True

    def _welcome(self, welcome: Welcome) -> None:
        if welcome.token != self.seek.token:
            self.seek.token = welcome.token
            self.keep_token(welcome.token)
        self._patience = max(RETURNING, welcome.grace_ms / 1000)
        if not welcome.resumed:
            self._received = self._sent = 0
            self._kept.clear()
            return
        lost = self._sent - welcome.received
        with suppress(OSError):  # then it is lost again
            if lost > 0 and self.connection is not None:
                self.connection.sendall(b"".join(list(self._kept)[-lost:]))

    def _line(self) -> bytes:
        while b"\n" not in self._data:
            try:
                data = self.connection.recv(CHUNK) if self.connection is not None else b""
            except OSError:
                data = b""
            if not data:
                raise _Lost
            self._data += data
            if len(self._data) > LONGEST_LINE:
                raise KibitzError(f"{self.address} sends a line of more than {LONGEST_LINE >> 20} MiB")
        line, _, self._data = self._data.partition(b"\n")
        return line

    def _send(self, line: bytes) -> None:
        """Send a line of the game; one that is lost is sent again after reconnecting."""
        self._kept.append(line)
        self._sent += 1
        with suppress(OSError):
            if self.connection is not None:
                self.connection.sendall(line)

    def _leave(self) -> None:
        with suppress(OSError):
            if self.connection is not None:
                self.connection.sendall(LEAVE + b"\n")
        self._hang_up()

    def _hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _is(line: bytes, kind: str) -> bool:
    return line.replace(b" ", b"").startswith(b'{"type":"' + kind.encode() + b'"')
