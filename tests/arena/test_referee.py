"""The referee: limits are kept, a seat that fails loses its game, and the record says what was played."""

import json
import time
from pathlib import Path

import pytest

from kibitz import games
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import NO_LIMITS, Limits
from kibitz.arena.play import referee
from kibitz.arena.play.reason import Reason
from kibitz.core.errors import BadValue
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.core.user_files import fingerprint
from tests.arena.playing import play_inside

ROGUE = Path(__file__).with_name("rogue.py")
FAULTS = [
    ("raise", NO_LIMITS, Reason.CRASH, "failed in seat 2 at ply {} of game 8: ZeroDivisionError: oh dear"),
    ("complain", NO_LIMITS, Reason.CRASH, "failed in seat 2 at ply {} of game 8: BadValue: it is all wrong"),
    ("leave", NO_LIMITS, Reason.CRASH, "failed in seat 2 at ply {} of game 8: SystemExit: enough"),
    ("silent", NO_LIMITS, Reason.CRASH, "failed in seat 2 at ply {} of game 8: TypeError: decide returned None"),
    ("unbuilt", NO_LIMITS, Reason.CRASH, "failed in seat 2 at ply 0 of game 8: BadValue: no such mind"),
    ("cheat", NO_LIMITS, Reason.ILLEGAL, "in seat 2 of game 8: move 1000000 at ply {} is not legal; the moves are"),
    ("mumble", NO_LIMITS, Reason.ILLEGAL, "in seat 2 of game 8: 'e4' at ply {} is not a move"),
    ("toil", Limits(nodes=10), Reason.NODES, "in seat 2 of game 8: too many nodes at ply {}: 1000000 of 10"),
    ("boast", Limits(nodes=10), Reason.CRASH, "failed in seat 2 at ply {} of game 8: TypeError"),
    ("late", Limits(move_seconds=1), Reason.TIME, "in seat 2 of game 8: out of time at ply {}"),
]

LOUD = """
from kibitz import Agent

class Loud(Agent):
    def decide(self, view):
        raise ValueError("\\x1b[2Jgone\\x9b")
"""


@pytest.fixture(autouse=True)
def _time_passes_only_in_sleep(monkeypatch):
    clock = {"now": 0.0}
    monkeypatch.setattr(referee, "perf_counter", lambda: clock["now"])
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.update(now=clock["now"] + seconds))


def _seated(rogue_seat, seats, **more):
    seating = tuple(int(seat == rogue_seat) for seat in range(seats))
    return Fixture(7, 3, seating, 5, tuple(11 if agent else 2 * seat for seat, agent in enumerate(seating)), **more)


@pytest.mark.parametrize(("how", "limits", "reason", "sentence"), FAULTS)
@pytest.mark.parametrize("name", ["quarto", "chexers"])
def test_a_seat_that_fails_loses_and_all_others_share_the_win(name, how, limits, reason, sentence):
    game = games.find(name)
    agents = ["random", f"'{ROGUE}'(how={how})"]
    fixture = _seated(1, game.seats)
    result = play_inside(game, agents, fixture, limits)
    assert (result.reason, result.offender) == (reason, 1)
    assert sentence.format(len(result.record.moves)) in result.fault
    assert "rogue.py" in result.fault
    assert "\n" not in result.fault
    assert result.payoff == tuple(0 if seat == 1 else 1 / (game.seats - 1) for seat in range(game.seats))
    assert result.record.payoff is None
    assert not read_line(result.record.line()).replay(games.find).over
    assert result.moves[1] == (0 if how == "unbuilt" else 1)


def test_a_sound_mind_is_left_alone(quarto):
    generous = Limits(move_seconds=60, game_seconds=60, nodes=1000, plies=100)
    agents = ["minimax(depth=1)", "novice"]
    fixture = Fixture(7, 3, (0, 1), 5, (1, 2))
    free, bound = (play_inside(quarto, agents, fixture, limits) for limits in (NO_LIMITS, generous))
    assert free.record == bound.record
    assert free.payoff == tuple(free.record.payoff)
    assert free.reason in (Reason.WON, Reason.DRAWN)
    assert (free.offender, free.fault) == (-1, "")


def test_the_best_alone_have_won_and_the_best_together_have_drawn(quarto):
    for number in range(60):
        result = play_inside(quarto, ["random"] * 2, Fixture(number, 0, (0, 1), number, (number, number + 100)))
        assert result.reason == (Reason.DRAWN if result.payoff == (0.5, 0.5) else Reason.WON)


@pytest.mark.parametrize("name", ["quarto", "chexers"])
def test_the_limit_of_plies_is_a_draw_of_a_game_that_is_not_over(name):
    game = games.find(name)
    fixture = Fixture(7, 3, (0,) * game.seats, 5, tuple(range(game.seats)))
    result = play_inside(game, ["random"], fixture, Limits(plies=4))
    assert (result.reason, result.offender, result.fault) == (Reason.CAP, -1, "")
    assert result.payoff == (1 / game.seats,) * game.seats
    assert (len(result.record.moves), sum(result.moves), result.record.payoff) == (4, 4, None)


def test_a_game_that_ends_with_the_last_ply_allowed_is_not_capped(quarto):
    fixture = Fixture(7, 3, (0, 1), 5, (1, 2))
    whole = play_inside(quarto, ["random", "novice"], fixture)
    last = len(whole.record.moves)
    assert play_inside(quarto, ["random", "novice"], fixture, Limits(plies=last)).reason == whole.reason
    assert play_inside(quarto, ["random", "novice"], fixture, Limits(plies=last - 1)).reason == Reason.CAP


