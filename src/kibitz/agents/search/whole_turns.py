"""Whole turns as choices: the ways to play a turn by the best moves at each step, and the plan of a turn."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.agents.search.evaluation import evaluate_move, evaluate_static_for
from kibitz.agents.search.expectation import Expectation, expectation_buffers
from kibitz.agents.search.filters import as_cells, filter_dice, filtered
from kibitz.agents.search.move_picker import SEARCHED_OR_PRUNED, next_choice
from kibitz.agents.search.search_arrays import Entries, Float64s, Int64s, UInt64s, opened
from kibitz.core.calls import copy, moves, play, turn
from kibitz.core.contract import GUARD, MOST_MOVES, SIZE, UNKNOWN
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.playout import play_legal

LONGEST_TURN = 8  # moves; a longer turn is cut there
MOST_TURNS = 1_000  # of one position
ROW = 1 + LONGEST_TURN  # cells of a turn: the number of its moves, then the moves
BEST_FIRST, AS_LISTED = 0, 1  # the order of the moves at a step


class TurnBuffers(NamedTuple):
    """The buffers for listing turns."""

    rules: Entries
    value_function: Entries
    value_weights: Float64s  # [weight]
    states: Int64s  # [step + 1, cell]: the position before each move of the turn, and after the last
    listed: Int64s  # [step, move]
    order: Float64s  # [step, move]: what the position after it is worth to the mover
    nexts: Int64s  # [step, move]: who is to move after it
    left: Int64s  # [step]: how many of the best moves are still to be tried
    values: Float64s  # [seat]
    expectation: Expectation
    filters: Entries  # move filters, terminated by 0
    dice: UInt64s  # [3]: for the filters
    root: Int64s  # [1]: the seat that decides, for the filters


def turn_buffers(
    game: Game, value: BoundHeuristic, filters: tuple[Any, ...] = (), dice: Any = None
) -> TurnBuffers:  # fmt: skip
    """Return buffers to list the turns of a game by a value, made of moves that filters keep."""
    places = LONGEST_TURN * game.most_moves
    return TurnBuffers(
        game.rules, value.handle, value.weights, np.empty((LONGEST_TURN + 1) * game.size + GUARD, dtype=np.int64),
        np.empty(places + GUARD, dtype=np.int64), np.empty(places), np.empty(places, dtype=np.int64),
        np.empty(LONGEST_TURN, dtype=np.int64), np.empty(game.seats), expectation_buffers(game, value),
        as_cells(filters), filter_dice(0) if dice is None else dice, np.zeros(1, dtype=np.int64),
    )  # fmt: skip


@helper
def _list_step(t, here, after, seat, at, width, sequence):
    """List the moves of a step from index `at` on, of which the best `width` count; return how many to try."""
    listed = offset(t.listed, at)
    n = filtered(t.rules, t.filters, t.root[0], here, t.dice, listed, moves(t.rules, here, listed))
    for i in range(at, at + n):
        copy(t.rules, here, after)
        play(t.rules, after, t.listed[i])
        t.nexts[i] = turn(t.rules, after)
        if t.nexts[i] < 0:
            evaluate_move(t.rules, t.value_function, t.value_weights, t.expectation, here, after, t.values)
            t.order[i] = t.values[seat]
        else:
            t.order[i] = evaluate_static_for(t, after, seat, t.values)
    for i in range(at + n, at + t.rules[MOST_MOVES]):
        t.order[i] = SEARCHED_OR_PRUNED
    if width == 0 or n <= width:
        return n
    if sequence == AS_LISTED:
        _keep_best(offset(t.order, at), n, width)
    return width


@helper
def _keep_best(order, n, width):
    """Strike all but the best `width`."""
    for i in range(n):
        better = 0
        for j in range(n):
            # An entry struck before i had `width` better ones, and none of those is struck.
            better += 1 if order[j] > order[i] or (order[j] == order[i] and j < i) else 0
        if better >= width:
            order[i] = SEARCHED_OR_PRUNED


@helper
def _next_of(t, at, sequence):
    """Return the index of the next move of a step."""
    if sequence == AS_LISTED:
        while t.order[at] <= SEARCHED_OR_PRUNED:
            at += 1
        return at
    return at + next_choice(offset(t.order, at), t.rules[MOST_MOVES])


@helper
def write_turns(t, state, width, sequence, most, turns, order):
    """Write at most `most` ways to play the turn of a position, and the value of each to the seat that plays it.

    At each step the best `width` moves by that value are kept, or all if `width` is 0. Return how many turns there are.
    """
    seat, size, row_size = turn(t.rules, state), t.rules[SIZE], t.rules[MOST_MOVES]
    copy(t.rules, state, t.states)
    found, step = 0, 0
    t.left[0] = _list_step(t, t.states, offset(t.states, size), seat, 0, width, sequence)
    while step >= 0:
        if t.left[step] == 0 or found == most:
            step -= 1
            continue
        t.left[step] -= 1
        here, after, at = offset(t.states, step * size), offset(t.states, (step + 1) * size), step * row_size
        i = _next_of(t, at, sequence)
        row = offset(turns, found * ROW)
        row[step + 1] = t.listed[i]
        value = t.order[i]
        t.order[i] = SEARCHED_OR_PRUNED
        if t.nexts[i] == seat and step + 1 < LONGEST_TURN:
            copy(t.rules, here, after)
            play(t.rules, after, t.listed[i])
            step += 1
            t.left[step] = _list_step(t, after, offset(after, size), seat, at + row_size, width, sequence)
            continue
        row[0], order[found] = step + 1, value
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
def list_turns(buffers, world, width, sequence, turns, order):
    """Write the ways to play a whole turn, ROW cells each, with their values; return how many."""
    return write_turns(opened(buffers), pointer(world), width, sequence, order.shape[0], pointer(turns), pointer(order))


class TurnPlan:
    """The moves of a turn that are still to be made, and the position in which the next one is due."""

    def __init__(self, game: Game):
        self._game, self._moves = game, list[int]()
        self._expected = game.new_state()
        self._scratch = game.new_moves()

    def make(self, world: np.ndarray, moves: Sequence[int]) -> None:
        """Plan a turn in a world, which may be a guess; its first move is made now."""
        self._expected[: self._game.size] = world[: self._game.size]
        self._moves = list(moves)
        self._advance()

    def due(self, view: np.ndarray) -> int | None:
        """Return the next move of the plan; None if the plan is done, or the position is not the expected one."""
        size, known = self._game.size, view != UNKNOWN
        if not self._moves or (view[:size] != self._expected[:size])[known[:size]].any():
            self._moves = []
            return None
        move = self._moves[0]
        self._advance()
        return move

    def _advance(self) -> None:
        move, self._moves = self._moves[0], self._moves[1:]
        if self._moves and not play_legal(self._game.rules, self._expected, move, self._scratch):
            self._moves = []
