"""Tournaments: every game once, kept for ever, and the same result whoever plays it and however often it is killed."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.tournament_result import NOBODY_MET, standings
from kibitz.arena.show.report.report_data import report
from kibitz.arena.show.table_parts import FirstThatFits
from kibitz.arena.show.tournament_table import tournament_table
from kibitz.arena.tournament import play_tournament
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.record import read_line
from kibitz.games import find
from tests.arena.playing import without_chance

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds until a test gives up
ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
LEAST = {"game": "quarto", "agents": ["random", "novice"], "games": 60, "seed": 3}


def result_of(path, jobs=1, **changes):
    return play_tournament(Plan.make(**(LEAST | changes)), path, jobs)


def rows(path, table="results"):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY run, number").fetchall()


@pytest.fixture
def db(tmp_path):
    """Where the ledger of a test lies."""
    return tmp_path / "results.db"


def test_every_fixture_is_played_once_and_kept_with_its_record(db):
    result = result_of(db)
    assert (result.planned, result.played) == (60, 60)
    kept = rows(db)
    assert [row[1] for row in kept] == list(range(60))
    for row in kept:
        table = read_line(row[7]).replay(find)
        assert table.over
        assert table.payoff() == json.loads(row[3])


@pytest.mark.parametrize("stop", [None, {"better": "+10 %"}])
def test_results_kept_in_memory_are_those_of_a_ledger(db, stop):
    plan = Plan.make("quarto", ["novice", "random"], games=600, seed=3, stop=stop)
    kept, memory = play_tournament(plan, db), play_tournament(plan)
    assert memory.played == kept.played
    for name in ("digest", "distinct", "stop", "notes", "reasons", "planned"):
        assert getattr(memory, name) == getattr(kept, name), name


def test_the_result_has_what_is_promised(db):
    result = result_of(db)
    for row in result.standings:
        assert row.games == row.wins + row.draws + row.losses == 60
        assert row.interval[0] < row.rating < row.interval[1]
    assert [row.agent for row in result.standings] == ["novice", "random"]
    data = result.as_dict()
    assert json.loads(json.dumps(data)) == data
    first = data["standings"][0]["by_seat"][0]
    assert [first[name] for name in ("seat", "games", "wins", "draws", "losses")] == [0, 30, 29, 0, 1]
    assert (first["mean_payoff"], first["mean_place"]) == pytest.approx((29 / 30, 31 / 30))
    assert repr(result).startswith("<TournamentResult of quarto, 60 of 60 games: novice +")


@pytest.mark.parametrize(
    "agents", [["random", "novice"], ["greedy(value=completing_absolute)", "novice"]], ids=["compiled", "not"]
)
def test_the_number_of_workers_changes_nothing(tmp_path, agents):
    found = [result_of(tmp_path / f"{jobs}.db", jobs, agents=agents).digest for jobs in (1, 3)]
    assert len(set(found)) == 1
    assert rows(tmp_path / "1.db") == rows(tmp_path / "3.db")


def test_a_finished_tournament_is_not_played_again(db):
    first, notes = result_of(db), rows(db, "notes")
    assert result_of(db) == first
    assert rows(db, "notes") == notes


def test_more_games_of_the_same_tournament_go_on_where_it_ended(tmp_path, db):
    result_of(db, games=20)
    few = rows(db)
    more = result_of(db, games=60)
    assert rows(db)[:20] == few
    assert more.digest == result_of(tmp_path / "at_once.db").digest


def test_fewer_games_are_the_first_of_them(tmp_path, db):
    result_of(db)
    fewer = result_of(db, games=20)
    assert (fewer.planned, fewer.played) == (20, 20)
    assert fewer.digest == result_of(tmp_path / "few.db", games=20).digest
    assert len(rows(db)) == 60


def test_how_many_games_would_separate_two_agents_is_noted(db):
    alike = result_of(db, agents=["random", "policy(random)"], games=20)
    assert any("games do not show that" in note for note in alike.notes)
    assert not any("games do not show that" in note for note in result_of(db).notes)


@pytest.mark.parametrize(("seats", "luck"), [(2, 0.0), (2, 2.0), (4, 1.5)])
def test_the_games_said_to_be_needed_are_more_than_were_played(seats, luck):
    rng, promised = np.random.default_rng(3), 0
    tables = np.array(list(permutations(range(seats))))
    for _ in range(20):
        seatings, blocks = np.tile(tables, (40, 1)), np.repeat(np.arange(40), len(tables))
        form = np.linspace(0.6, 0, seats)[seatings] + rng.gumbel(size=seatings.shape)
        form += np.take_along_axis(rng.normal(0, luck, (40, seats))[blocks], seatings, 1)
        payoffs, each = (form == form.max(axis=1, keepdims=True)) * 1.0, np.ones_like(seatings)
        columns = (np.arange(len(form)), blocks, seatings, payoffs, each[:, 0], [], -each[:, 0], each * 1.0, each)
        agents, said = tuple(f"a{seat}" for seat in range(seats)), ([""] * len(form), [""] * len(form), ("",) * seats)
        found = standings(GameColumns(agents, *columns, *said), False)
        for text in re.findall(r"about ([\d,]+) games", " ".join(found.notes)):
            promised += 1
            assert int(text.replace(",", "")) > found.rows[0].games
    assert promised


def test_self_play_has_no_ratings_to_show(db):
    result = result_of(db, scheme="self-play")
    assert result.notes == (NOBODY_MET,)
    table = next(part for part in tournament_table(result) if isinstance(part, FirstThatFits)).tables[0]
    headings = ["agent", "games", "won / drawn / lost", "payoff", "95 % interval"]
    assert [column.header for column in table.columns] == headings


def test_several_tournaments_share_a_ledger(db):
    one, other = result_of(db), result_of(db, seed=4)
    assert one.run != other.run
    assert one.digest != other.digest
    assert result_of(db) == one


def test_deterministic_agents_play_different_games(db):
    minds = ["minimax(depth=1, opening=none)", "minimax(depth=2, opening=none)"]
    assert result_of(db, agents=minds, games=20).distinct == 20
    assert not any("repetitions" in note for note in result_of(db, agents=minds, games=20).notes)


def test_games_played_by_changed_code_of_kibitz_are_kept_with_a_note(db, monkeypatch):
    alone = result_of(db, games=20)
    monkeypatch.setattr("kibitz.arena.results.run.code_version", lambda: "0ddc0de5" * 2)
    assert result_of(db, games=20) == alone  # nothing was left to play
    mixed = result_of(db, games=60)
    assert mixed.run == alone.run
    (note,) = set(mixed.notes) - set(alone.notes) - set(result_of(db.with_name("other.db"), games=60).notes)
    assert note.startswith("Kibitz's own code changed while these games were played: 2 versions of it played them")
    with open_ledger(db) as ledger:
        assert note in report(ledger, mixed.run)["notes"]


@pytest.mark.usefixtures("interpreted")
def test_games_that_repeat_are_counted_once_whatever_the_seed_of_their_deal(tmp_path, db):
    result = result_of(db, agents=without_chance(tmp_path), games=20, openings=0, isolate=False)
    assert result.distinct == 2
    assert any("Most games are repetitions" in note for note in result.notes)
    with open_ledger(db) as ledger:
        shown = report(ledger, result.run)
    assert (shown["distinct"], shown["notes"]) == (2, list(result.notes))


@pytest.mark.usefixtures("interpreted")
def test_games_on_different_deals_are_different(tmp_path, db):
    kuhn = str(ROOT / "tests" / "kuhn")
    deals, seatings = 3 * 2, 2  # two of three cards
    assert (
        result_of(db, game=kuhn, agents=without_chance(tmp_path), games=200, isolate=False).distinct == deals * seatings
    )


def test_copies_of_an_agent_at_one_table_throw_their_own_dice(db):
    result_of(db, game="colonizers", agents=["random", "heuristic"], games=28, scheme="round-robin")
    seeds = [seed for row in rows(db) for seed in json.loads(row[7])["agent_seeds"]]
    assert len(seeds) == len(set(seeds)) == 4 * 28


KILLED = """
import sys
from pathlib import Path
from kibitz.arena.plan.plan import Plan
from kibitz.arena.tournament import play_tournament
from kibitz.agents import build
plan = Plan.make("quarto", sys.argv[3:], games=int(sys.argv[2]), seed=3)
for agent in plan.agents:
    build(agent, plan.game, 1)
