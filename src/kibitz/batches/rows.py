"""What a batch does to its games, row by row; the same source runs on processors and on graphics cards.

A row of `states` holds `width` cells: those of the game, and a few that catch what a wrong rule writes behind them.
All arrays are flat here. A loop runs over every `step`-th row from `first` on; `room` is scratch space for a list of
moves. Where chance moves, a row rolls at once, by the key of its deal and the ply, as a table does.
"""

import numpy as np

from kibitz.core.calls import (
    deal,
    earnings,
    evaluate,
    extent,
    guess,
    moves,
    pick,
    play,
    sample,
    turn,
    view,
)
from kibitz.core.contract import CHANCE, GUARD, HALT_AT, INTACT, OVER, SEATS, SIZE, UNKNOWN
from kibitz.core.dice import below, dice_in
from kibitz.core.native import heed, helper, offset
from kibitz.core.playout import HEEDED, is_listed, refuse_endless_rolls
from kibitz.core.rolls import KEY_WORDS, outcome_at
from kibitz.core.scratch import numbers_in, scratch
from kibitz.networks.encoding import list_rows, write_numbers

NOT_LEGAL, NOT_DONE = (
    1,
    2,
)  # what `faults` holds: the action was not legal; an error ended a kernel
NOT_A_NUMBER = np.nan


@helper
def chance_plays(rules, state, key, ply, room):
    """Play what chance does until a seat is to move or the game is over; return the number of the next ply."""
    rolls = 0
    while turn(rules, state) == CHANCE:
        refuse_endless_rolls(rolls)
        play(rules, state, outcome_at(rules, state, key, ply + rolls, dice_in(scratch(1), 0), room))
        rolls += 1
    return ply + rolls


@helper
def deal_rows(rules, options, chosen, deals, keys, states, width, plies, room, first, rows, step):
    """Deal a new game in the chosen rows, by their dice in `deals`, which stay as they are."""
    for row in range(first, rows, step):
        if chosen[row] != 0:
            state, rng = offset(states, row * width), dice_in(scratch(1), 0)
            for cell in range(rules[SIZE], width):
                state[cell] = INTACT
            rng[0] = deals[row]
            deal(rules, state, options, rng)
            plies[row] = chance_plays(rules, state, offset(keys, row * KEY_WORDS), 0, room)


@helper
def turn_rows(rules, states, width, out, first, rows, step):
    """Write the seat to move in each row, or OVER."""
    for row in range(first, rows, step):
        out[row] = turn(rules, offset(states, row * width))


@helper
def legal_rows(rules, by_move, actions, states, width, out, room, first, rows, step):
    """Mark the legal actions of each row: moves where `by_move` is 1, else places in the list of moves."""
    for row in range(first, rows, step):
        state, marks = offset(states, row * width), offset(out, row * actions)
        for action in range(actions):
            marks[action] = 0
        if turn(rules, state) != OVER:
            for at in range(moves(rules, state, room)):
                marks[room[at] if by_move == 1 else at] = 1


@helper
def play_rows(rules, by_move, chosen, keys, states, width, plies, faults, room, first, rows, step):
    """Play the chosen action in each row that is not over; mark a row whose action is not legal, and leave it."""
    for row in range(first, rows, step):
        state, action, wanted, fault = offset(states, row * width), chosen[row], -1, 0
        if turn(rules, state) != OVER:
            n = moves(rules, state, room)
            for at in range(n):
                if action == (room[at] if by_move == 1 else at):
                    wanted = at
            if wanted < 0:
                fault = NOT_LEGAL
            else:
                play(rules, state, room[wanted])
                plies[row] = chance_plays(rules, state, offset(keys, row * KEY_WORDS), plies[row] + 1, room)
        faults[row] = fault


@helper
def sample_rows(rules, by_move, dice, states, width, out, room, first, rows, step):
    """Draw a random legal action for each row, by its own dice; -1 where the game is over."""
    for row in range(first, rows, step):
        state, rng = offset(states, row * width), offset(dice, row)
        if turn(rules, state) == OVER:
            out[row] = -1
        elif by_move == 1:
            out[row] = sample(rules, state, rng, room)
        else:
            out[row] = below(rng, moves(rules, state, room))


@helper
def run_move(rules, policy, weights, rng, key, state, observed, ply, room):
    """Play a move: the seat to move decides by a policy, from what it sees; policy 0 is random.

    Return the number of the next ply, or the negative of this one, less one, where the policy picks an illegal move.
    """
    if policy == 0:
        move = sample(rules, state, rng, room)
    else:
        view(rules, state, turn(rules, state), observed)
        move = pick(policy, observed, weights, rng)
        if not is_listed(rules, state, move, room):
            return -1 - ply
    play(rules, state, move)
    return chance_plays(rules, state, key, ply + 1, room)


