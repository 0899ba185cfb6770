"""Tables, worlds and games can be copied and pickled; a copy shares nothing that changes."""

import copy
import pickle

import pytest

import kibitz
from kibitz.core.contract import INTACT

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda given: pickle.loads(pickle.dumps(given)),
}


@pytest.fixture(params=WAYS)
def copied(request):
    return WAYS[request.param]


def table_of(text):
    table = kibitz.Table(kibitz.game(text), seed=3)
    for _ in range(5):
        table.play(table.moves()[0])
    return table


def test_a_copy_of_a_table_is_the_same_game_and_goes_its_own_way(copied, game_text):
    table = table_of(game_text)
    twin, before = copied(table), table.copy_of_truth()
    assert (twin.turn, twin.ply, twin.seed, twin.moves_made) == (table.turn, 5, 3, table.moves_made)
    for seat in range(table.game.seats):
        assert (twin.view(seat) == table.view(seat)).all()
    twin.play(twin.moves()[-1])
    twin.undo(3)
    assert (table.ply, twin.ply) == (5, 3)
    assert (table.copy_of_truth() == before).all()


def test_a_copy_of_a_table_keeps_its_guard(copied):
    twin = copied(table_of("quarto"))
    assert (twin._guarded[twin.game.size :] == INTACT).all()
    assert twin._state.base is twin._guarded


def test_a_copy_of_a_world_goes_its_own_way(copied):
    world = kibitz.World.of(table_of("colonizers"))
    twin, before = copied(world), world.cells
    assert (twin.cells == before).all()
    twin.play(twin.moves()[0])
    assert (world.cells == before).all()


def test_a_game_is_its_own_copy_and_is_pickled_by_name(game_text):
    game = kibitz.game(game_text)
    assert copy.copy(game) is copy.deepcopy(game) is game
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert (again.hidden, again.seats, again.options) == (game.hidden, game.seats, game.options)
    opened = pickle.loads(pickle.dumps(game.opened()))
    assert (opened.open, opened.hidden) == (True, False)


def test_a_table_of_other_rules_is_refused_in_a_sentence():
    table = table_of("quarto")
    kept = table.__getstate__() | {"version": 99}
    with pytest.raises(kibitz.BadRecord, match="pickled with other rules of quarto than version 1"):
        table.__setstate__(kept)
