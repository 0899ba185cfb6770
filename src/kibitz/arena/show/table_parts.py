"""Parts that several tables in the terminal share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.markup import escape
from rich.measure import measure_renderables
from rich.table import Table

from kibitz.arena.play.reason import Reason
from kibitz.arena.results.partnership import Partnership, TeamRow
from kibitz.arena.results.row import AgentRow, span
from kibitz.arena.results.statistics.evidence import ALPHA, evidence, p_statement
from kibitz.arena.results.statistics.interval import FEW_BLOCKS
from kibitz.arena.show.text import ordinal, places_text, time_text
from kibitz.core.scoring import Scoring
from kibitz.core.user_files import is_path

# Agents with longer texts are numbered, and named above the table, so that it fits 80 columns; files keep their names.
LONGEST_NAME, LONGEST_FILE = 10, 20
UNLIMITED = 10_000  # columns
BY_THE_RULES = ("won", "drawn")
ENDINGS = {
    Reason.CAP: "at the limit of plies, as draws",
    Reason.TIME: "because an agent ran out of time",
    Reason.NODES: "because an agent searched too many nodes",
    Reason.MEMORY: "because an agent ran out of memory",
    Reason.ILLEGAL: "because an agent made an illegal move",
    Reason.CRASH: "because an agent failed",
    Reason.START: "because a bot could not be started",
    Reason.PROTOCOL: "because a bot did not answer as the protocol says",
    Reason.FLOOD: "because a bot wrote or ran too much",
    Reason.VOID: "void: they count for nobody",
}


@dataclass(frozen=True)
class Column:
    """A column of a table of agents."""

    heading: str
    cell: Callable[[Any], str]  # of a row of an agent


COUNTS = Column("won / drawn / lost", lambda row: f"{row.wins} / {row.draws} / {row.losses}")
GAMES = Column("games", lambda row: str(row.games))
RATE = Column("win rate", lambda row: f"{row.win_rate:.1%}")
RATE_SPAN = Column("95 % interval", lambda row: span(row.win_interval))
TIME = Column("a move", lambda row: time_text(row.seconds_per_move))


def payoff_columns(scoring: Scoring) -> tuple[Column, Column]:
    """Return the columns of mean payoffs, in their unit, and of their intervals."""
    return (
        Column(scoring.heading, lambda row: scoring.mean_text(row.mean_payoff)),
        Column("95 % interval", lambda row: scoring.span_text(row.payoff_interval)),
    )


def stacked(above: Column, below: Column) -> Column:
    """Return two columns as one, with two lines in a cell."""
    return Column(f"{above.heading}\n{below.heading}", lambda row: f"{above.cell(row)}\n{below.cell(row)}")


def table_of_agents(*headings: str) -> Table:
    """Return an empty table with agents in its first column."""
    table = Table(title_justify="left")
    for heading in headings:
        left = heading in ("agent", "more than")
        table.add_column(heading, justify="left" if left else "right", no_wrap=True, overflow="fold")
    return table


class FirstThatFits:
    """The same table in less and less detail: the first that fits the terminal is shown."""

    def __init__(self, *tables: Table):
        self.tables = tables

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        fitting = (table for table in self.tables if _least_width(table, console) <= options.max_width)
        yield next(fitting, self.tables[-1])


def _least_width(table: Table, console: Console) -> int:
    """Return how many columns of the terminal a table needs if no cell is broken that should not be."""
    freely = console.options.update(max_width=UNLIMITED)
    found = 1
    for column in table.columns:
        needed = measure_renderables(console, freely, [column.header, *column.cells])
        found += 3 + max(needed.maximum if column.no_wrap else needed.minimum, column.min_width or 0)
    return found


def short_names(
    texts: Sequence[str], names: Sequence[str] = (), plan: Sequence[str] = ()
) -> tuple[list[str], list[str]]:
    """Return labels that fit into a table, and the lines above it that say what they stand for.

    Bots go by the names that they give themselves. Numbers are those in the `plan`, where one is given.
    """
    given = names or [""] * len(texts)
    numbers = {text: at for at, text in enumerate(dict.fromkeys([*plan, *texts]), 1)}
    labels = [given[at] or _label(text, numbers[text], texts) for at, text in enumerate(texts)]
    legend = dict.fromkeys(
        f"{escape(label)}: {escape(text)}"
        for label, text in zip(labels, texts, strict=True)
        if label not in (text, Path(text).stem) or str(Path(text).parent) not in (".", text)
    )
    return [escape(label) for label in labels], [*legend]


def _label(text: str, number: int, texts: Sequence[str]) -> str:
    """Return what stands for an agent in a table: its text, the name of its file, or else a number."""
    stem = Path(text).stem
    if is_path(text) and "(" not in text and [Path(other).stem for other in {*texts}].count(stem) == 1:
        return stem if len(stem) <= LONGEST_FILE else f"agent {number}"
    return text if len(text) <= LONGEST_NAME else f"agent {number}"


def places_table(rows: Sequence[AgentRow], labels: Sequence[str]) -> Iterator[Table | str]:
    """Yield how often each agent was in each place, where there is more to know than who was first."""
    if all(len(set(row.places[1:])) < 2 for row in rows):
        return
    table = table_of_agents("agent", *map(ordinal, range(1, len(rows[0].places) + 1)), "mean place")
    table.title = "Places; seats that tie share them"
    for label, row in zip(labels, rows, strict=True):
        table.add_row(label, *map(places_text, row.places), f"{row.mean_place:.2f}")
    yield table


def team_tables(
    teams: Sequence[TeamRow], pairs: Sequence[Partnership], labels: Sequence[str], scoring: Scoring, title: str
) -> Iterator[Table | FirstThatFits]:
    """Yield what agents score with copies of themselves and with others, and everyone with everyone."""
    table = table_of_agents("agent", "self-play", "95 % interval", "cross-play", "95 % interval")
    table.title = title
    for label, row in zip(labels, teams, strict=True):
        table.add_row(label, *_score(row.self_play, scoring), *_score(row.cross_play, scoring))
    yield table
    if len(teams) < 2:
        return
    found = {(pair.rank, pair.other_rank): pair for pair in pairs}
    yield FirstThatFits(*(_score_matrix(found, labels, scoring, lines) for lines in (2, 1)))


def _score_matrix(
    pairs: Mapping[tuple[int, int], Partnership], labels: Sequence[str], scoring: Scoring, lines: int
) -> Table:  # fmt: skip
    """Return the table of everyone with everyone; below a mean stands its interval where there is room."""
    table = table_of_agents("agent", *(labels if lines > 1 else map(str, range(1, len(labels) + 1))))
    table.title = f"Mean {escape(scoring.unit)} of everyone with everyone"
    for rank, label in enumerate(labels, 1):
        cells = (pairs.get((min(rank, other), max(rank, other))) for other in range(1, len(labels) + 1))
        table.add_row(label, *("\n".join(_score(pair, scoring)[:lines]) for pair in cells))
    return table


def _score(partners: Partnership | None, scoring: Scoring) -> tuple[str, str]:
    if partners is None:
        return "never", ""
    return scoring.mean_text(partners.mean_payoff), scoring.span_text(partners.payoff_interval)


def seat_preferences(rows: Sequence[AgentRow], labels: Sequence[str]) -> Iterator[str]:
    """Yield which agents earn more in some seats than in others, or that no agent is shown to."""
    tested = {label: row.seats_p for label, row in zip(labels, rows, strict=True) if row.seats_p is not None}
    corrected = f"{len(tested)} agents" if len(tested) > 1 else ""
    for label, p in tested.items():
        if p < ALPHA:
            yield evidence(f"{label} earns more in some seats than in others", p, corrected)
    if tested and min(tested.values()) >= ALPHA:
        least = f"{p_statement(min(tested.values()))}{corrected and f' at least, corrected for {corrected}'}"
        yield f"There is no evidence that an agent earns more in some seats than in others ({least})."


def intervals_note(blocks: int) -> str:
    """Return where the intervals of a match come from."""
    few = " They are wide because there are few blocks." if blocks < FEW_BLOCKS else ""
    of = "block" if blocks == 1 else "blocks"
    return f"[dim]Intervals cover 95 %, and come from {blocks:,} {of} of games on the same deal.{few}[/dim]"


def remarks(
    distinct: int, played: int, planned: int, openings: int, reasons: dict[str, int], drawn_by: dict[str, int],
    faults: Sequence[str],
) -> Iterator[str]:  # fmt: skip
    """Yield how many games are different, how many did not end by the rules, and how many are missing."""
    opened = f", each block of them begun with {openings} random plies" if openings else ""
    yield f"{distinct:,} of {played:,} games are different{opened}."
    if drawn_by:
        ways = ", ".join(f"{count:,} by {escape(way)}" for way, count in drawn_by.items())
        yield f"{_games(reasons['drawn'])} drawn: {ways}."
    for reason, count in reasons.items():
        if reason not in BY_THE_RULES:
            yield f"{_games(count)} ended {ENDINGS[Reason(reason)]}."
    for fault in faults:
        yield escape(f"  {fault}")
    if played < planned:
        yield f"{_games(planned - played)} {'is' if planned - played == 1 else 'are'} still to be played."


def _games(count: int) -> str:
    return f"{count:,} game" if count == 1 else f"{count:,} games"
