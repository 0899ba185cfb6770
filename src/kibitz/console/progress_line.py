"""A line that shows the progress of something long."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from kibitz.core.code_on_disk import notice

SPEAK_EVERY = 10.0  # seconds, if the output is not a terminal


@contextmanager
def changing_line() -> Iterator[Callable[[str], None]]:
    """Show texts on stderr: on a terminal in one line that changes, else one text every few seconds."""
    if sys.stderr.isatty():
        with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
            shown = {"text": "", "notice": ""}

            def show(part: str, text: str) -> None:
                shown[part] = text
                live.update(Group(*(Text(line) for line in shown.values() if line)))

            with notice.drawn_by(lambda text: show("notice", text)):
                yield lambda text: show("text", text)
        return
    spoken = perf_counter()

    def speak(text: str) -> None:
        nonlocal spoken
        if perf_counter() - spoken > SPEAK_EVERY:
            spoken = perf_counter()
            print(text, file=sys.stderr, flush=True)

    yield speak
