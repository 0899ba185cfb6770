"""Data: what a search found, kept for a network, and fitted."""

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.agents.agent import Decision
from kibitz.cli import main
from kibitz.core.errors import BadValue
from kibitz.core.record import record_of
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.learn.data_export import export_csv
from kibitz.learn.data_file import read_data
from kibitz.learn.data_generation import default_data_options, generate, generate_from_records
from kibitz.learn.fit import FitTask, fit_network
from kibitz.learn.fit_options import FitOptions
from kibitz.learn.samples import NONE
from kibitz.learn.search_targets import chances_of, shares_of
from kibitz.networks import net as shipped
from kibitz.networks.network_file import read_network

GAME = find("quarto")
GREEDY = "greedy(net(champion))"


def _gathered(out=None, games=3, jobs=1, rounds=None, **changes):
    run = generate(GAME, default_data_options(GAME, agent=GREEDY, **changes), games, out, jobs)
    for _ in islice(run, rounds):
        pass
    return run.data


def _said(result):
    return " ".join(result.output.split())


def _arrays(data):
    return [getattr(data, name).tolist() for name in ("inputs", "values", "results", "moves", "shares", "games")]


def test_data_holds_the_legal_moves_the_distribution_the_values_and_the_result():
    data = _gathered()
    known = data.shares.any(axis=1)
    assert known.mean() > 0.8
    assert data.shares[known].sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (data.shares[data.moves == NONE] == 0).all()
    assert data.results.sum(axis=1) == pytest.approx(1)
    judged = data.values[data.values.any(axis=1)]
    assert judged.sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert data.unjudged == len(data) - len(judged) == (~known).sum()  # where there is one legal move
    assert set(data.games.tolist()) == {0, 1, 2}


def test_the_result_is_turned_to_the_seat_whose_side_it_is():
    table = Table(GAME, 1)
    while not table.over:
        table.play(table.moves()[0])
    assert sorted(table.payoff()) == [0, 1]
    run = generate_from_records(GAME, default_data_options(GAME), [record_of(table, ["a", "b"])], "here")
    for _ in run:
        pass
    again = Table(GAME, 1)
    for move, result, moves, shares in zip(
        table.moves_made, run.data.results, run.data.moves, run.data.shares, strict=True
    ):
        assert result.tolist() == list(np.roll(table.payoff(), -again.turn))
        assert not shares.any() or moves[shares.argmax()] == move
        again.play(move)


