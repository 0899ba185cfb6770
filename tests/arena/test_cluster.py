"""A cluster plays the same games as one machine, whatever becomes of its machines; only the driver sees the ledger."""

import gc
import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from time import monotonic, sleep

import pytest

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import joined
from kibitz.arena.play.local import play_locally
from kibitz.arena.play.reason import Reason
from kibitz.arena.tournament import play_tournament, players
from kibitz.core.errors import BadValue, KibitzError
from kibitz.plugins.ray import cluster as clusters
from kibitz.plugins.ray import cluster_task
from kibitz.plugins.ray.cluster import Cluster, joined_cluster
from kibitz.plugins.ray.cluster_task import task_for
from tests.arena.playing import play, rotation

ROGUE = Path(__file__).with_name("rogue.py")
PATIENCE = 60  # seconds until a test gives up
PLAN = {"game": "quarto", "agents": ["random", "./held.py", "novice"], "games": 60, "seed": 5, "isolate": False}
SLOW = """
import time
from kibitz.agents.agent import Agent, Decision
class Slow(Agent):
    def decide(self, view):
        time.sleep(0.01)
        return Decision(self.legal(view)[-1])
"""
HELD = """
import os, time
from pathlib import Path
from kibitz.agents.agent import Agent, Decision
class Held(Agent):
    def decide(self, view):
        time.sleep(0.01)
        while Path("hold").exists():  # until the node on which it happens is no more
            ancestor = os.getppid()
            while ancestor:
                Path(f"held-on-{ancestor}").touch()
                ancestor = int(Path(f"/proc/{ancestor}/stat").read_text().rpartition(")")[2].split()[1])
            time.sleep(0.05)
        return Decision(self.legal(view)[-1])
"""

with_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed, so clusters are not tested; pip install 'kibitz[ray]'"
)
LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1; Ray starts slowly")


def _rows(batches):
    whole = joined(batches)
    columns = (whole.numbers, whole.payoffs, whole.reasons, whole.offenders, whole.faults, whole.records)
    return sorted(zip(*(list(map(str, column)) for column in columns), strict=True))


# What needs no cluster.


def test_a_task_gives_the_games_of_this_machine(quarto):
    fixtures = rotation(quarto, 12, 1)
    for agents in (["random", "novice"], ["random", "flat(playouts=2)"]):
        task = task_for(quarto, agents, Limits())
        parts = [task.play(chunk)[0] for chunk in (fixtures[:5], fixtures[5:])]
        assert _rows(parts) == _rows(play(quarto, agents, fixtures, 1))
    cluster_task._close_pools()


