"""Actions: the moves of a game as whole numbers from 0 to a fixed size, as other systems want them."""

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from kibitz.core.errors import BadMove
from kibitz.core.game import Game


class ActionSpace:
    """The actions of a game: its moves; where it declares no MOVES_BELOW, their places in the list of legal moves."""

    def __init__(self, game: Game):
        self.are_moves = game.moves_below is not None
        self.size: int = game.most_moves if game.moves_below is None else game.moves_below

    def all(self, legal: Sequence[int]) -> list[int]:
        """Return the actions for the legal moves, in the same order, which is ascending."""
        return list(legal) if self.are_moves else list(range(len(legal)))

    def mask(self, legal: Sequence[int]) -> np.ndarray:
        """Return a fresh array with 1 for every action that is legal and 0 for the others."""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[self.all(legal)] = 1
        return mask

    def move(self, action: Any, legal: Sequence[int]) -> int | None:
        """Return the legal move that an action stands for, or None; an action that is not a number is a BadMove."""
        try:
            wanted = index(action)
        except TypeError:
            raise BadMove(f"{action!r:.80} is not an action; an action is a whole number below {self.size}") from None
        if self.are_moves:
            return wanted if wanted in legal else None
        return legal[wanted] if 0 <= wanted < len(legal) else None

    def action(self, move: int, legal: Sequence[int]) -> int:
        """Return the action for a move; one that is not legal is a BadMove."""
        if move not in legal:
            raise BadMove(f"move {move!r:.80} is not legal; the moves are {', '.join(map(str, legal))}")
        return move if self.are_moves else legal.index(move)
