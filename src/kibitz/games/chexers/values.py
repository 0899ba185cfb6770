"""Values of a Chexers position: the evaluations of two reports from the University of Melbourne, 2019.

Report 3 (Taranto): `count`, `score`, `adjacent`, `distance`, and `weighted`, their sum. Report 2 (the MoZi agent): its
features, costs turned into negative worth, and Equations 1 to 5, the third (not printed) from the text around it.
`shares` is ours: Equation 1 as a share of the sum over all seats.
Where a report speaks of the root player, every seat is judged as if it were the root.

`mozi`, by which that agent plays, lies in mozi.py. Equations 4 and 5 are printed with "- pieces not in trap", against
the text, which wants traps kept free; here they have "- pieces in trap". The printed forms are
`equation4(pieces=0, trap=-1)` and `equation5(pieces=0, exited=2, trap=-1)`.
"""

from kibitz.core.bits import lowest
from kibitz.core.heuristics import value
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.chexers.measures import (
    APART,
    CLOSENESS,
    TO_CENTRE,
    TO_CORNER,
    TO_EXIT,
    basic,
    cost_of,
    in_touch,
    owned,
    steps_of_four,
    steps_to_goal,
    steps_to_walls,
    summed,
    trapped,
    walking,
)
from kibitz.games.chexers.mozi import mozi as mozi  # a value like those below
from kibitz.games.chexers.rules import ALL_PIECES, EXITS, PIECES

USUAL = "weighted"
MOST_COST = 48.0  # the cost to destination of twelve pieces, six steps each
LEAST = 0.1  # what a seat without pieces counts in shares, so that they stay positive
OURS = Option(0, "the seat that forms traps: 0 red, 1 green, 2 blue", least=0, most=2)


@helper
def _against(mine, first, second, third):
    """Return `mine` less the sum of the others', given the numbers of all three."""
    return 2.0 * mine - (first + second + third)


@helper
def _count(state, seat):
    return _against(owned(state, seat), owned(state, 0), owned(state, 1), owned(state, 2))


@helper
def _score(state, seat):
    return _against(state[EXITS + seat], state[EXITS], state[EXITS + 1], state[EXITS + 2])


@helper
def _closeness(state, seat):
    return summed(state[PIECES + seat], seat, CLOSENESS)


@helper
def _distance(state, seat):
    return _against(_closeness(state, seat), _closeness(state, 0), _closeness(state, 1), _closeness(state, 2))


@value(unit="pieces", per_unit=2)
def count(state, weights, seat):
    """Report 3: pieces on and off the board, less those of both others."""
    return _count(state, seat)


@value(unit="pieces out", per_unit=2)
def score(state, weights, seat):
    """Report 3: pieces brought out, less those of both others."""
    return _score(state, seat)


@value(unit="pieces")
def adjacent(state, weights, seat):
    """Report 3: pieces that stand next to another of their own colour."""
    return in_touch(state, seat)


@value
def distance(state, weights, seat):
    """Report 3: the sum of 1 / sqrt(steps to leave the board) over a seat's pieces, less that of both others."""
    return _distance(state, seat)


@value(unit="pieces", per_unit=2000, count=1000, score=100, adjacent=10, distance=1, majority=100)
def weighted(state, weights, seat):
    """Report 3: the four weighed; with more than half the pieces, score counts `majority` times."""
    pieces = _count(state, seat)
    favour = weights[4] if pieces > 0 else 1.0
    worth = weights[0] * pieces + weights[1] * favour * _score(state, seat)
    return worth + weights[2] * in_touch(state, seat) + weights[3] * _distance(state, seat)


@value(unit="moves")
def cost_of_all(state, weights, seat):
    """Report 2: minus the cost to destination of all pieces, each half its steps to the nearest exit hex plus 1."""
    return -cost_of(state, seat)


@value(unit="steps")
def cost_on_average(state, weights, seat):
    """Report 2: minus the average steps of a seat's pieces to their nearest exit hex; 0 without pieces."""
    return -summed(state[PIECES + seat], seat, TO_EXIT) / max(walking(state, seat), 1)


@value(unit="steps")
def cost_of_four(state, weights, seat):
    """Report 2: minus the average steps of a seat's four pieces nearest to an exit hex; 0 without pieces."""
    return -steps_of_four(state, seat)


@value(unit="steps")
def cost_to_goal(state, weights, seat):
    """Report 2: minus the steps between free pieces and empty strategy points, summed over the fewer of the two."""
    return -steps_to_goal(state, seat)


@value(unit="steps")
def walls(state, weights, seat):
    """Report 2: minus the steps of a seat's pieces to the edge of the board."""
    return -steps_to_walls(state, seat)


