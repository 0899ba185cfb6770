"""Hosting: code of the user's own runs in hosts; elsewhere only where somebody says that it is trusted."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from kibitz.core.spec import Spec

HOST = "isolated"  # the agent that runs another in a process that holds views and nothing else
MOST_MEMORY = 1_000_000  # MB, where there is no limit
UNTIMED_SECONDS = 600  # for a move in a game without a clock; an agent that hangs must not hang everything

_is_host = False
_trusted: ContextVar[bool] = ContextVar("trusted", default=False)
_said: set[str] = set()


def become_host() -> None:
    """Let code of the user's own run in this process from now on; there must be no secrets in it."""
    global _is_host  # noqa: PLW0603
    _is_host = True


@contextmanager
def trusting() -> Iterator[None]:
    """Let agents that are built meanwhile run here, with all that they are built of."""
    before = _trusted.set(True)
    try:
        yield
    finally:
        _trusted.reset(before)


def runs_here() -> bool:
    """Return whether code of the user's own may run in this process."""
    return _is_host or _trusted.get()


def can_host() -> bool:
    """Return whether this system can run hosts."""
    return hasattr(os, "fork")


def say_that_none_can_host(spec: Spec) -> None:
    """Say once of an agent that it is trusted, as nothing else is possible here."""
    if str(spec) not in _said:
        _said.add(str(spec))
        print(f"{spec} runs in this process and could see what is hidden: this system has no hosts", file=sys.stderr)


def hosted(spec: Spec, memory: int = MOST_MEMORY, start: float | None = None) -> Spec:
    """Return the agent that runs another in a host, with so many MB, and so many seconds to get ready."""
    limits = {"memory": memory, "seconds": UNTIMED_SECONDS} | ({} if start is None else {"start": start})
    return Spec(HOST, {"agent": spec, **{name: Spec(str(limit)) for name, limit in limits.items()}})
