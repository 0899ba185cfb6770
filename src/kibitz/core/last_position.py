"""The last position of a game from its moves, in compiled code."""

import numpy as np

from kibitz.core.calls import deal, play
from kibitz.core.dice import dice_all
from kibitz.core.game import Game
from kibitz.core.native import compiled, pointer


def last_position(game: Game, seed: int, moves: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Write into `out`, a new state of the game, what legal moves lead to from a deal, and return its cells."""
    _replay(game.rules, game.encoded_options, dice_all(np.array([seed], dtype=np.uint64)), moves, out)
    return out[: game.size]


@compiled
def _replay(rules_, options_, dice, moves, state_):
    """Deal, and make all moves."""
    rules, state = pointer(rules_), pointer(state_)
    deal(rules, state, pointer(options_), pointer(dice))
    for ply in range(moves.shape[0]):
        play(rules, state, moves[ply])
