"""Somebody's player in Python, which an adapter runs in its own process and folder."""

import re
import sys
from pathlib import Path

from kibitz.bots.agents.bot import Bot
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.bot_process import SAID
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.user_files import is_path

LATE = re.compile(r"in the (\S+) s after `(\w+)`")  # what a driver says of an answer that did not come


def where_options(cls: str) -> dict[str, Option]:
    """Return the options that say where a class is."""
    return {
        "path": Option("", "the folder of its modules, which is its working directory; or its package or file in it"),
        "module": Option("", "the module in that folder; where path is a package or a file, it is that"),
        "cls": Option(cls, "the class"),
    }


class Student(Bot):
    """A class that follows the convention of a course."""

    convention = ""  # the adapter that hosts it
    asked = ""  # the method that was called last
    late: dict[str, str] = {}  # what takes time, by the message during which it does

    def host(
        self,
        path: str,
        module: str,
        cls: str,
        sandbox: Sandbox,
        seconds: float,
        start: float,
        fresh: bool,
        args: str = "",
    ) -> None:
        """Find the class, and note how to run its process; `args` go to its constructor."""
        folder, module = _located(self.name, path, module)
        for word in (*module.split("."), cls):
            if not word.isidentifier():
                raise BadValue(f"{self.name}: {word!r} cannot be the name of a module or class in Python")
        self.late = {
            "hello": f"importing the module {module}", "new": f"the constructor of {cls}", "events": "update()",
        }  # fmt: skip
        where = [str(folder), module, cls, *([args] if args else [])]
        self.run_adapter(where, [str(PACKAGE.parent), str(folder)], sandbox, seconds, start, fresh)

    def run_adapter(
        self, words: list[str], readable: list[str], sandbox: Sandbox, seconds: float, start: float, fresh: bool
    ) -> None:
        """Note how to run the adapter with words of its command, which may read these folders."""
        program = [sys.executable, "-P", "-m", f"kibitz.plugins.courses.adapters.{self.convention}_adapter", *words]
        walls = Sandbox(sandbox.level, sandbox.memory, sandbox.cpu, tuple(readable))
        self.set_up(program, walls, seconds, start, fresh)
        self.new_seconds = start  # a constructor may load a lot

    def start(self) -> ProtocolDriver:
        """Return the player's process, with its module imported."""
        try:
            return super().start()
        except BotFault as fault:
            raise self._of_class(fault) from None

    def _failed(self, fault: BotFault) -> BotFault:
        return super()._failed(self._of_class(fault))

    def _of_class(self, fault: BotFault) -> BotFault:
        """Return a fault in terms of the class; its author knows nothing about lines and messages."""
        late = LATE.search(str(fault))
        if late is None:
            return fault
        _, mark, said = str(fault).partition(SAID)
        what = self.late.get(late[2], self.asked)
        return BotFault(fault.kind, f"{what} took more than {late[1]} s{mark}{said}", fault.killed)


def _located(owner: str, path: str, module: str) -> tuple[Path, str]:
    """Return the folder of the modules, and the module."""
    if not is_path(path):
        raise BadValue(f"{owner}: path is {path!r}; it must be a path with a slash, as in {owner}(path=./players/team)")
    place = Path(path).resolve()
    if not place.exists():
        raise BadValue(f"{owner}: there is nothing at {path}; it should be a folder or a Python file")
    if place.is_file():
        return place.parent, module or place.stem
    return (place, module) if module else (place.parent, place.name)
