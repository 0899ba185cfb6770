"""TD learning: that it learns, that a seed settles the weights, and that a killed run goes on."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.core.errors import BadValue
from kibitz.core.network_file import read_network
from kibitz.games import find
from kibitz.learn.practice import BY_POLICY, play_games
from kibitz.learn.td import Budget, teach, usual_lesson

GAME = find("quarto")
FEW = 6_000  # positions


def _taught(out: Path, rounds: int | None = None, **changes) -> Path:
    lesson = usual_lesson(GAME, FEW, **{"hidden": (8,), **changes})
    for _ in islice(teach(GAME, lesson, Budget(positions=FEW), out), rounds):
        pass
    return out


def _weights(path: Path) -> np.ndarray:
    return np.concatenate([part.ravel() for layer in read_network(path).layers for part in layer])


def test_the_same_seed_gives_the_same_weights(tmp_path):
    one, other = _taught(tmp_path / "a.npz"), _taught(tmp_path / "b.npz")
    assert (_weights(one) == _weights(other)).all()
    third = _taught(tmp_path / "c.npz", seed=2)
    assert (_weights(one) != _weights(third)).any()


def test_a_killed_run_goes_on_to_the_same_weights(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.learn.training.SAVE_EVERY", 0.0)
    killed = _taught(tmp_path / "a.npz", rounds=5)
    assert 0 < read_network(killed).about.trained["positions"] < FEW
    assert (_weights(_taught(killed)) == _weights(_taught(tmp_path / "b.npz"))).all()
    assert not list(tmp_path.glob(".*"))


def test_a_file_of_another_lesson_is_left_alone(tmp_path):
    path = _taught(tmp_path / "a.npz")
    before = path.read_bytes()
    with pytest.raises(BadValue, match=r"begun with epsilon=0.05, not 0.5"):
        _taught(path, epsilon=0.5)
    assert path.read_bytes() == before


def test_a_policy_may_play_in_all_of_the_run(tmp_path, monkeypatch):
    played = []

    def watch(practice, positions):
        played.append(int(practice.control[BY_POLICY]))
        play_games(practice, positions)

    monkeypatch.setattr("kibitz.learn.training.play_games", watch)
    _taught(tmp_path / "a.npz", first="novice")
    assert 1 in played
    assert 0 in played[1:]  # the first call only compiles
    played.clear()
    _taught(tmp_path / "b.npz", first="novice", watched=1.0)
    assert 0 not in played[1:]


def test_a_search_plays_and_the_ends_of_its_lines_are_learnt_from(tmp_path):
    lesson = usual_lesson(GAME, 600, hidden=(8,), by="minimax(depth=1, opening=none)", round=200)
    one, other = tmp_path / "a.npz", tmp_path / "b.npz"
    for out in (one, other):
        last = [*teach(GAME, lesson, Budget(positions=600), out)][-1]
        assert last.positions >= 600
    assert (_weights(one) == _weights(other)).all()
    with pytest.raises(BadValue, match="names a value"):
        _taught(tmp_path / "c.npz", by="greedy(value=zero)")


def test_the_command_teaches_and_then_says_that_nothing_is_left(tmp_path):
    out = tmp_path / "my.npz"
    words = ["learn", "td", "quarto", "--out", str(out), "--positions", str(FEW), "--hidden", "8"]
    first = CliRunner().invoke(main, words)
    assert (first.exit_code, "against completing_absolute" in " ".join(first.output.split())) == (0, True)
    again = CliRunner().invoke(main, words)
    assert "has learnt all that was asked for" in " ".join(again.output.split())
    wrong = CliRunner().invoke(main, [*words[:-1], "eight"])
    assert (wrong.exit_code, "'eight'" in wrong.output) == (2, True)


def test_a_lesson_refuses_what_makes_no_sense():
    for change in ({"hidden": (0,)}, {"trace": 1.5}, {"rate": -1.0}, {"openings": -1}):
        with pytest.raises(BadValue, match=r"must be|units"):
            usual_lesson(GAME, **change)
    with pytest.raises(BadValue, match=r"no features.py"):
        usual_lesson(find(str(Path(__file__).parents[1] / "figures")))
