"""The control cells of a tree search, which Python and compiled code share: counters and parameters."""

from collections.abc import Mapping

import numpy as np

from kibitz.agents.search.search_arrays import Int64s
from kibitz.core.calls import progress
from kibitz.core.contract import CHANCE, HALT_AT, OVER
from kibitz.core.native import heed, helper
from kibitz.core.playout import HEEDED
from kibitz.core.shares import RESOLUTION

# Counters: positions searched, whether to stop, positions evaluated because the depth ended, cut-offs, leaves, turns
# completed, and the greatest depth left where the levels ran out.
NODES, STOP, HORIZON, CUTOFFS, LEAVES, TURNS, SHORT = range(7)
FILLED, SLOT_MASK = 7, 8  # of the transposition table
# Parameters: limits on positions, levels, choices of a position and slots of the table; the root seat; the unit of
# depth, one of the four below; how many of the best moves to keep, 0 for all; the first of the cells that hold what a
# draw is worth to each seat, in grains; whether that differs between seats; where chance moves, what all payoffs
# together are worth on the scale of the value, in grains, 0 where it has no scale.
NODE_LIMIT, LEVELS, CHOICES, SLOTS, ROOT, UNIT, WIDTH, DRAWS, OWN_DRAW, STAKES = range(9, 19)
TURNS_WHOLE, TURNS_BEGUN, MOVES, PROGRESS = range(4)  # UNIT
SHARED_CELLS = 19  # the cells that only one engine uses follow these

NO_NODE_LIMIT = 2**62


@helper
def spent(s):
    """Count a position; return whether the search must stop. Check for signals now and then."""
    control = s.control
    control[NODES] += 1
    if control[NODES] > control[NODE_LIMIT]:
        control[STOP] = 1
    if control[NODES] & HEEDED == 0:
        heed(s.rules[HALT_AT])
    return control[STOP] != 0


@helper
def depth_after(control, mover, then, depth):
    """Return the depth left after a move of one seat, when another or the same is to move.

    Where depth counts turns begun, the last turn ends with its first move.
    """
    unit = control[UNIT]
    return depth - 1 if then != mover or unit == MOVES or (unit == TURNS_BEGUN and depth == 1) else depth


@helper
def depth_left(s, progress_before, after, mover, then, depth):
    """Return the depth left after a move; where depth counts progress, a move takes 1 or more."""
    if s.control[UNIT] == PROGRESS:
        return max(depth - max(progress(s.rules, after) - progress_before, 1), 0)
    return depth_after(s.control, mover, then, depth)


@helper
def depth_after_roll(s, progress_before, after, depth):
    """Return the depth left after chance has moved: a roll ends a turn, whoever is to move then."""
    return depth_left(s, progress_before, after, CHANCE, OVER, depth)


@helper
def progress_here(s, state):
    """Return the progress of the game, where depth counts that."""
    return progress(s.rules, state) if s.control[UNIT] == PROGRESS else 0


class Control:
    """The cells of one search."""

    def __init__(self, size: int, parameters: Mapping[int, int], seats: int):
        self.cells: Int64s = np.zeros(size + seats, dtype=np.int64)
        self.parameters = {**parameters, DRAWS: size}
        self._ended = False  # whether the decision must end, not only a part of its search

    def begin(self, seat: int) -> None:
        """Begin a new decision of a seat; the transposition table stays as it is."""
        table = self.cells[[FILLED, SLOT_MASK]]
        self.cells[:] = 0
        self.cells[[FILLED, SLOT_MASK]] = table
        for cell, value in self.parameters.items():
            self.cells[cell] = value
        self.cells[ROOT] = seat
        self._ended = False

    def set_draws(self, values: np.ndarray) -> None:
        """Set the value of a draw in this decision: the value of a position to each seat, or to an average seat."""
        drawn = values if self.cells[OWN_DRAW] else sum(values / len(values))
        self.cells[self.parameters[DRAWS] :] = np.round(drawn / RESOLUTION)

    def begin_depth(self) -> None:
        """Begin a search to another depth."""
        self.cells[[HORIZON, SHORT]] = 0

    def allow(self, nodes: int) -> None:
        """Let the search go on for `nodes` more positions."""
        self._ended = False
        self.cells[STOP], self.cells[NODE_LIMIT] = 0, self.cells[NODES] + nodes

    def stop(self) -> None:
        """Make the search end at its next position."""
        self._ended = True
        self.cells[STOP] = 1

    def interrupt(self) -> None:
        """Make the search end at its next position, until it is resumed."""
        self.cells[STOP] = 1

    def resume(self) -> None:
        """Let the search go on unless it was stopped, which a clock may do at any time."""
        self.cells[STOP] = 0
        if self._ended:
            self.cells[STOP] = 1

    @property
    def nodes_left(self) -> int:
        """How many more positions may be searched."""
        return int(self.cells[NODE_LIMIT] - self.cells[NODES])

    @nodes_left.setter
    def nodes_left(self, nodes: int) -> None:
        self.cells[NODE_LIMIT] = self.cells[NODES] + nodes

    @property
    def stopped(self) -> bool:
        """Whether the budget is used up."""
        return bool(self.cells[STOP])

    @property
    def short(self) -> int:
        """The depth that the last search had left where the levels ran out."""
        return int(self.cells[SHORT])

    @property
    def complete(self) -> bool:
        """Whether the last search evaluated no position before the end of the game."""
        return bool(self.cells[HORIZON] == 0)

    @property
    def nodes(self) -> int:
        """Positions searched since the decision began."""
        return int(self.cells[NODES])

    @property
    def cutoffs(self) -> int:
        """Cut-offs since the decision began."""
        return int(self.cells[CUTOFFS])
