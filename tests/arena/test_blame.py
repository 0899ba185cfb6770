"""Blame falls on the agent that failed, and on nobody else: not on its opponents, not on later games, not on Kibitz."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from kibitz import games
from kibitz.agents.seated_agents import SeatedAgents
from kibitz.arena.match import play_match
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import NO_LIMITS, Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play import local, process_pool, worker
from kibitz.arena.play.batch import batch_of
from kibitz.arena.play.process_pool import ProcessPool
from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.play.referee import AgentFault, GameResult, play_fixture, take_turn, voided
from kibitz.arena.play.retry_policy import RetryPolicy
from kibitz.arena.play.worker import Worker
from kibitz.arena.results.caveats import guessable_deals
from kibitz.arena.results.match_result import match_result
from kibitz.arena.session import play_plan
from kibitz.core.errors import BadValue
from kibitz.core.record import record_of
from kibitz.core.table import Table
from tests.arena.playing import play, rotation
from tests.bots.gallery import BWRAP

ROGUE = Path(__file__).with_name("rogue.py")
PATIENCE = 60  # seconds until a test gives up
ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
FEW_FILES = 256
LOOSE = "bot(cmd='sleep 60', walls=limits)"
pytestmark = pytest.mark.usefixtures("interpreted")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="supervisors need Linux")

HEAD = """
import ctypes, os, subprocess, sys, threading, time
from pathlib import Path
from kibitz.agents.agent import Agent, Decision
HERE = Path(__file__).parent
class Mind(Agent):
    "Plays the first legal move, and something else."
"""
BODY = """
    def decide(self, view):
        self.act()
        return Decision(self.legal(view)[0])
    def act(self):
        if not self.seed:
            return  # it is only warming up
"""


def _agent(folder, name, act, head="", body=BODY):
    """Write an agent that does something before each of its moves, and return its path."""
    lines = "".join(f"        {line}\n" for line in act.strip().splitlines())
    path = folder / f"{name}.py"
    path.write_text(head + HEAD + body + lines, encoding="utf-8")
    return str(path)


@pytest.fixture
def few_files():
    """Let workers have few files open at a time."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW_FILES, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _ends(batches):
    """Return by number why games ended, and who failed."""
    return {
        number: (reason, offender)
        for batch in batches
        for number, reason, offender in zip(
            batch.numbers.tolist(), batch.reasons, batch.offenders.tolist(), strict=True
        )
    }


def _fair(ends):
    return {reason for reason, _ in ends.values()} <= {Reason.WON, Reason.DRAWN}


def test_an_agent_that_leaks_files_harms_no_other_game(quarto, tmp_path, few_files):
    leak = _agent(tmp_path, "leak", "self.game.leaked = getattr(self.game, 'leaked', [])\nself.game.leaked += "
                  "[open(os.devnull) for _ in range(15)]")  # fmt: skip
    reader = _agent(tmp_path, "reader", "Path(__file__).read_text()")
    seatings = [(0, 1), (1, 2), (2, 0)]
    fixtures = [Fixture(number, 0, seatings[number % 3], number, (2, 4)) for number in range(6)]
    ends = _ends(play(quarto, ["random", leak, reader], fixtures, 1))
    assert len(ends) == len(fixtures)
    assert _fair(ends)


HARMS = {
    "close": "it closed files of the process",
    "deny": "it lowered the limits of the process",
    "patch": "it changed the builtins of Python",
    "open": "left it none to open",
    "interrupt": "Interrupt",
    "depart": "Terminated",
    "accuse": "BadGame: the rules are wrong",
}


def test_harm_to_the_process_costs_a_game_and_the_rest_is_played(quarto, few_files):
    agents = ["random", *(f"'{ROGUE}'(how={how})" for how in HARMS)]
    seeds = [2] * len(HARMS) + [3] * len(HARMS) + [4] * len(HARMS)  # odd ones make a rogue
    fixtures = [Fixture(at, 0, (0, 1 + at % len(HARMS)), at, (2, seed)) for at, seed in enumerate(seeds)]
    batches = list(play(quarto, agents, fixtures, 1))
    ends = _ends(batches)
    faults = {number: fault for batch in batches for number, fault in zip(batch.numbers, batch.faults, strict=True)}
    for number, how in enumerate(HARMS, start=len(HARMS)):
        assert ends.pop(number) == (Reason.CRASH, 1)
        assert HARMS[how] in faults[number]
    assert len(ends) == 2 * len(HARMS)
    assert _fair(ends)


