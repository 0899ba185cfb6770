"""Workers are copies of one process that has loaded our code; each is what the driver is when it is started."""

import os
import signal
import sys
import time

import pytest

from kibitz.arena.process import fork_server
from kibitz.arena.process.supervised_process import SupervisedProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fork servers need Linux")

WORK = """
import os, sys

def state(status, pipe):
    from kibitz.core import native
    print("said by a worker", flush=True)
    server = int(open(f"/proc/{os.getppid()}/stat").read().rpartition(")")[2].split()[1])
    pipe.send((os.environ.get("MARK"), os.getcwd(), native.INTERPRETED, server))

def leave(status, pipe, code):
    os._exit(code)

def fail(status, pipe):
    raise ValueError("mine")

def wait(status, pipe):
    pipe.recv()
"""
PATIENCE = 60


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start processes that run a function of WORK; they are ended after the test."""
    (tmp_path / "work_of_workers.py").write_text(WORK)
    monkeypatch.syspath_prepend(tmp_path)
    started = []

    def begin(function, *given):
        started.append(SupervisedProcess("work_of_workers", function, *given))
        return started[-1]

    yield begin
    for process in started:
        process.end()


def _state(process):
    assert process.pipe.poll(PATIENCE)
    return process.pipe.recv()


def test_a_worker_begins_with_what_the_driver_is_at_that_moment(start, tmp_path, monkeypatch, capfd):
    states = []
    for mark in ("one", "two"):
        (tmp_path / mark).mkdir()
        monkeypatch.setenv("MARK", mark)
        monkeypatch.chdir(tmp_path / mark)
        states.append(_state(start("state")))
    assert [state[:2] for state in states] == [("one", str(tmp_path / "one")), ("two", str(tmp_path / "two"))]
    assert states[0][3] == states[1][3], "one server makes them all"
    assert capfd.readouterr().out.count("said by a worker") == 2


def test_variables_that_are_read_when_our_code_is_loaded_count(start, monkeypatch):
    usual = _state(start("state"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0" if usual[2] else "1")
    other = _state(start("state"))
    assert (other[2], other[3] == usual[3]) == (not usual[2], False)


@pytest.mark.parametrize(("function", "given", "code"), [("leave", (7,), 7), ("leave", (0,), 0), ("fail", (), 1)])
def test_how_a_worker_ended_is_told(start, function, given, code):
    process = start(function, *given).process
    process.join(PATIENCE)
    assert (process.exitcode, process.is_alive()) == (code, False)


def test_a_worker_that_is_killed_is_told_by_its_signal(start):
    for number in (signal.SIGKILL, signal.SIGTERM):
        process = start("wait").process
        assert process.is_alive()
        os.kill(process.pid, number)
        process.join(PATIENCE)
        assert process.exitcode == -signal.SIGKILL  # the supervisor kills the worker


def test_a_server_that_is_ended_ends_its_workers_and_is_replaced(start):
    before = _state(start("state"))[3]
    worker = start("wait").process
    assert worker.is_alive()
    assert worker.pid
    os.kill(before, signal.SIGKILL)
    worker.join(PATIENCE)
    assert not worker.is_alive()
    assert _state(start("state"))[3] != before


def test_a_server_ends_with_its_owner(start):
    server = fork_server.ForkServer()
    process = server.fork("os", time.sleep, 0)  # which fails, as it is given more
    process.join(PATIENCE)
    assert process.exitcode == 1
    server.close()
    server.process.join(PATIENCE)
    assert server.process.exitcode == 0
