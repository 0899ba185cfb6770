"""Looking one move ahead, by a value or by playouts."""

from kibitz.agents.search.judge import judge
from kibitz.core.calls import copy, guess, moves, payoff, play, turn
from kibitz.core.contract import MOST_MOVES, SEATS, SIZE
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.playout import play_out

STRUCK = -1e18  # the order of a move that has been tried


@compiled
def look_ahead(rules_, value, weights_, view_, seat, worlds, list_, rng_, world_, rest_, out):
    """Add to out[i] each seat's value after the i-th legal move, summed over guessed worlds (0: `view` is a world)."""
    rules, weights, view, rng = pointer(rules_), pointer(weights_), pointer(view_), pointer(rng_)
    world, rest, listed = pointer(world_), pointer(rest_), pointer(list_)
    n = moves(rules, view, listed)
    for _ in range(max(worlds, 1)):
        seed = rng_[0]
        for i in range(n):
            rng_[0] = seed  # the same world for every move
            copy(rules, view, world)
            if worlds > 0:
                guess(rules, world, seat, rng)
            play(rules, world, listed[i])
            judge(rules, pointer(value), weights, world, rest)
            for s in range(rules[SEATS]):
                out[i, s] += rest[s]


@compiled
def judge_once(rules, value, weights, state, out):
    """Write what a position is worth to each seat, for callers in Python."""
    judge(pointer(rules), pointer(value), pointer(weights), pointer(state), pointer(out))


@helper
def _widest(n, width):
    return n if width == 0 or n < width else width


@compiled
def list_turns(rules_, value, weights_, world_, seat, width, states_, list_, scores_, worth_, out):
    """Write the ways to play a whole turn, keeping at each step the best moves by the seat's value; return how many.

    A row of `out` is the number of moves, then the moves. `states`, `list` and `scores` have a level for each move.
    """
    rules, weights, worth = pointer(rules_), pointer(weights_), pointer(worth_)
    size, most, levels = rules[SIZE], rules[MOST_MOVES], out.shape[1] - 1
    states, listed, scores = pointer(states_), pointer(list_), pointer(scores_)
    left = out[out.shape[0] - 1]  # the last row counts what is still to be tried at each level
    copy(rules, pointer(world_), states)
    found, level, depth = 0, 0, 0
    left[0] = -1
    while level >= 0:
        here = offset(states, level * size)
        moves_here, order = offset(listed, level * most), offset(scores, level * most)
        if left[level] < 0:
            n = moves(rules, here, moves_here)
            for i in range(n):
                after = offset(states, (level + 1) * size)
                copy(rules, here, after)
                play(rules, after, moves_here[i])
                judge(rules, pointer(value), weights, after, worth)
                order[i] = worth[seat]
            for i in range(n, most):
                order[i] = STRUCK
            left[level] = _widest(n, width)
        if left[level] == 0 or found == out.shape[0] - 1:
            level -= 1
            continue
        left[level] -= 1
        best = 0
        for i in range(1, most):
            if order[i] > order[best]:
                best = i
        order[best] = STRUCK
        out[found, level + 1] = moves_here[best]
        after = offset(states, (level + 1) * size)
        copy(rules, here, after)
        play(rules, after, moves_here[best])
        depth = level + 1
        if turn(rules, after) == seat and depth < levels:
            level += 1
            left[level] = -1
            continue
        out[found, 0] = depth
        found += 1
        if found < out.shape[0] - 1:
            for i in range(1, depth):
                out[found, i] = out[found - 1, i]
    return found


@compiled
def sample_turns(rules_, policy, weights_, view_, seat, turns, playouts, dice, state_, room_, earned_, out):
    """Add to out[i] each seat's payoffs over playouts that begin with the moves of turns[i] and use dice[i].

    Where a guessed world does not allow the next move of a turn, the playout begins there.
    """
    rules, weights, view, room = pointer(rules_), pointer(weights_), pointer(view_), pointer(room_)
    state, earned = pointer(state_), pointer(earned_)
    for i in range(turns.shape[0]):
        rng = offset(pointer(dice), i)
        for _ in range(playouts):
            copy(rules, view, state)
            guess(rules, state, seat, rng)
            for step in range(turns[i, 0]):
                if turn(rules, state) != seat or not _is_legal(rules, state, turns[i, step + 1], room):
                    break
                play(rules, state, turns[i, step + 1])
            play_out(rules, policy, weights, state, rng, room)
            payoff(rules, state, earned)
            for s in range(rules[SEATS]):
                out[i, s] += earned[s]


@helper
def _is_legal(rules, state, move, room):
    for i in range(moves(rules, state, room)):
        if room[i] == move:
            return True
    return False