@helper
def run_on(rules, policy, weights, most, rng, key, state, observed, ply, room):
    """Play on, at most `most` moves; return as `run_move` does."""
    left = most
    while left > 0 and ply >= 0 and turn(rules, state) != OVER:
        ply = run_move(rules, policy, weights, rng, key, state, observed, ply, room)
        left -= 1
        if left & HEEDED == 0:
            heed(rules[HALT_AT])
    return ply


@helper
def note_run(row, ply, plies, faults):
    """Write how a row has run: its next ply, and whether its policy picked an illegal move."""
    faults[row] = NOT_LEGAL if ply < 0 else 0
    plies[row] = -1 - ply if ply < 0 else ply


@helper
def run_rows(rules, policy, weights, most, dice, keys, states, width, observed, plies, faults, room, first, rows, step):
    """Play on in each row by a policy; a row whose policy picks an illegal move is marked, and stays as it is."""
    for row in range(first, rows, step):
        rng, key = offset(dice, row), offset(keys, row * KEY_WORDS)
        state = offset(states, row * width)
        note_run(row, run_on(rules, policy, weights, most, rng, key, state, observed, plies[row], room), plies, faults)


@helper
def view_rows(rules, seats, states, width, out, first, rows, step):
    """Write what a seat sees in each row; a seat of -1 is the one to move, and where there is none, UNKNOWN."""
    for row in range(first, rows, step):
        state, observed, seat = offset(states, row * width), offset(out, row * width), seats[row]
        if seat < 0:
            seat = turn(rules, state)
        if seat >= 0:
            view(rules, state, seat, observed)
            for cell in range(extent(rules, state), rules[SIZE]):
                observed[cell] = 0
        else:
            for cell in range(rules[SIZE]):
                observed[cell] = UNKNOWN


@helper
def guess_rows(rules, seats, dice, views, width, first, rows, step):
    """Turn the view of a seat in each row into a world that it may be, by the row's dice."""
    for row in range(first, rows, step):
        if seats[row] >= 0:
            guess(rules, offset(views, row * width), seats[row], offset(dice, row))


@helper
def payoff_rows(rules, states, width, out, first, rows, step):
    """Write what each seat earned in each row; not a number where the game is not over."""
    for row in range(first, rows, step):
        state, earned = offset(states, row * width), offset(out, row * rules[SEATS])
        if turn(rules, state) == OVER:
            earnings(rules, state, earned)
        else:
            for seat in range(rules[SEATS]):
                earned[seat] = NOT_A_NUMBER


@helper
def value_rows(rules, value, weights, states, width, out, first, rows, step):
    """Write the value of each row for each seat."""
    for row in range(first, rows, step):
        evaluate(rules, value, weights, offset(states, row * width), offset(out, row * rules[SEATS]))


@helper
def encode_rows(rules, encoder, lists, length, seats, states, width, observed, room, out, first, rows, step):
    """Write the inputs of a network for a seat's view of each row; all are 0 where the game is over.

    A seat of -1 is the one to move. `observed` is scratch space for a view, `room` for what the encoding writes.
    """
    for row in range(first, rows, step):
        state, inputs, seat = offset(states, row * width), offset(out, row * length), seats[row]
        for i in range(length):
            inputs[i] = 0.0
        if seat < 0:
            seat = turn(rules, state)
        if turn(rules, state) != OVER:
            view(rules, state, seat, observed)
            encode_row(encoder, lists, length, observed, seat, room, inputs)


@helper
def encode_row(encoder, lists, length, observed, seat, room, inputs):
    """Write the inputs of a network for a seat's view; where `lists` is 1, the encoding lists those that are 1."""
    if lists == 1:
        for i in range(list_rows(encoder, observed, seat, room)):
            inputs[room[i]] = 1.0
    else:
        numbers = numbers_in(room, 0)
        write_numbers(encoder, observed, seat, numbers)
        for i in range(length):
            inputs[i] = np.float32(numbers[i])


@helper
def guard_rows(rules, states, width, out, first, rows, step):
    """Write 1 for each row in which a rule has written behind the last cell, else 0."""
    for row in range(first, rows, step):
        state, behind = offset(states, row * width), 0
        for cell in range(rules[SIZE], width):
            behind |= state[cell] ^ INTACT
        out[row] = 1 if behind != 0 else 0


BEHIND = min(8, GUARD)  # cells behind each state that catch what a wrong rule writes there