def test_many_workers_and_a_killed_run_come_to_the_same_data(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.learn.data_generation.SAVE_EVERY", 0.0)
    whole = _arrays(_gathered())
    assert _arrays(_gathered(jobs=3)) == whole
    out = tmp_path / "data.npz"
    assert _gathered(out, rounds=2).done == 2
    assert _arrays(_gathered(out)) == whole == _arrays(read_data(out))
    with pytest.raises(BadValue, match=r"exists already, and its made is .*'seed': 1"):
        _gathered(out, seed=2)


def test_a_run_that_is_interrupted_keeps_its_whole_games(tmp_path):
    out, run = tmp_path / "data.npz", generate(GAME, default_data_options(GAME, agent=GREEDY), 3, tmp_path / "data.npz")
    going = iter(run)
    next(going), next(going)
    with pytest.raises(KeyboardInterrupt):
        going.throw(KeyboardInterrupt)
    assert read_data(out).done == 2
    assert _arrays(_gathered(out)) == _arrays(_gathered())


def test_a_seat_is_shown_its_own_view_where_seats_have_secrets():
    game = find("colonizers")
    run = generate(game, default_data_options(game, agent="random", longest=20), 1)
    for _ in run:
        pass
    assert run.data.about.sides == "each"
    assert not run.data.results.any()
    choices = run.data.shares.any(axis=1)
    assert not choices.reshape(-1, game.seats)[:, 1:].any()


def test_visits_and_worths_become_shares():
    visited = Decision(5, tries={4: 1, 5: 3})
    assert shares_of(visited, [4, 5, 6], 0, None).tolist() == [0.25, 0.75, 0]
    assert shares_of(visited, [4, 5, 6], 0, 0.5).tolist() == pytest.approx([0.1, 0.9, 0])
    judged = Decision(5, move_values={4: [0.4, 0.6], 5: [0.45, 0.55]})
    assert shares_of(judged, [4, 5], 0, 0.05)[1] == pytest.approx(np.e / (1 + np.e))
    assert shares_of(judged, [4, 5], 1, None)[0] == pytest.approx(np.e / (1 + np.e))
    far = Decision(5, move_values={4: [30.0, -2.0], 5: [40.0, 1.0]})
    assert shares_of(far, [4, 5], 0, None).tolist() == [0, 1]
    assert shares_of(far, [4, 5], 0, 10.0)[1] == pytest.approx(np.e / (1 + np.e))
    assert shares_of(replace(visited, move=4, exact=True), [4, 5], 0, None).tolist() == [1, 0]
    scorned = replace(judged, considered={4: 0.4, 5: 0.35})  # a draw, with contempt
    assert shares_of(scorned, [4, 5], 0, 0.05)[0] == pytest.approx(np.e / (1 + np.e))


def test_values_become_chances_where_their_scale_is_known():
    assert chances_of([0.25, 0.75]).tolist() == [0.25, 0.75]
    assert chances_of([5e5, -5e5]).tolist() == [1, 0]
    assert chances_of([0, 0], exact=True).tolist() == chances_of([-3, -3], exact=True).tolist() == [0.5, 0.5]
    assert chances_of([12, 3]) is chances_of(None) is None


def test_a_network_is_fitted_to_data_and_may_begin_with_another(tmp_path):
    data = _gathered(games=12)
    network, found = fit_network([data], FitTask(hidden=(8,)), FitOptions(epochs=3, batch=32))
    assert (network.about.moves, network.hidden) == (GAME.moves_below, [8])
    assert found.epochs[-1].error < found.epochs[0].error
    start = shipped.network(GAME, "champion")
    more, _ = fit_network([data, _gathered(seed=2)], FitTask(start=start), FitOptions(epochs=1))
    assert (more.hidden, more.about.trained["start"]) == (start.hidden, start.digest)
    shipped.value_of(GAME, more)
    with pytest.raises(BadValue, match="its game is chexers, not quarto"):
        fit_network([data], FitTask(start=shipped.network(find("chexers"), "champion")), FitOptions())


BARE = """
import sys
for name in ("numba", "click", "rich", "scipy"):
    sys.modules[name] = None
from kibitz.learn.data_export import export_csv
from kibitz.learn.fit import main
main()
"""


def test_the_commands_gather_and_fit_also_on_a_bare_machine(tmp_path):
    data, net, other = (str(tmp_path / name) for name in ("data.npz", "net.npz", "other.npz"))
    made = CliRunner().invoke(main, ["learn", "data", "quarto", GREEDY, "--games", "4", "--out", data])
    assert (made.exit_code, "4 games" in _said(made)) == (0, True)
    assert f"For {read_data(tmp_path / 'data.npz').unjudged} of them the agent gave no win probabilities" in _said(made)
    words = [data, "--epochs", "2", "--hidden", "4", "--held", "0.3"]
    fitted = CliRunner().invoke(main, ["learn", "fit", *words, "--out", net])
    assert (fitted.exit_code, "held out" in _said(fitted)) == (0, True)
    subprocess.run([sys.executable, "-c", BARE, *words, "--out", other], check=True, capture_output=True, timeout=60)
    assert read_network(tmp_path / "net.npz").digest == read_network(tmp_path / "other.npz").digest
    begun = CliRunner().invoke(
        main, ["learn", "fit", *words[:3], "--start", "champion", "--out", str(tmp_path / "c.npz")]
    )
    assert begun.exit_code == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shares": 1e30}, "shares are not parts"),
        ({"results": 7}, "results are not parts"),
        ({"values": np.nan}, "values are not parts"),
        ({"games": 99}, "other games than the 1"),
        ({"moves": 9999}, "moves are not those of quarto"),
        ({"about": {"game": "./quarto"}}, "'./quarto', which is not a name"),
    ],
)
def test_data_that_cannot_be_is_refused(change, words, tmp_path):
    data, path = _gathered(games=1), tmp_path / "odd.npz"
    if "about" in change:
        data = replace(data, about=replace(data.about, **change["about"]))
    else:
        data = replace(data, **{name: np.full_like(getattr(data, name), number) for name, number in change.items()})
    path.write_bytes(data.as_bytes())
    with pytest.raises(BadValue, match=words):
        read_data(path)


