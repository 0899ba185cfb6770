"""The seed of a plan that names none."""

import pytest

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.usual_seed import GUESSABLE, secret_seed
from kibitz.arena.results.cautions import guessable_deals

HIDDEN = "cartagena(version=jamaica)"
BOT = "bot(cmd='true')"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """A folder of its own for what this user keeps."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_programs_of_one_s_own_cannot_guess_the_deals_of_a_game_with_secrets(tmp_path):
    own = tmp_path / "mine.py"
    own.write_text("from kibitz import Agent\n\nclass Mine(Agent):\n    def decide(self, view):\n        return 0\n")
    seeds = {Plan.make(HIDDEN, [text, "random", "greedy"]).seed for text in (BOT, str(own))}
    assert seeds == {secret_seed()}, "a run that was stopped goes on"
    assert secret_seed() > GUESSABLE


def test_nobody_else_may_read_the_secret(state):
    drawn = secret_seed()
    file = state / "kibitz" / "seed"
    assert int(file.read_text()) == drawn
    assert file.stat().st_mode & 0o077 == 0


def test_a_secret_that_is_damaged_or_cannot_be_kept_is_drawn_anew(state):
    secret_seed()
    file = state / "kibitz" / "seed"
    file.write_text("seven")
    assert secret_seed() == secret_seed() == int(file.read_text())
    file.unlink()
    file.mkdir()
    assert secret_seed() != secret_seed()


@pytest.mark.parametrize(("game", "agents"), [("quarto", [BOT, "random"]), (HIDDEN, ["random", "greedy", "top3"])])
def test_elsewhere_it_is_the_same_for_all(game, agents):
    assert Plan.make(game, agents).seed == 1


def test_a_seed_that_can_be_guessed_is_noted():
    agents = [BOT, "random", "greedy"]
    assert "which an agent may guess" in guessable_deals(Plan.make(HIDDEN, agents, seed=7))[0]
    assert guessable_deals(Plan.make(HIDDEN, agents)) == []
    assert guessable_deals(Plan.make(HIDDEN, ["random", "greedy", "top3"], seed=7)) == []
