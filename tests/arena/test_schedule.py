"""Schedules: who meets whom, equally often, on the same deals."""

from collections import Counter
from itertools import combinations, groupby
from pathlib import Path

import pytest

from kibitz import games
from kibitz.arena.plan.schedule import Opener, check_opening, schedule, usual_opening
from kibitz.arena.plan.schemes import SCHEMES, seatings
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.table import Table

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("seats", "agents", "number"), [(3, 2, 6), (3, 3, 6), (4, 2, 14), (4, 3, 36), (6, 2, 62), (6, 3, 540)]
)
def test_a_round_robin_has_the_published_number_of_seatings(seats, agents, number):
    found = seatings("round-robin", agents, seats, None)
    assert len(found) == len(set(found)) == number
    assert all(set(table) == set(range(agents)) for table in found)


def test_every_agent_has_every_seat_equally_often_in_a_round_robin():
    for agents, seats in [(2, 2), (5, 2), (2, 4), (3, 4), (5, 3)]:
        places = Counter((agent, seat) for table in seatings("round-robin", agents, seats, None)
                         for seat, agent in enumerate(table))  # fmt: skip
        assert len(places) == agents * seats
        assert len(set(places.values())) == 1


def test_in_a_gauntlet_the_hero_is_at_every_table_once_and_in_every_seat_equally_often():
    for agents, seats, hero in [(4, 2, 0), (5, 3, 2), (2, 4, 1), (3, 4, 0)]:
        found = seatings("gauntlet", agents, seats, hero)
        assert all(table.count(hero) == 1 for table in found)
        assert len(set(Counter(table.index(hero) for table in found).values())) == 1
        assert set().union(*found) == set(range(agents))


@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (9, 2), (4, 3), (11, 3), (7, 4), (13, 4), (12, 5), (18, 6)])
def test_in_a_circle_every_agent_has_every_seat_equally_often_and_meets_others_in_turn(agents, seats):
    found = seatings("circle", agents, seats, None)
    assert len(found) == agents * seats
    assert all(len(set(table)) == seats for table in found)
    places = Counter((agent, seat) for table in found for seat, agent in enumerate(table))
    assert set(places.values()) == {seats}
    met = Counter(frozenset(pair) for table in found for pair in combinations(table, 2))
    assert all(any(agent in pair for pair in met) for agent in range(agents))
    if agents == seats * (seats - 1) + 1:  # a projective plane: every pair meets at one table
        assert set(met.values()) == {seats}
        assert len(met) == agents * (agents - 1) // 2


def test_a_circle_needs_enough_agents():
    with pytest.raises(BadValue, match="at least 7 agents, not 5"):
        seatings("circle", 5, 4, None)


