"""Laws on encodings, numberings and actions of networks."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.contract import INTACT
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, law
from kibitz.core.laws.walk import PLIES, SPARE, dice_to_guess, first_difference, roomy, walk
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import guess_world, legal_moves
from kibitz.core.table import Table
from kibitz.networks import net
from kibitz.networks.encoding import (
    NO_MOVE,
    Actions,
    Encoding,
    list_rows,
    name_move,
    number_of,
    turn_seats,
    write_numbers,
)

TRIED = 600  # positions in which an encoding is tried before compiled code relies on it


@compiled
def _list(handle, state, seat, out):
    return list_rows(handle, pointer(state), seat, pointer(out))


@compiled
def _write(handle, state, seat, out):
    write_numbers(handle, pointer(state), seat, pointer(out))


@compiled
def _turn(handle, state, out):
    turn_seats(handle, pointer(state), pointer(out))


@compiled
def _number(handle, move, seat):
    return number_of(handle, move, seat)


def encoded(encoding: Encoding, state: np.ndarray, seat: int) -> np.ndarray:
    """Return the active rows, or all numbers of a dense encoding."""
    if encoding.most:
        rows = np.full(encoding.most + SPARE, INTACT, dtype=np.int64)
        n = int(_list(encoding.handle, state, seat, rows))
        if n > encoding.most or n < 0 or (rows[max(n, encoding.most) :] != INTACT).any():
            raise Broken(f"the encoding {encoding.__name__} lists {n} rows, and it declares most={encoding.most}")
        return rows[:n]
    numbers = np.full(encoding.length + SPARE, float(INTACT))
    _write(encoding.handle, state, seat, numbers)
    if (numbers[encoding.length :] != INTACT).any():
        raise Broken(f"the encoding {encoding.__name__} writes more than its length={encoding.length} numbers")
    return numbers[: encoding.length]


@compiled
def _name(handle, view, out):
    for unit in range(out.shape[0]):
        out[unit] = name_move(handle, pointer(view), unit)


def named(actions: Actions, view: np.ndarray) -> np.ndarray:
    """Return the legal move that each unit stands for, or NO_MOVE."""
    moves = np.full(actions.length, NO_MOVE, dtype=np.int64)
    _name(actions.handle, view, moves)
    return moves


def _walked(game: Game, seed: int) -> Iterator[tuple[Table, str, Encoding]]:
    """Yield the positions of a random game with each encoding."""
    if not net.encodings(game):
        raise DoesNotApply("the game has no encodings")
    for table in walk(game, seed):
        for name, encoding in net.encodings(game).items():
            yield table, name, encoding


@law
def encodings_keep_to_their_length(game: Game, seed: int) -> None:
    """An encoding lists rows below its length, each once and at most as many as it declares, or finite numbers."""
    for table, name, _ in _walked(game, seed):
        _check_length(table, name)


def _check_length(table: Table, name: str) -> None:
    """Raise Broken if an encoding exceeds its length in a position."""
    game, encoding = table.game, net.encodings(table.game)[name]
    for seat in range(game.seats):
        found = encoded(encoding, roomy(game, table.copy_of_truth()), seat)
        if encoding.most and ((found < 0).any() or (found >= encoding.length).any()):
            raise Broken(f"the encoding {name} lists {found.tolist()} of {encoding.length} rows", table)
        if encoding.most and len({*found.tolist()}) < len(found):
            raise Broken(f"the encoding {name} lists a row twice: {found.tolist()}", table)
        if not np.isfinite(found).all():
            raise Broken(f"the encoding {name} writes {found.tolist()}", table)


def try_encoding(game: Game, name: str) -> None:
    """Refuse an encoding that exceeds its length in positions of random games.

    Compiled code relies on that: it reads weights at the listed rows without a check.
    """
    left = TRIED
    for seed in range(1, TRIED + 1):
        for table in walk(game, seed, min(left, PLIES)):
            left -= 1
            try:
                _check_length(table, name)
            except Broken as error:
                raise BadValue(
                    f"{error.sentence} (seed {seed}, after {table.ply} moves), and a network cannot be shown that; "
                    f"`kibitz check {game.name}` tries all laws of encodings"
                ) from None


@law
def encodings_leave_the_position_as_it_was(game: Game, seed: int) -> None:
    """An encoding changes no cell of what it is shown."""
    for table, name, encoding in _walked(game, seed):
        for seat in range(game.seats):
            state = roomy(game, table.copy_of_truth())
            before = state.copy()
            encoded(encoding, state, seat)
            changed = first_difference(game, state, before)
            if changed:
                raise Broken(f"the encoding {name} writes to {changed} of the position, which it may only read", table)


@law
def encodings_show_only_what_a_seat_sees(game: Game, seed: int) -> None:
    """An encoding is the same for a state, for the seat's view of it and for a world guessed from that view."""
    rng = dice_to_guess(seed)
    for table, name, encoding in _walked(game, seed):
        for seat in range(game.seats):
            view = roomy(game, table.view(seat))
            world = view.copy()
            guess_world(game.rules, world, seat, rng)
            found = encoded(encoding, roomy(game, table.copy_of_truth()), seat).tolist()
            for what, cells in (("the view", view), ("a guessed world", world)):
                if encoded(encoding, cells, seat).tolist() != found:
                    raise Broken(f"the encoding {name} differs for seat {seat + 1} in {what} from the truth", table)


