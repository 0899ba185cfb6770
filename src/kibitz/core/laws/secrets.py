"""Laws on secrets: what a view shows, what a guess may be, what a seat is told."""

from collections import defaultdict

import numpy as np

from kibitz.core.arrays import Int64s, UInt64s
from kibitz.core.contract import GUARD, OVER, UNKNOWN
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, examine, law, some_of
from kibitz.core.laws.walk import (
    MOST_PLIES,
    dice_to_guess,
    dice_to_move,
    extent_of,
    first_difference,
    guesses,
    make_move,
    play_on,
    roomy,
    roomy_list,
    walk,
)
from kibitz.core.playout import guess_world, legal_moves, look, look_of, who
from kibitz.core.table import Table

TOLD_EVERY = 5  # plies between the positions in which what seats are told is compared
WORLDS = 5  # guessed worlds that are compared there
LAST_OPEN_PLY = 40


@law
def the_seat_to_move_finds_its_moves_in_its_view(game: Game, seed: int) -> None:
    """The view of the seat to move shows its turn and has the same legal moves as the state."""
    room = roomy_list(game)
    for table in walk(game, seed):
        view = roomy(game, table.view(table.turn))
        if who(game.rules, view) != table.turn:
            raise Broken(f"the view of seat {table.turn + 1} does not show that it is to move", table)
        listed = room[: legal_moves(game.rules, view, room)].tolist()
        if listed != table.moves():
            raise Broken(
                f"seat {table.turn + 1} finds the moves {some_of(listed)} in its view, not {some_of(table.moves())}",
                table,
            )


@law
def a_view_is_the_same_again(game: Game, seed: int) -> None:
    """Two looks at the same position show a seat the same."""
    for table in walk(game, seed):
        for seat in range(game.seats):
            name = first_difference(game, table.view(seat), table.view(seat))
            if name:
                raise Broken(f"two views of seat {seat + 1} differ in {name}", table)


@law
def what_is_hidden_can_be_guessed(game: Game, seed: int) -> None:
    """No cell of a view is UNKNOWN in a game without the rule guess."""
    if game.has("guess"):
        raise DoesNotApply("the game has the rule guess")
    for table in walk(game, seed):
        for seat in range(game.seats):
            name = _first_unknown(game, table.view(seat))
            if name:
                raise Broken(f"seat {seat + 1} may not see {name}, and no rule guess fills it in", table)


def _first_unknown(game: Game, cells: Int64s) -> str:
    """Return the name of the first cell that is UNKNOWN; empty if there is none."""
    return first_difference(game, cells, np.where(cells == UNKNOWN, UNKNOWN + 1, cells))


@law
def a_guess_fills_every_unknown(game: Game, seed: int) -> str | None:
    """A guess leaves no cell UNKNOWN."""
    hides = False
    for table, seat, view, world in guesses(game, seed):
        hides = hides or bool((view == UNKNOWN).any())
        name = _first_unknown(game, world)
        if name:
            raise Broken(f"the guess of seat {seat + 1} leaves {name} UNKNOWN", table)
    return None if hides else "no view holds UNKNOWN, so nothing is hidden from anyone"


@law
def a_guess_keeps_what_is_known(game: Game, seed: int) -> None:
    """A guess changes nothing that the seat can see, nor whose turn it is."""
    for table, seat, view, world in guesses(game, seed):
        name = first_difference(game, np.where(view == UNKNOWN, view, world[: game.size]), view)
        if name:
            raise Broken(f"the guess of seat {seat + 1} changes {name}, which it can see", table)
        if who(game.rules, world) != table.turn:
            raise Broken(f"the guess of seat {seat + 1} changes whose turn it is", table)


@law
def a_guessed_world_looks_the_same(game: Game, seed: int) -> None:
    """In a guessed world the seat has the same view as before."""
    again = game.new_state()
    for table, seat, view, world in guesses(game, seed):
        again[: game.size] = 0
        look(game.rules, world, seat, again)
        name = first_difference(game, again, view)
        if name:
            raise Broken(f"in a world guessed by seat {seat + 1} it sees another {name}", table)


