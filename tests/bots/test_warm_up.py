"""Before a bot plays: what the referee needs for it is loaded off its clock, and the bot itself is not asked."""

import pytest

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play import warm_up
from kibitz.arena.process.observer import Observer
from kibitz.bots.agents.bot import Bot
from kibitz.bots.bot_worlds import BotWorlds
from kibitz.bots.checkup import Checkup
from kibitz.bots.protocol import Guess, Playout, Simulate
from kibitz.core.spec import parse
from kibitz.core.table import Table
from tests.bots.gallery import EXAMPLES, LINUX, bot

pytestmark = LINUX
RANDOM = bot(EXAMPLES / "random_bot.py")


@pytest.fixture
def asked(monkeypatch):
    """The requests that were answered, by kind."""
    found, answer = [], BotWorlds.answer

    def noted(worlds, request, until):
        found.append(type(request))
        return answer(worlds, request, until)

    monkeypatch.setattr(BotWorlds, "answer", noted)
    return found


class Clock(Observer):
    """Notes how long a warm-up may take."""

    def __init__(self):
        self.seconds = []

    def warming(self, seat, seconds):
        """Note it."""
        self.seconds.append(seconds)


def test_requests_are_answered_once_before_a_clock_runs_and_nothing_is_started(quarto, asked, monkeypatch):
    monkeypatch.setattr(warm_up, "_warm", set())
    monkeypatch.setattr(Bot, "start", lambda mind: pytest.fail("the bot is started"))
    clock = Clock()
    warm = warm_up.WarmUp(quarto, [RANDOM, "random"], Limits(move_seconds=1.0), clock)
    warm.before(Fixture(0, 0, (0, 0), 1, (2, 4)))
    assert set(asked) == {Guess, Simulate, Playout}
    assert set(clock.seconds) == {None}


def test_playouts_by_all_policies_of_the_game_are_tried(quarto, monkeypatch):
    tried, policy = [], BotWorlds._policy
    monkeypatch.setattr(BotWorlds, "_policy", lambda worlds, text: tried.append(text) or policy(worlds, text))
    build(RANDOM, quarto, 1).warm_up(Table(quarto, 1).view(0))
    assert sorted(tried) == ["novice", "random"]


def test_a_check_up_tells_the_slowest_decision_of_each_game(quarto):
    checkup = Checkup(parse(RANDOM), quarto)
    sentences = []
    for finding in checkup.findings():
        sentences.append(finding.sentence)
        checkup.slowest = 1000.0  # of the game before
    assert "the slowest" in sentences[2]
    assert "1000000.0 ms" not in sentences[2]
