"""What a Chexers position seems worth: the evaluations of two reports from the University of Melbourne, 2019.

Report 3 (Taranto): `count`, `score`, `adjacent`, `distance`, and `weighted`, their sum. Report 2 (the MoZi agent): its
features, costs turned into negative worth, and Equations 1 to 5, the third (not printed) from the text around it.
`shares` is neither's: Equation 1 as a share of what there is.
Where a report speaks of the root player, every seat is judged as if it were the root.

Report 2 shows some hexes for red only. Here a seat's strategy points are the four corners of the board that are not its
exits, its destination strategy points the two that are, and its traps the hexes between two strategy points where a
rival exits. Equations 4 and 5 are printed with "- pieces not in trap", against the text, which wants traps kept free;
here they have "- pieces in trap". The printed forms are `equation4(pieces=0, trap=-1)` and
`equation5(pieces=0, exited=2, trap=-1)`.
"""

from collections.abc import Sequence

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.knowledge import root_weights, value
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.chexers.rules import (
    ALL_PIECES,
    AT_EXIT,
    EXIT_HEXES,
    EXITS,
    HEXAGON,
    PIECES,
    TURNS,
    apart,
    bit_of,
    mask_of,
)
from kibitz.games.chexers.rules import TO_EXIT as STEPS_TO_EXIT

USUAL = "weighted"
MOST_COST = 48.0  # the cost to destination of twelve pieces, six steps each
LEAST = 0.1  # what a seat without pieces counts in shares, so that they stay positive
OURS = Option(0, "the seat that forms traps: 0 red, 1 green, 2 blue", least=0, most=2)

CORNERS = mask_of(place for place in HEXAGON.places if sorted(map(abs, (*place, sum(place)))) == [0, 3, 3])
STRATEGY_POINTS = np.array([CORNERS & ~int(EXIT_HEXES[seat]) for seat in range(3)])
TRAPS = np.array([int(EXIT_HEXES[seat - 1] | EXIT_HEXES[seat - 2]) & ~CORNERS for seat in range(3)])


def _nearest(targets: Sequence[int] | np.ndarray) -> np.ndarray:
    """For each seat and bit, the steps to the nearest hex of the seat's targets."""
    table = np.zeros((3, 64))
    for seat in range(3):
        goals = [place for place in HEXAGON.places if int(targets[seat]) >> bit_of(place) & 1]
        for place in HEXAGON.places:
            table[seat, bit_of(place)] = min(apart(place, goal) for goal in goals)
    return table


WALLS = mask_of(place for place in HEXAGON.places if apart(place, (0, 0)) == HEXAGON.radius)
TO_EXIT, TO_CORNER, TO_WALL, TO_TRAP, TO_CENTRE, CLOSENESS = range(6)  # the tables below; all but the last are steps
TABLES = np.array([
    STEPS_TO_EXIT,
    _nearest(EXIT_HEXES & CORNERS),
    _nearest([WALLS] * 3),
    _nearest(TRAPS),
    _nearest([mask_of([(0, 0)])] * 3) * (HEXAGON.radius < STEPS_TO_EXIT),  # of those that have not come so far
    1 / np.sqrt(STEPS_TO_EXIT + 1),  # the exit itself is a step, so that a piece on an exit hex is 1 away and not 0
])  # fmt: skip
APART = np.zeros((64, 64), dtype=np.int64)
for _one in HEXAGON.places:
    for _other in HEXAGON.places:
        APART[bit_of(_one), bit_of(_other)] = apart(_one, _other)


@helper
def _summed(mask, seat, table):
    """Sum a table over the hexes of a mask."""
    total = 0.0
    while mask:
        total += TABLES[table, seat, lowest(mask)]
        mask &= mask - 1
    return total


@helper
def _on_board(state, seat):
    return popcount(state[PIECES + seat])


@helper
def _owned(state, seat):
    """Count a seat's pieces, those brought out included."""
    return popcount(state[PIECES + seat]) + state[EXITS + seat]


