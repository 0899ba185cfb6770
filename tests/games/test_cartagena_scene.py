"""Cartagena in pictures and words: what may be clicked, what is hidden, and what a move changed."""

import pytest

from kibitz import games
from kibitz.core.table import Table
from kibitz.games.cartagena.passage import SLOOP
from kibitz.games.cartagena.reader import goal_of, origin_of
from kibitz.games.cartagena.rules import BACK, DRAW, STOP
from tests.drawing import scene_of
from tests.games.scenes import all_views, check, positions, public_view, targets

GAMES = (
    "cartagena(seats=2, row=15, board=random)",
    "cartagena(refill=always, sloop_back=true)",
    "cartagena(seats=5, version=jamaica, cards=21)",
)
TORTUGA = "cartagena(seats=2)"
JAMAICA = "cartagena(seats=3, version=jamaica)"


def bearing(scene, move):
    """Return the keys of the things that carry a move."""
    return {shape.key for shape in targets(scene) if move in shape.moves}


@pytest.mark.parametrize("text", GAMES)
def test_every_position_can_be_drawn_for_everyone(text):
    for table in positions(text, most=150):
        legal = [] if table.over else table.moves()
        for view in all_views(table):
            check(table.game.scene(view, legal))


@pytest.mark.parametrize("text", GAMES)
def test_pirate_card_and_goal_carry_a_move_ahead_and_the_pirate_and_goal_a_move_back(text):
    for table in positions(text, most=60):
        scene, view = scene_of(table), table.view(table.turn)
        seat = table.game.seat_names[table.turn]
        for move in table.moves():
            if move >= STOP:
                assert not bearing(scene, move)
                continue
            goal = goal_of(view, move)
            keys = {f"{seat} pirate", "sloop" if goal == SLOOP else f"space {goal}"}
            keys |= {f"card {table.write(move).split()[1]}"} if move < BACK else set()
            assert bearing(scene, move) == keys


def test_all_pirates_of_a_seat_on_a_space_carry_the_same_moves():
    for table in positions(TORTUGA, most=60):
        found = {}
        for shape in targets(scene_of(table)):
            if shape.key.endswith("pirate"):
                assert found.setdefault(shape.title, shape.moves) == shape.moves
                assert len({origin_of(move) for move in shape.moves}) == 1


def test_where_a_move_leads_is_where_the_pirate_goes():
    goals, before = {}, None
    for table in positions("cartagena(seats=5, sloop_back=true)", most=600):
        if goals.get(table.moves_made[-1] if before is not None else None) is not None:
            goal = goals[table.moves_made[-1]]
            told = table.game.changes(before, table.view(0))[0]
            assert told.endswith(f" to {'the sloop' if goal == SLOOP else goal}")
        before = table.view(0)
        goals = {move: goal_of(before, move) for move in table.moves()} if not table.over else {}


def test_the_public_sees_backs_alone_and_they_are_all_alike():
    table = Table(games.find(JAMAICA), 1)
    scene = table.game.scene(public_view(table), [])
    for panel in scene.panels:
        if panel.seat is not None:
            assert [shape.key for shape in panel.shapes if shape.key] == ["back"] * 6


def test_a_seat_sees_its_own_cards_and_the_backs_of_the_others():
    table = Table(games.find(JAMAICA), 1)
    scene = table.game.scene(table.view(1), [])
    own, other = (next(panel for panel in scene.panels if panel.seat == seat) for seat in (1, 0))
    assert all(shape.key.startswith("card ") for shape in own.shapes if shape.key)
    assert {shape.key for shape in other.shapes if shape.key} == {"back"}


def test_the_prompt_counts_the_actions_left_and_says_what_may_be_done():
    table = Table(games.find(TORTUGA), 1)
    assert scene_of(table).prompt == "Red: 3 of 3 actions left: play a card to move a pirate ahead"
    table.play(table.moves()[0])
    assert scene_of(table).prompt == "Red: 2 of 3 actions left: play a card to move a pirate ahead, or stop"
    assert table.game.scene(table.view(1), []).prompt == "Red: 2 of 3 actions left"
    for later in positions(TORTUGA, most=300):
        if any(BACK <= move < STOP for move in later.moves()) and later.moves()[0] < BACK and STOP not in later.moves():
            words = "3 of 3 actions left: play a card to move a pirate ahead, or move one back to draw"
            assert scene_of(later).prompt.endswith(words)
            break


def test_a_seat_that_cannot_move_is_asked_to_draw():
    table = Table(games.find(TORTUGA), 1)
    assert table.game.scene(table.view(0), [DRAW]).prompt == "Red: no pirate can move; draw a card"


def test_a_game_that_is_over_asks_nothing():
    *_, table = positions("cartagena(seats=2, max_turns=3)")
    scene = table.game.scene(table.view(0), [])
    assert scene.title == "Cartagena: a draw"
    assert scene.prompt == ""


def test_cards_drawn_are_told_by_name_only_to_who_may_see_them():
    before = None
    for table in positions(JAMAICA, most=400):
        if before is not None and BACK <= table.moves_made[-1] < STOP:
            mover, views, open_view = before
            told = [table.game.changes(view, table.view(seat)) for seat, view in enumerate(views)]
            name = table.game.seat_names[mover]
            for seat, words in enumerate(told):
                drawn = next(line for line in words if line.startswith(f"{name} draws "))
                assert ("card" in drawn) == (seat != mover)
            assert table.game.changes(open_view, public_view(table)) == told[mover - 1]
            return
        before = table.turn, [table.view(seat) for seat in range(3)], public_view(table)
    pytest.fail("no pirate went back")
