"""What the networks of Steinmann's thesis (2003) are shown, and what they put out: its sections 4.2.1 to 4.2.4.

The README says which choices were made where the thesis leaves them open. Its games have three seats and a row of ten
cards; with more seats only the first three are shown, and what is missing or hidden is shown as 0, as no card.
`prospects` is not of the thesis, which left out what actions do, as that is "totally dependent on the action".
"""

import numpy as np

from kibitz.core.bits import lowest
from kibitz.core.native import helper
from kibitz.games.cartagena.cards import count_of
from kibitz.games.cartagena.cells import ACTIONS, ACTIONS_A_TURN, HAND, HIDDEN, IN_ROW, KINDS, ROW, SEAT, SEAT_COUNT
from kibitz.games.cartagena.passage import (
    PIRATES,
    SLOOP,
    SPACES,
    START,
    pirates_of,
    pirates_on,
    space_ahead,
    space_behind,
    standing,
)
from kibitz.games.cartagena.rules import BACK, STOP, retreating
from kibitz.networks.encoding import NO_MOVE, actions, encoding

SHOWN_SEATS, SHOWN_CARDS = 3, 10
BITS = 3  # of the number of a sign or of a pirate
NONE = 7  # as the number of a sign or of a pirate: 111
SCALE = 0.02  # of a space; the sloop is 1
MOST_CARDS = 10  # of a sign, shown as 1
_ON_SPACE = 3  # pirates that stand on a space of the passage at most
_BOARD = 2 * PIRATES + SPACES * _ON_SPACE  # numbers for the pirates of a seat
_HANDS = SHOWN_SEATS * KINDS

PIRATES_LENGTH = SHOWN_SEATS * PIRATES + _HANDS + SHOWN_CARDS * BITS
BOARD_LENGTH = SHOWN_SEATS * _BOARD + _HANDS + SHOWN_CARDS * KINDS
ROW_AT = BOARD_LENGTH - SHOWN_CARDS * KINDS  # in `board`: where the cards of the row begin

# In `prospects`, behind the board: for each forward action whether it is legal and how far it goes; for each backward
# action whether it is legal, how far it goes and how many cards it draws.
_AHEAD = 2
_BEHIND = 3
_STRIDE = 12.0  # spaces, shown as 1
_ABOARD = 0.5  # more for the sloop, as six spaces: what the utility adds for it
PROSPECTS_LENGTH = BOARD_LENGTH + PIRATES * (KINDS * _AHEAD + _BEHIND)

# Units of the last layer: six pirates back, six forward with each of six signs, nothing.
FORWARD = PIRATES
NOTHING = FORWARD + PIRATES * KINDS
UNITS = NOTHING + 1


@helper
def _shown(view):
    """Return how many seats are shown."""
    return min(view[SEAT_COUNT], SHOWN_SEATS)


@helper
def _write_hands(view, seat, at, out):
    """Write the cards of each seat by sign, a tenth each and at most 1; 0 where they are hidden."""
    for i in range(_HANDS):
        out[at + i] = 0.0
    for k in range(_shown(view)):
        if k == 0 or view[HIDDEN] == 0:
            hand = view[HAND + (seat + k) % view[SEAT_COUNT]]
            for sign in range(KINDS):
                out[at + k * KINDS + sign] = min(count_of(hand, sign), MOST_CARDS) / MOST_CARDS


@helper
def _card_at(view, place):
    """Return the sign of a card of the row, from 0, or NONE."""
    return ((view[ROW] >> 4 * place) & 15) - 1 if place < view[IN_ROW] else NONE


@helper
def _write_spaces(view, seat, at, out):
    """Write where the six pirates of a seat stand, those nearest to the start first."""
    n, spaces = at, standing(view, seat)
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        for _ in range(pirates_of(view, seat, space)):
            out[n] = 1.0 if space == SLOOP else SCALE * space
            n += 1


@encoding(length=PIRATES_LENGTH)
def pirate_positions(view, seat, out):
    """The thesis's pirate positions: where pirates stand as numbers, cards by sign, the row in binary."""
    for i in range(SHOWN_SEATS * PIRATES):
        out[i] = 0.0
    for k in range(_shown(view)):
        _write_spaces(view, (seat + k) % view[SEAT_COUNT], k * PIRATES, out)
    _write_hands(view, seat, SHOWN_SEATS * PIRATES, out)
    at = SHOWN_SEATS * PIRATES + _HANDS
    for place in range(SHOWN_CARDS):
        card = _card_at(view, place)
        for bit in range(BITS):
            out[at + place * BITS + bit] = float((card >> (BITS - 1 - bit)) & 1)


