"""Hosting: foreign code runs in hosts, and elsewhere only if it is trusted."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from kibitz.core.spec import Spec

HOST = "isolated"  # the agent that runs another in a process that holds nothing but views
MOST_MEMORY = 1_000_000  # MB, where there is no limit
UNTIMED_SECONDS = 600  # for a move in a game without a clock, so that an agent that hangs hangs nothing else

_is_host = False
_trusted: ContextVar[bool] = ContextVar("trusted", default=False)
_said: set[str] = set()


def become_host() -> None:
    """Let foreign code run in this process from now on; the process must hold no secrets."""
    global _is_host  # noqa: PLW0603
    _is_host = True


@contextmanager
def trusting() -> Iterator[None]:
    """Let agents built in the block run here, with all agents in their options."""
    before = _trusted.set(True)
    try:
        yield
    finally:
        _trusted.reset(before)


def runs_here() -> bool:
    """Return whether foreign code may run in this process."""
    return _is_host or _trusted.get()


def can_host() -> bool:
    """Return whether this system can run hosts."""
    return hasattr(os, "fork")


def say_that_none_can_host(spec: Spec) -> None:
    """Warn once that an agent is trusted, because this system has no hosts."""
    if str(spec) not in _said:
        _said.add(str(spec))
        print(f"{spec} runs in this process and could see what is hidden: this system has no hosts", file=sys.stderr)


def hosted(spec: Spec, memory: int = MOST_MEMORY, start: float | None = None) -> Spec:
    """Return the agent that runs another in a host with `memory` MB and `start` seconds to get ready."""
    limits = {"memory": memory, "seconds": UNTIMED_SECONDS} | ({} if start is None else {"start": start})
    return Spec(HOST, {"agent": spec, **{name: Spec(str(limit)) for name, limit in limits.items()}})
