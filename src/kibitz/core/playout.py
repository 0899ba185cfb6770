"""Playing on compiled rules: single steps, playouts, whole games.

Compiled functions that Python calls take arrays, scratch space included, and pass addresses on to the helpers.
"""

from kibitz.core.calls import (
    alive,
    copy,
    counts_payoffs,
    deal,
    earnings,
    evaluate,
    guess,
    hand_over,
    moves,
    odds,
    pick,
    play,
    progress,
    sample,
    seen,
    turn,
    turns_left,
    view,
)
from kibitz.core.contract import CHANCE, GUARD, HALT_AT, INTACT, LEAST, OVER, SEATS, SHARED, SIZE, SPAN
from kibitz.core.errors import BadGame
from kibitz.core.hashing import hash_cells
from kibitz.core.native import compiled, from_python, heed, helper, offset, pointer
from kibitz.core.rolls import KEY_WORDS, outcome_at

HEEDED = (1 << 14) - 1  # loops look for signals whenever these bits of a counter of steps are 0
MOST_ROLLS = 10_000  # one after the other; a game with more never comes to a seat
CHECKED_OFTEN = 8  # guard cells that are checked after every playout


@helper
def refuse_endless_rolls(rolls):
    """Raise BadGame if chance has moved so often, one roll after the other, that no seat will ever move."""
    if rolls == MOST_ROLLS:
        raise BadGame("chance moves 10,000 times one after the other")


@helper
def choose(rules, policy, weights, state, rng, room):
    """Let a policy choose, or chance where it moves; policy 0 is the random one."""
    if policy == 0 or turn(rules, state) == CHANCE:
        return sample(rules, state, rng, room)
    return pick(policy, state, weights, rng)


# Rules and policies for callers in Python
deal_table = from_python(deal)
look = from_python(view)
look_of = from_python(seen)
weights_of = from_python(odds)
who = from_python(turn)
progress_of = from_python(progress)
turns_left_in = from_python(turns_left)
still_in = from_python(alive)
settle = from_python(earnings)
hand_turn = from_python(hand_over)
guess_world = from_python(guess)
value_of = from_python(evaluate)
pick_once = from_python(choose)


@helper
def play_rolls(rules, state, rng, room):
    """Play what chance does until a seat is to move or the game is over; return how often. `room` is scratch space.

    The cell SEAT is below OVER where chance moves; in a loop that asks this costs less than whether it is CHANCE.
    """
    rolls = 0
    while turn(rules, state) < OVER:
        refuse_endless_rolls(rolls)
        play(rules, state, sample(rules, state, rng, room))
        rolls += 1
    return rolls


@helper
def plies_after(rules, plies, rolls):
    """Return the number of plies after some rolls; look for signals whenever it passes a multiple of HEEDED + 1."""
    if plies ^ (plies + rolls) > HEEDED:
        heed(rules[HALT_AT])
    return plies + rolls


@helper
def play_out(rules, policy, weights, state, rng, room):
    """Play to the end in place, every seat by the same policy; return the number of moves."""
    plies = 0
    while turn(rules, state) != OVER:
        if turn(rules, state) < OVER:
            plies = plies_after(rules, plies, play_rolls(rules, state, rng, room))
            continue
        play(rules, state, choose(rules, policy, weights, state, rng, room))
        plies += 1
        if plies & HEEDED == 0:
            heed(rules[HALT_AT])
    check_guard(rules, state, CHECKED_OFTEN)
    return plies


@helper
def check_guard(rules, state, cells):
    """Raise BadGame if a rule has written to one of the first `cells` guard cells after a state."""
    behind = 0
    for i in range(cells):
        behind |= state[rules[SIZE] + i] ^ INTACT
    if behind != 0:
        raise BadGame("a rule writes behind the last cell of the state; CELLS declares too few, or an index is wrong")


@helper
def check_payoffs(rules, earned):
    """Raise BadGame if what a seat earned is not what the game declares."""
    for seat in range(rules[SEATS]):
        if not counts_payoffs(rules) and not 0 <= earned[seat] <= 1:
            raise BadGame("the rule payoff gives a seat a payoff that does not lie between 0 and 1")
        if counts_payoffs(rules) and not 0 <= earned[seat] - rules[LEAST] <= rules[SPAN]:
            raise BadGame("the rule payoff gives a seat a payoff that does not lie in the range of PAYOFF")
        if rules[SHARED] != 0 and earned[seat] != earned[0]:
            raise BadGame("the rule payoff gives seats different payoffs, and SHARED says that all earn the same")


@compiled
def intact(rules, state):
    """Raise BadGame if a rule has written after the end of a state."""
    check_guard(pointer(rules), pointer(state), GUARD)


@compiled
def hash_deals(rules_, options_, dice, state_, out):
    """Write a hash of the deal of each of the dice."""
    rules, options, state = pointer(rules_), pointer(options_), pointer(state_)
    for game in range(dice.shape[0]):
        deal(rules, state, options, offset(pointer(dice), game))
        out[game] = hash_cells(state, rules[SIZE])


@compiled
def legal_moves(rules, state, out):
    """List the legal moves and return how many; 0 when the game is over."""
    if turn(pointer(rules), pointer(state)) == OVER:
        return 0
    return moves(pointer(rules), pointer(state), pointer(out))


