"""A Chexers player of the course COMP30024: a class with __init__(colour), action() and update(colour, action).

python -m kibitz.plugins.courses.adapters.comp30024_adapter FOLDER MODULE CLASS
"""

import gc
import os
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from kibitz.plugins.courses.adapters.conversation import Message, Side, converse, player_class

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

COLOURS = ("red", "green", "blue")
LONGEST_ANSWER = 1000  # characters of an action that is shown
_KILOBYTE, _MEGABYTE = 1 << 10, 1 << 20


class Comp30024Player(Side):
    """A player of the course."""

    game, wants = "chexers", ("events",)

    def __init__(self, folder: str, module: str, cls: str):
        self.where, self.name = (folder, module, cls), module
        self.kind: Any = None
        self.player: Any = None
        self.spent = 0.0  # processor seconds in this game

    def load(self) -> None:
        """Import the class."""
        self.kind = player_class(*self.where)

    def begin(self, message: Message) -> Message:
        """Make a player of the seat's colour."""
        self.spent = 0.0
        self.player, used = self._count(lambda: self.kind(COLOURS[message["seat"]]))
        return used

    def follow(self, message: Message) -> Message:
        """Tell the player of every turn, its own included."""
        return self._count(lambda: self._update(message["events"]))[1]

    def decide(self, message: Message) -> Message:
        """Tell the player what has happened, and ask for its action."""

        def action() -> Any:
            self._update(message.get("events", ()))
            return self.player.action()

        answer, used = self._count(action)
        return {"text": repr(plain(answer))[:LONGEST_ANSWER], **used}

    def _update(self, events: Any) -> None:
        for event in events:
            self.player.update(COLOURS[event["seat"]], action_of(event["text"]))

    def _count(self, deed: Callable[[], Any]) -> tuple[Any, Message]:
        """Call the player; return the result, and the resources used."""
        gc.collect()  # off the clock, as in the course
        begun = process_time()
        found = deed()
        spent = process_time() - begun
        self.spent += spent
        now, most = memory()
        return found, {"used": {"seconds": spent, "game_seconds": self.spent, "memory": now, "most_memory": most}}


def action_of(text: str) -> tuple[str, Any]:
    """Return the course's action for a move in Kibitz's notation."""
    if text == "pass":
        return ("PASS", None)
    if text.endswith(" out"):
        return ("EXIT", _place(text))
    return ("MOVE" if text[2] == "-" else "JUMP", (_place(text), _place(text[3:])))


def _place(name: str) -> tuple[int, int]:
    return ("abcdefg".index(name[0]) - 3, int(name[1]) - 4)


def plain(action: Any) -> Any:
    """Return an action with plain numbers for those that are equal to them, such as NumPy's."""
    if isinstance(action, tuple):
        return tuple(map(plain, action))
    if isinstance(action, str) or action is None:
        return action
    try:
        return int(action) if action == int(action) else action
    except (TypeError, ValueError, OverflowError):
        return action


def memory() -> tuple[float, float]:
    """Return the MB that this process takes now, and the most that it took; 0 where that cannot be known."""
    most = 0.0
    if resource is not None:
        unit = _MEGABYTE if sys.platform == "darwin" else _KILOBYTE
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123
            now = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / _MEGABYTE
            return now, max(now, most)
    except OSError:
        return most, most


if __name__ == "__main__":
    converse(Comp30024Player(*sys.argv[1:]))
