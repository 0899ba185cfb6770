"""An agent that looks around in its process, and says on standard error what it has found there."""

import gc
import os
import sys
from pathlib import Path

import numpy as np

from kibitz import UNKNOWN, Agent, Option

ME = os.urandom(4).hex()
MASK, MASKED = 0x5A5A5A5A5A5A, 0x1F2E3D4C5B6A ^ 0x5A5A5A5A5A5A  # the seed is not to be found in the spy itself
OWN = ("kibitz_own_spy", "tests.spy")
SECRETIVE = ("Table", "Record", "Fixture", "Plan", "Episode", "Room", "Lobby", "_Session", "_Sitting", "Worker")


def seed():
    """Return the seed that the games of the test are played with."""
    return MASK ^ MASKED


class Spy(Agent):
    """Looks around, and plays the last move."""

    OPTIONS = {"value": Option(None, "not asked", kind="value"), "noise": Option(1, "none", least=1, most=9)}

    def prepare(self, value, noise):
        """Take what a verb may add to the text of an agent."""

    def warm_up(self, view):
        """Do nothing, in a deal that nobody plays."""

    def decide(self, view):
        """Print everything that can be seen."""
        seat = int(view[self.game.cells["SEAT"]])
        found = sorted({*self._in_memory(view), *_in_words()})
        print(f"\n[spy {ME} in seat {seat} found {' and '.join(found) or 'nothing'}]", file=sys.stderr, flush=True)
        return self.legal(view)[-1]

    def _in_memory(self, view):
        for thing in _things():
            name, home = type(thing).__name__, type(thing).__module__
            if name in SECRETIVE and home.startswith("kibitz."):
                yield f"a {name}"
            elif type(thing) is int and thing ^ MASK == MASKED:
                yield "the seed"
            elif type(thing) is np.ndarray and thing.dtype == np.int64 and thing.ndim == 1:
                yield from self._in_array(view, thing)

    def _in_array(self, view, cells):
        size = self.game.size
        if len(cells) not in (size, len(self.game.new_state())):
            return
        hidden, shown = view == UNKNOWN, cells[:size]
        if (shown == view)[~hidden].all() and (shown != UNKNOWN)[hidden].any():
            yield "a state"
        if (shown == UNKNOWN)[~hidden].any():
            yield "another view"


def _things():
    """Yield all objects of this process, and what lies in them; what the spy itself has made is not among them."""
    for frame in sys._current_frames().values():
        while frame is not None:
            if not frame.f_globals.get("__name__", "").startswith(OWN):
                yield from frame.f_locals.values()
            frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing).__name__ != "frame":
            yield thing
            yield from gc.get_referents(thing)


def _in_words():
    """Yield where the seed is written in what every process is given."""
    words = [*sys.argv, *map("=".join, os.environ.items()), Path("/proc/self/cmdline").read_text()]
    words += [str(Path(f"/proc/self/fd/{number}").readlink()) for number in (0, 1, 2)]
    if any(str(seed()) in word for word in words):
        yield "the seed in words"
    if any(word.startswith(("/dev/pts", "/dev/tty")) for word in words):
        yield "a terminal"
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
        yield "a terminal"
    except OSError:
        pass
