"""Progress reports: how far an agent is with its decision, told while it thinks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from kibitz.agents.agent import Agent

REPORT_EVERY = 1.0  # seconds


@contextmanager
def reported(agent: Agent, report: Callable[[dict[str, int]], None]) -> Iterator[None]:
    """Report every second what an agent has counted; it counts anyway, and another thread looks."""
    done = Event()

    def look() -> None:
        while not done.wait(REPORT_EVERY):
            with suppress(Exception):  # an agent that cannot tell how far it is may decide all the same
                if found := agent.progress():
                    report(found)

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