def test_a_task_is_refused_where_the_files_differ(quarto, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("slow.py").write_text(SLOW)
    task = task_for(quarto, ["random", "./slow.py"], Limits())
    Path("slow.py").write_text(SLOW + "\n")
    with pytest.raises(BadValue, match=r"has other code at \./slow\.py in .* same place on every machine"):
        task.play([])
    Path("slow.py").unlink()
    with pytest.raises(BadValue, match=r"has no \./slow\.py in "):
        task.play([])
    monkeypatch.chdir(tmp_path.parent)
    tmp_path.rmdir()
    with pytest.raises(BadValue, match=rf"has no folder {tmp_path}"):
        task.play([])


def test_a_worker_with_another_kibitz_is_refused(monkeypatch):
    play = clusters._worker()
    assert "has Kibitz 0.1.0, and this machine 9.9; install the same" in play("9.9", "", b"")
    assert "whose code differs from this machine's 0.1.0" in play("0.1.0", "", b"")
    monkeypatch.setitem(sys.modules, "kibitz", None)
    assert "has no Kibitz, and this machine 0.1.0" in play("0.1.0", "", b"")


@pytest.mark.parametrize("where", ["dask", "ray://", "host", "host:port", "http://host:80", "ray://host:99999", ""])
def test_what_is_no_cluster_is_refused_with_what_would_be(where):
    with pytest.raises(BadValue, match=r"is not a cluster; name ray .*, ray://HOST:PORT or HOST:PORT"):
        joined_cluster(where).__enter__()


def test_without_ray_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(KibitzError, match=r"needs Ray; install it with: pip install 'kibitz\[ray\]'"):
        joined_cluster("ray").__enter__()


def test_this_machine_is_where_games_are_played_usually():
    with players(None) as (play, workers):
        assert play is play_locally
        assert workers >= 1


@with_ray
@pytest.mark.parametrize("scheme", ["", pytest.param("ray://", marks=LONG)])
def test_an_unreachable_cluster_is_one_sentence_and_no_ledger(tmp_path, scheme):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        found = _command(tmp_path, f"{scheme}127.0.0.1:{nobody.getsockname()[1]}")
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert f"kibitz: cannot reach a Ray cluster at {scheme}127.0.0.1" in found.stderr
    assert not list(tmp_path.iterdir())


def _command(folder, where):
    start = [sys.executable, "-c", "from kibitz.cli import main; main()", "tournament", "--game", "quarto"]
    rest = ["--agent", "random", "--agent", "novice", "--games", "40", "--json", "--on", where]
    return subprocess.run([*start, *rest], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


# On a cluster of several nodes, all on this machine.


@pytest.fixture(scope="module")
def nodes():
    """A head that plays nothing and two nodes with a worker each; it is ours alone and tells nobody of itself."""
    own = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="kz", dir="/tmp") as folder:
        for name, value in (own | {"RAY_TMPDIR": folder}).items():
            patch.setenv(name, value)
        patch.delenv("RAY_ADDRESS", raising=False)
        with _careless():
            nodes = _start()
        try:
            yield nodes
        finally:
            with _careless():
                nodes.shutdown()
                del nodes


def _start():
    from ray.cluster_utils import Cluster as Nodes

    quick = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 500, "health_check_failure_threshold": 4}
    eager = {"worker_niceness": 0}  # Ray's workers are polite; beside another busy test they would starve for minutes
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": quick | eager}
    nodes = Nodes(initialize_head=True, head_node_args=head)
    nodes.add_node(num_cpus=1)
    nodes.add_node(num_cpus=1)
    return nodes


@contextmanager
def _careless():
    """Ray does not close its files; nobody else shall be blamed for them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
        gc.collect()


@pytest.fixture
def cluster(nodes):
    """The cluster, joined."""
    with joined_cluster(nodes.address) as found:
        yield found


def _holders(path):
    """Return the processes that hold a file open."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == path:
                found.add(int(link.parts[2]))
        except OSError:
            continue
    return found


def _raylet(node):
    """Return the process that is the parent of all workers of a node."""
    return node.all_processes["raylet"][0].process.pid


def _kill_who_holds(nodes):
    """Kill a node on which a game is held, with its workers, as if its machine were switched off."""
    patience = monotonic() + PATIENCE
    try:
        while not (held := [node for node in nodes.worker_nodes if Path(f"held-on-{_raylet(node)}").exists()]):
            assert monotonic() < patience
            sleep(0.05)
        raylet = _raylet(held[0])
        for pid in Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split():
            os.kill(int(pid), signal.SIGKILL)  # what a worker has started dies with it
        with _careless():
            nodes.remove_node(held[0], allow_graceful=False)
    finally:
        Path("hold").unlink(missing_ok=True)


