"""The rogues' gallery: whatever a bot does, it loses by a named reason, nothing of it survives, and play goes on."""

import gc
import os
import re
import signal
import subprocess
import sys
from multiprocessing import resource_tracker
from time import monotonic
from types import SimpleNamespace

import pytest

from kibitz.agents import build
from kibitz.agents.external_agent import Ending
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.local import play_locally
from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool, bot_process, launcher
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.bot_process import BotProcess
from kibitz.bots.protocol import Decide
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.errors import BadValue
from tests.bots.gallery import (
    KERNEL,
    LINUX,
    PATIENCE,
    ROGUE,
    SOLID,
    bot,
    children,
    descriptors,
    mark,
    processes_with,
    rogue,
    soon_gone,
)
from tests.bots.rogue import ILLEGAL, NONSENSE

pytestmark = LINUX
SOON = 0.3  # seconds for a move of a bot that never makes it
SMALL = 64  # MB

FAULTS = {
    "hang": (Reason.TIME, "did it flush"),
    "unended": (Reason.TIME, "without an end"),
    "flood": (Reason.FLOOD, "8 MiB"),
    "flood of messages": (Reason.FLOOD, "8 MiB"),
    "flood without newline": (Reason.FLOOD, "a line of more than 1 MiB"),
    "huge line": (Reason.FLOOD, "a line of more than 1 MiB"),
    "crash": (Reason.CRASH, "I am lost"),
    "exit": (Reason.CRASH, "exit code 0"),
    "kill": (Reason.CRASH, "SIGKILL"),
    "segfault": (Reason.CRASH, "SIGSEGV"),
    "close output": (Reason.CRASH, "closed its standard"),  # long before its time is over
    "close all": (Reason.CRASH, "closed its standard"),
    "eat": (Reason.MEMORY, f"{SMALL} are allowed"),
    "hoard": (Reason.MEMORY, f"{SMALL} are allowed"),
    "hoard in /dev/shm": (Reason.MEMORY, f"{SMALL} are allowed"),
    "hold in noise": (Reason.MEMORY, f"{SMALL} are allowed"),
    "write to the terminal": (Reason.CRASH, r"\x1b[2J\x07"),
    "early": (Reason.PROTOCOL, "came before that message was sent"),
    "multiply": (Reason.FLOOD, "processes"),
    "escape and crash": (Reason.CRASH, "exit code 3"),
    "kill the launcher": (Reason.CRASH, "ended the launcher"),
    "stop the launcher": (Reason.TIME, "did it flush"),
    "crash at hello": (Reason.START, "oh dear"),
    "crash at new": (Reason.CRASH, "oh dear"),
    "crash at decide": (Reason.CRASH, "oh dear"),
    "exit at once": (Reason.START, "exit code 0 before any game"),
    "wrong protocol": (Reason.START, "protocol 7"),
    "odd wants": (Reason.START, "'gold'"),
    "odd games": (Reason.START, "does not play quarto"),
}
FAULTS |= dict.fromkeys(NONSENSE, (Reason.PROTOCOL, "")) | dict.fromkeys(ILLEGAL, (Reason.ILLEGAL, ""))
HARMLESS = ("stale", "twice", "chatter", "shout", "crash at end", "stubborn", "escape")
SLOW = {"hang": {"seconds": SOON}, "unended": {"seconds": SOON}, "stop the launcher": {"seconds": SOON}}
SLOW |= {how: {"memory": SMALL} for how in ("eat", "hoard", "hoard in /dev/shm", "hold in noise")}


@pytest.fixture(autouse=True)
def nothing_left():
    """No child and no descriptor is left after a test; the tracker of multiprocessing stays for as long as we do."""
    bot_pool.end_all()
    resource_tracker.ensure_running()
    before = descriptors(), children()
    yield
    bot_pool.end_all()
    assert (descriptors(), children()) == before


def _played(game, text, seat=0):
    """Play a game of a bot in a seat against a random agent."""
    seating = (0, 1) if seat == 0 else (1, 0)
    return play_fixture(game, [text, "random"], Fixture(0, 0, seating, 7, (1, 2)))


