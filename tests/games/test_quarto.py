"""Quarto: cases that can be checked by hand with the rules beside them."""

import os
from itertools import product

import numpy as np
import pytest

from kibitz import games
from kibitz.core.dice import dice
from kibitz.core.playout import value_of
from kibitz.core.table import Table
from kibitz.games.quarto.notation import piece_name
from kibitz.games.quarto.policies import winning_pieces
from kibitz.games.quarto.rules import CELLS, CLEAR, FREE, FULL, HAND, NONE, POOL, SEAT, SET, SQUARES
from tests.games.positions import table_after
from tests.games.quarto_symmetry import canonical

ROW = ("WSQH", "a1", "WSQS", "b1", "WSRH", "c1")  # three white short pieces in the first row


def state_of(cells: dict[int, int], hand: int = NONE, squares: bool = False, seat: int = 0) -> np.ndarray:
    """Return a state with pieces on cells."""
    state = np.zeros(CELLS.size, dtype=np.int64)
    state[FREE], state[POOL], state[HAND], state[SEAT], state[SQUARES] = FULL, FULL, hand, seat, squares
    for cell, piece in cells.items():
        for k in range(4):
            state[SET if piece >> k & 1 else CLEAR] |= np.int64(np.uint64(1 << (16 * k + cell)).view(np.int64))
        state[FREE] &= ~(1 << cell)
        state[POOL] &= ~(1 << piece)
    if hand != NONE:
        state[POOL] &= ~(1 << hand)
    return state


def value(name: str, state: np.ndarray) -> list[float]:
    """Return a value of a position for both seats."""
    ready = games.find("quarto").value(name)
    out = np.zeros(2)
    value_of(games.find("quarto").rules, ready.handle, ready.weights, state, out)
    return out.tolist()


def test_the_first_seat_only_hands():
    table = table_after("quarto")
    assert table.turn == 0
    assert len(table.moves()) == 16
    table.play(table.read("BTRS"))
    assert table.turn == 1
    assert len(table.moves()) == 16  # cells now


def test_a_turn_is_placing_and_then_handing():
    table = table_after("quarto", "BTRS", "a1")
    assert table.turn == 1
    assert len(table.moves()) == 15
    table.play(table.read("WSQH"))
    assert table.turn == 0


def test_four_with_a_shared_attribute_in_a_row_win_at_once():
    table = table_after("quarto", *ROW, "WTQH", "d1")
    assert table.over
    # Seat 0 hands, seat 1 places a1, seat 0 b1, seat 1 c1, seat 0 d1.
    assert table.payoff() == [1.0, 0.0]


def test_four_without_a_shared_attribute_do_not_win():
    # Three share white, short; the fourth piece is black, tall, round, solid: nothing in common with all three.
    table = table_after("quarto", *ROW, "BTRS", "d1")
    assert not table.over


@pytest.mark.parametrize(
    "cells",
    [("a1", "b1", "c1", "d1"), ("a1", "a2", "a3", "a4"), ("a1", "b2", "c3", "d4"), ("a4", "b3", "c2", "d1")],
)
def test_rows_columns_and_diagonals_are_lines(cells):
    moves = [word for pair in zip(("WSQH", "WSQS", "WSRH", "WSRS"), cells, strict=True) for word in pair]
    assert table_after("quarto", *moves).over


def test_a_square_wins_only_in_the_variant():
    moves = ("WSQH", "a1", "WSQS", "b1", "WSRH", "a2", "WSRS", "b2")
    assert not table_after("quarto", *moves).over
    assert table_after("quarto(squares=true)", *moves).over


def test_a_full_board_without_a_line_is_a_draw():
    # One of the drawn boards, found by search and checked line by line in the test itself.
    seed = next(seed for seed in range(2000) if _is_drawn(seed))
    table, rng = Table(games.find("quarto"), 1), dice(seed)
    _play_random(table, rng)
    assert table.ply == 32
    assert table.payoff() == [0.5, 0.5]
    pieces = [sum(int(table.view(0)[SET] >> (16 * k + cell) & 1) << k for k in range(4)) for cell in range(16)]
    lines = [range(4 * i, 4 * i + 4) for i in range(4)] + [range(i, 16, 4) for i in range(4)]
    for line in [*lines, range(0, 16, 5), range(3, 13, 3)]:
        alike = [all(pieces[cell] >> k & 1 for cell in line) for k in range(4)]
        alike += [not any(pieces[cell] >> k & 1 for cell in line) for k in range(4)]
        assert not any(alike)


