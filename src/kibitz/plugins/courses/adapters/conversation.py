"""The conversation with the referee, for a player that does not know the bot protocol."""

import ast
import json
import os
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any

PROTOCOL = 1  # the version that is spoken
FAILED = 1  # exit code
_HERE = str(Path(__file__).parent)

Message = dict[str, Any]


class Side(ABC):
    """The player's side of the conversation; each convention fills in what it does."""

    name = ""
    game = ""
    wants: tuple[str, ...] = ()

    def load(self) -> None:
        """Load the player's code."""

    def begin(self, message: Message) -> Message:
        """Begin a game; return fields to add to the answer."""
        return {}

    def follow(self, message: Message) -> Message:
        """Take note of what has happened."""
        return {}

    @abstractmethod
    def decide(self, message: Message) -> Message:
        """Return the move, as the answer has it."""

    def end(self, message: Message) -> Message:
        """Take note of how the game ended."""
        return {}

    def quit(self) -> None:
        """End what was begun."""


def converse(side: Side) -> None:
    """Answer the referee until it quits; what goes wrong in the player's code ends the process with a traceback."""
    lines, out = _standard_streams()
    try:
        for line in lines:
            message = json.loads(line)
            if message["type"] == "quit":
                break
            answer = _answer(side, message)
            if answer:
                out.write(json.dumps(answer).encode() + b"\n")
                out.flush()
        side.quit()
    except Exception as error:
        traceback.print_exception(type(error), error, _without_us(error.__traceback__))
        sys.stderr.flush()
        os._exit(FAILED)  # does not wait for threads of the player


def _answer(side: Side, message: Message) -> Message:
    match message["type"]:
        case "hello":
            side.load()
            return {"type": "ready", "id": message["id"], "protocol": PROTOCOL, "name": side.name,
                    "games": [side.game], "wants": list(side.wants)}  # fmt: skip
        case "decide":
            return {"type": "move", "id": message["id"], **side.decide(message)}
        case "new":
            return {"type": "ok", "id": message["id"], **side.begin(message)}
        case "events":
            return {"type": "ok", "id": message["id"], **side.follow(message)}
        case "end":
            return {"type": "ok", "id": message["id"], **side.end(message)}
        case "error":
            print(f"the referee complains: {message['sentence']}", file=sys.stderr)
    return {}


def _standard_streams() -> tuple[Iterable[bytes], IO[bytes]]:
    """Take standard input and output for the referee; the player prints to standard error and reads nothing."""
    sys.stdout.flush()
    lines, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return lines, out


def _without_us(trace: TracebackType | None) -> TracebackType | None:
    """Return the part of a traceback that lies in the player's code; all of it if there is none."""
    step = trace
    while step is not None and step.tb_frame.f_code.co_filename.startswith((_HERE, "<frozen")):
        step = step.tb_next
    return step or trace


def arguments(text: str) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments that a text writes as in a call; an argument that is not a literal is a ValueError."""
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError(text)
        named = {word.arg or "": ast.literal_eval(word.value) for word in call.keywords}
        if "" in named:
            raise ValueError(text)
        return [ast.literal_eval(value) for value in call.args], named
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ValueError("they should be numbers, texts and the like, as in args='3, name=\"x\"'") from None


def player_class(folder: str, module: str, name: str, before: Iterable[str] = ()) -> Any:
    """Return a class of a module in a folder, which becomes the working directory.

    `before` are folders whose modules come before all but the player's own.
    """
    os.chdir(folder)
    sys.path[:0] = [folder, *before]
    found = import_module(module)
    if not isinstance(getattr(found, name, None), type):
        classes = [key for key, value in vars(found).items() if isinstance(value, type)]
        sys.exit(f"there is no class {name} in the module {module}; its classes are {', '.join(classes) or 'none'}")
    return getattr(found, name)
