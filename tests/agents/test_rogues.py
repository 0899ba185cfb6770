"""Rogue agents: whatever an agent does, the table stays true and the sentence names the culprit."""

import numpy as np
import pytest

from kibitz import agents
from kibitz.agents.agent import Agent, Decision
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play.referee import play_fixture
from kibitz.core.table import Table

FIXTURE = Fixture(7, 3, (0, 1), 1, (2, 3))


class Crasher(Agent):
    """Fails."""

    def decide(self, view):
        return 1 // 0


class Cheat(Agent):
    """Plays what is not legal."""

    def decide(self, view):
        return Decision(99)


class Mumbler(Agent):
    """Answers with something that is no move."""

    def decide(self, view):
        return Decision("BTRS")


class Scribbler(Agent):
    """Writes all over what it is shown, then plays on."""

    def decide(self, view):
        move = self.legal(view)[0]
        view[:] = -12345
        return Decision(move)


class Silent(Agent):
    """Answers nothing."""

    def decide(self, view):
        return None


def _play_against(game, rogue):
    def build(text, game, seed):
        return rogue(text, game, seed, {}) if text == "rogue" else agents.build(text, game, seed)

    return play_fixture(game, ["rogue", "novice"], FIXTURE, make=build)


@pytest.mark.parametrize(
    ("rogue", "complaint"),
    [
        (Crasher, "agent rogue failed in seat 1 at ply 0 of game 8: ZeroDivisionError"),
        (Cheat, "agent rogue in seat 1 of game 8: move 99 at ply 0 is not legal; the moves are"),
        (Mumbler, "agent rogue in seat 1 of game 8: 'BTRS' at ply 0 is not a move"),
        (Silent, "agent rogue failed in seat 1"),
    ],
)
def test_a_rogue_is_named(quarto, rogue, complaint):
    result = _play_against(quarto, rogue)
    assert complaint in result.fault
    assert (result.offender, result.payoff) == (0, (0.0, 1.0))


def test_a_scribbler_harms_nobody(quarto):
    result = _play_against(quarto, Scribbler)
    assert result.record.payoff is not None
    table = Table(quarto, FIXTURE.deal_seed)
    for move in result.record.moves:
        table.play(move)
    assert table.payoff() == result.record.payoff


def test_an_agent_never_holds_the_table(quarto):
    view = Table(quarto, 1).view(0)
    assert isinstance(view, np.ndarray)
    assert view.base is None