@value(unit="pieces")
def own(state, weights, seat):
    """Report 2: a seat's pieces, those brought out included."""
    return owned(state, seat)


@value(unit="pieces")
def on_board(state, weights, seat):
    """Report 2: a seat's pieces on the board."""
    return walking(state, seat)


@value(unit="pieces")
def in_trap(state, weights, seat):
    """Report 2: minus the pieces of a seat that stand in one of its traps."""
    return -trapped(state, seat)


@value(unit="pieces out")
def exited(state, weights, seat):
    """Report 2: pieces brought out."""
    return state[EXITS + seat]


@helper
def _steps_between(one, mask):
    """Return the sum of steps from a hex to the hexes of a mask."""
    total = 0.0
    while mask:
        total += APART[one, lowest(mask)]
        mask &= mask - 1
    return total


@value(unit="pieces", cost=0.1)
def equation1(state, weights, seat):
    """Report 2, Equation 1, its basic evaluation: own pieces, less the cost to destination of all."""
    return basic(state, seat, weights[0])


@value(unit="pieces", cost=0.1, partners=0.1, apart=0.01)
def team(state, weights, seat):
    """Report 2, rejected: Equation 1, more for pieces beside their own, less for all steps between two of them."""
    own = state[PIECES + seat]
    between, left = 0.0, own
    while left:
        one = lowest(left)
        left &= left - 1
        between += _steps_between(one, left)
    return basic(state, seat, weights[0]) + weights[1] * in_touch(state, seat) - weights[2] * between


@value(unit="parts", cost=1)
def standardised(state, weights, seat):
    """Report 2, rejected: Equation 1 with each feature in parts of the most that it can be, both counting alike."""
    return owned(state, seat) / ALL_PIECES - weights[0] * cost_of(state, seat) / MOST_COST


@value(unit="pieces", cost=0.1, centre=0.1)
def centre_collision(state, weights, seat):
    """Report 2, rejected: Equation 1, less the steps to the centre of pieces that are farther from their exits."""
    return basic(state, seat, weights[0]) - weights[1] * summed(state[PIECES + seat], seat, TO_CENTRE)


@value(unit="pieces", cost=0.1, side=0.1)
def side_leave(state, weights, seat):
    """Report 2, rejected: Equation 1, less the steps of pieces to the edge of the board."""
    return basic(state, seat, weights[0]) - weights[1] * steps_to_walls(state, seat)


@value(shares=True, cost=0.1)
def shares(state, weights, seat):
    """Equation 1 in per cent of all seats': a bounded value, by which max^n can prune."""
    return max(LEAST, owned(state, seat) - weights[0] * cost_of(state, seat))


@value(unit="pieces", ours=OURS)
def equation2(state, weights, seat):
    """Report 2, Equation 2, rivals while seat `ours` forms its traps: minus the pieces of `ours` (plus, for `ours`)."""
    ours = int(weights[0])
    return owned(state, ours) if seat == ours else -owned(state, ours)


@helper
def _forming(state, seat, goal, walls):
    return owned(state, seat) - goal * steps_to_goal(state, seat) - walls * steps_to_walls(state, seat)


@value(unit="pieces", goal=0.1, walls=0.11)
def equation3(state, weights, seat):
    """Report 2, Equation 3 from the text around it: own pieces, less cost to goal, less steps to the walls."""
    return _forming(state, seat, weights[0], weights[1])


@value(unit="pieces", ours=OURS, goal=0.1, walls=0.11)
def trap_forming(state, weights, seat):
    """Report 2, while the traps are formed: seat `ours` by Equation 3, its rivals by Equation 2."""
    ours = int(weights[0])
    return _forming(state, ours, weights[1], weights[2]) if seat == ours else -owned(state, ours)


@value(unit="pieces", distance=0.1, pieces=1, trap=1)
def equation4(state, weights, seat):
    """Report 2, Equation 4, hunting: pieces on the board, less those in a trap, less steps to the exit corners."""
    far = summed(state[PIECES + seat], seat, TO_CORNER)
    return weights[1] * walking(state, seat) - weights[2] * trapped(state, seat) - weights[0] * far


@value(unit="pieces", distance=0.1, pieces=1, exited=1, trap=1)
def equation5(state, weights, seat):
    """Report 2, Equation 5, leaving: own pieces, those out twice, less those in a trap, less steps to the exits."""
    far = summed(state[PIECES + seat], seat, TO_EXIT)
    gained = weights[1] * owned(state, seat) + weights[2] * state[EXITS + seat]
    return gained - weights[3] * trapped(state, seat) - weights[0] * far
