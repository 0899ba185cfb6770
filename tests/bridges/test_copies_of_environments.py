"""Environments can be copied and pickled: a copy goes on as the original would, and neither touches the other."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import kibitz
import kibitz.gymnasium
import kibitz.pettingzoo

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda given: pickle.loads(pickle.dumps(given)),
}


@pytest.fixture(params=WAYS)
def copied(request):
    return WAYS[request.param]


def first_legal(mask):
    return int(np.flatnonzero(mask)[0])


def played_out(env, info):
    """Return what the learner sees until the end, if it always takes the first legal action."""
    seen, over = [], False
    while not over:
        observation, reward, over, _, info = env.step(first_legal(info["action_mask"]))
        seen.append((observation.tobytes(), reward))
    return seen


@pytest.mark.parametrize(("game", "opponent"), [
    ("quarto", "random"), ("colonizers", "heuristic"), ("quarto", "mcts(iterations=30, reuse=true)"),
    ("cartagena(seats=2)", "flat(playouts=5)"),
])  # fmt: skip
def test_a_copy_of_an_environment_goes_on_as_the_original(copied, game, opponent):
    env = kibitz.gymnasium.env(game, opponents=opponent, observe="view")
    _, info = env.reset(seed=5)
    for _ in range(2):
        *_, info = env.step(first_legal(info["action_mask"]))
    twin = copied(env)
    before = env.episode.table.copy_of_truth()
    assert played_out(twin, info) == (ended := played_out(copied(env), info))
    assert (env.episode.table.copy_of_truth() == before).all()
    assert played_out(env, info) == ended
    (_, first), (_, second) = env.reset(), twin.reset()  # the streams of seeds are copied too
    assert played_out(env, first) == played_out(twin, second)


def test_an_environment_that_has_not_begun_or_was_lost_can_be_copied(copied):
    env = kibitz.gymnasium.env("quarto")
    with pytest.raises(kibitz.BadValue, match="no game has begun"):
        _ = copied(env).episode
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    env.step(first_legal(env.episode.mask(0) == 0))
    assert copied(env).episode.illegal == env.episode.illegal != ""
    assert copied(env).episode.payoff() == env.episode.payoff()


def test_a_copy_of_a_pettingzoo_environment_goes_on_as_the_original(copied):
    env = kibitz.pettingzoo.env("chexers", opponents={2: "policy(greedy)"})
    env.reset(seed=3)
    env.step(first_legal(env.last()[0]["action_mask"]))
    twin = copied(env)
    for _ in range(6):
        for one in (env, twin):
            one.step(first_legal(one.last()[0]["action_mask"]))
        here, there = env.last()[0], twin.last()[0]
        assert (here["observation"] == there["observation"]).all()
    twin.step(first_legal(twin.last()[0]["action_mask"]))
    assert twin.unwrapped.episode.table.ply > env.unwrapped.episode.table.ply


@pytest.mark.parametrize("make", [
    lambda bot: kibitz.gymnasium.env("quarto", opponents=[bot]),
    lambda bot: kibitz.pettingzoo.env("quarto", opponents={1: bot}),
])  # fmt: skip
def test_an_environment_with_an_agent_in_another_process_is_not_copied(copied, make, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("from kibitz import Agent\n\n\nclass Mine(Agent):\n    def decide(self, view):\n"
                    "        return self.legal(view)[0]\n")  # fmt: skip
    env = make(str(path))
    env.reset(seed=1)
    with pytest.raises(kibitz.BadValue, match=r"mine\.py runs in a process of its own.*cannot be copied"):
        copied(env)


def test_an_environment_can_be_unpickled_in_another_process(tmp_path):
    env = kibitz.gymnasium.env("quarto", opponents="novice")
    env.reset(seed=4)
    path = tmp_path / "env.pickle"
    path.write_bytes(pickle.dumps(env))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')).episode.text(0))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.rstrip() == env.episode.text(0).rstrip()
