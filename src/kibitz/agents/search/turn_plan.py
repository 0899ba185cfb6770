"""A turn that was decided on as a whole: its moves follow each other as long as all comes as expected."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.playout import play_legal


class TurnPlan:
    """The moves of a turn that are still to be made, and the position in which the next one is due."""

    def __init__(self, game: Game):
        self._game, self._moves = game, list[int]()
        self._expected = game.new_state()
        self._room = game.new_moves()

    def make(self, world: np.ndarray, moves: Sequence[int]) -> None:
        """Plan a turn; its first move is made now, in a world that may be a guess."""
        self._expected[: self._game.size] = world[: self._game.size]
        self._moves = list(moves)
        self._advance()

    def due(self, view: np.ndarray) -> int | None:
        """Return the next move of the plan; None if it is done, or if something came otherwise."""
        size, known = self._game.size, view != UNKNOWN
        if not self._moves or (view[:size] != self._expected[:size])[known[:size]].any():
            self._moves = []
            return None
        move = self._moves[0]
        self._advance()
        return move

    def _advance(self) -> None:
        move, self._moves = self._moves[0], self._moves[1:]
        if self._moves and not play_legal(self._game.rules, self._expected, move, self._room):
            self._moves = []
