"""Bots that are running: a process lives through many games, and waits here between them.

No process plays two games on one deal where something is hidden: in the first it has seen cards that others hold in the
second.
"""

import atexit
import os
from collections.abc import Sequence
from threading import Lock
from time import monotonic

from kibitz.bots.driver import Driver
from kibitz.bots.fault import START, BotFault
from kibitz.bots.process import BotProcess
from kibitz.bots.walls import Walls

MOST_IDLE = 8  # processes that wait; the one that has waited longest is ended
MOST_FAILURES = 3  # failed starts in a row; then it is not tried again for a while
REST = 60.0  # seconds of that while
MOST_DEALS = 1000  # that a process may have seen before it is replaced

Key = tuple[tuple[str, ...], Walls, str]

_idle: list[tuple[Key, int, Driver]] = []  # with the process that started it
_failures: dict[Key, list[tuple[float, str]]] = {}  # failed starts in a row: when, and why
_lock = Lock()


def take(
    program: Sequence[str], walls: Walls, game: str, start_seconds: float, deal: int | None = None
) -> Driver:  # fmt: skip
    """Return a bot that is ready for a game: one that waits and does not know its deal, or a new one."""
    key = (tuple(program), walls, game)
    while (waiting := _waiting(key)) is not None:
        if deal not in waiting.deals and len(waiting.deals) < MOST_DEALS:
            return waiting
        waiting.close()
    said = _failures.get(key, [])
    if len(said) >= MOST_FAILURES and monotonic() < said[-1][0] + REST:
        raise BotFault(START, f"{said[-1][1]} (so it was {len(said)} times in a row, and is not tried for a while)")
    return _start(key, start_seconds)


def _waiting(key: Key) -> Driver | None:
    """Return the bot that waited last, if any, which waits no more."""
    with _lock:
        for at in reversed(range(len(_idle))):
            if _idle[at][0] == key:
                _, owner, driver = _idle.pop(at)
                if owner == os.getpid():
                    return driver
    return None


def _start(key: Key, start_seconds: float) -> Driver:
    program, walls, game = key
    driver = Driver(BotProcess(program, walls))
    try:
        driver.hello(game, start_seconds)
    except BaseException as error:
        driver.refuse(str(error))
        driver.close(politely=False)
        if isinstance(error, BotFault):
            error = BotFault(error.kind, f"{error}{driver.process.tail()}", driver.process.killed)
            if not error.killed:
                _failures.setdefault(key, []).append((monotonic(), str(error)))
            raise error from None
        raise
    _failures.pop(key, None)
    return driver


def give_back(driver: Driver, program: Sequence[str], walls: Walls, game: str) -> None:
    """Let a bot wait for its next game."""
    with _lock:
        _idle.append(((tuple(program), walls, game), os.getpid(), driver))
        over = [_idle.pop(0)[2] for _ in range(len(_idle) - MOST_IDLE)]
    for one in over:
        one.close()


def end_all() -> None:
    """End all bots that wait."""
    with _lock:
        ending = [driver for _, _, driver in _idle]
        _idle.clear()
    for driver in ending:
        driver.close()


atexit.register(end_all)
