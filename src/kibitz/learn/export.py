"""Data as a table for other tools: one line a position, with its encoding and all targets written out."""

import csv
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.files import whole_file
from kibitz.learn.array_module import ArrayModule
from kibitz.learn.data_file import Data
from kibitz.learn.samples import NONE

AT_A_TIME = 4096  # positions


def export_csv(data: Data, out: Path) -> None:
    """Write data as comma-separated values, with a line of headings."""
    with whole_file(out) as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(headings(data))
        writer.writerows(_rows(data))


def headings(data: Data) -> list[str]:
    """Return what the columns hold.

    `x` are the inputs, `v` the chances that the search gave each seat, `r` what came of the game, both from the side of
    the seat that is shown the position; `choice` is the move with the largest share, `p` the share of each move.
    """
    about = data.about
    named = (("x", about.length), ("v", about.seats), ("r", about.seats))
    columns = [f"{letter}{at}" for letter, count in named for at in range(count)]
    return ["game", *columns, "choice", *(f"p{move}" for move in range(about.moves))]


def _rows(data: Data) -> Iterator[list[str]]:
    about, spread = data.about, ArrayModule().spread
    for start in range(0, len(data), AT_A_TIME):
        part = slice(start, start + AT_A_TIME)
        inputs = spread(data.inputs[part], 1, about.length) if about.listed else data.inputs[part]
        shares = spread(data.moves[part], data.shares[part], about.moves)
        for at in range(len(inputs)):
            choice = str(shares[at].argmax()) if shares[at].any() else str(NONE)
            numbers = [*inputs[at], *data.values[start + at], *data.results[start + at]]
            yield [
                str(data.games[start + at]), *(f"{number:g}" for number in numbers), choice,
                *(f"{number:g}" for number in shares[at]),
            ]  # fmt: skip
