"""A Cartagena position (Tortuga, standard board) as text, to set one up and to write one down.

    red 0*4 7 37 / hat*2 key; green 0*5 3 / skull; row hat key bottle; discards hat; green to move after 31 turns

Each seat has the spaces of its six pirates (0 is the start, 37 the sloop) and its cards. Without `row` the row is drawn
from the stock, without `discards` there are none, and without `after … turns` there were as few as the seat allows;
`, 1 action taken` may follow. All other cards are the stock, in an order that every deal draws anew.
"""

import re
from collections import Counter

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.defaults import set_up
from kibitz.core.dice import seed_from
from kibitz.core.errors import BadValue
from kibitz.games.cartagena.cards import fill_row
from kibitz.games.cartagena.cells import (
    ACTIONS,
    DECK,
    DISCARDS,
    DOUBLES,
    FOURS,
    HAND,
    HELD,
    HIDDEN,
    IN_ROW,
    MAX_TURNS,
    ONES,
    ROW,
    ROW_SIZE,
    SEAT,
    SEAT_COUNT,
    SEED,
    SIGNS,
    SINGLES,
    TURNS,
    TWOS,
)
from kibitz.games.cartagena.passage import PIRATES, SEGMENTS, SIGN_NAMES, SLOOP, SPACES
from kibitz.games.cartagena.posterior import guess_stock
from kibitz.games.cartagena.reader import by_sign, counts, pirates, row_of
from kibitz.games.cartagena.rules import SEAT_NAMES

MOST_ON_A_SPACE = 3
MOST_DIGITS = 4
_TO_MOVE = re.compile(r"(\w+) to move(?: after (\d{1,4}) turns?)?(?:, ([12]) actions? taken)?")
_TIMES = re.compile(r"(\w+)(?:\*(\d{1,3}))?")


@rule
def deal(state, options, rng):
    set_up(state, options)
    guess_stock(state, rng)
    state[SEED] = seed_from(rng)
    if state[ROW] == UNKNOWN:
        state[ROW] = 0
        fill_row(state)


