"""The history of Jamaica: what was done and drawn, turn by turn, so that no seat forgets what it has seen.

Four turns take five cells. The first tells everyone what was done: 15 bits a turn, which are seat + 1 and then four
bits for each of up to three actions: sign + 1 of the card played, or DREW + the number of cards drawn. The others hold,
one per turn, the line of the cards drawn in it, first card first: a secret of the seat whose turn it was.
"""

from kibitz.core.native import helper
from kibitz.games.cartagena.cells import ACTIONS, CELLS_A_BLOCK, HISTORY, SEAT, TURNS, TURNS_A_BLOCK

DREW = 8  # an action of this code or more drew cards, a smaller one played one
_TURN_BITS = 15


@helper
def history_cells(turns):
    """Return how many cells the history takes when `turns` turns are finished."""
    return CELLS_A_BLOCK * (turns // TURNS_A_BLOCK + 1)


@helper
def _block(turn):
    return HISTORY + CELLS_A_BLOCK * (turn // TURNS_A_BLOCK)


@helper
def actions_of(state, turn):
    """Return the actions of a turn as one number; 0 if there were none."""
    return (state[_block(turn)] >> _TURN_BITS * (turn % TURNS_A_BLOCK)) & ((1 << _TURN_BITS) - 1)


@helper
def seat_of(actions):
    """Return the seat that took the actions of a turn."""
    return (actions & 7) - 1


@helper
def action_code(actions, action):
    """Return the code of one of up to three actions; 0 if it was not taken."""
    return (actions >> (3 + 4 * action)) & 15


@helper
def drawn_cell(turn):
    """Return the cell that holds the cards drawn in a turn."""
    return _block(turn) + 1 + turn % TURNS_A_BLOCK


@helper
def record(state, code, cards, before):
    """Record an action and the line of cards drawn in it, after `before` cards drawn earlier in this turn."""
    turn = state[TURNS]
    shift = _TURN_BITS * (turn % TURNS_A_BLOCK)
    state[_block(turn)] |= code << (shift + 3 + 4 * state[ACTIONS])
    if state[ACTIONS] == 0:
        state[_block(turn)] |= (state[SEAT] + 1) << shift
    state[drawn_cell(turn)] |= cards << 4 * before


@helper
def drawn_before(state):
    """Count the cards drawn in this turn so far."""
    actions = actions_of(state, state[TURNS])
    cards = 0
    for action in range(state[ACTIONS]):
        cards += max(0, action_code(actions, action) - DREW)
    return cards


@helper
def clear_block(state):
    """Clear the cells of a block of turns if this is its first."""
    turn = state[TURNS]
    if turn % TURNS_A_BLOCK == 0:
        for k in range(CELLS_A_BLOCK):
            state[_block(turn) + k] = 0
