"""TD learning: that it learns, that a seed settles the weights, and that a killed run goes on."""

import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.core.errors import BadValue, KibitzError
from kibitz.games import find
from kibitz.learn.gradient import descend
from kibitz.learn.self_play import BY_POLICY, play_games
from kibitz.learn.strength import strength
from kibitz.learn.training import TrainingBudget, train
from kibitz.learn.training_settings import default_settings
from kibitz.networks.network_file import as_bytes, read_network

GAME, NIM = find("quarto"), Path(__file__).parents[2] / "examples" / "nim"
FEW = 6_000  # positions


def _taught(out: Path, rounds: int | None = None, **changes) -> Path:
    settings = default_settings(GAME, FEW, **{"hidden": (8,), **changes})
    for _ in islice(train(GAME, settings, TrainingBudget(positions=FEW), out), rounds):
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


def test_a_run_that_is_interrupted_keeps_its_last_whole_round(tmp_path, monkeypatch):
    rounds = 0

    def interrupted(*args):
        nonlocal rounds
        rounds += bool(args[1])
        found = descend(*args)
        if rounds == 3:
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patch:
        patch.setattr("kibitz.learn.training.descend", interrupted)
        with pytest.raises(KeyboardInterrupt):
            _taught(tmp_path / "a.npz")
    assert 0 < read_network(tmp_path / "a.npz").about.trained["positions"] < FEW
    assert (_weights(_taught(tmp_path / "a.npz")) == _weights(_taught(tmp_path / "b.npz"))).all()


def test_a_file_that_was_begun_with_other_settings_is_left_alone(tmp_path):
    path = _taught(tmp_path / "a.npz")
    before = path.read_bytes()
    with pytest.raises(BadValue, match=r"begun with epsilon=0.05, not 0.5"):
        _taught(path, epsilon=0.5)
    with pytest.raises(BadValue, match=r"begun with lambda=0.9, not 0.5"):
        _taught(path, trace=0.5)
    with pytest.raises(BadValue, match=r"another number of positions to learn from \(rounds of 187, not 200\)"):
        _taught(path, round=200)
    with pytest.raises(BadValue, match=r"begun with squares=False, not True"):
        next(
            train(
                find("quarto(squares=true)"),
                default_settings(GAME, FEW, hidden=(8,)),
                TrainingBudget(positions=FEW),
                path,
            )
        )
    assert path.read_bytes() == before


def test_a_policy_may_play_in_all_of_the_run(tmp_path, monkeypatch):
    played = []

    def watch(buffer, positions):
        played.append(int(buffer.control[BY_POLICY]))
        play_games(buffer, positions)

    monkeypatch.setattr("kibitz.learn.training.play_games", watch)
    _taught(tmp_path / "a.npz", first="novice")
    assert 1 in played
    assert 0 in played[1:]  # the first call only compiles
    played.clear()
    _taught(tmp_path / "b.npz", first="novice", watched=1.0)
    assert 0 not in played[1:]


def test_a_search_plays_and_the_ends_of_its_lines_are_learnt_from(tmp_path):
    settings = default_settings(GAME, 600, hidden=(8,), by="minimax(depth=1, opening=none)", round=200)
    one, other = tmp_path / "a.npz", tmp_path / "b.npz"
    for out in (one, other):
        last = [*train(GAME, settings, TrainingBudget(positions=600), out)][-1]
        assert last.positions >= 600
    assert (_weights(one) == _weights(other)).all()
    for by, sentence in (("greedy(value=zero)", "names a value"), ("random", "option of random")):
        with pytest.raises(KibitzError, match=sentence):
            _taught(tmp_path / "c.npz", by=by)
        assert not (tmp_path / "c.npz").exists()


def test_a_file_that_does_not_say_how_far_it_has_come_is_refused(tmp_path):
    path = _taught(tmp_path / "a.npz")
    network = read_network(path)
    for change in ({"positions": "x"}, {"dice": -1}, {"strengths": 5}, {"mean": [0.0], "spread": [1.0]}):
        trained = {**network.about.trained, **change}
        path.write_bytes(as_bytes(replace(network, about=replace(network.about, trained=trained))))
        with pytest.raises(BadValue, match="does not say how far"):
            _taught(path)


def test_the_command_teaches_and_then_says_that_nothing_is_left(tmp_path):
    out = tmp_path / "my.npz"
    words = ["learn", "td", "quarto", "--out", str(out), "--positions", str(FEW), "--hidden", "8"]
    first = CliRunner().invoke(main, words)
    assert (first.exit_code, "against completing_absolute" in " ".join(first.output.split())) == (0, True)
    again = CliRunner().invoke(main, words)
    assert "has learnt all that was asked for" in " ".join(again.output.split())
    wrong = CliRunner().invoke(main, [*words[:-1], "eight"])
    assert (wrong.exit_code, "'eight'" in wrong.output) == (2, True)


def test_openings_leave_a_game_to_measure_strength_in():
    game = find(f"{NIM}(sticks=6)")  # over after two to six moves
    taught, usual = game.value(f"net({NIM}/taught.npz)"), game.value(game.usual_value)
    assert strength(game, taught, usual, games=240, opening=6, seed=1) > 0.6


WRONG = """

@encoding(length=9, most=1)
def far(view, seat, out):
    out[0] = 8 if view[STICKS] > 15 else 10**8
    return 1


@encoding(length=9, most=1)
def many(view, seat, out):
    out[0], out[1] = 0, 1
    return 2
"""


def test_an_encoding_that_lists_wrong_rows_is_refused_before_it_does_harm(tmp_path):
    folder = shutil.copytree(NIM, tmp_path / "nim")
    with (folder / "features.py").open("a") as file:
        file.write(WRONG)
    for words, sentence in (
        (["td", folder, "--encoding", "far"], "the encoding far lists [100000000] of 9 rows"),
        (["data", folder, "random", "--encoding", "many"], "the encoding many lists 2 rows, and it declares most=1"),
    ):  # fmt: skip
        found = CliRunner().invoke(main, ["learn", *map(str, words), "--out", str(tmp_path / "my.npz")])
        said = " ".join(found.output.split())
        assert (found.exit_code, sentence in said, "`kibitz check" in said) == (2, True, True), said
    assert not (tmp_path / "my.npz").exists()


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(BadValue, match=r"lambda is 1.5; it must be from 0 to 1"):
        default_settings(GAME, trace=1.5)
    for seconds in (0.0, float("nan")):
        with pytest.raises(BadValue, match="more than 0"):
            TrainingBudget(seconds=seconds)
    for change in ({"hidden": (0,)}, {"rate": -1.0}, {"openings": -1}):
        with pytest.raises(BadValue, match=r"must be|units"):
            default_settings(GAME, **change)
    with pytest.raises(BadValue, match=r"no features.py"):
        default_settings(find(str(Path(__file__).parents[1] / "figures")))