print("ready", flush=True)
play_tournament(plan, Path(sys.argv[1]), 2)
"""


@pytest.mark.parametrize(
    ("agents", "games"),
    [
        pytest.param(["random", "novice"], 20_000, marks=ONLY_LONG, id="compiled"),
        pytest.param(["greedy(value=completing_absolute)", "novice"], 600, id="workers"),
    ],
)
def test_killed_at_random_moments_it_ends_with_the_same_bytes(tmp_path, agents, games):
    """Every other time soon after it has kept more games, else at any moment after its start."""
    killed, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    luck, kept, interrupted = random.Random(1), 0, 0
    for attempt in range(8 if os.environ.get("KIBITZ_LONG") else 2):
        words = [sys.executable, "-c", KILLED, str(killed), str(games), *agents]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
            assert run.stdout.readline() == b"ready\n"
            while attempt % 2 == 0 and _count_in(killed) == kept and run.poll() is None:
                time.sleep(0.01)
            time.sleep(luck.uniform(0, 1.0 if attempt % 2 else 0.1))
            run.send_signal(signal.SIGKILL)
        now = numbers_in(killed)
        assert len(now) == len(set(now)) >= kept
        interrupted += kept < len(now) < games
        kept = len(now)
    assert interrupted, "no kill came in the middle of the games"
    changes = {"agents": agents, "games": games}
    assert result_of(killed, 2, **changes).digest == result_of(whole, 1, **changes).digest
    assert rows(killed) == rows(whole)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=ONLY_LONG)])
def test_asked_to_end_it_stops_at_once_and_no_agent_is_blamed(tmp_path, number):
    """One worker: the agents think in the very process that is asked to end."""
    stopped, whole = tmp_path / "stopped.db", tmp_path / "whole.db"
    agents = ["minimax(depth=3)", "minimax(depth=2)"]
    words = ["--agent", agents[0], "--agent", agents[1], "--games", "100000", "--seed", "3", "--db", str(stopped)]
    hearing = f"import signal; signal.signal({int(number)}, signal.SIG_DFL)"  # where tests run under nohup
    start = [sys.executable, "-c", f"{hearing}; from kibitz.cli import main; main()"]
    command = [*start, "tournament", "--game", "quarto", "--jobs", "1", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        try:
            while not numbers_in(stopped) and run.poll() is None:
                time.sleep(0.05)
            run.send_signal(number)
            _, complaint = run.communicate(timeout=PATIENCE)
        finally:
            run.kill()
    assert run.returncode == 128 + number
    assert "fail" not in complaint
    kept = len(numbers_in(stopped))
    changes = {"agents": agents, "games": max(2, kept)}
    assert result_of(stopped, **changes).digest == result_of(whole, **changes).digest


def numbers_in(path):
    """The games that a ledger has kept, which must be sound."""
    if not path.exists() or not _has_tables(path):
        return []
    return [row[1] for row in rows(path)]


def _count_in(path):
    """How many games a ledger has kept, asked while they are played."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.OperationalError):
        return connection.execute("SELECT count(*) FROM results").fetchone()[0]
    return 0


