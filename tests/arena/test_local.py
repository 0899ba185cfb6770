"""Playing on this machine: every fixture is played exactly once, whatever agents do to their process."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from kibitz import games
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import LEAST_MEMORY, NO_LIMITS, Limits
from kibitz.arena.play import compiled, local, process_pool, worker
from kibitz.arena.play.reason import Reason
from kibitz.arena.process import supervised_process
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.record import read_line
from kibitz.core.table import Table
from tests.arena.playing import play, play_inside, rotation

ROGUE = Path(__file__).with_name("rogue.py")
LIMITED = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the memory of a process cannot be limited here"
)
PATIENCE = 60  # seconds until a test gives up
ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
INTERPRETED = pytest.mark.usefixtures("interpreted")  # in the workers


def _rogue(how):
    return f"'{ROGUE}'(how={how})"


def _against_random(rogues, seats, rounds=3):
    """Every rogue (agents 1, 2, …) meets agent 0 in every round; only in the middle one are its dice odd."""
    numbers = count()
    for rnd in range(rounds):
        for rogue in range(1, rogues + 1):
            number = next(numbers)
            seat = number % seats
            seating = tuple(rogue if at == seat else 0 for at in range(seats))
            yield Fixture(number, rnd, seating, number, tuple(2 * number + (rnd == 1) for _ in range(seats)))


def _rows(batches):
    """Return what was played by number, without times."""
    rows = {}
    for batch in batches:
        for row, number in enumerate(batch.numbers.tolist()):
            assert number not in rows, "played twice"
            rows[number] = (
                tuple(batch.seatings[row].tolist()), tuple(batch.payoffs[row].tolist()), int(batch.plies[row]),
                tuple(batch.moves[row].tolist()), batch.reasons[row], int(batch.offenders[row]), batch.faults[row],
                batch.records[row],
            )  # fmt: skip
    return [rows[number] for number in sorted(rows)]


def _check(rows, fixtures, ways, expected):
    """Every fixture was played once; the rogues failed in the middle round and nowhere else."""
    assert len(rows) == len(fixtures)
    for fixture, (seating, payoff, plies, _, reason, offender, fault, line) in zip(fixtures, rows, strict=True):
        seat = fixture.number % len(seating)
        record = read_line(line)
        assert seating == fixture.seating
        assert (record.seed, len(record.moves)) == (fixture.deal_seed, plies)
        if fixture.block == 1:
            assert (reason, offender) == (expected[seating[seat] - 1], seat)
            assert f"rogue.py(how={ways[seating[seat] - 1]})" in fault
            assert payoff == tuple(0 if at == seat else 1 / (len(seating) - 1) for at in range(len(seating)))
            assert not record.replay(games.find).over
        else:
            assert reason in (Reason.WON, Reason.DRAWN)
            assert record.replay(games.find).over


@INTERPRETED
def test_a_rogue_loses_its_own_game_only_on_any_number_of_workers(quarto):
    ways = ["leave", "quit", "cheat", "toil", "unbuilt"]
    expected = [Reason.CRASH, Reason.CRASH, Reason.ILLEGAL, Reason.NODES, Reason.CRASH]
    fixtures = list(_against_random(len(ways), 2))
    agents = ["random", *map(_rogue, ways)]
    results = [_rows(play(quarto, agents, fixtures, jobs, Limits(nodes=100))) for jobs in (1, 2)]
    assert results[0] == results[1]
    _check(results[0], fixtures, ways, expected)
    assert "its process died (exit code 3)" in " ".join(row[6] for row in results[0])
    sound = [fixture for fixture in fixtures if fixture.block != 1]
    alone = [play_inside(quarto, agents, fixture).record.line() for fixture in sound]
    assert alone == [results[0][fixture.number][7] for fixture in sound]


def test_a_process_may_break_down_at_a_table_of_three():
    game, ways = games.find("chexers"), ["segfault", "mumble"]
    fixtures = list(_against_random(len(ways), 3))
    rows = _rows(play(game, ["random", *map(_rogue, ways)], fixtures, 2))
    _check(rows, fixtures, ways, [Reason.CRASH, Reason.ILLEGAL])
    assert "its process died (SIGSEGV)" in " ".join(row[6] for row in rows)


@INTERPRETED
def test_a_process_that_an_agent_forks_off_does_not_play_on(quarto):
    fixtures = list(_against_random(1, 2, rounds=200))  # enough for a second player to be heard of
    rows = _rows(play(quarto, ["random", _rogue("fork")], fixtures, 1))
    assert len(rows) == len(fixtures)
    for *_, reason, offender, fault, line in rows:
        assert reason in (Reason.WON, Reason.DRAWN)
        assert (offender, fault) == (-1, "")
        assert read_line(line).replay(games.find).over


LOADING = """
from pathlib import Path
from kibitz.agents.agent import Agent, Decision
LOG = Path(__file__).with_suffix(".log")
loaded = False
class Loading(Agent):
    "Loads what it needs once in every process; its seed is 0 in the warm-up only."
    def decide(self, view):
        global loaded
        with LOG.open("a") as log:
            log.write(f"{'decided' if loaded else 'loaded'} with seed {self.seed}\\n")
        loaded = True
        return Decision(self.legal(view)[0])
