"""What a view of Cartagena says: pirates, signs, cards, and where a move leads."""

from functools import lru_cache

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.games.cartagena.cells import DOUBLES, FOURS, HAND, IN_ROW, ONES, ROW, SEAT_COUNT, SIGNS, SINGLES, TWOS
from kibitz.games.cartagena.passage import SIGN_NAMES
from kibitz.games.cartagena.rules import BACK, STOP


def pirates(view: np.ndarray, seat: int, space: int) -> int:
    """Count a seat's pirates on a space."""
    return sum((int(view[bits + seat]) >> space & 1) * n for bits, n in ((ONES, 1), (TWOS, 2), (FOURS, 4)))


def crowd(view: np.ndarray, space: int) -> list[int]:
    """Return the seats of the pirates on a space, one entry a pirate."""
    return [seat for seat in range(view[SEAT_COUNT]) for _ in range(pirates(view, seat, space))]


def sign_of(view: np.ndarray, space: int) -> int:
    """Return the sign that a space of the passage shows."""
    return next(sign for sign in range(6) if view[SIGNS + sign] >> space & 1)


def counts(pile: int) -> list[int]:
    """Return how many cards of each sign a pile holds."""
    return [int(pile) >> 8 * sign & 0xFF for sign in range(6)]


@lru_cache(maxsize=1 << 14)
def by_sign(pile: int) -> dict[str, int]:
    """Return how many cards a pile holds of each sign by name."""
    return dict(zip(SIGN_NAMES, counts(pile), strict=True))


def hand_of(view: np.ndarray, seat: int) -> list[int] | None:
    """Return how many cards of each sign a seat holds; None if that is hidden."""
    return None if view[HAND + seat] == UNKNOWN else counts(view[HAND + seat])


def row_of(view: np.ndarray) -> list[int]:
    """Return the signs in the open row, the next card first."""
    return [(int(view[ROW]) >> 4 * k & 15) - 1 for k in range(view[IN_ROW])]


def origin_of(move: int) -> int | None:
    """Return the space that a move takes a pirate from; None if it moves none."""
    if move >= STOP:
        return None
    return move - BACK if move >= BACK else move >> 3


def goal_of(view: np.ndarray, move: int) -> int | None:
    """Return the space where a move takes a pirate; None if it moves none."""
    origin = origin_of(move)
    if origin is None:
        return None
    singles, doubles = int(view[SINGLES]), int(view[DOUBLES])
    if move >= BACK:
        return ((singles ^ doubles) & (1 << origin) - 1).bit_length() - 1
    ahead = int(view[SIGNS + (move & 7)]) & ~(singles | doubles) & -2 << origin
    return (ahead & -ahead).bit_length() - 1