@law
def a_guessed_world_can_be_played_to_its_end(game: Game, seed: int) -> None:
    """Random moves in a guessed world end the game."""
    rng, room = dice_to_move(seed), roomy_list(game)
    for table, seat, _, world in guesses(game, seed):
        try:
            play_on(game.rules, world, MOST_PLIES, rng, room)
        except BadGame as error:
            raise Broken(f"in a world guessed by seat {seat + 1} {error}", table) from error
        if who(game.rules, world) != OVER:
            raise Broken(f"a world guessed by seat {seat + 1} cannot be played to its end", table)


@law
def what_a_seat_is_told_holds_in_all_its_worlds(game: Game, seed: int) -> None:
    """What a seat is told of a move is the same in all worlds that look the same to it."""
    if not game.hidden:
        raise DoesNotApply("the game hides nothing")
    rng = dice_to_guess(seed)
    for table in walk(game, seed):
        if table.ply % TOLD_EVERY != seed % TOLD_EVERY:
            continue
        for seat in {*range(game.seats)} - {table.turn}:
            examine(table, seat)
            for code, sentences in _told_in_worlds(game, table, seat, rng).items():
                if len(sentences) > 1:
                    told = sorted(map(str, sentences))
                    raise Broken(
                        f"of a move that looks like {code} to seat {seat + 1} it is told {told}, depending on what it "
                        f"cannot see",
                        table,
                    )
            examine(table)
            heard = {move: table.told(move, seat) for move in table.moves()}
            wrong = [move for move, text in heard.items() if text not in (None, table.write(move))]
            if wrong:
                raise Broken(f"seat {seat + 1} is told {heard[wrong[0]]!r} of move {wrong[0]}", table)


def _told_in_worlds(game: Game, table: Table, seat: int, rng: UInt64s) -> dict[int, set[str | None]]:
    """Return what a seat is told of moves in worlds that look the same to it, by how the moves look to it."""
    told: dict[int, set[str | None]] = defaultdict(set)
    world = Table(game, 0)
    world._turn = table.turn
    for _ in range(WORLDS):
        world._state[: game.size] = table.view(seat)
        guess_world(game.rules, world._state, seat, rng)
        for move in world.moves():
            told[int(look_of(game.rules, world._state, move, seat))].add(world.told(move, seat))
    return told


@law
def moves_look_alike_to_a_seat_whose_view_does_not_tell_them_apart(game: Game, seed: int) -> None:
    """Moves that lead to different positions of which another seat has the same view look alike to that seat."""
    if not game.hidden:
        raise DoesNotApply("the game hides nothing")
    for table in walk(game, seed):
        moves = table.moves()
        after = [_after(game, table, move) for move in moves] if len(moves) > 1 else []
        for seat in {*range(game.seats)} - {table.turn} if after else ():
            looks = [int(look_of(game.rules, table._state, move, seat)) for move in moves]
            if len({*looks}) > 1:
                _compare_looks(game, table, seat, list(zip(moves, looks, after, strict=True)))


def _after(game: Game, table: Table, move: int) -> Int64s:
    """Return the position after a move."""
    state = roomy(game, table.copy_of_truth())
    make_move(game.rules, state, move)
    state[int(extent_of(game.rules, state)) :] = 0
    return state[: game.size + GUARD]


def _compare_looks(game: Game, table: Table, seat: int, played: list[tuple[int, int, Int64s]]) -> None:
    """Look for two moves that look different to a seat although its views of the different positions are equal."""
    found: dict[bytes, tuple[int, int, Int64s]] = {}
    for move, looks, state in played:
        view = game.new_state()
        look(game.rules, state, seat, view)
        first, its, other = found.setdefault(view.tobytes(), (move, looks, state))
        if its != looks and (other != state).any():
            raise Broken(
                f"seat {seat + 1} has the same view after moves {table.write(first)} ({first}) and {table.write(move)} "
                f"({move}), yet they look different to it, like {its} and {looks}; either the rule seen returns one "
                f"number for both, or what is public about them belongs in the view",
                table,
            )


@law
def without_secrets_everyone_is_told_every_move(game: Game, seed: int) -> None:
    """In a game that hides nothing every seat is told every move."""
    if game.hidden:
        raise DoesNotApply("the game hides something")
    for table in walk(game, seed, LAST_OPEN_PLY):
        for seat in range(game.seats):
            for move in table.moves():
                if table.told(move, seat) != table.write(move):
                    raise Broken(f"seat {seat + 1} is not told that {table.write(move)} is played", table)
