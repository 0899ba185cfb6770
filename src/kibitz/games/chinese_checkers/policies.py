"""Quick policies for Chinese Checkers, and the agents that it declares."""

from collections.abc import Mapping
from typing import Any

from kibitz.core.dice import below, unit
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.core.scratch import scratch
from kibitz.games.chinese_checkers.measures import STEPS_LEFT, home_of
from kibitz.games.chinese_checkers.rules import BOARD, MOST_MOVES, PASS, SEAT, end_of, list_moves, start_of


def _champion(chosen: Mapping[str, Any]) -> str:
    """Return the text of the strongest agent: between two seats alpha-beta is ahead of sampling."""
    return "minimax(seconds=1)" if chosen["seats"] == 2 else "mcts(seconds=1, policy=forward, cut=4, scale=4)"


AGENTS = {"champion": _champion}
LEVELS = {
    "beginner": "policy(forward(random=0.3))",
    "club": "maxn(depth=2)",
    "strong": "champion",
}


@helper
def _best(view, found, n, last, rng):
    """Return the move that gains most, a piece far behind counting `last` for each step; at random among equals."""
    board, home = view[BOARD], home_of(view, view[SEAT])
    best, most, equal = found[0], -1e9, 0
    for k in range(n):
        left = STEPS_LEFT[board, home, start_of(found[k])]
        gain = left - STEPS_LEFT[board, home, end_of(found[k])] + last * left
        if gain > most:
            best, most, equal = found[k], gain, 1
        elif gain == most:
            equal += 1
            best = found[k] if below(rng, equal) == 0 else best
    return best


@policy(random=0.05, last=0.0)
def forward(view, weights, rng):
    """The move that gains most distance; with the chance `random` any move; `last` favours pieces behind."""
    found = scratch(MOST_MOVES)
    n = list_moves(view, found)
    if found[0] == PASS:
        return PASS
    if unit(rng) < weights[0]:
        return found[below(rng, n)]
    return _best(view, found, n, weights[1], rng)
