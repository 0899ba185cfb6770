"""Data as a table for other tools: one line a position, with its encoding and all targets in full."""

import csv
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.errors import BadValue
from kibitz.core.user_files import whole_file
from kibitz.learn.array_module import ArrayModule
from kibitz.learn.data_file import Data
from kibitz.learn.samples import NONE

MOST_COLUMNS = 1 << 17
CELLS_AT_A_TIME = 1 << 22


def export_csv(data: Data, out: Path) -> None:
    """Write data as comma-separated values, with a line of headings."""
    columns = 2 + data.about.length + 2 * data.about.seats + data.about.moves
    if columns > MOST_COLUMNS:
        raise BadValue(f"as a table this data has {columns:,} columns, and {MOST_COLUMNS:,} are the most")
    with whole_file(out) as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(headings(data))
        writer.writerows(_rows(data))


def headings(data: Data) -> list[str]:
    """Return the names of the columns.

    `x` are the inputs, `v` the values of the search and `r` the result, both from the side of the seat that is shown
    the position; `choice` is the move with the largest share, `p` the share of each move.
    """
    about = data.about
    named = (("x", about.length), ("v", about.seats), ("r", about.seats))
    columns = [f"{letter}{at}" for letter, count in named for at in range(count)]
    return ["game", *columns, "choice", *(f"p{move}" for move in range(about.moves))]


def _rows(data: Data) -> Iterator[list[str]]:
    about, scatter = data.about, ArrayModule().scatter
    step = max(1, CELLS_AT_A_TIME // (about.length + about.moves + 1))
    for start in range(0, len(data), step):
        part = slice(start, start + step)
        inputs = scatter(data.inputs[part], 1, about.length) if about.listed else data.inputs[part]
        shares = scatter(data.moves[part], data.shares[part], about.moves)
        for at in range(len(inputs)):
            choice = str(shares[at].argmax()) if shares[at].any() else str(NONE)
            numbers = [*inputs[at], *data.values[start + at], *data.results[start + at]]
            yield [
                str(data.games[start + at]), *(f"{number:g}" for number in numbers), choice,
                *(f"{number:g}" for number in shares[at]),
            ]  # fmt: skip
