"""What boards in text and in pictures have in common."""

from xml.etree import ElementTree

import pytest

from kibitz import games
from kibitz.core.scene import TEXT_WIDTH, THEME, Panel, Scene, Shape, label, listed, news_beside, placed, svg
from kibitz.core.table import Table


def test_a_long_list_goes_on_in_further_lines_with_no_item_torn_apart():
    items = [f"item number {n}" for n in range(20)]
    lines = listed("  deck: ", items).split("\n")
    assert len(lines) > 1
    assert max(map(len, lines)) <= TEXT_WIDTH
    assert all(line.startswith("      item number ") for line in lines[1:])
    assert ", ".join(line.strip().rstrip(",") for line in lines) == f"deck: {', '.join(items)}"


def test_a_list_of_nothing_is_its_lead():
    assert listed("  deck: 3 cards", []) == "  deck: 3 cards"


def test_a_scene_holds_the_parts_of_its_shapes_too():
    inner = Shape("g", {}, parts=(Shape("rect", {}),))
    scene = Scene(
        "", [Panel("board", 1, 1, [Shape("g", {}, parts=(inner,))]), Panel("pool", 1, 1, [Shape("line", {})])]
    )
    assert [shape.tag for shape in scene.shapes()] == ["g", "g", "rect", "line"]


def test_a_picture_that_stands_alone_has_the_colours_of_the_light_theme():
    shapes = [label("words", 5.0, 5.0, 12.0), Shape("rect", {"fill": "var(--card)", "stroke": "#123456"})]
    drawn = svg(Scene("A < B", [Panel("board", 10, 10, shapes)]))
    assert "var(" not in drawn
    assert f'fill="{THEME["ink"]}"' in drawn
    assert f'fill="{THEME["card"]}" stroke="#123456"' in drawn
    assert "<title>A &lt; B</title>" in drawn


def test_a_colour_that_no_theme_has_is_an_error():
    with pytest.raises(KeyError):
        svg(Scene("", [Panel("board", 10, 10, [Shape("rect", {"fill": "var(--mauve)"})])]))


def test_panels_stand_in_a_column_beside_the_board_and_none_covers_another():
    heights = (100.0, 50.0, 70.0)
    scene = Scene("", [Panel(str(height), 200.0, height, [], title="heading") for height in heights])
    root = ElementTree.fromstring(svg(scene))
    width, height = float(root.get("width")), float(root.get("height"))
    places = [_place(panel) for panel in root.findall("{*}g")]
    assert places[0][0] + 200 < places[1][0] == places[2][0] <= width - 200
    assert places[1][1] + heights[1] < places[2][1] <= height - heights[2]


def _place(element):
    return [float(number) for number in element.get("transform")[len("translate(") : -1].split()]


def test_a_thing_is_placed_by_numbers_that_read_back():
    assert _place(ElementTree.Element("g", placed(1 / 3, -20))) == [0.33, -20.0]


def test_a_game_without_a_scene_is_shown_as_its_cells_and_offers_no_shapes(tmp_path):
    from kibitz.cli.new_command import start_game

    start_game("plain", tmp_path)
    (tmp_path / "plain" / "scene.py").unlink()
    table = Table(games.find(str(tmp_path / "plain")), 1)
    scene = table.game.scene(table.view(0), table.moves())
    assert [shape.words for shape in scene.shapes()] == ["seat 1 to move", "low: 1", "high: 9", "winner: 0"]
    assert not any(shape.moves for shape in scene.shapes())


def test_what_the_text_of_a_move_says_is_not_told_again():
    assert news_beside("10♣", ["on the table: 10♣", "seat 1 has 3 cards left"]) == ["seat 1 has 3 cards left"]
    assert news_beside("3", ["heap 1: 3"]) == ["heap 1: 3"]
