"""The diary: what was done and drawn in Jamaica, turn by turn, so that no seat forgets what it has seen.

Four turns take five cells. The first tells everyone what was done: 15 bits a turn, which are seat + 1 and then four
bits for each of up to three actions: sign + 1 of the card played, or DREW + the number of cards drawn. The others hold,
one a turn, the line of the cards drawn in it, first card first: a secret of the seat whose turn it was.
"""

from kibitz.core.native import helper
from kibitz.games.cartagena.cells import ACTIONS, CELLS_A_BLOCK, DIARY, SEAT, TURNS, TURNS_A_BLOCK

DREW = 8  # an action of this code or more drew cards, a smaller one played one
_TURN_BITS = 15


@helper
def diary_cells(turns):
    """Return how many cells the diary takes when so many turns are finished."""
    return CELLS_A_BLOCK * (turns // TURNS_A_BLOCK + 1)


@helper
def _block(turn):
    return DIARY + CELLS_A_BLOCK * (turn // TURNS_A_BLOCK)


@helper
def deeds(state, turn):
    """Return what was done in a turn; 0 if nothing was."""
    return (state[_block(turn)] >> _TURN_BITS * (turn % TURNS_A_BLOCK)) & ((1 << _TURN_BITS) - 1)


@helper
def doer(deeds):
    """Return whose turn it was."""
    return (deeds & 7) - 1


@helper
def deed(deeds, action):
    """Return the code of one of its three actions; 0 if it was not taken."""
    return (deeds >> (3 + 4 * action)) & 15


@helper
def drawn_cell(turn):
    """Return the cell that holds the cards drawn in a turn."""
    return _block(turn) + 1 + turn % TURNS_A_BLOCK


@helper
def note(state, code, cards, before):
    """Write down an action and the line of cards drawn in it, where `before` cards were drawn in this turn before."""
    turn = state[TURNS]
    shift = _TURN_BITS * (turn % TURNS_A_BLOCK)
    state[_block(turn)] |= code << (shift + 3 + 4 * state[ACTIONS])
    if state[ACTIONS] == 0:
        state[_block(turn)] |= (state[SEAT] + 1) << shift
    state[drawn_cell(turn)] |= cards << 4 * before


@helper
def drawn_before(state):
    """Count the cards drawn in this turn so far."""
    done = deeds(state, state[TURNS])
    cards = 0
    for action in range(state[ACTIONS]):
        cards += max(0, deed(done, action) - DREW)
    return cards


@helper
def open_page(state):
    """Clear the cells for the turns that begin with this one, if it is the first of a block."""
    turn = state[TURNS]
    if turn % TURNS_A_BLOCK == 0:
        for k in range(CELLS_A_BLOCK):
            state[_block(turn) + k] = 0