def read(text: str, dealt: np.ndarray) -> np.ndarray:
    """Return the state that a text describes, with the options of a fresh deal; the stock is left to `deal`."""
    state = dealt.copy()
    if state[HIDDEN]:
        raise BadValue("a position can be given as text only where hands are open: version=tortuga")
    if not _has_standard_board(state):
        raise BadValue("a position can be given as text only on the standard board: board=standard")
    for cells in (ONES, TWOS, FOURS, HAND, HELD):
        state[cells : cells + len(SEAT_NAMES)] = 0
    state[SINGLES] = state[DOUBLES] = state[DISCARDS] = state[IN_ROW] = 0
    state[ROW] = UNKNOWN
    *parts, last = [" ".join(part.split()) for part in text.strip().rstrip(";").lower().split(";")]
    names, told = SEAT_NAMES[: state[SEAT_COUNT]], []
    for part in parts:
        word, _, rest = part.partition(" ")
        told.append(word)
        if word in names:
            _read_seat(state, names.index(word), rest)
        elif word == "row":
            _read_row(state, rest)
        elif word == "discards":
            state[DISCARDS] = _pile(_cards(rest))
        else:
            raise BadValue(f"cannot read {part!r}; a part begins with {', '.join(names)}, row or discards")
    if sorted(set(told) - {"row", "discards"}) != sorted(names) or len(set(told)) != len(told):
        raise BadValue(f"a position tells of {', '.join(names)} once each, not of {', '.join(told) or 'nobody'}")
    _read_turn(state, names, last)
    _check(state)
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position; a game that is over is a BadValue, since nobody is to move in it."""
    if state[SEAT] == OVER or state[HIDDEN]:
        raise BadValue("a position is one with open hands and a move to come")
    parts = []
    for seat in range(state[SEAT_COUNT]):
        where = {str(space): pirates(state, seat, space) for space in range(SLOOP + 1)}
        parts.append(f"{SEAT_NAMES[seat]} {_listed(where)} / {_listed(by_sign(int(state[HAND + seat])))}".strip())
    parts.append(" ".join(["row", *(SIGN_NAMES[sign] for sign in row_of(state))]))
    parts.append(f"discards {_listed(by_sign(int(state[DISCARDS])))}".strip())
    taken = f", {state[ACTIONS]} action{'s' if state[ACTIONS] > 1 else ''} taken" if state[ACTIONS] else ""
    return "; ".join([*parts, f"{SEAT_NAMES[state[SEAT]]} to move after {state[TURNS]} turns{taken}"])


def _has_standard_board(state: np.ndarray) -> bool:
    signs = SEGMENTS.ravel().tolist()
    return all(int(state[SIGNS + sign]) >> space & 1 for space, sign in enumerate(signs, 1))


def _listed(found: dict[str, int]) -> str:
    return " ".join(name if n == 1 else f"{name}*{n}" for name, n in found.items() if n)


def _counted(text: str) -> Counter[str]:
    """Read words with how often each is meant."""
    found: Counter[str] = Counter()
    for word in text.split():
        match = _TIMES.fullmatch(word)
        if match is None:
            raise BadValue(f"cannot read {word!r}; several of a kind are written as in 'hat*2'")
        found[match[1]] += int(match[2] or 1)
    return found


def _cards(text: str) -> list[int]:
    found = _counted(text)
    for name in found:
        if name not in SIGN_NAMES:
            raise BadValue(f"there is no sign {name!r}; the signs are {', '.join(SIGN_NAMES)}")
    return [found[name] for name in SIGN_NAMES]


def _pile(cards: list[int]) -> int:
    return sum(min(n, 255) << 8 * sign for sign, n in enumerate(cards))


def _read_seat(state: np.ndarray, seat: int, text: str) -> None:
    spaces, _, cards = text.partition("/")
    where = {"start": "0", "sloop": str(SLOOP)}
    for name, n in _counted(spaces).items():
        space = where.get(name, name)
        if not space.isdecimal() or len(space) > MOST_DIGITS or int(space) > SLOOP:
            raise BadValue(f"there is no space {name!r}; spaces are 0, the start, to {SLOOP}, the sloop")
        for bit, cells in enumerate((ONES, TWOS, FOURS)):
            state[cells + seat] |= (min(n, PIRATES + 1) >> bit & 1) << int(space)
    held = _cards(cards)
    state[HAND + seat], state[HELD + seat] = _pile(held), sum(held)


def _read_row(state: np.ndarray, text: str) -> None:
    signs = text.split()
    _cards(text)
    if any("*" in sign for sign in signs) or len(signs) > state[ROW_SIZE]:
        raise BadValue(f"the row is up to {state[ROW_SIZE]} signs in order, one by one, not {text!r}")
    state[ROW] = sum((SIGN_NAMES.index(sign) + 1) << 4 * k for k, sign in enumerate(signs))
    state[IN_ROW] = len(signs)


def _read_turn(state: np.ndarray, names: tuple[str, ...], part: str) -> None:
    match = _TO_MOVE.fullmatch(part)
    if match is None or match[1] not in names:
        raise BadValue(f"a position ends with whose turn it is, as in 'red to move after 30 turns', not with {part!r}")
    seat = names.index(match[1])
    turns = int(match[2] or seat)
    if turns % len(names) != seat:
        raise BadValue(f"after {turns} turns it is {names[turns % len(names)]} to move, not {match[1]}")
    if turns >= state[MAX_TURNS]:
        raise BadValue(f"the game is over after {state[MAX_TURNS]} turns, so none goes on after {turns}")
    state[SEAT], state[TURNS], state[ACTIONS] = seat, turns, int(match[3] or 0)


def _check(state: np.ndarray) -> None:
    """Refuse wrong numbers of pirates and cards, and count the pirates of all seats on each space."""
    seats = range(state[SEAT_COUNT])
    for seat in seats:
        stand = sum(pirates(state, seat, space) for space in range(SLOOP + 1))
        if stand != PIRATES:
            raise BadValue(f"{SEAT_NAMES[seat]} has {stand} pirates; a seat has {PIRATES}")
        if pirates(state, seat, SLOOP) == PIRATES:
            raise BadValue(f"the game is over in this position: all pirates of {SEAT_NAMES[seat]} are on the sloop")
    for space in range(1, SPACES + 1):
        crowd = sum(pirates(state, seat, space) for seat in seats)
        if crowd > MOST_ON_A_SPACE:
            raise BadValue(
                f"there are {crowd} pirates on space {space}; no more than {MOST_ON_A_SPACE} can stand there"
            )
        state[SINGLES] |= (crowd & 1) << space
        state[DOUBLES] |= (crowd >> 1) << space
    piles = [state[DISCARDS], *(state[HAND + seat] for seat in seats)]
    row = row_of(state) if state[ROW] != UNKNOWN else []
    for sign, name in enumerate(SIGN_NAMES):
        shown, there = sum(counts(pile)[sign] for pile in piles) + row.count(sign), counts(state[DECK])[sign]
        if shown > there:
            raise BadValue(f"there are {shown} cards with the sign {name}; a game has {there}")
