"""Looking one move ahead, by a value or by playouts."""

from kibitz.agents.search.judge import judge
from kibitz.core.native import compiled, offset, pointer
from kibitz.core.playout import play_out
from kibitz.core.rules import SEATS, copy, guess, moves, payoff, play


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
            judge(rules, value, weights, world, rest)
            for s in range(rules[SEATS]):
                out[i, s] += rest[s]


@compiled
def sample_moves(rules_, policy, weights_, view_, seat, listed, playouts, dice, state_, room_, earned_, out):
    """Add to out[i] each seat's payoffs over playouts that begin with listed[i] and use dice[i]."""
    rules, weights, view, room = pointer(rules_), pointer(weights_), pointer(view_), pointer(room_)
    state, earned = pointer(state_), pointer(earned_)
    for i in range(listed.shape[0]):
        rng = offset(pointer(dice), i)
        for _ in range(playouts):
            copy(rules, view, state)
            guess(rules, state, seat, rng)
            play(rules, state, listed[i])
            play_out(rules, policy, weights, state, rng, room)
            payoff(rules, state, earned)
            for s in range(rules[SEATS]):
                out[i, s] += earned[s]
