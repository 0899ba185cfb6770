"""Agents in memory: a class, or an agent of one, plays wherever a text names an agent."""

import copy

import pytest

import kibitz
import kibitz.gymnasium
import kibitz.pettingzoo
from kibitz.agents.minimax import Minimax


class First(kibitz.Agent):
    """Take the first move."""

    def decide(self, view):
        return self.legal(view)[0]


class Chance(kibitz.Agent):
    """Take any move."""

    OPTIONS = {"back": kibitz.Option(0, "how many moves from the end", least=0, most=9)}

    def prepare(self, back):
        self.back = back

    def decide(self, view):
        moves = self.legal(view)
        return moves[kibitz.search.roll(self.rng, len(moves))]


class Failing(kibitz.Agent):
    """Fail."""

    def decide(self, view):
        raise ZeroDivisionError("oh")


class Breaking(kibitz.Agent):
    """Hand nonsense to the rules."""

    def decide(self, view):
        raise kibitz.BadGame("the rules are broken")


class Unbuilt(kibitz.Agent):
    """Cannot be built."""

    def prepare(self):
        raise RuntimeError("no")

    def decide(self, view):
        return 0


def other(name):
    return type(name, (First,), {})


def wins(result):
    return [(row.agent, row.games, row.wins) for row in result.agents]


def test_a_class_plays_a_match_and_the_same_seed_gives_the_same_games():
    result = kibitz.play_match("quarto", [Chance, "random"], games=30, seed=2)
    again = kibitz.play_match("quarto", [Chance, "random"], games=30, seed=2, jobs=2)
    assert [row.agent for row in result.agents] == ["Chance", "random"]
    assert wins(result) == wins(again)
    assert result.games == 30
    assert result.notes == again.notes
    assert not any("trusted" in note for note in result.notes)


def test_a_class_plays_as_the_file_in_which_it_stands(tmp_path):
    path = tmp_path / "first.py"
    path.write_text("from kibitz import Agent\n\n\nclass First(Agent):\n    def decide(self, view):\n"
                    "        return self.legal(view)[0]\n")  # fmt: skip
    here, there = (kibitz.play_match("quarto", [one, "novice"], games=6, seed=4) for one in (First, str(path)))
    assert [row.wins for row in here.agents] == [row.wins for row in there.agents]
    assert here.plies == there.plies


def test_a_class_beside_code_named_by_a_path(tmp_path):
    path = tmp_path / "second.py"
    path.write_text("from kibitz import Agent\n\n\nclass Second(Agent):\n    def decide(self, view):\n"
                    "        return self.legal(view)[-1]\n")  # fmt: skip
    result = kibitz.play_match("quarto", [First, str(path)], games=4, seed=1, jobs=2)
    assert (result.games, result.faults) == (4, ())


def test_an_agent_is_built_from_a_class():
    quarto = kibitz.game("quarto")
    mind = kibitz.agent(Chance, quarto, seed=5)
    assert repr(mind) == "<agent Chance for quarto>"
    assert (mind.back, mind.seed) == (0, 5)
    assert kibitz.agent(mind, quarto, seed=6) is mind
    assert mind.seed == 6
    with pytest.raises(kibitz.BadValue, match="Chance was built for quarto, and this is chexers"):
        kibitz.agent(mind, kibitz.game("chexers"))


def test_one_object_plays_all_its_games_with_dice_set_anew_for_each():
    quarto = kibitz.game("quarto")
    mind = kibitz.agent(Chance, quarto)
    by_object = kibitz.play_match(quarto, [mind, "random"], games=20, seed=3)
    again = kibitz.play_match(quarto, [mind, "random"], games=20, seed=3)
    assert wins(by_object) == wins(again) == wins(kibitz.play_match(quarto, [Chance, "random"], games=20, seed=3))


def test_classes_and_agents_of_kibitz_stand_for_their_texts():
    quarto = kibitz.game("quarto")
    plan = kibitz.Plan.make(quarto, [kibitz.agent("flat(playouts=3)", quarto), Minimax], games=2, seed=1)
    assert plan.agents == ("flat(playouts=3)", "minimax")
    assert plan.in_memory == ()


def test_the_same_class_twice_is_one_agent_in_two_seats():
    result = kibitz.play_match("chexers", [First, First, "random"], games=3, seed=1)
    assert [(row.agent, row.games) for row in result.agents] == [("First", 6), ("random", 3)]


def test_a_class_plays_tournaments_and_shows_balance():
    plan = kibitz.Plan.make("quarto", [First, "random", "novice"], hero=First, scheme="gauntlet", games=8, seed=1)
    result = kibitz.play_tournament(plan, jobs=2)
    assert {row.agent for row in result.standings} == {"First", "random", "novice"}
    assert result.plan["hero"] == "First"
    assert kibitz.play_balance("quarto", Chance, games=6, seed=1).agent == "Chance"