def _play_random(table, rng):
    from kibitz.core.dice import roll

    while not table.over:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])


def _is_drawn(seed: int) -> bool:
    table = Table(games.find("quarto"), 1)
    _play_random(table, dice(seed))
    return table.payoff() == [0.5, 0.5]


def test_every_piece_has_a_name_of_its_own():
    assert len({piece_name(piece) for piece in range(16)}) == 16
    assert piece_name(0) == "WSQH"
    assert piece_name(15) == "BTRS"


def test_novice_wins_where_it_can():
    table = table_after("quarto", *ROW, "WTRS")
    from kibitz import agents

    for seed in range(20):
        assert table.write(agents.build("novice", table.game, seed).decide(table.view(table.turn)).move) == "d1"


def test_novice_hands_over_no_piece_that_wins_at_once():
    from kibitz import agents

    table = table_after("quarto", *ROW)  # any white or short piece wins on d1
    for seed in range(50):
        move = agents.build("novice", table.game, seed).decide(table.view(table.turn)).move
        assert table.write(move)[:2] == "BT"


def test_winning_pieces_are_those_that_would_win():
    for seed in range(60):
        table, rng = Table(games.find("quarto(squares=true)"), 1), dice(seed)
        from kibitz.core.dice import roll

        while not table.over:
            if table.view(0)[HAND] == NONE:
                dangerous = winning_pieces(table.view(0))
                for piece in table.moves():
                    table.play(piece)
                    wins = False
                    for cell in table.moves():
                        table.play(cell)
                        wins |= table.over and table.payoff() != [0.5, 0.5]
                        table.undo()
                    table.undo()
                    assert bool(dangerous >> piece & 1) == wins
                if table.ply > 12:
                    break
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])


def test_almost_completed_counts_as_in_figure_1_1():
    # A row sharing two attributes (tall, solid), a column sharing one (black), a diagonal sharing one (round), each
    # of three pieces with its fourth cell free: four almost completed attributes.
    names = {piece_name(piece): piece for piece in range(16)}
    board = {0: "BTRS", 1: "WTQS", 2: "BTQS", 4: "BSQH", 8: "BSRS", 5: "WSRH", 10: "WTRH"}
    state = state_of({cell: names[name] for cell, name in board.items()})
    # row a1 b1 c1: BTRS WTQS BTQS share tall, solid. Column a1 a2 a3: BTRS BSQH BSRS share black.
    # Diagonal a1 b2 c3: BTRS WSRH WTRH share round. Column b, column c and row 2, row 3 have two pieces at most.
    assert value("almost_completed", state) == [-4.0, 4.0]


def test_completing_pieces_count_once_for_each_attribute_they_complete():
    names = {piece_name(piece): piece for piece in range(16)}
    state = state_of({0: names["WSQH"], 1: names["WSQS"], 2: names["WSRH"]})
    # The row shares white and short; in the pool are 5 more white and 5 more short pieces.
    assert value("completing_absolute", state) == [-10.0, 10.0]
    assert value("completing_relative(C=2)", state) == pytest.approx([-20 / 13, 20 / 13])


def test_no_piece_left_to_complete_is_worth_nothing():
    # Figure 1.2: the almost completed attribute has no piece left.
    names = {piece_name(piece): piece for piece in range(16)}
    tall = [name for name in names if name[1] == "T"]
    state = state_of({cell: names[name] for cell, name in zip((0, 1, 2, 5, 7, 8, 10, 15), tall, strict=True)})
    assert value("almost_completed", state)[1] > 0
    state[POOL] = sum(1 << names[name] for name in names if name[1] == "S")
    row_only = state_of({0: names["WTQH"], 1: names["BTRH"], 2: names["WTRS"]})  # these three share tall and no more
    row_only[POOL] = sum(1 << names[name] for name in names if name[1] == "S")
    assert value("almost_completed", row_only) == [-1.0, 1.0]
    assert value("completing_absolute", row_only) == [0.0, 0.0]


