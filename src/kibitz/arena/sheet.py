"""The result of a match as tables for a person."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from kibitz.arena.statistics.interval import wilson
from kibitz.core.options import as_text

LONGEST_NAME = 20  # agents with longer texts are numbered, and named above the table


def score_sheet(result: dict[str, Any], seat_names: Sequence[str]) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    options = ", ".join(f"{name}={as_text(value)}" for name, value in result["options"].items())
    title = f"{result['game']}{f' ({options})' if options else ''}: {result['games']} games, seed {result['seed']}"
    texts = [agent["agent"] for agent in result["agents"]]
    labels, legend = short_names(texts)
    yield from legend
    table = Table(title=title, title_justify="left")
    for heading in ("agent", "wins", "draws", "losses", "win rate", "95 % interval", "mean payoff", "time a move"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for label, agent in zip(labels, result["agents"], strict=True):
        table.add_row(
            label, str(agent["wins"]), str(agent["draws"]), str(agent["losses"]), f"{agent['win_rate']:.1%}",
            span(agent["interval"]), f"{agent['mean_payoff']:.3f}", duration(agent["seconds_per_move"]),
        )  # fmt: skip
    yield table
    seats = Table(title="Wins, draws and losses by seat, with the rate of wins", title_justify="left")
    seats.add_column("agent")
    for name in seat_names:
        seats.add_column(name, justify="right")
    for label, agent in zip(labels, result["agents"], strict=True):
        seats.add_row(label, *(_seat_cell(seat) for seat in agent["by_seat"]))
    seats.add_section()
    seats.add_row("all", *(_seat_cell(seat) for seat in result["by_seat"]))
    yield seats
    if result["without_winner"]:
        yield f"{result['without_winner']:,} of {result['games']:,} games had no winner."
    speed = result["plies"] / result["seconds"] if result["seconds"] else 0.0
    yield f"{result['plies']:,} moves in {result['seconds']:.2f} s: {speed:,.0f} moves a second"
    if result["games"] % len(seat_names):
        yield f"Note: {result['games']} games cannot be shared equally among {len(seat_names)} seats."


def short_names(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return labels that fit into a table, and the lines above it that say what they stand for."""
    if max(map(len, texts), default=0) <= LONGEST_NAME:
        return [escape(text) for text in texts], []
    labels = [f"agent {number}" for number, _ in enumerate(texts, 1)]
    return labels, [f"{label}: {escape(text)}" for label, text in zip(labels, texts, strict=True)]


def _seat_cell(seat: dict[str, Any]) -> str:
    rate = seat["wins"] / seat["games"] if seat["games"] else 0.0
    counts = f"{seat['wins']} / {seat['draws']} / {seat['losses']}"
    return f"{counts}\n{rate:.1%}  {span(wilson(seat['wins'], seat['games']))}"


def span(interval: Sequence[float]) -> str:
    """Return an interval of rates as text."""
    return f"{interval[0]:.1%} – {interval[1]:.1%}"


def duration(seconds: float) -> str:
    """Return a short time as text."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
