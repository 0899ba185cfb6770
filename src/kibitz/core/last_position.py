"""The last position of a game from its moves, in compiled code."""

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.calls import deal, play
from kibitz.core.dice import dice_all
from kibitz.core.game import Game
from kibitz.core.native import compiled, pointer


def last_position(game: Game, seed: int, moves: Int64s, out: Int64s) -> Int64s:
    """Write into `out`, a new state, the position after legal moves from a deal; return its cells."""
    _replay(game.rules, game.encoded_options, dice_all(np.array([seed], dtype=np.uint64)), moves, out)
    return out[: game.size]


@compiled
def _replay(rules_, options_, dice, moves, state_):
    """Deal and play all moves."""
    rules, state = pointer(rules_), pointer(state_)
    deal(rules, state, pointer(options_), pointer(dice))
    for ply in range(moves.shape[0]):
        play(rules, state, moves[ply])
