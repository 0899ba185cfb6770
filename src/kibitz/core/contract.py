"""The contract: the functions that make a game, with their signatures, and the array of addresses they become.

Compiled code takes a game as `rules`: the addresses of its functions in the order of SIGNATURES (0 for those that it
lacks), then sizes. core/calls.py calls them.
"""

from collections.abc import Callable, Mapping
from inspect import isfunction
from inspect import signature as signature_of
from typing import Any

import numpy as np

from kibitz.core.address import CELLS, DICE, INT, NOTHING, NUMBER, NUMBERS, Native, compile_together
from kibitz.core.errors import BadGame
from kibitz.core.native import HALT, INTERPRETED
from kibitz.core.scoring import Scoring

CONTRACT = 2  # docs/contract.md says what each number brought; a game declares CONTRACT, or means this one
OLDEST_CONTRACT = 1  # that games may declare
SINCE = {"odds": 2}  # rules that came after the first contract

OVER = -1  # what the cell SEAT holds when the game has ended
CHANCE = -2  # what it holds when chance moves: the outcomes are then the legal moves
UNKNOWN = -(2**62)  # what a view holds in a cell that the seat may not see

RULES = {  # rules.py: what is true
    "deal": NOTHING(CELLS, CELLS, DICE),  # deal(state, options, rng): a new game; all cells are 0 before
    "moves": INT(CELLS, CELLS),  # moves(state, out): list the legal moves, ascending; return how many, at least 1
    "play": NOTHING(CELLS, INT),  # play(state, move): advance in place
    "payoff": NOTHING(CELLS, NUMBERS),  # payoff(state, out): what each seat earned, 0..1 or as PAYOFF says
    # The others are optional; core/calls.py has their defaults.
    "view": NOTHING(CELLS, INT, CELLS),  # view(state, seat, out): the state with UNKNOWN where the seat may not look
    "guess": NOTHING(CELLS, INT, DICE),  # guess(view, seat, rng): fill every UNKNOWN in place
    "seen": INT(CELLS, INT, INT),  # seen(state, move, seat): its look; moves that the seat cannot tell apart look alike
    "sample": INT(CELLS, DICE),  # sample(state, rng): entry below(rng, n) of moves, without listing all n
    "progress": INT(CELLS),  # progress(state): how far the game has come
    "extent": INT(CELLS),  # extent(state): how many cells are in use; those after them mean nothing and are not copied
    "key": INT(CELLS),  # key(state): a hash, equal for positions that a search may treat as the same
    "odds": INT(CELLS, CELLS),  # odds(state, out): where chance moves, a weight, at least 1, for each entry of moves
}
HINTS = {  # hints.py: what only helps a search
    "hand_over": NOTHING(CELLS, INT),  # hand_over(state, seat): make it that seat's turn, as if the others had passed
    "alive": INT(CELLS),  # alive(state): bit s is set while seat s can do more than pass; the same for a view
    "away": INT(CELLS, INT),  # away(state, seat): a lower bound on the moves it needs to win if nobody else moves
    "repeats": INT(CELLS),  # repeats(state): how often the position has occurred before in this game
    "may_end": INT(CELLS),  # may_end(state): 0 if no move from here ends the game, else 1
    "turns_left": INT(CELLS),  # turns_left(state): the most turns until the game is over
    "safe_moves": INT(CELLS, CELLS),  # safe_moves(state, out): moves that do not let the other seat win next; -1: all
    "end_order": INT(CELLS, INT),  # end_order(state, move): the greater, the sooner a search to the end tries it
    "normal_key": INT(CELLS),  # normal_key(state): a hash, equal only for positions of equal value; 0: do not keep it
}
SIGNATURES = RULES | HINTS
ARGUMENTS = {
    "deal": "state, options, rng", "moves": "state, out", "play": "state, move", "payoff": "state, out",
    "view": "state, seat, out", "guess": "view, seat, rng", "seen": "state, move, seat", "sample": "state, rng",
    "odds": "state, out", "hand_over": "state, seat", "away": "state, seat", "safe_moves": "state, out",
    "end_order": "state, move",
    **dict.fromkeys(("progress", "extent", "key", "alive", "repeats", "may_end", "turns_left", "normal_key"), "state"),
}  # fmt: skip
REQUIRED = ("deal", "moves", "play", "payoff")

