"""Parts that several tables in the terminal have."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from kibitz.arena.results.row import AgentRow
from kibitz.arena.results.statistics.evidence import evidence
from kibitz.arena.results.statistics.paired import FEW_BLOCKS
from kibitz.arena.show.text import ordinal, places_text

LONGEST_NAME = 10  # agents with longer texts are numbered, and named above the table, which fits 80 columns
BY_THE_RULES = ("won", "drawn")


def table_of_agents(*headings: str) -> Table:
    """Return an empty table with agents in its first column."""
    table = Table(title_justify="left")
    for heading in headings:
        left = heading == "agent"
        table.add_column(heading, justify="left" if left else "right", no_wrap=not left, overflow="fold")
    return table


def short_names(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return labels that fit into a table, and the lines above it that say what they stand for."""
    numbered = [(text, f"agent {number}" if len(text) > LONGEST_NAME else text) for number, text in enumerate(texts, 1)]
    legend = [f"{label}: {escape(text)}" for text, label in numbered if label != text]
    return [escape(label) for _, label in numbered], legend


def places_table(rows: Sequence[AgentRow], labels: Sequence[str]) -> Iterator[Table | str]:
    """Yield how often each agent was in each place, where there is more to know than who was first."""
    if all(len(set(row.places[1:])) < 2 for row in rows):
        return
    table = table_of_agents("agent", *map(ordinal, range(1, len(rows[0].places) + 1)), "mean place")
    table.title = "Places; seats that tie share them"
    for label, row in zip(labels, rows, strict=True):
        table.add_row(label, *map(places_text, row.places), f"{row.mean_place:.2f}")
    yield table


def seat_preferences(rows: Sequence[AgentRow], labels: Sequence[str]) -> Iterator[str]:
    """Yield for each agent whether it earns more in some seats than in others."""
    for label, row in zip(labels, rows, strict=True):
        if row.seats_p is not None:
            yield evidence(f"{label} earns more in some seats than in others", row.seats_p)


def intervals_note(blocks: int) -> str:
    """Return where the intervals of a match come from."""
    few = " They are wide because there are few blocks." if blocks < FEW_BLOCKS else ""
    return f"[dim]Intervals cover 95 %, and come from {blocks:,} blocks of games on the same deal.{few}[/dim]"


def remarks(
    distinct: int, played: int, planned: int, openings: int, reasons: dict[str, int], faults: Sequence[str]
) -> Iterator[str]:
    """Yield how many games are different, how many ended otherwise than by the rules, and how many are missing."""
    opened = f", each block of them begun with {openings} random plies" if openings else ""
    yield f"{distinct:,} of {played:,} games are different{opened}."
    for reason, count in reasons.items():
        if reason not in BY_THE_RULES:
            yield f"{count:,} games ended by {reason}."
    for fault in faults:
        yield escape(f"  {fault}")
    if played < planned:
        yield f"{planned - played:,} games are still to be played."
