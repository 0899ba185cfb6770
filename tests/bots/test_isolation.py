"""Agents by path behind walls: their process holds views and nothing else."""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import kibitz
from kibitz import agents
from kibitz.agents.external_agent import Ending
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play import local
from kibitz.arena.play.batch import batch_of
from kibitz.arena.play.local import play_locally
from kibitz.arena.play.retry_policy import RetryPolicy
from kibitz.arena.results.run import MemoryRun
from kibitz.bots import bot_pool
from kibitz.bots.agents.isolated import Isolated
from kibitz.bots.bot_fault import CRASH, TIME, BotFault
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.seeds import seed_for_program
from tests.bots.gallery import BWRAP, LINUX, SOLID

pytestmark = LINUX

SPY = '''
"""An agent that looks for tables and rivals, and says what it found by where it fails."""
import gc, os, sys
from kibitz.agents.agent import Agent, Decision
from kibitz.core.table import Table
import kibitz.core.table, kibitz.arena.play.referee

class Spy(Agent):
    """Look around."""

    def decide(self, view):
        """Play the first move, if there is nothing to see."""
        seen = [thing for thing in gc.get_objects() if isinstance(thing, Table)]
        minds = [thing for thing in gc.get_objects() if isinstance(thing, Agent) and type(thing) is not Spy]
        frame, walked = sys._getframe(), []
        while frame:
            walked += [name for name, thing in frame.f_locals.items() if isinstance(thing, Table)]
            frame = frame.f_back
        kibitz.core.table.Table.play = None
        kibitz.arena.play.referee.take_turn = None
        if seen or walked or minds:
            raise RuntimeError(f"found {len(seen)} tables, {len(minds)} minds and {walked}")
        return Decision(self.legal(view)[0])
'''

FIRST = '''
"""An agent that plays the first legal move."""
import os
from kibitz import Agent, Decision

class First(Agent):
    """Play the first move."""

    def decide(self, view):
        """Play it."""
        return Decision(self.legal(view)[0])
'''


def _results(plan, jobs=1):
    return [
        (int(number), str(reason), fault, list(payoff), record)
        for batch in play_locally(plan, plan.fixtures(), jobs)
        for number, reason, fault, payoff, record in zip(
            batch.numbers, batch.reasons, batch.faults, batch.payoffs, batch.records, strict=True
        )
    ]


@pytest.fixture
def spy(tmp_path):
    """An agent in a file that looks for what it should not see."""
    path = tmp_path / "spy.py"
    path.write_text(SPY)
    yield str(path)
    bot_pool.end_all()


def test_an_isolated_agent_finds_neither_table_nor_rival(quarto, spy):
    plan = Plan.make(quarto, [spy, "novice"], games=2)
    results = _results(plan)
    assert [fault for _, _, fault, _, _ in results] == ["", ""]
    assert all(reason in ("won", "drawn") for _, reason, _, _, _ in results)


def test_isolation_is_part_of_what_a_plan_is(quarto, spy):
    bare, walled = (Plan.make(quarto, [spy, "novice"], games=2, isolate=flag) for flag in (False, None))
    assert bare.run != walled.run
    assert bare.data()["isolate"] is False
    assert walled.limits.isolate
    with pytest.raises(BadValue, match="isolate must be true or false"):
        Plan.make(quarto, [spy, "novice"], games=2, isolate="yes")


