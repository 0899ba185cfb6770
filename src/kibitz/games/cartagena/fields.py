"""A view of Cartagena as plain data: passage, pirates, cards; hands of others are None in the version Jamaica."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.games.cartagena.cells import (
    ACTIONS,
    ACTIONS_A_TURN,
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
    MOST_SEATS,
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
from kibitz.games.cartagena.notation import text_of
from kibitz.games.cartagena.passage import SIGN_NAMES, SLOOP
from kibitz.games.cartagena.reader import by_sign


@lru_cache(maxsize=64)
def _passage(signs: tuple[int, ...]) -> list[str]:
    """Return the sign of each space between the start and the sloop."""
    return [next(SIGN_NAMES[sign] for sign in range(KINDS) if signs[sign] >> space & 1) for space in range(1, SLOOP)]


def _pile(pile: int) -> dict[str, int] | None:
    return None if pile == UNKNOWN else by_sign(pile).copy()


@lru_cache(maxsize=1 << 14)
def _row(line: int, count: int) -> tuple[list[str], int]:
    """Return the cards of a row by name, and as a pile."""
    signs = [(line >> 4 * k & 15) - 1 for k in range(count)]
    return [SIGN_NAMES[sign] for sign in signs], sum(1 << 8 * sign for sign in signs)


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
    cells = view[: PLAYED + MOST_SEATS].tolist()
    seats, hidden, moving, winner = cells[SEAT_COUNT], cells[HIDDEN], cells[SEAT], cells[WINNER]
    hands, discards = cells[HAND : HAND + seats], cells[DISCARDS]
    row, in_row = _row(cells[ROW], cells[IN_ROW])
    places = zip(cells[ONES : ONES + seats], cells[TWOS : TWOS + seats], cells[FOURS : FOURS + seats], strict=True)
    seen = [hand for hand in hands if hand != UNKNOWN] if hidden else hands
    found = {
        "turn": None if moving == OVER else moving,
        "actions_left": ACTIONS_A_TURN - cells[ACTIONS],
        "turns": cells[TURNS],
        "most_turns": cells[MAX_TURNS],
        "winner": None if winner == NONE else winner,
        "passage": _passage(tuple(cells[SIGNS : SIGNS + KINDS]))[:],
        "pirates": [_spaces(*place)[:] for place in places],
        "hands": [_pile(hand) for hand in hands],
        "held": cells[HELD : HELD + seats],
        "row": None if hidden else row[:],
        "discards": _pile(discards),
        "stock": cells[LEFT],
        "unseen": _pile(cells[DECK] - discards - in_row - sum(seen)),  # the stock and hands that this seat cannot see
        "shuffles": cells[SHUFFLES],
        "row_size": cells[ROW_SIZE],
        "refill": bool(cells[REFILL]),
        "sloop_back": bool(cells[SLOOP_BACK]),
    }
    if hidden:
        found["dealt"] = [_pile(pile) for pile in cells[DEALT : DEALT + seats]]
        found["played"] = cells[PLAYED : PLAYED + seats]
    return found


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    return [text_of(move) for move in legal]
