"""A view of Cartagena as plain data: passage, pirates, cards; hands of others are None in the version Jamaica."""

from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.games.cartagena.cells import (
    ACTIONS,
    DEALT,
    DECK,
    DISCARDS,
    FOURS,
    HAND,
    HELD,
    HIDDEN,
    IN_ROW,
    KINDS,
    LEFT,
    MAX_TURNS,
    NONE,
    ONES,
    PLAYED,
    REFILL,
    ROW,
    ROW_SIZE,
    SEAT,
    SEAT_COUNT,
    SHUFFLES,
    SIGNS,
    SLOOP_BACK,
    TURNS,
    TWOS,
    WINNER,
)
from kibitz.games.cartagena.passage import SIGN_NAMES, SLOOP
from kibitz.games.cartagena.rules import ACTIONS_A_TURN


@lru_cache(maxsize=64)
def _passage(signs: tuple[int, ...]) -> list[str]:
    """Return the sign of each space between the start and the sloop."""
    return [next(SIGN_NAMES[sign] for sign in range(KINDS) if signs[sign] >> space & 1) for space in range(1, SLOOP)]


def _pile(pile: int) -> dict[str, int]:
    return _counted(pile).copy()


@lru_cache(maxsize=1 << 14)
def _counted(pile: int) -> dict[str, int]:
    return {name: pile >> 8 * sign & 0xFF for sign, name in enumerate(SIGN_NAMES)}


@lru_cache(maxsize=1 << 14)
def _spaces(ones: int, twos: int, fours: int) -> list[int]:
    """Return the spaces of a seat's pirates, ascending, one entry a pirate."""
    found, there = [], ones | twos | fours
    while there:
        space = (there & -there).bit_length() - 1
        there &= there - 1
        found += [space] * ((ones >> space & 1) + 2 * (twos >> space & 1) + 4 * (fours >> space & 1))
    return found


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what a seat sees; a pile of cards is a number for each sign."""
    cells = view[: PLAYED + 5].tolist()
    seats, hidden = range(cells[SEAT_COUNT]), bool(cells[HIDDEN])
    hands = [cells[HAND + other] for other in seats]
    row = [cells[ROW] >> 4 * k & 15 for k in range(cells[IN_ROW])]
    unseen = cells[DECK] - cells[DISCARDS] - sum(1 << 8 * (sign - 1) for sign in row)
    unseen -= sum(hand for hand in hands if hand != UNKNOWN)
    found = {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "actions_left": ACTIONS_A_TURN - cells[ACTIONS],
        "turns": cells[TURNS],
        "most_turns": cells[MAX_TURNS],
        "winner": None if cells[WINNER] == NONE else cells[WINNER],
        "passage": _passage(tuple(cells[SIGNS : SIGNS + KINDS]))[:],
        "pirates": [_spaces(cells[ONES + other], cells[TWOS + other], cells[FOURS + other])[:] for other in seats],
        "hands": [None if hand == UNKNOWN else _pile(hand) for hand in hands],
        "held": [cells[HELD + other] for other in seats],
        "row": None if hidden else [SIGN_NAMES[sign - 1] for sign in row],
        "discards": _pile(cells[DISCARDS]),
        "stock": cells[LEFT],
        "unseen": _pile(unseen),  # the stock and the hands that this seat cannot see, together
        "shuffles": cells[SHUFFLES],
        "row_size": cells[ROW_SIZE],
        "refill": bool(cells[REFILL]),
        "sloop_back": bool(cells[SLOOP_BACK]),
    }
    if hidden:
        found["dealt"] = [None if (pile := cells[DEALT + other]) == UNKNOWN else _pile(pile) for other in seats]
        found["played"] = [cells[PLAYED + other] for other in seats]
    return found
