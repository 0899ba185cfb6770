"""Scenes declared as data: everything can be clicked, read on a phone and said in words, and mistakes are named."""

import re
from inspect import signature
from math import hypot
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.cli.new_command import start_game
from kibitz.core.cells import cells
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import KibitzError
from kibitz.core.kit.declared_scene import KINDS, DeclaredScene
from kibitz.core.kit.pieces import NAMED_COLOURS, SEAT_COLOURS
from kibitz.core.laws import texts
from kibitz.core.laws.walk import played_out, walk
from kibitz.core.scene import TEXT_WIDTH, parts_of
from kibitz.scenes import (
    FRENCH,
    Card,
    Cards,
    Dice,
    Grid,
    Hands,
    HexGrid,
    Piece,
    Piles,
    Prompt,
    Scores,
    Text,
    Track,
    fold_card,
    french_cards,
    from_to,
)
from tests.drawing import carriers, scene_of, words_outside
from tests.frogs.rules import PASS
from tests.test_recipes import blocks

ROOT = Path(__file__).resolve().parents[2]
BY_CLICKS = ("examples/nim", "tests/fours", "tests/tricks", "tests/frogs", "tests/race", "new")
PHONE, LEAST_TARGET = 360 - 16, 22  # pixels: the width of a panel, and the smallest target in it


@pytest.fixture(scope="module", params=[*BY_CLICKS, "tests/kuhn"])
def game(request, tmp_path_factory):
    if request.param != "new":
        return kibitz.game(f"'{ROOT / request.param}'")
    folder = tmp_path_factory.mktemp("new")
    start_game("guessing", folder)
    return kibitz.game(f"'{folder / 'guessing'}'")


def drawn(parts, *values, legal=(), names=("seat 1", "seat 2"), **sizes):
    """Return a declared scene of some cells, and the scene of a view of them in which the first seat is to move."""
    scene = DeclaredScene(parts, cells(SEAT=1, **sizes), names)
    return scene, scene.picture(np.array([0, *values]), legal)


def test_every_move_can_be_clicked_and_no_other_has_the_same_clicks(game):
    for seed in range(3):
        for table in walk(game, seed):
            scene = scene_of(table)
            clicks = {}
            for move in table.moves():
                if game.name.endswith("kuhn") or (game.name.endswith("frogs") and move == PASS):
                    continue  # offered as a button with its text
                keys = [(shape.key, shape.title) for shape in scene.shapes() if move in shape.moves]
                assert keys, f"{game.name}: no shape carries the move {move}"
                clicks.setdefault(tuple(sorted(set(keys))), set()).add(move)
            assert all(len(moves) == 1 or _alike(table, moves) for moves in clicks.values())


def _alike(table, moves):
    """Return whether moves play cards of one name, which a person need not tell apart."""
    return table.game.name.endswith("race") and min(moves) >= 10


def test_things_with_one_key_look_the_same(game):
    for table in [*walk(game, 1), played_out(game, 1)]:
        known = {}
        for panel in scene_of(table).panels:
            for shape in panel.shapes:
                if shape.key:
                    assert known.setdefault(shape.key, shape.parts) == shape.parts, shape.key


def test_equal_views_give_equal_scenes(game):
    for table in walk(game, 2):
        assert scene_of(table) == scene_of(table)


def test_words_and_targets_are_large_enough_for_a_phone(game):
    for table in [*walk(game, 3), played_out(game, 3)]:
        for panel in scene_of(table).panels:
            assert words_outside(panel) == []
            for shape in panel.shapes:
                if shape.moves:
                    outline = shape.parts[0] if shape.parts else shape
                    assert _size(outline) * PHONE / panel.width >= LEAST_TARGET, shape.title


def _size(shape):
    if shape.tag == "polygon":
        points = [tuple(map(float, point.split(","))) for point in shape.at["points"].split()]
        return hypot(points[0][0] - points[3][0], points[0][1] - points[3][1]) * 0.86
    return max(shape.at["width"], shape.at["height"]) if shape.tag == "rect" else 2 * shape.at["r"]


