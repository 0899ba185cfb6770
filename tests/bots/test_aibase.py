"""Scripts for the interface AIBase of the Colonizers thesis play as they are, behind walls, and see only their view."""

import copy
import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.bots.agents.bot import cells_of
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.games import find
from kibitz.games.colonizers.cards import CARDS
from kibitz.plugins.courses.adapters.aibase_adapter import MODULES
from kibitz.plugins.courses.adapters.aibase_engine import AIBaseEngine, BoardState
from tests import spy
from tests.bots.gallery import LINUX, SOLID

STUDENTS = Path(__file__).with_name("students") / "aibase"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "aibase"
SOON = 0.3  # seconds for a move of a script that never makes it
FAULTS = {
    "illegal": (Reason.ILLEGAL, "messageCallback() returned '99'", ""),
    "nothing": (Reason.ILLEGAL, "messageCallback() returned 'None'", ""),
    "crashing": (Reason.CRASH, "RuntimeError: I am lost", ""),
    "looping": (Reason.TIME, f"messageCallback() took more than {SOON} s", f", seconds={SOON}"),
    "impossible": (Reason.CRASH, "simulate() was given 'BuildModule Castle'; the actions are", ""),
    "invented": (Reason.CRASH, "this one was made by the script", ""),
    "unmade": (Reason.START, "the script has not called run() of a class that inherits from AIBase", ""),
}


@pytest.fixture(scope="module")
def colonizers():
    return find("colonizers")


@pytest.fixture(scope="module")
def core():
    """The module AICore, as scripts import it."""
    sys.path.insert(0, str(MODULES))
    yield importlib.import_module("AICore")
    sys.path.remove(str(MODULES))
    del sys.modules["AICore"]


@pytest.fixture
def engine(colonizers):
    return AIBaseEngine("colonizers", dict(colonizers.options), 5)


def script(name, options="", folder=STUDENTS):
    return f"aibase({folder / name}, walls=limits{options})"


def played(colonizers, text, seed=7, seat=0):
    seating = tuple(0 if at == seat else 1 for at in range(4))
    return play_fixture(colonizers, [text, "random"], Fixture(0, 0, seating, seed, (1, 2, 3, 4)))


def decisions(colonizers, seed):
    """Yield the tables of a random game before each move."""
    table, luck = Table(colonizers, seed), np.random.default_rng(seed)
    while not table.over:
        yield table
        table.play(int(luck.choice(table.moves())))


def cards(state):
    """Return the modules of a state, wherever they are, without those that left the game."""
    board = state["BoardState"]
    held = [card for player in board["Players"] for card in player["Hand"] + player["Colony"]]
    return [card["Name"] for card in held + board["Deck"] + board["DiscardTempStorage"]]


@pytest.mark.parametrize("seed", range(4))
def test_a_state_shows_what_the_seat_sees_and_nothing_else(colonizers, engine, core, seed):
    for table in decisions(colonizers, seed):
        view, turn = table.view(table.turn), table.turn
        state = engine.show(cells_of(view), turn)
        board, fields = state["BoardState"], colonizers.fields(view, turn)
        assert (board["PlayerTurn"], core.getCurrentPlayer(state)["ID"]) == (turn + 1, turn + 1)
        assert len(state["Actions"]) == len(table.moves())
        assert not state["GameOver"]
        assert {card["Name"] for card in board["Deck"]} <= {"Unknown"}
        for player, seat in zip(board["Players"], fields["seats"], strict=True):
            assert (player["Omnium"], len(player["Hand"])) == (seat["omnium"], seat["held"])
            assert [card["Name"].lower() for card in player["Colony"]] == seat["colony"]
            shown = [card["Name"].lower() for card in player["Hand"]]
            assert shown == (["unknown"] * seat["held"] if seat["hand"] is None else seat["hand"])
            if seat["colonist"] is None and seat["picked"]:
                assert player["Colonist"] == {"Name": "Unknown"}
                told = core.getCurrentPlayer(state)["ColonistInformation"][player["ID"]]
                assert [colonist["Name"].lower() for colonist in told] == seat["may_be"]
        others = core.getOtherPlayers(state)
        assert len(others) == 3
        assert all(told == [] for player in others for told in player["ColonistInformation"].values())


def test_a_state_is_made_of_the_view_alone(colonizers, engine):
    table = next(table for table in decisions(colonizers, 1) if table.ply == 60)
    seat, view = table.turn, table.view(table.turn)
    shown = engine.show(cells_of(view), seat)
    for seed in range(5):
        other = World.guess(colonizers, view, seed)
        assert (other.cells != table.copy_of_truth()).any()
        assert engine.show(cells_of(other.view(seat)), seat) == shown


@pytest.mark.parametrize("seed", range(4))
def test_a_guess_keeps_what_the_seat_knows_and_hides_nothing(colonizers, engine, seed):
    for table in decisions(colonizers, seed):
        state = engine.show(cells_of(table.view(table.turn)), table.turn)
        guess = engine.determinize()
        assert guess["Actions"] == state["Actions"]
        assert "Unknown" not in cards(guess)
        assert len(cards(guess)) == len(cards(state)) <= CARDS
        deck = [card["Name"] for card in guess["BoardState"]["StartingDeck"]]
        assert all(cards(guess).count(name) <= deck.count(name) for name in {*deck})
        me, known = (found["BoardState"]["Players"][table.turn] for found in (guess, state))
        assert (me["Hand"], me["Colonist"]) == (known["Hand"], known["Colonist"])
        for player in guess["BoardState"]["Players"]:
            assert player["Colonist"] is None or player["Colonist"]["Name"] != "Unknown"


