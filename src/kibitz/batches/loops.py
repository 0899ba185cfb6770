"""The loops of a batch on processors: compiled once, for all games; each call takes some of the rows."""

from kibitz.batches.mass_play_rows import mass_play_rows
from kibitz.batches.playout_rows import playout_rows
from kibitz.batches.rows import (
    deal_rows,
    encode_rows,
    guard_rows,
    guess_rows,
    legal_rows,
    payoff_rows,
    play_rows,
    run_rows,
    sample_rows,
    turn_rows,
    value_rows,
    view_rows,
)
from kibitz.core.contract import GUARD, MOST_MOVES, SIZE
from kibitz.core.native import compiled, offset, pointer
from kibitz.core.scratch import scratch
from kibitz.networks.encoding import MOST_ON


@compiled
def deal_loop(rules, room, first, rows, options, chosen, deals, keys, states, width, plies):
    """Deal new games in the chosen rows."""
    deal_rows(
        pointer(rules), pointer(options), pointer(chosen), pointer(deals), pointer(keys), pointer(states), width,
        pointer(plies), pointer(room), first, rows, 1,
    )  # fmt: skip


@compiled
def turn_loop(rules, room, first, rows, states, width, out):
    """Write the seats to move."""
    turn_rows(pointer(rules), pointer(states), width, pointer(out), first, rows, 1)


@compiled
def legal_loop(rules, room, first, rows, by_move, actions, states, width, out):
    """Mark the legal actions."""
    legal_rows(pointer(rules), by_move, actions, pointer(states), width, pointer(out), pointer(room), first, rows, 1)


@compiled
def play_loop(rules, room, first, rows, by_move, chosen, keys, states, width, plies, faults):
    """Play actions."""
    play_rows(
        pointer(rules), by_move, pointer(chosen), pointer(keys), pointer(states), width, pointer(plies),
        pointer(faults), pointer(room), first, rows, 1,
    )  # fmt: skip


@compiled
def sample_loop(rules, room, first, rows, by_move, dice, states, width, out):
    """Draw random legal actions."""
    sample_rows(
        pointer(rules), by_move, pointer(dice), pointer(states), width, pointer(out), pointer(room), first, rows, 1
    )


@compiled
def run_loop(rules, room, first, rows, policy, weights, most, dice, keys, states, width, plies, faults):
    """Play on by a policy; the room for a view lies behind that for a list of moves."""
    observed = offset(pointer(room), rules[MOST_MOVES] + GUARD)
    run_rows(
        pointer(rules), policy, pointer(weights), most, pointer(dice), pointer(keys), pointer(states), width,
        observed, pointer(plies), pointer(faults), pointer(room), first, rows, 1,
    )  # fmt: skip


@compiled
def view_loop(rules, room, first, rows, seats, states, width, out):
    """Write views."""
    view_rows(pointer(rules), pointer(seats), pointer(states), width, pointer(out), first, rows, 1)


@compiled
def guess_loop(rules, room, first, rows, seats, dice, views, width):
    """Guess worlds."""
    guess_rows(pointer(rules), pointer(seats), pointer(dice), pointer(views), width, first, rows, 1)


@compiled
def payoff_loop(rules, room, first, rows, states, width, out):
    """Write payoffs."""
    payoff_rows(pointer(rules), pointer(states), width, pointer(out), first, rows, 1)


@compiled
def value_loop(rules, room, first, rows, value, weights, states, width, out):
    """Write values."""
    value_rows(pointer(rules), pointer(value), pointer(weights), pointer(states), width, pointer(out), first, rows, 1)


@compiled
def features_loop(rules, room, first, rows, encoder, lists, length, seats, states, width, out):
    """Write the inputs of networks; the room for a view lies behind that for a list of moves."""
    observed = offset(pointer(room), rules[MOST_MOVES] + GUARD)
    encode_rows(
        pointer(rules), encoder, lists, length, pointer(seats), pointer(states), width, observed,
        scratch(MOST_ON), pointer(out), first, rows, 1,
    )  # fmt: skip


@compiled
def guard_loop(rules, room, first, rows, states, width, out):
    """Mark rows with a state that was written behind."""
    guard_rows(pointer(rules), pointer(states), width, pointer(out), first, rows, 1)


@compiled
def mass_play_loop(
    rules, room, first, rows, policy, by_index, weights, options, streams, opening, number, payoffs, codes, plies,
    ends, told,
):  # fmt: skip
    """Play games of a policy against itself; the room for two states lies behind that for a list of moves."""
    state = offset(pointer(room), rules[MOST_MOVES] + GUARD)
    mass_play_rows(
        pointer(rules), policy, by_index, pointer(weights), pointer(options), pointer(streams), opening, number,
        pointer(payoffs), pointer(codes), pointer(plies), pointer(ends), pointer(told), state,
        offset(state, rules[SIZE] + GUARD), pointer(room), first, rows, 1,
    )  # fmt: skip


@compiled
def playouts_loop(
    rules, room, first, rows, policy, weights, view, seat, turns, width, playouts, number, seeds, wins, out
):  # fmt: skip
    """Play turns out by a policy; the room for a state lies behind that for a list of moves."""
    playout_rows(
        pointer(rules), policy, pointer(weights), pointer(view), seat, pointer(turns), width, playouts, number,
        pointer(seeds), wins, pointer(out), offset(pointer(room), rules[MOST_MOVES] + GUARD), pointer(room), first,
        rows, 1,
    )  # fmt: skip
