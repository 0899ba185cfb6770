"""An agent that misbehaves in one of many ways at its second move, if its seed is odd; else it is dull."""

import builtins
import ctypes
import os
import resource
import sys
import time

from kibitz.agents.agent import Agent, Decision
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.options import Option
from kibitz.core.signals import Interrupt, Terminated


class Rogue(Agent):
    """Misbehave."""

    OPTIONS = {"how": Option("raise", "in which way")}

    def prepare(self, how):
        """Take the way; some begin early."""
        self.how, self.turns = how, 0
        if how == "unbuilt" and self.seed % 2:
            raise BadValue("no such mind")

    def decide(self, view):
        """Play the first legal move, or misbehave."""
        first = self.legal(view)[0]
        if self.how == "shy" and not self.seed:
            os._exit(4)
        self.turns += 1
        if self.turns != 2 or not self.seed % 2 or self.how in ("unbuilt", "shy"):
            return Decision(first, values=[float(self.turns)] * self.game.seats, nodes=10)
        return WAYS[self.how](first)


def _raise(move):
    raise ZeroDivisionError("oh\n  dear")


def _complain(move):
    raise BadValue("it is all wrong")


def _greedy(move):
    held = [bytearray(1 << 28) for _ in range(1 << 10)]
    return Decision(len(held))


HELD = []


def _hoard(move):
    try:
        while True:
            HELD.append("x" * 50 + str(len(HELD)))
    except MemoryError:
        return Decision(move)


def _loop(move):
    while True:
        pass


def _late(move):
    time.sleep(1.5)
    return Decision(move)


def _fork(move):
    os.fork()
    return Decision(move)


def _close(move):
    os.closerange(3, 200)
    return Decision(move)


def _deny(move):
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    return Decision(move)


def _patch(move):
    builtins.len = lambda things: 0
    return Decision(move)


def _open(move):
    try:
        while True:
            HELD.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return Decision(move)


def _throw(error):
    raise error


WAYS = {
    "close": _close,
    "deny": _deny,
    "patch": _patch,
    "open": _open,
    "interrupt": lambda move: _throw(Interrupt()),
    "depart": lambda move: _throw(Terminated(0)),
    "accuse": lambda move: _throw(BadGame("the rules are wrong")),
    "fork": _fork,
    "raise": _raise,
    "complain": _complain,
    "leave": lambda move: sys.exit("enough"),
    "quit": lambda move: os._exit(3),
    "segfault": lambda move: ctypes.string_at(0),
    "loop": _loop,
    "late": _late,
    "greedy": _greedy,
    "hoard": _hoard,
    "cheat": lambda move: Decision(10**6),
    "mumble": lambda move: Decision("e4"),
    "silent": lambda move: None,
    "toil": lambda move: Decision(move, nodes=10**6),
    "boast": lambda move: Decision(move, nodes="many"),
    "dream": lambda move: Decision(move, values=[float("nan"), "x"]),
}
