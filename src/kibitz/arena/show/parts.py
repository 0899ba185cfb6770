"""Parts that several tables in the terminal have."""

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

LONGEST_NAME = 20  # agents with longer texts are numbered, and named above the table
BY_THE_RULES = ("won", "drawn")


def table_of_agents(*headings: str) -> Table:
    """Return an empty table with agents in its first column."""
    table = Table(title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    return table


def short_names(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return labels that fit into a table, and the lines above it that say what they stand for."""
    if max(map(len, texts), default=0) <= LONGEST_NAME:
        return [escape(text) for text in texts], []
    labels = [f"agent {number}" for number, _ in enumerate(texts, 1)]
    return labels, [f"{label}: {escape(text)}" for label, text in zip(labels, texts, strict=True)]


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