@helper
def _against(mine, first, second, third):
    """Return mine less the others', given the numbers of all three."""
    return 2.0 * mine - (first + second + third)


@helper
def _count(state, seat):
    return _against(_owned(state, seat), _owned(state, 0), _owned(state, 1), _owned(state, 2))


@helper
def _score(state, seat):
    return _against(state[EXITS + seat], state[EXITS], state[EXITS + 1], state[EXITS + 2])


@helper
def _adjacent(state, seat):
    own = state[PIECES + seat]
    beside = (own << 1) | (own >> 1) | (own << 8) | (own >> 8) | (own << 7) | (own >> 7)
    return popcount(own & beside)


@helper
def _closeness(state, seat):
    return _summed(state[PIECES + seat], seat, CLOSENESS)


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
    return _adjacent(state, seat)


@value()
def distance(state, weights, seat):
    """Report 3: the sum of 1 / sqrt(steps to leave the board) over a seat's pieces, less that of both others."""
    return _distance(state, seat)


@value(unit="pieces", per_unit=2000, count=1000, score=100, adjacent=10, distance=1, majority=100)
def weighted(state, weights, seat):
    """Report 3: the four weighed; with more than half the pieces, score counts `majority` times."""
    pieces = _count(state, seat)
    favour = weights[4] if pieces > 0 else 1.0
    worth = weights[0] * pieces + weights[1] * favour * _score(state, seat)
    return worth + weights[2] * _adjacent(state, seat) + weights[3] * _distance(state, seat)


@helper
def _cost(state, seat):
    return 0.5 * _summed(state[PIECES + seat], seat, TO_EXIT) + _on_board(state, seat)


@helper
def _cost_of_nearest(mask, seat, most):
    """Return the average steps to an exit of the pieces nearest to one, at most so many; with 0, the sum of all."""
    if most == 0:
        return _summed(mask, seat, TO_EXIT)
    total, taken = 0, 0
    for steps in range(7):
        more = min(popcount(mask & AT_EXIT[seat, steps]), most - taken)
        total += more * steps
        taken += more
    return total / taken if taken else 0.0


@helper
def _cost_of_four(state, seat):
    return _cost_of_nearest(state[PIECES + seat], seat, 4)


@helper
def _nearest_apart(bit, mask):
    best = 7
    while mask:
        best = min(best, APART[bit, lowest(mask)])
        mask &= mask - 1
    return best


@helper
def _cost_between(pieces, hexes):
    """Pieces look for the nearest of some hexes; where they are at least as many, the hexes look for pieces."""
    seekers, sought = (hexes, pieces) if popcount(pieces) >= popcount(hexes) else (pieces, hexes)
    total = 0.0
    while seekers:
        total += _nearest_apart(lowest(seekers), sought)
        seekers &= seekers - 1
    return total


@helper
def _cost_to_points(own, held, points):
    """Return the cost between pieces not on a point to hold and empty points."""
    return _cost_between(own & ~held, points & ~own)


@helper
def _cost_to_goal(state, seat):
    return _cost_to_points(state[PIECES + seat], STRATEGY_POINTS[seat], STRATEGY_POINTS[seat])


@helper
def _to_walls(state, seat):
    return _summed(state[PIECES + seat], seat, TO_WALL)


@helper
def _in_trap(state, seat):
    return popcount(state[PIECES + seat] & TRAPS[seat])


@value(unit="moves")
def cost_of_all(state, weights, seat):
    """Report 2: minus the cost to destination of all pieces, each half its steps to the nearest exit hex plus 1."""
    return -_cost(state, seat)


@value(unit="steps")
def cost_on_average(state, weights, seat):
    """Report 2: minus the average steps of a seat's pieces to their nearest exit hex; 0 without pieces."""
    return -_summed(state[PIECES + seat], seat, TO_EXIT) / max(_on_board(state, seat), 1)


@value(unit="steps")
def cost_of_four(state, weights, seat):
    """Report 2: minus the average steps of a seat's four pieces nearest to an exit hex; 0 without pieces."""
    return -_cost_of_four(state, seat)