def test_a_gauntlet_without_a_hero_is_the_first_agents():
    assert seatings("gauntlet", 3, 2, None) == [(0, 1), (1, 0), (0, 2), (2, 0)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_in_a_rotation_every_agent_has_every_seat_once(seats):
    found = seatings("rotation", seats, seats, None)
    assert found[0] == tuple(range(seats))
    for agent in range(seats):
        assert sorted(table.index(agent) for table in found) == list(range(seats))


def test_a_rotation_of_fewer_agents_than_seats_has_all_seatings_in_which_every_agent_takes_part():
    assert seatings("rotation", 2, 3, None) == seatings("round-robin", 2, 3, None)


def test_equal_shares_are_all_seatings_of_two_and_two():
    found = seatings("equal-shares", 2, 4, None)
    assert len(set(found)) == 6
    assert all(table.count(0) == table.count(1) == 2 for table in found)


def test_one_against_copies_seats_one_agent_everywhere_against_copies_of_another():
    assert seatings("one-against-copies", 2, 3, 0) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert len(seatings("one-against-copies", 3, 3, None)) == 3 * 2 * 3


def test_fixed_and_self_play():
    assert seatings("fixed", 3, 3, None) == [(0, 1, 2)]
    assert seatings("self-play", 2, 3, None) == [(0, 0, 0), (1, 1, 1)]


@pytest.mark.parametrize(
    ("scheme", "agents", "words"),
    [
        ("round-robin", 1, "self-play"),
        ("gauntlet", 1, "field"),
        ("one-against-copies", 1, "at least 2"),
        ("fixed", 4, "each of the 3 seats, not 4"),
        ("rotation", 1, "a match in 3 seats is between 2 to 3 agents, not 1"),
        ("rotation", 4, "a match in 3 seats is between 2 to 3 agents, not 4"),
        ("round-robin", 90, "name fewer agents"),
        ("equal-shares", 2, "3 seats cannot be shared equally by 2 agents"),
    ],
)
def test_a_scheme_that_cannot_be_is_refused(scheme, agents, words):
    with pytest.raises(BadValue, match=words):
        seatings(scheme, agents, 3, None)


def test_an_unknown_scheme_is_told_the_known_ones():
    with pytest.raises(UnknownName, match="gauntlet"):
        seatings("swiss", 3, 3, None)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_games_of_a_block_share_deal_and_opening_and_no_two_minds_share_dice(scheme):
    game = games.find("chexers")
    agents = 4 if scheme == "circle" else 3
    tables = seatings(scheme, agents, 3, None)
    planned = list(schedule(game, agents, tables, 4 * len(tables), 7, 3))
    assert [fixture.number for fixture in planned] == list(range(4 * len(tables)))
    for block, members in groupby(planned, key=lambda fixture: fixture.block):
        members = list(members)
        assert [fixture.seating for fixture in members] == tables
        assert len({fixture.deal_seed for fixture in members}) == 1
        assert len({fixture.opening for fixture in members}) == 1
        assert block == members[0].number // len(tables)
    dice = [seed for fixture in planned for seed in fixture.agent_seeds]
    assert len(set(dice)) == len(dice)
    assert len({fixture.opening for fixture in planned}) == 4


def test_the_plan_with_more_games_begins_with_the_plan_with_fewer():
    game, tables = games.find("quarto"), seatings("round-robin", 3, 2, None)
    few, many = (list(schedule(game, 3, tables, n, 5, 4)) for n in (12, 60))
    assert many[:12] == few


def test_openings_are_legal_and_do_not_end_the_game():
    game = games.find("quarto")
    for seed in range(30):
        moves = Opener(game, 12).open(seed, seed)
        table = Table(game, seed)
        for move in moves:
            table.play(move)
        assert len(moves) == 12
        assert not table.over


def test_an_opening_longer_than_any_game_is_refused():
    game = games.find("quarto")
    check_opening(game, 20, 1)
    with pytest.raises(BadValue, match=r"openings = 32, but 100 random games of quarto were over .* after 32 plies"):
        check_opening(game, 32, 1)
    with pytest.raises(BadValue, match="openings = 32, but 10,000 random games"):
        Opener(game, 32).open(1, 1)


def test_an_opening_that_few_games_reach_is_found_for_every_block():
    opener = Opener(games.find("quarto"), 31)
    assert all(len(opener.open(seed, seed)) == 31 for seed in range(40))


def test_the_usual_opening_of_a_short_game_leaves_something_to_play(monkeypatch):
    monkeypatch.setattr("kibitz.arena.plan.schedule._deals_differ", lambda game: False)
    kuhn = games.find(str(ROOT / "tests" / "kuhn"))
    found = {seed: usual_opening(kuhn, seed) for seed in range(20)}
    assert set(found.values()) == {0, 2}  # games last two or three plies
    for seed, plies in found.items():
        assert len(Opener(kuhn, plies).open(seed, seed)) == plies


def test_openings_are_random_only_where_deals_are_all_the_same():
    found = {name: usual_opening(games.find(name), 1) for name in games.names()}
    assert found == {
        "cartagena": 0, "chexers": 6, "chinese_checkers": 6, "colonizers": 0, "focus": 4, "quarto": 4, "rolit": 8
    }  # fmt: skip
