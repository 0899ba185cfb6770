"""Advice: networks that name actions, one network for each part of a turn, as a filter of the moves that are searched.

Compiled code takes advice as an array of numbers; a filter finds its address after its dice.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kibitz.core.address import Native
from kibitz.core.contract import FILTER
from kibitz.core.dice import dice
from kibitz.core.game import Game
from kibitz.core.native import INTERPRETED, compiled, helper, pointer
from kibitz.networks.encoding import MOST_ON, NO_MOVE, Actions, name_move, part_of
from kibitz.networks.inference import (
    LAYERS,
    LISTS_ROWS,
    SEAT_AT,
    UNITS,
    layer_at,
    linear_logit,
    logit,
    pack,
    run_hidden,
)
from kibitz.networks.net import encodings
from kibitz.networks.network_file import Network
from kibitz.networks.vector_sums import local_cells, local_floats

# Numbers of advice: what names moves and parts, the least logit that counts, whether only the best legal action counts,
# whether the root seat goes without; then the networks.
MOVE_OF, PART_OF, LEAST, ONLY_BEST, NOT_FOR_ROOT, NETWORKS = range(6)

if INTERPRETED:

    def _numbers_at(address):
        return address

else:

    @intrinsic
    def _numbers_at(typingctx, address):
        """Return the numbers at an address."""

        def codegen(context, builder, signature, args):
            return builder.inttoptr(args[0], ir.DoubleType().as_pointer())

        return types.CPointer(types.float64)(address), codegen


@helper
def _address_in(advice, at):
    return np.int64(advice[at])


def _object_in(advice, at):
    return advice[at]


_entry = _object_in if INTERPRETED else _address_in


class Advice:
    """Networks, one for each part of a turn, as compiled code asks them; keeps alive what addresses point to."""

    def __init__(
        self, game: Game, actions: Actions, networks: list[Network], least: float, only_best: bool = False,
        not_for_root: bool = False,
    ):  # fmt: skip
        self.length = actions.length
        self._packed = [
            pack(network, encodings(game)[network.about.encoding], game.cells["SEAT"]) for network in networks
        ]
        numbers = [actions.handle, actions.part.handle, least, only_best, not_for_root]
        if INTERPRETED:
            self.numbers: Any = [*numbers, *self._packed]
            self.dice: Any = [0, self.numbers, np.uint64(0)]
        else:
            self.numbers = np.array([*numbers, *(packed.ctypes.data for packed in self._packed)], dtype=np.float64)
            self.dice = np.array([dice(0)[0], self.numbers.ctypes.data, 0], dtype=np.uint64)

    def of(self, view: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal move that each unit stands for, NO_MOVE where there is none, and its logit."""
        moves, logits = np.empty(self.length, dtype=np.int64), np.empty(self.length, dtype=np.float32)
        _ask_all(self.numbers, view, moves, logits)
        return moves, logits


@helper
def _ask(advice, state, out):
    """Write the logit of every unit of the network for this part of a turn; return how many there are."""
    net = _numbers_at(_entry(advice, NETWORKS + part_of(_entry(advice, PART_OF), state)))
    rows = local_cells(MOST_ON)
    one, other = local_floats(MOST_ON), local_floats(MOST_ON)
    n, at_other = run_hidden(net, state, state[np.int64(net[SEAT_AT])], rows, one, other)
    units = layer_at(net, np.int64(net[LAYERS]) - 1, UNITS)
    for unit in range(units):
        if net[LAYERS] == 1.0 and net[LISTS_ROWS] != 0.0:
            out[unit] = linear_logit(net, rows, n, unit)
        else:
            out[unit] = logit(net, other if at_other else one, unit)
    return units


@compiled
def _ask_all(advice_, state_, moves, logits):
    advice, state = pointer(advice_), pointer(state_)
    for unit in range(_ask(advice, state, pointer(logits))):
        moves[unit] = name_move(_entry(advice, MOVE_OF), state, unit)


@helper
def _keep(moves, n, kept, move):
    """Append a move to those kept; return how many there are now."""
    for i in range(kept, n):
        if moves[i] == move:
            moves[i], moves[kept] = moves[kept], moves[i]
            return kept + 1
    return kept


def _keep_advised(state, root, rng, moves, n):
    """Keep the moves that a network names; all of them where it names none that is legal."""
    advice = _numbers_at(rng[1])
    if advice[NOT_FOR_ROOT] != 0:
        net = _numbers_at(_entry(advice, NETWORKS))
        if state[np.int64(net[SEAT_AT])] == root:
            return n
    logits = local_floats(MOST_ON)
    kept, best, most = 0, NO_MOVE, np.float32(-1e30)
    for unit in range(_ask(advice, state, logits)):
        if advice[ONLY_BEST] != 0 or logits[unit] >= advice[LEAST]:
            move = name_move(_entry(advice, MOVE_OF), state, unit)
            if move != NO_MOVE and advice[ONLY_BEST] == 0:
                kept = _keep(moves, n, kept, move)
            elif move != NO_MOVE and logits[unit] > most:
                best, most = move, logits[unit]
    if best != NO_MOVE:
        kept = _keep(moves, n, 0, best)
    return kept if kept > 0 else n


keep_advised = Native(_keep_advised, FILTER)
