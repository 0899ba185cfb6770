"""Games for learning: every seat chooses by the network, and what it saw is kept with what came of it.

A position is kept as its encoding, from the side of the seat to move, or from that of each seat where the network is
asked so, with a target: the chances of each seat, that seat first. Targets are TD(lambda): worked out backwards from
the end of a game, each a mixture of what the network thought of the next position and of the next target.

In TD learning seats look one move ahead. In Q-learning (BY_Q) they take the move with the greatest Q, and the move made
is kept with a target of its own, Watkins's Q(lambda): what the best move is worth on the seat's own next turn, mixed
with the target of that turn's move if it was the best; at the end, what the seat earned. Where another seat has made a
random move in between, nothing is learnt of the move, so that Q is what it earns while the others do their best.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.calls import copy, deal, evaluate, guess, moves, payoff_shares, play, turn, view
from kibitz.core.contract import HALT_AT, OVER, SEATS
from kibitz.core.dice import below, dice, unit
from kibitz.core.errors import BadMove
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import choose, is_listed
from kibitz.networks.encoding import MOST_ON, Encoding, list_rows, write_numbers
from kibitz.networks.inference import FROM_EACH_SIDE, LISTS_ROWS, MOVES, best_of_logits, encoder, move_logits, numbered
from kibitz.networks.vector_sums import padded

MOST_PLIES = 4096  # of a game; a longer one ends there with what the network thinks of it
SOFTNESS = 0.03  # a move worth this much more is e times as good, for a policy head
HEEDED = 255  # plies between two looks for signals, less one

# Numbers of `tuning`.
LAMBDA, EPSILON = range(2)
# Cells of `control`: counted, then told.
KEPT, GAMES = range(2)
CAPACITY, MOST, OPENING, LONGEST, BY_POLICY, WIDE, BY_Q, ALONE = range(2, 10)
CONTROL_CELLS = 10
UNTOLD = -1.0  # of a move of which nothing is learnt


class SelfPlayArrays(NamedTuple):
    """All that games for learning are played with; arrays when Python hands them in, addresses inside."""

    rules: Any
    options: Any
    value: Any
    net: Any  # a packed network, the weights of `value`
    policy: Any  # plays instead of the network where BY_POLICY is set, in all seats but one where ALONE is
    policy_weights: Any
    control: Any
    tuning: Any
    rows: Any  # position x MOST: what is kept
    numbers: Any  # position x MOST: … where the encoding is dense
    counts: Any  # by position: the rows that are on, or the numbers
    mean: Any  # of each number of a dense encoding, 0 if it is not known …
    spread: Any  # … and how far it lies from that on average, else 1: steps are such as if both had been removed
    targets: Any  # position x seats
    choices: Any  # by position: the legal moves that are kept; with BY_Q 1 for the one that was made, if its Q is known
    offered: Any  # position x WIDE: these moves, as the network numbers them
    shares: Any  # position x WIDE: how good each is beside the others, as chances that sum up to 1; with BY_Q its Q
    thought: Any  # ply x seats: what the network thought of the positions of a game
    better: Any  # ply x seats: … of the position after the best move, where another was tried
    slots: Any  # by ply: where the position is kept, first from the side of the seat to move
    movers: Any  # by ply
    tried: Any  # by ply: 1 where a move was made only to try it
    greatest: Any  # by ply, with BY_Q: the Q of the best move
    ahead: Any  # by seat, with BY_Q: the target of its move before, or UNTOLD
    state: Any
    sight: Any
    trial: Any
    room: Any
    listed: Any
    written: Any  # the numbers of a dense encoding …
    shown: Any  # … as 32-bit ones, and behind them nothing but 0
    pulls: Any  # by number: how far a step moves the weights that it goes into
    logits: Any
    worth: Any
    best: Any
    own: Any  # by legal move: what it is worth to the seat to move
    rng: Any


def new_self_play(
    game: Game, value: BoundHeuristic, policy: BoundHeuristic, encoding: Encoding, capacity: int, lambda_: float,
    epsilon: float, opening: int, longest: int, seed: int, by_q: bool = False, alone: bool = False,
) -> SelfPlayArrays:  # fmt: skip
    """Return room for games that teach `value`, a network; `alone` in one seat, against the policy in all others."""
    control = np.zeros(CONTROL_CELLS, dtype=np.int64)
    most = encoding.most or encoding.length
    control[CAPACITY], control[MOST], control[OPENING] = capacity, most, opening
    control[LONGEST] = min(longest, MOST_PLIES)
    seats, wide = game.seats, game.most_moves if value.weights[MOVES] and not by_q else 1
    control[WIDE], control[BY_Q], control[ALONE] = wide, by_q, alone
    kept = capacity * most
    return SelfPlayArrays(
        rules=game.rules, options=game.encoded_options, value=value.handle, net=value.weights, policy=policy.handle,
        policy_weights=policy.weights, control=control, tuning=np.array([lambda_, epsilon]),
        rows=np.zeros(kept if encoding.most else 1, dtype=np.int32),
        numbers=np.zeros(1 if encoding.most else kept, dtype=np.float32), counts=np.zeros(capacity, dtype=np.int32),
        mean=np.zeros(MOST_ON, dtype=np.float32), spread=np.ones(MOST_ON, dtype=np.float32),
        targets=np.zeros(capacity * seats, dtype=np.float32),
        choices=np.zeros(capacity, dtype=np.int32), offered=np.zeros(capacity * wide, dtype=np.int32),
        shares=np.zeros(capacity * wide, dtype=np.float32), thought=np.zeros((MOST_PLIES + 1) * seats),
        better=np.zeros(MOST_PLIES * seats), slots=np.zeros(MOST_PLIES, dtype=np.int64),
        movers=np.zeros(MOST_PLIES, dtype=np.int64), tried=np.zeros(MOST_PLIES, dtype=np.int64),
        greatest=np.zeros(MOST_PLIES), ahead=np.zeros(seats),
        state=game.new_state(), sight=game.new_state(), trial=game.new_state(), room=game.new_moves(),
        listed=np.zeros(MOST_ON, dtype=np.int64), written=np.zeros(MOST_ON),
        shown=np.zeros(padded(MOST_ON), dtype=np.float32), pulls=np.zeros(MOST_ON, dtype=np.float32),
        logits=np.zeros(game.most_moves, dtype=np.float32), worth=np.zeros(seats), best=np.zeros(seats),
        own=np.zeros(game.most_moves), rng=dice(seed),
    )  # fmt: skip


@helper
def opened(p):
    """Return a practice with addresses in place of arrays."""
    return SelfPlayArrays(
        pointer(p.rules), pointer(p.options), pointer(p.value), pointer(p.net), p.policy, pointer(p.policy_weights),
        pointer(p.control), pointer(p.tuning), pointer(p.rows), pointer(p.numbers), pointer(p.counts),
        pointer(p.mean), pointer(p.spread), pointer(p.targets),
        pointer(p.choices), pointer(p.offered), pointer(p.shares),
        pointer(p.thought), pointer(p.better), pointer(p.slots), pointer(p.movers), pointer(p.tried),
        pointer(p.greatest), pointer(p.ahead),
        pointer(p.state), pointer(p.sight), pointer(p.trial), pointer(p.room), pointer(p.listed),
        pointer(p.written), pointer(p.shown), pointer(p.pulls), pointer(p.logits), pointer(p.worth),
        pointer(p.best), pointer(p.own), pointer(p.rng),
    )  # fmt: skip


@helper
def look_ahead(rules, value, weights, seat, sight, trial, room, worth, best, own, rng):
    """Return the move of a seat, which sees `sight`, that is best by a value; write what it is worth to each seat.

    Where something is hidden, one guess at it is looked into. The legal moves are left in `room`, and in `own` what
    each is worth to the seat.
    """
    guess(rules, sight, seat, rng)
    n, seats = moves(rules, sight, room), rules[SEATS]
    at, move = below(rng, n), room[0]
    best[seat] = -1.0
    for _ in range(n):
        copy(rules, sight, trial)
        play(rules, trial, room[at])
        if turn(rules, trial) == OVER:
            payoff_shares(rules, trial, worth)
        else:
            evaluate(rules, value, weights, trial, worth)
        own[at] = worth[seat]
        if worth[seat] > best[seat] or best[seat] == -1.0:
            move = room[at]
            for other in range(seats):
                best[other] = worth[other]
        at = at + 1 if at + 1 < n else 0
    return move


@helper
def _sides(p):
    """Return from how many sides a position is kept."""
    return p.rules[SEATS] if p.net[FROM_EACH_SIDE] != 0.0 else 1


@helper
def _write_down(p, slot, state, seat):
    """Keep what a seat is shown of a position."""
    at, n = slot * p.control[MOST], p.control[MOST]
    if p.net[LISTS_ROWS] != 0.0:
        n = list_rows(encoder(p.net), state, seat, p.listed)
        for i in range(n):
            p.rows[at + i] = np.int32(p.listed[i])
    else:
        write_numbers(encoder(p.net), state, seat, p.written)
        for i in range(n):
            p.numbers[at + i] = np.float32(p.written[i])
    p.counts[slot], p.choices[slot] = np.int32(n), np.int32(0)


@helper
def _keep(p, state, seat):
    """Keep a position from each side that the network is asked from; return the first place."""
    control, seats, first = p.control, p.rules[SEATS], p.control[KEPT]
    for k in range(_sides(p)):
        _write_down(p, first + k, state, (seat + k) % seats)
    control[KEPT] = first + _sides(p)
    return first


@helper
def _aim_at(p, slot, seat, target):
    """Write the target of a kept position, which has the chances of each seat, from every side."""
    seats = p.rules[SEATS]
    for side in range(_sides(p)):
        for k in range(seats):
            p.targets[(slot + side) * seats + k] = np.float32(target[(seat + side + k) % seats])


@compiled
def keep_position(buffer, state, seat, target):
    """Keep a position with its target, for callers in Python."""
    p = opened(buffer)
    if p.control[KEPT] + p.rules[SEATS] <= p.control[CAPACITY]:
        _aim_at(p, _keep(p, pointer(state), seat), seat, pointer(target))


@helper
def _keep_moves(p, slot, seat):
    """Keep the legal moves of a position and how good each is beside the others."""
    n = moves(p.rules, p.sight, p.room)
    most, total, at = -1.0, 0.0, slot * p.control[WIDE]
    for i in range(n):
        most = max(most, p.own[i])
    for i in range(n):
        p.own[i] = exp((p.own[i] - most) / SOFTNESS)
        total += p.own[i]
    for i in range(n):
        p.offered[at + i] = np.int32(numbered(p.net, p.room[i], seat))
        p.shares[at + i] = np.float32(p.own[i] / total)
    p.choices[slot] = np.int32(n)


@helper
def _choose_by_q(p, ply, seat):
    """Return the move with the greatest Q, a random one now and then, and note it."""
    n, slot, seats = moves(p.rules, p.state, p.room), p.slots[ply], p.rules[SEATS]
    move_logits(p.net, p.state, seat, p.room, n, p.logits)
    best = best_of_logits(n, p.logits, p.rng)
    at = below(p.rng, n) if unit(p.rng) < p.tuning[EPSILON] else best
    p.greatest[ply], p.tried[ply] = 1.0 / (1.0 + exp(-np.float64(p.logits[best]))), 1 if at != best else 0
    for other in range(seats):
        p.better[ply * seats + other] = p.thought[ply * seats + other]
    p.offered[slot] = np.int32(numbered(p.net, p.room[at], seat))
    return p.room[at]


@helper
def _choose(p, ply, seat, opening):
    """Return the next move: at random in the opening and now and then, else the best."""
    seats = p.rules[SEATS]
    p.tried[ply] = 0
    if ply < opening:
        return choose(p.rules, 0, p.policy_weights, p.state, p.rng, p.room)
    if p.control[BY_Q] != 0 and p.slots[ply] >= 0:
        return _choose_by_q(p, ply, seat)
    view(p.rules, p.state, seat, p.sight)
    if p.slots[ply] < 0:
        return choose(p.rules, p.policy, p.policy_weights, p.sight, p.rng, p.room)
    if p.control[BY_POLICY] != 0:
        if unit(p.rng) < p.tuning[EPSILON]:
            return choose(p.rules, 0, p.policy_weights, p.state, p.rng, p.room)
        return choose(p.rules, p.policy, p.policy_weights, p.sight, p.rng, p.room)
    best = offset(p.better, ply * seats)
    move = look_ahead(p.rules, p.value, p.net, seat, p.sight, p.trial, p.room, p.worth, best, p.own, p.rng)
    if p.net[MOVES] != 0.0:
        _keep_moves(p, p.slots[ply], seat)
    if unit(p.rng) < p.tuning[EPSILON]:
        p.tried[ply] = 1
        return choose(p.rules, 0, p.policy_weights, p.state, p.rng, p.room)
    return move


@helper
def _aim(p, first, plies):
    """Write the targets of a game's positions, from the last to the first; `best` begins as what came of the game."""
    seats, trace = p.rules[SEATS], p.tuning[LAMBDA]
    by_policy = p.control[BY_POLICY] != 0
    for ply in range(plies - 1, first - 1, -1):
        for seat in range(seats):
            if p.tried[ply] != 0:
                p.best[seat] = p.better[ply * seats + seat]
            elif ply < plies - 1 and not by_policy:
                p.best[seat] = (1.0 - trace) * p.thought[(ply + 1) * seats + seat] + trace * p.best[seat]
        if p.slots[ply] >= 0:
            _aim_at(p, p.slots[ply], p.movers[ply], p.best)


