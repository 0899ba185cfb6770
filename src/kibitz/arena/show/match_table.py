"""The result of a match as tables in the terminal."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.match_result import MatchResult
from kibitz.arena.results.row import SeatRow, span
from kibitz.arena.results.secret_deals import seed_text
from kibitz.arena.show.table_parts import (
    COUNTS,
    RATE,
    RATE_SPAN,
    TIME,
    Column,
    FirstThatFits,
    intervals_note,
    payoff_columns,
    places_table,
    remarks,
    seat_preferences,
    short_names,
    stacked,
    table_of_agents,
    team_tables,
)
from kibitz.arena.show.text import title_of
from kibitz.core.scoring import Scoring

MOST_FAULTS = 5  # shown


def match_table(result: MatchResult) -> Iterator[Table | FirstThatFits | str]:
    """Yield what to print, from the top."""
    labels, legend = short_names([row.agent for row in result.agents], [row.name for row in result.agents])
    yield from legend
    if result.scoring.shared:
        yield from team_tables(result.teams, result.partnerships, labels, result.scoring, _title(result))
    else:
        yield FirstThatFits(*(_agents(result, labels, columns) for columns in _columns(result.scoring)))
        yield from places_table(result.agents, labels)
        yield FirstThatFits(*(_by_seat(result, labels, lines) for lines in (3, 2, 1)))
        yield from seat_preferences(result.agents, labels)
    yield intervals_note(result.blocks)
    if result.without_winner and result.scoring.by_wins:
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


def _columns(scoring: Scoring) -> Iterator[Sequence[Column]]:
    """Yield the columns of agents, fewer and fewer, of which the first that fit are shown; what counts comes first."""
    payoff = payoff_columns(scoring)
    if not scoring.by_wins:
        yield (*payoff, COUNTS, RATE, RATE_SPAN, TIME)
        yield from ((*payoff, COUNTS, TIME), (*payoff, COUNTS), payoff, payoff[:1])
        return
    above = (COUNTS, stacked(RATE, RATE_SPAN), stacked(*payoff), TIME)
    yield (COUNTS, RATE, RATE_SPAN, *payoff, TIME)
    yield from (above, above[:3], above[:2], (RATE, RATE_SPAN), (RATE,))


def _title(result: MatchResult) -> str:
    """Return what was played, and how much of it."""
    unit = "" if result.scoring.by_wins else f", mean {result.scoring.unit}"
    dealt = seed_text(result.seed, result.dealt)
    return escape(f"{title_of(result.game, result.options)}: {result.games} games, {dealt}{unit}")


def _agents(result: MatchResult, labels: list[str], columns: Sequence[Column]) -> Table:
    """Return the table of agents with these columns."""
    table = table_of_agents("agent", *(column.heading for column in columns))
    table.title = _title(result)
    for label, row in zip(labels, result.agents, strict=True):
        table.add_row(label, *(column.cell(row) for column in columns))
    return table


def _by_seat(result: MatchResult, labels: list[str], lines: int) -> Table:
    """Return the table of seats; of three lines in a cell the first is what counts."""
    scoring = result.scoring
    counted = "Win rate" if scoring.by_wins else f"Mean {escape(scoring.unit)}"
    more = "wins, draws and losses" if scoring.by_wins else "intervals"
    title = f"{counted} by seat" if lines == 1 else f"{counted} by seat, with {more}"
    seats = Table(title=title, title_justify="left")
    seats.add_column("agent", no_wrap=True)
    for name in result.seat_names:
        seats.add_column(escape(name), justify="right", no_wrap=True)
    for label, row in zip(labels, result.agents, strict=True):
        seats.add_row(label, *(_cell(seat, lines, scoring) for seat in row.by_seat))
    seats.add_section()
    seats.add_row("all", *(_cell(seat, lines, scoring) for seat in result.by_seat))
    return seats


def _cell(seat: SeatRow, lines: int, scoring: Scoring) -> str:
    if not seat.games:
        return "never"
    if not scoring.by_wins:
        return "\n".join([scoring.mean_text(seat.mean_payoff), scoring.span_text(seat.payoff_interval)][:lines])
    counts = f"{seat.wins} / {seat.draws} / {seat.losses}"
    return "\n".join([f"{seat.win_rate:.1%}", counts, span(seat.win_interval)][:lines])
