"""The server of a battleground: one thread per connection, with limits on what each may send and hold."""

import logging
import socket
from collections import Counter, deque
from contextlib import closing, suppress
from threading import Event, Lock, Thread
from time import monotonic

from kibitz.bots.protocol import line_of
from kibitz.core.errors import SERVER_FAILED, BadValue
from kibitz.plugins.battleground.channels import Channels
from kibitz.plugins.battleground.course_messages import CourseError, course_line
from kibitz.plugins.battleground.lobby_messages import LONGEST_LINE, ConnectionRefused, Refusal, read_first
from kibitz.plugins.battleground.resumable_connection import CHUNK, LAST_WORDS

FIRST_LINE = 10.0  # seconds for a client to say what it wants
MOST_CONNECTIONS, MOST_AN_ADDRESS = 256, 64
SEEKS, SEEK_SECONDS = 120, 60.0  # connections allowed per address, and in how many seconds
LOOK_EVERY = 0.2  # seconds between checks whether to stop
LEFT_UNREAD = 8 << 20  # bytes from a disconnected client that are discarded

_LOG = logging.getLogger(__name__)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadValue(f"cannot listen at {host}, port {port}: {why}") from None


class BattlegroundServer:
    """Takes connections and hands them to a lobby."""

    def __init__(self, lobby: Channels, listener: socket.socket):
        self.lobby, self._listener = lobby, listener
        self._stop = Event()
        self._lock = Lock()
        self._here: Counter[str] = Counter()  # connections by address
        self._seeks: dict[str, deque[float]] = {}
        self._open: set[Thread] = set()

    def run(self) -> None:
        """Serve until somebody stops it; then disconnect everybody."""
        self._listener.settimeout(LOOK_EVERY)
        try:
            while not self._stop.is_set():
                with suppress(TimeoutError, ConnectionError):
                    connection, address = self._listener.accept()
                    thread = Thread(target=self._serve, args=(connection, str(address[0])), daemon=True)
                    with self._lock:
                        self._open.add(thread)
                    thread.start()
        finally:
            self._listener.close()
            self.lobby.close()
            for thread in list(self._open):
                thread.join(LAST_WORDS)

    def stop(self) -> None:
        """Let `run` return."""
        self._stop.set()

    def _serve(self, connection: socket.socket, address: str) -> None:
        """Serve one connection to its end."""
        with self._lock:
            self._here[address] += 1
        try:
            with closing(connection):
                self._talk(connection, address)
                _part(connection)
        finally:
            with self._lock:
                self._here[address] -= 1
                self._here += Counter()  # forgets addresses without connections
                self._open = {thread for thread in self._open if thread.is_alive()}

    def _talk(self, connection: socket.socket, address: str) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        line = b""
        try:
            self._check_rates(address)
            line, rest = _first_line(connection)
            member = self.lobby.enter(read_first(line), connection)
        except Refusal as refusal:
            _refuse(connection, line, str(refusal))
        except ConnectionError:
            return
        except Exception:
            _LOG.exception("a connection from %s could not be served", address)
            _refuse(connection, line, SERVER_FAILED)
        else:
            member.line.listen(connection, rest)

    def _check_rates(self, address: str) -> None:
        now = monotonic()
        with self._lock:
            if self._here.total() > MOST_CONNECTIONS or self._here[address] > MOST_AN_ADDRESS:
                raise Refusal("there are too many connections; try again later")
            self._seeks = {one: times for one, times in self._seeks.items() if times[-1] > now - SEEK_SECONDS}
            times = self._seeks.setdefault(address, deque(maxlen=SEEKS))
            if len(times) == SEEKS and times[0] > now - SEEK_SECONDS:
                raise Refusal(f"more than {SEEKS} connections came from {address} in {SEEK_SECONDS:g} s; wait a while")
            times.append(now)


def _refuse(connection: socket.socket, line: bytes, sentence: str) -> None:
    """Tell a client, in its own protocol, why it is refused."""
    said = course_line(CourseError(sentence)) if b'"mtype"' in line else line_of(ConnectionRefused(sentence=sentence))
    with suppress(OSError):
        connection.settimeout(LAST_WORDS)
        connection.sendall(said)


def _first_line(connection: socket.socket) -> tuple[bytes, bytes]:
    """Return the first line of a client, and what followed it."""
    data, until = b"", monotonic() + FIRST_LINE
    while b"\n" not in data:
        if len(data) > LONGEST_LINE:
            raise Refusal(f"the first line has more than {LONGEST_LINE} bytes")
        connection.settimeout(max(0.001, until - monotonic()))
        try:
            more = connection.recv(LONGEST_LINE)
        except TimeoutError:
            raise Refusal(f"no complete line came in {FIRST_LINE:g} s") from None
        if not more:
            raise ConnectionResetError
        data += more
    line, _, rest = data.partition(b"\n")
    if len(line) > LONGEST_LINE:
        raise Refusal(f"the first line has more than {LONGEST_LINE} bytes")
    return line, rest


def _part(connection: socket.socket) -> None:
    """Let a client read what was sent last, before the connection is closed."""
    until, left = monotonic() + LAST_WORDS, LEFT_UNREAD
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while left > 0 and (seconds := until - monotonic()) > 0:
            connection.settimeout(seconds)
            data = connection.recv(CHUNK)
            if not data:
                return
            left -= len(data)