@helper
def _aim_q(p, first, plies, over):
    """Write the targets of a game's moves, from the last to the first; `best` is what came of the game."""
    seats, trace = p.rules[SEATS], p.tuning[LAMBDA]
    for seat in range(seats):
        p.ahead[seat] = p.best[seat] if over else UNTOLD
    for ply in range(plies - 1, first - 1, -1):
        seat, slot = p.movers[ply], p.slots[ply]
        if slot < 0:
            continue
        target = p.ahead[seat]
        p.shares[slot], p.choices[slot] = np.float32(target), np.int32(target != UNTOLD)
        p.ahead[seat] = p.greatest[ply]
        if target != UNTOLD and p.tried[ply] == 0:
            p.ahead[seat] += trace * (target - p.greatest[ply])
        for other in range(seats):
            if p.tried[ply] != 0 and other != seat:
                p.ahead[other] = UNTOLD


@helper
def _play_game(p):
    """Play one game and keep its positions."""
    control = p.control
    deal(p.rules, p.state, p.options, p.rng)
    opening = below(p.rng, control[OPENING] + 1)
    learner = below(p.rng, p.rules[SEATS]) if control[ALONE] != 0 else -1
    ply = 0
    seat = turn(p.rules, p.state)
    while seat != OVER and ply < control[LONGEST] and control[KEPT] + p.rules[SEATS] <= control[CAPACITY]:
        if ply >= opening:
            p.slots[ply] = _keep(p, p.state, seat) if learner < 0 or seat == learner else -1
            p.movers[ply] = seat
            evaluate(p.rules, p.value, p.net, p.state, offset(p.thought, ply * p.rules[SEATS]))
        move = _choose(p, ply, seat, opening)
        if not is_listed(p.rules, p.state, move, p.room):
            raise BadMove("the policy that plays here picks a move that is not legal; nothing is learnt from that")
        play(p.rules, p.state, move)
        ply += 1
        if ply & HEEDED == 0:
            heed(p.rules[HALT_AT])
        seat = turn(p.rules, p.state)
    if seat == OVER:
        payoff_shares(p.rules, p.state, p.best)
    else:
        evaluate(p.rules, p.value, p.net, p.state, p.best)
    if control[BY_Q] != 0:
        _aim_q(p, opening, ply, seat == OVER)
    _aim(p, opening, ply)
    control[GAMES] += 1


@compiled
def play_games(buffer, positions):
    """Forget what was kept, and play whole games until so many positions are kept."""
    p = opened(buffer)
    p.control[KEPT] = p.control[GAMES] = 0
    while p.control[KEPT] < positions:
        _play_game(p)
        heed(p.rules[HALT_AT])