@value(unit="steps")
def cost_to_goal(state, weights, seat):
    """Report 2: minus the steps between free pieces and empty strategy points, summed over the fewer of the two."""
    return -_cost_to_goal(state, seat)


@value(unit="steps")
def walls(state, weights, seat):
    """Report 2: minus the steps of a seat's pieces to the edge of the board."""
    return -_to_walls(state, seat)


@value(unit="pieces")
def own(state, weights, seat):
    """Report 2: a seat's pieces, those brought out included."""
    return _owned(state, seat)


@value(unit="pieces")
def on_board(state, weights, seat):
    """Report 2: a seat's pieces on the board."""
    return _on_board(state, seat)


@value(unit="pieces")
def in_trap(state, weights, seat):
    """Report 2: minus the pieces of a seat that stand in one of its traps."""
    return -_in_trap(state, seat)


@value(unit="pieces out")
def exited(state, weights, seat):
    """Report 2: pieces brought out."""
    return state[EXITS + seat]


@helper
def _basic_with(state, seat, cost):
    return _owned(state, seat) - cost * _cost(state, seat)


@helper
def _steps_between(one, mask):
    """Return the steps from a hex to all hexes of a mask."""
    total = 0.0
    while mask:
        total += APART[one, lowest(mask)]
        mask &= mask - 1
    return total


@value(unit="pieces", cost=0.1)
def equation1(state, weights, seat):
    """Report 2, Equation 1, its basic evaluation: own pieces, less the cost to destination of all."""
    return _basic_with(state, seat, weights[0])


@value(unit="pieces", cost=0.1, partners=0.1, apart=0.01)
def team(state, weights, seat):
    """Report 2, rejected: Equation 1, more for pieces beside their own, less for all steps between two of them."""
    own = state[PIECES + seat]
    between, left = 0.0, own
    while left:
        one = lowest(left)
        left &= left - 1
        between += _steps_between(one, left)
    return _basic_with(state, seat, weights[0]) + weights[1] * _adjacent(state, seat) - weights[2] * between


@value(unit="parts", cost=1)
def standardised(state, weights, seat):
    """Report 2, rejected: Equation 1 with each feature in parts of the most that it can be, both counting alike."""
    return _owned(state, seat) / ALL_PIECES - weights[0] * _cost(state, seat) / MOST_COST


@value(unit="pieces", cost=0.1, centre=0.1)
def centre_collision(state, weights, seat):
    """Report 2, rejected: Equation 1, less the steps to the centre of pieces that are farther from their exits."""
    return _basic_with(state, seat, weights[0]) - weights[1] * _summed(state[PIECES + seat], seat, TO_CENTRE)


@value(unit="pieces", cost=0.1, side=0.1)
def side_leave(state, weights, seat):
    """Report 2, rejected: Equation 1, less the steps of pieces to the edge of the board."""
    return _basic_with(state, seat, weights[0]) - weights[1] * _to_walls(state, seat)


@value(shares=True, cost=0.1)
def shares(state, weights, seat):
    """Equation 1 in per cent of all seats': a bounded value, by which max^n can prune."""
    return max(LEAST, _owned(state, seat) - weights[0] * _cost(state, seat))


@value(unit="pieces", ours=OURS)
def equation2(state, weights, seat):
    """Report 2, Equation 2, rivals while seat `ours` forms its traps: minus the pieces of `ours` (plus, for `ours`)."""
    ours = int(weights[0])
    return _owned(state, ours) if seat == ours else -_owned(state, ours)


@helper
def _forming(state, seat, goal, walls):
    return _owned(state, seat) - goal * _cost_to_goal(state, seat) - walls * _to_walls(state, seat)


@value(unit="pieces", goal=0.1, walls=0.11)
def equation3(state, weights, seat):
    """Report 2, Equation 3 from the text around it: own pieces, less cost to goal, less steps to the walls."""
    return _forming(state, seat, weights[0], weights[1])


