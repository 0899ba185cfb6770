"""The line that shows how far a network has learnt."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console
from rich.live import Live
from rich.text import Text

from kibitz.learn.training import TrainingProgress

SPEAK_EVERY = 10.0  # seconds, where the output is no terminal


@contextmanager
def learning_line(title: str) -> Iterator[Callable[[TrainingProgress], None]]:
    """Show progress on stderr: on a terminal a line that changes, else a line now and then."""
    if sys.stderr.isatty():
        with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
            yield lambda progress: live.update(Text(_line(title, progress)))
        return
    spoken = perf_counter()

    def speak(progress: TrainingProgress) -> None:
        nonlocal spoken
        if perf_counter() - spoken > SPEAK_EVERY:
            spoken = perf_counter()
            print(_line(title, progress), file=sys.stderr, flush=True)

    yield speak


def _line(title: str, progress: TrainingProgress) -> str:
    strength = "" if progress.strength is None else f", strength {progress.strength:.2f}"
    return (
        f"{title}: {progress.part:.0%}, {progress.games:,} games, {progress.games_per_second:,.0f} a second, "
        f"error {progress.error:.3f}{strength}"
    )
