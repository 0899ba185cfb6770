"""Secret deals: drawn anew by each session, told by nothing on disk before they are played, and shown afterwards."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import closing, suppress
from pathlib import Path

import pytest

from kibitz.arena.plan import plan as planning
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import batch_of
from kibitz.arena.play.referee import play_fixture
from kibitz.arena.results.ledger import digest, open_ledger
from kibitz.arena.results.match_result import match_result
from kibitz.arena.results.run import LedgerRun
from kibitz.arena.results.secret_deals import Dealt, about_deals, dealt
from kibitz.arena.results.tournament_result import tournament_result
from kibitz.arena.session import Interrupted, play_plan
from kibitz.arena.show.match_table import match_table
from kibitz.arena.show.report.page import page
from kibitz.arena.show.report.report_data import report
from kibitz.core.record import read_line
from kibitz.core.seeds import DEAL, derive_seed
from kibitz.games import find

HIDDEN = "cartagena(version=jamaica)"
AGENTS = ("bot(cmd='true')", "random", "greedy")  # of which the first needs no process in these tests
GAMES, BLOCK = 12, 3
FIRST, SECOND = 0xFEDCBA9876543210, 0x8899AABBCCDDEEFF  # what sessions draw
KILLED = """
import os, sys
from pathlib import Path
from tests.arena.test_secret_deals import playing, result_of
result_of(Path(sys.argv[1]), playing(stop_after=10, stop=lambda: os.kill(os.getpid(), 9)))
"""


def plan_of(games=GAMES, **more):
    """Return a plan whose deals are secret."""
    return Plan.make(HIDDEN, AGENTS, scheme="rotation", games=games, **more)


def playing(look=None, stop_after=None, stop=None):
    """Return a function that plays fixtures one by one, calls `look` after each, and stops after `stop_after`."""

    def play(plan, fixtures, jobs, keep_records):
        done = []
        for fixture in fixtures:
            yield batch_of([play_fixture(plan.game, ["random", "random", "greedy"], fixture)], keep_records)
            done.append(fixture)
            if look is not None:
                look(done)
            if len(done) == stop_after:
                stop()

    return play


def interrupt():
    """Do what Ctrl-C does."""
    raise KeyboardInterrupt


def result_of(db, play=None, plan=None):
    """Play what is missing, and return the result."""
    plan = plan or plan_of()
    return play_plan(plan, lambda run: tournament_result(run, {}), db, play=play or playing())


@pytest.fixture
def drawn(monkeypatch):
    """The secrets that sessions draw, one after the other; those drawn already are left out."""
    waiting = [FIRST, SECOND]
    monkeypatch.setattr(planning, "secret_seed", lambda: waiting.pop(0))
    return waiting


@pytest.fixture
def db(tmp_path, monkeypatch):
    """Where the ledger lies: in the only folder that anything is written to."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / "results.db"


def rows(db):
    """Return number and record of every game in a ledger."""
    with closing(sqlite3.connect(db)) as connection:
        found = connection.execute("SELECT number, record FROM results ORDER BY number").fetchall()
    return [(number, json.loads(record)) for number, record in found]