@pytest.mark.parametrize("seed", range(3))
def test_simulated_moves_are_those_of_the_rules_up_to_the_ranking(colonizers, engine, core, seed):
    table, luck = Table(colonizers, seed), np.random.default_rng(seed)
    engine.show(cells_of(table.view(0)), 0)
    state = engine.determinize()
    world = World(colonizers, state["BoardState"].cells)
    while not state["GameOver"]:
        assert state["BoardState"]["PlayerTurn"] == world.turn + 1
        at = int(luck.integers(len(state["Actions"])))
        world.play(world.moves()[at])
        named = (core.getActionStrings(state)[at], state["Actions"][at], at, str(at))[luck.integers(4)]
        state = engine.simulate(state["BoardState"], named)
        assert (state["BoardState"].cells == world.cells).all()
    payoff = world.payoff()
    ranks = [core.getPlayerRanking(state, number) for number in range(1, 5)]
    if any(payoff):
        assert sorted(ranks) == [1, 2, 3, 4]
        assert payoff[ranks.index(1)] == max(payoff)
        points = [player["VictoryPoints"] for player in state["GameEndInfo"]["Players"]]
        assert sorted(points, reverse=True) == [points[ranks.index(rank)] for rank in (1, 2, 3, 4)]
    else:
        assert ranks == [0, 0, 0, 0]


def test_every_kind_of_action_has_the_name_of_the_thesis_s_program(colonizers, engine, core):
    found = set()
    for seed in range(4):
        for table in decisions(colonizers, seed):
            state = engine.show(cells_of(table.view(table.turn)), table.turn)
            found |= {(state["BoardState"]["GamePhase"], *sorted(action)) for action in state["Actions"]}
            for text, action in zip(core.getActionStrings(state), state["Actions"], strict=True):
                assert text.split()[0] == action["Type"]
                assert core.indexOfActionByString(state, text) == state["Actions"].index(action)
    assert found == {
        ("ColonistPick", "Colonist", "Type"), ("Draw", "Type"), ("Discard", "Module", "Type"),
        ("Power", "Target", "Type"), ("Power", "Type"), ("Build", "Module", "Type"), ("Build", "Type"),
    }  # fmt: skip


def test_a_state_that_a_script_has_copied_can_be_played_in(colonizers, engine):
    table = Table(colonizers, 1)
    state = engine.show(cells_of(table.view(0)), 0)
    assert isinstance(state["BoardState"], BoardState)
    assert engine.simulate(state["BoardState"], 0)["BoardState"]["PlayerTurn"] == 2  # in a guess
    copied = copy.deepcopy(engine.determinize())
    after = engine.simulate(copied["BoardState"], copied["Actions"][0])
    assert after["BoardState"]["PlayerTurn"] == 2
    assert copied["BoardState"]["PlayerTurn"] == 1
    assert (copied["BoardState"].cells != UNKNOWN).all()


def test_colours_are_counted_most_first_and_red_before_green_and_blue(core):
    colony = [{"Type": kind} for kind in ("Blue", "Green", "None", "Blue", "Green")]
    state = {"BoardState": {"PlayerTurn": 1, "Players": [{"ID": 1, "Colony": colony, "Hand": []}]}}
    assert core.getColonyModuleCountPerColor(state, 1) == [("Green", 2), ("Blue", 2), ("Red", 0)]
    assert core.getHandSize(state, 1) == 0
    assert core.indexOfFirstOrDefault(colony, lambda module: module["Type"] == "None") == 2
    assert core.indexOfFirstOrDefault(colony, lambda module: module["Type"] == "Red") is None


@LINUX
@pytest.mark.parametrize("name", ["random_script.py", "builder_script.py"])
def test_the_examples_play_whole_games(colonizers, name):
    for seat in (0, 3):
        result = played(colonizers, script(name, folder=EXAMPLES), seat=seat)
        assert result.offender == -1, result.fault


@LINUX
def test_a_script_with_a_seed_of_its_own_plays_the_same_game_again(colonizers):
    first, again = (played(colonizers, script("random_script.py", folder=EXAMPLES)).record for _ in range(2))
    assert first.moves == again.moves


@LINUX
@pytest.mark.parametrize("name", ["searching.py", "nested", "printing.py"])
def test_searches_folders_and_prints_do_no_harm(colonizers, name):
    result = played(colonizers, script(name))
    assert result.offender == -1, result.fault


@LINUX
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_script_is_named(colonizers, name):
    reason, words, options = FAULTS[name]
    result = played(colonizers, script(f"{name}.py", options))
    assert (result.reason, result.offender) == (reason, 0), result.fault
    assert words in result.fault


@LINUX
@pytest.mark.parametrize("walls", ["limits", *SOLID])
def test_a_script_that_looks_around_finds_nothing(colonizers, walls):
    result = played(colonizers, f"aibase({STUDENTS / 'spying.py'}, walls={walls})", spy.seed())
    assert result.offender == -1, result.fault
    bot_pool.end_all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("aibase", "it must be a path with a slash"),
        ("aibase(their_script.py)", "it must be a path with a slash"),
        ("aibase(./no_such_script.py)", "there is no script"),
        (f"aibase({STUDENTS})", "there is no script"),
    ],
)
def test_what_cannot_be_a_script_is_refused_in_a_sentence(colonizers, text, words):
    with pytest.raises(BadValue, match=f"aibase: .*{words}"):
        build(text, colonizers)


def test_other_games_are_refused(quarto):
    with pytest.raises(BadValue, match="play colonizers, not quarto"):
        build(f"aibase({STUDENTS}/printing.py)", quarto)