"""


@INTERPRETED
def test_loading_code_is_not_counted_as_thinking(quarto, tmp_path):
    agent = tmp_path / "loading.py"
    agent.write_text(LOADING, encoding="utf-8")
    batches = list(play(quarto, ["random", str(agent)], rotation(quarto, 4, 1), 2))
    assert sum(len(batch.numbers) for batch in batches) == 4
    loaded = [line for line in (tmp_path / "loading.log").read_text().splitlines() if line.startswith("loaded")]
    assert set(loaded) == {"loaded with seed 0"}


@INTERPRETED
def test_agents_warm_up_once_in_a_process(quarto, tmp_path):
    agent = tmp_path / "loading.py"
    agent.write_text(LOADING, encoding="utf-8")
    batches = play(quarto, ["random", str(agent)], rotation(quarto, 8, 1), 1)
    moves = sum(int(batch.moves[batch.seatings == 1].sum()) for batch in batches)
    assert len((tmp_path / "loading.log").read_text().splitlines()) == moves + 2


@INTERPRETED
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=ONLY_LONG)])
def test_an_agent_that_breaks_down_while_it_warms_up_loses_nothing(quarto, jobs):
    fixtures = [Fixture(number, 0, (0, 1), number, (2, 4)) for number in range(10)]  # its seed is 0 in the warm-up only
    rows = _rows(play(quarto, ["random", _rogue("shy")], fixtures, jobs))
    assert {row[4] for row in rows} <= {Reason.WON, Reason.DRAWN}
    assert len(rows) == len(fixtures)


def test_loading_compiled_games_is_not_counted_as_thinking(quarto, monkeypatch):
    clock, games_ = {"now": 0.0}, compiled.policy_games

    def loading(*given):
        clock["now"] += 0.0 if clock["now"] else 5.0
        games_(*given)

    monkeypatch.setattr(compiled, "perf_counter", lambda: clock["now"])
    monkeypatch.setattr(compiled, "policy_games", loading)
    batches = list(play(quarto, ["random", "novice"], rotation(quarto, 4, 1), 1))
    assert clock["now"] == 5.0
    assert max(batch.seconds.max() for batch in batches) == 0.0


@INTERPRETED
def test_an_agent_that_never_answers_is_stopped(quarto):
    ways = ["loop", "late"]
    fixtures = list(_against_random(len(ways), 2, rounds=2))
    limits = Limits(move_seconds=60, game_seconds=1)
    rows = _rows(play(quarto, ["random", *map(_rogue, ways)], fixtures, 2, limits))
    _check(rows, fixtures, ways, [Reason.TIME, Reason.TIME])


@LIMITED
@INTERPRETED
def test_a_greedy_agent_runs_out_of_memory(quarto):
    fixtures = list(_against_random(1, 2, rounds=2))
    rows = _rows(play(quarto, ["random", _rogue("greedy")], fixtures, 1, Limits(memory=1500)))
    _check(rows, fixtures, ["greedy"], [Reason.MEMORY])


@LIMITED
@INTERPRETED
def test_a_worker_lives_on_where_agents_leave_no_memory(quarto):
    fixtures = list(_against_random(1, 2, rounds=4))
    rows = _rows(play(quarto, ["random", _rogue("hoard")], fixtures, 1, Limits(memory=LEAST_MEMORY)))
    assert len(rows) == len(fixtures)
    assert {row[4] for row in rows} <= {Reason.WON, Reason.DRAWN, Reason.MEMORY}


@LIMITED
@pytest.mark.parametrize("memory", [LEAST_MEMORY, *(pytest.param(more, marks=ONLY_LONG) for more in (50, 100))])
def test_only_who_needs_much_memory_loses_where_there_is_little(quarto, memory):
    agents = ["random", "minimax(depth=2, memory=256)"]
    rows = _rows(play(quarto, agents, rotation(quarto, 2, 1), 1, Limits(memory=memory)))
    assert [(row[4], row[0][row[5]]) for row in rows] == [(Reason.MEMORY, 1)] * 2


def _watch_workers(monkeypatch, begun=lambda process: None):
    """Call `begun` with the process of every worker that is started; return these processes."""
    started = []

    class Watched(worker.Worker):
        def __init__(self, *given):
            super().__init__(*given)
            started.append(self.process)
            begun(self.process)

    monkeypatch.setattr(process_pool, "Worker", Watched)
    return started


@INTERPRETED
def test_closing_the_results_ends_the_workers_and_takes_no_more_fixtures(quarto, monkeypatch):
    taken = Counter()

    def endless():
        for number in count():
            taken["fixtures"] += 1
            yield Fixture(number, 0, (0, 1), number, (2, 4))

    started = _watch_workers(monkeypatch)
    for agents, jobs in ((["random", _rogue("raise")], 1), (["random", "novice"], 2)):
        taken.clear()
        batches = play(quarto, agents, endless(), jobs)
        played = len(next(batches).numbers)
        batches.close()
        assert [process.is_alive() for process in started] == [False] * len(started)
        assert taken["fixtures"] <= played + 6 * max(compiled.MOST_A_BATCH, process_pool.MOST_A_CHUNK)


def test_no_more_workers_are_started_than_the_cores_can_use(quarto, monkeypatch):
    monkeypatch.setattr(local, "available_threads", lambda: 1)
    monkeypatch.setattr(local, "JOBS_A_CORE", 2)
    asked = []
    monkeypatch.setattr(local, "play_in_processes", lambda *given: iter([asked.append(given[3])]))
    monkeypatch.setattr(local, "play_on_threads", lambda compiled, fixtures, jobs: iter([asked.append(jobs)]))
    for agents in (["random", "minimax(depth=1)"], ["random", "novice"]):
        list(play(quarto, agents, rotation(quarto, 6, 1), 256))
    assert asked == [2, 2]


@INTERPRETED
def test_workers_that_die_without_an_agent_s_doing_are_given_up(quarto, monkeypatch, capfd):
    monkeypatch.setattr(worker, "_work", worker._ignore)  # which fails, given what a worker is given
    monkeypatch.setattr(process_pool, "MOST_FAILURES", 2)
    monkeypatch.setattr(supervised_process, "_DYING", PATIENCE)  # on a busy machine a process takes its time to end
    with pytest.raises(KibitzError, match=r"2 worker processes in a row ended before they could play.*exit code 1"):
        list(play(quarto, ["random", _rogue("raise")], rotation(quarto, 4, 1), 1))
    assert "TypeError" in capfd.readouterr().err


def _kill_workers(monkeypatch, most):
    """Kill up to `most` workers as soon as they are started; return which were killed."""
    killed = []

    def kill(process):
        if len(killed) < most:
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    _watch_workers(monkeypatch, kill)
    return killed


@INTERPRETED
def test_workers_that_are_killed_from_outside_are_replaced(quarto, monkeypatch):
    killed = _kill_workers(monkeypatch, process_pool.MOST_FAILURES + 1)
    assert len(_rows(play(quarto, ["random", _rogue("toil")], rotation(quarto, 2, 1), 1))) == 2
    assert len(killed) == process_pool.MOST_FAILURES + 1


@INTERPRETED
def test_a_machine_on_which_no_worker_lives_to_play_a_game_is_given_up(quarto, monkeypatch):
    killed = _kill_workers(monkeypatch, 100)
    monkeypatch.setattr(process_pool, "MOST_KILLS", 4)
    with pytest.raises(KibitzError, match=r"4 worker processes were killed before any of them could play.*SIGKILL"):
        list(play(quarto, ["random", _rogue("toil")], rotation(quarto, 2, 1), 1))
    assert len(killed) == 4


def _gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


def _begun(folder):
    """Return the processes in which the agent of a folder decides, or which were made for it."""
    hosts = [path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if _says(path, f"{folder}/looper.py\0")]
    return [path.name.removeprefix("begun-") for path in [*folder.glob("begun-*"), *hosts]]


def _says(path, words):
    with suppress(OSError):
        return b"kibitz.bots.host" in path.read_bytes() and words.encode() in path.read_bytes()
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("flag", ["--isolate", "--no-isolate"])
def test_ctrl_c_ends_everything_in_one_sentence(tmp_path, flag):
    (tmp_path / "looper.py").write_text(
        "import os\nfrom kibitz.agents.agent import Agent\n\n\nclass Looper(Agent):\n    def decide(self, view):\n"
        "        open(f'begun-{os.getpid()}', 'w')\n        while True: pass\n"
    )
    # Tests that run in the background may have been started with Ctrl-C ignored.
    hearing = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{hearing}; from kibitz.cli import main; main()", "match", "quarto"]
    match = subprocess.Popen(
        [*command, f"{tmp_path}/looper.py", "random", "--jobs", "2", flag],
        cwd=tmp_path, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        patience = time.monotonic() + PATIENCE
        while not _begun(tmp_path):
            assert time.monotonic() < patience
            assert match.poll() is None
            time.sleep(0.05)
        pids = _begun(tmp_path)
        os.killpg(match.pid, signal.SIGINT)
        _, complaint = match.communicate(timeout=PATIENCE)
    finally:
        match.kill()
    assert match.returncode == 130
    assert complaint.splitlines()[-1] == "kibitz: interrupted"
    assert "Traceback" not in complaint
    assert all(map(_gone, pids))


def _with_openings(game, games_, longest):
    for fixture in rotation(game, games_, 3):
        table = Table(game, fixture.deal_seed)
        for _ in range(fixture.number % longest):
            table.play(table.moves()[fixture.number % len(table.moves())])
        yield Fixture(
            fixture.number, fixture.block, fixture.seating, fixture.deal_seed, fixture.agent_seeds,
            tuple(table.moves_made),
        )  # fmt: skip


@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(plies=10, nodes=5)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_compiled_games_keep_openings_and_limits_as_the_referee_does(quarto, jobs, limits):
    agents = ["novice", "random"]
    fixtures = list(_with_openings(quarto, 200, 7))
    rows = _rows(play(quarto, agents, fixtures, jobs, limits))
    slow = _rows([local.batch_of([play_inside(quarto, agents, fixture, limits)], True) for fixture in fixtures])
    assert rows == slow
    assert (Reason.CAP in {row[4] for row in rows}) == (limits.plies is not None)


def test_an_opening_that_cannot_be_played_is_refused_by_compiled_games(quarto):
    fixtures = [Fixture(number, 0, (0, 1), 5, (1, 2), (0, 0, 0)[: number % 4]) for number in range(4)]
    with pytest.raises(BadValue, match="the opening of game 4 cannot be played"):
        list(play(quarto, ["random", "random"], fixtures, 1))
