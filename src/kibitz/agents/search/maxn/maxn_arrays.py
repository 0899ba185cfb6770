"""Everything that max^n works on, and the cells of its control."""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.control import SHARED_CELLS
from kibitz.core.address import CELLS, DICE, INT, NUMBERS
from kibitz.core.native import helper, pointer

JUDGED = SHARED_CELLS  # counted: worths of single seats
# Told: which of equal moves a seat takes; the seat that the root seat harms, -1 for none; what a leaf is turned into;
# what is cut off; whether the root seat compares all worths; whether leaves are judged for the mover first.
TIES, TARGET, LEAF, PRUNE, LEXICOGRAPHIC, LAZY = range(SHARED_CELLS + 1, SHARED_CELLS + 7)
CONTROL_CELLS = SHARED_CELLS + 7

LEFTMOST, PARANOID, RANDOM = 0, 1, 2  # TIES: the first of equal moves, that worst for the root seat, or any
PLAIN, SQUARES, RATIOS = 0, 1, 2  # LEAF: as it is; u_i - sum u_j^2 / u_i; 1 - sum u_j / u_i
# PRUNE: never; Korf's; below all other seats' bounds; below any; Korf's and Sturtevant's on the last branch
NOT, SHALLOW, ALL, ANY, LAST_BRANCH = 0, 1, 2, 3, 4

UNBOUNDED = -1e18  # a seat that is sure of nothing yet


class MaxnArrays(NamedTuple):
    """Arrays when Python hands them in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    total: Any  # two numbers: the most that all seats' worths can sum up to, where the value declares it; the influence
    states: Any  # level x cell: the position after the move that is searched
    listed: Any  # level x choice: the move
    order: Any  # level x choice: the greater, the sooner
    nexts: Any  # level x choice: who is to move after it, where the order is by value
    worth: Any  # level x seat: what the position at a level is worth
    sure: Any  # level x seat: what each seat is sure of at its nearest node above
    stage: Any  # level x 2: the seat to move, and how far the level has come
    line: Any  # level x level: the play expected from a level on; -1 ends it
    cells: Any  # the transposition table; an entry holds what the position is worth to each seat
    numbers: Any
    rng: Any
    filters: Any  # what leaves out moves, ended by 0
    dice: Any  # for the filter
    itself: Any  # the handle of `maxn`, through which it calls itself


MAXN = types.NamedTuple(
    (CELLS, CELLS, NUMBERS, CELLS, NUMBERS, CELLS, CELLS, NUMBERS, CELLS, NUMBERS, NUMBERS, CELLS, CELLS, CELLS,
     NUMBERS, DICE, CELLS, DICE, INT),
    MaxnArrays,
)  # fmt: skip


@helper
def opened(s):
    """Return the arrays as addresses."""
    return MaxnArrays(
        pointer(s.rules), pointer(s.value), pointer(s.weights), pointer(s.control), pointer(s.total), pointer(s.states),
        pointer(s.listed), pointer(s.order), pointer(s.nexts), pointer(s.worth), pointer(s.sure), pointer(s.stage),
        pointer(s.line), pointer(s.cells), pointer(s.numbers), pointer(s.rng), pointer(s.filters),
        pointer(s.dice), s.itself,
    )  # fmt: skip
