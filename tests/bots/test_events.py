"""What a bot is told of the game around its decisions: plies, moves of others, the clock, and the end."""

import pytest

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from kibitz.games import find
from tests.bots.gallery import LINUX, scribe, told
from tests.test_cli import _own_home, run  # noqa: F401 the fixture holds here too

pytestmark = LINUX


@pytest.fixture
def notes(tmp_path):
    """Return the file that a scribe writes."""
    yield tmp_path / "notes"
    bot_pool.end_all()


@pytest.mark.parametrize("wants", [("moves",), ("moves", "events")])
def test_a_bot_knows_how_far_the_game_is_whether_it_wants_events_or_not(quarto, notes, wants):
    result = play_fixture(quarto, ["random", scribe(notes, *wants)], Fixture(0, 0, (0, 1), 7, (1, 2), (3, 0)))
    assert not result.fault
    mine = [2 + ply for ply, thought in enumerate(result.move_stats) if thought.seat == 1]
    assert [message["ply"] for message in told(notes, "decide")] == mine


def test_in_the_terminal_a_bot_is_told_what_the_protocol_promises(notes):
    said = run("play", "quarto", "human", scribe(notes, "moves", "events"), "--seed", "1",
               typed="BTRS\na2 WTRS\nundo\nBSRS\nquit\n").stdout  # fmt: skip
    assert "The game is kept" in said
    (first, *_), decisions = told(notes, "new"), told(notes, "decide")
    assert first["seat"] == 1
    assert first["clock"] == {"move_ms": 60_000, "game_ms": None, "increment_ms": 0}
    heard = [[event["text"] for event in message["events"]] for message in decisions]
    begun = ["BTRS", "a1", "WSQH", "a2"]
    assert heard == [
        ["BTRS"], ["a1"], ["WSQH", "a2", "WTRS"], ["b1"], [*begun, "BSRS"], ["b1"],
    ]  # fmt: skip
    assert [message["ply"] for message in decisions] == [1, 2, 5, 6, 5, 6]
    assert [message["reason"] for message in told(notes, "end")] == ["adjourned"] * 2


def test_in_the_terminal_a_bot_is_told_how_the_game_ended(notes):
    run("play", "quarto", "random", scribe(notes, "moves"), "--seed", "1")
    (end,) = told(notes, "end")
    assert end["reason"] in ("won", "drawn")
    assert sum(end["payoff"]) == 1


@pytest.mark.parametrize("text", ["cartagena(version=jamaica)", "colonizers"])
def test_a_bot_is_not_asked_about_the_view_of_a_seat_that_is_not_to_move(notes, text):
    game = find(text)
    table, mind = Table(game, 1), build(scribe(notes, "moves"), game, 1)
    other = (table.turn + 1) % game.seats
    with pytest.raises(BadValue, match="only that seat can decide"):
        mind.decide(table.view(other))
    assert mind.decide(table.view(table.turn)).move in table.moves()
