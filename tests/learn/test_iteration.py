"""From data to better networks: exported, compared, and iterated."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.core.errors import BadValue
from kibitz.games import find
from kibitz.learn.comparison import among_best, compare
from kibitz.learn.data_file import read_data
from kibitz.learn.data_generation import default_data_options, generate
from kibitz.learn.fit import FitTask, fit_network
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.iteration import search_with_network
from kibitz.networks import net as shipped
from kibitz.networks.network_file import read_network

GAME, ROOT = find("quarto"), Path(__file__).parents[2]
GREEDY = "greedy(net(champion))"


def _said(words):
    result = CliRunner().invoke(main, ["learn", *map(str, words)])
    return result.exit_code, " ".join(result.output.split())


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    out = tmp_path_factory.mktemp("data") / "data.npz"
    for _ in generate(GAME, default_data_options(GAME, agent=GREEDY), 12, out):
        pass
    return out


def test_data_is_exported_with_its_targets_written_out(data, tmp_path):
    out = tmp_path / "data.csv"
    assert _said(["export", data, "--out", out])[0] == 0
    with out.open() as lines:
        heading, *rows = csv.reader(lines)
    kept = read_data(data)
    assert len(heading) == 2 + kept.about.length + 2 * 2 + 16
    assert len(rows) == len(kept)
    for at in (0, len(rows) - 1):
        told = dict(zip(heading, rows[at], strict=True))
        assert [row for row in range(kept.about.length) if told[f"x{row}"] == "1"] == sorted(
            kept.inputs[at][kept.inputs[at] >= 0].tolist()
        )
        if kept.shares[at].any():
            assert int(told["choice"]) == kept.moves[at][kept.shares[at].argmax()]
            assert sum(float(told[f"p{move}"]) for move in range(16)) == pytest.approx(1, abs=1e-4)


def test_a_network_without_a_policy_agrees_with_the_look_ahead_by_itself():
    network = shipped.network(GAME, "champion")
    assert network.about.moves == 0
    found = compare(GAME, network, "champion", default_data_options(GAME, agent=GREEDY), 60, best=3)
    assert found.positions >= 60
    assert (found.agreement, found.among, found.legal) == (1, 1, None)
    assert found.by_chance < 0.5


def test_a_fitted_policy_agrees_more_often_than_chance(data, tmp_path):
    network, _ = fit_network(
        [read_data(data)], FitTask(hidden=(32,)), FitOptions(epochs=20, held=0, batch=64, rate=0.01)
    )
    found = compare(GAME, network, "here", default_data_options(GAME, agent=GREEDY), 100)
    assert found.by_chance < found.agreement <= found.among
    assert found.legal < 1
    assert found.policy_entropy > found.least_entropy


def test_a_move_that_the_agent_does_not_rank_is_not_among_its_best():
    shares = np.array([[1, 0, 0, 0], [0.5, 0.3, 0.2, 0], [0.5, 0.3, 0.2, 0], [0.4, 0.3, 0.2, 0.1]])
    assert among_best(shares, np.array([0, 0, 0.2, 0.1]), 3) == (1 / 3, 3)
    assert among_best(shares[:1], np.zeros(1), 3) == (None, 0)


def test_the_command_compares(data):
    code, text = _said(["compare", "champion", "random", "--game", "quarto", "--positions", 20])
    assert (code, "only the best is known" in text, "among" in text) == (0, True, False)
    net = ROOT / "examples" / "nim" / "taught.npz"
    one = f"{ROOT}/examples/nim(sticks=1)"
    assert "no choice is known" in _said(["compare", net, "random", "--game", one, "--positions", 3])[1]
    assert "no network 'none'" in _said(["compare", "none", "random", "--game", "quarto"])[1]


ROUNDS = ["iterate", "quarto", "--agent", GREEDY[:6], "--games", 4, "--hidden", 4, "--epochs", 1, "--gate-games", 4]


def test_rounds_are_played_kept_and_gone_on_with(tmp_path):
    out = tmp_path / "my.npz"
    code, text = _said([*ROUNDS, "--out", out, "--rounds", 1])
    assert (code, "round 1:" in text, "undecided, not kept" in text) == (0, True, True), text
    state = tmp_path / "my.rounds" / "rounds.json"
    first = json.loads(state.read_text())["steps"]
    (tmp_path / "my.rounds" / "net-1.npz").rename(tmp_path / "my.rounds" / "net-2.npz")  # as if a run was killed
    made = read_network(tmp_path / "my.rounds" / "net-2.npz").digest
    code, text = _said([*ROUNDS, "--out", out, "--rounds", 2])
    assert (code, "round 1:" in text, "round 2:" in text) == (0, False, True), text
    assert json.loads(state.read_text())["steps"][:1] == first
    assert read_network(tmp_path / "my.rounds" / "net-2.npz").digest == made
    code, text = _said([*ROUNDS, "--out", out, "--epochs", 2])
    assert (code, "was begun with epochs=1, not 2" in text) == (2, True)
    for game, words in (("chexers", "game=quarto, not chexers"), ("quarto(squares=true)", "squares=False, not True")):
        code, text = _said([ROUNDS[0], game, *ROUNDS[2:], "--out", out, "--rounds", 2])
        assert (code, f"was begun with {words}" in text) == (2, True), text
    for content, words in (("{", "of which game"), ('[{"a": 1}]', "of which game"), (_spoilt(state), "what round 1")):
        state.write_text(content)
        code, text = _said([*ROUNDS, "--out", out, "--rounds", 2])
        assert (code, "rounds.json is damaged" in text, words in text) == (2, True, True), text


def _spoilt(state):
    told = json.loads(state.read_text())
    return json.dumps({**told, "steps": [{"round": 1}]})


def test_a_better_network_takes_the_place_of_the_one_before(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.learn.iteration.fit_network", lambda *_: (better, None))
    network = shipped.network(GAME, "champion")
    better = type(network)(
        type(network.about)(**{**vars(network.about), "trained": {"held": dict.fromkeys(NAMES, 0.5)}}), network.layers
    )
    words = ["iterate", "quarto", "--agent", "greedy", "--games", 1, "--gate-games", 900, "--better", 0.1]
    out = tmp_path / "my.npz"
    code, text = _said([*words, "--out", out, "--rounds", 1])
    assert (code, "better, kept" in text) == (0, True), text
    assert read_network(out).digest == network.digest


NAMES = ("agreement", "policy_entropy", "least_entropy", "value_entropy")


def test_the_search_takes_the_network_as_value_and_as_prior(tmp_path):
    policy = fit_network(
        [_few()], FitTask(hidden=(4,)), FitOptions(epochs=1)
    )[0]  # fmt: skip
    text = search_with_network("mcts(iterations=9)", policy, tmp_path / "a.npz")
    assert (text.count("a.npz"), "prior=net" in text) == (2, True)
    assert "prior" not in search_with_network("maxn(depth=1)", policy, tmp_path / "a.npz")
    with pytest.raises(BadValue, match="names a value"):
        search_with_network("greedy(value=zero)", policy, tmp_path / "a.npz")


def _few():
    run = generate(GAME, default_data_options(GAME, agent="random"), 2)
    for _ in run:
        pass
    return run.data