@pytest.mark.parametrize("how", FAULTS)
def test_a_rogue_loses_by_a_named_reason_and_leaves_nothing(quarto, how):
    reason, words = FAULTS[how]
    token, seat = mark(), len(how) % 2
    result = _played(quarto, rogue(how, token, **SLOW.get(how, {})), seat)
    assert (result.reason, result.offender) == (reason, seat), result.fault
    assert words in result.fault
    assert result.payoff[seat] == 0
    assert soon_gone(token) == []


@pytest.mark.parametrize("level", ["limits", "none"])
def test_a_limit_of_memory_of_the_game_holds_for_bots_too(quarto, level):
    seats = Fixture(0, 0, (0, 1), 7, (1, 2))
    result = play_fixture(quarto, [rogue("eat", walls=level), "random"], seats, Limits(memory=SMALL))
    assert (result.reason, result.offender) == (Reason.MEMORY, 0), result.fault
    assert f"{SMALL} are allowed" in result.fault


def test_the_smaller_of_two_limits_of_memory_holds():
    assert [Sandbox("limits", 100).confined(most).memory for most in (50, 200)] == [50, 100]
    assert [Sandbox("none", 100).confined(most).memory for most in (50, 200)] == [50, 200]
    assert Sandbox("none", 100).limits == ""
    assert Sandbox("none", 100).confined(50).limits == "memory=50"


@pytest.mark.parametrize("how", HARMLESS)
def test_oddities_are_forgiven_and_leave_nothing(quarto, how):
    token = mark()
    text = rogue(how, token)
    for _ in range(2):
        result = _played(quarto, text)
        assert result.reason in (Reason.WON, Reason.DRAWN), result.fault
    bot_pool.end_all()
    assert soon_gone(token) == []


def test_a_bot_lives_through_many_games_unless_it_is_to_be_fresh(quarto):
    token = mark()
    for fresh in (False, True):
        text, seen = rogue("chatter", token, fresh=fresh), set()
        for _ in range(3):
            mind = build(text, quarto, 1)
            seated = SeatedAgent(mind, 0)
            seated.new()
            seen.add(mind._driver.process.pid)
            seated.end(Ending([0.5, 0.5], "drawn"))
        assert len(seen) == (3 if fresh else 1)


def test_what_processes_share_counts_once(quarto):
    assert _played(quarto, rogue("share", memory=128, cpu=60)).offender == -1


def test_a_bot_that_keeps_its_launcher_stopped_has_failed(quarto, monkeypatch):
    monkeypatch.setattr(bot_process, "SLICE", 0.05)
    monkeypatch.setattr(bot_process, "LOOK_EVERY", 0.01)
    result = _played(quarto, rogue("keep the launcher stopped"))
    assert (result.reason, result.offender) == (Reason.CRASH, 0), result.fault
    assert "it stopped the launcher" in result.fault


@pytest.mark.parametrize("level", ["limits", *SOLID])
def test_a_bot_that_kills_itself_is_not_taken_for_killed_for_certain(quarto, level):
    result = _played(quarto, rogue("kill", walls=level))
    assert (result.offender, result.killed) == (0, Killed.PERHAPS)


@pytest.mark.parametrize(("level", "verdict", "killed"), [
    ("bwrap", "oom", True), ("bwrap", "signal 9", True), ("bwrap", "gone", True), ("bwrap", "exit 137", False),
    ("kernel", "oom", True), ("kernel", "signal 9", False), ("kernel", "gone", True),
    ("limits", "oom", False), ("limits", "signal 9", False), ("limits", "gone", False),
])  # fmt: skip
def test_only_behind_solid_walls_a_kill_is_certainly_not_the_bot_s_own(level, verdict, killed):
    ended = BotProcess.__new__(BotProcess)
    ended.sandbox, ended._verdict = Sandbox(level), verdict
    ended._launcher = SimpleNamespace(returncode=-signal.SIGKILL)
    assert ended.killed == killed
    ended._launcher.returncode = 1  # it failed by itself, for which a bot may have found a way
    assert ended.killed == (killed and verdict != "gone")


