"""Players of COMP30024 play as they are, behind walls, and what they do wrong is named."""

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.chexers.notation import to_action
from kibitz.games.chexers.rules import SEAT_NAMES
from kibitz.plugins.courses.adapters.comp30024_adapter import action_of, plain
from kibitz.plugins.courses.commentary import drawing
from kibitz.plugins.courses.comp30024_referee import main
from tests.bots.gallery import BWRAP, LINUX

pytestmark = LINUX
STUDENTS = Path(__file__).with_name("students")
SOON = 0.3  # seconds for a move of a player that never makes it
FAULTS = {
    "Illegal": (Reason.ILLEGAL, "no piece on (0, 0)", ""),
    "OffTheBoard": (Reason.ILLEGAL, "(9, 9), which is not a hex", ""),
    "Listing": (Reason.ILLEGAL, "is not an action, but ('", ""),
    "Whispering": (Reason.ILLEGAL, "is not an action, but ('", ""),
    "Nothing": (Reason.ILLEGAL, "None is not an action", ""),
    "Crashing": (Reason.CRASH, "RuntimeError: I am lost", ""),
    "CrashingLater": (Reason.CRASH, "RuntimeError: I cannot follow", ""),
    "Looping": (Reason.TIME, "action() took more than", f", seconds={SOON}"),
    "Burning": (Reason.TIME, "seconds of the processor", ", cpu=1"),
    "Hungry": (Reason.MEMORY, "100 are allowed", ""),
    "Leaving": (Reason.CRASH, "exit code 0", ""),
    "Unmade": (Reason.CRASH, "TypeError", ""),
    "Missing": (Reason.START, "there is no class Missing in the module team.faulty; its classes are Player,", ""),
}


@pytest.fixture
def chexers():
    return find("chexers")


def player(cls, options="", module="team.faulty", path=STUDENTS):
    return f"comp30024(path={path}, module={module}, cls={cls}, walls=limits{options})"


def played(chexers, text, others="random"):
    return play_fixture(chexers, [text, others, others], Fixture(0, 0, (0, 1, 2), 7, (1, 2, 3)))


@pytest.mark.parametrize("cls", FAULTS)
def test_a_fault_of_a_player_is_named(chexers, cls):
    reason, words, options = FAULTS[cls]
    result = played(chexers, player(cls, options))
    assert (result.reason, result.offender) == (reason, 0), result.fault
    assert words in result.fault


@pytest.mark.parametrize("cls", ["Printing", "Odd"])
def test_prints_and_numbers_that_are_equal_to_plain_ones_do_no_harm(chexers, cls):
    assert played(chexers, player(cls)).offender == -1


def test_a_player_is_told_of_every_turn_in_order_its_own_and_the_last_included(chexers, tmp_path):
    shutil.copytree(STUDENTS / "team", tmp_path / "team")
    text = player("Recording", path=tmp_path)
    result = play_fixture(chexers, [text, "policy(greedy)"], Fixture(0, 0, (0, 1, 0), 7, (1, 2, 3)))
    assert result.offender == -1, result.fault
    table, made = Table(chexers, 7), []
    for move in result.record.moves:
        made.append((SEAT_NAMES[table.turn], to_action(table.view(table.turn), move)))
        table.play(move)
    for colour in ("red", "blue"):
        assert (tmp_path / f"{colour}.txt").read_text().splitlines() == [repr(turn) for turn in made]


def test_a_package_or_a_file_can_be_named_by_its_path(chexers):
    for text in (f"comp30024({STUDENTS}/team)", f"comp30024({STUDENTS}/team/, walls=limits)"):
        assert build(text, chexers).program[-3:] == [str(STUDENTS), "team", "Player"]
    assert build(f"comp30024({STUDENTS}/team/player.py)", chexers).program[-2:] == ["player", "Player"]


@BWRAP
def test_behind_bubblewrap_it_plays_too(chexers):
    assert played(chexers, f"comp30024({STUDENTS}/team, walls=bwrap)").offender == -1


def test_the_limits_of_the_course_are_a_preset(chexers):
    course, own, none = (
        build(f"comp30024({STUDENTS}/team{options})", chexers).sandbox
        for options in ("", ", memory=300", ", limits=none")
    )
    assert (course.cpu, course.memory) == (60, 100)
    assert (own.cpu, own.memory) == (60, 300)
    assert none.cpu is None


@pytest.mark.parametrize(
    "text",
    ["comp30024", "comp30024(team)", "comp30024(./no-such-team)", f"comp30024({STUDENTS}, 'os; x')",
     f"comp30024({STUDENTS}/team, cls='a b')"],
)  # fmt: skip
def test_what_cannot_be_a_player_is_refused_in_a_sentence(chexers, text):
    with pytest.raises(BadValue, match="comp30024"):
        build(text, chexers)


