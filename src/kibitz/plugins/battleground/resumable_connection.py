"""A resumable connection: a client may lose it and come back.

One thread reads what comes (`listen`); the thread of a game sends and receives. Both sides count the lines of the game,
so that a lost one is sent again.
"""

import select
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, RLock
from time import monotonic

from kibitz.bots.bot_fault import CRASH, FLOOD, TIME, BotFault
from kibitz.bots.bot_process import CAME, NO_LINE
from kibitz.bots.protocol import Error, LineBuffer, Message, Quit, line_of
from kibitz.plugins.battleground.lobby_messages import LeaveChannel

CHUNK = 1 << 16
LOOK_EVERY = 1.0  # seconds between checks whether to go on reading
KEPT = 8  # lines sent that may have to be sent again
MOST_WAITING = 64  # unread lines; further ones are not accepted
LAST_WORDS = 2.0  # seconds for a client to read why it is disconnected
LEAVE = line_of(LeaveChannel()).strip()


class ResumableConnection:
    """The channel of a driver to a client on another machine."""

    killed = perhaps_killed = False  # nobody here can end a client

    def __init__(self, grace: float):
        self.lines = LineBuffer()
        self.chatter: list[bytes] = []
        self.grace = grace  # seconds for which it may be disconnected in one game
        self.alive = True  # whether it is connected, or may come back
        self.paused = 0.0  # seconds for which a game waited for it to come back
        self.sent = self.received = 0  # lines
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._left = grace
        self._socket: socket.socket | None = None
        self._lost_at = monotonic()
        self._fault: BotFault | None = None
        self._changed = Condition()
        self._sending = RLock()

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._socket is not None

    @property
    def expired(self) -> bool:
        """Whether it has been lost for too long."""
        return not self.alive or (not self.connected and monotonic() > self._lost_at + self.grace)

    def attach(self, connection: socket.socket, first: Callable[[int], bytes], received: int = 0) -> None:
        """Use a connection from now on; send what comes first, and again what the client has not received.

        The first line is made from the number of lines received; no more can arrive by the old connection.
        """
        with self._sending, self._changed:
            old, self._socket = self._socket, connection
            self.lines.partial = b""
            if old is not None:
                _hang_up(old)
            lost = self.sent - received
            again = list(self._kept)[-lost:] if lost else []
            self._write(b"".join([first(self.received), *again]), monotonic() + LAST_WORDS)
            self._changed.notify_all()

    def can_resume(self, received: int | None) -> bool:
        """Return whether a client that has received this many lines can go on: the missing ones are still kept."""
        return received is not None and not self.expired and 0 <= self.sent - received <= len(self._kept)

    def listen(self, connection: socket.socket, data: bytes = b"") -> None:
        """Read what comes, beginning with what was read already, until the connection ends."""
        connection.settimeout(LOOK_EVERY)
        going = True
        while going:
            try:
                data = data or connection.recv(CHUNK)
                going = bool(data) and self._take(connection, data)
                data = b""
            except TimeoutError:
                going = self._socket is connection
            except OSError:
                going = False
        if self._fault is not None and self._fault.kind == FLOOD and self._socket is connection:
            self._say(Error(about=0, sentence=str(self._fault)))
        with self._changed:
            if self._socket is connection:
                self._lose()

    def _say(self, message: Message) -> None:
        """Write a last message, which is not part of the game."""
        with self._sending:
            self._write(line_of(message), monotonic() + LAST_WORDS)

    def _take(self, connection: socket.socket, data: bytes) -> bool:
        """Take what was read; return whether more is wanted."""
        with self._changed:
            if self._socket is not connection or not self.alive:
                return False
            before = len(self.lines.waiting)
            try:
                self.lines.feed(data)
            except BotFault as fault:
                self._fault, self.alive = fault, False
            self.received += len(self.lines.waiting) - before
            if LEAVE in self.lines.waiting[:1]:
                self.lines.waiting.pop(0)
                self._fault, self.alive = BotFault(CRASH, "it left"), False
            self._changed.notify_all()
            while len(self.lines.waiting) > MOST_WAITING and self.alive and self._socket is connection:
                self._changed.wait()
        return self._fault is None

    def _lose(self) -> None:
        self._socket, self._lost_at = None, monotonic()
        self._changed.notify_all()

    def begin_game(self) -> None:
        """Reset the count of what the client uses."""
        with self._changed:
            self.lines.new_game()
            self._left = self.grace

    def send(self, line: bytes, until: float) -> None:
        """Write a line; a client that is lost gets it when it comes back."""
        with self._sending:
            self._kept.append(line)
            self.sent += 1
            if self._socket is not None and not self._write(line, until):
                raise BotFault(TIME, "it does not read what is sent to it")

    def _write(self, data: bytes, until: float) -> bool:
        """Write what can be written in time; return whether that was all, or the connection is lost."""
        connection = self._socket
        if connection is None:
            return True
        waiting = select.poll()
        waiting.register(connection, select.POLLOUT)
        try:
            while data:
                if not waiting.poll(1000 * max(0.0, until - monotonic())):
                    return False
                with suppress(BlockingIOError):
                    data = data[connection.send(data, socket.MSG_DONTWAIT) :]
        except OSError:
            with self._changed:
                if self._socket is connection:
                    self._lose()
        return True

    def receive(self, until: float) -> bytes:
        """Return the next line; time for which the client is lost does not count, unless it is too long."""
        with self._changed:
            while True:
                line = self.lines.next()
                if line is not None:
                    self._changed.notify_all()
                    return line
                if self._fault is not None:
                    raise self._fault
                if not self.alive:
                    raise BotFault(CRASH, "its connection was closed")
                if self._socket is None:
                    until += self._wait_for_return()
                elif (left := until - monotonic()) <= 0:
                    raise BotFault(TIME, f"{NO_LINE} {CAME}")
                else:
                    self._changed.wait(left)

    def _wait_for_return(self) -> float:
        """Wait until the client is back, and return how long that took."""
        begun = monotonic()
        while self._socket is None and self.alive and self._fault is None:
            left = self._left - (monotonic() - begun)
            if left <= 0:
                self.alive = False
                back = f", and it was not back in {self.grace:g} s" if self.grace else ""
                raise BotFault(CRASH, f"its connection was lost{back}")
            self._changed.wait(left)
        away = monotonic() - begun
        self._left -= away
        self.paused += away
        return away

    def news(self) -> str:
        """Return nothing: a client says nothing but its messages."""
        return ""

    def tail(self) -> str:
        """Return nothing: a client says nothing but its messages."""
        return ""

    def end(self, politely: bool = True) -> None:
        """Disconnect the client; it may read what was sent, but nothing more is accepted from it."""
        with self._sending:
            if politely and self.alive:
                self._write(line_of(Quit()), monotonic() + LAST_WORDS)
            with self._changed:
                self.alive = False
                connection, self._socket = self._socket, None
                self._changed.notify_all()
        if connection is not None:
            _hang_up(connection)


def _hang_up(connection: socket.socket) -> None:
    """Finish sending, so that everything arrives; the reader of the connection closes it."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
