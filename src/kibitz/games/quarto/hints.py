"""What helps a search in Quarto."""

from kibitz.core.bits import popcount
from kibitz.core.contract import hint
from kibitz.core.knowledge import Opening
from kibitz.games.quarto.rules import FREE, HAND, NONE, winning_cells

# The report's searchers play Monte Carlo before the seventh piece is set.
OPENING = Opening("flat(playouts=100, policy=novice)", until=7)


@hint
def may_end(state):
    # A piece that is placed ends the game if it wins or is the last.
    if state[HAND] == NONE:
        return 0
    return 1 if winning_cells(state, state[HAND]) != 0 or popcount(state[FREE]) == 1 else 0
