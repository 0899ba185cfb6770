"""The live view: progress, speed, scores and time left, on the terminal while games are played."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from kibitz.arena.session import OnProgress, SessionProgress
from kibitz.arena.show.table_parts import table_of_agents
from kibitz.arena.show.text import time_text

REFRESH = 0.25  # seconds between two updates
A_LINE_EVERY = 30.0  # seconds, where there is no terminal


@contextmanager
def live_view(title: str) -> Iterator[OnProgress]:
    """Show progress under a title on standard error: live on a terminal, elsewhere a line now and then."""
    if not sys.stderr.isatty():
        yield _lines(title)
        return
    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    task = bar.add_task(escape(title), total=None, speed="")
    last = 0.0
    with Live(bar, console=Console(stderr=True), transient=True, refresh_per_second=4) as view:

        def show(progress: SessionProgress) -> None:
            nonlocal last
            if monotonic() - last >= REFRESH:
                last = monotonic()
                speed = f"{progress.speed:,.1f} games/s"
                bar.update(task, total=progress.planned, completed=progress.games, speed=speed)
                view.update(Group(_current(progress), bar))

        yield show


def _lines(title: str) -> OnProgress:
    """Return what writes a line of progress now and then."""
    last = monotonic()

    def show(progress: SessionProgress) -> None:
        nonlocal last
        if monotonic() - last >= A_LINE_EVERY:
            last = monotonic()
            left = (progress.planned - progress.games) / progress.speed if progress.speed else 0.0
            done = f"{progress.games:,} of {progress.planned:,} games, {progress.speed:,.1f} games/s"
            print(f"kibitz: {title}: {done}, about {left:,.0f} s left", file=sys.stderr, flush=True)

    return show


def _current(progress: SessionProgress) -> Table:
    table = table_of_agents("agent", "games", "win rate", "payoff", "a move")
    for row in sorted(progress.scores, key=lambda score: -score.mean_payoff):
        table.add_row(
            escape(row.agent), str(row.games), f"{row.win_rate:.1%}", f"{row.mean_payoff:.3f}",
            time_text(row.seconds_per_move),
        )  # fmt: skip
    return table
