"""Whole turns as choices: all ways to play the moves of a turn that keep to the best at each step."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.agents.search.evaluation import appraise_for, even_worth, judge
from kibitz.agents.search.move_picker import STRUCK, next_choice
from kibitz.core.calls import copy, moves, play, turn
from kibitz.core.contract import GUARD, MOST_MOVES, OVER, SIZE
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, helper, offset, pointer

LONGEST_TURN = 8  # moves; a turn is followed no further
MOST_TURNS = 1_000  # of one position
ROW = 1 + LONGEST_TURN  # cells of a turn: the number of its moves, then the moves
BEST_FIRST, AS_LISTED = 0, 1  # the order of the moves at a step


class TurnBuffers(NamedTuple):
    """What listing turns works on: arrays when Python hands them in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    states: Any  # step x cell: the position before a move of the turn; one more for the position after it
    listed: Any  # step x move
    promise: Any  # step x move: what the position after it is worth to the mover
    nexts: Any  # step x move: who is to move after it
    left: Any  # step: how many of the best moves are still to be tried
    worth: Any  # by seat


def room_for_turns(game: Game, value: BoundHeuristic) -> TurnBuffers:
    """Return room to list the turns of a game by a value."""
    places = LONGEST_TURN * game.most_moves
    return TurnBuffers(
        game.rules, value.handle, value.weights, np.empty((LONGEST_TURN + 1) * game.size + GUARD, dtype=np.int64),
        np.empty(places + GUARD, dtype=np.int64), np.empty(places), np.empty(places, dtype=np.int64),
        np.empty(LONGEST_TURN, dtype=np.int64), np.empty(game.seats),
    )  # fmt: skip


@helper
def opened_room(t):
    """Return the arrays as addresses."""
    return TurnBuffers(
        pointer(t.rules), pointer(t.value), pointer(t.weights), pointer(t.states), pointer(t.listed),
        pointer(t.promise), pointer(t.nexts), pointer(t.left), pointer(t.worth),
    )  # fmt: skip


@helper
def _list_step(t, here, after, seat, at, width, sequence):
    """List the moves of a step from a place on, strike all but the best so many; return how many are to be tried."""
    n = moves(t.rules, here, offset(t.listed, at))
    for i in range(at, at + n):
        copy(t.rules, here, after)
        play(t.rules, after, t.listed[i])
        t.nexts[i] = turn(t.rules, after)
        if t.nexts[i] == OVER:
            even = even_worth(t.rules, t.value, t.weights, here, t.worth)
            judge(t.rules, t.value, t.weights, after, even, t.worth)
            t.promise[i] = t.worth[seat]
        else:
            t.promise[i] = appraise_for(t, after, seat, t.worth)
    for i in range(at + n, at + t.rules[MOST_MOVES]):
        t.promise[i] = STRUCK
    if width == 0 or n <= width:
        return n
    if sequence == AS_LISTED:
        _keep_best(offset(t.promise, at), n, width)
    return width


@helper
def _keep_best(promise, n, width):
    """Strike all but the best so many."""
    for i in range(n):
        better = 0
        for j in range(n):
            # Those struck before i were beaten by `width` others, which all stand.
            better += 1 if promise[j] > promise[i] or (promise[j] == promise[i] and j < i) else 0
        if better >= width:
            promise[i] = STRUCK


@helper
def _next_of(t, at, sequence):
    """Return the place of the next move of a step."""
    if sequence == AS_LISTED:
        while t.promise[at] <= STRUCK:
            at += 1
        return at
    return at + next_choice(offset(t.promise, at), t.rules[MOST_MOVES])


@helper
def write_turns(t, state, width, sequence, most, turns, order):
    """Write at most so many ways to play the turn of a position, and what each is worth to its seat at its end.

    At each step the best moves by the seat's value are kept, `width` of them, 0 for all. Return how many turns there
    are.
    """
    seat, size, room = turn(t.rules, state), t.rules[SIZE], t.rules[MOST_MOVES]
    copy(t.rules, state, t.states)
    found, step = 0, 0
    t.left[0] = _list_step(t, t.states, offset(t.states, size), seat, 0, width, sequence)
    while step >= 0:
        if t.left[step] == 0 or found == most:
            step -= 1
            continue
        t.left[step] -= 1
        here, after, at = offset(t.states, step * size), offset(t.states, (step + 1) * size), step * room
        i = _next_of(t, at, sequence)
        row = offset(turns, found * ROW)
        row[step + 1] = t.listed[i]
        worth = t.promise[i]
        t.promise[i] = STRUCK
        if t.nexts[i] == seat and step + 1 < LONGEST_TURN:
            copy(t.rules, here, after)
            play(t.rules, after, t.listed[i])
            step += 1
            t.left[step] = _list_step(t, after, offset(after, size), seat, at + room, width, sequence)
            continue
        row[0], order[found] = step + 1, worth
        found += 1
        if found < most:
            for k in range(1, step + 1):
                row[ROW + k] = row[k]
    return found


@helper
def play_turn(rules, state, row):
    """Play the moves of a turn in place."""
    for k in range(row[0]):
        play(rules, state, row[k + 1])


@compiled
def list_turns(room, world, width, sequence, turns, order):
    """Write the ways to play a whole turn, ROW cells each, with their worth; return how many."""
    return write_turns(
        opened_room(room), pointer(world), width, sequence, order.shape[0], pointer(turns), pointer(order)
    )
