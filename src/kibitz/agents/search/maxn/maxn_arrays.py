"""The data of max^n: its arrays and its control cells."""

from typing import NamedTuple

from kibitz.agents.search.control import SHARED_CELLS
from kibitz.agents.search.expectation import Expectation
from kibitz.agents.search.search_arrays import Entries, Float64s, Handle, Int64s, UInt64s, struct_type

EVALUATIONS = SHARED_CELLS  # counter: evaluations for a single seat
# Parameters: which of equal moves a seat takes; the seat that the root seat harms, -1 for none; the evaluation of
# leaves; what is pruned; whether the root seat compares the values of all seats; whether leaves are evaluated lazily.
TIES, TARGET, LEAF, PRUNE, LEXICOGRAPHIC, LAZY = range(SHARED_CELLS + 1, SHARED_CELLS + 7)
CONTROL_CELLS = SHARED_CELLS + 7

LEFTMOST, PARANOID, RANDOM = 0, 1, 2  # TIES: the first of equal moves, the worst for the root seat, or a random one
PLAIN, SQUARES, RATIOS = 0, 1, 2  # LEAF: as it is; u_i - sum u_j^2 / u_i; 1 - sum u_j / u_i
# PRUNE: nothing; shallow (Korf); below the bounds of all other seats; below any; shallow and last-branch (Sturtevant)
NOT, SHALLOW, ALL, ANY, LAST_BRANCH = 0, 1, 2, 3, 4

UNBOUNDED = -1e18  # the bound of a seat that has none yet


class MaxnArrays(NamedTuple):
    """What the kernel reads and writes."""

    rules: Entries
    value_function: Entries
    value_weights: Float64s  # [weight]
    control: Int64s  # [cell]
    total: Float64s  # [2]: the greatest sum of all seats' values, where the value declares it; the influence
    states: Int64s  # [level + 1, cell]: the position after the move that is searched
    listed: Int64s  # [level, choice]: the move
    order: Float64s  # [level, choice]: the highest is searched first
    nexts: Int64s  # [level, choice]: who is to move after it, where the order is by value; where chance moves, the odds
    values: Float64s  # [level, seat]: what the position at a level is worth
    bounds: Float64s  # [level, seat]: what each seat is guaranteed by its nearest ancestor
    stage: Int64s  # [level, 2]: the seat to move, and the stage of the level
    pv: Int64s  # [level, level]: the principal variation from a level on; -1 ends it
    cells: Int64s  # [slot, NUMBER + seats]: the transposition table; an entry holds a value for each seat
    numbers: Float64s  # the same memory
    expectation: Expectation
    rng: UInt64s  # [1]
    filters: Entries  # move filters, terminated by 0
    dice: UInt64s  # [3]: for the filters
    itself: Handle  # of `maxn`, through which it calls itself


MAXN = struct_type(MaxnArrays)
