"""Everything that alpha-beta works on, and the cells of its control."""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.control import SHARED_CELLS
from kibitz.core.address import CELLS, DICE, FLOATS, INT, NUMBERS
from kibitz.core.native import helper, pointer

# Told: whether one opponent replies for all; how many opponents a round choose among their best WIDE moves, -1 for no
# such limit, and how many moves the others choose among; what counts at a leaf, and against which seat; the seats that
# are out of the game and pass without using up depth, as bits; a number that makes equal keys differ between searches;
# whether the game lists the moves that do not lose at once; and in a search to the end of the game, whether the game
# orders moves for that, and whether positions are kept by keys that symmetric ones share; whether a network says which
# moves come first; and the level whose position is searched whatever is known about it, 0 for none.
REPLIES, WIDE_SEATS, WIDE, NARROW, LEAF, RIVAL, OUT, SALT = range(SHARED_CELLS, SHARED_CELLS + 8)
SAFE, END_ORDER, NORMAL, BY_NET, AFRESH = range(SHARED_CELLS + 8, SHARED_CELLS + 13)
CONTROL_CELLS = SHARED_CELLS + 13
OWN, LEAD, VERSUS = 0, 1, 2  # LEAF: the root seat's worth, or its lead over the best other seat, or over the seat RIVAL

HISTORY_MASK = 1023  # history is kept by seat and the last ten bits of the move
HISTORY_CELLS = HISTORY_MASK + 1
ENTRY = 3  # cells of an entry of the transposition table: key, note, score
LINE_SLOTS = 4096


class AlphaBetaArrays(NamedTuple):
    """Arrays when Python hands them in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    states: Any  # level x cell: the position after the choice that is searched; one more at the end for scratch
    listed: Any  # level x choice: the move
    movers: Any  # level x choice: the seat that makes it
    order: Any  # level x choice: the greater, the sooner
    ranks: Any  # level x choice: its rank by the mover's own value, where moves are limited
    safe: Any  # the moves of one position that do not lose at once
    worth: Any  # by seat
    history: Any  # seat x move: how much a move has cut off
    killers: Any  # by level: the last move that cut off
    cells: Any  # the transposition table
    numbers: Any
    lines: Any  # key and note of the last positions whose score was exact; the table forgets them sooner
    move_order: Any  # what says which moves come first, or 0
    net: Any  # a network that says so instead
    odds: Any  # by move: how likely it finds it
    filters: Any  # what leaves out moves, ended by 0
    dice: Any  # for the filter
    itself: Any  # the handle of `negamax`, through which it calls itself: numba cannot keep recursion on disk


ALPHA_BETA = types.NamedTuple(
    (CELLS, CELLS, NUMBERS, CELLS, CELLS, CELLS, CELLS, NUMBERS, CELLS, CELLS, NUMBERS, NUMBERS, CELLS, CELLS, NUMBERS,
     CELLS, INT, NUMBERS, FLOATS, CELLS, DICE, INT),
    AlphaBetaArrays,
)  # fmt: skip


@helper
def opened(s):
    """Return the arrays as addresses."""
    return AlphaBetaArrays(
        pointer(s.rules), pointer(s.value), pointer(s.weights), pointer(s.control), pointer(s.states),
        pointer(s.listed), pointer(s.movers), pointer(s.order), pointer(s.ranks), pointer(s.safe), pointer(s.worth),
        pointer(s.history), pointer(s.killers), pointer(s.cells), pointer(s.numbers), pointer(s.lines), s.move_order,
        pointer(s.net), pointer(s.odds), pointer(s.filters), pointer(s.dice), s.itself,
    )  # fmt: skip
