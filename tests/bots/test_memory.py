"""What a bot remembers: no process plays two games on one deal where something is hidden."""

import pytest

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import running
from kibitz.bots.agents.bot import Bot
from kibitz.bots.fault import START, BotFault
from kibitz.games import find
from tests.bots.gallery import EXAMPLES, LINUX, bot

pytestmark = LINUX
JAMAICA = "cartagena(version=jamaica)"


@pytest.fixture
def process_of():
    """Return the process that plays a game on a deal."""

    def play(game, deal):
        mind = build(bot(EXAMPLES / "random_bot.py"), find(game), 1)
        mind.deal = deal
        mind.sit(0, None, None, 0.0)
        pid = mind._driver.process.pid
        mind.leave([0.0] * mind.game.seats, "won")
        return pid

    yield play
    running.end_all()


def test_a_deal_with_secrets_that_comes_again_meets_a_new_process(process_of):
    first = process_of(JAMAICA, 7)
    assert process_of(JAMAICA, 8) == first
    second = process_of(JAMAICA, 7)
    assert second != first
    assert process_of(JAMAICA, 8) == second


def test_a_game_without_secrets_keeps_its_process(process_of):
    assert process_of("quarto", 7) == process_of("quarto", 7)


def test_the_referee_says_on_which_deal_a_game_is_played(quarto, monkeypatch):
    seen = []

    def sit(self, *clocks):
        seen.append(self.deal)
        raise BotFault(START, "enough")

    monkeypatch.setattr(Bot, "sit", sit)
    play_fixture(quarto, [bot(EXAMPLES / "random_bot.py"), "random"], Fixture(0, 0, (0, 1), 12345, (1, 2)))
    assert seen == [12345]


def test_games_on_one_deal_lie_apart_where_programs_play_with_secrets():
    agents = [bot(EXAMPLES / "random_bot.py"), "random", "greedy"]
    plan = Plan.make(JAMAICA, agents, scheme="rotation", games=300, openings=0)
    fixtures = list(plan.fixtures())
    assert [fixture.block for fixture in fixtures[:51]] == [*range(50), 0]
    assert sorted(fixture.number for fixture in fixtures) == list(range(300))
    in_order = Plan.make(JAMAICA, ["random", "greedy"], games=6, openings=0)
    assert [fixture.number for fixture in in_order.fixtures()] == list(range(6))
