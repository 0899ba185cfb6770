"""Evaluating a position: by a value while the game goes on, by the payoffs once it is over.

A win outweighs any value, and any value a loss. A draw is worth what the root position is worth to an average seat, or
to each seat itself, so that it lies on the value's own scale.
"""

import numpy as np

from kibitz.agents.search.control import DRAWS, OWN_DRAW, STAKES
from kibitz.agents.search.expectation import begin_roll, expectation_buffers, next_outcome, rolls_again
from kibitz.agents.search.search_arrays import opened
from kibitz.core.calls import (
    copy,
    counts_payoffs,
    evaluate,
    evaluate_for,
    guess,
    has_seat_form,
    payoff,
    payoff_shares,
    play,
    turn,
)
from kibitz.core.contract import CHANCE, OVER, SEATS, SIZE
from kibitz.core.dice import dice
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.playout import legal_moves
from kibitz.core.shares import RESOLUTION

DECIDED = 1e6  # a finished game outweighs any value by this
MOST_VALUE = DECIDED / 10  # values beyond this count as this
WON = DECIDED / 4  # scores beyond this are decided games: with many seats a win is nearly DECIDED, a loss a share of it


@helper
def _average(rules, values):
    mean = 0.0
    for seat in range(rules[SEATS]):
        mean += values[seat] / rules[SEATS]
    return mean


@helper
def is_draw(rules, payoffs):
    """Return whether all seats earned the same."""
    for seat in range(1, rules[SEATS]):
        if payoffs[seat] != payoffs[0]:
            return False
    return True


@helper
def _terminal(rules, state, even, out):
    """Write what a finished game is worth to each seat, `even` in a draw; return whether it is one."""
    payoff(rules, state, out)
    drawn, mean = is_draw(rules, out), _average(rules, out)
    if counts_payoffs(rules):  # how much the others earn is nothing to a seat
        drawn, mean = False, 1.0 / rules[SEATS]
    for seat in range(rules[SEATS]):
        out[seat] = even if drawn else (out[seat] - mean) * DECIDED
    return drawn


@helper
def _static(rules, value, weights, state, out):
    """Write the value of an unfinished position to each seat, clipped to what a finished game outweighs."""
    evaluate(rules, value, weights, state, out)
    for seat in range(rules[SEATS]):
        out[seat] = min(max(out[seat], -MOST_VALUE), MOST_VALUE)


@helper
def has_own_draws(control):
    """Return whether a draw is worth to each seat what the root position is worth to it."""
    return control[OWN_DRAW] != 0


@helper
def write_draw(rules, control, out):
    """Write what a draw is worth to each seat."""
    draws = offset(control, control[DRAWS])
    for seat in range(rules[SEATS]):
        out[seat] = draws[seat] * RESOLUTION


@helper
def _share_stakes(rules, state, stakes, out):
    """Write what a finished game is worth to each seat on the scale of a value."""
    payoff_shares(rules, state, out)
    for seat in range(rules[SEATS]):
        out[seat] *= stakes


@helper
def _terminal_in_search(rules, control, state, out):
    if control[STAKES] != 0:
        _share_stakes(rules, state, control[STAKES] * RESOLUTION, out)
    elif _terminal(rules, state, 0.0, out):
        write_draw(rules, control, out)


@helper
def evaluate_terminal(s, state, out):
    """Write what a finished game is worth to each seat."""
    _terminal_in_search(s.rules, s.control, state, out)


@helper
def evaluate_static(s, state, out):
    """Write the value of an unfinished position to each seat."""
    _static(s.rules, s.value_function, s.value_weights, state, out)


@helper
def evaluate_static_for(s, state, seat, scratch):
    """Return the value of an unfinished position to one seat."""
    if not has_seat_form(s.value_function):
        evaluate_static(s, state, scratch)
        return scratch[seat]
    return min(max(evaluate_for(s.value_function, s.value_weights, state, seat), -MOST_VALUE), MOST_VALUE)


@helper
def evaluate_node_for(s, state, seat, scratch):
    """Return what a position is worth to one seat."""
    if turn(s.rules, state) == OVER:
        evaluate_terminal(s, state, scratch)
        return scratch[seat]
    return evaluate_static_for(s, state, seat, scratch)


@helper
def evaluate_after(rules, value, weights, before, after, out):
    """Write what the position after a move is worth to each seat; a draw is worth what the one before it is."""
    if turn(rules, after) == OVER:
        _static(rules, value, weights, before, out)
        _terminal(rules, after, _average(rules, out), out)
    else:
        _static(rules, value, weights, after, out)


@helper
def _evaluate_settled(rules, value, weights, e, before, after, out):
    if e.stakes[0] > 0.0 and turn(rules, after) == OVER:
        _share_stakes(rules, after, e.stakes[0], out)
    else:
        evaluate_after(rules, value, weights, before, after, out)


@helper
def evaluate_move(rules, value, weights, e, before, after, out):
    """Write what `evaluate_after` does; where chance moves after the move, the expectation of that."""
    if turn(rules, after) != CHANCE:
        _evaluate_settled(rules, value, weights, e, before, after, out)
        return
    for seat in range(rules[SEATS]):
        out[seat] = 0.0
    copy(rules, after, e.states)
    begin_roll(rules, e, 0, 1.0)
    level = 0
    while level >= 0:
        if e.left[level] == 0:
            level -= 1
            continue
        probability = next_outcome(rules, e, level)
        if rolls_again(rules, e, level + 1):
            level += 1
            begin_roll(rules, e, level, probability)
            continue
        _evaluate_settled(rules, value, weights, e, before, offset(e.states, (level + 1) * rules[SIZE]), e.values)
        for seat in range(rules[SEATS]):
            out[seat] += probability * e.values[seat]


@compiled
def evaluate_position(rules_, value, weights, control, state_, out_):
    """Write what a position is worth to each seat in a search, for callers in Python."""
    rules, state, out = pointer(rules_), pointer(state_), pointer(out_)
    if turn(rules, state) == OVER:
        _terminal_in_search(rules, pointer(control), state, out)
    else:
        _static(rules, pointer(value), pointer(weights), state, out)


def look_ahead(
    game: Game, value: BoundHeuristic, view: np.ndarray, seat: int, worlds: int = 0, rng: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the legal moves and what each is worth to every seat, summed over guessed worlds (0: the view itself)."""
    scratch = game.new_moves()
    listed = scratch[: legal_moves(game.rules, view, scratch)]
    values = np.zeros((len(listed), game.seats))
    _evaluate_moves(
        game.rules, value.handle, value.weights, view, seat, worlds, listed, dice(0) if rng is None else rng,
        game.new_state(), game.new_state(), np.empty(game.seats), expectation_buffers(game, value), values,
    )  # fmt: skip
    return listed, values


@compiled
def _evaluate_moves(rules_, value_, weights_, view_, seat, worlds, listed, rng_, world_, after_, values_, buffers, out):
    """Add to out[i] each seat's value after the i-th move, summed over guessed worlds."""
    rules, value, weights, view = pointer(rules_), pointer(value_), pointer(weights_), pointer(view_)
    rng, world, after, values = pointer(rng_), pointer(world_), pointer(after_), pointer(values_)
    e = opened(buffers)
    for _ in range(max(worlds, 1)):
        copy(rules, view, world)
        if worlds > 0:
            guess(rules, world, seat, rng)
        for i in range(listed.shape[0]):
            copy(rules, world, after)
            play(rules, after, listed[i])
            evaluate_move(rules, value, weights, e, world, after, values)
            for s in range(rules[SEATS]):
                out[i, s] += values[s]
