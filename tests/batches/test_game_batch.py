"""Games of a batch are those of tables, move by move, on any number of threads."""

import numpy as np
import pytest

import kibitz
from kibitz.batches import processor
from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.errors import BadGame, BadMove, BadValue, UnknownName

PIG, KUHN, TRICKS = "./tests/pig", "./tests/kuhn", "./tests/tricks"
GAMES = ["quarto", "chexers", "cartagena", "cartagena(version=jamaica)", "colonizers", PIG, KUHN, TRICKS]
ROWS, STEPS = 12, 40


def _assert_equal(batch, tables, row):
    table = tables[row]
    assert batch.turn[row] == (OVER if table.over else table.turn)
    assert batch.plies[row] == len(table.moves_made)
    assert (batch.states[row] == kibitz.World.of(table).cells[: batch.game.size]).all()


@pytest.mark.parametrize("text", GAMES)
def test_the_games_of_a_batch_are_those_of_tables(text):
    batch = kibitz.batch(text, ROWS, seed=5)
    tables = [kibitz.Table(batch.game, seed=int(seed)) for seed in batch.seeds]
    for _ in range(STEPS):
        legal, actions, views = batch.legal(), batch.sample(), batch.view()
        for row, table in enumerate(tables):
            _assert_equal(batch, tables, row)
            if table.over:
                assert not legal[row].any()
                assert actions[row] == -1
                assert (views[row] == UNKNOWN).all()
                continue
            moves = table.moves()
            assert np.flatnonzero(legal[row]).tolist() == batch.actions.all(moves)
            assert legal[row, actions[row]]
            assert (views[row] == table.view(table.turn)[: batch.game.size]).all()
            table.play(batch.actions.move(actions[row], moves))
        batch.play(actions)
    batch.check()


@pytest.mark.parametrize("text", GAMES)
def test_payoffs_and_values_are_those_of_tables_and_nan_before_the_end(text):
    batch = kibitz.batch(text, ROWS, seed=8)
    assert np.isnan(batch.payoff()[batch.turn != OVER]).all()
    values = batch.value()
    assert values.shape == (ROWS, batch.game.seats)
    assert np.isfinite(values).all()
    batch.run()
    assert (batch.turn == OVER).all()
    assert np.isfinite(batch.payoff()).all()


@pytest.mark.parametrize(("text", "policy"), [("quarto", "novice"), ("chexers", "greedy"), ("colonizers", "heuristic")])
def test_a_row_depends_on_the_seed_alone_and_not_on_threads(monkeypatch, text, policy):
    whole = kibitz.batch(text, 40, seed=3)
    whole.run(policy, moves=30)
    monkeypatch.setattr(processor, "ROWS_A_THREAD", 7)
    monkeypatch.setattr(processor, "available_threads", lambda: 5)
    parts = kibitz.batch(text, 40, seed=3)
    for moves in (1, 0, 17, 12):
        parts.run(policy, moves=moves)
    assert (whole.states == parts.states).all()
    assert (whole.plies == parts.plies).all()
    other = kibitz.batch(text, 40, seed=4)
    assert (other.seeds != whole.seeds).all()


def test_a_seat_sees_its_view_and_guesses_worlds_that_it_may_be_in():
    batch = kibitz.batch("colonizers", 30, seed=2)
    batch.run(moves=20)
    seats = np.arange(30) % batch.game.seats
    views, worlds = batch.view(seats), batch.guess(seats)
    assert (views == UNKNOWN).any()
    assert not (worlds == UNKNOWN).any()
    known = views != UNKNOWN
    assert (worlds[known] == views[known]).all()
    assert (batch.guess(seats) != worlds).any()  # by the next dice


