"""A line that shows the progress of something long."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console
from rich.live import Live
from rich.text import Text

SPEAK_EVERY = 10.0  # seconds, if the output is not a terminal


@contextmanager
def changing_line() -> Iterator[Callable[[str], None]]:
    """Show texts on stderr: on a terminal in one line that changes, else one text every few seconds."""
    if sys.stderr.isatty():
        with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
            yield lambda text: live.update(Text(text))
        return
    spoken = perf_counter()

    def speak(text: str) -> None:
        nonlocal spoken
        if perf_counter() - spoken > SPEAK_EVERY:
            spoken = perf_counter()
            print(text, file=sys.stderr, flush=True)

    yield speak
