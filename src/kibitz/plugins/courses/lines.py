"""The agent for Quarto programs that play through plain lines of text; docs/courses.md describes them."""

import sys

from kibitz.bots.agents.bot import Bot, start_options
from kibitz.bots.sandbox.sandbox import Sandbox, folders_of, words_of
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.user_files import COMMAND


class PlainLines(Bot):
    """A Quarto program that plays through plain lines (docs/courses.md): lines(cmd='python3 mine.py')."""

    GAMES = ("quarto",)
    OPTIONS = {COMMAND: Option("", "the command that runs it", by_name=True), **start_options(memory=512, start=20.0)}
    host_memory = 16

    def prepare(
        self, cmd: str, walls: str, memory: int, cpu: int | None, seconds: float, start: float, fresh: bool
    ) -> None:
        """Check that there is such a program."""
        if self.game.name != "quarto" or self.game.options["squares"]:
            raise BadValue(f"lines: plain lines are for quarto without squares, not {self.game}; bot(cmd=…) plays all")
        if not cmd.strip():
            raise BadValue("lines: a command is missing, as in lines(cmd='python3 mine.py')")
        program = words_of(cmd)
        readable = (str(PACKAGE.parent), *folders_of(program))
        host = [sys.executable, "-P", "-m", "kibitz.plugins.courses.adapters.plain_lines_adapter"]
        self.set_up([*host, *program], Sandbox(walls, memory, cpu, readable), seconds, start, fresh)