@value(unit="pieces", ours=OURS, goal=0.1, walls=0.11)
def trap_forming(state, weights, seat):
    """Report 2, while the traps are formed: seat `ours` by Equation 3, its rivals by Equation 2."""
    ours = int(weights[0])
    return _forming(state, ours, weights[1], weights[2]) if seat == ours else -_owned(state, ours)


@value(unit="pieces", distance=0.1, pieces=1, trap=1)
def equation4(state, weights, seat):
    """Report 2, Equation 4, hunting: pieces on the board, less those in a trap, less steps to the exit corners."""
    far = _summed(state[PIECES + seat], seat, TO_CORNER)
    return weights[1] * _on_board(state, seat) - weights[2] * _in_trap(state, seat) - weights[0] * far


@value(unit="pieces", distance=0.1, pieces=1, exited=1, trap=1)
def equation5(state, weights, seat):
    """Report 2, Equation 5, leaving: own pieces, those out twice, less those in a trap, less steps to the exits."""
    far = _summed(state[PIECES + seat], seat, TO_EXIT)
    gained = weights[1] * _owned(state, seat) + weights[2] * state[EXITS + seat]
    return gained - weights[3] * _in_trap(state, seat) - weights[0] * far


FORMING, HUNTING, LEAVING = 0, 1, 2  # the phases of MoZi; it wanders while it hunts
LATCHED, STOOD = 1, 2  # what MoZi remembers of its traps, where it does
SOON = 9  # turns in all, before which no trap can stand
ENOUGH = 4  # pieces to spare, those out included, with which MoZi leaves


@helper
def exit_corners(state, seat):
    """Return the corners where a seat exits, as long as it has pieces to trap there."""
    return EXIT_HEXES[seat] & CORNERS if state[PIECES + seat] != 0 else 0


@helper
def points_to_hold(state, seat):
    """Return the strategy points against the rivals that are still in the game."""
    return exit_corners(state, (seat + 1) % 3) | exit_corners(state, (seat + 2) % 3)


@helper
def phase_of(state, seat):
    """Return what MoZi is about in a seat: leave with enough to spare, hunt from traps that stand, else form them."""
    points = points_to_hold(state, seat)
    if _owned(state, seat) - popcount(points) >= ENOUGH:
        return LEAVING
    return HUNTING if points & ~state[PIECES + seat] == 0 else FORMING


@helper
def _goal_upstream_first(state, seat, first, later):
    """Return the cost to goal: `first` times that to points against the seat that moved last, `later` that to all."""
    own, points = state[PIECES + seat], points_to_hold(state, seat)
    upstream = exit_corners(state, (seat + 2) % 3)
    return first * _cost_to_points(own, points, upstream) + later * _cost_to_points(own, points, points)


@helper
def _open_traps(state, seat):
    """Return the hexes of traps whose two points a seat does not both hold."""
    found = 0
    for rival in range(3):
        corners = exit_corners(state, rival)
        if rival != seat and corners & ~state[PIECES + seat] != 0:
            found |= EXIT_HEXES[rival] & ~CORNERS
    return found


@helper
def _to_traps(state, seat):
    return _summed(state[PIECES + seat], seat, TO_TRAP)


@helper
def _forming_traps(state, seat, weights):
    """Return Equation 3 with the trap against the seat upstream first."""
    goal = _goal_upstream_first(state, seat, weights[13], weights[4])
    walls, walkers = _to_walls(state, seat), _on_board(state, seat)
    if weights[9] == 0:
        walls = _to_traps(state, seat)
    elif weights[9] == 2:
        free, open_traps = state[PIECES + seat] & ~points_to_hold(state, seat), _open_traps(state, seat)
        walls, walkers = _cost_between(free, open_traps), min(popcount(free), popcount(open_traps))
    if weights[14] == STOOD:
        walls, walkers = 0.0, 0
    if weights[10] == 0:
        goal = goal / 2 + popcount(points_to_hold(state, seat) & ~state[PIECES + seat])
        walls = walls / 2 + walkers
    return weights[8] * _owned(state, seat) - weights[2] * goal - weights[3] * walls


