"""Games between policies in compiled code: every seat picks from its view, until the games are over.

All arrays are flat: `seated`, `dice`, `payoffs` and `moved` game by game, seat by seat; `kept` game by game. The same
source runs on processors and on graphics cards.
"""

from kibitz.core.calls import deal, earnings, play, sample, turn, view
from kibitz.core.contract import CHANCE, OVER, SEATS
from kibitz.core.errors import BadGame
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.playout import (
    CHECKED_OFTEN,
    check_guard,
    check_payoffs,
    choose,
    is_listed,
    play_opening,
    plies_after,
    refuse_endless_rolls,
)
from kibitz.core.rolls import KEY_WORDS, outcome_at


@helper
def pick_move(rules, policy, by_index, weights, state, rng, observation, room):
    """Return what a policy picks for the seat to move; policy 0 is random, and if it is `by_index` needs no view."""
    seat = turn(rules, state)
    if seat < 0 or seat >= rules[SEATS]:
        raise BadGame("the cell SEAT holds neither a seat nor OVER after the rule deal or play")
    if by_index != 0 and policy == 0:
        return sample(rules, state, rng, room)
    view(rules, state, seat, observation)
    return choose(rules, policy, weights, observation, rng, room)


@helper
def settle_game(rules, state, earned):
    """Write what was earned if the game is over; raise BadGame if its rules have done what they must not."""
    if turn(rules, state) == OVER:
        earnings(rules, state, earned)
        check_payoffs(rules, earned)
    check_guard(rules, state, CHECKED_OFTEN)


@helper
def _roll_on(rules, state, key, ply, roll, room, kept, most):
    """Play what chance does from a ply on until a seat moves or the game ends, and keep what fits; return how often."""
    rolls = 0
    while turn(rules, state) == CHANCE:
        refuse_endless_rolls(rolls)
        move = outcome_at(rules, state, key, ply + rolls, roll, room)
        if ply + rolls < most:
            kept[ply + rolls] = move
        play(rules, state, move)
        rolls += 1
    return rolls


@helper
def policy_rows(
    rules, options, policies, by_index, weights, width, seated, deals, keys, roll, dice, openings, longest, state,
    observation, room, payoffs, plies, moved, kept, most, offenders, refused, first, games, step,
):  # fmt: skip
    """Play every `step`-th game from `first` on; `policy_games` says how."""
    seats = rules[SEATS]
    for game in range(first, games, step):
        deal(rules, state, options, offset(deals, game))
        ply, key, made = openings[game], offset(keys, game * KEY_WORDS), offset(kept, game * most)
        if not play_opening(rules, state, made, ply, key, roll, room):
            plies[game] = -1
            continue
        while turn(rules, state) != OVER and (ply < longest or turn(rules, state) == CHANCE):
            if turn(rules, state) == CHANCE:
                ply = plies_after(rules, ply, _roll_on(rules, state, key, ply, roll, room, made, most))
                continue
            place = game * seats + turn(rules, state)
            who = seated[place]
            own, knowledge = offset(dice, place), offset(weights, who * width)
            move = pick_move(rules, policies[who], by_index[who], knowledge, state, own, observation, room)
            if by_index[who] == 0 and not is_listed(rules, state, move, room):
                offenders[game], refused[game] = turn(rules, state), move
                break
            if ply < most:
                made[ply] = move
            play(rules, state, move)
            moved[place] += 1
            ply = plies_after(rules, ply, 1)
        settle_game(rules, state, offset(payoffs, game * seats))
        plies[game] = ply


@compiled
def policy_games(
    rules, options, policies, by_index, weights, seated, deals, keys, roll, dice, openings, longest, state,
    observation, room, payoffs, plies, moved, kept, most, offenders, refused,
):  # fmt: skip
    """Play a game on each of the deals; every seat has a policy with its own weights and dice, and sees its view.

    `weights` holds the same number of weights for each policy, one after another. `seated` is the number of a policy,
    and `moved` the moves that a seat made. `kept` has room for `most` moves a game: it starts with the
    `openings[game]` moves of an opening and receives the others; if that is too little, it keeps what fits. A game that
    is not over after `longest` moves ends without payoffs. One whose opening is not legal has -1 plies. A policy that
    is `by_index` can only pick legal moves. The moves of any other are checked: before an illegal one the game ends,
    its seat goes into `offenders` and the move into `refused`. Chance rolls by the `keys` of the games, KEY_WORDS each,
    also after the last move that `longest` allows; `roll` is scratch space.
    """
    policy_rows(
        pointer(rules), pointer(options), policies, pointer(by_index), pointer(weights),
        weights.shape[0] // policies.shape[0], pointer(seated), pointer(deals), pointer(keys), pointer(roll),
        pointer(dice), pointer(openings), longest, pointer(state), pointer(observation), pointer(room),
        pointer(payoffs), pointer(plies), pointer(moved), pointer(kept), most, pointer(offenders),
        pointer(refused), 0, deals.shape[0], 1,
    )  # fmt: skip
