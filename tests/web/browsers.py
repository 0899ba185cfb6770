"""Browsers without a network: connections to a lobby whose agents think right here."""

import asyncio
import json
from contextlib import asynccontextmanager
from functools import partial

import msgspec
from msgspec.structs import replace

from kibitz.web import thinking_worker
from kibitz.web.allowlist import Allowlist
from kibitz.web.connection import Connection
from kibitz.web.lobby import Lobby
from kibitz.web.messages import NewTable, read_body
from kibitz.web.rate_limit import RateLimit
from kibitz.web.server_messages import ServerMessage
from kibitz.web.table_store import TableStore
from kibitz.web.thinking_pool import NoAnswer, ThinkingPool, no_answer
from kibitz.web.thinking_questions import DecideMove

DECLARED = msgspec.json.Decoder(ServerMessage)


class PoolHere(ThinkingPool):
    """Answer in this process, at once; `asked` is what they were asked, `fails` a sentence to fail with."""

    def __init__(self):
        super().__init__(2)
        self.asked, self.fails, self.pause = [], "", 0.0

    def start(self):
        pass

    async def ask(self, question, urgency=0, tell=None, limit=0, whose=""):
        self.asked.append(question)
        await asyncio.sleep(self.pause)
        if self.fails and isinstance(question, DecideMove):
            raise NoAnswer(self.fails)
        try:
            found = thinking_worker._answer(question, lambda: None, partial(tell or print, thinking_worker.PROGRESS))
        except Exception as error:
            raise no_answer(question, *thinking_worker.failure(question, error)) from error
        return (found[0], replace(found[1], seconds=0.0)) if isinstance(question, DecideMove) else found


@asynccontextmanager
async def open_lobby(path=":memory:", games=(), agents=()):
    lobby = Lobby(TableStore(path), Allowlist(games, agents), PoolHere())
    lobby.pace = lobby.pause_before_only_move = 0.0
    lobby.start()
    try:
        yield lobby
    finally:
        await lobby.close()


async def new_table(lobby, game, seats=None, **more):
    wanted = {"game": game, **({} if seats is None else {"seats": seats}), **more}
    return msgspec.to_builtins(await lobby.create(read_body(NewTable, json.dumps(wanted).encode())))


class Browser:
    """One browser; `received` is every message that it ever got, as bytes."""

    def __init__(self, lobby, address=""):
        self.lobby, self.received, self.left = lobby, [], False
        self.connection = Connection(lobby, self._leave, address)

    def _leave(self):
        self.left = True

    async def send(self, kind, **fields):
        """Send a message; return what came back at once."""
        return await self.send_raw(json.dumps({"type": kind, **fields}))

    async def send_raw(self, data):
        self.connection.allowance = RateLimit(1000, 0)  # tests are fast typists
        await self.connection.receive(data)
        return self.take()

    def take(self):
        """Return the messages that came since the last look."""
        found = []
        while not self.connection.outbox.empty():
            self.received.append(self.connection.outbox.get_nowait())
            found.append(json.loads(self.received[-1]))
            assert json.loads(msgspec.json.encode(DECLARED.decode(self.received[-1]))) == found[-1]
        return found

    async def until(self, fits):
        """Wait for a message that fits, and return it."""
        for _ in range(5_000):
            for message in self.take():
                if fits(message):
                    return message
            await asyncio.sleep(0.001)
        raise AssertionError("the message that was waited for did not come")


async def sit_down(lobby, table, *tokens):
    """Return a browser that has joined a table, and the first state that it was sent."""
    browser = Browser(lobby)
    (first,) = await browser.send("join", table=table, tokens=list(tokens), protocol=1)
    assert first["type"] == "state", first
    return browser, first


PERSON, INVITED = {"kind": "me"}, {"kind": "invite"}


def agent(text):
    return {"kind": "agent", "text": text}
