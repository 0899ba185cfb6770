"""Colonizers: cases that can be checked by hand with the rules beside them."""

import pytest

from kibitz import agents, games
from kibitz.arena.match import play_match
from kibitz.core.contract import OVER
from kibitz.core.errors import BadValue
from kibitz.core.scene import TEXT_WIDTH
from kibitz.core.table import Table
from kibitz.games.colonizers.cards import DECK, MODULES, of_colour, unpack
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILT,
    COLONY,
    FIRST,
    HAND,
    HEAD,
    HELD,
    OMNIUM,
    PHASE,
    ROUND,
    TAIL,
    WORTH,
    see_place,
)
from kibitz.games.colonizers.rules import TAKE_OMNIUM, UNSEEN, seen
from tests.games.colonizers_sandbox import KIND, NAME, Sandbox, deck_in

PICKS = "miner, general, ecologist, opportunist"


def colony_of(names):
    """Return a packed colony."""
    return sum(1 << 4 * KIND[name] for name in names)


def give(table, seat, hand=(), colony=(), omnium=0):
    """Put cards and Omnium before a seat, out of thin air."""
    table.set(HAND + seat, colony_of(hand)).set(HELD + seat, len(hand)).set(OMNIUM + seat, omnium)
    table.set(COLONY + seat, colony_of(colony)).set(BUILT + seat, len(colony))
    return table.set(WORTH + seat, sum(MODULES[KIND[name]].value for name in colony))


def test_there_are_52_modules_of_16_kinds_as_in_table_2_1():
    assert len(DECK) == 52
    assert len(MODULES) == 16
    assert sum(module.copies for module in MODULES) == 52
    assert sum(module.copies * module.value for module in MODULES) == 4 * (18 + 11 + 6 + 14) + 11 + 10 + 7 + 16
    assert (MODULES[KIND["mass relay"]].cost, MODULES[KIND["mass relay"]].value) == (12, 16)


def test_a_packed_colony_counts_its_colours():
    colony = colony_of(["eco-dome", "oxygen generator", "quarry", "garrison", "barracks", "mass relay"])
    assert [of_colour(colony, colour) for colour in range(4)] == [2, 1, 2, 1]
    assert unpack(colony) == sorted(
        KIND[name] for name in ("eco-dome", "oxygen generator", "quarry", "garrison", "barracks", "mass relay")
    )


def test_four_seats_pick_from_five_four_three_and_two():
    table = Sandbox(away=["spy"])
    assert table.moves() == ["visionary", "ecologist", "miner", "general", "opportunist"]
    assert table.play("miner").moves() == ["visionary", "ecologist", "general", "opportunist"]
    assert table.play("general").moves() == ["visionary", "ecologist", "opportunist"]
    assert table.play("visionary").moves() == ["ecologist", "opportunist"]
    assert table.play("ecologist").moves() == ["omnium", "modules"]


def test_taking_omnium_gives_two_and_without_cards_there_is_nothing_to_build():
    table = Sandbox().play(PICKS).play("omnium")
    assert table.state[OMNIUM] == 2
    assert table.turn == 1


def test_of_two_cards_one_is_kept_and_the_other_goes_to_the_bottom():
    table = Sandbox(["quarry", "garrison", "barracks"]).play(PICKS).play("modules")
    assert table.moves() == ["keep quarry", "keep garrison"]
    table.play("keep garrison")
    assert table.hand(0) == ["garrison"]
    assert deck_in(table.state)[0] == "barracks"
    assert deck_in(table.state)[-1] == "quarry"
    assert len(deck_in(table.state)) == 51


def test_two_cards_of_a_kind_are_one_choice_but_still_a_move():
    table = Sandbox(["quarry", "quarry"]).play(PICKS).play("modules")
    assert table.moves() == ["keep quarry"]
    assert table.turn == 0


