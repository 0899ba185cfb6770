"""The evaluation of leaves in max^n: what a position is worth to every seat."""

from kibitz.agents.search.control import HORIZON, LEAVES
from kibitz.agents.search.evaluation import (
    DECIDED,
    evaluate_static,
    evaluate_static_for,
    evaluate_terminal,
    has_own_draws,
    is_draw,
    write_draw,
)
from kibitz.agents.search.maxn.maxn_arrays import EVALUATIONS, LEAF, PLAIN, SQUARES
from kibitz.core.calls import counts_payoffs, has_seat_form, payoff
from kibitz.core.contract import SEATS
from kibitz.core.native import helper
from kibitz.core.shares import equalize_zero_payoffs, share_out


@helper
def _weigh(s, values):
    """Turn utilities, which are positive, into Not-So-Paranoid evaluations in place."""
    seats = s.rules[SEATS]
    total, squares = 0.0, 0.0
    for seat in range(seats):
        total += values[seat]
        squares += values[seat] * values[seat]
    for seat in range(seats):
        own = values[seat]
        if s.control[LEAF] == SQUARES:
            values[seat] = own - s.total[1] * (squares - own * own) / own
        else:
            values[seat] = 1.0 - s.total[1] * (total - own) / own


@helper
def evaluate_leaf_for(s, state, seat, values):
    """Write what an unfinished position is worth to one seat; the values of others may be written too."""
    s.control[EVALUATIONS] += 1 if has_seat_form(s.value_function) else s.rules[SEATS]
    values[seat] = evaluate_static_for(s, state, seat, values)


@helper
def evaluate_horizon(s, state, values):
    """Write what an unfinished position is worth."""
    s.control[HORIZON] += 1
    s.control[LEAVES] += 1
    s.control[EVALUATIONS] += s.rules[SEATS]
    evaluate_static(s, state, values)
    if s.control[LEAF] != PLAIN:
        _weigh(s, values)


@helper
def evaluate_end(s, state, values):
    """Write what a finished game is worth, on the scale that the leaves are on."""
    s.control[LEAVES] += 1
    if s.control[LEAF] == PLAIN and s.total[0] == 0.0:
        evaluate_terminal(s, state, values)
        return
    payoff(s.rules, state, values)
    if not counts_payoffs(s.rules) and is_draw(s.rules, values) and has_own_draws(s.control):
        write_draw(s.rules, s.control, values)
    elif s.control[LEAF] == PLAIN:
        equalize_zero_payoffs(s.rules[SEATS], values)
        share_out(s.rules[SEATS], s.total[0], values)
    else:
        for seat in range(s.rules[SEATS]):
            values[seat] = 1.0 + values[seat] * DECIDED
    if s.control[LEAF] != PLAIN:
        _weigh(s, values)
