"""Every game becomes code of graphics cards; where a card is at hand, it plays the same games."""

import math
import re
from importlib.util import find_spec

import numpy as np
import pytest

import kibitz
from kibitz import games
from kibitz.batches import card
from kibitz.batches.card_kernels import TAKES
from kibitz.batches.card_maths import exp, log, power
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.native import INTERPRETED

OTHERS = [f"./tests/{name}" for name in ("pig", "kuhn", "tricks", "hearts", "fours", "race")]
GAMES = [*games.names(), *OTHERS]
HOPPER = (9, 0)
COMPILED = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def _ptx(game, what, asked=None):
    from kibitz.batches.card_compiler import kernel_ptx

    return kernel_ptx(game, what, HOPPER, asked)


@COMPILED
@pytest.mark.parametrize("text", GAMES)
def test_every_game_becomes_code_of_a_card_from_the_same_source(text):
    game = games.find(text)
    asked = game.values[game.usual_value]
    for what in TAKES:
        if what == "guess" and text == "cartagena":
            continue  # a belief takes as much room as the past has turns
        code = _ptx(game, what, asked if what == "value" else None)
        assert ".visible .entry kernel(" in code
        assert not re.findall(r"\.extern \.func[^;]*?(\w+)\s*\(", code)  # it calls nothing from outside


@COMPILED
@pytest.mark.parametrize("text", games.names())
def test_all_policies_of_a_game_become_code_of_a_card(text):
    game = games.find(text)
    for policy in game.policies.values():
        assert "kernel" in _ptx(game, "run", policy)


@COMPILED
def test_a_rule_that_makes_arrays_is_refused_in_a_sentence():
    with pytest.raises(BadGame, match=r"cartagena.* cannot be compiled for a graphics card: .*makes arrays"):
        _ptx(games.find("cartagena(version=jamaica)"), "guess")


def test_the_functions_of_mathematics_agree_with_those_of_python():
    rng = np.random.default_rng(1)
    for x, y, z in zip(
        rng.uniform(-700, 700, 500), 10 ** rng.uniform(-300, 300, 500), rng.uniform(-8, 8, 500), strict=True
    ):
        assert exp(x) == pytest.approx(math.exp(x), rel=1e-13)
        assert log(y) == pytest.approx(math.log(y), rel=1e-13, abs=1e-13)
        base = abs(x) / 100
        assert power(base, z) == pytest.approx(base**z, rel=1e-12)
    assert [power(-2.0, 3.0), power(0.0, 2.0), power(5.0, 0.0)] == [pytest.approx(-8.0), 0.0, 1.0]
    assert exp(1000.0) == math.inf
    assert exp(-1000.0) == 0.0
    assert log(0.0) == -math.inf
    assert math.isnan(log(-1.0))
    assert math.isnan(power(-2.0, 0.5))
    assert math.isnan(exp(math.nan))


def test_without_cupy_or_a_card_a_sentence_says_what_is_missing(monkeypatch):
    if find_spec("cupy") is None:
        with pytest.raises(BadValue, match=r"needs? one more library: pip install 'kibitz\[gpu\]'"):
            kibitz.batch("quarto", 2, device="gpu")
    monkeypatch.setattr(card, "find_spec", lambda name: object())

    class Runtime:
        class CUDARuntimeError(RuntimeError):
            pass

        def getDeviceCount(self):
            raise self.CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")

    fake = type("CuPy", (), {"cuda": type("Cuda", (), {"runtime": Runtime()})})
    monkeypatch.setitem(__import__("sys").modules, "cupy", fake)
    with pytest.raises(BadValue, match=r"no graphics card can be used here: no CUDA-capable device is detected; "):
        kibitz.batch("quarto", 2, device="gpu")


def _has_card():
    if find_spec("cupy") is None:
        return False
    try:
        card.load_cupy()
    except BadValue:
        return False
    return True


@pytest.mark.skipif(not _has_card(), reason="there is no graphics card here, or CuPy is missing: NOT TRIED")
@pytest.mark.parametrize("text", GAMES)
def test_a_card_plays_the_same_games_move_by_move(text):
    here, there = kibitz.batch(text, 500, seed=2), kibitz.batch(text, 500, "gpu", seed=2)
    for _ in range(60):
        actions = here.sample()
        assert (there.sample().get() == actions).all()
        assert (there.legal().get() == here.legal()).all()
        assert (there.view().get() == here.view()).all()
        for batch in (here, there):
            batch.play(actions)
        assert (there.states.get() == here.states).all()
    assert np.allclose(there.value().get(), here.value(), rtol=1e-6)
    for batch in (here, there):
        batch.run()
    assert (there.plies.get() == here.plies).all()
    assert np.array_equal(there.payoff().get(), here.payoff())
