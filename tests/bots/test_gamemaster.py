"""Programs of plain lines play Quarto in pairs, and the gamemaster counts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.cli import main
from kibitz.core.errors import BadValue, KibitzError
from kibitz.plugins.courses.adapters.plain_lines_adapter import PlainLinesPlayer
from kibitz.plugins.courses.gamemaster import play_gamemaster
from tests.bots.gallery import EXAMPLES, LINUX

pytestmark = LINUX
PLAIN = EXAMPLES / "plain_quarto.py"
COURSES = Path(__file__).resolve().parents[2] / "docs" / "courses.md"
SOON = 0.3  # seconds for a move of a program that never makes it

ROGUE = """
import sys, time
how = sys.argv[1]
for line in sys.stdin:
    if how == "crash":
        raise RuntimeError("I am lost")
    if how == "hang":
        time.sleep(600)
    answers = {"word": "hello", "cell": "e5 BTRS", "piece": "BTRX", "silent": "a1", "again": "a1 BTRS"}
    print(answers[how], flush=True)
"""
FAULTS = {
    "crash": (Reason.CRASH, "I am lost"),
    "hang": (Reason.TIME, "after `decide`"),
    "word": (Reason.ILLEGAL, "hello"),
    "cell": (Reason.ILLEGAL, "e5"),
    "silent": (Reason.ILLEGAL, "no piece"),
    "again": (Reason.ILLEGAL, "BTRS"),
}


def command(*words):
    return " ".join([sys.executable, "-I", "-S", *map(str, words)])


def lines(*words, **options):
    given = "".join(f", {name}={value}" for name, value in {"walls": "limits", **options}.items())
    return f'lines(cmd="{command(*words)}"{given})'


class Typed(PlainLinesPlayer):
    """A program whose answers were typed before, without a process."""

    def __init__(self, answers):
        super().__init__([])
        self.answers, self.said = list(answers), []

    def _write(self, line):
        self.said.append(f"> {line}")

    def _read(self):
        self.said.append(f"< {self.answers[0]}")
        return " ".join(self.answers.pop(0).split())


def view(hand=None, **board):
    return {"view": {"hand": hand, "board": {"a1": None, "b1": None, "c1": None, "d1": None, **board}}, "seat": 0}


def test_one_answer_is_a_cell_and_the_piece_that_is_handed_on():
    side = Typed(["BTRS", "b1  WTQH", "d1"])
    side.begin({})
    assert side.decide(view()) == {"text": "BTRS"}
    assert side.decide(view("WSQH", a1="BTRS")) == {"text": "b1"}
    assert side.decide(view(a1="BTRS", b1="WSQH")) == {"text": "WTQH"}
    assert side.decide(view("BSQH", a1="BTRS", b1="WSQH", c1="WTQH")) == {"text": "d1"}
    side.end({"seat": 0, "payoff": [1.0, 0.0]})
    assert side.said == [
        "> new first", "< BTRS", "> a1 WSQH", "< b1  WTQH", "> c1 BSQH", "< d1", "> end won",
    ]  # fmt: skip


def test_a_game_that_does_not_begin_with_an_empty_board_is_told_with_its_board():
    side = Typed(["c1 WTQH", "BSQH"])
    side.begin({})
    side.decide(view("WSQH", a1="BTRS", b1="BTRH"))
    side.end({"seat": 0, "payoff": [0.5, 0.5]})
    side.begin({})
    side.decide(view(d1="BTRS"))
    side.end({"seat": 0, "payoff": [0.0, 1.0]})
    assert side.said == [
        "> new second a1 BTRS b1 BTRH", "> WSQH", "< c1 WTQH", "> end tied", "> new first d1 BTRS", "< BSQH",
        "> end lost",
    ]  # fmt: skip


def test_a_game_that_ended_before_its_first_turn_is_not_told():
    side = Typed([])
    side.begin({})
    side.end({"seat": 0, "payoff": [1.0, 0.0]})
    assert side.said == []


@pytest.mark.parametrize("opening", [(), (3,), (3, 5), (3, 5, 7, 0)])
def test_the_example_plays_in_either_seat_also_after_an_opening(quarto, opening):
    text = lines(PLAIN)
    for seating in ((0, 1), (1, 0)):
        result = play_fixture(quarto, [text, "random"], Fixture(0, 0, seating, 7, (1, 2), opening))
        assert result.offender == -1, result.fault
    bot_pool.end_all()


@pytest.mark.parametrize("how", FAULTS)
def test_a_fault_of_a_program_is_named(quarto, how, tmp_path):
    reason, words = FAULTS[how]
    program = tmp_path / "rogue.py"
    program.write_text(ROGUE)
    seating = (1, 0) if how != "hang" else (0, 1)
    text = lines(program, how, seconds=SOON if how == "hang" else 60)
    result = play_fixture(quarto, [text, "random"], Fixture(0, 0, seating, 7, (1, 2), (15,) if how == "again" else ()))
    assert (result.reason, seating[result.offender]) == (reason, 0), result.fault
    assert words in result.fault


def test_every_pair_meets_and_sides_alternate(tmp_path):
    last = tmp_path / "last.py"
    last.write_text(PLAIN.read_text().replace("pop(0)", "pop()"))
    programs = [command(PLAIN), command(last), command("-c", "pass")]
    result = play_gamemaster("quarto", programs, games=3)
    rows = {row.program: row for row in result.programs}
    assert (result.planned, result.played) == (12, 12)
    assert rows[programs[2]].wins == 0
    assert rows[programs[2]].losses == 8
    for row in result.programs:
        assert [one.wins + one.losses + one.ties for one in row.against] == [4, 4]
        assert row.wins == sum(one.wins for one in row.against)
        for one in row.against:
            back = next(other for other in rows[one.opponent].against if other.opponent == row.program)
            assert (one.wins, one.losses, one.ties) == (back.losses, back.wins, back.ties)
    assert [row.wins for row in result.programs] == sorted((row.wins for row in result.programs), reverse=True)
    assert len(result.faults) == 5
    assert result.reasons["crash"] == 8


def test_the_command_prints_the_tables_of_the_report(tmp_path):
    other = tmp_path / "other.py"
    other.write_text(PLAIN.read_text())
    words = ["gamemaster", "quarto", command(PLAIN), command(other), "--games", "2", "--jobs", "1"]
    done = CliRunner().invoke(main, words, env={"COLUMNS": "400"})
    assert done.exit_code == 0, done.output
    assert f"{command(PLAIN)} vs." in done.output
    assert "in all" in done.output
    kept = ["--db", str(tmp_path / "games.db"), "--json", "--limit", "move_seconds=60"]
    data = json.loads(CliRunner().invoke(main, [*words, *kept]).stdout)
    assert data["played"] == 2
    assert data["programs"][0]["against"][0]["opponent"] in (command(PLAIN), command(other))


@pytest.mark.parametrize(("game", "programs", "words"), [
    ("quarto", ["python3"], "at least 2"),
    ("quarto", ["python3", "python3"], "named twice"),
    ("quarto", ["python3", "no-such-program"], "no-such-program"),
    ("quarto(squares=true)", ["python3", "python3 -"], "without squares"),
    ("chexers", ["python3", "python3 -"], "plain lines are for quarto"),
])  # fmt: skip
def test_what_cannot_be_played_is_refused_in_a_sentence(game, programs, words):
    with pytest.raises(KibitzError, match=words):
        play_gamemaster(game, programs)


def test_a_command_must_be_given(quarto):
    with pytest.raises(BadValue, match="a command is missing"):
        build("lines", quarto)


def test_the_game_on_the_page_is_what_the_example_answers():
    page = COURSES.read_text().split("<!-- plain lines -->\n```text\n")[1].split("\n```")[0].splitlines()
    heard = [line[2:] for line in page if line.startswith("> ")]
    done = subprocess.run(
        [sys.executable, str(PLAIN)], input="\n".join(heard), capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == [line[2:] for line in page if line.startswith("< ")]
