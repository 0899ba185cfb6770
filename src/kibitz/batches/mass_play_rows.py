"""Games of a policy against itself, dealt by their numbers; the same source runs on processors and on graphics cards.

A row of the arrays is a game. Its deal, opening and dice follow from the seed of the whole by its number, as those of a
fixture do (arena/plan/schedule.py), so nothing has to be brought to a card but the seed.
"""

import numpy as np

from kibitz.core.calls import deal, play, sample, turn
from kibitz.core.contract import AT, CHANCE, MOST_SEATS, OVER, SEATS, SIZE
from kibitz.core.dice import dice_in, mixed, set_dice_of
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper, offset
from kibitz.core.playout import is_listed, plies_after, refuse_endless_rolls
from kibitz.core.policy_games import pick_move, settle_game
from kibitz.core.rolls import KEY_WORDS, outcome_at
from kibitz.core.scratch import numbers_in, scratch
from kibitz.core.stream_seeds import deal_seed, mind_seed, opening_seed, write_roll_key

MOST_TRIES = 10_000  # random games to find an opening that does not end the game
NOT_DONE, PLAYED, FAILED = -1, 0, 1  # how a game ended: not at all, by the rules, or FAILED + the seat that failed
_ODDS = AT["odds"]
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@helper
def _with_move(rules, state, move, told):
    """Play a move, and take it into the hash of the game."""
    told[0] = mixed(told[0] ^ np.uint64(move))
    play(rules, state, move)


@helper
def _roll_once(rules, state, key, ply, told, room):
    """Play what chance does at a ply."""
    _with_move(rules, state, outcome_at(rules, state, key, ply, dice_in(scratch(1), 0), room), told)


@helper
def _open(rules, dealt, seed, opening, key, state, told, room):
    """Make the moves of an opening, of the first try that does not end the game; return whether there is one."""
    rng, before = dice_in(scratch(1), 0), told[0]
    for attempt in range(MOST_TRIES):
        for cell in range(rules[SIZE]):
            state[cell] = dealt[cell]
        set_dice_of(mixed(mixed(seed) ^ np.uint64(attempt)), rng)
        told[0] = before
        ply = 0
        while ply < opening and turn(rules, state) != OVER:
            if turn(rules, state) == CHANCE:
                _roll_once(rules, state, key, ply, told, room)
            else:
                _with_move(rules, state, sample(rules, state, rng, room), told)
            ply += 1
        if turn(rules, state) != OVER:
            return True
    return False


@helper
def _play_on(rules, policy, by_index, weights, dice, key, ply, state, observation, told, room, out):
    """Play to the end; return the number of plies, and write how the game ended."""
    rolls = 0
    while turn(rules, state) != OVER:
        if turn(rules, state) == CHANCE:
            refuse_endless_rolls(rolls)
            _roll_once(rules, state, key, ply, told, room)
            rolls += 1
        else:
            seat, rolls = turn(rules, state), 0
            move = pick_move(rules, policy, by_index, weights, state, offset(dice, seat), observation, room)
            if by_index == 0 and not is_listed(rules, state, move, room):
                out[0] = FAILED + seat
                return ply
            _with_move(rules, state, move, told)
        ply = plies_after(rules, ply, 1)
    out[0] = PLAYED
    return ply


@helper
def _begin_game(rules, options, streams, number, opening, key, state, observation, told, room):
    """Deal a game and play its opening; return whether there is one that does not end the game."""
    rng, seed = dice_in(scratch(1), 0), deal_seed(streams, number)
    set_dice_of(seed, rng)
    deal(rules, state, options, rng)
    told[0] = np.uint64(hash_cells(state, rules[SIZE]))
    if rules[_ODDS] != 0:
        told[0] ^= seed
        write_roll_key(seed, key)
    if opening == 0:
        return True
    for cell in range(rules[SIZE]):
        observation[cell] = state[cell]
    return _open(rules, observation, opening_seed(streams, number), opening, key, state, told, room)


@helper
def mass_play_rows(
    rules, policy, by_index, weights, options, streams, opening, number, payoffs, codes, plies, ends, told, state,
    observation, room, first, rows, step,
):  # fmt: skip
    """Play every `step`-th game from `first` on, of those from `number` on; `told` is a hash of the deal and the moves.

    `payoffs` holds numbers of 64 bits by game and seat, and `codes` a hash of those of a game and of its end.
    """
    seats, key, dice, end = rules[SEATS], scratch(KEY_WORDS), dice_in(scratch(MOST_SEATS), 0), scratch(1)
    for row in range(first, rows, step):
        own, earned = offset(told, row), offset(payoffs, row * seats)
        if not _begin_game(rules, options, streams, number + row, opening, key, state, observation, own, room):
            continue
        for seat in range(seats):
            set_dice_of(mind_seed(streams, number + row, seat), offset(dice, seat))
            earned[seat] = 0
        plies[row] = _play_on(rules, policy, by_index, weights, dice, key, opening, state, observation, own, room, end)
        settle_game(rules, state, numbers_in(earned, 0))
        codes[row] = np.uint64(hash_cells(earned, seats)) ^ (np.uint64(end[0]) * _SPREAD)
        ends[row] = end[0]