def test_workers_killed_from_outside_cost_nobody_a_game(quarto, tmp_path):
    log = tmp_path / "pid"
    agent = _agent(tmp_path, "slow", "(HERE / 'pid').write_text(str(os.getpid()))\ntime.sleep(0.05)")
    fixtures = rotation(quarto, 4, 1)
    killed, lines = 0, [{}, {}]
    for kill, kept in zip((False, True), lines, strict=True):
        for batch in play(quarto, ["random", agent], fixtures, 1):
            kept |= zip(batch.numbers.tolist(), batch.records, strict=True)
            log.unlink(missing_ok=True)
            if kill and killed < 2:
                _wait_until(log.exists)
                _wait_until(log.read_text)
                os.kill(int(log.read_text()), signal.SIGKILL)
                killed += 1
    assert lines[0] == lines[1]
    assert (len(lines[0]), killed) == (4, 2)


def _killed_worker(pool, fixture, seat):
    """Return a worker of a pool that was killed while an agent was thinking."""
    status = SimpleNamespace(
        number=fixture.number, seat=seat, last=seat, warms=False, fresh=True, made=[], compile_progress=None,
    )  # fmt: skip
    pipe = SimpleNamespace(poll=lambda: False)
    pool.workers.append(SimpleNamespace(
        broken="", killed=True, signalled=True, given={fixture.number: fixture}, status=status, pipe=pipe,
        end=lambda: None, cause_of_death=lambda: "its process died (SIGKILL)", newly_held_up=lambda: 0.0,
    ))  # fmt: skip
    return pool.workers[-1]


@pytest.mark.parametrize("thinking", [0, 1])
def test_a_bot_in_reach_of_its_worker_is_pardoned_three_times_and_then_loses(quarto, thinking):
    pool = ProcessPool(quarto, [LOOSE, "random"], 1, NO_LIMITS, True)
    ends = []
    for number in (0, 0, 1, 1, 2):
        fixture = Fixture(number, 0, (0, 1), number, (2, 4))
        ends.append(_ends(pool._remove(_killed_worker(pool, fixture, thinking), Reason.CRASH)))
    assert ends == [{}, {0: (Reason.VOID, -1)}, {}, {1: (Reason.CRASH, 0)}, {2: (Reason.CRASH, 0)}]
    assert [fixture.number for fixture in pool.alone] == [0, 1]
    assert "played again" in pool.notes[0]


@pytest.mark.parametrize("thinking", [0, 1])
def test_of_two_bots_that_can_reach_a_worker_neither_loses_a_game_in_which_it_is_killed(quarto, thinking):
    pool = ProcessPool(quarto, [LOOSE, LOOSE.replace("60", "61")], 1, NO_LIMITS, True)
    for number in range(6):
        fixture = Fixture(number, 0, (0, 1), number, (2, 4))
        ends = [_ends(pool._remove(_killed_worker(pool, fixture, thinking), Reason.CRASH)) for _ in range(2)]
        assert ends[1] == {number: (Reason.VOID, -1)}
        assert ends[0] in ({}, ends[1])


def _failed(fixture, killed, offender=0, reason=Reason.CRASH):
    """Return the result of a game in which a process of an agent was ended."""
    record = record_of(Table(games.find("quarto"), fixture.deal_seed), ["a", "b"], fixture.agent_seeds)
    return GameResult(
        fixture, record, (0.0, 1.0), reason, offender, "its bot was ended", (0.0,) * 2, (0,) * 2, (), killed=killed
    )