@root_weights
def _take_stock(state, seat, weights):
    weights[0] = seat
    weights[1] = phase_of(state, seat)
    if weights[14] == STOOD and state[TURNS] < SOON:
        weights[14] = LATCHED
    if weights[14] == LATCHED and weights[1] != FORMING:
        weights[14] = STOOD


@value(
    unit="pieces",
    root_weights=_take_stock,
    ours=Option(0, "the seat that plays MoZi; a search takes its own", least=0, most=2),
    phase=Option(0, "0 form traps, 1 hunt, 2 leave; a search takes that of its position", least=0, most=2),
    goal=0.2,
    walls=0.1,
    later=0.5,
    distance=0.1,
    trap=1,
    exited=1,
    pieces=5,
    wall=Option(
        "traps",
        "what pieces stay near while traps are formed: traps, the edge, or, those that are free, traps not yet formed",
        choices=("traps", "edge", "open"),
    ),
    cost=Option(
        "halves",
        "what a way costs while traps are formed: half its steps and 1, or its steps",
        choices=("halves", "steps"),
    ),
    rivals=Option(
        "hostile",
        "what rivals want while MoZi hunts and leaves: its pieces, or Equation 1",
        choices=("hostile", "basic"),
    ),
    near=Option(4, "how many free pieces count, on average, when it leaves; 0 for the sum over all", least=0, most=12),
    first=1,
    latch=Option(
        "off",
        "on: once traps stood, those who form them again go straight for the points, and rivals want Equation 1; stood:"
        " they did",
        choices=("off", "on", "stood"),
    ),
)
def mozi(state, weights, seat):
    """Report 2, the MoZi agent: Equations 3 and 2 while it forms traps, 4 while it hunts, 5 when it leaves."""
    ours, phase = int(weights[0]), int(weights[1])
    if seat != ours:
        hostile = weights[14] != STOOD if phase == FORMING else weights[11] == 0
        return -_owned(state, ours) if hostile else _basic_with(state, seat, 0.1)
    if phase == FORMING:
        return _forming_traps(state, ours, weights)
    free = state[PIECES + ours] & ~points_to_hold(state, ours)
    if phase == HUNTING:
        far = weights[5] * _summed(free, ours, TO_CORNER)
        return _on_board(state, ours) - weights[6] * _in_trap(state, ours) - far
    far = weights[5] * _cost_of_nearest(free, ours, int(weights[12]))
    gained = _owned(state, ours) + weights[7] * state[EXITS + ours]
    return gained - weights[6] * _in_trap(state, ours) - far


FEATURES = 12  # of a seat that report 2 names


@helper
def _partners(own):
    """Return how many partners stand next to each piece, and how far all lie from each piece, summed over pieces."""
    beside, far, pieces = 0, 0, own
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        others = pieces  # so that every two pieces are looked at once
        while others:
            steps = APART[piece, lowest(others)]
            beside, far = beside + (2 if steps == 1 else 0), far + 2 * steps
            others &= others - 1
    return beside, far


@helper
def write_features(state, seat, out):
    """Write the features of a seat that report 2 names, used or not; Equations 1 to 5 are weighted sums of them."""
    own = state[PIECES + seat]
    steps = _summed(own, seat, TO_EXIT)
    beside, far = _partners(own)
    out[0] = _owned(state, seat)
    out[1] = _on_board(state, seat)
    out[2] = state[EXITS + seat]
    out[3] = _in_trap(state, seat)
    out[4] = steps
    out[5] = steps / max(_on_board(state, seat), 1)
    out[6] = _cost_of_four(state, seat)
    out[7] = _cost_to_goal(state, seat)
    out[8] = _to_walls(state, seat)
    out[9] = _summed(own, seat, TO_CORNER)
    out[10] = beside
    out[11] = far
