"""Calling the rules of a game from compiled code, with defaults for the optional ones."""

from collections.abc import Callable
from typing import Any

from kibitz.core.address import caller
from kibitz.core.contract import (
    AT,
    CHANCE,
    FILTER,
    LEAST,
    MOST_MOVES,
    ORDER,
    POLICY,
    PREPARE,
    SEAT_CELL,
    SEAT_VALUE,
    SEATS,
    SHARED,
    SIGNATURES,
    SIZE,
    SPAN,
    TABLE_VALUE,
)
from kibitz.core.dice import below
from kibitz.core.errors import BadGame
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.shares import WHOLE, equalize_zero_payoffs, share_out

_call_deal = caller(SIGNATURES["deal"])
_call_moves = caller(SIGNATURES["moves"])
_call_play = caller(SIGNATURES["play"])
_call_payoff = caller(SIGNATURES["payoff"])
_call_view = caller(SIGNATURES["view"])
_call_guess = caller(SIGNATURES["guess"])
_call_seen = caller(SIGNATURES["seen"])
_call_sample = caller(SIGNATURES["sample"])
_call_away = caller(SIGNATURES["away"])
_call_state = caller(SIGNATURES["progress"])  # also that of the other rules that take a state alone

pick = caller(POLICY)
set_root_weights = caller(PREPARE)
keep_moves = caller(FILTER)
order_of = caller(ORDER)
_call_seat_value = caller(SEAT_VALUE)
_call_table_value = caller(TABLE_VALUE)

MOST_ODDS = 2**32  # the greatest sum of the weights of all outcomes
HAND_OVER, GUESS = AT["hand_over"], AT["guess"]
_DEAL, _MOVES, _PLAY, _PAYOFF = (AT[name] for name in ("deal", "moves", "play", "payoff"))
_VIEW, _SEEN, _SAMPLE, _EXTENT, _KEY = (AT[name] for name in ("view", "seen", "sample", "extent", "key"))
_ALIVE, _AWAY, _SAFE_MOVES, _END_ORDER, _NORMAL_KEY, _ODDS = (
    AT[name] for name in ("alive", "away", "safe_moves", "end_order", "normal_key", "odds")
)

# The entries of a value: its function for one seat, or else that for all seats; whether its numbers become shares.
ONE_SEAT, ALL_SEATS, AS_SHARES = range(3)


@helper
def deal(rules, state, options, rng):
    """Deal a fresh game into `state`."""
    for i in range(rules[SIZE]):
        state[i] = 0
    _call_deal(rules[_DEAL], state, options, rng)


@helper
def turn(rules, state):
    """Return the seat to move, OVER, or CHANCE."""
    return state[rules[SEAT_CELL]]


@helper
def moves(rules, state, out):
    """List the legal moves in ascending order and return how many there are; the game must not be over."""
    n = _call_moves(rules[_MOVES], state, out)
    if n < 1 or n > rules[MOST_MOVES]:
        raise BadGame("the rule moves lists no move in a game that is not over, or more than MOST_MOVES")
    return n


@helper
def play(rules, state, move):
    """Play a legal move."""
    _call_play(rules[_PLAY], state, move)


@helper
def earnings(rules, state, out):
    """Write what each seat earned, in the game's own unit."""
    _call_payoff(rules[_PAYOFF], state, out)


@helper
def counts_payoffs(rules):
    """Return whether payoffs count in the game, and not only who won."""
    return rules[SPAN] != 0


@helper
def payoff(rules, state, out):
    """Write what each seat earned, from 0 to 1."""
    earnings(rules, state, out)
    if counts_payoffs(rules):
        for seat in range(rules[SEATS]):
            out[seat] = (out[seat] - rules[LEAST]) / rules[SPAN]


@helper
def payoff_shares(rules, state, out):
    """Write what each seat earned as shares of 1, equal ones if nobody earned anything; what all share, as it is."""
    payoff(rules, state, out)
    if rules[SHARED] != 0:
        return
    equalize_zero_payoffs(rules[SEATS], out)
    total = 0.0
    for seat in range(rules[SEATS]):
        total += out[seat]
    for seat in range(rules[SEATS]):
        out[seat] /= total


@helper
def extent(rules, state):
    """Return how many cells of a state are in use; in a game without the rule, all."""
    if rules[_EXTENT] == 0:
        return rules[SIZE]
    return _call_state(rules[_EXTENT], state)


@helper
def copy(rules, state, out):
    """Copy a state."""
    for i in range(extent(rules, state)):
        out[i] = state[i]


@helper
def key(rules, state):
    """Return a hash of the position; without the rule `key`, a hash of the cells in use."""
    if rules[_KEY] == 0:
        return hash_cells(state, extent(rules, state))
    return _call_state(rules[_KEY], state)


@helper
def view(rules, state, seat, out):
    """Write what `seat` may see; a game without the rule `view` hides nothing."""
    if rules[_VIEW] == 0:
        copy(rules, state, out)
    else:
        _call_view(rules[_VIEW], state, seat, out)