def test_an_opening_is_in_the_record_and_nobody_s_move(quarto):
    table = Table(quarto, 5)
    for _ in range(3):
        table.play(table.moves()[-1])
    opening = tuple(table.moves_made)
    result = play_inside(quarto, ["random", "novice"], Fixture(7, 3, (0, 1), 5, (1, 2), opening))
    assert tuple(result.record.moves[:3]) == opening
    assert sum(result.moves) == len(result.record.moves) - 3 == len(result.move_stats)
    assert result.record.replay(games.find).over


def test_an_opening_that_cannot_be_played_is_nobody_s_fault(quarto):
    with pytest.raises(BadValue, match="the opening of game 8 cannot be played: move 99 at ply 0 is not legal"):
        play_inside(quarto, ["random", "novice"], Fixture(7, 3, (0, 1), 5, (1, 2), (99,)))


def test_a_clock_with_increment_outlasts_one_without(quarto):
    agents = ["random", f"'{ROGUE}'(how=late)"]
    for increment, late in ((0.0, True), (600.0, False)):
        limits = Limits(game_seconds=1, increment=increment)
        assert (play_inside(quarto, agents, _seated(1, 2), limits).reason == Reason.TIME) == late


def test_thoughts_are_kept_move_by_move(quarto):
    agents = ["random", f"'{ROGUE}'(how=dream)"]
    result = play_inside(quarto, agents, _seated(1, 2))
    thoughts = json.loads(result.annotations_line(moves=True))
    assert len(thoughts["seconds"]) == len(thoughts["values"]) == len(thoughts["seats"]) == len(result.record.moves)
    assert [thoughts["seats"].count(seat) for seat in range(2)] == list(result.moves)
    spoken = [values for values in thoughts["values"] if values]
    assert spoken[:2] == [[1.0, 1.0], [3.0, 3.0]]  # what it dreamt at its second move were no values


def test_seconds_are_kept_by_seat_and_by_move(quarto):
    result = play_inside(quarto, ["random", f"'{ROGUE}'(how=late)"], _seated(1, 2))
    assert result.seconds == (0.0, 1.5)
    assert sorted(json.loads(result.annotations_line(moves=True))["seconds"])[-2:] == [0.0, 1.5]


def test_cpu_time_is_kept_by_move_beside_the_time_by_the_clock(quarto, monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(referee, "process_time", lambda: float(next(clock)))
    result = play_inside(quarto, ["random", "novice"], _seated(1, 2))
    assert json.loads(result.annotations_line(moves=True))["cpu"] == [1.0] * sum(result.moves)
    assert result.seconds == (0.0, 0.0)


def test_the_cpu_time_of_an_agent_in_another_process_is_not_known(quarto, monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(referee, "process_time", lambda: float(next(clock)))
    monkeypatch.setattr(referee, "external", lambda agent: agent)
    assert {stats.cpu for stats in play_inside(quarto, ["random", "novice"], _seated(1, 2)).move_stats} == {0.0}


HELPED = """
import helper
from kibitz import Agent
class Helped(Agent):
    def decide(self, view):
        return helper.choose(self.legal(view))
"""


def _helped(folder, body):
    folder.mkdir()
    (folder / "agent.py").write_text(HELPED)
    (folder / "helper.py").write_text(f"import numpy as np\n\n\ndef choose(moves):\n    {body}\n")
    return str(folder / "agent.py")


def test_an_agent_may_return_a_bare_move_and_import_a_file_beside_it(tmp_path):
    first = _helped(tmp_path / "first", "return moves[0]")
    last = _helped(tmp_path / "last", "return np.int32(moves[-1])")
    result = play_inside(games.find("quarto"), [first, last], Fixture(7, 3, (0, 1), 5, (1, 2)))
    assert result.reason in (Reason.WON, Reason.DRAWN)
    assert result.record.moves[:3] == [0, 15, 15]


def test_a_file_beside_an_agent_counts_as_its_code(tmp_path):
    agent = _helped(tmp_path / "first", "return moves[0]")
    before = fingerprint(agent)
    Path(agent).with_name("other.py").write_text("")
    assert fingerprint(agent) == before
    Path(agent).with_name("helper.py").write_text("def choose(moves):\n    return moves[1]\n")
    assert fingerprint(agent) != before


def test_a_fault_steers_no_terminal(tmp_path):
    (tmp_path / "loud.py").write_text(LOUD)
    result = play_inside(games.find("quarto"), ["random", str(tmp_path / "loud.py")], _seated(1, 2), NO_LIMITS)
    assert r"ValueError: \x1b[2Jgone\x9b" in result.fault
    assert result.fault.isprintable()


def test_a_fault_shows_the_lines_that_led_to_it(tmp_path):
    agent = _helped(tmp_path / "wrong", "return moves[99]")
    result = play_inside(games.find("quarto"), [agent, "random"], Fixture(7, 3, (0, 1), 5, (1, 2)))
    assert result.fault.endswith(
        "IndexError: list index out of range (agent.py, line 6: return helper.choose(self.legal(view)); "
        "helper.py, line 5: return moves[99])"
    )


def test_a_move_of_five_thousand_digits_is_illegal(tmp_path):
    agent = _helped(tmp_path / "huge", "return 10**5000")
    result = play_inside(games.find("quarto"), [agent, "random"], Fixture(7, 3, (0, 1), 5, (1, 2)))
    assert (result.reason, result.offender) == (Reason.ILLEGAL, 0)
    assert "move with about 5,000 digits at ply 0 is not legal" in result.fault
