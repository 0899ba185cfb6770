"""The picture of Frogs."""

from kibitz.scenes import HexGrid, Piece, Prompt, Scores

from .rules import PASS, PLACES


def ends(view, move):
    """Return where a move begins and ends."""
    return None if move == PASS else (move // PLACES, move % PLACES)


FROGS = {1: Piece("frog", seat=0), 2: Piece("frog", seat=1), 3: (Piece("stone"), Piece("king", "K"))}
SCENE = [
    HexGrid("BOARD", radius=2, pieces=FROGS, moves=ends),
    Scores("POINTS"),
    Prompt("Move a frog to a free neighbour"),
]