@helper
def is_listed(rules, state, move, room):
    """Return whether a move is legal in a game that is not over; `room` is scratch space for a list of moves."""
    for i in range(moves(rules, state, room)):
        if room[i] == move:
            return True
    return False


@helper
def is_legal(rules, state, move, room):
    """Return whether a move can be played."""
    return turn(rules, state) != OVER and is_listed(rules, state, move, room)


@compiled
def play_legal(rules, state, move, room):
    """Play the move if it is legal; return whether it was."""
    if not is_legal(pointer(rules), pointer(state), move, pointer(room)):
        return False
    play(pointer(rules), pointer(state), move)
    return True


@compiled
def play_outs(rules_, policy, weights_, view_, seat, playouts, rng_, state_, room_):
    """Guess a world and play it out, `playouts` times; return the number of moves made."""
    rules, weights, view, rng = pointer(rules_), pointer(weights_), pointer(view_), pointer(rng_)
    state, room = pointer(state_), pointer(room_)
    plies = 0
    for _ in range(playouts):
        copy(rules, view, state)
        guess(rules, state, seat, rng)
        plies += play_out(rules, policy, weights, state, rng, room)
    return plies


@compiled
def random_games(rules_, options_, games, rng_, state_, room_):
    """Play random games and return the number of moves made."""
    rules, options, rng = pointer(rules_), pointer(options_), pointer(rng_)
    state, room, plies = pointer(state_), pointer(room_), 0
    for _ in range(games):
        deal(rules, state, options, rng)
        while turn(rules, state) != OVER:
            if turn(rules, state) < OVER:
                plies = plies_after(rules, plies, play_rolls(rules, state, rng, room))
                continue
            play(rules, state, sample(rules, state, rng, room))
            plies += 1
            if plies & HEEDED == 0:
                heed(rules[HALT_AT])
        check_guard(rules, state, CHECKED_OFTEN)
    return plies


@compiled
def random_opening(rules_, state_, rng_, key, roll, made, room_):
    """Play random moves in place and write them to `made`; return how many precede one that ends the game.

    Chance does what it will do at the table, by the `key` of its rolls; `roll` is scratch space.
    """
    rules, state, rng, room = pointer(rules_), pointer(state_), pointer(rng_), pointer(room_)
    for n in range(made.shape[0]):
        if turn(rules, state) == CHANCE:
            made[n] = outcome_at(rules, state, pointer(key), n, pointer(roll), room)
        else:
            made[n] = sample(rules, state, rng, room)
        play(rules, state, made[n])
        if turn(rules, state) == OVER:
            return n
    return made.shape[0]


@compiled
def random_position(rules_, options_, plies, rng_, state_, room_):
    """Deal and play `plies` random moves; return whether the game still goes on after them."""
    rules, options, rng = pointer(rules_), pointer(options_), pointer(rng_)
    state, room = pointer(state_), pointer(room_)
    deal(rules, state, options, rng)
    for _ in range(plies):
        if turn(rules, state) == OVER:
            return False
        play(rules, state, sample(rules, state, rng, room))
    return turn(rules, state) != OVER


@helper
def fits(rules, state, move, key, ply, roll, room):
    """Return whether a move is legal at a ply, or what chance does there; `roll` and `room` are scratch space."""
    if turn(rules, state) == CHANCE:
        return move == outcome_at(rules, state, key, ply, roll, room)
    return is_legal(rules, state, move, room)


@helper
def play_opening(rules, state, opening, plies, key, roll, room):
    """Play the moves of an opening; return whether all of them were legal."""
    for ply in range(plies):
        if not fits(rules, state, opening[ply], key, ply, roll, room):
            return False
        play(rules, state, opening[ply])
    return True


@compiled
def replay_games(
    rules_, options_, deals, keys, roll, moves, openings, state_, room_, plies, decided, turns, moved, payoffs
):
    """Replay games on their deals: `plies[game]` moves from a row each of `moves`, up to the first illegal one.

    What chance does must follow from the `keys` of the games, KEY_WORDS each; `roll` is scratch space.

    Afterwards `plies` holds how many were played, `decided` how many until the last one of a seat, `turns` the seat to
    move, or OVER, `moved` the moves of each seat after the opening, and `payoffs` what was earned in games that are
    over. `moved` and `payoffs` are flat: game by game, seat by seat.
    """
    rules, options, room, state = pointer(rules_), pointer(options_), pointer(room_), pointer(state_)
    seats = rules[SEATS]
    for game in range(deals.shape[0]):
        deal(rules, state, options, offset(pointer(deals), game))
        for ply in range(plies[game]):
            key = offset(pointer(keys), game * KEY_WORDS)
            if not fits(rules, state, moves[game, ply], key, ply, pointer(roll), room):
                plies[game] = ply
                break
            if ply >= openings[game] and turn(rules, state) >= 0:
                moved[game * seats + turn(rules, state)] += 1
            if turn(rules, state) >= 0:
                decided[game] = ply + 1
            play(rules, state, moves[game, ply])
        turns[game] = turn(rules, state)
        if turns[game] == OVER:
            earnings(rules, state, offset(pointer(payoffs), game * seats))
        check_guard(rules, state, CHECKED_OFTEN)