def test_records_of_the_game_that_was_named_need_no_trust_and_those_of_others_run_no_code(tmp_path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2] / "examples")
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "rules.py").write_text("open('ran', 'w')")
    table = Table(find("./nim"), 1)
    while not table.over:
        table.play(table.moves()[0])
    record, records, out = record_of(table, ["a", "b"]), tmp_path / "rec.jsonl", str(tmp_path / "data.npz")
    for game, sentence in (("./evil", f"game 1 is of {tmp_path}/evil"), ("./nim", "1 games")):
        records.write_text(replace(record, game=game).line())
        found = CliRunner().invoke(main, ["learn", "data", "./nim", "--records", str(records), "--out", out])
        assert sentence.replace(" ", "") in found.output.replace("\n", "").replace(" ", "")
    assert not list(Path().glob("ran"))


def test_data_names_no_code_that_a_fit_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "rules.py").write_text("open('ran', 'w')")
    data = _gathered(games=1)
    for game, sentence in (("./evil", "which is not a name"), ("evil", "by the path of its file, not 'champion'")):
        (tmp_path / "gift.npz").write_bytes(replace(data, about=replace(data.about, game=game)).as_bytes())
        found = CliRunner().invoke(main, ["learn", "fit", "gift.npz", "--start", "champion", "--out", "net.npz"])
        assert (found.exit_code, sentence in _said(found), (tmp_path / "ran").exists()) == (2, True, False)


def test_games_that_are_given_twice_are_refused():
    for twice in ([_gathered(games=2), _gathered(games=1)], [_gathered(games=1)] * 2):
        with pytest.raises(BadValue, match="same games are given twice"):
            fit_network(twice, FitTask(), FitOptions())
    fit_network([_gathered(games=1), _gathered(games=1, seed=2)], FitTask((2,)), FitOptions(epochs=1))


def test_no_data_is_written_that_could_not_be_read(monkeypatch):
    monkeypatch.setattr("kibitz.learn.data_file.MOST_BYTES", 1 << 10)
    with pytest.raises(BadValue, match="positions are more than the 0 MB of one file"):
        _gathered(games=1).as_bytes()


def test_a_table_that_would_be_too_wide_is_refused(tmp_path):
    data = _gathered(games=1)
    wide = replace(data, about=replace(data.about, length=10**9))
    with pytest.raises(BadValue, match=r"has 1,000,000,\d+ columns"):
        export_csv(wide, tmp_path / "wide.csv")
    with pytest.raises(BadValue, match="more than 1,024 MB of weights"):
        fit_network([wide], FitTask(), FitOptions())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["data", "quarto", "--out", "DATA"], "needs an agent that plays"),
        (["data", "quarto", "random", "--out", "DATA", "--encoding", "lins"], "Did you mean 'lines'"),
        (["data", "quarto", "random", "--out", "DATA", "--records", "none.jsonl"], "cannot read none.jsonl"),
        (["data", "quarto", "randm", "--out", "DATA"], "unknown agent"),
        (["fit", __file__, "--seed", "-1", "--out", "DATA"], "-1 is not in the range"),
        (["fit", "none.npz", "--out", "DATA"], "there is no data at none.npz"),
        (["fit", __file__, "--out", "DATA"], "holds no data"),
    ],
)
def test_bad_input_is_a_sentence(words, sentence, tmp_path):
    found = CliRunner().invoke(main, ["learn", *(word.replace("DATA", str(tmp_path / "d.npz")) for word in words)])
    assert (found.exit_code, sentence in _said(found)) == (2, True), found.output