@pytest.mark.parametrize(
    ("colonist", "gain"), [("ecologist", 3), ("miner", 2), ("general", 1), ("opportunist", 0), ("visionary", 0)]
)
def test_a_passive_gives_one_omnium_for_each_module_of_its_colour(colonist, gain):
    others = [name for name in ("ecologist", "miner", "general", "opportunist", "visionary") if name != colonist]
    table = Sandbox(away=["spy"])
    green = ["oxygen generator", "water reservoir", "eco-dome"]
    give(table, 0, colony=[*green, "quarry", "warehouse", "garrison", "spaceport"])
    table.play(f"{colonist}, {', '.join(others[:3])}").play("omnium")
    assert table.state[OMNIUM] == 2 + gain


def test_visionary_draws_the_top_card_before_the_two_to_choose_from():
    table = Sandbox(["quarry", "garrison", "barracks"], ["spy"]).play("visionary, miner, general, ecologist")
    assert table.moves() == ["omnium", "modules"]
    table.play("modules")
    assert table.hand(0) == ["quarry"]
    assert table.moves() == ["keep garrison", "keep barracks"]


def test_visionary_with_a_full_hand_draws_nothing():
    table = give(Sandbox(away=["spy"]), 0, hand=["quarry"] * 3 + ["garrison"] * 2)
    table.play("visionary, miner, general, ecologist")
    assert table.state[HELD] == 5
    assert table.state[HEAD] == 0


def test_a_card_kept_with_a_hand_that_visionary_filled_leaves_the_game():
    table = give(Sandbox(["garrison", "eco-dome", "quarry"], ["spy"]), 0, hand=["barracks"] * 4)
    table.play("visionary, miner, general, ecologist").play("modules")
    assert table.state[HELD] == 5
    table.play("keep eco-dome")
    assert sorted(table.hand(0)) == ["barracks"] * 4 + ["garrison"]
    assert deck_in(table.state)[-1] == "quarry"
    assert "eco-dome" not in deck_in(table.state)


def test_with_a_full_hand_omnium_is_taken_without_asking():
    table = give(Sandbox(), 0, hand=["mass relay"] + ["quarry"] * 4).play(PICKS)
    assert table.state[OMNIUM] == 2
    assert table.turn == 0
    assert table.moves() == ["nothing"]


def test_only_modules_that_can_be_paid_for_are_offered():
    table = give(Sandbox(), 0, hand=["garrison", "barracks", "quarry", "mass relay"], omnium=1)
    table.play(PICKS).play("omnium")
    assert table.moves() == ["build garrison", "build barracks", "nothing"]


def test_a_seat_whose_cards_are_all_too_dear_still_says_nothing():
    table = give(Sandbox(), 0, hand=["mass relay"]).play(PICKS).play("omnium")
    assert table.turn == 0
    assert table.moves() == ["nothing"]


def test_a_seat_without_omnium_is_passed_over_when_it_comes_to_building():
    table = Sandbox(["quarry", "garrison"]).play(PICKS).play("modules, keep garrison")
    assert table.turn == 1


def test_building_costs_omnium_and_moves_the_card_to_the_colony():
    table = give(Sandbox(), 0, hand=["quarry", "quarry"], omnium=4).play(PICKS).play("omnium, build quarry")
    assert table.state[OMNIUM] == 1
    assert table.hand(0) == ["quarry"]
    assert unpack(table.state[COLONY]) == [KIND["quarry"]]
    assert (table.state[BUILT], table.state[WORTH]) == (1, 6)
    assert table.turn == 1


def test_opportunist_steals_two_at_once_even_from_a_seat_that_has_not_moved():
    table = give(give(Sandbox(), 2, omnium=5), 1, omnium=1)
    table.play("opportunist, miner, general, ecologist").play("omnium")
    assert table.moves() == [
        *("name visionary", "name ecologist", "name miner", "name general"),
        *("name spy", "nothing"),
    ]
    table.play("name general")
    assert (table.state[OMNIUM], table.state[OMNIUM + 2]) == (4, 3)


def test_opportunist_steals_no_more_than_there_is():
    table = give(Sandbox(), 1, omnium=1).play("opportunist, miner, general, ecologist").play("omnium, name miner")
    assert (table.state[OMNIUM], table.state[OMNIUM + 1]) == (3, 0)


