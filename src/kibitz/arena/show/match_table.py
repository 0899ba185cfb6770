"""The result of a match as tables in the terminal."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.match_result import MatchResult
from kibitz.arena.results.row import SeatRow
from kibitz.arena.show.parts import (
    intervals_note,
    places_table,
    remarks,
    seat_preferences,
    short_names,
    table_of_agents,
)
from kibitz.arena.show.text import span, time_text, title_of

MOST_FAULTS = 5  # shown


def match_table(result: MatchResult) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    labels, legend = short_names([row.agent for row in result.agents])
    yield from legend
    table = table_of_agents("agent", "won / drawn / lost", "win rate", "95 % interval", "payoff", "a move")
    table.title = escape(f"{title_of(result.game, result.options)}: {result.games} games, seed {result.seed}")
    for label, row in zip(labels, result.agents, strict=True):
        table.add_row(
            label, f"{row.wins} / {row.draws} / {row.losses}", f"{row.win_rate:.1%}", span(row.win_interval),
            f"{row.mean_payoff:.3f}", time_text(row.seconds_per_move),
        )  # fmt: skip
    yield table
    yield from places_table(result.agents, labels)
    yield _by_seat(result, labels)
    yield from seat_preferences(result.agents, labels)
    yield intervals_note(result.blocks)
    if result.without_winner:
        yield f"{result.without_winner:,} of {result.games:,} games had no winner."
    yield from remarks(
        result.distinct, result.games, result.planned, result.openings, result.reasons, result.faults[:MOST_FAULTS]
    )
    yield from map(escape, result.notes)
    speed = result.plies / result.seconds if result.seconds else 0.0
    yield f"{result.plies:,} moves in {result.seconds:.2f} s: {speed:,.0f} moves a second"


def _by_seat(result: MatchResult, labels: list[str]) -> Table:
    seats = Table(title="Wins, draws and losses by seat, with the win rate", title_justify="left")
    seats.add_column("agent")
    for name in result.seat_names:
        seats.add_column(escape(name), justify="right")
    for label, row in zip(labels, result.agents, strict=True):
        seats.add_row(label, *map(_cell, row.by_seat))
    seats.add_section()
    seats.add_row("all", *map(_cell, result.by_seat))
    return seats


def _cell(seat: SeatRow) -> str:
    counts = f"{seat.wins} / {seat.draws} / {seat.losses}"
    return f"{counts}\n{seat.win_rate:.1%}\n{span(seat.win_interval)}" if seat.games else "never"
