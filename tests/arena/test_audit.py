"""Games that a process with other people's code in it hands back count only if they can be replayed."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from kibitz import games
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import NO_LIMITS, Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.audit import NO_BATCH, Audit
from kibitz.arena.play.batch import Batch, batch_of, joined
from kibitz.arena.play.process_pool import ProcessPool
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture, voided
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.run import LedgerRun, MemoryRun
from kibitz.arena.results.statistics.stopping import BlockQueue
from tests.arena.playing import play, rotation

CHEATING = str(Path(__file__).parents[1] / "cheating")
INTERPRETED = pytest.mark.usefixtures("interpreted")  # in the workers
OWN = "./somebody.py"  # never run


def _played(game, lineup, limits=NO_LIMITS, openings=0, number=8):
    """Return games, as the referee plays them, and their fixtures."""
    fixtures = list(Plan.make(game, lineup, scheme="rotation", games=number, seed=5, openings=openings).fixtures())
    return batch_of([play_fixture(game, lineup, fixture, limits) for fixture in fixtures], True), fixtures


@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(plies=6)])
def test_every_game_that_was_played_passes(game_name, limits):
    game = games.find(game_name)
    lineup = ["random"] * game.seats
    batch, fixtures = _played(game, lineup, limits, openings=2, number=2 * game.seats)
    assert Audit(game, lineup, limits).look(batch, fixtures) == [""] * len(fixtures)


def test_games_that_an_illegal_move_ended_pass():
    game, lineup = games.find(CHEATING), ["policy(sly)", "policy(honest)"]
    batch, fixtures = _played(game, lineup, number=20)
    assert {Reason.ILLEGAL, Reason.WON} <= set(batch.reasons)
    assert not any(Audit(game, lineup, NO_LIMITS).look(batch, fixtures))


def _row(column, value):
    """Return what puts another value into the second row of a column."""

    def change(batch):
        found = getattr(batch, column)
        found = found.copy() if isinstance(found, np.ndarray) else list(found)
        found[1] = value
        return replace(batch, **{column: found})

    return change


def _record(old, new):
    return lambda batch: _row("records", batch.records[1].replace(old, new, 1))(batch)


FORGERIES = {
    "a win": _row("payoffs", [0.75, 0.25]),
    "a reason": _row("reasons", Reason.DRAWN),
    "a limit that there is not": _row("reasons", Reason.CAP),
    "a failure of the other": _row("offenders", 0),
    "a void game": _row("reasons", Reason.VOID),
    "plies": _row("plies", 0),
    "a seating": _row("seatings", [0, 0]),
    "moves by seat": _row("moves", [1, 1]),
    "a hash": _row("move_hashes", 1),
    "an unread record": _row("records", "{"),
    "no record": _row("records", "[]"),
    "another seed": _record('"seed": ', '"seed": 1'),
    "other agents": _record("random", "novice"),
    "no move": _record('"moves": [', '"moves": [999, '),
    "words for moves": _record('"moves": [', '"moves": ["a", '),
    "a huge move": _record('"moves": [', f'"moves": [{10**30}, '),
    "an earlier payoff": _record('"payoff": [', '"payoff": [0.5, '),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_game_that_was_not_played_so_is_found_and_no_other(quarto, forgery):
    lineup = ["random", "policy(random)"]
    batch, fixtures = _played(quarto, lineup)
    found = Audit(quarto, lineup, NO_LIMITS).look(FORGERIES[forgery](batch), fixtures)
    assert [bool(complaint) for complaint in found] == [row == 1 for row in range(len(fixtures))]


@pytest.mark.parametrize("column", [column.name for column in fields(Batch)])
@pytest.mark.parametrize("value", [None, [], np.zeros(3), ["x"] * 8, [1.5] * 8])
def test_columns_of_the_wrong_kind_are_no_games(quarto, column, value):
    batch, fixtures = _played(quarto, ["random"] * 2)
    found = Audit(quarto, ["random"] * 2, NO_LIMITS).look(replace(batch, **{column: value}), fixtures)
    assert all(found)
    assert found[0] == NO_BATCH or column in ("records", "faults")


FORGER = '''
from kibitz.agents.agent import Agent
from kibitz.core.table import Table

class Forger(Agent):
    """Makes every later table one that it has won."""

    def decide(self, view):
        if self.seed:
            Table.over = property(lambda table: True)
            Table.payoff = lambda table: [1.0, 0.0]
        return self.legal(view)[0]
'''


@INTERPRETED
def test_an_agent_beside_the_table_cannot_have_games_booked_that_were_not_played(quarto, tmp_path):
    (tmp_path / "forger.py").write_text(FORGER, encoding="utf-8")
    agents = [str(tmp_path / "forger.py"), "random"]
    fixtures = rotation(quarto, 4, 1)
    batch = joined(play(quarto, agents, fixtures, 1)).ordered()
    assert batch.numbers.tolist() == [fixture.number for fixture in fixtures]
    assert set(batch.reasons) == {Reason.CRASH}
    for row, fault in enumerate(batch.faults):
        assert batch.payoffs[row, batch.seatings[row] == 0].tolist() == [0.0]
        assert "its process handed back a game that cannot be replayed: " in fault


@pytest.mark.parametrize(("agents", "reason"), [(["random", OWN], Reason.CRASH), ([OWN, OWN + "(2)"], Reason.VOID)])
def test_a_game_that_is_forged_twice_is_lost_if_it_is_clear_by_whom(quarto, agents, reason):
    pool, fixture = ProcessPool(quarto, ["random", "novice"], 1, NO_LIMITS, True), Fixture(3, 1, (0, 1), 4, (1, 2))
    pool.retries.able = frozenset(at for at, agent in enumerate(agents) if agent != "random")
    assert not list(pool._distrusted(fixture, "it is a lie"))
    assert (list(pool.alone), "it is a lie; the game was played again" in pool.notes[3]) == ([fixture], True)
    (batch,) = pool._distrusted(fixture, "it is a lie")
    assert (batch.reasons, "it is a lie" in batch.faults[0]) == ([reason], True)
    assert batch.payoffs[0].tolist() == ([1.0, 0.0] if reason is Reason.CRASH else [0.5, 0.5])


def test_no_game_of_a_void_block_counts_in_memory_and_in_a_ledger(quarto, tmp_path):
    plan = Plan.make(quarto, ["random", "novice"], games=6, seed=1)
    fixtures = list(plan.fixtures())
    results = [play_fixture(quarto, plan.agents, fixture) for fixture in fixtures]
    results[3] = voided(quarto, plan.agents, fixtures[3], "nobody knows")
    with open_ledger(tmp_path / "results.db", write=True) as ledger:
        runs = [MemoryRun(plan), LedgerRun(ledger, plan)]
        for run in runs:
            run.add(batch_of(results, True), 1.0)
            assert run.games().numbers.tolist() == [0, 1, 4, 5]
            assert run.numbers() == run.numbers() | set(run.played().numbers.tolist()) == set(range(6))
            games = run.played()
            assert (games.voids, games.killed, games.faults) == (["nobody knows"], [], [])
            assert len(list(run.records())) == len(list(run.move_stats())) == 4
        assert runs[0].digest() == runs[1].digest()


def test_a_void_block_is_an_even_one_for_the_stop_rule(quarto):
    plan = Plan.make(quarto, ["random", "novice"], games=6, seed=1, stop={"better": "+3 %"})
    fixtures = list(plan.fixtures())
    queue, fed = BlockQueue.of(plan), []
    queue.check.feed = lambda seatings, payoffs, blocks: fed.append(payoffs.tolist())
    results = [play_fixture(quarto, plan.agents, fixture) for fixture in fixtures[:2]]
    results[1] = voided(quarto, plan.agents, fixtures[1], "nobody knows")
    queue.add(batch_of(results, True))
    assert (fed, queue.passed) == ([[[0.5, 0.5], [0.5, 0.5]]], 2)