def _has_tables(path):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'notes'").fetchone() == (1,)


def test_a_full_disk_loses_nothing_and_is_reported_in_one_sentence(tmp_path, db):
    result_of(db, games=20)
    before = rows(db)
    with open_ledger(db, write=True) as ledger:
        ledger._connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(BadValue, match=r"database or disk is full; .* the same plan continues"):
            ledger.enter("another", {"agents": ["x" * 100_000]}, 1, 1, "0")
    assert rows(db) == before
    assert result_of(db).digest == result_of(tmp_path / "whole.db").digest


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_text("game = quarto"), "not a ledger of Kibitz"),
        (lambda path: _run_sql(path, "CREATE TABLE mine (x)"), "an SQLite file, but not a ledger of Kibitz"),
        (lambda path: (result_of(path), _run_sql(path, "PRAGMA user_version = 99")), "ledger of version 99"),
    ],
)
def test_another_file_is_refused_and_not_touched(db, spoil, words):
    spoil(db)
    before = db.read_bytes()
    with pytest.raises(KibitzError, match=words):
        result_of(db)
    assert db.read_bytes() == before


def _run_sql(path, text):
    connection = sqlite3.connect(path)
    connection.execute(text)
    connection.commit()
    connection.close()


def test_a_ledger_in_use_is_refused_but_can_be_read(db):
    result_of(db)
    with open_ledger(db, write=True):
        words = [sys.executable, "-m", "kibitz", "tournament", "--game", "quarto", "--agent", "random"]
        words += ["--agent", "novice", "--db", str(db)]
        found = subprocess.run(words, capture_output=True, text=True, check=False)
        with open_ledger(db) as other:
            assert len(other.runs()) == 1
    assert found.returncode == 2
    assert "in use by another run" in found.stderr
    assert "Traceback" not in found.stderr


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(KibitzError, match="nowhere"):
        result_of(tmp_path / "nowhere" / "results.db")


