"""A script of D. Crha's thesis on Colonizers: a program that calls run() of a class that inherits from AIBase.

    python -m kibitz.plugins.courses.adapters.aibase_adapter SCRIPT

The module AICore is that of modules/, even if the script's folder has another.
"""

import os
import runpy
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from kibitz.plugins.courses.adapters.conversation import Message, Side, converse

MODULES = Path(__file__).with_name("modules") / "aibase"
PIPE = "kibitz"  # the script's argument, which is the name of a pipe in the thesis; here no pipe has it
LONGEST_ANSWER = 1000  # characters of an answer that is shown


class AIBasePlayer(Side):
    """The script, and the engine that it asks."""

    game, wants = "colonizers", ("cells",)

    def __init__(self, script: str):
        self.script, self.name = Path(script), Path(script).stem
        self.player: Any = None
        self.engine: Any = None

    def load(self) -> None:
        """Run the script, which says by run() who plays."""
        os.chdir(self.script.parent)
        sys.path[:0] = [str(MODULES), str(self.script.parent)]
        sys.argv = [str(self.script), PIPE]
        base = import_module("AICore").AIBase
        with suppress(SystemExit):
            runpy.run_path(str(self.script), run_name="__main__")
        self.player = base.playing
        if self.player is None:
            sys.exit("the script has not called run() of a class that inherits from AIBase")

    def begin(self, message: Message) -> Message:
        """Load the rules, before a clock runs."""
        from kibitz.plugins.courses.adapters.aibase_engine import AIBaseEngine

        self.engine = AIBaseEngine(message["game"], message["options"], message["seed"])
        self.player.engine = self.engine
        return {}

    def decide(self, message: Message) -> Message:
        """Ask the script for the index of an action."""
        state = self.engine.show(message["cells"], message["seat"])
        return {"text": str(self.player.messageCallback(state))[:LONGEST_ANSWER]}


if __name__ == "__main__":
    converse(AIBasePlayer(*sys.argv[1:]))
