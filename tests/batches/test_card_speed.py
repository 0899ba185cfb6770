"""What `kibitz bench gpu` measures, on a simulated card."""

import pytest

from kibitz.bench import card_speed
from kibitz.core.native import INTERPRETED
from kibitz.games import find
from tests.batches.simulated_card import SimulatedCard
from tests.test_cli import run


@pytest.fixture
def simulated(monkeypatch):
    monkeypatch.setattr(card_speed, "device_of", lambda game, name: SimulatedCard(game))
    for name, value in {"MOST_GAMES": 40, "STEPPED_GAMES": 40, "ROUNDS": 1, "ROUNDS_OF_CORE": 1}.items():
        monkeypatch.setattr(card_speed, name, value)
    monkeypatch.setattr(card_speed, "SECONDS_OF_CORE", 0.001)


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_random_games_and_those_of_policies_are_measured_beside_one_core(simulated):
    rows = list(card_speed.game_rows(find("quarto"), "quarto"))
    assert [row.name for row in rows] == [
        "gpu/quarto-random-games", "gpu/quarto-random-moves", "gpu/quarto-novice-games", "gpu/quarto-bytes-a-game",
    ]  # fmt: skip
    assert all(row.value > 0 for row in rows)
    assert all(row.yardstick for row in rows[:-1])
    assert rows[-1].value >= 8 * find("quarto").size


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("name", card_speed.KNOWN_GAMES)
def test_games_that_pgx_has_are_measured_step_by_step_with_the_inputs_of_networks(simulated, name):
    row = card_speed.stepping_row(find(str(card_speed.KNOWN_GAMES[name])), name)
    assert row.name == f"gpu/{name}-steps-with-inputs"
    assert row.value > 0


def test_without_a_card_a_sentence_says_so():
    if card_speed.has_card():
        pytest.skip("there is a card here: NOT TRIED")
    shown = run("bench", "gpu")
    assert shown.exit_code == 2
    assert "Traceback" not in shown.stderr
    assert "graphics card" in shown.stderr


def test_only_cards_measure_several_games_at_a_time():
    shown = run("bench", "quarto", "chexers")
    assert shown.exit_code == 2
    assert "one thing is measured at a time, not quarto and chexers; only gpu takes several games" in shown.stderr