HOOK = """
seen, plans = [], []
def before(plan):
    plans.append(plan["seed"])
def after(game):
    seen.append((game["number"], len(game["record"]["moves"]), game["reason"]))
def summary():
    return {"plans": plans, "games": len(seen), "ordered": seen == sorted(seen), "longest": max(n for _, n, _ in seen)}
"""


def test_hooks_are_called_for_every_game_in_order_also_for_those_played_before(tmp_path, db):
    hook = tmp_path / "hook.py"
    hook.write_text(HOOK, encoding="utf-8")
    result_of(db, games=20)
    found = result_of(db, games=60, hooks=[str(hook)]).hooks[str(hook)]
    assert found["plans"] == [3]
    assert found["games"] == 60
    assert found["ordered"]
    assert 10 < found["longest"] <= 36


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1", "defines none of before, after, summary"),
        ("import nothing_like_this", "cannot be imported: .*, line 1: ModuleNotFoundError"),
        ("def before(plan): 1 / 0", "the hook before of .* failed: ZeroDivisionError"),
        ("def after(game): game['colour']", "the hook after of .* failed: KeyError"),
        ("import sys\nsys.exit(0)", "cannot be imported: .*, line 2: SystemExit"),
        ("import sys\ndef before(plan): sys.exit(0)", "the hook before of .* failed: SystemExit"),
        ("def summary(): return {1, 2}", "is not plain data"),
        ("def summary(): return float('nan')", "is not plain data"),
    ],
)
def test_a_hook_that_fails_is_named_and_no_game_is_lost(tmp_path, db, source, words):
    hook = tmp_path / "bad_hook.py"
    hook.write_text(source, encoding="utf-8")
    with pytest.raises(KibitzError, match=words):
        result_of(db, hooks=[str(hook)])
    assert result_of(db).played == 60


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise KeyboardInterrupt", "hook.py, line 1: KeyboardInterrupt"),
        ("def after(game): raise KeyboardInterrupt", "the hook after of hook.py failed: KeyboardInterrupt"),
    ],
)
def test_a_hook_that_interrupts_is_not_taken_for_the_user(tmp_path, source, words):
    (tmp_path / "hook.py").write_text(source, encoding="utf-8")
    found = _tournament_with_a_hook(tmp_path)
    assert found.returncode == 2
    assert words in found.stderr
    assert "Traceback" not in found.stderr


def test_ctrl_c_in_a_hook_is_the_user_s(tmp_path):
    interrupting = "import os, signal\ndef after(game): os.kill(os.getpid(), signal.SIGINT)"
    (tmp_path / "hook.py").write_text(interrupting, encoding="utf-8")
    found = _tournament_with_a_hook(tmp_path)
    assert found.returncode == 130
    assert "kibitz: interrupted; finished games are in results.db" in found.stderr


