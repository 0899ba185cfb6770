"""Rows of agents: places counted by hand, and a test of seats that finds an agent's favourite."""

import numpy as np
import pytest

from kibitz.arena.play.reason import Reason
from kibitz.arena.results.agent_rows import agent_rows, seat_rows
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.statistics.outcome import place_shares


def games_of(seatings, payoffs, blocks):
    """Games as columns, with what does not matter here."""
    seatings, payoffs = np.array(seatings), np.array(payoffs, dtype=float)
    number = len(seatings)
    return GameColumns(
        tuple("abcdefgh"[: seatings.max() + 1]), np.arange(number), np.array(blocks), seatings, payoffs,
        np.full(number, 9), [Reason.WON] * number, np.full(number, -1), np.ones(seatings.shape),
        np.ones(seatings.shape, dtype=int), [""] * number, [""] * number, ("",) * (int(seatings.max()) + 1),
    )  # fmt: skip


def test_seats_that_tie_share_their_places():
    shares = place_shares(np.array([[1, 0.5, 0], [0.5, 0.5, 0], [1, 0, 0]]))
    assert shares[0].tolist() == np.eye(3).tolist()
    assert shares[1].tolist() == [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]]
    assert shares[2].tolist() == [[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]]


def test_places_are_counted_from_first_to_last():
    seatings = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    payoffs = [[1, 0.5, 0], [1, 0, 0.5], [0.4, 0.4, 0.2]]
    first, second, third = agent_rows(games_of(seatings, payoffs, [0, 0, 0]))
    assert (first.places, first.mean_place) == ((1.5, 1.5, 0.0), 1.5)
    assert (second.places, second.mean_place) == ((1.0, 1.0, 1.0), 2.0)
    assert (third.places, third.mean_place) == ((0.5, 0.5, 2.0), pytest.approx(2.5))
    assert [row.mean_place for row in third.by_seat] == [1.5, 3.0, 3.0]
    for row in (first, second, third):
        assert sum(row.places) == row.games == 3


def _games_with_a_favourite(rng, blocks, worth):
    """Agent 0 plays better in the first seat; its opponent does not mind."""
    seatings = np.tile([[0, 1], [1, 0]], (blocks, 1))
    chance = np.tile([0.5 + worth, 0.5], blocks)  # that the first seat wins
    won = rng.random(2 * blocks) < chance
    return games_of(seatings, np.stack([won, ~won], axis=1), np.repeat(np.arange(blocks), 2))


def test_an_agent_that_plays_better_in_one_seat_is_found_out():
    rng = np.random.default_rng(1)
    found = agent_rows(_games_with_a_favourite(rng, 150, 0.45))
    assert found[0].seats_p < 0.001
    even = [agent_rows(_games_with_a_favourite(rng, 60, 0.0))[0].seats_p for _ in range(40)]
    assert np.mean(np.array(even) < 0.05) <= 0.15


def test_agents_that_keep_their_seats_have_no_test_of_seats():
    first, second = agent_rows(games_of([[0, 1]] * 20, [[1, 0]] * 20, range(20)))
    assert first.seats_p is second.seats_p is None
    assert first.by_seat[1].games == 0


def test_seats_count_for_all_agents_together():
    one, other = seat_rows(games_of([[0, 1], [1, 0]], [[1, 0], [1, 0]], [0, 0]))
    assert (one.wins, one.games, other.losses) == (2, 2, 2)
