"""Calibration finds guesses and shuffles that are wrong, and lets those be that are right."""

from pathlib import Path

import numpy as np
import pytest

from kibitz import games
from kibitz.core.laws import Broken
from kibitz.core.laws.calibration import _bound, guesses_are_calibrated
from kibitz.core.native import INTERPRETED

HERE = Path(__file__).parents[1]
KUHN, ASKING = str(HERE / "kuhn"), str(HERE / "asking")


SLOW = pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("cartagena", marks=SLOW),
        pytest.param("colonizers", marks=SLOW),
        KUHN,
        f"{KUHN}(coins=true)",
        ASKING,
    ],
    ids=lambda text: Path(text).name,
)
def test_right_guesses_cannot_be_told_from_the_truth(text):
    assert "tells the truth from guesses" in (guesses_are_calibrated(games.find(text), 1) or "")


def test_a_guess_that_forgets_who_has_no_card_of_a_suit_is_found():
    with pytest.raises(Broken, match="not calibrated"):
        guesses_are_calibrated(games.find(f"{ASKING}(fault=void)"), 1)


def test_cards_that_are_not_shuffled_are_found():
    with pytest.raises(Broken, match=r"not calibrated.*CARD"):
        guesses_are_calibrated(games.find(f"{ASKING}(fault=shuffle)"), 1)


def test_the_bound_on_a_probability_is_never_below_the_probability():
    rng = np.random.default_rng(1)
    bounds = []
    for _ in range(400):
        scores = rng.normal(size=(30, 4))
        scores[:20] = (scores[:20] > 1.5) * 1.0
        bounds.append(_bound(scores - scores.mean(axis=1, keepdims=True)))
    for level in (0.5, 0.2, 0.05, 0.01):
        assert np.mean([2 * bound <= level for bound in bounds]) <= level
