"""Self-play: a network plays every seat, and a replay buffer keeps the positions with their targets.

A position is kept as its encoding, from the side of the seat to move or, if the network is asked so, of each seat. Its
target is the win probability of each seat, that seat first. Targets are TD(lambda) returns, computed backwards from the
end of a game: each mixes the network's estimate of the next position with the next target.

In TD learning a seat searches one move ahead. In Q-learning (BY_Q) it takes the move with the greatest Q, which is the
sigmoid of the move's logit in the policy head. One forward pass gives the Q of every move, and needs no guess at what
is hidden. The target of a move is Watkins's Q(lambda): the greatest Q at the seat's own next turn, mixed with the
target of that turn's move if it was the greedy one; at the end, the payoff of the seat. Where another seat has explored
in between, nothing is learnt from the move, so that Q assumes the best play of the others.

A round learns from the whole replay buffer, and its targets come from the network as it was when the round began. That
makes it a target network: with hidden units, Q-learning is DQN. Without hidden units it trains an n-tuple network, or
a table if the encoding has one row for each state.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.arrays import Float32s, Floats, Int32s, Int64s, UInt64s
from kibitz.core.calls import copy, deal, evaluate, guess, moves, payoff_shares, play, turn, view
from kibitz.core.contract import GUARD, HALT_AT, MOST_MOVES, OVER, SEATS
from kibitz.core.dice import below, dice, unit
from kibitz.core.errors import BadMove
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import choose, is_listed, play_rolls
from kibitz.networks.encoding import MOST_ON, Encoding, list_rows, write_numbers
from kibitz.networks.inference import FROM_EACH_SIDE, LISTS_ROWS, MOVES, best_of_logits, encoder, move_logits, numbered
from kibitz.networks.vector_sums import padded

MOST_PLIES = 4096  # a longer game is cut off, and its result is the network's estimate
TEMPERATURE = 0.03  # of the targets of a policy head, which are a softmax of values
HEEDED = 255  # plies between two looks for signals, less one

# Numbers of `tuning`.
LAMBDA, EPSILON = range(2)
# Cells of `control`: counts, then settings.
KEPT, GAMES = range(2)
CAPACITY, MOST, OPENING, LONGEST, BY_POLICY, WIDE, BY_Q, ALONE = range(2, 10)
CONTROL_CELLS = 10
NO_TARGET = -1.0  # of a move from which nothing is learnt


class SelfPlayArrays(NamedTuple):
    """The replay buffer and the working arrays of self-play; compiled code opens it, with addresses for arrays."""

    rules: Any
    options: Int64s  # [option]
    value: Any
    net: Floats  # a packed network: the weights of `value`
    policy: Any  # plays instead of the network if BY_POLICY, and in all seats but one if ALONE
    policy_weights: Floats  # [weight]
    control: Int64s  # [CONTROL_CELLS]
    tuning: Floats  # [2]: LAMBDA, EPSILON
    # The replay buffer.
    rows: Int32s  # [position, MOST]: the encoding, if it lists rows
    numbers: Float32s  # [position, MOST]: the encoding, if it is dense
    counts: Int32s  # [position]: how many rows or numbers
    targets: Float32s  # [position, seat]: the target of the value head
    choices: Int32s  # [position]: how many moves are kept; with BY_Q 1 for the move made, if it has a target
    offered: Int32s  # [position, WIDE]: the legal moves, as the network numbers them
    shares: Float32s  # [position, WIDE]: the target policy; with BY_Q the target of the move made
    mean: Float32s  # [number]: of the inputs of a dense encoding; 0 if they are not standardised
    deviation: Float32s  # [number]: the standard deviation of the inputs; 1 if they are not standardised
    # The game that is played.
    estimates: Floats  # [ply, seat]: the network's estimate of each position
    best_estimates: Floats  # [ply, seat]: … of the position after the best move, where another move was explored
    slots: Int64s  # [ply]: the place in the replay buffer, of the side of the seat to move; -1 if not kept
    movers: Int64s  # [ply]: the seat to move
    explored: Int64s  # [ply]: 1 if a random move was made
    greatest_q: Floats  # [ply]: with BY_Q, the Q of the best move
    next_targets: Floats  # [seat]: with BY_Q, the target of its previous move, or NO_TARGET
    result: Floats  # [seat]: the payoff shares, and then the target of each ply
    # Working memory.
    state: Int64s  # [cell]
    observation: Int64s  # [cell]: the view of the seat to move
    trial: Int64s  # [cell]: the state after a move
    room: Int64s  # [move]: legal moves
    listed: Int64s  # [row]: rows that are on
    written: Floats  # [number]: the inputs of a dense encoding …
    inputs: Float32s  # [number]: … in 32 bits, padded with 0
    scales: Float32s  # [number]: how far a step moves the weights of an input
    logits: Float32s  # [move]
    worth: Floats  # [seat]
    own: Floats  # [move]: the value of each legal move for the seat to move
    rng: UInt64s  # [1]


def new_self_play(
    game: Game, value: BoundHeuristic, policy: BoundHeuristic, encoding: Encoding, capacity: int, lambda_: float,
    epsilon: float, opening: int, longest: int, seed: int, by_q: bool = False, alone: bool = False,
) -> SelfPlayArrays:  # fmt: skip
    """Return an empty replay buffer to train `value`, a network; `alone`: against `policy` in all other seats."""
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
        targets=np.zeros(capacity * seats, dtype=np.float32), choices=np.zeros(capacity, dtype=np.int32),
        offered=np.zeros(capacity * wide, dtype=np.int32), shares=np.zeros(capacity * wide, dtype=np.float32),
        mean=np.zeros(MOST_ON, dtype=np.float32), deviation=np.ones(MOST_ON, dtype=np.float32),
        estimates=np.zeros((MOST_PLIES + 1) * seats), best_estimates=np.zeros(MOST_PLIES * seats),
        slots=np.zeros(MOST_PLIES, dtype=np.int64), movers=np.zeros(MOST_PLIES, dtype=np.int64),
        explored=np.zeros(MOST_PLIES, dtype=np.int64), greatest_q=np.zeros(MOST_PLIES), next_targets=np.zeros(seats),
        result=np.zeros(seats), state=game.new_state(), observation=game.new_state(), trial=game.new_state(),
        room=double_room(game), listed=np.zeros(MOST_ON, dtype=np.int64), written=np.zeros(MOST_ON),
        inputs=np.zeros(padded(MOST_ON), dtype=np.float32), scales=np.zeros(MOST_ON, dtype=np.float32),
        logits=np.zeros(game.most_moves, dtype=np.float32), worth=np.zeros(seats), own=np.zeros(game.most_moves),
        rng=dice(seed),
    )  # fmt: skip


@helper
def opened(p):
    """Return the struct with addresses in place of arrays."""
    return SelfPlayArrays(
        pointer(p.rules), pointer(p.options), pointer(p.value), pointer(p.net), p.policy, pointer(p.policy_weights),
        pointer(p.control), pointer(p.tuning), pointer(p.rows), pointer(p.numbers), pointer(p.counts),
        pointer(p.targets), pointer(p.choices), pointer(p.offered), pointer(p.shares), pointer(p.mean),
        pointer(p.deviation), pointer(p.estimates), pointer(p.best_estimates), pointer(p.slots), pointer(p.movers),
        pointer(p.explored), pointer(p.greatest_q), pointer(p.next_targets), pointer(p.result), pointer(p.state),
        pointer(p.observation), pointer(p.trial), pointer(p.room), pointer(p.listed), pointer(p.written),
        pointer(p.inputs), pointer(p.scales), pointer(p.logits), pointer(p.worth), pointer(p.own), pointer(p.rng),
    )  # fmt: skip


def double_room(game: Game) -> Int64s:
    """Return room for two lists of moves, each with a guard."""
    return np.zeros(2 * len(game.new_moves()), dtype=np.int64)


@helper
def look_ahead(rules, value, weights, seat, observation, trial, room, worth, best, own, rng):
    """Return the best move of a seat by a value one move ahead; write its value for each seat into `best`.

    Hidden cells of `observation`, the seat's view, are guessed once, and chance rolls once after each move. The legal
    moves are left in `room`, behind which there is room for as many, and the value of each for the seat in `own`.
    """
    guess(rules, observation, seat, rng)
    n, seats = moves(rules, observation, room), rules[SEATS]
    at, move = below(rng, n), room[0]
    best[seat] = -1.0
    for _ in range(n):
        copy(rules, observation, trial)
        play(rules, trial, room[at])
        play_rolls(rules, trial, rng, offset(room, rules[MOST_MOVES] + GUARD))
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
def _keep_encoding(p, slot, state, seat):
    """Keep the encoding of a position from the side of a seat."""
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
    """Keep a position from each side that the network is asked from; return the first slot."""
    control, seats, first = p.control, p.rules[SEATS], p.control[KEPT]
    for k in range(_sides(p)):
        _keep_encoding(p, first + k, state, (seat + k) % seats)
    control[KEPT] = first + _sides(p)
    return first


@helper
def _write_target(p, slot, seat, target):
    """Write the target of a position, given by seat, from every side that is kept."""
    seats = p.rules[SEATS]
    for side in range(_sides(p)):
        for k in range(seats):
            p.targets[(slot + side) * seats + k] = np.float32(target[(seat + side + k) % seats])


@compiled
def keep_position(buffer, state, seat, target):
    """Keep a position with its target, for callers in Python."""
    p = opened(buffer)
    if p.control[KEPT] + p.rules[SEATS] <= p.control[CAPACITY]:
        _write_target(p, _keep(p, pointer(state), seat), seat, pointer(target))


@helper
def _keep_policy(p, slot, seat):
    """Keep the legal moves of a position and the target policy, a softmax of their values."""
    n = moves(p.rules, p.observation, p.room)
    most, total, at = -1.0, 0.0, slot * p.control[WIDE]
    for i in range(n):
        most = max(most, p.own[i])
    for i in range(n):
        p.own[i] = exp((p.own[i] - most) / TEMPERATURE)
        total += p.own[i]
    for i in range(n):
        p.offered[at + i] = np.int32(numbered(p.net, p.room[i], seat))
        p.shares[at + i] = np.float32(p.own[i] / total)
    p.choices[slot] = np.int32(n)


@helper
def _choose_by_q(p, ply, seat):
    """Return the move with the greatest Q, or a random one with a probability of epsilon; keep the move."""
    n, slot, seats = moves(p.rules, p.state, p.room), p.slots[ply], p.rules[SEATS]
    move_logits(p.net, p.state, seat, p.room, n, p.logits)
    best = best_of_logits(n, p.logits, p.rng)
    at = below(p.rng, n) if unit(p.rng) < p.tuning[EPSILON] else best
    p.greatest_q[ply], p.explored[ply] = 1.0 / (1.0 + exp(-np.float64(p.logits[best]))), 1 if at != best else 0
    for other in range(seats):
        p.best_estimates[ply * seats + other] = p.estimates[ply * seats + other]
    p.offered[slot] = np.int32(numbered(p.net, p.room[at], seat))
    return p.room[at]


@helper
def _choose(p, ply, seat, opening):
    """Return the next move: random in the opening and with a probability of epsilon, else the best."""
    seats = p.rules[SEATS]
    p.explored[ply] = 0
    if ply < opening:
        return choose(p.rules, 0, p.policy_weights, p.state, p.rng, p.room)
    if p.control[BY_Q] != 0 and p.slots[ply] >= 0:
        return _choose_by_q(p, ply, seat)
    view(p.rules, p.state, seat, p.observation)
    if p.slots[ply] < 0:
        return choose(p.rules, p.policy, p.policy_weights, p.observation, p.rng, p.room)
    if p.control[BY_POLICY] != 0:
        if unit(p.rng) < p.tuning[EPSILON]:
            return choose(p.rules, 0, p.policy_weights, p.state, p.rng, p.room)
        return choose(p.rules, p.policy, p.policy_weights, p.observation, p.rng, p.room)
    best = offset(p.best_estimates, ply * seats)
    move = look_ahead(p.rules, p.value, p.net, seat, p.observation, p.trial, p.room, p.worth, best, p.own, p.rng)
    if p.net[MOVES] != 0.0:
        _keep_policy(p, p.slots[ply], seat)
    if unit(p.rng) < p.tuning[EPSILON]:
        p.explored[ply] = 1
        return choose(p.rules, 0, p.policy_weights, p.state, p.rng, p.room)
    return move


@helper
def _write_targets(p, first, plies):
    """Write the targets of a game's positions, from the last to the first; `result` holds the result."""
    seats, trace = p.rules[SEATS], p.tuning[LAMBDA]
    by_policy = p.control[BY_POLICY] != 0
    for ply in range(plies - 1, first - 1, -1):
        for seat in range(seats):
            if p.explored[ply] != 0:
                p.result[seat] = p.best_estimates[ply * seats + seat]
            elif ply < plies - 1 and not by_policy:
                p.result[seat] = (1.0 - trace) * p.estimates[(ply + 1) * seats + seat] + trace * p.result[seat]
        if p.slots[ply] >= 0:
            _write_target(p, p.slots[ply], p.movers[ply], p.result)


