"""A Focus position as text.

    c3 R d3 GR d4 BRG; red has 1, took GGB; green took R; red to move after 31 turns

First come the stacks, from the bottom up, then what seats have in reserve and have captured, as far as it is not
nothing, and whose move it is. `red has 1 to place` says that its first turn must place it.
"""

import re

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.errors import BadValue
from kibitz.core.native import compiled, pointer
from kibitz.games.focus.board import LETTERS, MOST_SEATS, TALLEST
from kibitz.games.focus.notation import NAMES, PLACES, letters_on
from kibitz.games.focus.rules import (
    CAPTURED,
    COUNT,
    EACH,
    HIGH,
    MOST_TURNS,
    RESERVE,
    SEAT,
    SEAT_NAMES,
    STACKS,
    TOPS,
    TURNS,
    WAITING,
    can_move,
    needed,
    put_stack,
    taken,
)

_COLOURS = "|".join(SEAT_NAMES)
_SEAT = re.compile(rf"({_COLOURS})(?: has (\d{{1,2}})( to place)?)?,?(?: took ([a-z]+))?")
_TO_MOVE = re.compile(rf"({_COLOURS}) to move(?: after (\d{{1,4}}) turns?)?")


def read(text: str, dealt: np.ndarray) -> np.ndarray:
    """Return the state that a text describes, with the options of a fresh deal; it may have fewer pieces."""
    state = dealt.copy()
    for first, cells in ((STACKS, 16), (RESERVE, MOST_SEATS), (CAPTURED, MOST_SEATS), (TOPS, MOST_SEATS)):
        state[first : first + cells] = 0
    state[HIGH : HIGH + TALLEST] = 0
    state[WAITING] = 0
    board, *seats = [" ".join(part.split()) for part in text.strip().rstrip(";").lower().split(";")]
    if not seats:
        raise BadValue("a position ends with whose turn it is, as in 'c3 R d3 GR; red to move'")
    _read_board(state, board)
    for part in seats[:-1]:
        _read_seat(state, part)
    _read_turn(state, seats[-1])
    _refuse_what_cannot_be(state)
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position; raise BadValue if the game is over."""
    if state[SEAT] == OVER:
        raise BadValue(f"the game is over after {state[TURNS]} turns; a position is one with a turn to come")
    parts = [" ".join(f"{name} {letters_on(state, at)}" for at, name in NAMES.items() if letters_on(state, at))]
    for seat in range(int(state[COUNT])):
        held, prey = int(state[RESERVE + seat]), _prey(state, seat)
        has = f" has {held}" + (" to place" if state[WAITING] >> seat & 1 else "") if held else ""
        took = f" took {prey}" if prey else ""
        if held or prey:
            parts.append(f"{SEAT_NAMES[seat]}{has}{',' if has and took else ''}{took}")
    return "; ".join([*parts, f"{SEAT_NAMES[state[SEAT]]} to move after {state[TURNS]} turns"])


@compiled
def _put(state, at, height, owners):
    put_stack(pointer(state), at, height, owners)


@compiled
def _can_move(state, seat):
    return can_move(pointer(state), seat)


@compiled
def _needed(state, seat):
    return needed(pointer(state), seat)


@compiled
def _taken(state, seat, captor):
    return taken(pointer(state), seat, captor)


def _prey(state: np.ndarray, seat: int) -> str:
    """Return the letters of what a seat has captured."""
    return "".join(LETTERS[other] * int(_taken(state, other, seat)) for other in range(int(state[COUNT])))


def _owners(state: np.ndarray, letters: str) -> list[int]:
    """Return the seats of letters; raise BadValue for one that nobody has."""
    known = LETTERS[: int(state[COUNT])]
    for letter in letters.upper():
        if letter not in known:
            raise BadValue(f"there is no colour {letter!r}; with {len(known)} seats the letters are {', '.join(known)}")
    return [known.index(letter) for letter in letters.upper()]


def _read_board(state: np.ndarray, board: str) -> None:
    words = board.split()
    if not words or len(words) % 2:
        raise BadValue(f"cannot read the board {board!r}; it is fields and stacks in turn, as in 'c3 R d3 GR'")
    for name, letters in zip(words[::2], words[1::2], strict=True):
        if name not in PLACES:
            raise BadValue(
                f"there is no field {name!r}; rows 1 and 8 are c to f, rows 2 and 7 b to g, the others a to h"
            )
        if letters_on(state, PLACES[name]):
            raise BadValue(f"there are two stacks on {name}")
        if len(letters) > TALLEST:
            raise BadValue(f"the stack {letters.upper()} on {name} has {len(letters)} pieces; {TALLEST} is the most")
        owners = sum(owner << 2 * piece for piece, owner in enumerate(reversed(_owners(state, letters))))
        _put(state, PLACES[name], len(letters), owners)


def _read_seat(state: np.ndarray, part: str) -> None:
    match = _SEAT.fullmatch(part)
    if match is None or match[1] not in SEAT_NAMES[: int(state[COUNT])]:
        raise BadValue(f"cannot read {part!r}; what a seat has is written as in 'red has 1, took GGB'")
    seat = SEAT_NAMES.index(match[1])
    state[RESERVE + seat] = int(match[2] or 0)
    if match[3]:
        state[WAITING] |= 1 << seat
    for other in _owners(state, match[4] or ""):
        if other == seat:
            raise BadValue(f"{match[1]} cannot capture its own pieces; they come into its reserve")
        state[CAPTURED + seat] += 1 << 8 * other


def _read_turn(state: np.ndarray, part: str) -> None:
    match = _TO_MOVE.fullmatch(part)
    if match is None or match[1] not in SEAT_NAMES[: int(state[COUNT])]:
        raise BadValue(f"a position ends with whose turn it is, as in 'red to move after 30 turns', not with {part!r}")
    state[SEAT], state[TURNS] = SEAT_NAMES.index(match[1]), int(match[2] or 0)
    if state[TURNS] >= MOST_TURNS:
        raise BadValue(f"the game is over after {MOST_TURNS} turns, so none goes on after {match[2]}")


def _refuse_what_cannot_be(state: np.ndarray) -> None:
    """Raise BadValue for too many pieces, or if the game is over or the seat to move cannot."""
    seats = range(int(state[COUNT]))
    for seat in seats:
        colour, pieces = SEAT_NAMES[seat], _pieces_of(state, seat)
        if pieces > state[EACH]:
            raise BadValue(f"there are {pieces} {colour} pieces, reserve and captured ones included, not {state[EACH]}")
        if _needed(state, seat) == 0:
            raise BadValue(f"the game is over in this position: {colour} has captured enough")
        if state[WAITING] >> seat & 1 and state[RESERVE + seat] != 1:
            raise BadValue(f"{colour} has {state[RESERVE + seat]} pieces to place first; it is 1")
    if not _can_move(state, int(state[SEAT])):
        raise BadValue(f"{SEAT_NAMES[state[SEAT]]} cannot move: it controls no stack and has nothing in reserve")
    if sum(bool(_can_move(state, seat)) for seat in seats) < 2:
        raise BadValue("the game is over in this position: only one seat can move")


def _pieces_of(state: np.ndarray, seat: int) -> int:
    """Return how many pieces a seat has anywhere."""
    on_board = sum(letters_on(state, at).count(LETTERS[seat]) for at in NAMES)
    captured = sum(int(_taken(state, seat, captor)) for captor in range(int(state[COUNT])))
    return on_board + int(state[RESERVE + seat]) + captured