def test_a_launcher_looks_at_nothing_while_the_bot_waits(monkeypatch):
    looks = []
    monkeypatch.setattr(launcher, "_family", lambda: looks.append(1) or [os.getpid()])
    monkeypatch.setattr(launcher, "_clock", lambda pid: clock)
    watch, clock = launcher._Supervisor(os.getpid(), {"cpu": 1000, "memory": 10**6}), 1
    for clock in (1, 1, 1, 2, 2):  # noqa: B007
        assert watch._look() == ""
    assert len(looks) == 2


def test_a_launcher_knows_its_own_family_and_the_orphans_in_it():
    code = "import os, time; print(os.fork() and os.fork(), flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        try:
            assert child.pid in launcher._family()
            assert len(launcher._children(child.pid)) >= 1
            assert os.getppid() not in launcher._family()
        finally:
            for pid in [*launcher._children(child.pid), child.pid]:
                os.kill(pid, signal.SIGKILL)


def test_a_launcher_tells_ends_for_want_of_memory_by_the_system_s_count(monkeypatch):
    watch = launcher._Supervisor(0, {})
    assert watch._end(-signal.SIGKILL) == "signal 9"
    monkeypatch.setattr(launcher, "_oom_kills", lambda: watch.oom_kills[0] + 1)
    assert [watch._end(code) for code in (-signal.SIGKILL, 137, 1)] == ["oom", "oom", "exit 1"]


def test_who_has_taken_much_memory_is_not_excused_because_the_system_has_none_left(monkeypatch):
    watch = launcher._Supervisor(0, {"memory": 1_000_000})
    monkeypatch.setattr(launcher, "_oom_kills", lambda: watch.oom_kills[0] + 1)
    assert watch._end(-signal.SIGKILL) == "oom"
    watch.most_taken = 300_000 * launcher.MEGABYTE
    assert [watch._end(code) for code in (-signal.SIGKILL, 137)] == ["signal 9", "exit 137"]


def test_the_last_error_that_a_bot_names_is_told_before_the_end_of_what_it_said():
    talker = BotProcess.__new__(BotProcess)
    talker.first, talker.last = b"RangeError: out of\tmemory\n" + b"at wasm-function\n" * 100, b""
    assert talker.tail().startswith("; it said: …RangeError: out of memory …")
    assert talker.tail().endswith("at wasm-function")
    assert len(talker.tail()) < bot_process.TAIL + 50


@pytest.mark.parametrize(("error", "told"), [(KeyError("a secret"), 0), (BotFault("start", "it is late"), 1)])
def test_a_bot_is_told_of_its_own_faults_only(monkeypatch, error, told):
    said = []

    def fail(*given):
        raise error

    monkeypatch.setattr(ProtocolDriver, "hello", fail)
    monkeypatch.setattr(BotProcess, "send", lambda self, line, until: said.append(line))
    with pytest.raises(type(error)):
        bot_pool.take([sys.executable, "-I", "-S", "-c", "input()"], Sandbox("limits"), "quarto", 1.0)
    assert len(said) == told


def test_a_late_answer_loses_on_time_and_the_next_game_is_played(quarto):
    text = rogue("hang")
    result = play_fixture(quarto, [text, "random"], Fixture(0, 0, (0, 1), 7, (1, 2)), Limits(move_seconds=SOON))
    assert (result.reason, result.offender) == (Reason.TIME, 0)
    assert "after `decide`" in result.fault
    assert _played(quarto, rogue("chatter")).offender == -1


def test_a_bot_that_hangs_at_the_start_has_failed_to_start(quarto):
    result = _played(quarto, rogue("hang at hello", start=SOON))
    assert (result.reason, result.offender) == (Reason.START, 0)
    assert "after `hello`" in result.fault


@pytest.mark.parametrize("level", ["limits", *SOLID])
@pytest.mark.parametrize("how", ["burn", "burn in children", "burn elsewhere"])
def test_processor_time_is_counted(quarto, how, level):
    result = _played(quarto, rogue(how, cpu=1, walls=level))
    assert result.reason == Reason.TIME, result.fault
    assert float(re.search(r"used ([0-9.]+) seconds of the processor", result.fault)[1]) > 1


