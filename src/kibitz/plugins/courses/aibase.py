"""The agent for scripts written for the interface AIBase of D. Crha's thesis on Colonizers."""

from pathlib import Path

import numpy as np

from kibitz.bots.agents.bot import start_options
from kibitz.bots.agents.isolated import HOST_MEMORY, own_folders
from kibitz.bots.bot_fault import ILLEGAL, BotFault
from kibitz.bots.protocol import Move, shown
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.user_files import is_path
from kibitz.plugins.courses.student import Student

MAIN = "main.py"  # of a script that is a folder


class AIBaseScript(Student):
    """A script with a class that inherits from AIBase, as the Colonizers thesis has it: aibase(./their_script.py)."""

    convention = "aibase"
    asked = "messageCallback()"
    host_memory = HOST_MEMORY
    GAMES = ("colonizers",)
    OPTIONS = {
        "path": Option("", f"the script, or a folder with {MAIN}; its folder is the working directory"),
        **start_options(memory=2048, start=60.0),
        "seconds": Option(600.0, "for a move in a game without a clock", least=0.01, most=1_000_000),
        "fresh": Option(True, "a new process for every game, as in the thesis"),
    }

    def prepare(
        self, path: str, walls: str, memory: int, cpu: int | None, seconds: float, start: float, fresh: bool
    ) -> None:
        """Find the script."""
        if self.game.name != "colonizers":
            raise BadValue(f"{self.name}: its scripts play colonizers, not {self.game}")
        script = _script(self.name, path)
        self.late = {"hello": f"running {script.name}", "new": "loading the rules"}
        folders = [*own_folders(), str(script.parent)]
        self.run_adapter([str(script)], folders, Sandbox(walls, memory, cpu), seconds, start, fresh)

    def _move(self, answer: Move, view: np.ndarray, moves: list[int]) -> int:
        """Return the action whose index the script returned."""
        said = answer.text or ""
        if said.isdecimal() and int(said) < len(moves):
            return moves[int(said)]
        raise BotFault(
            ILLEGAL,
            f"messageCallback() returned {shown(said)}, which is not the index of an action: there are {len(moves)}, "
            "counted from 0",
        )


def _script(owner: str, path: str) -> Path:
    """Return the script at a path, which may be a folder."""
    if not is_path(path):
        raise BadValue(f"{owner}: path is {path!r}; it must be a path with a slash, as in {owner}(./their_script.py)")
    place = Path(path).resolve()
    script = place / MAIN if place.is_dir() else place
    if not script.is_file():
        raise BadValue(f"{owner}: there is no script {script}; it should be a Python file, or a folder with {MAIN}")
    return script
