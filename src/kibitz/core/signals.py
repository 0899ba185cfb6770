"""Signals: Ctrl-C and termination must never be mistaken for what agents and hooks raise themselves."""

import os
import signal
import sys
from threading import Timer
from types import FrameType

SOON = 0.05  # seconds


class Interrupt(KeyboardInterrupt):
    """Someone pressed Ctrl-C."""


class Terminated(SystemExit):
    """The terminal closed, or someone asked the process to end."""


_sent: list[Interrupt | Terminated] = []  # raised by signals; others may have been raised by anybody


def heed_signals() -> None:
    """Make signals raise the exceptions above, unless handlers have already been set."""
    for number, usual, answer in (
        (signal.SIGINT, signal.default_int_handler, _interrupt),
        (signal.SIGTERM, signal.SIG_DFL, _leave),
        (signal.SIGHUP, signal.SIG_DFL, _leave),
    ):
        if signal.getsignal(number) is usual:
            signal.signal(number, answer)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _send_again


def from_outside(error: BaseException) -> bool:
    """Return whether a signal raised this; then it must pass, and no agent is to blame."""
    if any(error is sent for sent in _sent):
        return True
    return type(error) is KeyboardInterrupt and _plain_interrupts()


def _plain_interrupts() -> bool:
    """Return whether Ctrl-C can reach this process and raises a plain KeyboardInterrupt."""
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    return not blocked and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _send_again(lost: "sys.UnraisableHookArgs") -> None:
    """Send a signal again if its exception was dropped in a callback from the compiler; show any other exception."""
    if isinstance(lost.exc_value, Interrupt | Terminated):
        number = signal.SIGINT if isinstance(lost.exc_value, Interrupt) else signal.SIGTERM
        Timer(SOON, os.kill, (os.getpid(), number)).start()
    else:
        sys.__unraisablehook__(lost)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _raise(Interrupt())


def _leave(number: int, frame: FrameType | None) -> None:
    """Unwind the stack, so that half-written files are removed."""
    _raise(Terminated(128 + number))


def _raise(error: Interrupt | Terminated) -> None:
    _sent.append(error)
    raise error
