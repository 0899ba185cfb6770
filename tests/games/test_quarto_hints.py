"""What Quarto tells searches: symmetric positions share a key, and pieces that lose at once are known."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.dice import dice, roll
from kibitz.core.laws.walk import normal_key_of
from kibitz.core.playout import play_legal, random_position
from kibitz.games.quarto import hints
from kibitz.games.quarto.rules import CLEAR, FREE, HAND, LINES, POOL, SET, STANDARD_LINES
from kibitz.games.quarto.symmetries import KEEPING_SQUARES, SYMMETRIES
from tests.games.quarto_symmetry import RELABELLINGS, STANDARD, WITH_SQUARES, canonical
from tests.games.test_quarto import state_of

VARIANTS = pytest.mark.parametrize("squares", [False, True])


def positions(squares, plies, number):
    """Yield random positions after `plies` plies."""
    game = games.find(f"quarto(squares={str(squares).lower()})")
    state, room = game.new_state(), game.new_moves()
    for seed in range(100 * number):
        if number and random_position(game.rules, game.encoded_options, plies, dice(seed), state, room):
            number -= 1
            yield state[: game.size].copy()


def key_of(state):
    """Return the key of a position that symmetric ones share."""
    return int(normal_key_of(games.find("quarto").rules, state))


def pieces_of(state):
    """Return the pieces on the board by cell."""
    lanes = {cell: [int(state[SET]) >> (16 * k + cell) & 1 for k in range(4)] for cell in range(16)}
    return {cell: sum(bit << k for k, bit in enumerate(lanes[cell])) for cell in lanes if not state[FREE] >> cell & 1}


def mirrored(state, squares, rng):
    """Return the image of a position under a random symmetry of board and pieces."""
    boards = WITH_SQUARES if squares else STANDARD
    board, names, flip = boards[roll(rng, len(boards))], RELABELLINGS[roll(rng, 24)], roll(rng, 16)
    moved = {int(board[cell]): int(names[piece ^ flip]) for cell, piece in pieces_of(state).items()}
    image = state.copy()
    image[[SET, CLEAR, FREE, POOL]] = state_of(moved, squares=squares)[[SET, CLEAR, FREE, POOL]]
    return image


def test_symmetries_are_the_cell_permutations_that_keep_lines_lines():
    kept = {(): SYMMETRIES, tuple(range(STANDARD_LINES, len(LINES))): SYMMETRIES[:KEEPING_SQUARES]}
    for more, symmetries in kept.items():
        lines = {int(LINES[i]) for i in (*range(STANDARD_LINES), *more)}
        for symmetry in symmetries.tolist():
            assert {sum(1 << symmetry[cell] for cell in range(16) if line >> cell & 1) for line in lines} == lines
    assert sorted(SYMMETRIES.tolist()) == sorted(STANDARD.tolist())
    assert sorted(SYMMETRIES[:KEEPING_SQUARES].tolist()) == sorted(WITH_SQUARES.tolist())


@VARIANTS
@pytest.mark.parametrize("plies", [2, 4, 6, 8, 12, 18])
def test_positions_share_a_normal_key_just_where_a_symmetry_turns_one_into_the_other(squares, plies):
    rng, forms = dice(plies), {}
    for state in positions(squares, plies, 60):
        for position in (state, mirrored(state, squares, rng)):
            forms.setdefault(key_of(position), set()).add(canonical(position))
            assert key_of(position) != 0
        assert key_of(position) == key_of(state)
    assert all(len(form) == 1 for form in forms.values())
    assert len({min(form) for form in forms.values()}) == len(forms)


def test_options_and_seats_have_keys_of_their_own():
    state = next(positions(False, 8, 1))
    pieces = pieces_of(state)
    keys = {key_of(state_of(pieces, squares=squares, seat=seat)) for squares in (False, True) for seat in (0, 1)}
    assert len(keys) == 4


def test_positions_that_are_quickly_searched_are_not_kept():
    assert {key_of(state) for state in positions(False, 9, 5)} == {0}  # a piece is in hand
    assert {key_of(state) for state in positions(False, 20, 5)} == {0}  # six cells are free


@VARIANTS
def test_fewer_safe_pieces_come_first_and_none_last(squares):
    game = games.find(f"quarto(squares={str(squares).lower()})")
    out = np.zeros(16, dtype=np.int64)
    seen = set()
    for state in positions(squares, 17, 30):
        if hints.winning_cells(state, state[HAND]):
            continue
        for cell in [cell for cell in range(16) if state[FREE] >> cell & 1]:
            after = state.copy()
            assert play_legal(game.rules, after, cell, game.new_moves())
            left = int(hints.safe_moves(after, out))
            assert hints.end_order(state, cell) == (-left if left else -hints.LOST)
            seen.add(left)
    assert {0, 1, 2} <= seen


@VARIANTS
def test_positions_with_the_same_normal_key_are_worth_the_same(squares):
    game, rng = games.find(f"quarto(squares={str(squares).lower()})"), dice(5)
    values = set()
    for state in positions(squares, 18, 25):
        image = mirrored(state, squares, rng)
        found = [
            agents.build("minimax(depth=1000, value=zero, opening=none, memory=1)", game, 1).decide(position).values
            for position in (state, image)
        ]
        assert found[0] == found[1]
        values.add(found[0][0])
    assert len(values) == 3