SEAT_VALUE = NUMBER(CELLS, NUMBERS, INT)  # value(state, weights, seat): the value of a position for one seat
TABLE_VALUE = NOTHING(CELLS, NUMBERS, NUMBERS)  # value(state, weights, out): … for every seat
PREPARE = NOTHING(CELLS, INT, NUMBERS)  # prepare(state, seat, weights): set weights by the root position of a search
POLICY = INT(CELLS, NUMBERS, DICE)  # policy(view, weights, rng): a quick choice of a legal move
FILTER = INT(CELLS, INT, DICE, CELLS, INT)  # filter(state, root, rng, moves, n): keep at least one; return how many
ORDER = INT(CELLS, INT)  # order(state, move): the greater, the sooner a search tries it

AT = {name: index for index, name in enumerate(SIGNATURES)}  # the place of each function in `rules`
SIZE, MOST_MOVES, SEATS, SEAT_CELL, HALT_AT, LEAST, SPAN, SHARED = range(len(AT), len(AT) + 8)

MOST_SEATS = 8
GUARD = 64  # cells after every state and list of moves that catch what a wrong rule writes there
INTACT = 0x6B69_6269_747A  # what the guard of a state holds


def rule(function: Callable[..., Any] | None = None) -> Native:
    """Declare a rule of a game; the name of the function says which."""
    return _named(function, RULES, "rule")


def hint(function: Callable[..., Any] | None = None) -> Native:
    """Declare a hint for searches; the name of the function says which."""
    return _named(function, HINTS, "hint")


def _named(function: Callable[..., Any] | None, known: Mapping[str, Any], what: str) -> Native:
    if not isfunction(function):
        raise TypeError(f"@{what} stands above a function, and takes nothing in brackets")
    name = function.__name__
    if name not in known:
        other = {"rule": HINTS, "hint": RULES}[what]
        place = f"; it is a {'hint and belongs in hints.py' if what == 'rule' else 'rule and belongs in rules.py'}"
        listed = place if name in other else f"; the {what}s are {', '.join(known)}"
        raise BadGame(f"{where(function)}: {name!r} is not a {what}{listed}")
    check_arguments(function, ARGUMENTS[name], what)
    return Native(function, known[name])


def check_arguments(function: Callable[..., Any], wanted: str, what: str) -> None:
    """Refuse a function that takes more or fewer arguments than in the contract, or takes them in another order."""
    given, names, name = list(signature_of(function).parameters), wanted.split(", "), function.__name__
    if len(given) != len(names):
        here = f"here it has {len(given)}"
        raise BadGame(f"{where(function)}: the {what} {name} takes {len(names)} arguments, and {here}: ({wanted})")
    if sorted(given) == sorted(names) and given != names:
        raise BadGame(f"{where(function)}: the {what} {name} takes ({wanted}), in this order")


def where(function: Callable[..., Any]) -> str:
    """Return the file and line of a function, for messages."""
    return f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"


def bind(
    found: Mapping[str, Native], size: int, most_moves: int, seats: int, seat_cell: int, scoring: Scoring
) -> Any:  # fmt: skip
    """Return `rules` as compiled code takes it, read-only; a SPAN of 0 says that wins count."""
    compile_together(found.values())
    handles = [found[name].handle if name in found else 0 for name in SIGNATURES]
    span = 0 if scoring.by_wins else scoring.span
    halt = HALT if INTERPRETED else HALT.ctypes.data
    entries = [*handles, size, most_moves, seats, seat_cell, halt, scoring.least, span, int(scoring.shared)]
    if INTERPRETED:
        return tuple(entries)
    return np.frombuffer(np.array(entries, dtype=np.int64).tobytes(), dtype=np.int64)
