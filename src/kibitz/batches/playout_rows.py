"""Playouts side by side, each with dice of its own; the same source runs on processors and on graphics cards.

A row is a playout: all those of the first turn, then all those of the second, and so on.
"""

import numpy as np

from kibitz.core.calls import copy, guess, payoff, play, turn
from kibitz.core.contract import SEATS
from kibitz.core.dice import dice_in, mixed, set_dice_of
from kibitz.core.native import helper, offset
from kibitz.core.playout import is_legal, play_out
from kibitz.core.scratch import scratch


@helper
def begin_turn(rules, view, seat, moves, rng, state, room):
    """Guess a world and play a turn in it: `moves` are their number, then they; it ends before one that is illegal."""
    copy(rules, view, state)
    guess(rules, state, seat, rng)
    for step in range(moves[0]):
        if turn(rules, state) != seat or not is_legal(rules, state, moves[step + 1], room):
            break
        play(rules, state, moves[step + 1])


@helper
def keep_wins(earned, seats):
    """Turn payoffs into 1 for a seat that earned more than every other, and 0 for all others."""
    best, most, tied = 0, earned[0], False
    for seat in range(1, seats):
        if earned[seat] > most:
            best, most, tied = seat, earned[seat], False
        elif earned[seat] == most:
            tied = True
    for seat in range(seats):
        earned[seat] = 1.0 if seat == best and not tied else 0.0


@helper
def playout_rows(
    rules, policy, weights, view, seat, turns, width, playouts, number, seeds, wins, out, state, room, first, rows, step
):
    """Write what each seat earned, or whether it won, in each playout of each turn, from playout `number` on.

    A turn has `width` cells and a seed, from which the dice of its playouts follow by their numbers.
    """
    seats, rng = rules[SEATS], dice_in(scratch(1), 0)
    for row in range(first, rows, step):
        which, earned = row // playouts, offset(out, row * seats)
        set_dice_of(mixed(seeds[which] ^ np.uint64(number + row % playouts)), rng)
        begin_turn(rules, view, seat, offset(turns, which * width), rng, state, room)
        play_out(rules, policy, weights, state, rng, room)
        payoff(rules, state, earned)
        if wins != 0:
            keep_wins(earned, seats)