def test_finished_games_are_dealt_anew_and_others_stay():
    batch = kibitz.batch("quarto", 200, seed=6)
    batch.run(moves=18)
    over, before, seeds = batch.turn == OVER, batch.states.copy(), batch.seeds
    assert 0 < over.sum() < 200
    assert (batch.reset_finished() == over).all()
    assert (batch.states[~over] == before[~over]).all()
    assert (batch.plies[over] == 0).all()
    assert (batch.seeds[over] != seeds[over]).all()
    assert (batch.seeds[~over] == seeds[~over]).all()
    assert len(set(batch.seeds.tolist() + seeds[over].tolist())) == 200 + over.sum()
    batch.reset()
    assert (batch.seeds == kibitz.batch("quarto", 200, seed=6).seeds).all()


def test_an_illegal_action_is_named_with_its_games_and_leaves_them_as_they_are():
    batch = kibitz.batch("quarto", 20, seed=1)
    actions = batch.sample()
    actions[[3, 7]] = 99
    before = batch.states.copy()
    with pytest.raises(BadMove, match=r"action 99 is not legal in game 3, 7$"):
        batch.play(actions)
    assert (batch.states[[3, 7]] == before[[3, 7]]).all()
    with pytest.raises(BadMove, match=r"action -5 is not legal in game 0, 1, 2, 3, 4 and 15 others"):
        batch.play(-5)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: kibitz.batch("quarto", 0), r"a batch has from 1 to 268,435,456 games, not 0"),
        (lambda: kibitz.batch("quarto", "many"), r"a batch has from 1 to .* games, not 'many'"),
        (lambda: kibitz.batch("quarto", 2, device="tpu"), r"there is no device 'tpu'; the devices are cpu, gpu"),
        (lambda: kibitz.batch("quarto", 2, seed="x"), r"the seed of a batch is a whole number, not 'x'"),
        (lambda: kibitz.batch("quarto", 2).play([1, 2, 3]), r"an action is a whole number for each of the 2 games"),
        (lambda: kibitz.batch("quarto", 2).play(0.5), r"an action is a whole number for each of the 2 games, not 0.5"),
        (lambda: kibitz.batch("quarto", 2).view(2), r"quarto has the seats 0 to 1, not 2"),
        (lambda: kibitz.batch("quarto", 2).run(moves=-1), r"a batch runs on for 0 moves or more, not -1"),
        (lambda: kibitz.batch("quarto", 2).run(moves="many"), r"a batch runs on for 0 moves or more, not 'many'"),
        (lambda: kibitz.batch("quarto", 2).reset([0, 1]), r"rows are chosen by 2 booleans, one for each game"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(BadValue, match=sentence):
        call()


def test_unknown_policies_and_values_are_refused_with_those_that_there_are():
    batch = kibitz.batch("quarto", 2)
    with pytest.raises(UnknownName, match="novice"):
        batch.run("expert")
    with pytest.raises(UnknownName, match="novice"):
        batch.run(3)
    with pytest.raises(UnknownName, match="zero"):
        batch.value("gold")
    with pytest.raises(UnknownName, match="unknown game"):
        kibitz.batch(3, 2)


def test_a_row_that_a_card_has_not_finished_is_told(monkeypatch):
    batch = kibitz.batch("quarto", 4, seed=1)
    monkeypatch.setattr(batch.device, "run", lambda *given: None)
    with pytest.raises(BadGame, match=r"quarto: a rule fails in game 0 of the batch; device=\"cpu\" tells which"):
        batch.play(0)


def test_features_of_an_unknown_encoding_are_refused_with_those_that_there_are():
    with pytest.raises(UnknownName, match=r"unknown encoding of quarto 'cells'; known: lines"):
        kibitz.batch("quarto", 2).features("cells")
    with pytest.raises(UnknownName, match=r"unknown encoding of quarto '3'"):
        kibitz.batch("quarto", 2).features(3)
    with pytest.raises(BadValue, match=r"declares no encoding in features.py, so it has no features"):
        kibitz.batch(PIG, 2).features()
    with pytest.raises(BadValue, match=r"quarto has the seats 0 to 1, not 5"):
        kibitz.batch("quarto", 2).features(seats=5)
