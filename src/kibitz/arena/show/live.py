"""The live view: progress, speed, scores and time left, on the terminal while games are played."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from kibitz.arena.session import OnProgress, SessionProgress
from kibitz.arena.show.table_parts import table_of_agents
from kibitz.arena.show.text import time_text
from kibitz.core.code_on_disk import notice

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
        TimeElapsedColumn(), TextColumn("·"), TimeRemainingColumn(), TextColumn("left"),
    )  # fmt: skip
    task = bar.add_task(escape(title), total=None, speed="")
    last = 0.0
    above: dict[str, RenderableType] = {}
    with Live(bar, console=Console(stderr=True), transient=True, refresh_per_second=4) as view:

        def draw(part: str, content: RenderableType) -> None:
            above[part] = content
            view.update(Group(*(one for one in above.values() if one), bar))

        def show(progress: SessionProgress) -> None:
            nonlocal last
            if monotonic() - last >= REFRESH:
                last = monotonic()
                speed = f"{progress.speed:,.1f} games/s"
                bar.update(task, total=progress.planned, completed=progress.games, speed=speed)
                draw("scores", _current(progress))

        with notice.drawn_by(lambda text: draw("notice", Text(text, style="dim") if text else "")):
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
    scoring = progress.scoring
    wins = not scoring.shared
    table = table_of_agents("agent", "games", *(["win rate"] if wins else []), scoring.heading, "a move")
    for row in sorted(progress.scores, key=lambda score: -score.mean_payoff):
        table.add_row(
            escape(row.agent), str(row.games), *([f"{row.win_rate:.1%}"] if wins else []),
            scoring.mean_text(row.mean_payoff), time_text(row.seconds_per_move),
        )  # fmt: skip
    return table
