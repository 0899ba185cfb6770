"""What a position is worth to every seat where max^n searches no further."""

from kibitz.agents.search.control import HORIZON, LEAVES, ROOT
from kibitz.agents.search.evaluation import (
    DECIDED,
    appraise,
    appraise_for,
    has_own_draws,
    is_draw,
    scorn,
    settle,
    write_draw,
)
from kibitz.agents.search.maxn.maxn_arrays import JUDGED, LEAF, PLAIN, SQUARES
from kibitz.core.calls import has_seat_form, payoff
from kibitz.core.contract import SEATS
from kibitz.core.native import helper
from kibitz.core.shares import even_out, share_out


@helper
def _weigh(s, worth):
    """Turn utilities, which are positive, into Not-So-Paranoid evaluations in place."""
    seats = s.rules[SEATS]
    total, squares = 0.0, 0.0
    for seat in range(seats):
        total += worth[seat]
        squares += worth[seat] * worth[seat]
    for seat in range(seats):
        own = worth[seat]
        if s.control[LEAF] == SQUARES:
            worth[seat] = own - s.total[1] * (squares - own * own) / own
        else:
            worth[seat] = 1.0 - s.total[1] * (total - own) / own


@helper
def judge_one(s, state, seat, worth):
    """Write what an unfinished position is worth to one seat; the others' worths may be written too."""
    s.control[JUDGED] += 1 if has_seat_form(s.value) else s.rules[SEATS]
    worth[seat] = appraise_for(s, state, seat, worth)


@helper
def judge_horizon(s, state, worth):
    """Write what an unfinished position is worth."""
    s.control[HORIZON] += 1
    s.control[LEAVES] += 1
    s.control[JUDGED] += s.rules[SEATS]
    appraise(s.rules, s.value, s.weights, state, worth)
    if s.control[LEAF] != PLAIN:
        _weigh(s, worth)


@helper
def judge_end(s, state, worth):
    """Write what a finished game is worth, on the scale that the leaves are on."""
    s.control[LEAVES] += 1
    if s.control[LEAF] == PLAIN and s.total[0] == 0.0:
        settle(s, state, worth)
        return
    payoff(s.rules, state, worth)
    drawn = is_draw(s.rules, worth)
    if drawn and has_own_draws(s.control):
        write_draw(s.rules, s.control, worth)
    elif s.control[LEAF] == PLAIN:
        even_out(s.rules[SEATS], worth)
        share_out(s.rules[SEATS], s.total[0], worth)
    else:
        for seat in range(s.rules[SEATS]):
            worth[seat] = 1.0 + worth[seat] * DECIDED
    if s.control[LEAF] != PLAIN:
        _weigh(s, worth)
    if drawn:
        scorn(s.control, worth)
    if s.control[LEAF] == PLAIN:
        worth[s.control[ROOT]] = max(worth[s.control[ROOT]], 0.0)  # what prunes relies on this