@pytest.mark.parametrize(("agents", "killed", "expected"), [
    ([LOOSE, "random"], Killed.PERHAPS, ["again", "void", "again", "lost", "lost"]),
    ([LOOSE, LOOSE.replace("60", "61")], Killed.PERHAPS, ["again", "void", "again", "void", "void"]),
    (["random", LOOSE], Killed.PERHAPS, ["again", "void", "again", "void", "void"]),
    ([LOOSE, "random"], Killed.SURELY, ["again", "void", "again", "void", "again"]),
])  # fmt: skip
def test_a_program_that_is_killed_is_not_blamed_unless_only_it_can_have_done_that_again_and_again(
    quarto, agents, killed, expected
):
    pool, found = ProcessPool(quarto, agents, 1, NO_LIMITS, True), []
    for number in (0, 0, 1, 1, 2):
        fixture = Fixture(number, 0, (0, 1), number, (2, 4))
        ends = _ends(pool._settled(batch_of([_failed(fixture, killed)], True), [fixture]))
        found.append({Reason.VOID: "void", Reason.CRASH: "lost"}[ends[number][0]] if ends else "again")
    assert found == expected
    assert pool.alone.count(Fixture(0, 0, (0, 1), 0, (2, 4))) == 1


def test_a_game_in_this_process_is_played_again_too_and_void_if_its_bot_is_killed_once_more(quarto, monkeypatch):
    plan, fixture = Plan(quarto, (LOOSE, "random")), Fixture(0, 0, (0, 1), 1, (2, 4))
    for kills, reason in ((1, Reason.WON), (2, Reason.VOID)):
        ends = [_failed(fixture, Killed.SURELY)] * kills + [_failed(fixture, Killed.NO, -1, Reason.WON)]
        monkeypatch.setattr(local, "play_fixture", lambda *given, ends=ends, **named: ends.pop(0))
        found = local._played(plan, fixture, RetryPolicy(()))
        assert (found.reason, found.offender) == (reason, -1)
        assert found.fault


def test_a_worker_that_stays_stopped_is_ended_and_its_game_played_again(quarto, monkeypatch):
    pool, fixture = ProcessPool(quarto, [LOOSE, "random"], 1, NO_LIMITS, True), Fixture(0, 0, (0, 1), 1, (2, 4))
    worker = _killed_worker(pool, fixture, 0)
    worker.stopped, worker.alive, worker.killed, worker.signalled = True, True, False, False
    monkeypatch.setattr(process_pool.connection, "wait", lambda *given: [])
    assert not list(pool._collect())
    assert (list(pool.alone), pool.workers) == ([fixture], [])
    assert "its process was stopped, and nobody let it go on; the game was played again" in pool.notes[0]


def _turn(quarto, paused, able):
    """Let an agent take 0.2 seconds with a limit of 0.1, of which the process could not run for some time."""
    observer = SimpleNamespace(paused=lambda: paused, idle=lambda: None)
    mind = SimpleNamespace(decide=lambda view: time.sleep(0.2) or 0)
    seated = SeatedAgents(Table(quarto, 1), {0: mind})
    return take_turn(seated, "slow", "game 1", 0.1, observer=observer, able=able)


def test_a_pause_is_excused_only_where_the_agent_cannot_have_caused_it(quarto):
    assert _turn(quarto, 100.0, False).seconds == 0.0
    with pytest.raises(AgentFault, match=r"stopped for 100\.0 s while it thought") as found:
        _turn(quarto, 100.0, True)
    assert (found.value.reason, found.value.killed) == (Reason.TIME, Killed.PERHAPS)
    with pytest.raises(AgentFault) as found:
        _turn(quarto, 0.0, True)
    assert (found.value.reason, found.value.killed) == (Reason.TIME, Killed.NO)


def test_a_process_that_is_stopped_is_noticed_after_a_while(monkeypatch):
    stopped = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        os.kill(stopped.pid, signal.SIGSTOP)
        _wait_until(lambda: worker._is_stopped(stopped.pid))
        status = SimpleNamespace(stopped=False, up_to_date=False)
        seen = SimpleNamespace(status=status, process=stopped, _stopped_since=None)
        assert not Worker.stopped.fget(seen)
        monkeypatch.setattr(worker, "SURE_STOPPED", -1.0)
        assert Worker.stopped.fget(seen)
        os.kill(stopped.pid, signal.SIGCONT)
        _wait_until(lambda: not worker._is_stopped(stopped.pid))
        assert not Worker.stopped.fget(seen)
    finally:
        stopped.kill()
        stopped.wait()


@pytest.mark.parametrize("agent", ["greedy", pytest.param("bot(cmd='sleep 60', walls=bwrap)", marks=BWRAP)])
def test_a_worker_that_no_agent_can_reach_costs_nobody_a_game(quarto, agent):
    pool = ProcessPool(quarto, [agent, "random"], 1, NO_LIMITS, True)
    fixture = Fixture(0, 0, (0, 1), 1, (2, 4))
    for _ in range(5):
        assert not list(pool._remove(_killed_worker(pool, fixture, 0), Reason.CRASH))
    assert pool.alone.count(fixture) == 5


