"""Grids: lines and names that can be counted by hand."""

import pytest

from kibitz.core.errors import BadValue
from kibitz.core.grids import HEX_STEPS, Hexagon, Square


def test_a_board_of_4_by_4_has_10_lines_of_4_and_9_blocks():
    board = Square(4, 4)
    assert sorted(board.straight_lines(4)) == sorted(
        [0xF, 0xF0, 0xF00, 0xF000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248]
    )
    assert len(board.blocks(2)) == 9
    assert board.blocks(2)[0] == 0b110011


def test_cells_are_named_like_chess_squares():
    board = Square(4, 4)
    assert [board.name(cell) for cell in (0, 3, 4, 15)] == ["a1", "d1", "a2", "d4"]
    assert all(board.cell(board.name(cell)) == cell for cell in board.cells)
    with pytest.raises(BadValue, match="no cell 'e5'"):
        board.cell("e5")


def test_a_hexagon_of_radius_3_has_37_cells_and_steps_that_undo_each_other():
    board = Hexagon(3)
    assert len(board.places) == 37
    for cell in range(37):
        for direction in range(6):
            there = board.step(cell, direction)
            if there >= 0:
                assert board.step(there, (direction + 3) % 6) == cell
    centre = board.cell_at[(0, 0)]
    assert sorted(board.places[board.step(centre, d)] for d in range(6)) == sorted(HEX_STEPS)
    assert board.step(board.cell_at[(3, 0)], 3) == -1