def test_naming_a_colonist_that_nobody_holds_has_no_effect():
    table = give(Sandbox(), 1, omnium=4).play("opportunist, miner, general, ecologist").play("omnium, name visionary")
    assert [table.state[OMNIUM + seat] for seat in range(4)] == [2, 4, 0, 0]


def test_spy_swaps_whole_hands():
    table = give(give(Sandbox(), 0, hand=["garrison"]), 3, hand=["quarry", "eco-dome", "spaceport"])
    table.play("spy, miner, general, ecologist").play("omnium, name ecologist")
    assert table.hand(0) == ["eco-dome", "quarry", "spaceport"]
    assert table.hand(3) == ["garrison"]
    assert (table.state[HELD], table.state[HELD + 3]) == (3, 1)


def test_either_power_may_be_left_unused():
    table = give(Sandbox(), 3, hand=["quarry"]).play("spy, miner, general, ecologist").play("omnium, nothing")
    assert table.hand(3) == ["quarry"]
    assert table.turn == 1


def test_colonists_without_a_power_go_straight_to_building():
    table = give(Sandbox(), 0, hand=["garrison"]).play(PICKS).play("omnium")
    assert table.state[PHASE] == BUILD


def test_the_game_ends_after_seat_4_once_a_colony_has_eight_modules():
    seven = ["garrison"] * 4 + ["barracks"] * 3
    table = give(Sandbox(), 0, hand=["barracks"], colony=seven)
    table.play("miner, spy, ecologist, opportunist").play("omnium, build barracks")
    assert table.state[FIRST] == 0
    table.play("omnium, nothing, omnium")
    assert table.turn == 3
    table.play("omnium, nothing")
    assert table.turn == OVER


def test_a_new_round_follows_while_no_colony_is_full():
    table = Sandbox().play(PICKS).play("omnium, omnium, omnium, omnium, nothing")
    assert table.state[ROUND] == 2
    assert table.turn == 0
    assert len(table.moves()) == 5


def test_the_game_ends_as_it_stands_after_as_many_rounds_as_there_may_be():
    table = Sandbox(options="max_rounds=2, payoff=rank")
    for seat, colony in enumerate([["garrison"], ["quarry"], [], ["quarry"]]):
        give(table, seat, colony=colony)
    table.play(PICKS).play("omnium, omnium, omnium, omnium, nothing")
    assert table.state[ROUND] == 2
    table.play(PICKS).play("omnium, omnium, omnium, omnium, nothing")
    assert table.turn == OVER
    assert table.payoff() == [0.1, 1.0, 0.0, 0.2]


def test_an_empty_deck_pays_nothing_in_the_last_round_there_may_be_either():
    table = give(Sandbox(options="max_rounds=1"), 3, colony=["quarry"])
    table.set(HEAD, int(table.state[TAIL]) - 1).play(PICKS).play("modules")
    assert table.turn == OVER
    assert table.payoff() == [0.0, 0.0, 0.0, 0.0]


def test_a_game_of_misers_who_never_build_ends_after_500_rounds():
    table = Table(games.find("colonizers"), 1)
    while not table.over and table.ply < 10_000:
        moves = table.moves()
        table.play(TAKE_OMNIUM if TAKE_OMNIUM in moves else moves[-1])
    assert table.over
    assert table._state[ROUND] == 500
    assert table.payoff() == [1.0, 0.0, 0.0, 0.0]


def finished(options, colonies, first):
    """Return a finished game with these colonies."""
    table = Sandbox(options=options)
    for seat, colony in enumerate(colonies):
        give(table, seat, colony=colony)
    return table.set(FIRST, first)


FULL = ["garrison"] * 4 + ["housing unit"] * 4  # 8 points
COLONIES = [["quarry", "quarry"], FULL, FULL, ["water reservoir", "water reservoir"]]  # 12, 8, 8, 12 points


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("payoff=points", [0.120003, 0.10, 0.120002, 0.120001]),
        ("payoff=points, bonus=flat", [0.120003, 0.120002, 0.120001, 0.12]),
        ("payoff=rank", [1.0, 0.0, 0.2, 0.1]),
        ("payoff=win", [1.0, 0.0, 0.0, 0.0]),
    ],
)
def test_the_first_full_colony_adds_four_points_others_two_and_ties_go_to_the_lower_seat(options, expected):
    assert finished(options, COLONIES, first=2).payoff() == pytest.approx(expected, rel=1e-9)


