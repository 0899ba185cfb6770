"""The strength of a network: one seat plays by it, all others search one move ahead by another value.

Games begin with random plies: a fixed number if random games are usually at least twice as long, else a random number
up to half the usual length. A game that ends in its opening is dealt again with fewer plies.
"""

from statistics import median_low

import numpy as np

from kibitz.core.calls import counts_payoffs, deal, earnings, moves, payoff_shares, play, sample, turn, view
from kibitz.core.contract import HALT_AT, OVER, SEATS
from kibitz.core.dice import below, dice
from kibitz.core.errors import BadMove
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.laws.walk import walk
from kibitz.core.native import compiled, heed, helper, pointer
from kibitz.core.playout import is_listed, play_rolls
from kibitz.learn.self_play import MOST_PLIES, double_room, look_ahead
from kibitz.networks.inference import best_of_logits, move_logits

SOUNDED = 9  # random games whose median length is the usual one


def strength(
    game: Game, value: BoundHeuristic, other: BoundHeuristic, games: int, opening: int, seed: int, by_q: bool = False
) -> float:  # fmt: skip
    """Return the average payoff of a value against another, in all seats in turn; even is 1 / seats.

    Where payoffs count, it is in their unit, and no share.
    Seats search one move ahead. With `by_q` the value is a network, and its seat takes the move with the greatest Q.
    """
    seats, most = game.seats, _most_plies(game, opening)
    earned = _meet(
        game.rules, game.encoded_options, value.handle, value.weights, other.handle, other.weights, games, most,
        most < opening, by_q, game.new_state(), game.new_state(), game.new_state(), double_room(game), np.zeros(seats),
        np.zeros(seats), np.zeros(game.most_moves), np.zeros(game.most_moves, dtype=np.float32),
        game.scoring.level(seats)[0], dice(seed),
    )  # fmt: skip
    return float(earned) / max(games, 1)


def _most_plies(game: Game, opening: int) -> int:
    """Return the most random plies that games begin with: at most half the usual length of a random game."""
    return median_low(sum(1 for _ in walk(game, seed, 2 * opening)) for seed in range(SOUNDED)) // 2


@helper
def _open(rules, options, state, most, varied, rng, room):
    """Deal and play `most` random plies or, if `varied`, up to `most`; fewer if the game would be over."""
    plies = below(rng, most + 1) if varied else most
    while True:
        deal(rules, state, options, rng)
        for _ in range(plies):
            if turn(rules, state) != OVER:
                play(rules, state, sample(rules, state, rng, room))
        play_rolls(rules, state, rng, room)
        if turn(rules, state) != OVER or plies == 0:
            return
        plies = below(rng, plies)


@compiled
def _meet(
    rules_, options_, value_, weights_, other_, other_weights_, games, most, varied, by_q, state_, observation_, trial_,
    room_, worth_, best_, own_, logits_, level, rng_,
):  # fmt: skip
    """Play games in which one seat, another in each game, has the first value; return its total payoff."""
    rules, options, rng = pointer(rules_), pointer(options_), pointer(rng_)
    value, weights, other, other_weights = (
        pointer(value_), pointer(weights_), pointer(other_), pointer(other_weights_),
    )  # fmt: skip
    state, observation, trial, room = pointer(state_), pointer(observation_), pointer(trial_), pointer(room_)
    worth, best, own_worths, logits = pointer(worth_), pointer(best_), pointer(own_), pointer(logits_)
    earned = 0.0
    for game in range(games):
        _open(rules, options, state, most, varied, rng, room)
        own, plies, seat = game % rules[SEATS], 0, turn(rules, state)
        while seat != OVER and plies < MOST_PLIES:
            view(rules, state, seat, observation)
            if seat == own and by_q:
                n = moves(rules, observation, room)
                move_logits(weights, observation, seat, room, n, logits)
                move = room[best_of_logits(n, logits, rng)]
            elif seat == own:
                move = look_ahead(rules, value, weights, seat, observation, trial, room, worth, best, own_worths, rng)
            else:
                move = look_ahead(
                    rules, other, other_weights, seat, observation, trial, room, worth, best, own_worths, rng
                )
            if not is_listed(rules, state, move, room):
                raise BadMove("a move that is legal in a guess is not legal in the game that is played")
            play(rules, state, move)
            play_rolls(rules, state, rng, room)
            plies += 1
            seat = turn(rules, state)
        heed(rules[HALT_AT])
        if seat == OVER:
            payoff_shares(rules, state, worth)
            if counts_payoffs(rules):
                earnings(rules, state, worth)
            earned += worth[own]
        else:
            earned += level
    return earned