def test_values_favour_the_seat_that_will_be_handed_the_next_piece():
    names = {piece_name(piece): piece for piece in range(16)}
    cells = {0: names["WSQH"], 1: names["WSQS"], 2: names["WSRH"]}
    assert value("completing_absolute", state_of(cells, seat=0))[1] > 0  # seat 0 hands to seat 1
    assert value("completing_absolute", state_of(cells, hand=names["BTRS"], seat=0))[1] > 0  # seat 0 places, then hands
    assert value("completing_absolute", state_of(cells, hand=names["BTRS"], seat=1))[0] > 0


BOARDS = (1, 2, 40, 454, 10_374)
WITH_HAND = (1, 8, 148, 3_382, 91_746)


def _extended(forms: set[tuple[int, ...]], squares: bool) -> set[tuple[int, ...]]:
    """Return the canonical boards with one piece more, finished lines not excluded."""
    found = set()
    for form in forms:
        cells = {cell: piece for cell, piece in enumerate(form[:16]) if piece != 16}
        for cell, piece in product(set(range(16)) - set(cells), set(range(16)) - set(cells.values())):
            found.add(canonical(state_of({**cells, cell: piece}, squares=squares)))
    return found


def test_boards_up_to_symmetry_are_as_many_as_published():
    boards, last = {canonical(state_of({}))}, 4 if os.environ.get("KIBITZ_LONG") else 3
    for placed in range(last + 1):
        assert len(boards) == BOARDS[placed]
        held = set()
        for form in boards:
            cells = {cell: piece for cell, piece in enumerate(form[:16]) if piece != 16}
            for hand in set(range(16)) - set(cells.values()):
                held.add(canonical(state_of(cells, hand=hand)))
        assert len(held) == WITH_HAND[placed]
        if placed < last:
            boards = _extended(boards, squares=False)


def test_there_are_32_board_symmetries_and_8_with_squares():
    from kibitz.games.quarto.rules import LINES, STANDARD_LINES
    from tests.games.quarto_symmetry import RELABELLINGS, STANDARD, WITH_SQUARES

    for table, lines, size in ((STANDARD, LINES[:STANDARD_LINES], 32), (WITH_SQUARES, LINES, 8)):
        assert len({tuple(row) for row in table.tolist()}) == size
        for row in table.tolist():
            images = {sum(1 << row[cell] for cell in range(16) if line >> cell & 1) for line in lines.tolist()}
            assert images == set(lines.tolist())
    assert len({tuple(row) for row in RELABELLINGS.tolist()}) * 16 == 384


def test_the_boards_of_figure_1_4_are_worth_what_the_report_says():
    # Two boards with the same completing pieces and different pools: h = 3/11 = 0.27 and 0.5.
    names = {piece_name(piece): piece for piece in range(16)}
    row = {0: names["WTQH"], 1: names["BTRH"], 2: names["WTRS"]}  # share tall and no more
    state = state_of(row)
    tall = [names[name] for name in names if name[1] == "T" and names[name] not in row.values()]
    short = [names[name] for name in names if name[1] == "S"]
    state[POOL] = sum(1 << piece for piece in tall[:3] + short[:8])
    assert value("completing_relative", state)[1] == pytest.approx(3 / 11)
    state[POOL] = sum(1 << piece for piece in tall[:3] + short[:3])
    assert value("completing_relative", state)[1] == pytest.approx(0.5)


def test_squares_count_in_values_where_they_are_lines():
    names = {piece_name(piece): piece for piece in range(16)}
    cells = {0: names["WTQH"], 1: names["BTRH"], 4: names["WTRS"]}  # a1 b1 a2 share tall; b2 is free
    assert value("almost_completed", state_of(cells)) == [0.0, 0.0]
    assert value("almost_completed", state_of(cells, squares=True)) == [-1.0, 1.0]
