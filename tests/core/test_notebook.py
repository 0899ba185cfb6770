"""What a notebook shows: pictures of one view and never of more, and tables in which texts are escaped."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import kibitz
from kibitz.core.contract import UNKNOWN
from kibitz.core.notebook import common_view
from kibitz.core.record import record_of
from kibitz.core.scene import svg


def played(game_text, plies=6, seed=5):
    table = kibitz.Table(kibitz.game(game_text), seed=seed)
    for _ in range(plies):
        table.play(table.moves()[0])
    return table


def played_out(game_text):
    table = kibitz.Table(kibitz.game(game_text), seed=5)
    rng = kibitz.search.dice(1)
    while not table.over:
        table.play(table.moves()[kibitz.search.roll(rng, len(table.moves()))])
    return table


def test_a_table_is_shown_as_the_seat_to_move_sees_it(game_text):
    table = played(game_text)
    assert table._repr_svg_() == svg(table.game.scene(table.view(table.turn), []))
    ElementTree.fromstring(table._repr_svg_())


@pytest.mark.parametrize("secret", ["colonizers", "cartagena(version=jamaica)", "cartagena"])
def test_the_picture_of_a_table_does_not_depend_on_what_the_seat_cannot_know(secret):
    table = played(secret)
    shown = table._repr_svg_()
    for seed in range(5):
        world = kibitz.World.guess(table.game, table.view(table.turn), seed)
        table._state[:] = world.cells
        assert table._repr_svg_() == shown


def test_a_finished_table_is_shown_as_the_public_sees_it(game_name):
    table = played_out(game_name)
    view = common_view(table.game, table.view)
    assert table._repr_svg_() == svg(table.game.scene(view, []))
    for seat in range(table.game.seats):
        shown = view != UNKNOWN
        assert (table.view(seat)[shown] == view[shown]).all()


def test_the_public_sees_only_what_every_seat_sees_alike():
    table = played("colonizers")
    views = np.stack([table.view(seat) for seat in range(4)])
    view = common_view(table.game, table.view)
    assert (view[(views != views[0]).any(axis=0)] == UNKNOWN).all()
    assert (view == UNKNOWN).sum() > (views[0] == UNKNOWN).sum()


def test_a_world_is_shown_open():
    world = kibitz.World.of(played("colonizers"))
    assert world._repr_svg_() == svg(world.game.scene(world.cells, []))


def test_a_record_is_shown_by_its_last_position(game_name):
    for table in (played(game_name), played_out(game_name)):
        record = record_of(table, ["random"] * table.game.seats)
        assert record._repr_svg_() == svg(table.game.scene(common_view(table.game, table.view), []))


def test_a_record_that_cannot_be_played_or_names_code_by_a_path_is_shown_as_text(tmp_path):
    record = record_of(played("quarto"), ["random", "random"])
    (tmp_path / "rules.py").write_text("raise SystemExit('this code must not run')\n")
    for wrong in (replace(record, moves=[99]), replace(record, version=77), replace(record, game=str(tmp_path))):
        assert wrong._repr_svg_() is None


def test_a_game_without_a_scene_of_its_own_that_fails_is_shown_as_text(monkeypatch):
    table = played("quarto")
    monkeypatch.setattr(type(table.game), "scene", lambda *given: 1 / 0)
    assert table._repr_svg_() is None
    assert "at ply 6" in repr(table)


def test_results_are_shown_as_tables_with_intervals():
    match = kibitz.play_match("quarto", ["novice", "random"], games=40, seed=1)
    low, high = match.agents[0].win_interval
    assert f"{low:.1%} – {high:.1%}" in match._repr_html_()
    plan = kibitz.Plan.make("quarto", ["novice", "random"], games=40, seed=1)
    tournament = kibitz.play_tournament(plan)
    low, high = tournament.standings[0].interval
    assert f"{low:+.0f} … {high:+.0f}" in tournament._repr_html_()
    balance = kibitz.play_balance("quarto", "random", games=40, seed=1)
    low, high = balance.seats[0].wins_interval
    assert f"{low:.1%} – {high:.1%}" in balance._repr_html_()
    for result in (match, tournament, balance):
        page = f"<body>{result._repr_html_()}</body>"
        assert {"table", "caption", "th", "td"} <= {node.tag for node in ElementTree.fromstring(page).iter()}


def test_texts_in_tables_are_escaped():
    bad = "<script>alert('x')</script>"
    match = kibitz.play_match("quarto", ["novice", "random"], games=2, seed=1)
    rows = tuple(replace(row, agent=bad) for row in match.agents)
    shown = replace(match, agents=rows, notes=(bad,), faults=(bad,), game=bad)._repr_html_()
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;") == 5
    balance = kibitz.play_balance("quarto", "random", games=4, seed=1)
    assert "<script" not in replace(balance, agent=bad, verdict=bad)._repr_html_()