@helper
def guess(rules, view, seat, rng):
    """Turn a view into a world in place; a game without the rule `guess` has nothing to guess."""
    if rules[GUESS] != 0:
        _call_guess(rules[GUESS], view, seat, rng)


@helper
def seen(rules, state, move, seat):
    """Return how a move looks to a seat; without the rule `seen`, every seat sees the move itself."""
    if rules[_SEEN] == 0:
        return move
    return _call_seen(rules[_SEEN], state, move, seat)


@helper
def hand_over(rules, state, seat):
    """Make it `seat`'s turn; needs the hint."""
    _call_play(rules[HAND_OVER], state, seat)


@helper
def odds(rules, state, out):
    """Write the weight of each outcome where chance moves, in the order of `moves`; return how many there are."""
    n = _call_moves(rules[_ODDS], state, out)
    if n < 1 or n > rules[MOST_MOVES]:
        raise BadGame("the rule odds writes no weight where chance moves, or more than MOST_MOVES")
    return n


@helper
def total_odds(n, weights):
    """Return the sum of n weights; each must be at least 1, and the sum one that dice can draw from."""
    total = 0
    for i in range(n):
        if weights[i] < 1 or weights[i] > MOST_ODDS:
            raise BadGame("the rule odds writes a weight below 1, or one that is too great")
        total += weights[i]
    if total > MOST_ODDS:
        raise BadGame("the rule odds writes weights that are too great")
    return total


@helper
def roll_index(rules, state, rng, weights):
    """Return the index of an outcome drawn by its odds where chance moves, and write the weights of all."""
    if rules[_ODDS] == 0:
        raise BadGame("the cell SEAT is CHANCE in a game without the rule odds")
    n = odds(rules, state, weights)
    left, at = below(rng, total_odds(n, weights)), 0
    while left >= weights[at]:
        left -= weights[at]
        at += 1
    return at


@helper
def roll_outcome(rules, state, rng, room):
    """Return an outcome drawn by its odds where chance moves; `room` is scratch space for a list of moves."""
    at = roll_index(rules, state, rng, room)
    if at >= moves(rules, state, room):
        raise BadGame("the rule odds writes more weights than the rule moves lists outcomes")
    return room[at]


@helper
def sample(rules, state, rng, room):
    """Return a random legal move, where chance moves by its odds; `room` is scratch space for a list of moves."""
    if turn(rules, state) == CHANCE:
        return roll_outcome(rules, state, rng, room)
    if rules[_SAMPLE] == 0:
        return room[below(rng, moves(rules, state, room))]
    return _call_sample(rules[_SAMPLE], state, rng)


def _answer(rule: str, default: int) -> Callable[..., Any]:
    """Return what asks an optional rule about a state; in a game without the rule it answers `default`."""
    at = AT[rule]

    @helper
    def answer(rules, state):
        if rules[at] == 0:
            return default
        return _call_state(rules[at], state)

    return answer


progress = _answer("progress", 0)  # how far the game has come
repeats = _answer("repeats", 0)  # how often the position has occurred before
may_end = _answer("may_end", 1)  # 0 if no move from here ends the game
turns_left = _answer("turns_left", 0)  # the most turns until the game is over; 0 if that is not known


@helper
def alive(rules, state):
    """Return which seats can still do more than pass, as bits; in a game without the rule, all."""
    if rules[_ALIVE] == 0:
        return (1 << rules[SEATS]) - 1
    return _call_state(rules[_ALIVE], state)


@helper
def away(rules, state, seat):
    """Return a lower bound on the moves that a seat needs to win if nobody else moves; 0 in a game without the rule."""
    if rules[_AWAY] == 0:
        return 0
    return _call_away(rules[_AWAY], state, seat)


@helper
def safe_moves(rules, state, out):
    """List the moves that do not let the other seat win next, ascending, or return -1 for all; needs the hint."""
    return _call_moves(rules[_SAFE_MOVES], state, out)


@helper
def end_order(rules, state, move):
    """Return how soon a search to the end of the game should try a move, the greater the sooner; needs the hint."""
    return order_of(rules[_END_ORDER], state, move)


@helper
def normal_key(rules, state):
    """Return a hash that positions of equal value may share, 0 for one not worth keeping; needs the hint."""
    return _call_state(rules[_NORMAL_KEY], state)


@helper
def evaluate(rules, value, weights, state, out):
    """Write the value of a position for each seat."""
    if value[ONE_SEAT] != 0:
        for seat in range(rules[SEATS]):
            out[seat] = _call_seat_value(value[ONE_SEAT], state, weights, seat)
    else:
        _call_table_value(value[ALL_SEATS], state, weights, out)
    if value[AS_SHARES] != 0:
        share_out(rules[SEATS], WHOLE, out)


@helper
def has_seat_form(value):
    """Return whether a value can be computed for one seat alone."""
    return value[ONE_SEAT] != 0 and value[AS_SHARES] == 0


@helper
def evaluate_for(value, weights, state, seat):
    """Return what `evaluate` writes for one seat; needs a value with a form for one seat."""
    return _call_seat_value(value[ONE_SEAT], state, weights, seat)