def test_a_ledger_knows_a_class_by_its_source(tmp_path):
    db = tmp_path / "results.db"
    plan = kibitz.Plan.make("quarto", [First, "random"], games=4, seed=1)
    first = kibitz.play_tournament(plan, db)
    assert kibitz.play_tournament(kibitz.Plan.make("quarto", [First, "random"], games=4, seed=1), db).run == first.run
    changed = type("First", (Chance,), {"decide": Failing.decide})
    assert kibitz.Plan.make("quarto", [changed, "random"], games=4, seed=1).run != plan.run


def test_a_ledger_refuses_what_has_no_source(tmp_path):
    exec("class Typed(First):\n    def decide(self, view):\n        return 0\n", space := {"First": First})
    quarto = kibitz.game("quarto")
    for agent in (space["Typed"], kibitz.agent(First, quarto)):
        with pytest.raises(kibitz.BadValue, match="has no source that a ledger could tell it by; save its class"):
            kibitz.play_match(quarto, [agent, "random"], games=2, seed=1, db=tmp_path / "results.db")


def test_in_a_game_with_secrets_the_result_says_that_a_class_was_trusted():
    result = kibitz.play_match("colonizers", [First, "random", "random", "random"], games=1)
    assert any(
        note.startswith("First ran in the process that held the deals, and was trusted") for note in result.notes
    )
    assert kibitz.Plan.make("colonizers", [First, "random"], games=20).seed is None  # each session draws its own


@pytest.mark.parametrize("kind", [Failing, Breaking])
def test_a_class_that_fails_loses_its_game_and_the_match_goes_on(kind):
    result = kibitz.play_match("quarto", [kind, "random"], games=4, seed=1)
    assert wins(result) == [(kind.__name__, 4, 0), ("random", 4, 4)]
    assert f"agent {kind.__name__} failed in seat" in result.faults[0]


@pytest.mark.parametrize(("agents", "why"), [
    ([First, other("First")], "two different agents are called First; give one of them another name"),
    ([kibitz.Agent, "random"], "class Agent has no method decide"),
    ([dict, "random"], "an agent is a text, .* or a class that inherits from kibitz.Agent, not <class 'dict'>"),
    ([5, "random"], "an agent is a text, .* not 5"),
    ([lambda view: 0, "random"], "an agent is a text"),
    ([Unbuilt, "random"], "agent Unbuilt cannot be built: .*RuntimeError: no"),
    ([other("novice"), "random"], "quarto has an agent called novice already; give your class another name"),
    ([other("random"), "random"], "two different agents are called random"),
    (First, "agents must be a list of texts"),
])  # fmt: skip
def test_what_cannot_play_is_refused_in_a_sentence(agents, why):
    with pytest.raises(kibitz.BadValue, match=why) as caught:
        kibitz.play_match("quarto", agents, games=2)
    assert "\n" not in str(caught.value)


def test_limits_that_need_a_process_are_refused():
    for limits in ({"move_seconds": 1}, {"memory": 500}):
        with pytest.raises(kibitz.BadValue, match="First runs in this process, where no time or memory can be limited"):
            kibitz.play_match("quarto", [First, "random"], games=2, limits=limits)
    assert kibitz.play_match("quarto", [First, "random"], games=2, limits={"plies": 6}).reasons == {"cap": 2}


def test_nobody_else_can_play_a_class():
    def elsewhere(plan, fixtures, jobs, keep_records):
        raise AssertionError("nothing is played")

    plan = kibitz.Plan.make("quarto", [First, "random"], games=2)
    with pytest.raises(kibitz.BadValue, match="First is in the memory of this process, and no other has it"):
        kibitz.play_tournament(plan, play=elsewhere)


def test_classes_are_opponents_in_environments_which_can_be_copied():
    for opponents in (First, [First]):
        env = kibitz.gymnasium.env("quarto", opponents=opponents)
        env.reset(seed=1)
        assert copy.deepcopy(env).episode.text(0) == env.episode.text(0)
    zoo = kibitz.pettingzoo.env("quarto", opponents={1: Chance})
    zoo.reset(seed=1)
    assert copy.copy(zoo).unwrapped.episode.table.ply == zoo.unwrapped.episode.table.ply


def test_an_environment_with_one_object_is_not_copied():
    quarto = kibitz.game("quarto")
    env = kibitz.gymnasium.env(quarto, opponents=[kibitz.agent(First, quarto)])
    env.reset(seed=1)
    with pytest.raises(kibitz.BadValue, match="First is one object, so there are no copies of it"):
        copy.deepcopy(env)