def test_a_bot_that_never_reads_is_not_waited_for_longer_than_allowed():
    driver = ProtocolDriver(BotProcess([sys.executable, "-I", "-S", str(ROGUE), "never reads"], Sandbox("limits")))
    try:
        with pytest.raises(BotFault, match="does not read"):
            driver.decide(Decide(id=0, ply=0, seat=0, text="x" * (4 << 20)), SOON, None)
    finally:
        driver.close(politely=False)


def test_a_bot_whose_launcher_is_killed_is_gone_and_has_failed(quarto):
    token = mark()
    mind = build(rogue("hang", token), quarto, 1)
    SeatedAgent(mind, 0).new()
    assert len(processes_with(token)) == 2
    os.kill(mind._driver.process.pid, signal.SIGKILL)
    table_view = _first_view(quarto)
    with pytest.raises(BotFault, match="from outside"):
        mind.decide(table_view)
    assert soon_gone(token) == []


def _first_view(game):
    from kibitz.core.table import Table

    return Table(game, 1).view(0)


def test_a_program_that_is_missing_is_refused_before_the_first_game(quarto):
    for cmd in ("no-such-program x", "''", "'unended"):
        with pytest.raises(BadValue):
            build(f'bot(cmd="{cmd}")', quarto, 1)


def test_a_file_that_is_no_program_fails_to_start(quarto, tmp_path):
    odd = tmp_path / "odd"
    odd.write_bytes(b"\x7fELF nothing")
    odd.chmod(0o755)
    result = _played(quarto, f"bot(cmd='{odd}', walls=limits)")
    assert result.reason == Reason.START
    assert "cannot be started" in result.fault


def test_a_bot_that_cannot_start_is_not_tried_for_ever(quarto):
    text = rogue("exit at once")
    faults = [_played(quarto, text).fault for _ in range(5)]
    assert "not tried for a while" in faults[-1]
    assert "not tried" not in faults[0]


def test_a_tournament_of_rogues_goes_on_to_its_end(quarto):
    token = mark()
    hows = ["chatter", "crash", "exit at once", "brace", "escape and crash", "kill"]
    agents = [rogue(how, token) for how in hows]
    plan = Plan.make(quarto, agents, games=60)
    before = descriptors()
    faults, void, games = set(), [], 0
    for batch in play_locally(plan, plan.fixtures(), 2):
        for seating, offender, reason in zip(batch.seatings, batch.offenders, batch.reasons, strict=True):
            games += 1
            if offender >= 0:
                faults.add((hows[seating[offender]], str(reason)))
            elif reason == Reason.VOID:  # as any of them, without walls, can have killed it
                void.append("kill" in [hows[agent] for agent in seating])
    assert games == plan.planned
    assert faults == {
        ("crash", "crash"), ("exit at once", "start"), ("brace", "protocol"), ("escape and crash", "crash"),
    }  # fmt: skip
    assert void
    assert all(void)
    assert soon_gone(token) == []
    gc.collect()
    assert descriptors() == before


INSIDE = ("crash", "kill", "eat", "hoard", "multiply", "escape", "escape and crash", "stubborn", "hang", "close output")


@pytest.mark.parametrize("level", SOLID)
@pytest.mark.parametrize("how", INSIDE)
def test_behind_solid_walls_it_is_the_same(quarto, how, level):
    token = mark()
    result = _played(quarto, rogue(how, token, walls=level, **SLOW.get(how, {})))
    reason = FAULTS.get(how, (None, ""))[0]
    assert result.reason == reason or (reason is None and result.offender == -1), result.fault
    bot_pool.end_all()
    assert soon_gone(token) == []


@KERNEL
@pytest.mark.parametrize("how", ["kill the launcher", "stop the launcher"])
def test_behind_walls_of_the_kernel_a_launcher_cannot_be_reached(quarto, how):
    token = mark()
    result = _played(quarto, rogue(how, token, walls="kernel"))
    assert (result.reason, result.offender) == (Reason.CRASH, 0), result.fault
    assert "Operation not permitted" in result.fault
    assert soon_gone(token) == []


def test_a_polite_bot_ends_at_once(quarto):
    mind = build(bot(ROGUE, "chatter", mark()), quarto, 1)
    SeatedAgent(mind, 0).new()
    begun = monotonic()
    mind._driver.close()
    mind._detach()
    assert monotonic() - begun < PATIENCE
