"""The result of a match as tables for a person."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from kibitz.arena.tally import wilson


def score_sheet(result: dict[str, Any], seat_names: Sequence[str]) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    options = ", ".join(f"{name}={value}" for name, value in result["options"].items())
    title = f"{result['game']}{f' ({options})' if options else ''}: {result['games']} games, seed {result['seed']}"
    table = Table(title=title, title_justify="left")
    for heading in ("agent", "wins", "draws", "losses", "win rate", "95 % interval", "mean payoff", "time a move"):
        table.add_column(heading, justify="left" if heading == "agent" else "right", overflow="fold")
    for agent in result["agents"]:
        table.add_row(
            agent["agent"], str(agent["wins"]), str(agent["draws"]), str(agent["losses"]), f"{agent['win_rate']:.1%}",
            _span(agent["interval"]), f"{agent['mean_payoff']:.3f}", _duration(agent["seconds_per_move"]),
        )  # fmt: skip
    yield table
    seats = Table(title="Wins by seat", title_justify="left")
    seats.add_column("agent", overflow="fold")
    for name in seat_names:
        seats.add_column(name, justify="right")
    for agent in result["agents"]:
        cells = []
        for seat in agent["by_seat"]:
            rate = seat["wins"] / seat["games"] if seat["games"] else 0.0
            cells.append(f"{seat['wins']} of {seat['games']}\n{rate:.1%}  {_span(wilson(seat['wins'], seat['games']))}")
        seats.add_row(agent["agent"], *cells)
    yield seats
    speed = result["plies"] / result["seconds"] if result["seconds"] else 0.0
    yield f"{result['plies']:,} moves in {result['seconds']:.2f} s: {speed:,.0f} moves a second"
    if result["games"] % len(seat_names):
        yield f"Note: {result['games']} games cannot be shared equally among {len(seat_names)} seats."


def _span(interval: Sequence[float]) -> str:
    return f"{interval[0]:.1%} – {interval[1]:.1%}"


def _duration(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
