"""A Quarto program that plays through plain lines, as docs/courses.md describes.

python -m kibitz.plugins.courses.adapters.plain_lines_adapter PROGRAM ARGUMENT…
"""

import subprocess
import sys
from contextlib import suppress
from typing import NoReturn

from kibitz.plugins.courses.adapters.conversation import Message, Side, converse

ENDING = 0.5  # seconds for the program to end after `quit`
LONGEST = 1000  # bytes of a line
TIED = 0.5  # the payoff
NO_PIECE = "no piece"


class PlainLinesPlayer(Side):
    """A program that reads what its opponent has written, and answers."""

    game, wants = "quarto", ("view",)

    def __init__(self, program: list[str]):
        self.program, self.name = program, " ".join(program)
        self.process: subprocess.Popen[bytes] | None = None
        self.begun = False  # whether the program knows of the game
        self.placed: dict[str, str] = {}  # the pieces that it knows of, by cell
        self.piece = ""  # that the program hands over, as it said when it placed

    def load(self) -> None:
        """Start the program."""
        try:
            self.process = subprocess.Popen(self.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            sys.exit(f"it cannot be started: {error.strerror}")

    def begin(self, message: Message) -> Message:
        """Wait for the first decision, which shows what lies on the board."""
        self.begun = False
        return {}

    def decide(self, message: Message) -> Message:
        """Pass on what the opponent wrote, and return the cell or the piece that the program answers."""
        view = message["view"]
        board = {cell: piece for cell, piece in view["board"].items() if piece is not None}
        if view["hand"] is None:
            return {"text": self._piece(board)}
        new = [cell for cell in board if self.placed.get(cell) != board[cell]]
        if not self.begun or len(new) != 1 or len(board) != len(self.placed) + 1:
            self._new("second", board)
            new = []
        self._write(" ".join([*new, view["hand"]]))
        cell, _, self.piece = self._read().partition(" ")
        self.placed = {**board, cell: view["hand"]}
        return {"text": cell}

    def _piece(self, board: dict[str, str]) -> str:
        """Return the piece that is handed on; the program has named it already, unless the game begins with that."""
        if not self.begun or board != self.placed:
            self._new("first", board)
            self.piece = self._read()
        return self.piece or NO_PIECE

    def _new(self, side: str, board: dict[str, str]) -> None:
        self._write(" ".join(["new", side, *(word for pair in board.items() for word in pair)]))
        self.begun, self.placed = True, board

    def end(self, message: Message) -> Message:
        """Say how the game ended."""
        mine = message["payoff"][message["seat"]]
        if self.begun:
            self._write("end tied" if mine == TIED else "end won" if mine > TIED else "end lost")
        return {}

    def quit(self) -> None:
        """Let the program end; if it does not, whoever started us ends it."""
        if self.process is not None and self.process.stdin:
            with suppress(OSError, subprocess.TimeoutExpired):
                self.process.stdin.write(b"quit\n")
                self.process.stdin.close()
                self.process.wait(ENDING)

    def _write(self, line: str) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            self._fail()

    def _read(self) -> str:
        """Return the next line that is not empty, with single spaces; without one the program has failed."""
        assert self.process is not None
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline(LONGEST)
            if not line:
                self._fail()
            words = line.decode(errors="replace").split()
            if words:
                return " ".join(words)

    def _fail(self) -> NoReturn:
        assert self.process is not None
        sys.exit(f"the program ended with exit code {self.process.wait()} in the middle of a game")


if __name__ == "__main__":
    converse(PlainLinesPlayer(sys.argv[1:]))