def test_an_isolated_agent_that_cannot_be_built_is_refused_before_the_first_game(quarto, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_that_name\n")
    with pytest.raises(BadValue, match="nothing_of_that_name"):
        Plan.make(quarto, [str(path), "novice"], games=2)


@pytest.mark.parametrize(("text", "refusal"), [
    ("isolated(zz)", "unknown agent for quarto 'zz'"),
    ("isolated(minimax(leaf=1))", "unknown option of minimax 'leaf'"),
])  # fmt: skip
def test_an_agent_of_kibitz_that_is_named_wrongly_is_refused_before_it_has_a_process(quarto, text, refusal):
    with pytest.raises(kibitz.KibitzError, match=refusal):
        kibitz.play_match("quarto", [text, "random"], games=2)


@pytest.mark.parametrize("level", ["limits", *SOLID])
def test_a_hosted_agent_decides_as_it_does_at_home(level):
    game = kibitz.game("cartagena(version=jamaica)")
    seats = range(game.seats)  # as hidden games have a host for each seat
    home = [kibitz.agent("top3", game, seed_for_program(5)) for _ in seats]
    hosted = kibitz.agent(f"isolated(top3, walls={level})", game, 5)
    table = kibitz.Table(game, 3)
    for _ in range(12):
        view = table.view(table.turn)
        decision = hosted.decide(view)
        assert decision.move == home[table.turn].decide(view).move
        table.play(decision.move)
    SeatedAgent(hosted, 0).end(Ending([0.0] * game.seats, "broken off"))
    bot_pool.end_all()


def test_the_options_of_a_hosted_agent_are_checked_where_it_is_built():
    assert isinstance(agents.declared("isolated")["agent"], Option)
    with pytest.raises(BadValue, match="an agent is missing"):
        kibitz.agent("isolated", kibitz.game("quarto"), 1)


CHEAT = '''
"""An agent that attacks what it runs in, at its first move of a game."""
import builtins, os, signal, subprocess, threading, time
from contextlib import suppress
from kibitz.agents.agent import Agent, Decision
from kibitz.core.options import Option
from kibitz.core.seeds import seed_for_program

class Cheat(Agent):
    """Attack."""

    OPTIONS = {"how": Option("", "in which way")}

    def prepare(self, how):
        """Take the way."""
        self.how = how

    def decide(self, view):
        """Play the first move, after an attack in a game that counts."""
        move, how, self.how = self.legal(view)[0], self.how, ""
        if self.seed != seed_for_program(0) and how:
            globals()[how](self)
        return Decision(move)

def leave(mind):
    threading.Timer(0, os._exit, [1]).start()
    time.sleep(5)

def stop(mind):
    os.kill(os.getpid(), signal.SIGSTOP)

def steal(mind):
    for number in (signal.SIGSTOP, signal.SIGCONT):
        os.kill(os.getppid(), number)
    time.sleep(2)

def spoil(mind):
    mind.game.__dict__["rules"] = builtins.len = None

def scribble(mind):
    for descriptor in range(3, 64):
        with suppress(OSError):
            os.write(descriptor, b"x")

def outlive(mind):
    subprocess.Popen(["sleep", "98765"], start_new_session=True)
'''
ATTACKS = {"stop": "time", "spoil": "crash", "scribble": "protocol", "outlive": "won"}
if os.environ.get("KIBITZ_LONG"):
    ATTACKS |= {"leave": "crash", "steal": "time"}


def _runs(*words):
    command = "".join(f"{word}\0" for word in words).encode()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes() == command:
                return True
    return False


@pytest.mark.parametrize("level", SOLID)
def test_an_attack_behind_walls_costs_the_attacker_and_nobody_else(quarto, tmp_path, level):
    (tmp_path / "cheat.py").write_text(CHEAT)
    minds = [f"'{tmp_path}/cheat.py'", *(f"'{tmp_path}/cheat.py'(how={how})" for how in ATTACKS)]
    agents = [f"isolated({mind}, walls={level})" for mind in minds]
    fixtures = [Fixture(number, 0, (0, 1 + number), number, (2, 4)) for number in range(len(ATTACKS))]
    plan = Plan(quarto, tuple(agents), limits=Limits(move_seconds=5))
    found = {}
    for batch in play_locally(plan, fixtures, 1):
        found |= zip(batch.numbers.tolist(), zip(batch.reasons, batch.offenders.tolist(), strict=True), strict=True)
    reasons = dict(zip(ATTACKS, (found[number] for number in range(len(ATTACKS))), strict=True))
    assert reasons == {how: (reason, -1 if reason == "won" else 1) for how, reason in ATTACKS.items()}
    assert not _runs("sleep", "98765")


@pytest.mark.parametrize("level", SOLID)
def test_a_host_that_is_killed_while_it_starts_has_not_failed_to_start(monkeypatch, level):
    hello = ProtocolDriver.hello

    def killed_first(driver, *given):
        os.kill(driver.process.pid, signal.SIGKILL)
        hello(driver, *given)

    monkeypatch.setattr(ProtocolDriver, "hello", killed_first)
    for _ in range(bot_pool.MOST_FAILURES + 1):
        with pytest.raises(BotFault, match="ended from outside") as found:
            bot_pool.take(["sleep", "60"], Sandbox(level), "quarto", 5.0)
        assert found.value.killed


def test_an_agent_whose_process_is_killed_while_it_is_checked_is_checked_again(quarto, spy, monkeypatch):
    killed, begin = [], Isolated.on_new

    def killed_first(mind, *given):
        if not killed:
            killed.append(mind)
            raise BotFault(CRASH, "it was ended from outside", killed=True)
        begin(mind, *given)

    monkeypatch.setattr(Isolated, "on_new", killed_first)
    assert Plan.make(quarto, [spy, "novice"], games=2)
    assert killed


def test_an_agent_that_is_late_off_the_clock_is_not_asked_again(quarto, spy, monkeypatch):
    allowed = []

    def late(driver, message, kind, seconds):
        allowed.append(seconds)
        raise BotFault(TIME, "no line came")

    monkeypatch.setattr(ProtocolDriver, "ask", late)
    mind, view = kibitz.agent(f"isolated({spy}, start=7)", quarto, 1), kibitz.Table(quarto, 1).view(0)
    with pytest.raises(BotFault):
        mind.warm_up(view)
    mind.warm_up(view)
    assert allowed == [7.0]


@BWRAP
@pytest.mark.parametrize("kills", [1, 2])
def test_a_game_in_which_a_process_is_killed_is_played_again_once_and_then_void(quarto, tmp_path, monkeypatch, kills):
    (tmp_path / "cheat.py").write_text(CHEAT)
    killed, decide = [], Isolated.decide  # minds: one a game

    def killed_first(mind, view):
        if len(killed) < kills and mind not in killed:
            killed.append(mind)
            os.kill(mind._driver.process.pid, signal.SIGKILL)
            gone = select.poll()
            gone.register(mind._driver.process._out, 0)
            gone.poll()  # until nobody holds the other end of the pipe
        return decide(mind, view)

    monkeypatch.setattr(Isolated, "decide", killed_first)
    plan = Plan(quarto, (str(tmp_path / "cheat.py"), "random"))
    run = MemoryRun(plan)
    run.add(batch_of([local._played(plan, Fixture(0, 0, (0, 1), 1, (2, 4)), RetryPolicy(()))], True), 0.0)
    bot_pool.end_all()
    games = run.played()
    assert not games.faults
    assert (len(games.killed), len(games.voids), len(run.games().numbers)) == ((1, 0, 1) if kills == 1 else (0, 1, 0))
    assert "ended from outside" in "".join(games.killed + games.voids)


def test_no_file_beside_an_agent_runs_in_place_of_a_module_of_python(tmp_path):
    (tmp_path / "mine.py").write_text(FIRST)
    (tmp_path / "multiprocessing.py").write_text("open('taken over', 'w').close()")
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')")
    words = ["match", "quarto", "./mine.py", "random", "--games", "2", "--jobs", "1"]
    command = [str(Path(sys.executable).with_name("kibitz")), *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, "taken over" in done.stderr) == (0, False), done.stderr
    assert not (tmp_path / "taken over").exists()


def test_a_worker_hands_on_the_environment_of_the_command(monkeypatch, tmp_path):
    looks = "assert 'PYTHONSAFEPATH' not in os.environ\n        return"
    (tmp_path / "mine.py").write_text(FIRST.replace("return", looks))
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    plan = Plan.make("quarto", [str(tmp_path / "mine.py"), "random"], games=2, seed=1, isolate=False)
    assert [fault for _, _, fault, _, _ in _results(plan)] == ["", ""]
    assert "PYTHONSAFEPATH" not in os.environ