SCENE_LAWS = [
    texts.scenes_offer_legal_moves_only, texts.scenes_can_be_drawn_for_everyone, texts.targets_have_titles,
    texts.targets_lie_apart, texts.panels_have_names_of_their_own, texts.shapes_have_plain_finite_numbers,
    texts.lines_of_text_fit_a_terminal,
]  # fmt: skip


@pytest.mark.parametrize("law", SCENE_LAWS, ids=lambda law: law.__name__)
def test_the_laws_of_scenes_hold(law, game):
    for seed in (1, 2):
        law(game, seed)


def test_every_move_is_told_in_words(game):
    if game.name.endswith("race"):
        assert any("heap 2: 5 (-1)" in line for line in _told(game))
    assert all(line and line == line.strip() for line in _told(game))
    assert len(_told(game)) > 1


def _told(game):
    table, found = kibitz.Table(game, 1), []
    while not table.over:
        before = table.view(0)
        table.play(table.moves()[0])
        found += game.changes(before, table.view(0))
    return found


def test_no_scene_names_a_card_that_the_seat_may_not_see():
    from tests.tricks.rules import HAND, TRICK
    from tests.tricks.scene import PACK

    game = kibitz.game(f"'{ROOT}/tests/tricks'")
    for table in walk(game, 4):
        for seat in range(3):
            view = table.view(seat)
            seen = {card for card in range(27) if int(view[HAND + seat]) >> card & 1} | {
                *view[TRICK : TRICK + 3].tolist()
            }
            titles = {shape.title for shape in game.scene(view, []).shapes()}
            assert {number for number, card in enumerate(PACK) if card.name in titles} <= seen


def test_the_colours_of_seats_are_those_of_the_browser():
    script = (ROOT / "src/kibitz/web/static/js/table/seat_mark.js").read_text()
    assert tuple(re.findall('"(#[0-9a-f]+)"', re.search(r"HUES = \[(.*)\]", script)[1])) == SEAT_COLOURS
    assert dict(re.findall('(\\w+): "(#[0-9a-f]+)"', re.search(r"NAMED = {(.*)}", script)[1])) == NAMED_COLOURS


def test_a_piece_that_moves_carries_its_moves_and_so_does_each_place_it_may_go_to():
    _, scene = drawn([Grid("BOARD", 2, 2, {1: Piece(seat=0)}, from_to(4))], 1, 0, 0, 0, BOARD=4, legal=[1, 2])
    assert carriers(scene, 1) == ["b1", "piece of seat 1 on a1"]
    assert carriers(scene, 2) == ["a2", "piece of seat 1 on a1"]


def test_a_piece_is_told_to_go_and_to_be_taken():
    scene, _ = drawn([Grid("BOARD", 2, 1, {1: Piece("rook", seat=0), 2: Piece("pawn", seat=1)})], 1, 2, BOARD=2)
    told = scene.changes(np.array([0, 1, 2]), np.array([1, 0, 1]))
    assert told == ["rook of seat 1 goes from a1 to b1", "pawn of seat 2 leaves b1"]


def test_a_board_of_bit_masks_and_one_of_values_look_the_same():
    pieces = (Piece(seat=0), Piece(seat=1))
    _, masks = drawn([Grid(columns=3, rows=1, pieces={"MINE[0]": pieces[0], "MINE[1]": pieces[1]})], 1, 4, MINE=2)
    _, values = drawn([Grid("BOARD", 3, 1, {1: pieces[0], 2: pieces[1]})], 1, 0, 2, BOARD=3)
    assert [shape.title for shape in masks.shapes()] == [shape.title for shape in values.shapes()]


