"""An analysis as a table in the terminal."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from kibitz.agents.search.evaluation import MOST_VALUE
from kibitz.arena.analysis import AnalysedMove, AnalysisReport
from kibitz.arena.show.table_parts import FirstThatFits

ENDED = {True: ("won", "lost"), False: ("end, ahead", "end, behind")}  # by whether wins count
LEAST_LINE = 12  # columns for the line of play, which may be broken


def analysis_table(found: AnalysisReport, seat_names: Sequence[str]) -> Group:
    """Return the moves of an analysis as a table, with what the numbers mean below it.

    On a narrow terminal the table leaves out the values of the seats, and then the lines of play.
    """
    entries = found["moves"]
    ahead, valued = any(len(entry["line"]) > 1 for entry in entries), any(entry["values"] for entry in entries)
    shown = [(ahead, valued), (ahead, False), (False, False)]
    ended = ENDED[found["by_wins"]]
    tables = [_table(entries, seat_names if by_seat else (), with_line, ended) for with_line, by_seat in shown]
    why = [Text(found["why"])] if found["why"] else []
    notes = [note for note in (_effort(entries[0]), found["meaning"]) if note]
    return Group(FirstThatFits(*tables), *why, *(Text(note, style="dim") for note in notes))


def _table(
    entries: list[AnalysedMove], seat_names: Sequence[str], with_line: bool, ended: Sequence[str]
) -> Table:  # fmt: skip
    """Return the moves as a table, with a column for each seat named."""
    sampled, judged = (any(entry[what] is not None for entry in entries) for what in ("tries", "worth"))
    digits = _digits([value for entry in entries for value in (entry["worth"], *(entry["values"] or []))])
    table = Table()
    table.add_column("move", no_wrap=True)
    for heading in [*["playouts"] * sampled, *["worth"] * judged, *seat_names]:
        table.add_column(heading, justify="right", no_wrap=True)
    if with_line:
        table.add_column("line of play", min_width=LEAST_LINE)
    for entry in entries:
        cells = [_count(entry["tries"])] * sampled + [_number(entry["worth"], digits, ended)] * judged
        values = entry["values"] or ()
        by_seat = [_number(value, digits, ended) for value in values if seat_names] or [""] * len(seat_names)
        line = [" ".join(entry["line"])] * with_line
        table.add_row(*(Text(cell) for cell in (entry["move"], *cells, *by_seat, *line)))
    return table


def _effort(first: AnalysedMove) -> str:
    counted = {"nodes": first["nodes"], "cut-offs": first["cutoffs"], "playouts": first["visits"]}
    words = [f"{count:,} {name}" for name, count in counted.items() if count]
    words += [f"{first['depth']} deep"] if first["depth"] else []
    return ", ".join([*words, *(["proved to the end"] if first["exact"] else [])])


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _digits(values: Sequence[float | None]) -> int:
    """Return how many decimals to show: none for whole numbers, else six digits in all, three after the point."""
    sizes = [abs(value) for value in values if value is not None and abs(value) < MOST_VALUE]
    if all(size == int(size) for size in sizes):
        return 0
    return min(3, max(0, 6 - len(str(int(max(sizes))))))


def _number(value: float | None, digits: int, ended: Sequence[str]) -> str:
    """Return a worth as text; more than any value can be is a finished game, `ended` well or badly."""
    if value is None:
        return ""
    if abs(value) >= MOST_VALUE:
        return ended[value < 0]
    return f"{round(value, digits) + 0.0:,.{digits}f}"  # no minus before zero
