"""What can be counted in games of Colonizers: colonists, what their powers bring, phases passed over."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.colonizers.cards import of_colour
from kibitz.games.colonizers.cells import (
    BUILD,
    COLONIST,
    COLONIST_NAMES,
    COLONY,
    DRAW,
    ECOLOGIST,
    GENERAL,
    HELD,
    OMNIUM,
    OPPORTUNIST,
    PHASE,
    PICK,
    POWER,
    SEAT,
    SEATS_HERE,
)
from kibitz.games.colonizers.rules import LOOT, NOTHING, progress

EVENTS = {
    **{name: f"picks of {name.capitalize()}" for name in COLONIST_NAMES},
    "synergy": "Omnium by synergy",  # of Ecologist, Miner and General
    "naming": "targeted powers used",  # of Opportunist and Spy
    "hit": "targeted powers that hit",
    "stolen": "Omnium stolen",
    "lost": "Omnium lost to Opportunist",
    "swapped": "cards won by Spy",
    "move": "moves",
    "forced": "phases passed over",  # because there was nothing to choose
}


def events(before: np.ndarray, move: int, after: np.ndarray) -> Iterator[tuple[str, int, float]]:
    """Yield what a move did, for which seat, and how much of it."""
    seat, phase = int(before[SEAT]), int(before[PHASE])
    yield "move", seat, 1
    yield "forced", seat, max(0, int(progress(after)) - int(progress(before)) - 1)
    if phase == PICK:
        yield COLONIST_NAMES[move], seat, 1
    if phase == DRAW:
        yield "synergy", seat, _income(before, seat)
    then = int(after[SEAT])
    if then not in (seat, OVER) and after[PHASE] in (POWER, BUILD):  # with a full hand it could only take Omnium
        yield "synergy", then, _income(after, then)
    if phase == POWER and move != NOTHING:
        yield from _use_of_power(before, seat, move)


def _income(state: np.ndarray, seat: int) -> int:
    colonist = int(state[COLONIST + seat])
    paid = ECOLOGIST <= colonist <= GENERAL
    return int(of_colour(state[COLONY + seat], colonist - ECOLOGIST)) if paid else 0


def _use_of_power(state: np.ndarray, seat: int, named: int) -> Iterator[tuple[str, int, float]]:
    yield "naming", seat, 1
    for other in range(SEATS_HERE):
        if state[COLONIST + other] != named:
            continue
        yield "hit", seat, 1
        if state[COLONIST + seat] == OPPORTUNIST:
            loot = min(LOOT, int(state[OMNIUM + other]))
            yield "stolen", seat, loot
            yield "lost", other, loot
        else:
            yield "swapped", seat, int(state[HELD + other] - state[HELD + seat])
