"""The picture of a game that declares none: a board or hands where there is no doubt, else text."""

from pathlib import Path

import kibitz
from kibitz.core.kit.sampled_play import sampled_play
from kibitz.core.laws.walk import walk
from tests.drawing import carriers, scene_of

PIG = Path(__file__).parents[1] / "pig"

ROOT = Path(__file__).resolve().parents[2]
NOUGHTS = '''"""Noughts: put a mark into a free square of a board of 3 by 3; whoever puts the last mark wins."""

from kibitz.rules import OVER, cells, rule

SEATS = 2
MOST_MOVES = 9
CELLS = cells(SEAT=1, BOARD=9, PUT=1)
SEAT, BOARD, PUT = CELLS


@rule
def deal(state, options, rng):
    pass


@rule
def moves(state, out):
    n = 0
    for cell in range(9):
        if state[BOARD + cell] == 0:
            out[n] = cell
            n += 1
    return n


@rule
def play(state, move):
    state[BOARD + move] = state[SEAT] + 1
    state[PUT] += 1
    state[SEAT] = OVER if state[PUT] == 9 else 1 - state[SEAT]


@rule
def payoff(state, out):
    out[0], out[1] = 1.0, 0.0
'''


def without_scene(folder, text):
    """Return a game of some rules and no other file."""
    place = folder / "bare"
    place.mkdir()
    (place / "rules.py").write_text(text)
    return kibitz.game(f"'{place}'")


def rules_of(name):
    return (ROOT / "tests" / name / "rules.py").read_text()


def from_page(page, title):
    """Return the rules of a game that stands on a page."""
    text = (ROOT / "docs" / page).read_text()
    start = text.index(f'"""{title}: ')
    return text[start : text.index("```", start)]


def shown(game, plies=0):
    """Return the scene after some plies of a random game."""
    return next(scene_of(table) for table in walk(game, 1) if table.ply == plies)


def titles(scene):
    return [shape.title for shape in scene.shapes() if shape.title]


def test_a_board_of_columns_is_found_with_its_seats(tmp_path):
    game = without_scene(tmp_path, rules_of("fours"))
    scene = shown(game, 3)
    assert [carriers(scene, column) for column in (0, 6)] == [["column a"], ["column g"]]
    assert sum(title.startswith(("blue piece on", "orange piece on")) for title in titles(scene)) == 3


def test_a_square_board_whose_moves_are_its_squares_is_found(tmp_path):
    game = without_scene(tmp_path, NOUGHTS)
    for table in walk(game, 1):
        assert all(carriers(scene_of(table), move) for move in table.moves())


def test_the_same_cells_are_text_where_nothing_says_that_they_are_a_board(tmp_path):
    rules = NOUGHTS.replace("free square of a board of 3 by 3", "free place").replace("BOARD", "TAKEN")
    scene = shown(without_scene(tmp_path, rules), 2)
    assert titles(scene) == []
    assert any(shape.words.startswith("taken: ") for shape in scene.shapes())


def test_numbers_too_large_for_pieces_are_text(tmp_path):
    rules = NOUGHTS.replace("= state[SEAT] + 1", "= 1000 + state[SEAT]")
    assert titles(shown(without_scene(tmp_path, rules), 2)) == []


def test_masks_of_cards_are_hands_and_a_hidden_one_is_face_down(tmp_path):
    game = without_scene(tmp_path, rules_of("tricks"))
    table = kibitz.Table(game, 1)
    scene = scene_of(table)
    assert carriers(scene, table.moves()[0]) == [f"card {table.moves()[0]}"]
    assert sum(title.startswith("card ") for title in titles(scene)) == 9
    assert "cards face down, seat 2" in titles(scene)


def test_hands_beside_other_cards_are_found_and_so_are_cards_out_of_hand(tmp_path):
    rules = from_page("adding-a-card-game.md", "Kitty")
    for name in ("HAND", "HOLDS"):  # the moves tell, whatever the group is called
        (tmp_path / name).mkdir()
        game = without_scene(tmp_path / name, rules.replace("HAND", name))
        table = next(table for table in walk(game, 1) if table.ply == 4)
        scene = scene_of(table)
        assert all(carriers(scene, move) for move in table.moves())
        assert {f"card {move}" for move in table.moves_made} <= set(titles(scene))
        assert f"cards face down, {name.lower()}[3]" in titles(scene)
        words = " ".join(shape.words for shape in scene.shapes())
        assert "lacks: " in words
        assert f"{name.lower()}: " not in words


def test_cells_of_seats_that_nobody_has_are_not_shown(tmp_path):
    game = without_scene(tmp_path, from_page("adding-a-game.md", "Swap"))
    view = kibitz.Table(game, 1).view(0)
    assert game.text(view).splitlines()[-2:] == [f"hand: {view[game.cells['HAND']]} ?", "down: ? ?"]


def test_seeds_and_what_never_changes_are_not_shown(tmp_path):
    game = without_scene(tmp_path, rules_of("race"))
    words = " ".join(shape.words for shape in shown(game).shapes())
    assert "seed" not in words
    assert "ply" not in words
    assert "place: " in words


def test_the_text_of_a_terminal_leaves_out_the_same(tmp_path):
    game = without_scene(tmp_path, NOUGHTS)
    assert game.text(kibitz.Table(game, 1).view(0)).splitlines() == [
        "seat 1 to move", "  3  . . .", "  2  . . .", "  1  . . .", "     a b c", "put: 0"
    ]  # fmt: skip


def test_a_game_whose_rules_fail_is_still_shown_as_text(tmp_path):
    rules = NOUGHTS.replace("    state[SEAT] = OVER if", "    state[SEAT] = 7\n    state[SEAT] = 7 if")
    game = without_scene(tmp_path, rules)
    assert "board: 0 0" in game.text(kibitz.Table(game, 1).view(0))


def test_games_with_dice_are_sampled_through_their_rolls():
    found = sampled_play(kibitz.game(str(PIG)))
    assert found.moves
    assert all(each.seat >= 0 for each in found.moves)