def test_a_mask_of_64_places_is_drawn_whole_and_never_taken_for_a_hidden_one():
    board = [Grid(columns=8, rows=8, pieces={"MINE": Piece("stone")})]
    for mask, corners in ((-1, 64), (UNKNOWN, 2), (-(2**63) | 1, 2)):
        _, scene = drawn(board, mask, MINE=1)
        assert len([shape for shape in scene.shapes() if " on " in shape.title]) == corners


def test_a_piece_of_a_seat_that_nobody_has_belongs_to_nobody():
    _, scene = drawn([Grid("BOARD", 2, 1, {1: Piece("disc", seat=1), 2: Piece("disc", seat=3)})], 1, 2, BOARD=2)
    assert [shape.title for shape in scene.shapes() if " on " in shape.title] == ["disc of seat 2 on a1", "disc on b1"]


def test_two_boards_of_masks_have_keys_of_their_own():
    boards = [Grid(columns=2, rows=1, pieces={f"MINE[{k}]": Piece(seat=k)}) for k in range(2)]
    _, scene = drawn(boards, 1, 2, MINE=2)
    keys = [shape.key for shape in scene.shapes() if shape.key]
    assert len(keys) == len(set(keys)) == 6


def test_what_is_hidden_on_a_board_is_drawn_as_hidden():
    _, scene = drawn([Grid("BOARD", 2, 1, {1: "X"})], UNKNOWN, 1, BOARD=2)
    assert [shape.title for shape in scene.shapes() if " on " in shape.title] == ["a hidden piece on a1", "X on b1"]


def test_a_high_stack_shows_its_top_and_its_height():
    _, scene = drawn([Grid("BOARD", 1, 1, lambda value: [Piece("coin")] * value)], 7, BOARD=1)
    assert "×7" in [shape.words for shape in scene.shapes()]


def test_a_board_with_its_first_row_on_top_has_row_1_on_top():
    (_, up), (_, down) = (drawn([Grid("B", 2, 2, top_first=first)], 0, 0, 0, 0, B=4) for first in (False, True))
    heights = [{shape.title: shape.at["y"] for shape in scene.shapes() if shape.title} for scene in (up, down)]
    assert heights[0]["a1"] > heights[0]["a2"]
    assert heights[1]["a1"] < heights[1]["a2"]


def test_a_rhombus_of_hexagons_has_the_names_of_a_grid():
    _, scene = drawn([HexGrid("B", columns=3, rows=2, moves="cell")], *[0] * 6, B=6, legal=[5])
    assert carriers(scene, 5) == ["c2"]