def test_a_thread_left_over_from_an_earlier_game_costs_nobody_a_game(quarto, tmp_path):
    bomb = """
def explode():
    while not (HERE / 'lit').exists():
        time.sleep(0.01)
    os._exit(5)
threading.Thread(target=explode, daemon=True).start()
"""
    bomber = _agent(tmp_path, "bomber", bomb)
    victim = _agent(
        tmp_path, "victim", f"if not (HERE / 'lit').exists():\n    (HERE / 'lit').touch()\n    time.sleep({PATIENCE})"
    )
    fixtures = [Fixture(number, 0, (0, 1 + (number > 0)), number, (2, 4)) for number in range(3)]
    ends = _ends(play(quarto, ["random", bomber, victim], fixtures, 1))
    assert len(ends) == len(fixtures)
    assert _fair(ends)


@pytest.mark.parametrize(
    ("name", "head", "body", "complaint"),
    [
        ("leaver", "raise SystemExit(0)", "", "leaver.py cannot be imported: .*SystemExit"),
        ("quitter", "import os; os._exit(0)", "", r"quitter.py cannot be built: its process died \(exit code 0\)"),
        ("prepared", "", f"    def prepare(self):\n        os._exit(0)\n{BODY}", r"its process died \(exit code 0\)"),
        ("broken", "", f"    def prepare(self):\n        1 / 0\n{BODY}", "broken.py, line .*ZeroDivisionError"),
        ("slow", "import time; time.sleep(1000)", "", "it takes longer than 1 seconds; the limit start_seconds"),
    ],
)
def test_an_agent_that_cannot_be_built_is_refused_in_a_sentence(quarto, tmp_path, name, head, body, complaint):
    agent = _agent(tmp_path, name, "", head, body)
    with pytest.raises(BadValue, match=complaint):
        Plan.make(quarto, ["random", agent], isolate=False, limits={"start_seconds": 1} if name == "slow" else None)


def test_what_an_agent_writes_while_it_is_checked_is_no_output_of_ours(quarto, tmp_path, capfd):
    Plan.make(quarto, ["random", _agent(tmp_path, "writer", "", "import os; os.write(1, b'noise')\n")], isolate=False)
    said = capfd.readouterr()
    assert said.out == ""
    assert "noise" in said.err


def test_a_move_that_is_a_long_text_is_cut_in_the_fault(quarto, tmp_path):
    talker = _agent(tmp_path, "talker", "self.legal = lambda view: ['x' * 10**6]")
    (fault, *_) = play_match(quarto, [talker, "random"], 2, openings=0, isolate=False).faults
    assert len(fault) < 1000


@pytest.mark.parametrize(
    ("game", "seed", "agent", "notes"),
    [("cartagena(version=jamaica)", 1, str(ROGUE), 1), ("cartagena(version=jamaica)", 2**40, str(ROGUE), 0),
     ("cartagena(version=jamaica)", 1, "novice", 0), ("quarto", 1, str(ROGUE), 0)],
)  # fmt: skip
def test_a_note_says_that_agents_may_guess_the_deals_of_a_small_seed(game, seed, agent, notes):
    assert len(guessable_deals(Plan(games.find(game), ("random", agent), seed=seed))) == notes


def test_code_from_a_path_never_runs_in_the_process_that_plays_a_match(quarto, tmp_path):
    agent = _agent(tmp_path, "noter", "", "import os; open(__file__ + '.pids', 'a').write(f'{os.getpid()} ')\n")
    assert not play_match(quarto, ["random", agent], games=2, isolate=False).faults
    pids = (tmp_path / "noter.py.pids").read_text().split()
    assert len(pids) == 2  # one checked it, and one played
    assert str(os.getpid()) not in pids


DRIVER = """
import os, signal, sys, time
from pathlib import Path
from kibitz import games
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.local import play_locally
from threading import Thread
def die():
    while not Path("ready").exists():
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    Thread(target=die, daemon=True).start()
    plan = Plan(games.find("quarto"), ("random", sys.argv[1]), limits=Limits(isolate=False))
    list(play_locally(plan, [Fixture(0, 0, (0, 1), 1, (2, 2))], 1))
"""


