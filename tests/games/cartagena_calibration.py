"""Whether guesses at the hands of Jamaica can be told from the truth: one position of each game, feature by feature.

Given what a seat sees, the truth and a guess at it are draws from the same distribution if guesses are right. So the
mean of the truth's feature less the guesses' is 0, and as games are independent, its standard error is known.
"""

import numpy as np

from kibitz.core.bits import popcount
from kibitz.core.calls import deal, guess, play, turn, view
from kibitz.core.contract import OVER
from kibitz.core.dice import below, dice
from kibitz.core.native import compiled, helper, pointer
from kibitz.core.playout import choose
from kibitz.games.cartagena.cards import count_of, signs_in
from kibitz.games.cartagena.cells import DEALT, HAND, HELD, SEAT, SEAT_COUNT, SHUFFLES, TURNS
from kibitz.games.cartagena.history import DREW, action_code, actions_of, seat_of
from kibitz.games.cartagena.passage import SIGN_NAMES
from kibitz.games.cartagena.rules import going, retreating

LONGEST = 400  # plies before the position that is looked at, at most; most games go on for longer
OF_A_HAND = (
    "sum of squares", "kinds", "most of a kind", *(f"number of {sign}s" for sign in SIGN_NAMES),
    "cards of the kind last played", "cards of the kind played before", "squares of the deal", "kinds dealt",
)  # fmt: skip
OF_A_POSITION = (
    "", "cards held", "spaces to leave from", "ways back", "turns", "reshuffles", "first turns", "to move",
)  # fmt: skip
FEATURES = [f"{of_hand} x {seen}" if seen else of_hand for seen in OF_A_POSITION for of_hand in OF_A_HAND]


@helper
def _last_played(state, seat, skipped):
    """Return the sign that a seat played last, or before that; 0 if there is none."""
    for turn_ in range(state[TURNS], -1, -1):
        done = actions_of(state, turn_)
        for action in range(2, -1, -1):
            code = action_code(done, action)
            if seat_of(done) == seat and 0 < code < DREW:
                if skipped == 0:
                    return code - 1
                skipped -= 1
    return 0


@helper
def _describe(state, seat, out):
    """Write the features of a seat's hand."""
    pile, dealt = state[HAND + seat], state[DEALT + seat]
    squares, most, dealt_squares = 0, 0, 0
    for sign in range(6):
        n = count_of(pile, sign)
        squares, most, out[3 + sign] = squares + n * n, max(most, n), n
        dealt_squares += count_of(dealt, sign) ** 2
    out[0], out[1], out[2] = squares, popcount(signs_in(pile)), most
    out[9], out[10] = count_of(pile, _last_played(state, seat, 0)), count_of(pile, _last_played(state, seat, 1))
    out[11], out[12] = dealt_squares, popcount(signs_in(dealt))


@helper
def _describe_position(state, seat, out):
    """Write what everyone sees of a seat."""
    out[0], out[1] = 1, state[HELD + seat]
    out[2], out[3] = popcount(going(state, seat)), popcount(retreating(state, seat))
    out[4], out[5], out[6], out[7] = state[TURNS] / 50, state[SHUFFLES], state[TURNS] < 15, state[SEAT] == seat


@compiled
def _sample_positions(rules_, options_, policy, weights_, guesses, rng_, state_, observation_, room_, hands, seen):
    """Fill a row for each position: in `hands` the truth's features less the mean of the guesses', in `seen` the rest.

    A game that is over before its ply comes gives no position, and another is played.
    """
    rules, options, weights, rng = pointer(rules_), pointer(options_), pointer(weights_), pointer(rng_)
    state, observation, room = pointer(state_), pointer(observation_), pointer(room_)
    found, features = np.zeros(hands.shape[1]), hands.shape[1]
    position = 0
    while position < hands.shape[0]:
        deal(rules, state, options, rng)
        ply = below(rng, LONGEST)
        while ply > 0 and turn(rules, state) != OVER:
            view(rules, state, turn(rules, state), observation)
            play(rules, state, choose(rules, policy, weights, observation, rng, room))
            ply -= 1
        if turn(rules, state) == OVER:
            continue
        me = below(rng, state[SEAT_COUNT])
        seat = (me + 1 + below(rng, state[SEAT_COUNT] - 1)) % state[SEAT_COUNT]
        _describe(state, seat, pointer(found))
        hands[position] = found
        _describe_position(state, seat, pointer(seen[position]))
        for _ in range(guesses):
            view(rules, state, me, observation)
            guess(rules, observation, me, rng)
            _describe(observation, seat, pointer(found))
            for k in range(features):
                hands[position, k] -= found[k] / guesses
        position += 1


def deviations(game, positions, seed, policy=0, weights=(0.0,), guesses=2):
    """Return for each feature the mean of the truth less the guesses, and that in standard errors."""
    hands, seen = np.zeros((positions, len(OF_A_HAND))), np.zeros((positions, len(OF_A_POSITION)))
    cells = game.size + 64
    _sample_positions(
        game.rules, game.encoded_options, policy, np.array(weights), guesses, dice(seed),
        np.zeros(cells, dtype=np.int64), np.zeros(cells, dtype=np.int64), game.new_moves(), hands, seen,
    )  # fmt: skip
    differences = (seen[:, :, None] * hands[:, None, :]).reshape(positions, -1)
    means, errors = differences.mean(axis=0), differences.std(axis=0) / np.sqrt(positions)
    return {name: (mean, mean / error) for name, mean, error in zip(FEATURES, means, errors, strict=True) if error > 0}
