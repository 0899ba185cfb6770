"""Playing on on a card: a thread has its game in room of its own, and takes another row when the game is over.

Threads of a warp go on together, so one whose game is over would wait for the longest. Between slices of a few moves
it writes its row and takes the next: first every so many rows from its own on, then, of the last rows, any.
"""

from kibitz.batches.card_forms import count_up
from kibitz.batches.rows import note_run, run_move
from kibitz.core.calls import extent, turn
from kibitz.core.contract import AT, INTACT, OVER, SIZE
from kibitz.core.dice import dice_in
from kibitz.core.native import helper, offset
from kibitz.core.rolls import KEY_WORDS
from kibitz.core.scratch import scratch

SLICE = 32  # moves
EXTENT = AT["extent"]


@helper
def load(rules, state, width, own):
    """Copy the cells in use of a row into room of a thread; return how many these are."""
    used = extent(rules, state)
    for cell in range(used):
        own[cell] = state[cell]
    for cell in range(rules[SIZE], width):
        own[cell] = INTACT
    return used


@helper
def store(rules, own, used, width, state):
    """Copy the cells that have been in use into a row, and what a wrong rule has written behind the last cell."""
    for cell in range(used if rules[EXTENT] != 0 else rules[SIZE]):
        state[cell] = own[cell]
    for cell in range(rules[SIZE], width):
        if own[cell] != INTACT:
            state[cell] = own[cell]


@helper
def run_slice(rules, policy, weights, moves, rng, key, state, observed, ply, used, room):
    """Play on, at most so many moves; return the number of the next ply as `run_on` does, and the most cells in use."""
    while moves > 0 and ply >= 0 and turn(rules, state) != OVER:
        ply = run_move(rules, policy, weights, rng, key, state, observed, ply, room)
        used = max(used, extent(rules, state))
        moves -= 1
    return ply, used


@helper
def row_after(row, rows, step, taken):
    """Return the row that a thread takes after one; of the last rows, as many as there are threads, any."""
    shared = max(rows - step, min(rows, step))
    return row + step if row + step < shared else shared + count_up(taken)


@helper
def run_taken_rows(
    rules, in_place, policy, weights, most, dice, keys, states, width, plies, faults, taken, own, observed, room,
    first, rows, step,
):  # fmt: skip
    """Play on by a policy in all rows that a thread takes."""
    rng, row, left, ply, used = dice_in(scratch(1), 0), first, -1, 0, 0
    while row < rows:
        state, key = offset(states, row * width), offset(keys, row * KEY_WORDS)
        held = state if in_place else own
        if left < 0:
            left, ply, rng[0] = most, plies[row], dice[row]
            used = 0 if in_place else load(rules, state, width, own)
        moves = min(left, SLICE)
        ply, used = run_slice(rules, policy, weights, moves, rng, key, held, observed, ply, used, room)
        left -= moves
        if left == 0 or ply < 0 or turn(rules, held) == OVER:
            if not in_place:
                store(rules, own, used, width, state)
            dice[row] = rng[0]
            note_run(row, ply, plies, faults)
            row, left = row_after(row, rows, step, taken), -1
