"""A script for AIBase that looks around in its process, and fails if it finds what only the referee may hold."""

import gc
import os
import sys
from pathlib import Path

import numpy as np
from AICore import AIBase

from kibitz import UNKNOWN

OFTEN = 15  # decisions
SECRETIVE = ("Table", "Record", "Fixture", "Plan", "BotWorlds")
MASK, MASKED = 0x5A5A5A5A5A5A, 0x1F2E3D4C5B6A ^ 0x5A5A5A5A5A5A  # the seed is not to be found in the script itself


def secrets(view):
    """Yield what a script should not find."""
    for thing in gc.get_objects():
        for each in (thing, *gc.get_referents(thing)):
            if type(each).__name__ in SECRETIVE and type(each).__module__.startswith("kibitz."):
                yield type(each).__name__
            elif type(each) is int and each ^ MASK == MASKED:
                yield "the seed"
            elif type(each) is np.ndarray and each.dtype == np.int64 and each.shape == view.shape:
                complete, fits = (each != UNKNOWN).all(), (each == view)[view != UNKNOWN].all()
                yield from ["a state"] if complete and fits else []
    words = [*sys.argv, *map("=".join, os.environ.items()), Path("/proc/self/cmdline").read_text()]
    if any(str(MASK ^ MASKED) in word for word in words):
        yield "the seed in words"


class Spying(AIBase):
    """Looks around now and then, and then for a state that it has made, which it must find."""

    asked = 0

    def messageCallback(self, gameState):
        self.asked += 1
        if self.asked % OFTEN != 1:
            return "0"
        found = sorted({*secrets(self.engine.view)})
        if found:
            raise RuntimeError(f"it found {found}")
        self.made = np.where(self.engine.view == UNKNOWN, 0, self.engine.view)
        assert "a state" in {*secrets(self.engine.view)}
        self.made = None
        return "0"


if __name__ == "__main__":
    Spying().run(sys.argv[1])
