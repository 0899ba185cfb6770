"""Quick policies for Focus, and its levels."""

from collections.abc import Mapping
from typing import Any

from kibitz.core.bits import lowest
from kibitz.core.dice import below, unit
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.games.focus.board import FIELDS, OFFSET, TALLEST
from kibitz.games.focus.measures import end_of, fallen, left_behind, pieces_in, reach_of_rivals, shifted, stacks_won
from kibitz.games.focus.rules import (
    HIGH,
    PASS,
    PLACE,
    SEAT,
    TOPS,
    any_move,
    kinds_of,
    movers,
    needed,
    placing,
    stack_on,
)

SAMPLER = "mcts(seconds=1, policy=stacking, cut=4, scale=50, c=0.4, history=3)"


def _champion(chosen: Mapping[str, Any]) -> str:
    """Return the strongest agent by the number of seats."""
    return "minimax(seconds=1)" if chosen["seats"] == 2 else SAMPLER


AGENTS = {"champion": _champion}
LEVELS = {
    "beginner": "policy(stacking)",
    "club": "paranoid(depth=3)",
    "strong": "champion",
}
WINS = 1e6


@helper
def _of_height(view, height):
    """Return the fields with stacks of exactly this height."""
    least = view[HIGH + height - 1] if height else FIELDS
    return least & ~view[HIGH + height] if height < TALLEST else least


@helper
def _best_of(view, seat, first, found, best, most, equal, rng):
    """Return the move that wins most stacks, that number, and how many have been as good, with those found here."""
    while found:
        move = first + lowest(found)
        found &= found - 1
        won = stacks_won(view, seat, move)
        if won > most:
            most, equal = won, 0
        if won == most:
            equal += 1
            if below(rng, equal) == 0:
                best = move
    return best, most, equal


@helper
def _to_height(view, seat, height, rng):
    """Return a move to a stack that would be so high, one that wins most stacks, or PASS if there is none."""
    best, most, equal = PASS, -2, 0
    for kind in range(min(kinds_of(view, seat), 4 * height)):
        below_it = height - (kind >> 2) - 1
        if below_it <= TALLEST:
            found = movers(view, seat, kind) & shifted(_of_height(view, below_it), -OFFSET[kind])
            best, most, equal = _best_of(view, seat, 64 * kind, found, best, most, equal, rng)
    if height <= TALLEST + 1:
        found = placing(view, seat) & _of_height(view, height - 1)
        best, most, equal = _best_of(view, seat, PLACE, found, best, most, equal, rng)
    return best


@policy(epsilon=0.05)
def stacking(view, weights, rng):
    """Nijssen: move the most pieces onto the highest stack, at random among equals; with chance `epsilon`, any move."""
    seat = view[SEAT]
    if weights[0] == 0.0 or unit(rng) >= weights[0]:
        for less in range(2 * TALLEST):
            move = _to_height(view, seat, 2 * TALLEST - less, rng)
            if move != PASS:
                return move
    return any_move(view, seat, rng)


@helper
def _sense(view, seat, reach, move, weights):
    """Return what a move gains at once, less what rivals could take over next."""
    end = end_of(move)
    others, own = fallen(view, seat, move)
    if others >= needed(view, seat):
        return WINS
    height = stack_on(view, end) & 7
    rest, owner = left_behind(view, move)
    worth = weights[1] * others + weights[2] * own
    if (view[TOPS + seat] >> end) & 1 == 0:
        worth += weights[3] * height
    if rest and owner != seat:
        worth -= weights[3] * rest
    if (reach >> end) & 1:
        worth -= weights[4] * min(height + pieces_in(move), TALLEST)
    if move >= PLACE:
        return worth - weights[5]
    if (reach >> (move & 63)) & 1:
        worth += weights[4] * (pieces_in(move) + rest)
    return worth


@policy(epsilon=0, captured=12, reserved=10, won=4, risked=2, placed=8)
def greedy(view, weights, rng):
    """Capture, win stacks, keep out of rivals' reach; at random among equals, and with chance `epsilon`."""
    seat = view[SEAT]
    if weights[0] > 0.0 and unit(rng) < weights[0]:
        return any_move(view, seat, rng)
    reach, kinds = reach_of_rivals(view, seat), kinds_of(view, seat)
    best, most, equal = PASS, -WINS, 0
    for kind in range(kinds + 1):
        found = movers(view, seat, kind) if kind < kinds else placing(view, seat)
        first = 64 * kind if kind < kinds else PLACE
        while found:
            move = first + lowest(found)
            found &= found - 1
            worth = _sense(view, seat, reach, move, weights)
            if worth > most:
                most, equal = worth, 0
            if worth == most:
                equal += 1
                if below(rng, equal) == 0:
                    best = move
    return best