def _tournament_with_a_hook(folder):
    # Tests that run in the background may have been started with Ctrl-C ignored.
    hearing = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{hearing}; from kibitz.cli import main; main()", "tournament"]
    command += ["--game", "quarto", "--agent", "random", "--agent", "novice", "--games", "4", "--hook", "hook.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_stop_rule_ends_at_the_same_game_on_any_number_of_workers(tmp_path):
    changes = {"agents": ["novice", "random"], "games": 50_000, "stop": {"better": "+10 %"}}
    found = [result_of(tmp_path / f"{jobs}.db", jobs, **changes) for jobs in (1, 2)]
    assert found[0].digest == found[1].digest
    assert found[0].stop == found[1].stop
    assert found[0].stop.call == "better"
    assert found[0].planned == found[0].played == found[0].stop.games < 1000
    played = found[0].played  # what was in flight beyond is kept too, and no part of the result
    assert rows(tmp_path / "1.db")[:played] == rows(tmp_path / "2.db")[:played]
    assert result_of(tmp_path / "1.db", **changes) == found[0]


def test_a_stop_rule_says_when_the_hero_is_no_better(db):
    changes = {"agents": ["novice", "random"], "games": 50_000, "hero": "random", "stop": {"better": "+10 %"}}
    result = result_of(db, **changes)
    assert result.stop.call == "not better"
    assert "random does not earn 10.0% more than an average seat" in result.stop.sentence
    assert any("A stop rule chose the last game. Intervals are widened" in note for note in result.notes)
    freely = result_of(db, **changes | {"stop": None, "games": result.played})
    assert freely.digest == result.digest
    assert freely.standings[0].win_rate == result.standings[0].win_rate
    for attribute in ("interval", "win_interval"):
        wide, usual = (getattr(found.standings[0], attribute) for found in (result, freely))
        assert wide[0] < usual[0] < usual[1] < wide[1]


def test_a_stop_rule_that_hears_too_few_games_leaves_it_open(db):
    result = result_of(db, agents=["random", "policy(random)"], games=40, stop={"better": "+1 %"})
    assert result.stop.call == "undecided"
    assert result.played == 40


CRASHING = """
from kibitz.agents.random import Random
class Crashing(Random):
    "Fails in its third decision."
    count = 0
    def decide(self, view):
        self.count += 1
        if self.count == 3:
            raise ValueError("no idea")
        return super().decide(view)
"""


@pytest.mark.usefixtures("interpreted")
def test_an_agent_that_fails_loses_its_games_and_the_tournament_goes_on(tmp_path, db):
    agent = tmp_path / "crashing.py"
    agent.write_text(CRASHING, encoding="utf-8")
    result = result_of(db, 2, agents=["random", "novice", str(agent)], games=6, isolate=False)
    assert result.played == 6
    assert result.reasons["crash"] == 4
    assert "ValueError: no idea" in result.faults[0]
    (failed,) = (row for row in result.standings if row.agent == str(agent))
    assert (failed.wins, failed.losses) == (0, 4)


def test_the_cap_makes_draws(db):
    result = result_of(db, games=10, limits={"plies": 6})
    assert result.reasons == {"cap": 10}
    assert all(row.draws == 10 for row in result.standings)


def test_a_stop_rule_added_later_deletes_nothing_however_often_it_is_asked(db):
    changes = {"agents": ["novice", "random"], "games": 400}
    result_of(db, **changes)
    kept = rows(db), rows(db, "notes")
    stopped = [result_of(db, **changes, stop={"better": "+10 %"}) for _ in range(2)]
    assert stopped[0] == stopped[1]
    assert stopped[0].played < 400
    assert (rows(db), rows(db, "notes")) == kept
    assert result_of(db, **changes).played == 400


WICKED = {
    "surrogate": 'raise ValueError("bad " + chr(0xD800))',
    "interrupt": "raise KeyboardInterrupt",
    "nameless": "self.text = None; raise ValueError",
}


@pytest.mark.usefixtures("interpreted")
def test_what_agents_raise_ends_only_their_games(tmp_path, db):
    agents = ["random"]
    for name, deed in WICKED.items():
        path = tmp_path / f"{name}.py"
        path.write_text(
            "from kibitz.agents.agent import Agent\nclass Wicked(Agent):\n    'Wicked.'\n"
            f"    def decide(self, view):\n        print('noise')\n        {deed}\n"
        )
        agents.append(str(path))
    result = result_of(db, agents=agents, games=6, scheme="gauntlet", hero="random", isolate=False)
    assert result.reasons == {"crash": 6}
    assert result.standings[0].agent == "random"


@pytest.mark.usefixtures("interpreted")
def test_copies_of_an_agent_that_failed_have_no_part_in_the_win(tmp_path, db):
    agent = tmp_path / "crashing.py"
    agent.write_text(CRASHING, encoding="utf-8")
    game = {"game": "chexers", "agents": ["random", str(agent)], "games": 6, "isolate": False}
    result = result_of(db, **game)
    (failed,) = (row for row in result.standings if row.agent == str(agent))
    assert (failed.wins, failed.draws, failed.mean_payoff) == (0, 0, 0.0)


def test_a_hook_cannot_change_the_plan_or_the_output(tmp_path, db, capsys):
    hook = tmp_path / "meddler.py"
    hook.write_text("def before(plan):\n    print('hello')\n    plan['agents'].clear()\n", encoding="utf-8")
    assert result_of(db, games=2, hooks=[str(hook)]).played == 2
    assert capsys.readouterr().out == ""


def test_a_damaged_ledger_is_reported_in_one_sentence(db):
    result_of(db)
    data = bytearray(db.read_bytes())
    data[5000:9000] = bytes(4000)
    db.write_bytes(data)
    with pytest.raises(KibitzError, match=r"as a ledger|not a ledger"):
        result_of(db)
