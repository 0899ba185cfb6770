"""Random games, position by position; and positions with room for mistakes behind them."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.calls import extent, key, normal_key, play, safe_moves, sample, turn
from kibitz.core.contract import HALT_AT, INTACT, OVER
from kibitz.core.dice import derive, dice, roll
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, Position
from kibitz.core.native import compiled, heed, pointer
from kibitz.core.playout import HEEDED
from kibitz.core.table import Table

PLIES = 150  # of a random game that are looked at
SPARE = 4096  # cells behind a buffer: as far as a rule that is wrong is likely to write
MOST_PLIES = 1_000_000  # a game of random moves that is longer counts as one that never ends
_MOVING, _GUESSING = range(2)  # streams of dice; the deal has its own


def walk(game: Game, seed: int, plies: int = PLIES) -> Iterator[Table]:
    """Play a random game, yielding the table before each of its first moves."""
    table, rng = fresh_table(game, seed), dice_to_move(seed)
    while not table.over and table.ply < plies:
        yield table
        step(table, rng)


def fresh_table(game: Game, seed: int) -> Table:
    """Return a fresh table; rules that go wrong break a law."""
    try:
        return Table(game, seed)
    except BadGame as error:
        raise Broken(str(error), Position(str(game), seed, (), ())) from error


def step(table: Table, rng: np.ndarray) -> None:
    """Play a random move; rules that go wrong break a law."""
    try:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    except BadGame as error:
        raise Broken(str(error), Position.of(table)) from error


def dice_to_move(seed: int) -> np.ndarray:
    """Return the dice for the moves of a random game; they say nothing about its deal."""
    return dice(derive(seed, _MOVING))


def dice_to_guess(seed: int) -> np.ndarray:
    """Return dice for guesses in a random game."""
    return dice(derive(seed, _GUESSING))


def played_out(game: Game, seed: int) -> Table:
    """Return a random game at its end; one that does not come to it breaks a law."""
    table, rng = fresh_table(game, seed), dice_to_move(seed)
    while not table.over and table.ply < PLIES:
        step(table, rng)
    if not table.over:
        state, room = roomy(game, table.copy_of_truth()), roomy_list(game)
        if play_on(game.rules, state, MOST_PLIES, rng.copy(), room) == MOST_PLIES:
            raise Broken(f"a game is not over after {MOST_PLIES:,} random moves", Position(str(game), seed, (), ()))
    while not table.over:
        step(table, rng)
    return table


def roomy(game: Game, cells: np.ndarray) -> np.ndarray:
    """Return a position in a buffer with plenty of untouched cells behind it."""
    state = np.full(game.size + SPARE, INTACT, dtype=np.int64)
    state[: game.size] = cells
    return state


def roomy_list(game: Game) -> np.ndarray:
    """Return room for a list of moves with plenty of untouched cells behind it."""
    return np.full(game.most_moves + SPARE, INTACT, dtype=np.int64)


@compiled
def play_on(rules_, state_, plies, rng_, room_):
    """Play so many random moves in place, fewer if the game ends; return how many."""
    rules, state, rng, room = pointer(rules_), pointer(state_), pointer(rng_), pointer(room_)
    for ply in range(plies):
        if turn(rules, state) == OVER:
            return ply
        play(rules, state, sample(rules, state, rng, room))
        if ply & HEEDED == HEEDED:
            heed(rules[HALT_AT])
    return plies


@compiled
def make_move(rules, state, move):
    """Play a move that is known to be legal."""
    play(pointer(rules), pointer(state), move)


@compiled
def key_of(rules, state):
    """Return the hash of a position."""
    return key(pointer(rules), pointer(state))


@compiled
def normal_key_of(rules, state):
    """Return the hash that a position shares with those that are worth the same."""
    return normal_key(pointer(rules), pointer(state))


@compiled
def safe_moves_of(rules, state, out):
    """List the moves that the game calls safe and return how many; -1 for all."""
    return safe_moves(pointer(rules), pointer(state), pointer(out))


@compiled
def extent_of(rules, state):
    """Return how many cells of a position are in use."""
    return extent(pointer(rules), pointer(state))
