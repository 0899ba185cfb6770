"""The scenes of Quarto and Chexers: what is drawn, what may be clicked, and what moves."""

import pytest

from kibitz import games
from kibitz.core.laws.walk import played_out, walk
from kibitz.core.scene import parts_of
from kibitz.core.table import Table
from kibitz.games.quarto.notation import piece_name
from kibitz.games.quarto.rules import BOARD
from kibitz.games.quarto.scene import line_name
from kibitz.games.quarto.solids import solid
from tests.drawing import carriers, keyed, scene_of, words_outside

LEAVING = 'chexers(position="red+1 g2 f2 b4; green d1 e1 f1 c4; blue d7 e6 f5 g4; red to move")'
TEXTS = [*games.names(), "rolit(seats=2)", "focus(seats=3)"]
STUCK = 'chexers(position="red+3; green d1 e1 f1; blue d7 e6 f5 g4; red to move")'


def after(text, *moves):
    """Return the table of a game after moves in its notation."""
    table = Table(games.find(text), 1)
    for move in moves:
        table.play(table.read(move))
    return table


@pytest.mark.parametrize("text", TEXTS)
def test_words_stay_in_their_panel_and_can_be_read_on_a_phone(text):
    game = games.find(text)
    for table in (*walk(game, 1, 40), played_out(game, 1)):
        for panel in scene_of(table).panels:
            assert words_outside(panel) == []


@pytest.mark.parametrize("text", TEXTS)
def test_every_move_but_a_pass_can_be_clicked(text):
    game = games.find(text)
    for table in walk(game, 2, 60):
        scene = scene_of(table)
        assert all(carriers(scene, move) for move in table.moves() if move not in game.passes)


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_can_be_clicked_when_the_game_is_over(text):
    scene = scene_of(played_out(games.find(text), 1))
    assert not any(shape.moves for shape in scene.shapes())
    assert scene.prompt == ""


def test_no_two_pieces_of_quarto_look_alike():
    drawn = {str([part.at for part in solid(piece, 0.0, 0.0, 10.0).parts]) for piece in range(16)}
    assert len(drawn) == 16


def test_a_hollow_piece_is_a_solid_one_with_a_hole():
    for hollow in range(8):
        with_hole, whole = (solid(piece, 0.0, 0.0, 10.0).parts for piece in (hollow, hollow + 8))
        assert with_hole[: len(whole)] == whole
        assert len(with_hole) > len(whole)


def test_one_click_hands_a_piece_over_and_one_places_it():
    table = after("quarto")
    for move in table.moves():
        assert len(carriers(scene_of(table), move)) == 1
    table.play(table.read("BTRS"))
    assert carriers(scene_of(table), table.read("c2")) == ["c2"]


def test_a_piece_of_quarto_is_in_one_panel_at_a_time_and_keeps_its_key():
    table = after("quarto")
    for move, panel in ((None, "pool"), ("WTQH", "hand"), ("b3", "board")):
        if move:
            table.play(table.read(move))
        scene = scene_of(table)
        assert [p.name for p in scene.panels if "WTQH" in dict(keyed(p))] == [panel]
        assert sorted(key for p in scene.panels for key, _ in keyed(p)) == sorted(map(piece_name, range(16)))


def test_a_piece_of_quarto_that_stands_leaves_clicks_to_the_well_behind_it():
    board = scene_of(after("quarto", "BTRS", "a1", "WTRS")).panels[0]
    standing = [shape for shape in board.shapes if shape.key and "transform" in shape.at]
    assert [shape.at["pointer-events"] for shape in standing] == ["none"]
    assert not any(part.moves for shape in standing for part in (shape, *parts_of(shape)))


def test_the_title_and_the_board_show_the_line_that_wins():
    table = after("quarto", "BTRS", "a1", "BTRH", "b1", "BTQS", "c1", "BSQH", "d1")
    scene = scene_of(table)
    assert scene.title == "Quarto: seat 1 wins: four black in row 1"
    rings = [shape for shape in scene.panels[0].shapes if shape.at.get("stroke-width") == 4.0]
    assert len(rings) == 4


@pytest.mark.parametrize(
    ("cells", "name"),
    [("a1 b1 c1 d1", "row 1"), ("c1 c2 c3 c4", "column c"), ("a4 b3 c2 d1", "the diagonal d1 to a4"),
     ("b2 c2 b3 c3", "the square b2 to c3")],
)  # fmt: skip
def test_a_line_of_quarto_is_named_by_its_row_its_column_or_its_ends(cells, name):
    assert line_name(sum(1 << cell for cell in BOARD.cells if BOARD.name(cell) in cells.split())) == name


def test_what_a_move_of_quarto_did_is_told_in_words():
    table = after("quarto", "BTRS", "a1", "BTRH", "b1", "BTQS", "c1")
    told = []
    for move in ("BSQH", "d1"):
        before = table.view(0)
        table.play(table.read(move))
        told += table.game.changes(before, table.view(0))
    assert told == [
        "seat 2 hands over the black short square hollow piece",
        "the black short square hollow piece goes to d1",
        "seat 1 wins: four black in row 1",
    ]


def test_the_prompt_of_quarto_names_the_piece_in_hand():
    assert scene_of(after("quarto")).prompt == "Choose a piece for your rival to place"
    assert scene_of(after("quarto", "WSRH")).prompt == "Place the white short round hollow piece on a free cell"


def test_both_ends_of_a_chexers_move_carry_it():
    table = after("chexers")
    scene = scene_of(table)
    assert carriers(scene, table.read("a7-b6")) == ["b6", "a7: red", "red piece on a7"]


def test_a_piece_that_can_leave_and_the_exit_before_it_carry_the_exit():
    table = after(LEAVING)
    assert carriers(scene_of(table), table.read("g2 out")) == ["red leaves from g2", "g2: red", "red piece on g2"]


def test_a_chexers_piece_that_moves_is_the_only_key_that_changes_place():
    table = after("chexers")
    before = set(keyed(scene_of(table).panels[0]))
    table.play(table.read("a7-b6"))
    now = set(keyed(scene_of(table).panels[0]))
    assert {key for key, _ in before - now} == {key for key, _ in now - before} == {"red piece"}
    assert len(before - now) == len(now - before) == 1


def test_a_piece_that_leaves_goes_to_the_panel_of_its_seat():
    table = after(LEAVING)
    board, red, *_ = scene_of(table).panels
    table.play(table.read("g2 out"))
    board_then, red_then, *_ = scene_of(table).panels
    assert red.seat == red_then.seat == 0
    assert [key for key, _ in keyed(red)] == ["red piece"]
    assert [key for key, _ in keyed(red_then)] == ["red piece"] * 2
    assert len(keyed(board_then)) == len(keyed(board)) - 1


def test_the_prompt_of_chexers_says_what_can_be_done():
    assert scene_of(after("chexers")).prompt == "Red: move a piece"
    assert scene_of(after("chexers")).title == "Chexers: red to move"
    assert scene_of(after(LEAVING)).prompt == "Red: move a piece, jump or leave the board"
    assert scene_of(after(STUCK)).prompt == "Red: pass, as no piece can move"
