"""Playouts that begin with a whole turn, and those in which every seat plays whole turns."""

from typing import NamedTuple

import numpy as np

from kibitz.agents.search.move_picker import SEARCHED_OR_PRUNED, next_choice
from kibitz.agents.search.search_arrays import Float64s, Int64s, opened
from kibitz.agents.search.whole_turns import (
    BEST_FIRST,
    MOST_TURNS,
    ROW,
    TurnBuffers,
    play_turn,
    turn_buffers,
    write_turns,
)
from kibitz.batches.playout_rows import begin_turn, keep_wins
from kibitz.core.calls import payoff, turn
from kibitz.core.contract import CHANCE, HALT_AT, OVER, SEATS
from kibitz.core.dice import below
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import CHECKED_OFTEN, HEEDED, check_guard, play_out, play_rolls


class BestTurns(NamedTuple):
    """Every seat plays one of its best turns."""

    buffers: TurnBuffers
    turns: Int64s  # [turn, ROW]
    order: Float64s  # [turn]
    limits: Int64s  # [2]: how many moves are kept at each step, and how many turns to choose from


def best_turns(game: Game, value: BoundHeuristic, width: int, among: int) -> BestTurns:
    """Return the data for playing one of the `among` best turns, each equally likely."""
    return BestTurns(
        turn_buffers(game, value), np.empty(MOST_TURNS * ROW, dtype=np.int64), np.empty(MOST_TURNS),
        np.array([width, among]),
    )  # fmt: skip


@helper
def _play_one_of_best(b, state, rng):
    """Play one of the best turns in place, or what chance does where it moves; return how many moves that takes."""
    if turn(b.buffers.rules, state) == CHANCE:
        return play_rolls(b.buffers.rules, state, rng, b.buffers.listed)
    n = write_turns(b.buffers, state, b.limits[0], BEST_FIRST, MOST_TURNS, b.turns, b.order)
    for _ in range(below(rng, min(n, b.limits[1]))):
        b.order[next_choice(b.order, n)] = SEARCHED_OR_PRUNED
    row = offset(b.turns, next_choice(b.order, n) * ROW)
    play_turn(b.buffers.rules, state, row)
    return row[0]


@helper
def _play_out_turns(b, state, rng):
    """Play to the end in place, turn by turn; return the number of moves."""
    rules, plies = b.buffers.rules, 0
    while turn(rules, state) != OVER:
        plies += _play_one_of_best(b, state, rng)
        heed(rules[HALT_AT])
    check_guard(rules, state, CHECKED_OFTEN)
    return plies


@helper
def _add_payoffs(rules, state, wins, earned, out, i):
    """Add what each seat earned, or whether it won."""
    payoff(rules, state, earned)
    if wins:
        keep_wins(earned, rules[SEATS])
    for seat in range(rules[SEATS]):
        out[i, seat] += earned[seat]


@compiled
def sample_turns(rules_, policy, weights_, view_, seat, turns, playouts, wins, dice, state_, scratch_, earned_, out):
    """Add to out[i] each seat's payoffs, or wins, over playouts by a policy that begin with turns[i] and use dice[i].

    Return how many moves followed those turns.
    """
    rules, weights, view, scratch = pointer(rules_), pointer(weights_), pointer(view_), pointer(scratch_)
    state, earned, plies = pointer(state_), pointer(earned_), 0
    for i in range(turns.shape[0]):
        rng = offset(pointer(dice), i)
        for number in range(playouts):
            if number & HEEDED == HEEDED:
                heed(rules[HALT_AT])
            begin_turn(rules, view, seat, pointer(turns[i]), rng, state, scratch)
            plies += play_out(rules, policy, weights, state, rng, scratch)
            _add_payoffs(rules, state, wins, earned, out, i)
    return plies


@compiled
def sample_best_turns(best, view_, seat, turns, playouts, wins, dice, state_, scratch_, earned_, out):
    """Do what `sample_turns` does, with every seat playing one of its best turns."""
    b, view, scratch, state, earned = opened(best), pointer(view_), pointer(scratch_), pointer(state_), pointer(earned_)
    rules, plies = b.buffers.rules, 0
    for i in range(turns.shape[0]):
        rng = offset(pointer(dice), i)
        for _ in range(playouts):
            begin_turn(rules, view, seat, pointer(turns[i]), rng, state, scratch)
            plies += _play_out_turns(b, state, rng)
            _add_payoffs(rules, state, wins, earned, out, i)
    return plies