@law
def encodings_turn_with_the_seats(game: Game, seed: int) -> None:
    """If a game declares a symmetry of its seats, the encoding of a seat becomes that of the next after a turn."""
    symmetry = net.symmetry(game)
    if symmetry is None:
        raise DoesNotApply("the game declares no symmetry of its seats")
    for table, name, encoding in _walked(game, seed):
        state = roomy(game, table.copy_of_truth())
        turned = state.copy()
        _turn(symmetry.handle, state, turned)
        for seat in range(game.seats):
            here, there = encoded(encoding, state, seat), encoded(encoding, turned, (seat + 1) % game.seats)
            same = sorted(here.tolist()) == sorted(there.tolist()) if encoding.most else np.allclose(here, there)
            if not same:
                raise Broken(f"the encoding {name} of seat {seat + 1} differs from the next seat's after a turn", table)


@law
def numberings_tell_moves_apart(game: Game, seed: int) -> None:
    """A numbering gives the legal moves of a seat different numbers below MOVES_BELOW, which turn with the seats."""
    if not net.numberings(game):
        raise DoesNotApply("the game has no numberings")
    symmetry = net.symmetry(game)
    for table in walk(game, seed):
        seat, turned = table.turn, roomy(game, table.copy_of_truth())
        if symmetry is not None:
            _turn(symmetry.handle, turned.copy(), turned)
        room = game.new_moves()
        there = room[: legal_moves(game.rules, turned, room)].tolist()
        for name, numbering in net.numberings(game).items():
            found = sorted(int(_number(numbering.handle, move, seat)) for move in table.moves())
            if len({*found}) < len(found) or not 0 <= found[0] <= found[-1] < (game.moves_below or 0):
                raise Broken(f"the numbering {name} numbers the moves of a seat {found}", table)
            after = (seat + 1) % game.seats if symmetry is not None else seat
            if sorted(int(_number(numbering.handle, move, after)) for move in there) != found:
                raise Broken(f"the numbering {name} does not turn with the seats", table)


@law
def actions_stand_for_legal_moves(game: Game, seed: int) -> None:
    """A unit of a network stands for a legal move of the seat to move, or for none, which follows from its view."""
    if not net.actions(game):
        raise DoesNotApply("the game declares no actions")
    for table in walk(game, seed):
        for name, actions in net.actions(game).items():
            moves = named(actions, roomy(game, table.copy_of_truth())).tolist()
            wrong = sorted({*moves} - {NO_MOVE, *table.moves()})
            if wrong:
                raise Broken(f"the actions {name} stand for {wrong}, which are not legal", table)
            if named(actions, roomy(game, table.view(table.turn))).tolist() != moves:
                raise Broken(f"the actions {name} are others in the view than in the truth", table)