def test_other_games_and_positions_are_refused(quarto, chexers):
    with pytest.raises(BadValue, match="play chexers"):
        build(f"comp30024({STUDENTS}/team)", quarto)


def test_a_player_cannot_be_asked_about_a_game_that_it_has_not_followed(chexers):
    table, mind = Table(chexers, 1), build(player("Printing"), chexers)
    table.play(table.moves()[0])
    with pytest.raises(BadValue, match="1 turns were made, and the player was told of 0"):
        mind.decide(table.view(1))


def test_the_adapter_reads_every_move_as_the_notation_does(chexers):
    luck = Random(1)
    for seed in range(2):
        table = Table(chexers, seed)
        while not table.over:
            view = table.view(table.turn)
            for move in table.moves():
                assert action_of(table.write(move)) == to_action(view, move)
            table.play(luck.choice(table.moves()))


def test_numbers_are_made_plain():
    assert repr(plain(("MOVE", ((0.0, True), (-1, 2.5))))) == "('MOVE', ((0, 1), (-1, 2.5)))"
    assert plain(("PASS", None)) == ("PASS", None)
    assert plain(float("nan")) != plain(float("nan"))


def test_adapters_load_nothing_but_the_standard_library():
    code = (
        "import sys; from kibitz.plugins.courses import adapters; "
        "from kibitz.plugins.courses.adapters import aibase_adapter, comp30024_adapter, plain_lines_adapter; "
        "from kibitz.plugins.courses.adapters import torino_adapter; "
        "print({'numpy', 'numba', 'msgspec'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# The referee


@pytest.fixture
def at_home(monkeypatch):
    monkeypatch.chdir(STUDENTS)
    yield
    bot_pool.end_all()


@pytest.mark.usefixtures("at_home")
def test_the_referee_prints_what_that_of_the_course_does(capsys, tmp_path):
    log = tmp_path / "game.log"
    players = ["team.faulty:Printing", "kibitz:policy(greedy)", "team/player.py"]
    assert main([*players, "-t", "-s", "-v1", "-l", str(log)]) == 0
    said = capsys.readouterr().out.splitlines()
    for line in (
        "* importing red player's player class 'Printing' from package 'team.faulty'",
        "* importing blue player's player class 'Player' from package 'team.player'",
        "* ** initialising players **",
        "* initialising blue player as a team.player.Player",
        "* ** game start **",
        "*   scores: Red: 0 exits, Green: 0 exits, Blue: 0 exits.",
        "* ** red player's turn **",
        "* asking red player for next action...",
        "I think.",
        "*   red player returned action: ('MOVE', ((-3, 0), (-2, -1)))",
        "* updating green player with red's action ('MOVE', ((-3, 0), (-2, -1)))...",
        "* ** game over! **",
    ):
        assert line in said, line
    assert any(line.startswith("*   time:  +") and line.endswith("(game total)") for line in said)
    result = said[-1].removeprefix("* ")
    assert result.startswith(("winner: ", "draw detected: "))
    lines = log.read_text().splitlines()
    assert lines[0].startswith("[game ] - Start Chexers game log at ")
    assert lines[1] == "[red  ] - MOVE from (-3, 0) to (-2, -1)."
    assert lines[-1] == f"[over ] - {result}"


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(("cls", "options", "headline"), [
    ("Illegal", [], "* error: invalid action!"),
    ("Burning", ["-t0.1"], "* error: resource limit exceeded!"),
    ("CrashingLater", [], "* error: red player failed!"),
    ("Missing", [], "* error: red player failed!"),
    ("Forging", [], "* error: red player failed!"),
])  # fmt: skip
def test_the_referee_ends_a_game_with_the_headline_of_the_fault(capsys, cls, options, headline):
    assert main([f"team.faulty:{cls}", "kibitz:random", "kibitz:random", "-v0", *options]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == headline


@pytest.mark.usefixtures("at_home")
def test_the_referee_counts_processor_time_exactly(capsys, monkeypatch):
    monkeypatch.setattr("kibitz.plugins.courses.contestant.PATIENCE", 60.0)
    assert main(["team", "kibitz:random", "kibitz:random", "-t0.000001"]) == 1
    assert "red player exceeded available time" in capsys.readouterr().out


@pytest.mark.usefixtures("at_home")
def test_the_referee_says_what_is_wrong_with_a_command(capsys):
    assert main(["kibitz:", "team", "team"]) == 2
    assert main(["kibitz:nobody", "team", "team"]) == 2
    assert main(["kibitz:random"] * 3 + ["-l", "no/such/folder"]) == 2
    assert "referee: cannot write no/such/folder" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["team", "team", "team", "--delay", "-1"])


def test_the_board_can_be_drawn_with_coordinates(chexers):
    view = Table(chexers, 1).view(0)
    assert drawing(view, coordinates=False).splitlines()[3] == " R   .   .   .   .   .   B"
    assert "-3,3" in drawing(view, coordinates=True).splitlines()[-1]
