"""The scoreboard: a tournament as tables for a person, while it runs and when it is over."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from kibitz.arena.plan import Plan
from kibitz.arena.sheet import duration, short_names, span
from kibitz.arena.tournament import Progress as Standing

REFRESH = 0.25  # seconds between two looks at the standings


@contextmanager
def live_view(plan: Plan) -> Iterator[Callable[[Standing], None]]:
    """Show progress, speed, standings and time left on the terminal while a tournament runs."""
    if not sys.stderr.isatty():
        yield lambda standing: None
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    bar = Progress(*columns)
    task = bar.add_task(escape(f"{plan.game}, {plan.scheme}"), total=plan.planned, speed="")
    last = 0.0
    with Live(bar, console=Console(stderr=True), transient=True, refresh_per_second=4) as view:

        def show(standing: Standing) -> None:
            nonlocal last
            if monotonic() - last >= REFRESH:
                last = monotonic()
                bar.update(task, completed=standing.scores.games, speed=f"{standing.speed:,.1f} games/s")
                view.update(Group(_current(standing), bar))

        yield show


def _current(standing: Standing) -> Table:
    table = _table("agent", "games", "win rate", "95 % interval", "mean payoff", "time a move")
    scores = [tally.summary() for tally in standing.scores.tallies]
    for score in sorted(scores, key=lambda score: -score["mean_payoff"]):
        played = score["wins"] + score["draws"] + score["losses"]
        table.add_row(
            escape(score["agent"]), str(played), f"{score['win_rate']:.1%}", span(score["interval"]),
            f"{score['mean_payoff']:.3f}", duration(score["seconds_per_move"]),
        )  # fmt: skip
    return table


def final_table(result: dict[str, Any]) -> Iterator[Table | str]:
    """Yield what to print when a tournament is over, from the top."""
    plan = result["plan"]
    labels, legend = short_names([row["agent"] for row in result["standings"]])
    yield from legend
    table = _table("agent", "rating", "95 % interval", "games", "won / drawn / lost", "mean payoff")
    table.title = escape(f"{plan['game']}, {plan['scheme']}: {result['played']} games, seed {plan['seed']}")
    for label, row in zip(labels, result["standings"], strict=True):
        table.add_row(
            label, f"{row['rating']:+.0f}", f"{row['interval'][0]:+.0f} … {row['interval'][1]:+.0f}",
            str(row["games"]), f"{row['wins']} / {row['draws']} / {row['losses']}", f"{row['mean_payoff']:.3f}",
        )  # fmt: skip
    yield table
    yield from map(escape, result["notes"])
    yield from _remarks(result)


def _remarks(result: dict[str, Any]) -> Iterator[str]:
    opened = result["plan"]["openings"]
    openings = f", each block of them begun with {opened} random plies" if opened else ""
    yield f"{result['distinct']:,} of {result['played']:,} games are different{openings}."
    for reason, count in result["reasons"].items():
        if reason not in ("won", "drawn"):
            yield f"{count:,} games ended by {reason}."
    for fault in result["faults"]:
        yield escape(f"  {fault}")
    if result["stop"]:
        yield escape(result["stop"]["sentence"])
    for path, found in result["hooks"].items():
        if found is not None:
            yield escape(f"{path}: {found}")
    if result["played"] < result["planned"]:
        yield f"{result['planned'] - result['played']:,} games are still to be played."
    yield f"run {result['run']}, digest {result['digest'][:16]}"


def _table(*headings: str) -> Table:
    table = Table(title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    return table
