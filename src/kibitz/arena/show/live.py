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

from kibitz.arena.session import OnProgress, Progress
from kibitz.arena.show.parts import table_of_agents
from kibitz.arena.show.text import duration

REFRESH = 0.25  # seconds between two updates


@contextmanager
def live_view(title: str) -> Iterator[OnProgress | None]:
    """Show progress under a title, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    task = bar.add_task(escape(title), total=None, speed="")
    last = 0.0
    with Live(bar, console=Console(stderr=True), transient=True, refresh_per_second=4) as view:

        def show(progress: Progress) -> None:
            nonlocal last
            if monotonic() - last >= REFRESH:
                last = monotonic()
                speed = f"{progress.speed:,.1f} games/s"
                bar.update(task, total=progress.planned, completed=progress.games, speed=speed)
                view.update(Group(_current(progress), bar))

        yield show


def _current(progress: Progress) -> Table:
    table = table_of_agents("agent", "games", "win rate", "payoff", "a move")
    for row in sorted(progress.scores.agents, key=lambda score: -score.mean_payoff):
        table.add_row(
            escape(row.agent), str(row.games), f"{row.win_rate:.1%}", f"{row.mean_payoff:.3f}",
            duration(row.seconds_per_move),
        )  # fmt: skip
    return table
