"""Whole turns as choices, and playouts that begin with them."""

from kibitz.agents.search.choices import STRUCK, next_choice
from kibitz.agents.search.judge import even_worth, judge
from kibitz.core.calls import copy, guess, moves, payoff, play, turn
from kibitz.core.contract import HALT_AT, MOST_MOVES, SEATS, SIZE
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import HEEDED, is_legal, play_out


@helper
def _order_moves(rules, value, weights, state, seat, after, listed, order, worth):
    """List the moves with what each is worth to the seat; return how many there are, and strike the places behind."""
    n, even = moves(rules, state, listed), even_worth(rules, value, weights, state, worth)
    for i in range(n):
        copy(rules, state, after)
        play(rules, after, listed[i])
        judge(rules, value, weights, after, even, worth)
        order[i] = worth[seat]
    for i in range(n, rules[MOST_MOVES]):
        order[i] = STRUCK
    return n


@compiled
def list_turns(rules_, value_, weights_, world_, seat, width, states_, list_, scores_, worth_, out):
    """Write the ways to play a whole turn, keeping at each step the best moves by the seat's value; return how many.

    A row of `out` is the number of moves, then the moves. `states`, `list` and `scores` have a level for each move.
    """
    rules, value, weights, worth = pointer(rules_), pointer(value_), pointer(weights_), pointer(worth_)
    size, most, levels = rules[SIZE], rules[MOST_MOVES], out.shape[1] - 1
    states, listed, scores = pointer(states_), pointer(list_), pointer(scores_)
    left = out[out.shape[0] - 1]  # the last row counts what is still to be tried at each level
    copy(rules, pointer(world_), states)
    found, level = 0, 0
    left[0] = -1
    while level >= 0:
        here, after = offset(states, level * size), offset(states, (level + 1) * size)
        moves_here, order = offset(listed, level * most), offset(scores, level * most)
        if left[level] < 0:
            n = _order_moves(rules, value, weights, here, seat, after, moves_here, order, worth)
            left[level] = n if width == 0 or n < width else width
        if left[level] == 0 or found == out.shape[0] - 1:
            level -= 1
            continue
        left[level] -= 1
        best = next_choice(order, most)
        order[best] = STRUCK
        out[found, level + 1] = moves_here[best]
        copy(rules, here, after)
        play(rules, after, moves_here[best])
        if turn(rules, after) == seat and level + 1 < levels:
            level += 1
            left[level] = -1
            continue
        out[found, 0] = level + 1
        found += 1
        if found < out.shape[0] - 1:
            for i in range(1, level + 1):
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
        for number in range(playouts):
            if number & HEEDED == HEEDED:
                heed(rules[HALT_AT])
            copy(rules, view, state)
            guess(rules, state, seat, rng)
            for step in range(turns[i, 0]):
                if turn(rules, state) != seat or not is_legal(rules, state, turns[i, step + 1], room):
                    break
                play(rules, state, turns[i, step + 1])
            play_out(rules, policy, weights, state, rng, room)
            payoff(rules, state, earned)
            for s in range(rules[SEATS]):
                out[i, s] += earned[s]
