"""The result of a match as tables in the terminal."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.match_result import MatchResult
from kibitz.arena.results.row import SeatRow, span
from kibitz.arena.results.secret_deals import seed_text
from kibitz.arena.show.table_parts import (
    COUNTS,
    PAYOFF,
    PAYOFF_SPAN,
    RATE,
    RATE_SPAN,
    TIME,
    Column,
    FirstThatFits,
    intervals_note,
    places_table,
    remarks,
    seat_preferences,
    short_names,
    stacked,
    table_of_agents,
)
from kibitz.arena.show.text import title_of

MOST_FAULTS = 5  # shown
COLUMNS = (COUNTS, RATE, RATE_SPAN, PAYOFF, PAYOFF_SPAN, TIME)
STACKED = (COUNTS, stacked(RATE, RATE_SPAN), stacked(PAYOFF, PAYOFF_SPAN), TIME)
NARROWER = (COLUMNS, STACKED, STACKED[:3], STACKED[:2], (RATE, RATE_SPAN), (RATE,))  # the first that fits is shown


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


def _agents(result: MatchResult, labels: list[str], columns: Sequence[Column]) -> Table:
    """Return the table of agents with these columns."""
    table = table_of_agents("agent", *(column.heading for column in columns))
    seed = seed_text(result.seed, result.dealt)
    table.title = escape(f"{title_of(result.game, result.options)}: {result.games} games, {seed}")
    for label, row in zip(labels, result.agents, strict=True):
        table.add_row(label, *(column.cell(row) for column in columns))
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