def test_the_same_seats_win_the_same_games_whatever_is_paid():
    results = [
        play_match(games.find(f"colonizers(payoff={kind})"), ["random"] * 4, games=400, seed=42).agents
        for kind in ("win", "rank", "points")
    ]
    wins, ranks, points = [[(agent.wins, agent.draws) for agent in result] for result in results]
    assert wins == ranks == points


def test_every_full_colony_adds_four_points_if_the_bonus_is_flat():
    table = finished("payoff=rank, bonus=flat", [[], FULL, FULL, []], first=2)
    assert table.payoff() == pytest.approx([0.1, 1.0, 0.2, 0.0])


@pytest.mark.parametrize("payoff", ["win", "rank", "points"])
def test_drawing_from_a_deck_of_one_card_ends_the_game_with_nothing_for_anyone(payoff):
    table = give(Sandbox(options=f"payoff={payoff}"), 3, colony=FULL).set(FIRST, 3)
    table.set(HEAD, int(table.state[TAIL]) - 1).play(PICKS).play("modules")
    assert table.turn == OVER
    assert table.payoff() == [0.0, 0.0, 0.0, 0.0]


def test_visionary_may_take_the_last_but_one_card_and_so_end_the_game():
    table = Sandbox(away=["spy"]).set(HEAD, 50).play("visionary, miner, general, ecologist").play("modules")
    assert table.turn == OVER
    assert table.state[HELD] == 1


def test_visionary_draws_nothing_from_an_empty_deck():
    table = Sandbox(away=["spy"]).set(HEAD, 52).play("visionary, miner, general, ecologist").play("omnium")
    assert table.state[HELD] == 0
    assert table.turn == 1


@pytest.mark.parametrize(
    ("agent", "sure"), [("heuristic", False), ("heuristic(rule5=modules)", False), ("heuristic(rule5=hand)", True)]
)
def test_rule_5_of_the_heuristic_counts_modules_as_the_thesis_says_or_the_hand_as_its_program_did(agent, sure):
    five = ["research lab", "housing unit", "garrison", "barracks", "marketplace"]  # only the first gains anything
    table = give(Sandbox(away=["spy"]), 0, hand=five, omnium=6).play(PICKS)
    built = {agents.build(agent, table.game, seed).decide(table.view(0)).move for seed in range(40)}
    assert 4 * KIND["research lab"] in built
    assert (len(built) == 1) == sure


def test_rule_5_of_the_heuristic_counts_nothing_else():
    with pytest.raises(BadValue, match="it takes modules or hand"):
        agents.build("heuristic(rule5=deck)", Sandbox().game, 1)


def test_picks_and_keeps_look_alike_to_the_others_and_other_moves_do_not():
    table = Sandbox(["quarry", "garrison"], ["spy"])
    assert seen(table.state, NAME["miner"], 0) == NAME["miner"]
    assert seen(table.state, NAME["miner"], 2) == seen(table.state, NAME["general"], 2) == UNSEEN
    table.play(PICKS)
    assert seen(table.state, 0, 3) != seen(table.state, 1, 3)
    table.play("modules")
    assert seen(table.state, 4 * KIND["quarry"], 1) == seen(table.state, 4 * KIND["garrison"], 1) == UNSEEN
    assert seen(table.state, 4 * KIND["quarry"], 0) == 4 * KIND["quarry"]


def test_the_deck_a_seat_knows_much_of_is_listed_from_the_bottom_in_lines_that_fit_a_terminal():
    table = Sandbox()
    for place in range(30):
        see_place(table.state, 2, place)
    text = table.game.text(table.view(2))
    assert "deck: 52 cards; you know, from the bottom: 23rd " in text
    assert max(map(len, text.split("\n"))) <= TEXT_WIDTH
