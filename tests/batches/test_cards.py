"""What a card lacks is ours, and without a card a sentence says so."""

import math
from importlib.util import find_spec

import numpy as np
import pytest

import kibitz
from kibitz.batches import card
from kibitz.batches.card_maths import exp, log, power
from kibitz.core.errors import BadValue


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
