"""What a bot remembers: no process plays two games on one deal where something is hidden."""

import pytest

from kibitz.agents import build
from kibitz.agents.agent import Decision
from kibitz.agents.external_agent import Ending
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schedule import striped
from kibitz.arena.play.local import play_locally
from kibitz.arena.play.referee import play_fixture
from kibitz.arena.session import play_plan
from kibitz.bots import bot_pool
from kibitz.bots.agents.bot import Bot
from kibitz.bots.bot_fault import START, BotFault
from kibitz.games import find
from kibitz.web import thinking_worker
from kibitz.web.thinking_questions import DecideMove
from tests.bots.gallery import EXAMPLES, LINUX, bot

pytestmark = LINUX
JAMAICA = "cartagena(version=jamaica)"


@pytest.fixture
def process_of():
    """Return the process that plays a game on a deal."""

    def play(game, deal):
        mind = build(bot(EXAMPLES / "random_bot.py"), find(game), 1)
        seated = SeatedAgent(mind, 0, deal)
        seated.new()
        pid = mind._driver.process.pid
        seated.end(Ending([0.0] * mind.game.seats, "won"))
        return pid

    yield play
    bot_pool.end_all()


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

    def begin(self, *given):
        seen.append(self.deal)
        raise BotFault(START, "enough")

    monkeypatch.setattr(Bot, "on_new", begin)
    play_fixture(quarto, [bot(EXAMPLES / "random_bot.py"), "random"], Fixture(0, 0, (0, 1), 12345, (1, 2)))
    assert seen == [12345]


def test_games_on_one_deal_lie_apart_where_programs_play_with_secrets():
    agents = [bot(EXAMPLES / "random_bot.py"), "random", "greedy"]
    plan = Plan.make(JAMAICA, agents, scheme="rotation", games=300, openings=0)
    fixtures = list(plan.fixtures())
    assert [fixture.block for fixture in fixtures[:21]] == [*range(20), 0]
    assert sorted(fixture.number for fixture in fixtures) == list(range(300))
    in_order = Plan.make(JAMAICA, ["random", "greedy"], games=6, openings=0)
    assert [fixture.number for fixture in in_order.fixtures()] == list(range(6))


def test_results_and_stop_rules_are_the_same_in_any_order(quarto):
    plan = Plan.make(quarto, ["novice", "random"], games=400, stop={"better": "+20 %"})

    def play_apart(plan, fixtures, jobs, keep_records):
        return play_locally(plan, striped(fixtures, len(plan.seatings)), jobs, keep_records)

    found = [
        play_plan(plan, lambda run: (run.verdict, run.planned, run.digest()), play=play)
        for play in (play_locally, play_apart)
    ]
    assert found[0] == found[1]


def test_in_the_browser_a_bot_plays_in_the_chair_that_it_is_asked_for(monkeypatch):
    mind = build(bot(EXAMPLES / "random_bot.py"), find(JAMAICA), 1)
    monkeypatch.setattr(thinking_worker, "build", lambda *given: mind)
    for deed in ("on_new", "on_end", "on_turn"):
        monkeypatch.setattr(Bot, deed, lambda *given: None)
    monkeypatch.setattr(Bot, "decide", lambda *given: Decision(0))
    question = DecideMove(game=JAMAICA, agent="bot", view=b"", seed=1, seat=2, table="here", events=[])
    thinking_worker._decision(mind.game, None, question, lambda found: None)
    assert mind.place == ("here", 2)