def deals_in(db):
    """Return the deals of each block in a ledger."""
    found = defaultdict(set)
    for number, record in rows(db):
        found[number // BLOCK].add(record["seed"])
    return dict(found)


def on_disk(folder):
    """Return all bytes in the files of a folder, and in those that this process has open."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    for handle in Path("/proc/self/fd").iterdir() if Path("/proc/self/fd").exists() else ():
        with suppress(OSError):
            files += [path] if (path := handle.resolve()).is_file() and not path.is_relative_to("/dev") else []
    found = b""
    for path in set(files):
        with suppress(OSError):
            found += path.read_bytes()
    return found + repr(dict(os.environ)).encode() + repr(sys.argv).encode()


def written(number):
    """Return how a number may stand in a file."""
    return [str(number).encode(), f"{number:x}".encode(), number.to_bytes(8, "little"), number.to_bytes(8, "big")]


def test_nothing_on_disk_tells_a_deal_that_is_still_to_be_played(db, drawn):
    fixtures = list(plan_of().fixtures(FIRST))
    finished = []

    def look(done):
        played = {fixture.number for fixture in done}
        there = on_disk(db.parent)
        for fixture in fixtures:
            block = range(fixture.block * BLOCK, (fixture.block + 1) * BLOCK)
            known = played.issuperset(block)
            finished.append(known)
            for number in (FIRST, *(() if known else (fixture.deal_seed, *fixture.agent_seeds))):
                assert not any(text in there for text in written(number)), f"after {len(done)} games"

    result = result_of(db, playing(look))
    assert any(finished), "no look came when some blocks were finished"
    assert not all(finished)
    assert result.played == GAMES
    assert any(text in on_disk(db.parent) for text in written(FIRST)), "once all is played, the secret is told"


def test_blocks_are_written_as_soon_as_they_are_finished(db, drawn):
    counts = []
    result_of(db, playing(lambda done: counts.append(len(rows(db)))))
    assert counts == [0] * 8 + [3, 6, 9, 12]


def test_the_secret_is_shown_when_all_is_played_and_repeats_the_games(db, drawn):
    result = result_of(db)
    assert result.plan["seed"] is None
    assert result.dealt == (Dealt(FIRST, ((0, 3),)),)
    assert any(str(FIRST) in note for note in result.notes)
    plan = plan_of(seed=FIRST)
    again = result_of(db.with_name("again.db"), plan=plan)
    assert again.digest == result.digest
    assert again.dealt == ()


def test_a_run_that_is_finished_is_shown_again_and_draws_nothing_that_counts(db, drawn):
    first = result_of(db)
    assert result_of(db, playing(lambda done: pytest.fail("a game was played again"))) == first


def test_every_session_draws_a_secret_of_its_own_and_the_run_is_the_same(tmp_path):
    assert plan_of().run == plan_of().run
    assert plan_of().seed is None
    seeds = {result_of(tmp_path / f"{name}.db").dealt[0].seed for name in "ab"}
    assert len(seeds) == 2
    assert not list(tmp_path.rglob("seed")), "no secret of the machine is kept"


def test_a_match_in_memory_shows_its_secret(drawn):
    plan = plan_of()
    result = play_plan(plan, match_result, play=playing())
    assert result.seed == FIRST
    assert any(f"seed {FIRST}" in str(getattr(part, "tables", [part])[0].title) for part in match_table(result)
               if not isinstance(part, str))  # fmt: skip


def check_whole(db, result):
    """Check that a run that was continued is whole: each block on one deal, records that replay, a report."""
    assert (result.played, result.planned) == (GAMES, GAMES)
    assert [number for number, _ in rows(db)] == list(range(GAMES))
    deals = deals_in(db)
    assert all(len(found) == 1 for found in deals.values())
    assert len(set.union(*deals.values())) == GAMES // BLOCK
    with open_ledger(db) as ledger:
        run = ledger.find(None)["id"]
        for line in ledger.records(run):
            assert read_line(line).replay(find).over
        data = report(ledger, None)
        parts = ledger._rows(run, "number, seating, payoffs, plies, reason, offender, record")
        assert data["digest"] == digest(parts) == result.digest
    assert data["dealt"] == [part.as_dict() for part in result.dealt]
    assert all(str(part.seed) in page(data) for part in result.dealt if part.seed is not None)


def test_after_ctrl_c_unfinished_blocks_are_dropped_and_played_on_new_deals(db, drawn):
    with pytest.raises(Interrupted) as stop:
        result_of(db, playing(stop_after=10, stop=interrupt))
    assert stop.value.result.played == 6
    assert any("4 games of blocks that were not finished were dropped" in note for note in stop.value.result.notes)
    first = deals_in(db)
    assert sorted(first) == [0, 1]
    result = result_of(db)
    check_whole(db, result)
    assert result.dealt == (Dealt(FIRST, ((0, 1),)), Dealt(SECOND, ((2, 3),)))
    assert first.items() <= deals_in(db).items()
    assert deals_in(db)[2] == {derive_seed(SECOND, DEAL, 2)}


def test_a_kill_costs_the_blocks_in_hand_and_nothing_else(db):
    run = subprocess.run([sys.executable, "-c", KILLED, str(db)], cwd=Path(__file__).parents[2], check=False)
    assert run.returncode == -signal.SIGKILL
    first = deals_in(db)
    assert sorted(first) == [0, 1], "two blocks were finished"
    assert all(len(found) == 1 for found in first.values())
    result = result_of(db)
    check_whole(db, result)
    assert first.items() <= deals_in(db).items()
    assert [part.blocks for part in result.dealt] == [((0, 1),), ((2, 3),)]
    assert result.dealt[0].seed is None
    assert any("lost with their sessions" in note for note in result.notes)


def test_a_game_that_is_damaged_is_played_again_with_its_whole_block_on_a_new_deal(db, drawn):
    result_of(db)
    before = deals_in(db)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE results SET plies = plies + 1 WHERE number = 4")
    result = result_of(db)
    check_whole(db, result)
    assert result.dealt == (Dealt(FIRST, ((0, 0), (2, 3))), Dealt(SECOND, ((1, 1),)))
    assert before[1] != deals_in(db)[1]
    assert any("game 5" in note for note in result.notes)


def test_a_stop_rule_decides_as_without_secrets(tmp_path):
    more = {"stop": {"better": "+30 %"}, "hero": "greedy"}
    kept = result_of(tmp_path / "kept.db", plan=plan_of(300, **more))
    again = result_of(None, plan=plan_of(300, seed=kept.dealt[0].seed, **more))
    assert kept.stop == again.stop
    assert kept.stop.call == "better"
    assert (kept.played, kept.digest) == (again.played, again.digest)
    assert not any("dropped" in note for note in kept.notes), "a run that is decided goes on with nothing"


def test_with_a_seed_of_one_s_own_too_nothing_is_written_of_a_block_that_is_not_finished(db):
    plan, counts = plan_of(seed=FIRST), []
    look = playing(lambda done: counts.append(len(rows(db))), 10, interrupt)
    with pytest.raises(Interrupted) as stop:
        result_of(db, look, plan)
    assert counts == [0] * 8 + [3, 6]
    assert any("4 games of blocks that were not finished were dropped" in note for note in stop.value.result.notes)
    whole = result_of(db, plan=plan)
    assert (whole.played, whole.digest) == (GAMES, result_of(None, plan=plan).digest)


def test_a_block_of_which_an_older_ledger_has_a_part_is_finished(db):
    plan = plan_of(seed=FIRST)
    with open_ledger(db, write=True) as ledger:
        run = LedgerRun(ledger, plan)
        run._whole = False
        batches = playing()(plan, plan.fixtures(FIRST), 1, True)
        for _ in range(5):
            run.add(next(batches), 1.0)
        assert len(rows(db)) == 5
    whole = result_of(db, plan=plan)
    assert (whole.played, whole.digest) == (GAMES, result_of(None, plan=plan).digest)


def test_games_without_secrets_are_written_one_by_one(db):
    plan = Plan.make("quarto", ["random", "novice"], games=8)
    counts = []

    def play(plan, fixtures, jobs, keep_records):
        for fixture in fixtures:
            yield batch_of([play_fixture(plan.game, plan.agents, fixture)], keep_records)
            counts.append(len(rows(db)))

    assert result_of(db, play, plan).dealt == ()
    assert counts == list(range(1, 9))


def test_a_secret_that_was_changed_is_named_and_not_believed(db, drawn):
    result_of(db)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE secrets SET seed = '17'")
    with open_ledger(db) as ledger:
        data = report(ledger, None)
    assert [part["seed"] for part in data["dealt"]] == [None]
    assert any("a secret seed from which it was dealt does not fit its checksum" in note for note in data["notes"])


def test_a_ledger_that_was_made_without_secrets_is_read_and_continued(db, drawn):
    result_of(db)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("DROP TABLE secrets")
    with open_ledger(db) as ledger:
        assert [part["seed"] for part in report(ledger, None)["dealt"]] == [None]
    assert result_of(db, plan=plan_of(15)).dealt[-1] == Dealt(SECOND, ((4, 4),))


def test_sentences_count_blocks_from_one():
    deals = {0: derive_seed(7, DEAL, 0), 1: derive_seed(9, DEAL, 1), 2: derive_seed(9, DEAL, 2), 3: 5}
    (sentence,) = about_deals(dealt(deals, [7, 9]))
    assert sentence.endswith(
        "block 1 from 7; blocks 2–3 from 9; block 4 from seeds that are still secret, or were lost with their sessions."
    )