def _kept(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM results ORDER BY number").fetchall()


@with_ray
@LONG
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_node_killed_in_the_middle_costs_nothing_but_time(nodes, cluster, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("held.py").write_text(HELD)
    monkeypatch.setattr(clusters, "SECONDS_A_CHUNK", 0.5)
    plan, db, holders = Plan.make(**PLAN), tmp_path / "cluster.db", []

    def watch(progress):
        if progress.games >= 12 and not holders:
            holders.append(_holders(db))
            Path("hold").touch()

    try:
        with ThreadPoolExecutor(1) as aside:
            killed = aside.submit(_kill_who_holds, nodes)
            result = play_tournament(plan, db, 2, watch, cluster.play)
            killed.result()
    finally:
        with _careless():
            nodes.add_node(num_cpus=1)
    assert capfd.readouterr() == ("", "")
    assert cluster.lost >= 1
    assert holders == [{os.getpid()}]
    assert (result.planned, result.played) == (60, 60)
    assert result.digest == play_tournament(plan, tmp_path / "alone.db", 1).digest
    assert _kept(db) == _kept(tmp_path / "alone.db") != []


@with_ray
@LONG
@pytest.mark.usefixtures("interpreted")
def test_whatever_an_agent_does_to_its_process_the_cluster_goes_on(cluster, quarto):
    agents = ["random", f"'{ROGUE}'(how=quit)", f"'{ROGUE}'(how=raise)"]
    fixtures = [Fixture(number, 0, (0, 1 + number // 2 % 2), number, (2, number)) for number in range(4)]
    rows = _rows(cluster.play(Plan(quarto, tuple(agents), limits=Limits(isolate=False)), fixtures, 2))
    assert rows == _rows(play(quarto, agents, fixtures, 1))
    assert Counter(row[2] for row in rows)[Reason.CRASH] == 2
    assert cluster.lost == 0


@with_ray
@LONG
def test_closing_the_results_frees_the_cluster_and_takes_no_more_fixtures(nodes, quarto, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW.replace("0.01", "600"))
    taken = Counter()

    def endless():
        for number in count():
            taken["fixtures"] += 1
            yield Fixture(number, 0, (0, 0) if number == 0 else (1, 1), number, (2, 4))

    with joined_cluster(nodes.address) as cluster:
        batches = cluster.play(Plan(quarto, ("random", f"{tmp_path}/slow.py")), endless(), 2)
        assert len(next(batches).numbers) == 1
        batches.close()
    assert taken["fixtures"] <= 20
    patience = monotonic() + PATIENCE
    with joined_cluster(nodes.address) as cluster:
        while cluster.ray.available_resources().get("CPU", 0) < 2:
            assert monotonic() < patience
            sleep(0.1)


@with_ray
@LONG
def test_a_chunk_that_loses_every_worker_ends_it_with_a_sentence(cluster, quarto, monkeypatch):
    def murderous():
        def play(version, code, message):
            import os

            os._exit(1)

        return play

    monkeypatch.setattr(clusters, "_worker", murderous)
    monkeypatch.setattr(clusters, "LOSSES", 2)
    with pytest.raises(KibitzError, match=r"2 workers in a row were lost while playing game 1 .*; all games kept"):
        list(cluster.play(Plan(quarto, ("random", "novice")), rotation(quarto, 4, 1), 1))


@with_ray
def test_what_a_worker_refuses_is_passed_on(cluster, quarto, monkeypatch):
    monkeypatch.setattr(clusters, "__version__", "9.9")
    with pytest.raises(KibitzError, match=r"the worker on \S+ has Kibitz 0.1.0, and this machine 9.9; install"):
        list(cluster.play(Plan(quarto, ("random", "novice")), rotation(quarto, 4, 1), 1))


@with_ray
def test_the_command_plays_on_the_cluster_of_an_address(nodes, tmp_path, monkeypatch):
    plan = Plan.make("quarto", ["random", "novice"], games=40)
    alone = play_tournament(plan, tmp_path / "alone.db", 1).digest
    found = _command(tmp_path, nodes.address)
    assert found.stderr == ""
    assert found.returncode == 0
    assert json.loads(found.stdout)["digest"] == alone
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    wrong = _command(tmp_path, nodes.address)
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1
    assert f"kibitz: cannot join the Ray cluster at {nodes.address}: " in wrong.stderr


def test_a_cluster_without_cpus_is_refused():
    class Deserted:
        @staticmethod
        def cluster_resources():
            return {"memory": 1.0}

    with pytest.raises(KibitzError, match="has no machine that could play"):
        Cluster(Deserted)