@helper
def _write_q_targets(p, first, plies, over):
    """Write the targets of a game's moves, from the last to the first; `result` holds the result."""
    seats, trace = p.rules[SEATS], p.tuning[LAMBDA]
    for seat in range(seats):
        p.next_targets[seat] = p.result[seat] if over else NO_TARGET
    for ply in range(plies - 1, first - 1, -1):
        seat, slot = p.movers[ply], p.slots[ply]
        if slot < 0:
            continue
        target = p.next_targets[seat]
        p.shares[slot], p.choices[slot] = np.float32(target), np.int32(target != NO_TARGET)
        p.next_targets[seat] = p.greatest_q[ply]
        if target != NO_TARGET and p.explored[ply] == 0:
            p.next_targets[seat] += trace * (target - p.greatest_q[ply])
        for other in range(seats):
            if p.explored[ply] != 0 and other != seat:
                p.next_targets[other] = NO_TARGET


@helper
def _play_game(p):
    """Play one game and keep its positions."""
    control = p.control
    deal(p.rules, p.state, p.options, p.rng)
    opening = below(p.rng, control[OPENING] + 1)
    learner = below(p.rng, p.rules[SEATS]) if control[ALONE] != 0 else -1
    ply = 0
    play_rolls(p.rules, p.state, p.rng, p.room)
    seat = turn(p.rules, p.state)
    while seat != OVER and ply < control[LONGEST] and control[KEPT] + p.rules[SEATS] <= control[CAPACITY]:
        if ply >= opening:
            p.slots[ply] = _keep(p, p.state, seat) if learner < 0 or seat == learner else -1
            p.movers[ply] = seat
            evaluate(p.rules, p.value, p.net, p.state, offset(p.estimates, ply * p.rules[SEATS]))
        move = _choose(p, ply, seat, opening)
        if not is_listed(p.rules, p.state, move, p.room):
            raise BadMove("the policy that plays here picks a move that is not legal; nothing is learnt from that")
        play(p.rules, p.state, move)
        play_rolls(p.rules, p.state, p.rng, p.room)
        ply += 1
        if ply & HEEDED == 0:
            heed(p.rules[HALT_AT])
        seat = turn(p.rules, p.state)
    if seat == OVER:
        payoff_shares(p.rules, p.state, p.result)
    else:
        evaluate(p.rules, p.value, p.net, p.state, p.result)
    if control[BY_Q] != 0:
        _write_q_targets(p, opening, ply, seat == OVER)
    _write_targets(p, opening, ply)
    control[GAMES] += 1


@compiled
def play_games(buffer, positions):
    """Empty the replay buffer, and play whole games until it holds `positions` positions."""
    p = opened(buffer)
    p.control[KEPT] = p.control[GAMES] = 0
    while p.control[KEPT] < positions:
        _play_game(p)
        heed(p.rules[HALT_AT])
