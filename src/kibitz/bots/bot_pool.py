"""The pool of running bots: a process plays many games, and waits here between them.

In games with secrets no process plays twice on one deal, since the first time it saw cards that others hold the second
time; and a process that has played in a place, a seat of a table that lasts, waits for that place alone.
"""

import atexit
import os
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic

from kibitz.bots.bot_fault import START, BotFault
from kibitz.bots.bot_process import BotProcess
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox

MOST_IDLE = 8  # processes that wait; the one that has waited longest is ended
MOST_FAILURES = 3  # failed starts in a row; then it is not tried again for a while
REST = 60.0  # seconds of that while
MOST_DEALS = 1000  # that a process may have seen before it is replaced
LONGEST_WAIT = 600.0  # seconds that a process waits for its place

Key = tuple[tuple[str, ...], Sandbox, str]
Place = tuple[str, int]  # a table and a seat of it

_idle: list[tuple[Key, int, ProtocolDriver, float]] = []  # with the process that started it, and since when it waits
_failures: dict[Key, list[tuple[float, str]]] = {}  # failed starts in a row: when, and why
_lock = Lock()


def take(
    program: Sequence[str], sandbox: Sandbox, game: str, start_seconds: float, deal: int | None = None,
    place: Place | None = None, untouched: bool = False,
) -> ProtocolDriver:  # fmt: skip
    """Return a bot that is ready for a game: one that waits and does not know its deal, or a new one.

    A place gets the bot that waits for it, or one that waits for no other; `untouched` asks for one that knows nothing.
    """
    key = (tuple(program), sandbox, game)
    while (waiting := _waiting(key, place)) is not None:
        knows = deal in waiting.deals or (untouched and bool(waiting.deals))
        if not knows and len(waiting.deals) < MOST_DEALS:
            return waiting
        waiting.close()
    said = _failures.get(key, [])
    if len(said) >= MOST_FAILURES and monotonic() < said[-1][0] + REST:
        raise BotFault(START, f"{said[-1][1]} (so it was {len(said)} times in a row, and is not tried for a while)")
    return _start(key, start_seconds)


def _waiting(key: Key, place: Place | None) -> ProtocolDriver | None:
    """Remove and return the bot that began to wait last for a place, or for none, if there is one."""
    with _lock:
        for wanted in dict.fromkeys((place, None)):
            for at in reversed(range(len(_idle))):
                if _idle[at][0] == key and _idle[at][2].place == wanted:
                    _, owner, driver, _ = _idle.pop(at)
                    if owner == os.getpid():
                        return driver
    return None


def _start(key: Key, start_seconds: float) -> ProtocolDriver:
    program, sandbox, game = key
    driver = ProtocolDriver(BotProcess(program, sandbox))
    try:
        driver.hello(game, start_seconds)
    except BaseException as error:
        if isinstance(error, BotFault):  # what else goes wrong here is not for the bot
            driver.refuse(str(error))
        driver.close(politely=False)
        if isinstance(error, BotFault):
            process = driver.process
            error = BotFault(error.kind, f"{error}{process.tail()}", process.killed, process.perhaps_killed)
            if not error.killed and not error.perhaps_killed:
                _failures.setdefault(key, []).append((monotonic(), str(error)))
            raise error from None
        raise
    _failures.pop(key, None)
    return driver


def give_back(driver: ProtocolDriver, program: Sequence[str], sandbox: Sandbox, game: str) -> None:
    """Let a bot wait for its next game."""
    with _lock:
        _idle.append(((tuple(program), sandbox, game), os.getpid(), driver, monotonic()))
        over = [_idle.pop(0)[2] for _ in range(len(_idle) - MOST_IDLE)]
    for one in over:
        one.close()


def end_table(table: str) -> None:
    """End the bots that wait for a place of a table."""
    _end(lambda driver, _: driver.place is not None and driver.place[0] == table)


def end_forgotten() -> None:
    """End the bots that have waited too long for their places."""
    latest = monotonic() - LONGEST_WAIT
    _end(lambda driver, since: driver.place is not None and since < latest)


def end_all() -> None:
    """End all bots that wait."""
    _end(lambda driver, _: True)


def _end(which: Callable[[ProtocolDriver, float], bool]) -> None:
    with _lock:
        ending = [driver for _, _, driver, since in _idle if which(driver, since)]
        _idle[:] = [waiting for waiting in _idle if waiting[2] not in ending]
    for driver in ending:
        driver.close()


atexit.register(end_all)
