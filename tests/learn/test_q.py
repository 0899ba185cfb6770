"""Q-learning, held against exact values that are worked out here by hand."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kibitz.games import find
from kibitz.learn.training import TrainingBudget, train
from kibitz.learn.training_settings import Q, default_settings
from kibitz.networks.network_file import Network, read_network

ROOT = Path(__file__).parents[2]
NIM, KUHN = f"{ROOT}/examples/nim", f"{ROOT}/tests/kuhn"
TABLE = {"hidden": (), "openings": 0, "trace": 0.0}


def _taught(text: str, out: Path, positions: int, **changes) -> Network:
    game = find(text)
    for _ in train(
        game, default_settings(game, positions, Q, **{**TABLE, **changes}), TrainingBudget(positions=positions), out
    ):
        pass
    return read_network(out)


def _q(network: Network, row: int, move: int) -> float:
    (weights, biases), unit = network.layers[0], network.about.seats + move
    return 1 / (1 + np.exp(-(weights[row, unit] + biases[unit])))


def test_a_table_finds_who_wins_at_nim_by_playing_itself(tmp_path):
    network = _taught(f"{NIM}(sticks=12)", tmp_path / "q.npz", 60_000, epsilon=0.3, rate=1.0)
    for sticks in range(1, 13):
        for taken in range(1, min(sticks, 3) + 1):
            wins = (sticks - taken) % 4 == 0
            assert _q(network, sticks, taken - 1) == pytest.approx(float(wins), abs=0.1), (sticks, taken)


@cache
def _nim(sticks: int) -> float:
    """Return what the best move earns against two seats that play at random."""
    return max(_nim_after(sticks - taken, 1) for taken in range(1, min(sticks, 3) + 1))


@cache
def _nim_after(sticks: int, turn: int) -> float:
    if sticks == 0:
        return float(turn == 1)
    if turn == 3:
        return _nim(sticks)
    return float(np.mean([_nim_after(sticks - taken, turn + 1) for taken in range(1, min(sticks, 3) + 1)]))


def test_a_table_learns_the_chances_of_every_move_over_the_turns_of_two_others(tmp_path):
    network = _taught(
        f"{NIM}(seats=3, sticks=12)", tmp_path / "q.npz", 150_000, against="random", epsilon=1.0, rate=0.5
    )  # fmt: skip
    for sticks in (*range(1, 7), 12):  # others are reached less often
        for taken in range(1, min(sticks, 3) + 1):
            exact = _nim_after(sticks - taken, 1)
            assert _q(network, sticks, taken - 1) == pytest.approx(exact, abs=0.06), (sticks, taken)


PAYS = {"pp": 1, "bb": 2, "pbb": 2}  # what the higher card wins; else who bet wins 1
CODES = {"": 1, "p": 4, "b": 5, "pb": 17}


def _kuhn(card: int, past: str, move: str) -> float:
    """Return what a move earns, on average over the other card, against a seat that plays at random."""
    seat, past = len(past) % 2, past + move
    if past in PAYS:
        return float(np.mean([(2 + (PAYS[past] if card > other else -PAYS[past])) / 4 for other in {0, 1, 2} - {card}]))
    if past in ("bp", "pbp"):
        return 0.25
    replies = [past + reply for reply in "pb"]
    return float(np.mean([_kuhn_next(card, seat, reply) for reply in replies]))


def _kuhn_next(card: int, seat: int, past: str) -> float:
    if past in PAYS:
        return _kuhn(card, past[:-1], past[-1])
    if past in ("bp", "pbp"):
        return 0.75
    return max(_kuhn(card, past, move) for move in "pb")


def test_a_table_learns_the_chances_of_every_move_of_kuhn_poker_by_what_a_seat_sees(tmp_path):
    network = _taught(KUHN, tmp_path / "q.npz", 600_000, against="random", epsilon=1.0, rate=0.05)
    for card in range(3):
        for past, code in CODES.items():
            for move, letter in enumerate("pb"):
                exact = _kuhn(card, past, letter)
                assert _q(network, card * 70 + code, move) == pytest.approx(exact, abs=0.06), (card, past, letter)
