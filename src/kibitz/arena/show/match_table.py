"""The result of a match as tables in the terminal."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.match_result import MatchResult
from kibitz.arena.results.row import SeatRow, span
from kibitz.arena.results.secret_deals import seed_text
from kibitz.arena.show.table_parts import (
    FirstThatFits,
    intervals_note,
    places_table,
    remarks,
    seat_preferences,
    short_names,
    table_of_agents,
)
from kibitz.arena.show.text import time_text, title_of

MOST_FAULTS = 5  # shown
COUNTS, RATE, INTERVAL, PAYOFF, TIME = COLUMNS = ("won / drawn / lost", "win rate", "95 % interval", "payoff", "a move")
NARROWER = (COLUMNS, COLUMNS[:4], COLUMNS[:3], (RATE, INTERVAL), (RATE,))  # the first that fits the terminal is shown


def match_table(result: MatchResult) -> Iterator[Table | FirstThatFits | str]:
    """Yield what to print, from the top."""
    labels, legend = short_names([row.agent for row in result.agents], [row.name for row in result.agents])
    yield from legend
    yield FirstThatFits(*(_agents(result, labels, columns) for columns in NARROWER))
    yield from places_table(result.agents, labels)
    yield FirstThatFits(*(_by_seat(result, labels, lines) for lines in (3, 2, 1)))
    yield from seat_preferences(result.agents, labels)
    yield intervals_note(result.blocks)
    if result.without_winner:
        yield f"{result.without_winner:,} of {result.games:,} games had no winner."
    yield from remarks(
        result.distinct,
        result.games,
        result.planned,
        result.openings,
        result.reasons,
        result.drawn_by,
        result.faults[:MOST_FAULTS],
    )
    yield from map(escape, result.notes)
    speed = result.plies / result.seconds if result.seconds else 0.0
    yield f"{result.plies:,} moves in {result.seconds:.2f} s: {speed:,.0f} moves a second"


def _agents(result: MatchResult, labels: list[str], columns: Sequence[str]) -> Table:
    """Return the table of agents with these columns."""
    table = table_of_agents("agent", *columns)
    seed = seed_text(result.seed, result.dealt)
    table.title = escape(f"{title_of(result.game, result.options)}: {result.games} games, {seed}")
    for label, row in zip(labels, result.agents, strict=True):
        cells = {
            COUNTS: f"{row.wins} / {row.draws} / {row.losses}", RATE: f"{row.win_rate:.1%}",
            INTERVAL: span(row.win_interval), PAYOFF: f"{row.mean_payoff:.3f}", TIME: time_text(row.seconds_per_move),
        }  # fmt: skip
        table.add_row(label, *(cells[column] for column in columns))
    return table


def _by_seat(result: MatchResult, labels: list[str], lines: int) -> Table:
    """Return the table of seats; of three lines in a cell the first is the win rate."""
    title = "Win rate by seat" if lines == 1 else "Win rate by seat, with wins, draws and losses"
    seats = Table(title=title, title_justify="left")
    seats.add_column("agent", no_wrap=True)
    for name in result.seat_names:
        seats.add_column(escape(name), justify="right", no_wrap=True)
    for label, row in zip(labels, result.agents, strict=True):
        seats.add_row(label, *(_cell(seat, lines) for seat in row.by_seat))
    seats.add_section()
    seats.add_row("all", *(_cell(seat, lines) for seat in result.by_seat))
    return seats


def _cell(seat: SeatRow, lines: int) -> str:
    if not seat.games:
        return "never"
    counts = f"{seat.wins} / {seat.draws} / {seat.losses}"
    return "\n".join([f"{seat.win_rate:.1%}", counts, span(seat.win_interval)][:lines])
