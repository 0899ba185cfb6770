"""Random games, position by position; and buffers with spare cells after them, which reveal writes of a wrong rule."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.arrays import Int64s, UInt64s
from kibitz.core.calls import extent, key, normal_key, play, safe_moves, sample, turn
from kibitz.core.contract import HALT_AT, INTACT, OVER
from kibitz.core.dice import derive, dice, roll
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM
from kibitz.core.laws.law import Broken, DoesNotApply, Position, examine
from kibitz.core.native import compiled, from_python, heed, helper, pointer
from kibitz.core.playout import HEEDED, guess_world, look, pick_once, who
from kibitz.core.table import Table

PLIES = 150  # of a random game that laws examine at most
SPARE = 4096  # cells after a buffer: as far as a wrong rule is likely to write
WATCHED, MOST_LAST, MOST_NAMED = 1000, 10, 8  # further moves of an endless game, those told, and cells that are named
MOST_PLIES = 1_000_000  # a longer game of random moves counts as endless
_MOVING, _GUESSING = range(2)  # streams of dice; the deal has its own

make_move = from_python(play)
key_of = from_python(key)
normal_key_of = from_python(normal_key)
safe_moves_of = from_python(safe_moves)
extent_of = from_python(extent)


def walk(game: Game, seed: int, plies: int = PLIES) -> Iterator[Table]:
    """Play a random game; yield the table before each of its first `plies` moves."""
    table, rng = fresh_table(game, seed), dice_to_move(seed)
    while not table.over and table.ply < plies:
        examine(table)
        yield table
        examine(table)
        step(table, rng)


def fresh_table(game: Game, seed: int) -> Table:
    """Return a new table; a rule that fails breaks a law."""
    try:
        table = Table(game, seed)
    except BadGame as error:
        raise Broken(str(error), Position(str(game), seed)) from error
    examine(table)
    return table


def step(table: Table, rng: UInt64s) -> None:
    """Play a random move; a rule that fails breaks a law."""
    try:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    except BadGame as error:
        raise Broken(str(error), table) from error


def dice_to_move(seed: int) -> UInt64s:
    """Return the dice for the moves of a random game, independent of its deal."""
    return dice(derive(seed, _MOVING))


def dice_to_guess(seed: int) -> UInt64s:
    """Return dice for guesses in a random game."""
    return dice(derive(seed, _GUESSING))


def guesses(game: Game, seed: int) -> Iterator[tuple[Table, int, Int64s, Int64s]]:
    """Yield for each position of a random game and each seat its view and a roomy world guessed from it."""
    if not game.hidden:
        raise DoesNotApply("the game hides nothing")
    rng = dice(derive(seed, _GUESSING))
    for table in walk(game, seed):
        for seat in range(game.seats):
            view = table.view(seat)
            world = roomy(game, view)
            examine(table, seat)
            guess_world(game.rules, world, seat, rng)
            yield table, seat, view, world


def first_difference(game: Game, one: Int64s, other: Int64s) -> str:
    """Return the name of the first cell in which two positions differ; empty if they are equal."""
    differing = np.flatnonzero(one[: game.size] != other[: game.size])
    return game.cells.name_of(int(differing[0])) if len(differing) else ""


def played_out(game: Game, seed: int) -> Table:
    """Return a random game at its end; an endless game breaks a law."""
    table, rng = fresh_table(game, seed), dice_to_move(seed)
    while not table.over and table.ply < PLIES:
        step(table, rng)
    if not table.over:
        state, room = roomy(game, table.copy_of_truth()), roomy_list(game)
        if play_on(game.rules, state, MOST_PLIES, rng.copy(), room) == MOST_PLIES:
            what = f"a game is not over after {MOST_PLIES:,} random moves; {_what_goes_on(game, state, rng, room)}"
            raise Broken(what, Position(str(game), seed))
    while not table.over:
        step(table, rng)
    return table


def _what_goes_on(game: Game, state: Int64s, rng: UInt64s, room: Int64s) -> str:
    """Return in words which cells still change in a game that does not end, and its last moves."""
    before, changed, made = state[: game.size].copy(), np.zeros(game.size, dtype=bool), list[str]()
    view = game.new_state()
    for ply in range(WATCHED):
        if who(game.rules, state) == OVER:
            break
        move = int(pick_once(game.rules, RANDOM.handle, RANDOM.weights, state, rng, room))
        if ply >= WATCHED - MOST_LAST:
            look(game.rules, state, max(int(who(game.rules, state)), 0), view)
            made.append(game.write(view[: game.size].copy(), move))
        make_move(game.rules, state, move)
        changed |= state[: game.size] != before
    names = list(dict.fromkeys(game.cells.name_of(int(cell)) for cell in np.flatnonzero(changed)))
    more = f" and {len(names) - MOST_NAMED} others" if len(names) > MOST_NAMED else ""
    still = f"in the next {WATCHED:,} only {', '.join(names[:MOST_NAMED])}{more} change" if names else "no cell changes"
    return f"{still}, of {game.size} cells, and the last moves are {', '.join(made)}"


def roomy(game: Game, cells: Int64s) -> Int64s:
    """Return a position in a buffer with spare cells after it."""
    state = np.full(game.size + SPARE, INTACT, dtype=np.int64)
    state[: game.size] = cells
    return state


def roomy_list(game: Game) -> Int64s:
    """Return a buffer for a list of moves with spare cells after it."""
    return np.full(game.most_moves + SPARE, INTACT, dtype=np.int64)


@helper
def advance(rules, state, plies, rng, room):
    """Play `plies` random moves in place, fewer if the game ends; return how many."""
    for ply in range(plies):
        if turn(rules, state) == OVER:
            return ply
        play(rules, state, sample(rules, state, rng, room))
        if ply & HEEDED == HEEDED:
            heed(rules[HALT_AT])
    return plies


@compiled
def play_on(rules_, state_, plies, rng_, room_):
    """Play `plies` random moves in place, fewer if the game ends; return how many."""
    return advance(pointer(rules_), pointer(state_), plies, pointer(rng_), pointer(room_))
