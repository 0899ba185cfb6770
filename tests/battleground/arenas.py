"""A battleground on this machine, and clients by hand, for tests."""

import json
import socket
from contextlib import contextmanager, suppress
from threading import Event, Thread

from kibitz.arena.plan.limits import Limits
from kibitz.plugins.battleground.battleground_server import BattlegroundServer, listen
from kibitz.plugins.battleground.channels import Channels
from kibitz.plugins.battleground.registry import keep_books

PATIENCE = 60.0  # seconds, after which a test has failed


class Ground:
    """A server in a thread; `told` is what it has announced."""

    def __init__(self, books, games, move_seconds, grace):
        self.told, self._news = [], Event()
        limits = Limits(move_seconds=move_seconds)
        self.lobby = Channels(books, games, limits, grace, 0.0, self._announce)
        listener = listen("127.0.0.1", 0)
        self.port = listener.getsockname()[1]
        self.server = BattlegroundServer(self.lobby, listener)
        self.thread = Thread(target=self.server.run)
        self.thread.start()

    def _announce(self, sentence):
        self.told.append(sentence)
        self._news.set()

    def wait_for(self, games):
        """Wait until `games` games have been reported."""
        while len(self.told) < games:
            self._news.clear()
            if len(self.told) < games:
                assert self._news.wait(PATIENCE), "no game was finished"


@contextmanager
def ground(path, *games, move_seconds=30.0, grace=30.0):
    """Serve a battleground while a test runs."""
    with keep_books(path, Limits(move_seconds=move_seconds)) as books:
        served = Ground(books, games or ("quarto",), move_seconds, grace)
        try:
            yield served
        finally:
            served.server.stop()
            served.thread.join(PATIENCE)
            assert not served.thread.is_alive()


class Hand:
    """A client that a test leads by hand; it connects when it first speaks, as it must within seconds of that."""

    def __init__(self, port, **first):
        self.port, self.socket, self.file = port, None, None
        self.received = 0
        if first:
            self.say(**first)

    def say(self, **message):
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, data):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self.file = self.socket.makefile("rb")
        self.socket.sendall(data)

    def hear(self):
        """Return the next message; None when the connection has ended."""
        try:
            line = self.file.readline()
        except ConnectionError:
            return None
        return json.loads(line) if line else None

    def seek(self, name, channel="open", game="quarto", **more):
        self.say(type="seek", protocol=1, name=name, channel=channel, game=game, **more)
        return self.hear()

    def answer(self):
        """Answer the next line of a game with the first legal move; return the line."""
        said = self.hear()
        if said is not None and said["type"] in ("hello", "new", "decide", "end"):
            self.received += 1
            self.say(**first_answer(said))
        return said

    def play(self, ends=1):
        """Play until `ends` games have ended."""
        heard = []
        while ends and (said := self.answer()) is not None:
            heard.append(said)
            ends -= said["type"] == "end"
        return heard

    def close(self):
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)  # wakes who reads from it
            self.file.close()
            self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


def first_answer(said):
    """Return the answer of a bot that plays the first legal move."""
    match said["type"]:
        case "hello":
            return {"type": "ready", "id": said["id"], "wants": ["moves"]}
        case "decide":
            return {"type": "move", "id": said["id"], "move": said["moves"][0]}
    return {"type": "ok", "id": said["id"]}
