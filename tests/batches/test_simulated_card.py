"""The kernels of graphics cards, run on a processor, play the games of the processors to the last bit."""

import numpy as np
import pytest

import kibitz
from kibitz import games
from kibitz.batches.card_compiler import kernel_ptx
from kibitz.batches.card_game_kernels import GAME_TAKES
from kibitz.batches.card_kernels import TAKES
from kibitz.core.native import INTERPRETED
from kibitz.networks.net import encodings, networks
from tests.batches.simulated_card import simulated_batch
from tests.golden import variants

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
OTHERS = ["./tests/pig", "./tests/tricks"]  # chance in the open; hands that are dealt out
ROWS, STEPS, LATE = 7, 4, 40
HOPPER = (9, 0)


def same(here, there):
    """Return whether two arrays are equal, bit for bit."""
    return here.dtype == there.dtype and here.shape == there.shape and here.tobytes() == there.tobytes()


def assert_same_games(here, there):
    assert same(here.states, there.states)
    assert same(here.plies, there.plies)


def play_on_both(text, policy=None, moves=None):
    """Return batches on both devices after the same moves."""
    batches = kibitz.batch(text, ROWS, seed=3), simulated_batch(text, ROWS, seed=3)
    for batch in batches:
        if policy:
            batch.run(policy, moves=moves)
    assert_same_games(*batches)
    return batches


def assert_same_answers(here, there):
    """Compare all that a batch answers."""
    for ask in ("turn", "legal", "view", "guess", "payoff", "value"):
        ours, theirs = getattr(here, ask), getattr(there, ask)
        assert same(ours() if callable(ours) else ours, theirs() if callable(theirs) else theirs), ask
    for seat in (-1, here.game.seats - 1) if encodings(here.game) else ():
        assert same(here.features(seats=seat), there.features(seats=seat))


def play_in_step(here, there):
    actions = here.sample()
    assert same(there.sample(), actions)
    for batch in (here, there):
        batch.play(actions)
    assert_same_games(here, there)


@pytest.mark.parametrize("name", [*games.names(), *OTHERS])
def test_a_card_does_what_processors_do_and_all_of_a_game_becomes_code_for_it(name):
    """A game in one test, since what its kernels share is compiled once in a process."""
    here, there = play_on_both(name)
    for _ in range(STEPS):
        assert_same_answers(here, there)
        play_in_step(here, there)
    for moves in (LATE, None):
        for batch in (here, there):
            batch.run(moves=moves)
        assert_same_games(here, there)
        assert_same_answers(here, there)
    assert (here.reset_finished() == there.reset_finished()).all()
    assert_same_games(here, there)
    there.check()
    _play_policies_and_values(name, here.game)
    for variant in variants(name)[1:] if name in games.names() else ():
        play_on_both(variant, "random", LATE)
    _compile_for_a_card(here.game)


def _play_policies_and_values(name, game):
    for policy in game.policies:
        play_on_both(name, policy, LATE)
    here, there = play_on_both(name, "random", LATE // 2)
    for value in [*game.values][:2]:
        assert same(here.value(value), there.value(value)), value
    if "champion" in networks(game):
        assert np.abs(here.value("net(champion)") - there.value("net(champion)")).max() < 1e-6


def _compile_for_a_card(game):
    known = encodings(game)
    for what in TAKES.keys() - GAME_TAKES.keys():  # tests/batches/test_game_kernels.py has those
        asked = {"value": (game.values[game.usual_value],), "features": tuple(known.values())[:1]}.get(what, ())
        if what != "features" or known:
            code = kernel_ptx(game, what, HOPPER, asked)
            assert ".visible .entry kernel(" in code
            assert ".extern .func" not in code  # it calls nothing from outside


def test_guesses_late_in_a_game_of_jamaica_are_those_of_processors():
    here, there = play_on_both("cartagena(version=jamaica)", "random", 250)
    seats = np.arange(ROWS) % here.game.seats
    assert same(here.guess(seats), there.guess(seats))


@pytest.mark.parametrize("policy", ["net(prior)", "net(prior, temperature=0)"])
def test_networks_are_policies_on_a_card_that_choose_the_same_moves(policy):
    play_on_both("chexers", policy, STEPS)


def test_features_are_what_a_network_gets_from_the_view_of_a_seat():
    batch = kibitz.batch("colonizers", 20, seed=2)
    batch.run(moves=30)
    known = encodings(batch.game)
    for name, encoding in known.items():
        rows = batch.features(name, seats=1)
        assert rows.shape == (20, encoding.length)
        assert rows.dtype == np.float32
        for view, row in zip(batch.view(1), rows, strict=True):
            assert same(row, _encoded(encoding, view, 1))
    assert same(batch.features(), batch.features(next(iter(known))))
    batch.run()
    assert not batch.features().any()  # nobody is to move


def _encoded(encoding, view, seat):
    """Return what an encoding writes, interpreted."""
    room, out = np.zeros(encoding.most or encoding.length), np.zeros(encoding.length, dtype=np.float32)
    if not encoding.most:
        encoding(view, seat, room)
        return room.astype(np.float32)
    listed = np.zeros(encoding.most, dtype=np.int64)
    out[listed[: encoding(view, seat, listed)]] = 1.0
    return out