@helper
def _write_counts(view, seat, at, out):
    """Write as many ones as a seat has pirates on a space: of six at the start and on the sloop, else of three."""
    spaces = standing(view, seat)
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        first = at if space == START else at + PIRATES + (space - 1) * _ON_SPACE
        for i in range(pirates_of(view, seat, space)):
            out[first + i] = 1.0


@helper
def _write_board(view, seat, out):
    for i in range(SHOWN_SEATS * _BOARD):
        out[i] = 0.0
    for k in range(_shown(view)):
        _write_counts(view, (seat + k) % view[SEAT_COUNT], k * _BOARD, out)
    _write_hands(view, seat, SHOWN_SEATS * _BOARD, out)
    for place in range(SHOWN_CARDS):
        card = _card_at(view, place)
        for sign in range(KINDS):
            out[ROW_AT + place * KINDS + sign] = 1.0 if card == sign else 0.0


@encoding(length=BOARD_LENGTH)
def board(view, seat, out):
    """The thesis's board: pirates of each seat on each space as ones, cards by sign, the row a one for each card."""
    _write_board(view, seat, out)


@helper
def _space_of(view, seat, pirate):
    """Return where a pirate stands, counted from the start."""
    spaces = standing(view, seat)
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        pirate -= pirates_of(view, seat, space)
        if pirate < 0:
            return space
    return SLOOP


@helper
def _write_ahead(view, seat, space, at, out):
    """Write what a pirate on a space can do with each sign."""
    for sign in range(KINDS):
        legal = space < SLOOP and count_of(view[HAND + seat], sign) > 0
        goal = space_ahead(view, space, sign) if legal else space
        out[at + sign * _AHEAD] = 1.0 if legal else 0.0
        out[at + sign * _AHEAD + 1] = (goal - space) / _STRIDE + (_ABOARD if legal and goal == SLOOP else 0.0)


@helper
def _write_behind(view, seat, space, at, out):
    """Write what a pirate on a space does if it goes back."""
    legal = (retreating(view, seat) >> space) & 1 != 0
    goal = space_behind(view, space) if legal else space
    out[at] = 1.0 if legal else 0.0
    out[at + 1] = (space - goal) / _STRIDE
    out[at + 2] = pirates_on(view, goal) / 2.0 if legal else 0.0


@encoding(length=PROSPECTS_LENGTH)
def prospects(view, seat, out):
    """The thesis's board, and what each action would do: whether it is legal, how far it goes, what it draws."""
    _write_board(view, seat, out)
    at = BOARD_LENGTH
    for pirate in range(PIRATES):
        space = _space_of(view, seat, pirate)
        _write_ahead(view, seat, space, at, out)
        at += KINDS * _AHEAD
        _write_behind(view, seat, space, at, out)
        at += _BEHIND


def _code(unit: int) -> np.ndarray:
    """Return an action in the small representation: the pirate and the card in binary, and 1 unless it goes back."""
    pirate, card, ahead = unit, NONE, 0
    if unit == NOTHING:
        pirate, ahead = NONE, 1
    elif unit >= FORWARD:
        pirate, card, ahead = (unit - FORWARD) // KINDS, (unit - FORWARD) % KINDS, 1
    return np.array([*_bits(pirate), *_bits(card), ahead], dtype=np.float32)


def _bits(number: int) -> list[int]:
    return [number >> (BITS - 1 - bit) & 1 for bit in range(BITS)]


CODES = np.array([_code(unit) for unit in range(UNITS)])


def _part(view):
    return view[ACTIONS]


@actions(length=UNITS, parts=ACTIONS_A_TURN, part=_part, codes=CODES)
def pirate_actions(view, unit):
    """The thesis's 43 actions: six pirates back, six forward with each of six signs, nothing."""
    seat = view[SEAT]
    if unit == NOTHING:
        return STOP if view[ACTIONS] else NO_MOVE
    if unit < FORWARD:
        space = _space_of(view, seat, unit)
        return BACK + space if (retreating(view, seat) >> space) & 1 else NO_MOVE
    space, sign = _space_of(view, seat, (unit - FORWARD) // KINDS), (unit - FORWARD) % KINDS
    return 8 * space + sign if space < SLOOP and count_of(view[HAND + seat], sign) else NO_MOVE
