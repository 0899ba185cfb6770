"""Agents by path behind walls: their process holds views and nothing else."""

import pytest

import kibitz
from kibitz import agents
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.local import play_locally
from kibitz.bots import running
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from tests.bots.gallery import BWRAP, LINUX

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
    running.end_all()


def test_an_isolated_agent_finds_neither_table_nor_rival(quarto, spy):
    plan = Plan.make(quarto, [spy, "novice"], games=2, isolate=True)
    assert plan.limits.isolate
    results = _results(plan)
    assert [fault for _, _, fault, _, _ in results] == ["", ""]
    assert all(reason in ("won", "drawn") for _, reason, _, _, _ in results)


def test_isolation_is_part_of_what_a_plan_is(quarto, spy):
    bare, walled = (Plan.make(quarto, [spy, "novice"], games=2, isolate=flag) for flag in (None, True))
    assert bare.run != walled.run
    assert "isolate" not in bare.data()
    assert walled.data()["isolate"] is True
    with pytest.raises(BadValue, match="isolate must be true or false"):
        Plan.make(quarto, [spy, "novice"], games=2, isolate="yes")


def test_an_isolated_agent_that_cannot_be_built_is_refused_before_the_first_game(quarto, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_that_name\n")
    with pytest.raises(BadValue, match="nothing_of_that_name"):
        Plan.make(quarto, [str(path), "novice"], games=2, isolate=True)


@pytest.mark.parametrize("level", ["limits", pytest.param("bwrap", marks=BWRAP)])
def test_a_hosted_agent_decides_as_it_does_at_home(level):
    game = kibitz.game("cartagena(version=jamaica)")
    home, hosted = (kibitz.agent(text, game, 5) for text in ("top3", f"isolated(top3, walls={level})"))
    table = kibitz.Table(game, 3)
    for _ in range(12):
        view = table.view(table.turn)
        decision = hosted.decide(view)
        assert decision.move == home.decide(view).move
        table.play(decision.move)
    hosted.leave([0.0] * game.seats, "broken off")
    running.end_all()


def test_the_options_of_a_hosted_agent_are_checked_where_it_is_built():
    assert isinstance(agents.declared("isolated")["agent"], Option)
    with pytest.raises(BadValue, match="an agent is missing"):
        kibitz.agent("isolated", kibitz.game("quarto"), 1)
