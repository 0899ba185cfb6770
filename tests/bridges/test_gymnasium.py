"""Gymnasium: its own checks hold for a learner in any game, and opponents play the other seats."""

import warnings
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed (pip install 'kibitz[gymnasium]'): NOT TESTED")

import gymnasium
from gymnasium.utils.env_checker import check_env

import kibitz
from kibitz.core.errors import BadValue
from kibitz.gymnasium import ID, env


@pytest.mark.parametrize(("game", "given"), [
    ("quarto", {"seat": 0, "opponents": ["novice"]}),
    ("quarto", {"seat": 1, "opponents": "random", "squares": True}),
    ("chexers", {"seat": 2, "opponents": ["random", "policy(greedy)"]}),
    ("cartagena", {"seat": 1, "version": "jamaica", "seats": 4}),
    ("colonizers", {"seat": 3, "opponents": "heuristic", "observe": "view"}),
    ("./tests/kuhn", {"seat": 1}),
])  # fmt: skip
def test_it_passes_the_checks_of_gymnasium(game, given):
    made = gymnasium.make(ID, game=game, render_mode="ansi", **given)
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        if given.get("observe") == "view":
            warnings.filterwarnings("ignore", ".*low value.*|.*high value.*|.*infinity.*")
        check_env(made.unwrapped)


def test_a_learner_that_keeps_to_the_mask_plays_to_the_end_and_earns_its_payoff():
    environment, rng = env("cartagena", seat=2, opponents="top3"), np.random.default_rng(1)
    for seed in (1, None, None):
        _, info = environment.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert environment.episode.turn == 2
            assert reward == 0
            assert (environment.action_masks() == info["action_mask"]).all()
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            _, reward, over, cut, info = environment.step(action)
            assert not cut
        assert reward == environment.episode.table.payoff()[2]
        assert not info["action_mask"].any()


def test_an_illegal_action_loses_the_game():
    environment = env("chexers", seat=0)
    environment.reset(seed=1)
    _, reward, over, _, info = environment.step(0)
    assert (reward, over) == (0.0, True)
    assert "not legal" in info["illegal"]
    with pytest.raises(kibitz.BadValue, match="reset deals the next one"):
        environment.step(0)


@pytest.mark.parametrize(("wrong", "sentence"), [
    (lambda: env("quarto", seat=2), "no seat 2"),
    (lambda: env("chexers", opponents=["random"]), "2 other seats, but 1 opponents"),
    (lambda: env("chexers", opponents="nobody"), "unknown agent"),
])  # fmt: skip
def test_what_is_asked_for_wrongly_is_refused_in_a_sentence(wrong, sentence):
    with pytest.raises(kibitz.KibitzError, match=sentence):
        wrong()


def test_what_is_no_number_is_no_action():
    environment = env("quarto")
    environment.reset(seed=1)
    with pytest.raises(kibitz.BadMove, match="'x' is not an action"):
        environment.step("x")


def test_a_step_before_the_first_game_is_refused_in_a_sentence():
    made = env("quarto")
    for deed in (lambda: made.step(0), made.action_masks, made.render):
        with pytest.raises(BadValue, match="reset deals the first one"):
            deed()
