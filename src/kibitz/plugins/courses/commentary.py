"""What the course's referee prints and logs: lines with a star, the board, and the actions of a game in a file."""

import time
from pathlib import Path
from typing import IO, Any

import numpy as np

from kibitz.games.chexers.rules import EXITS, HEXAGON, PIECES, SEAT_NAMES, bit_of

SILENT, COMMENTARY, BOARD, COORDINATES = VERBOSITIES = range(4)
_NARROW, _WIDE = 4, 8  # columns of a hex


class Commentary:
    """The lines of the referee, as many as the verbosity allows."""

    def __init__(self, verbosity: int):
        self.verbosity = verbosity

    def result(self, text: str) -> None:
        """Print a line always."""
        print("*", text, flush=True)

    def comment(self, text: str = "", indented: bool = False) -> None:
        """Print lines of commentary."""
        if self.verbosity >= COMMENTARY:
            for line in text.split("\n"):
                print(f"*{'  ' if indented else ''} {line}", flush=True)

    def section(self, title: str) -> None:
        """Begin a part."""
        self.comment(f"** {title} **")

    def position(self, view: np.ndarray) -> None:
        """Print the scores and the board."""
        exits = [f"{colour.title()}: {view[EXITS + seat]} exits" for seat, colour in enumerate(SEAT_NAMES)]
        self.comment("displaying game info:")
        self.comment(f"scores: {', '.join(exits)}.", indented=True)
        if self.verbosity >= BOARD:
            self.comment(f"board:\n{drawing(view, self.verbosity >= COORDINATES)}", indented=True)


def drawing(view: np.ndarray, coordinates: bool) -> str:
    """Return the board as text, with q,r under each hex if wanted."""
    width, lines = (_WIDE if coordinates else _NARROW), []
    radius = HEXAGON.radius
    for r in range(-radius, radius + 1):
        places = sorted(place for place in HEXAGON.places if place[1] == r)
        indent = " " * (width // 2 * abs(r))
        lines.append(indent + "".join(_sign(view, place).center(width) for place in places).rstrip())
        if coordinates:
            lines.append(indent + "".join(f"{q},{r}".center(width) for q, r in places).rstrip())
    return "\n".join(lines)


def _sign(view: np.ndarray, place: tuple[int, int]) -> str:
    for seat, colour in enumerate(SEAT_NAMES):
        if int(view[PIECES + seat]) >> bit_of(place) & 1:
            return colour[0].upper()
    return "."


class ActionLog:
    """The actions of a game in a file, if there is one."""

    def __init__(self, path: str | None):
        self.file: IO[str] | None = None
        if path is not None:
            self.file = Path(path).open("w", encoding="utf-8", buffering=1)  # noqa: SIM115
        self.write("game", f"Start Chexers game log at {time.asctime()}")

    def write(self, who: str, text: str) -> None:
        """Write a line."""
        if self.file is not None:
            self.file.write(f"[{who:5}] - {text}\n")

    def action(self, colour: str, action: tuple[str, Any]) -> None:
        """Write a turn."""
        kind, where = action
        if kind == "PASS":
            self.write(colour, "PASS.")
        elif kind == "EXIT":
            self.write(colour, f"EXIT from {where}.")
        else:
            self.write(colour, f"{kind} from {where[0]} to {where[1]}.")

    def close(self) -> None:
        """Close the file."""
        if self.file is not None:
            self.file.close()
