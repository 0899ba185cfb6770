"""What the author of a game needs: the contract, compiled helpers, dice, deals, bit masks, grids, scenes."""

from kibitz.core.bits import gather, highest, list_bits, lowest, nth, popcount
from kibitz.core.cells import Cells, cells
from kibitz.core.contract import CHANCE, OVER, UNKNOWN, hint, rule
from kibitz.core.deal_demand import (
    deal_begin,
    deal_choice,
    deal_group,
    deal_hand,
    deal_likely,
    deal_out,
    deal_place,
    deal_room,
    deal_weight,
    draw_hands,
)
from kibitz.core.defaults import set_up
from kibitz.core.dice import below, dice_in, seed_from, shuffle, unit
from kibitz.core.dice_ways import dice_ways
from kibitz.core.grids import HEX_STEPS, Hexagon, Square
from kibitz.core.hashing import hash_cells
from kibitz.core.heuristics import Opening, move_filter, move_order, policy, root_weights, value
from kibitz.core.native import helper, offset
from kibitz.core.options import Option
from kibitz.core.payoff import Payoff
from kibitz.core.scene import Panel, Scene, Shape, label, listed, placed
from kibitz.core.scratch import scratch
from kibitz.core.shares import WHOLE, share_out
from kibitz.networks.encoding import NO_MOVE, actions, encoding, numbering, symmetry

__all__ = [
    "CHANCE",
    "HEX_STEPS",
    "NO_MOVE",
    "OVER",
    "UNKNOWN",
    "WHOLE",
    "Cells",
    "Hexagon",
    "Opening",
    "Option",
    "Panel",
    "Payoff",
    "Scene",
    "Shape",
    "Square",
    "actions",
    "below",
    "cells",
    "deal_begin",
    "deal_choice",
    "deal_group",
    "deal_hand",
    "deal_likely",
    "deal_out",
    "deal_place",
    "deal_room",
    "deal_weight",
    "dice_in",
    "dice_ways",
    "draw_hands",
    "encoding",
    "gather",
    "hash_cells",
    "helper",
    "highest",
    "hint",
    "label",
    "list_bits",
    "listed",
    "lowest",
    "move_filter",
    "move_order",
    "nth",
    "numbering",
    "offset",
    "placed",
    "policy",
    "popcount",
    "root_weights",
    "rule",
    "scratch",
    "seed_from",
    "set_up",
    "share_out",
    "shuffle",
    "symmetry",
    "unit",
    "value",
]
