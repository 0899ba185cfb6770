"""The data of alpha-beta: its arrays, its control cells, and the entries of its transposition table."""

from typing import NamedTuple

from kibitz.agents.search.control import SHARED_CELLS
from kibitz.agents.search.expectation import Expectation
from kibitz.agents.search.search_arrays import Entries, Float32s, Float64s, Handle, Int64s, UInt64s, struct_type
from kibitz.core.native import helper

# Parameters: whether one opponent replies for all; how many opponents a round choose among their best WIDE moves, -1
# for no such limit, and how many moves the others choose among; the seat whose value is subtracted at a leaf, -1 where
# only the root seat's own value counts; the seats that are out of the game and pass without using up depth, as bits; a
# number that makes equal keys differ between searches; whether the game lists the moves that do not lose at once; in a
# search to the end of the game, whether the game orders moves for that, and whether positions are stored by keys that
# symmetric ones share; whether a network orders moves; the level whose position is searched even on a hit in the table,
# 0 for none.
REPLIES, WIDE_SEATS, WIDE, NARROW, RIVAL, OUT, SALT = range(SHARED_CELLS, SHARED_CELLS + 7)
SAFE, END_ORDER, NORMAL, BY_NET, AFRESH = range(SHARED_CELLS + 7, SHARED_CELLS + 12)
# Where chance moves: which cut-offs there are, of the three below; the level at which one choice is enough, 0 for none.
STAR, PROBE = range(SHARED_CELLS + 12, SHARED_CELLS + 14)
CONTROL_CELLS = SHARED_CELLS + 14
NO_STAR, STAR1, STAR2 = range(3)
NO_RIVAL = -1

HISTORY_MASK = 1023  # history is kept by seat and the last ten bits of the move
HISTORY_CELLS = HISTORY_MASK + 1
ENTRY = 3  # cells of an entry of the transposition table: key, data, score
PV_SLOTS = 4096


class AlphaBetaArrays(NamedTuple):
    """What the kernel reads and writes."""

    rules: Entries
    value_function: Entries
    value_weights: Float64s  # [weight]
    control: Int64s  # [cell]
    states: Int64s  # [level + 1, cell]: the position after the choice that is searched; the last is scratch space
    listed: Int64s  # [level, choice]: the move
    movers: Int64s  # [level, choice]: the seat that makes it; where chance moves, the odds
    order: Float64s  # [level, choice]: the highest is searched first
    ranks: Int64s  # [level, choice]: its rank by the mover's own value, where moves are limited
    limits: Float64s  # [level, choice, 2]: where chance moves, the least and the most that an outcome can be worth
    expectation: Expectation
    safe: Int64s  # [move]: the moves of one position that do not lose at once
    values: Float64s  # [seat]
    history: Float64s  # [seat, HISTORY_CELLS]: the history score of a move
    killers: Int64s  # [level]: the last move that caused a cut-off
    cells: Int64s  # [slot, ENTRY]: the transposition table
    numbers: Float64s  # the same memory
    pv_table: Int64s  # [PV_SLOTS, 2]: key and data of the last positions whose score was exact
    move_order: Handle  # orders the moves; 0 for none
    net: Float64s  # [weight]: a network that orders the moves instead
    prior: Float32s  # [move]: the probability that the network gives it
    filters: Entries  # move filters, terminated by 0
    dice: UInt64s  # [3]: for the filters
    itself: Handle  # of `negamax`, through which it calls itself: numba cannot keep recursion on disk


ALPHA_BETA = struct_type(AlphaBetaArrays)


# An entry packs its data into one number: bits 0..31 hold the index of the best choice, 32..33 the bound, the others
# the depth.
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
TO_THE_END = 1 << 20  # the depth of a score that does not depend on the horizon
_CHOICE_BITS = (1 << 32) - 1


@helper
def pack(choice, bound, depth):
    """Return choice, bound and depth in one number."""
    return choice | (bound << 32) | (depth << 34)


@helper
def choice_of(data):
    """Return the choice in packed data."""
    return data & _CHOICE_BITS


@helper
def bound_of(data):
    """Return the bound in packed data."""
    return (data >> 32) & 3


@helper
def depth_of(data):
    """Return the depth in packed data."""
    return data >> 34


@helper
def holds_at(data, depth):
    """Return whether the score of an entry is valid for a search to a depth."""
    return depth_of(data) == depth or depth_of(data) == TO_THE_END


@helper
def settles(data, score, alpha, beta):
    """Return whether the score of an entry makes a search between alpha and beta unnecessary."""
    bound = bound_of(data)
    return bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)
