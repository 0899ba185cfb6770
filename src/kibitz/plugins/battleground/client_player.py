"""The player of a client: a Kibitz agent, or a program that speaks the bot protocol."""

import json
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, Protocol

from kibitz.bots.bot_fault import TIME, BotFault
from kibitz.bots.bot_process import BotProcess
from kibitz.bots.host import Host
from kibitz.bots.protocol import line_of, read_referee
from kibitz.bots.protocol_driver import THANKS
from kibitz.bots.sandbox.sandbox import Sandbox, words_of

PATIENCE = 600.0  # seconds for the program to answer; the server's clock is stricter
_NO_ANSWER = ("error", "quit")
Send = Callable[[bytes], None]


class ClientPlayer(Protocol):
    """Answers the lines of a referee."""

    def take(self, line: bytes, send: Send) -> None:
        """Take a line, and send what answers it."""

    def end(self) -> None:
        """End what was started."""


class AgentPlayer:
    """A Kibitz agent in this process."""

    def __init__(self, text: str):
        self._host = Host(text, own_games=False)

    def take(self, line: bytes, send: Send) -> None:
        """Take a line, and send what answers it."""
        answer = self._host.answer(read_referee(line))
        if answer is not None:
            send(line_of(answer))

    def end(self) -> None:
        """Do nothing: nothing was started."""


class ProgramPlayer:
    """A program in a sandbox."""

    def __init__(self, command: str, sandbox: Sandbox):
        sandbox.check()
        self._words, self._sandbox = words_of(command), sandbox
        self._process = BotProcess(self._words, sandbox)
        self._greeted = False
        self._asked: int | None = None  # the message that it owes an answer to

    def take(self, line: bytes, send: Send) -> None:
        """Pass a line on, and send back what the program says until it answers or asks for something."""
        said = _loads(line)
        kind, self._asked = said.get("type"), said.get("id", self._asked)
        if kind == "hello":
            self._begin_anew()
        lines = self._process.lines
        lines.new_move()
        if kind == "new":
            self._process.begin_game()
        try:
            self._process.send(line.rstrip(b"\n") + b"\n", monotonic() + PATIENCE)
            while kind not in _NO_ANSWER:
                answer = self._process.receive(monotonic() + (THANKS if kind == "end" else PATIENCE))
                if answer.lstrip()[:1] != b"{":
                    continue
                send(answer + b"\n")
                if _loads(answer).get("id", self._asked) == self._asked:
                    return
        except BotFault as fault:
            if kind != "end" or fault.kind != TIME:
                raise BotFault(fault.kind, f"the program failed: {fault}{self._process.tail()}") from None

    def _begin_anew(self) -> None:
        """Restart the program for a server that has restarted and numbers its messages from the start."""
        if self._greeted:
            self._process.end()
            self._process = BotProcess(self._words, self._sandbox)
        self._greeted = True

    def end(self) -> None:
        """End the program."""
        self._process.end()


def _loads(line: bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        found = json.loads(line)
        if isinstance(found, dict):
            return found
    return {}
