"""Quick policies for Quarto."""

from kibitz.core.bits import nth, popcount
from kibitz.core.dice import below
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.games.quarto.rules import CLEAR, FREE, FULL, HAND, NONE, POOL, SET, SQUARES, completing, winning_cells
from kibitz.games.quarto.values import HAVING

AGENTS = {"champion": "minimax(seconds=1, opening=none, value=net(champion))"}
LEVELS = {
    "beginner": "novice",
    "club": "minimax(depth=3)",
    "strong": "champion",
}


@helper
def _among(choices, rng):
    return nth(choices, below(rng, popcount(choices)))


@helper
def pieces_to_win(having, lacking, free, squares):
    """Return the pieces, as a bit mask, that win on a free cell of a board of lanes."""
    dangerous = 0
    for k in range(len(HAVING)):
        if completing((having >> 16 * k) & FULL, squares) & free:
            dangerous |= HAVING[k]
        if completing((lacking >> 16 * k) & FULL, squares) & free:
            dangerous |= FULL & ~HAVING[k]
    return dangerous


@helper
def winning_pieces(state):
    """Return the pieces, as a bit mask, that would win at once if handed over now."""
    return pieces_to_win(state[SET], state[CLEAR], state[FREE], state[SQUARES])


@policy
def novice(view, weights, rng):
    """Win at once where possible, hand over no piece that wins at once, else choose at random."""
    if view[HAND] == NONE:
        safe = view[POOL] & ~winning_pieces(view)
        return _among(safe if safe else view[POOL], rng)
    wins = winning_cells(view, view[HAND])
    return _among(wins if wins else view[FREE], rng)
