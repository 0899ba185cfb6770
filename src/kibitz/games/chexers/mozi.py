"""The value of a Chexers position to the MoZi agent of report 2, which forms traps, hunts from them and leaves."""

from kibitz.core.bits import popcount
from kibitz.core.heuristics import root_weights, value
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.chexers.measures import (
    CORNERS,
    TO_CORNER,
    TO_TRAP,
    basic,
    cost_between,
    cost_of_nearest,
    cost_to_points,
    owned,
    steps_to_walls,
    summed,
    trapped,
    walking,
)
from kibitz.games.chexers.rules import EXIT_HEXES, EXITS, PIECES, TURNS

FORMING, HUNTING, LEAVING = 0, 1, 2  # the phases of MoZi; it wanders while it hunts
LATCHED, STOOD = 1, 2  # what MoZi remembers of its traps, where it does
SOON = 9  # turns in all, before which no trap can stand
ENOUGH = 4  # pieces to spare, those out included, with which MoZi leaves

# The weights of the value mozi, in the order of its options.
W_OURS, W_PHASE, W_GOAL, W_WALLS, W_LATER, W_DISTANCE, W_TRAP, W_EXITED, W_PIECES = range(9)
W_WALL, W_COST, W_RIVALS, W_NEAR, W_FIRST, W_LATCH = range(9, 15)


@helper
def exit_corners(state, seat):
    """Return the corners where a seat exits, if it has pieces left to trap there."""
    return EXIT_HEXES[seat] & CORNERS if state[PIECES + seat] != 0 else 0


@helper
def points_to_hold(state, seat):
    """Return the strategy points against the rivals that are still in the game."""
    return exit_corners(state, (seat + 1) % 3) | exit_corners(state, (seat + 2) % 3)


@helper
def phase_of(state, seat):
    """Return the phase of MoZi in a seat: leave with enough to spare, hunt from traps that stand, else form them."""
    points = points_to_hold(state, seat)
    if owned(state, seat) - popcount(points) >= ENOUGH:
        return LEAVING
    return HUNTING if points & ~state[PIECES + seat] == 0 else FORMING


@helper
def _goal_upstream_first(state, seat, first, later):
    """Return the cost to goal: `first` times that to points against the seat that moved last, `later` that to all."""
    own, points = state[PIECES + seat], points_to_hold(state, seat)
    upstream = exit_corners(state, (seat + 2) % 3)
    return first * cost_to_points(own, points, upstream) + later * cost_to_points(own, points, points)


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
    return summed(state[PIECES + seat], seat, TO_TRAP)


@helper
def _forming_traps(state, seat, weights):
    """Return Equation 3 with the trap against the seat upstream first."""
    goal = _goal_upstream_first(state, seat, weights[W_FIRST], weights[W_LATER])
    walls, walkers = steps_to_walls(state, seat), walking(state, seat)
    if weights[W_WALL] == 0:
        walls = _to_traps(state, seat)
    elif weights[W_WALL] == 2:
        free, open_traps = state[PIECES + seat] & ~points_to_hold(state, seat), _open_traps(state, seat)
        walls, walkers = cost_between(free, open_traps), min(popcount(free), popcount(open_traps))
    if weights[W_LATCH] == STOOD:
        walls, walkers = 0.0, 0
    if weights[W_COST] == 0:
        goal = goal / 2 + popcount(points_to_hold(state, seat) & ~state[PIECES + seat])
        walls = walls / 2 + walkers
    return weights[W_PIECES] * owned(state, seat) - weights[W_GOAL] * goal - weights[W_WALLS] * walls


@root_weights
def _take_stock(state, seat, weights):
    weights[W_OURS] = seat
    weights[W_PHASE] = phase_of(state, seat)
    if weights[W_LATCH] == STOOD and state[TURNS] < SOON:
        weights[W_LATCH] = LATCHED
    if weights[W_LATCH] == LATCHED and weights[W_PHASE] != FORMING:
        weights[W_LATCH] = STOOD


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
    ours, phase = int(weights[W_OURS]), int(weights[W_PHASE])
    if seat != ours:
        hostile = weights[W_LATCH] != STOOD if phase == FORMING else weights[W_RIVALS] == 0
        return -owned(state, ours) if hostile else basic(state, seat, 0.1)
    if phase == FORMING:
        return _forming_traps(state, ours, weights)
    free = state[PIECES + ours] & ~points_to_hold(state, ours)
    if phase == HUNTING:
        far = weights[W_DISTANCE] * summed(free, ours, TO_CORNER)
        return walking(state, ours) - weights[W_TRAP] * trapped(state, ours) - far
    far = weights[W_DISTANCE] * cost_of_nearest(free, ours, int(weights[W_NEAR]))
    gained = owned(state, ours) + weights[W_EXITED] * state[EXITS + ours]
    return gained - weights[W_TRAP] * trapped(state, ours) - far