@LINUX
def test_neither_workers_nor_what_agents_started_outlive_the_driver(tmp_path):
    (tmp_path / "driver.py").write_text(DRIVER)
    holds_the_interpreter = """
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
(HERE / "pids").write_text(f"{os.getpid()} {child.pid}")
(HERE / "ready").touch()
ctypes.PyDLL(None).sleep(1000)
"""
    command = [sys.executable, "driver.py", _agent(tmp_path, "holder", holds_the_interpreter)]
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    driver = subprocess.run(command, cwd=tmp_path, env=interpreted, timeout=PATIENCE, check=False)
    assert driver.returncode == -signal.SIGKILL
    _wait_until(lambda: all(map(_gone, (tmp_path / "pids").read_text().split())))


@LINUX
def test_what_an_agent_started_ends_with_its_worker(quarto, tmp_path):
    start = 'child = subprocess.Popen(["sleep", "1000"], start_new_session=True)\n'
    start += '(HERE / "pids").open("a").write(f"{child.pid} ")'
    list(play(quarto, ["random", _agent(tmp_path, "starter", start)], rotation(quarto, 2, 1), 1))
    pids = (tmp_path / "pids").read_text().split()
    assert pids
    assert all(map(_gone, pids))


@LINUX
@pytest.mark.parametrize("whom", ["{worker}", pytest.param("{worker} {supervisor}", marks=ONLY_LONG)])
def test_a_pause_of_the_process_is_not_counted_as_thinking(quarto, tmp_path, whom):
    pause = f"""
if self.game.seats and not (HERE / "paused").exists():
    (HERE / "paused").touch()
    whom = "{whom}".format(worker=os.getpid(), supervisor=os.getppid())
    subprocess.Popen(["sh", "-c", f"kill -STOP {{whom}}; sleep 6; kill -CONT {{whom}}"], start_new_session=True)
    time.sleep(0.5)
"""
    agent = _agent(tmp_path, "pauser", pause)
    batches = list(play(quarto, ["random", agent], rotation(quarto, 2, 1), 1, Limits(move_seconds=4)))
    assert (tmp_path / "paused").exists()
    assert _fair(_ends(batches))
    assert max(batch.seconds.max() for batch in batches) < 4


def _gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


def _wait_until(true):
    patience = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < patience
        time.sleep(0.01)


LIARS = {
    "a name that cannot be read": "self.text = '(('; raise ValueError('mine')",
    "the name of another": "self.text = 'random'; raise ValueError('mine')",
    "broken rules of its own": "from kibitz.core.errors import BadGame; from kibitz.core.table import Table; "
    "t = Table(self.game, 1); t._guarded[-1] = 5; t.moves()",
}


def test_a_fault_bears_the_name_that_the_plan_gives_the_agent(quarto, tmp_path):
    liars = [_agent(tmp_path, name.replace(" ", "_"), lie) for name, lie in LIARS.items()]
    fixtures = [Fixture(number, 0, (1 + number, 0), number, (1, 2)) for number in range(len(liars))]
    batches = list(play(quarto, ["random", *liars], fixtures, 1))
    assert set(_ends(batches).values()) == {(Reason.CRASH, 0)}
    faults = {number: fault for batch in batches for number, fault in zip(batch.numbers, batch.faults, strict=True)}
    assert len(faults) == len(liars)
    for number, liar in enumerate(liars):
        assert f"agent {liar} failed" in faults[number]


def test_what_is_void_is_neither_different_nor_still_to_be_played(quarto, tmp_path):
    plan = Plan.make(quarto, ["novice", "random"], games=4, openings=0)
    fixtures = list(plan.fixtures())

    def play(plan, fixtures_, jobs, keep_records):
        for fixture in fixtures_:
            result = play_fixture(quarto, plan.agents, fixture)
            if fixture.number == 1:
                result = voided(quarto, plan.agents, fixture, "nobody knows why")
            yield batch_of([result], keep_records)

    for db in (None, tmp_path / "results.db"):
        found = play_plan(plan, match_result, db, play=play)
        assert (found.planned, found.games, found.distinct) == (2, 2, 2)
    assert len(fixtures) == 4