def test_a_click_on_a_stick_takes_it_and_those_after_it():
    piles = Piles("HEAP", Piece("stick", form="bar"), takes=lambda view, move: (move // 10, move % 10))
    _, scene = drawn([piles], 2, 5, HEAP=2, legal=[1, 2, 11, 13])
    assert [carriers(scene, move) for move in (1, 2, 11, 13)] == [
        ["take 1 of pile 1"], ["take 2 of pile 1"], ["take 1 of pile 2"], ["take 3 of pile 2"]
    ]  # fmt: skip


def test_tokens_on_a_track_stand_where_their_cells_say():
    scene, shown = drawn([Track("PLACE", spaces=5, first=1)], 1, 6, PLACE=2)
    assert [shape.title for shape in shown.shapes() if shape.title.startswith("piece")] == [
        "piece of seat 1 on space 1"
    ]
    told = scene.changes(np.array([0, 1, 5]), np.array([1, 3, 6]))
    assert told == [
        "piece of seat 1 goes from space 1 to space 3",
        "piece of seat 2 goes from space 5 to off the track",
    ]


def test_tokens_that_share_a_space_are_counted_in_lines_that_fit_a_terminal():
    scene, shown = drawn([Track("PLACE", spaces=5, each=3)], 0, 0, 0, 0, 0, 4, PLACE=6, names=("red", "blue"))
    assert scene.text(np.zeros(7, dtype=np.int64)).endswith("space 0 3 × red piece and 3 × blue piece")
    assert "space 0: 3 × red piece and 2 × blue piece" in {shape.title for shape in shown.shapes()}
    assert scene.text(np.array([0, 9, 9, 9, 9, 9, 9])).endswith("place: all off the track")
    long = [f"player with the name {number}" for number in range(4)]
    scene, _ = drawn([Track("PLACE", spaces=5, each=3)], *[0] * 12, PLACE=12, names=long)
    text = scene.text(np.zeros(13, dtype=np.int64))
    assert max(map(len, text.splitlines())) <= TEXT_WIDTH
    assert " ".join(text.split()).count("3 × piece of player with the name") == 4


def test_french_cards_are_numbered_as_the_game_numbers_them():
    assert [FRENCH[0].short, FRENCH[12].name, FRENCH[51].short] == ["2♣", "ace of clubs", "A♠"]
    assert [card.short for card in french_cards("QK", "♥♠", by="rank")] == ["Q♥", "Q♠", "K♥", "K♠"]
    two, four = french_cards(four_colours=False), french_cards(four_colours=True)
    assert len({card.colour for card in two}) == 2
    assert len({card.colour for card in four}) == 4


@pytest.mark.parametrize("typed", ["10♣", "10c", "Tc", " C10 ", "ct", "♣T"])
def test_a_card_may_be_typed_in_several_ways(typed):
    assert fold_card(typed) == fold_card(french_cards("TA", "♣")[0].short) == "10♣"
    assert (fold_card("Bid 3"), fold_card("1c"), fold_card("cc"), fold_card("a♠")) == ("bid 3", "1c", "cc", "a♠")


def test_cards_that_are_hidden_lie_face_down_with_their_number():
    hands = Hands("HAND", ("ace", "ten"), each=2)
    scene, shown = drawn([hands], 0, -1, UNKNOWN, UNKNOWN, HAND=4)
    assert scene.text(np.array([0, 0, -1, UNKNOWN, UNKNOWN])).splitlines()[1:] == ["seat 1: ace", "seat 2: 2 hidden"]
    assert "2 cards face down, seat 2" in [shape.title for shape in shown.shapes()]
    hidden = Hands("HAND", bits=True, counts="HELD")
    scene, _ = drawn([hidden], 3, UNKNOWN, 2, 5, HAND=2, HELD=2)
    assert scene.text(np.array([0, 3, UNKNOWN, 2, 5])).splitlines()[1:] == ["seat 1: 2♣ 3♣", "seat 2: 5 hidden"]


def test_the_text_of_a_trick_says_who_played_which_card_and_who_led():
    trick = Cards("TRICK", ("ace", "ten", "six"), owners=True, led_by="FIRST", title="on the table")
    names = ("north", "east", "south")
    scene, shown = drawn([trick], 1, -1, 2, 2, names=names, TRICK=3, FIRST=1)
    assert scene.text(np.array([0, 1, -1, 2, 2])).splitlines()[1:] == ["on the table: south led six, north ten"]
    words = [shape.words for shape in shown.shapes()]
    assert words[words.index("led") - 1] == "south"
    assert words.count("led") == 1
    scene, _ = drawn([Cards("TRICK", ("ace", "ten", "six"), owners=True)], 1, -1, 2, names=names, TRICK=3)
    assert scene.text(np.array([0, 1, -1, 2])).splitlines()[1:] == ["trick: north ten, south six"]
    assert scene.text(np.array([0, -1, -1, -1])).splitlines()[1:] == ["trick: no cards"]


def test_what_happens_to_cards_is_told_in_plain_words():
    trick, hands = Cards("TRICK", ("ace", "ten", "six"), owners=True), Hands("HAND", bits=True, counts="LEFT")
    scene, _ = drawn([trick, hands], -1, -1, 3, UNKNOWN, 2, 2, TRICK=2, HAND=2, LEFT=2)

    def told(before, after):
        return scene.changes(np.array([0, *before]), np.array([0, *after]))

    assert told((-1, -1, 3, UNKNOWN, 2, 2), (2, -1, 2, UNKNOWN, 1, 2)) == ["trick: six", "seat 1 has 1 card left"]
    assert told((2, -1, 2, UNKNOWN, 1, 2), (2, 1, 2, UNKNOWN, 1, 1)) == ["trick: ten", "seat 2 has 1 card left"]
    assert told((2, 1, 2, UNKNOWN, 1, 1), (-1, -1, 2, UNKNOWN, 1, 1)) == ["trick: six, ten cleared away"]
    assert told((2, 1, 2, UNKNOWN, 1, 1), (-1, 0, 2, UNKNOWN, 1, 0)) == [
        "trick: ace", "seat 2 has 0 cards left"
    ]  # fmt: skip
    assert told((-1, -1, 2, UNKNOWN, 1, 0), (-1, -1, 6, UNKNOWN, 2, 1)) == ["seat 1 gets 4♣", "seat 2 has 1 card"]


def test_scores_have_a_sign_for_nothing_yet_and_a_singular():
    scene, shown = drawn([Scores("BID", "tricks bid", none=-1)], -1, 1, BID=2)
    assert [panel.shapes[1].words for panel in shown.panels[1:]] == ["– tricks bid", "1 trick bid"]
    assert scene.changes(np.array([0, -1, 1]), np.array([0, 2, 1])) == ["seat 1: 2 tricks bid"]
    assert scene.changes(np.array([0, 2, 1]), np.array([0, -1, 0])) == ["seat 2: 0 tricks bid (-1)"]


def test_dice_show_pips_or_numbers():
    _, scene = drawn([Dice("DIE"), Dice("LOT", faces=20)], 5, 0, 17, DIE=2, LOT=1)
    dots = [len([part for part in parts_of(shape) if part.tag == "circle"]) for shape in scene.shapes() if shape.key]
    assert dots == [5, 0]
    assert [shape.title for shape in scene.shapes() if shape.key] == ["die 1: 5", "die 1: 17"]


def test_a_die_of_0_is_not_shown_and_keeps_its_number_from_no_other():
    dice = Dice("DICE", title="roll", moves="die")
    scene, shown = drawn([dice], 0, 3, 0, 6, DICE=4, legal=[1, 3])
    assert [(shape.title, shape.moves) for shape in shown.shapes() if shape.key] == [
        ("die 2: 3", (1,)),
        ("die 4: 6", (3,)),
    ]
    assert scene.text(np.array([0, 0, 3, 0, 6])).splitlines()[1:] == ["roll: 3 6"]
    nothing = np.zeros(5, dtype=np.int64)
    assert scene.text(nothing).splitlines()[1:] == []
    assert scene.changes(np.array([0, 1, 0, 0, 0]), nothing) == []
    assert "roll" not in [shape.words for shape in scene.picture(nothing, []).shapes()]


def test_a_trick_is_told_with_the_seat_that_takes_it_and_a_new_lead_replaces_nothing():
    trick = Cards("TRICK", ("ace", "ten", "six"), owners=True, led_by="FIRST", title="on the table")
    scene, _ = drawn([trick], -1, -1, 0, names=("north", "south"), TRICK=2, FIRST=1)
    lead, whole, next_lead = np.array([1, 2, -1, 0]), np.array([1, 2, 0, 0]), np.array([0, -1, 1, 1])
    assert scene.changes(np.array([0, -1, -1, 0]), lead) == ["on the table: six"]
    assert scene.changes(lead, whole) == ["on the table: ace", "south takes the trick"]
    assert scene.changes(whole, next_lead) == ["on the table: ten"]
    assert scene.changes(lead, np.array([-1, 2, 0, 0])) == ["on the table: ace"]


def test_what_the_text_of_a_move_says_need_not_be_told_again():
    parts = [Scores("BID", "tricks bid", none=-1, tells=False), Hands("HAND", bits=True, tells=False)]
    scene, _ = drawn([*parts, Cards("PLAYED", tells=False)], -1, -1, 3, 4, -1, BID=2, HAND=2, PLAYED=1)
    before, after = np.array([0, -1, -1, 3, 4, -1]), np.array([1, 2, -1, 1, 4, 1])
    assert scene.changes(before, after) == []
    assert "seat 1: 2 tricks bid" in scene.text(after)


def test_scores_stand_beside_their_seats():
    scene, shown = drawn([Scores("POINTS")], 1, 4, POINTS=2)
    assert [(panel.seat, panel.shapes[1].words) for panel in shown.panels[1:]] == [(0, "1 point"), (1, "4 points")]
    assert scene.changes(np.array([0, 1, 4]), np.array([1, 3, 4])) == ["seat 1: 3 points (+2)"]


def test_texts_name_cells_in_braces():
    scene, shown = drawn([Text("{LEFT[1]} of {LEFT}"), Prompt("Take {LEFT[0]}")], 3, UNKNOWN, LEFT=2, legal=[0])
    assert "? of 3 ?" in [shape.words for shape in shown.shapes()]
    assert shown.prompt == "Take 3"
    assert scene.changes(np.array([0, 3, 1]), np.array([1, 2, 1])) == ["1 of 2 1"]


WRONG = {
    "Grid shows .*'BOARD'.*known: HAND, SEAT": lambda: [Grid("BOARD", 3, 3)],
    "unknown setting of Grid 'colums'; known: .*columns.* Did you mean 'columns'": lambda: [Grid("HAND", colums=3)],
    "Track lacks spaces; its settings are source, spaces": lambda: [Track("HAND")],
    "has 9 places, but 4 cells": lambda: [Grid("HAND", 3, 3)],
    "word for the moves of Grid 'cells'; known: cell, column, row": lambda: [Grid("HAND", 2, 2, moves="cells")],
    r"HAND\[4\]: HAND has the cells HAND\[0\] to HAND\[3\]": lambda: [Text("{HAND[4]}")],
    "unknown cells: Text shows 'HEND'; known: HAND, SEAT": lambda: [Text("{HEND}")],
    "form of a piece 'circle'; known: bar, bare, diamond, disc": lambda: [Piece(form="circle")],
    "is no part of a scene; the parts are Cards, Dice, Grid": lambda: ["BOARD"],
    "move 7 leads to place 7; there are 0 to 3": lambda: [Grid("HAND", 2, 2, moves=lambda view, move: move)],
    "move 7 takes 9 of pile 0; the piles from 0 hold 0, 0": lambda: [Piles("HAND", takes=lambda view, move: (0, 9))],
    "rank of a card '1'; known: 2, 3": lambda: [Hands("HAND", french_cards(ranks="1"))],
    "HexGrid has radius=0, columns=0 and rows=0; it needs": lambda: [HexGrid("HAND")],
    "Cards shows no cells": lambda: [Cards()],
    "which are no hands of each=3": lambda: [Hands("HAND", each=3)],
    "Grid shows no cells": lambda: [Grid(columns=2, rows=2)],
    r"7 stands on a board; write Piece\(…\), a word": lambda: [Grid("HAND", 2, 2, pieces={0: 7})],
    r"the pieces of Grid hand are \['X'\]; .*as in \{1: Piece": lambda: [Grid("HAND", 2, 2, pieces=["X"])],
    r"pieces of Grid hand name 'HAND\[0\]'; bit masks need a": lambda: [Grid("HAND", 2, 2, pieces={"HAND[0]": "X"})],
    r"Scores seat has fewer cells \(1\) than there are seats \(2\)": lambda: [Scores("SEAT")],
    "Hands hand has 4 cells; 2 seats need 8": lambda: [Hands("HAND", each=4)],
    "shows card 5, but its pack names 2 cards, 0 to 1": lambda: [Hands(lambda view: [0, 5], ("ace", "ten"))],
    r"test_declared_scenes.py, line \d+: Scores: a lambda returns \[None, 1\]; it must return a list of whole": (
        lambda: [Scores(lambda view: [None, 1])]
    ),
    r"Text: .*test_declared_scenes.py, line \d+: ZeroDivisionError": lambda: [Text(lambda view: 1 // 0)],
    "Cards hand has led_by, which is for cards with owners=True": lambda: [Cards("HAND", led_by="SEAT")],
    "a bit mask holds 64": lambda: [Grid(columns=9, rows=9, pieces={"HAND[0]": Piece()})],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_declaration_is_told_in_a_sentence_with_the_choices(sentence):
    with pytest.raises(KibitzError, match=sentence):
        drawn(WRONG[sentence](), 0, 0, 0, 0, HAND=4, legal=[7])


def test_a_wrong_declaration_in_a_file_is_told_without_a_traceback(tmp_path):
    start_game("mistaken", tmp_path)
    (tmp_path / "mistaken" / "scene.py").write_text('from kibitz.scenes import Text\n\nSCENE = [Text("{HIHG}")]\n')
    table = kibitz.Table(kibitz.game(f"'{tmp_path}/mistaken'"), 1)
    with pytest.raises(KibitzError, match=r"'HIHG'; known: HIGH, .*Did you mean 'HIGH'"):
        table.game.text(table.view(0))


def test_help_shows_the_settings_of_each_part():
    assert str(signature(Scores)) == "(source, unit='points', none=None, tells=True)"
    assert str(signature(Piles)) == "(source, piece=STONE, takes=None, moves=None, names=None)"
    assert str(signature(Hands)).startswith("(source, cards=FRENCH, each=1, bits=False")


def test_the_page_lists_every_setting_of_each_part_with_its_default():
    page = (ROOT / "docs" / "pictures-of-a-game.md").read_text(encoding="utf-8")
    section = page[page.index("## All settings") :]
    rows = dict(re.findall(r"^\| `(\w+)` \| ((?:`[^`]+`(?:, )?)+) \|", section, re.MULTILINE))
    listed = {name: re.findall(r"`([^`]+)`", cell) for name, cell in rows.items()}
    assert listed == {kind.__name__: [str(each) for each in signature(kind).parameters.values()] for kind in KINDS}


def test_a_scene_with_a_text_alone_is_shown_as_that_text_and_keeps_the_laws():
    game = kibitz.game(f"'{ROOT}/tests/trees'")
    for law in SCENE_LAWS:
        law(game, 1)
    table = kibitz.Table(game, 1)
    (panel,) = game.scene(table.view(0), table.moves()).panels
    assert [shape.words for shape in panel.shapes] == ["depth 0"]


def test_a_card_of_letters_bears_them_in_its_middle():
    _, scene = drawn([Hands("HAND", (Card("jack", "J"),))], 0, UNKNOWN, HAND=2)
    assert "J" in [shape.words for shape in scene.shapes()]


@pytest.mark.parametrize("block", blocks("pictures-of-a-game.md"), ids=lambda block: block.splitlines()[-1][:30])
def test_the_examples_of_the_page_are_drawn(block):
    declared = eval(re.match(r"# rules.py declares (cells\(.*\))", block)[1], {"cells": cells})
    names = {}
    exec(block, names)
    seats = 2 if "HAND" not in declared.starts else 4
    scene = DeclaredScene(names["SCENE"], declared, [f"seat {seat + 1}" for seat in range(seats)])
    view = np.zeros(declared.size, dtype=np.int64)
    panels = scene.picture(view, []).panels
    assert all(words_outside(panel) == [] for panel in panels)
    assert scene.text(view).startswith("seat 1 to move\n")
