"""The contract: a game is a handful of compiled functions on a flat array.

A rule is machine code reached through its address, so one compiled search serves every game. Compiled code holds a game
as `rules`, an array of addresses and sizes, and calls `turn(rules, state)`, `play(rules, state, move)` and so on. Rules
see cells only: `state[i]` is all that works inside them, which keeps a call at two nanoseconds and lets the same source
run interpreted (NUMBA_DISABLE_JIT=1), where `rules` is a tuple of plain functions.

An error raised inside a rule travels through the compiled caller and surfaces in Python.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.core.dice import below
from kibitz.core.hashing import hash_cells
from kibitz.core.native import INTERPRETED, helper, keep_on_disk

OVER = -1  # what `turn` answers when the game has ended
UNKNOWN = -(2**62)  # what a view shows in a cell that the seat may not know

CELLS = types.CPointer(types.int64)
NUMBERS = types.CPointer(types.float64)
DICE = types.CPointer(types.uint64)
INT = types.int64
NOTHING = types.void

SIGNATURES = {
    "deal": NOTHING(CELLS, CELLS, DICE),  # deal(state, options, rng): a fresh game; the cells come in as 0
    "turn": INT(CELLS),  # turn(state): the seat to move, or OVER
    "moves": INT(CELLS, CELLS),  # moves(state, out): list the legal moves, ascending; how many
    "play": NOTHING(CELLS, INT),  # play(state, move): advance in place
    "payoff": NOTHING(CELLS, NUMBERS),  # payoff(state, out): what each seat earned, 0..1
    # Optional from here on; the callers below say what happens without them.
    "view": NOTHING(CELLS, INT, CELLS),  # view(state, seat, out): the state with UNKNOWN where the seat may not look
    "guess": NOTHING(CELLS, INT, DICE),  # guess(view, seat, rng): fill every UNKNOWN in place
    "seen": INT(CELLS, INT, INT),  # seen(state, move, seat): how it looks to a seat: itself, one like it, or no move
    "hand_over": NOTHING(CELLS, INT),  # hand_over(state, seat): make it that seat's turn
    "draw": INT(CELLS, DICE),  # draw(state, rng): moves' entry number below(rng, n), without listing them all
    "progress": INT(CELLS),  # progress(state): how far the game has come, in units the game names
    "extent": INT(CELLS),  # extent(state): how many cells are in use; those behind them mean nothing and are not copied
    "key": INT(CELLS),  # key(state): a hash, equal for positions that a search may treat as the same
    "alive": INT(CELLS),  # alive(state): bit s is set while seat s can do more than pass; the same for a view
    "away": INT(CELLS, INT),  # away(state, seat): at least so many moves of its own from winning, when nobody else can
    "repeats": INT(CELLS),  # repeats(state): how often the position has occurred before in this game
}
REQUIRED = ("deal", "turn", "moves", "play", "payoff")
VALUE = NOTHING(CELLS, NUMBERS, NUMBERS)  # value(state, weights, out): what the position seems worth to each seat
PART = types.float64(CELLS, NUMBERS, INT)  # part(state, weights, seat): what a value writes for one seat
LOOK = NOTHING(CELLS, INT, NUMBERS)  # look(state, seat, weights): set weights by the position a search begins with
POLICY = INT(CELLS, NUMBERS, DICE)  # policy(view, weights, rng): a quick choice of a legal move
SIEVE = INT(
    CELLS, INT, DICE, CELLS, INT
)  # sieve(state, root, rng, moves, n): keep some in place, at least one; how many
RANKING = INT(CELLS, INT)  # ranking(state, move): the greater, the sooner a search tries it

# Where things stand in `rules`: the addresses in the order of SIGNATURES, then sizes, and the cell that holds the turn.
_AT = {name: index for index, name in enumerate(SIGNATURES)}
SIZE, MOST_MOVES, SEATS, TURN_CELL = range(len(_AT), len(_AT) + 4)
HAND_OVER, GUESS = _AT["hand_over"], _AT["guess"]


class Native:
    """A function compiled for one signature and reached by its address; called from Python it runs interpreted."""

    def __init__(self, function: Callable[..., Any], signature: Any):
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self._signature = signature
        self._address: int | None = None
        self._dispatcher: Any = None

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    @property
    def handle(self) -> Any:
        """What compiled code calls it by: an address, or the plain function where nothing is compiled."""
        if INTERPRETED:
            return self.function
        if self._address is None:
            self._dispatcher = keep_on_disk(self.function, self._signature)
            (built,) = self._dispatcher.overloads.values()
            self._address = built.library.get_pointer_to_function(built.fndesc.llvm_func_name)
        return self._address


def rule(function: Callable[..., Any]) -> Native:
    """Make a function of the contract out of the function that bears its name."""
    if function.__name__ not in SIGNATURES:
        raise TypeError(f"{function.__name__!r} is no rule; the rules are {', '.join(SIGNATURES)}")
    return Native(function, SIGNATURES[function.__name__])


def bind(found: Mapping[str, Native], size: int, most_moves: int, seats: int, turn_cell: int = -1) -> Any:
    """Return `rules` as compiled code takes it; `turn_cell` is the cell to read the turn from, -1 if there is none."""
    handles = [found[name].handle if name in found else 0 for name in SIGNATURES]
    entries = [*handles, size, most_moves, seats, turn_cell]
    return tuple(entries) if INTERPRETED else np.array(entries, dtype=np.int64)


def _emit_call(context: Any, builder: Any, address: Any, signature: Any, given: Any, args: Any) -> Any:
    convention = context.call_conv
    kind = convention.get_function_type(signature.return_type, signature.args)
    target = builder.inttoptr(address, kind.as_pointer())
    values = []
    for value, source, wanted in zip(args, given, signature.args, strict=True):
        if isinstance(source, types.Array):
            values.append(context.make_array(source)(context, builder, value).data)
        else:
            values.append(context.cast(builder, value, source, wanted))
    status, result = convention.call_function(builder, target, signature.return_type, signature.args, values)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result


def caller(signature: Any) -> Callable[..., Any]:
    """Return the function that compiled code uses to call an address with this signature: call(address, *args)."""
    if INTERPRETED:
        return lambda function, *args: function(*args)

    def typed(address: Any, *given: Any) -> Any:
        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            return _emit_call(context, builder, args[0], signature, given, args[1:])

        return signature.return_type(address, *given), codegen

    by_arity: dict[int, Callable[..., Any]] = {
        1: lambda typingctx, address, a: typed(address, a),
        2: lambda typingctx, address, a, b: typed(address, a, b),
        3: lambda typingctx, address, a, b, c: typed(address, a, b, c),
        5: lambda typingctx, address, a, b, c, d, e: typed(address, a, b, c, d, e),
        7: lambda typingctx, address, a, b, c, d, e, f, g: typed(address, a, b, c, d, e, f, g),
    }
    return intrinsic(by_arity[len(signature.args)])


_call_cells_int = caller(SIGNATURES["turn"])
_call_deal = caller(SIGNATURES["deal"])
_call_moves = caller(SIGNATURES["moves"])
_call_play = caller(SIGNATURES["play"])
_call_payoff = caller(SIGNATURES["payoff"])
_call_view = caller(SIGNATURES["view"])
_call_guess = caller(SIGNATURES["guess"])
_call_seen = caller(SIGNATURES["seen"])
_call_draw = caller(SIGNATURES["draw"])
_call_away = caller(SIGNATURES["away"])

evaluate = caller(VALUE)
evaluate_for = caller(PART)
look_first = caller(LOOK)
pick = caller(POLICY)
sift = caller(SIEVE)
rank = caller(RANKING)

_DEAL, _TURN, _MOVES, _PLAY, _PAYOFF = (_AT[name] for name in REQUIRED)
_VIEW, _SEEN, _DRAW, _PROGRESS = _AT["view"], _AT["seen"], _AT["draw"], _AT["progress"]
_EXTENT, _KEY, _ALIVE, _AWAY, _REPEATS = (_AT[name] for name in ("extent", "key", "alive", "away", "repeats"))


@helper
def deal(rules, state, options, rng):
    """Deal a fresh game into `state`."""
    for i in range(rules[SIZE]):
        state[i] = 0
    _call_deal(rules[_DEAL], state, options, rng)


@helper
def turn(rules, state):
    """Return the seat to move, or OVER."""
    if rules[TURN_CELL] >= 0:
        return state[rules[TURN_CELL]]
    return _call_cells_int(rules[_TURN], state)


@helper
def moves(rules, state, out):
    """List the legal moves in ascending order and return how many there are."""
    return _call_moves(rules[_MOVES], state, out)


@helper
def play(rules, state, move):
    """Play a legal move."""
    _call_play(rules[_PLAY], state, move)


@helper
def payoff(rules, state, out):
    """Write what each seat earned."""
    _call_payoff(rules[_PAYOFF], state, out)


@helper
def extent(rules, state):
    """Return how many cells of a state are in use; all of them in a game without the rule."""
    if rules[_EXTENT] == 0:
        return rules[SIZE]
    return _call_cells_int(rules[_EXTENT], state)


@helper
def copy(rules, state, out):
    """Copy a state."""
    for i in range(extent(rules, state)):
        out[i] = state[i]


@helper
def key(rules, state):
    """Return a hash of the position; without the rule `key`, of every cell in use."""
    if rules[_KEY] == 0:
        return hash_cells(state, extent(rules, state))
    return _call_cells_int(rules[_KEY], state)


@helper
def view(rules, state, seat, out):
    """Write what `seat` may see; a game without the rule `view` has no secrets."""
    if rules[_VIEW] == 0:
        copy(rules, state, out)
    else:
        _call_view(rules[_VIEW], state, seat, out)


@helper
def guess(rules, view, seat, rng):
    """Turn a view into a world in place; a game without the rule `guess` has nothing to guess."""
    if rules[GUESS] != 0:
        _call_guess(rules[GUESS], view, seat, rng)


@helper
def seen(rules, state, move, seat):
    """Return how a move looks to a seat; without the rule `seen` everyone sees the move itself."""
    if rules[_SEEN] == 0:
        return move
    return _call_seen(rules[_SEEN], state, move, seat)


@helper
def hand_over(rules, state, seat):
    """Make it `seat`'s turn; only for games that have the rule."""
    _call_play(rules[HAND_OVER], state, seat)


@helper
def draw(rules, state, rng, room):
    """Return a random legal move; `room` is scratch space for a list of moves."""
    if rules[_DRAW] == 0:
        return room[below(rng, _call_moves(rules[_MOVES], state, room))]
    return _call_draw(rules[_DRAW], state, rng)


@helper
def progress(rules, state):
    """Return how far the game has come; 0 in a game without the rule."""
    if rules[_PROGRESS] == 0:
        return 0
    return _call_cells_int(rules[_PROGRESS], state)


@helper
def alive(rules, state):
    """Return which seats can still do more than pass, as bits; all of them in a game without the rule."""
    if rules[_ALIVE] == 0:
        return (1 << rules[SEATS]) - 1
    return _call_cells_int(rules[_ALIVE], state)


@helper
def away(rules, state, seat):
    """Return a number of own moves that a seat left alone needs at least to win; 0 in a game without the rule."""
    if rules[_AWAY] == 0:
        return 0
    return _call_away(rules[_AWAY], state, seat)


@helper
def repeats(rules, state):
    """Return how often the position has occurred before; 0 in a game without the rule."""
    if rules[_REPEATS] == 0:
        return 0
    return _call_cells_int(rules[_REPEATS], state)
