"""Colonizers in pictures and words: what may be clicked, what is hidden, and what a move changed."""

import pytest

from kibitz.core.contract import OVER
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILT,
    COLONY,
    DRAW,
    FIRST,
    HAND,
    HEAD,
    HELD,
    KEEP,
    OMNIUM,
    PHASE,
    PICK,
    POWER,
    TAIL,
)
from kibitz.games.colonizers.rules import NOTHING
from tests.games.colonizers_sandbox import KIND, Sandbox
from tests.games.scenes import all_views, check, positions, public_view, targets

PICKS = "miner, general, ecologist, opportunist"


def give(table, seat, hand=(), omnium=0):
    """Put cards and Omnium before a seat, out of thin air."""
    cards = sum(1 << 4 * KIND[name] for name in hand)
    return table.set(HAND + seat, cards).set(HELD + seat, len(hand)).set(OMNIUM + seat, omnium)


def changed(table, move, seat=None):
    """Play a move; return what it changed in words, for a seat or for who sees everything."""
    before = table.state.copy() if seat is None else table.view(seat)
    table.play(move)
    return table.game.changes(before, table.state if seat is None else table.view(seat))


def panel_of(scene, seat):
    """Return the panel of a seat."""
    return next(panel for panel in scene.panels if panel.seat == seat)


def keys_in(panel):
    """Return the keys of the things in a panel, in order."""
    return [shape.key for shape in panel.shapes if shape.key]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_position_can_be_drawn_for_everyone(seed):
    for table in positions("colonizers", seed):
        legal = [] if table.over else table.moves()
        for view in all_views(table):
            check(table.game.scene(view, legal))


def test_every_choice_but_doing_nothing_is_a_thing_to_click():
    phases = set()
    for table in positions("colonizers"):
        if not table.over:
            view, legal = table.view(table.turn), table.moves()
            offered = {move for shape in targets(table.game.scene(view, legal)) for move in shape.moves}
            assert offered == set(legal) - {NOTHING}
            phases.add(int(view[PHASE]))
    assert phases == {PICK, DRAW, KEEP, POWER, BUILD}


def test_a_choice_is_one_thing_unless_cards_are_alike():
    for table in positions("colonizers"):
        if not table.over:
            found = {}
            for shape in targets(table.game.scene(table.view(table.turn), table.moves())):
                assert len(shape.moves) == 1
                assert found.setdefault(shape.moves, shape.key) == shape.key


def test_what_is_hidden_from_everyone_has_no_name_in_a_scene():
    for table in positions("colonizers"):
        if table.over:
            break
        view = public_view(table)
        scene = table.game.scene(view, [])
        for seat in range(4):
            cards = keys_in(panel_of(scene, seat))[int(view[BUILT + seat]) :]
            if view[HAND + seat] < 0 and view[HELD + seat] and cards:  # of a hand that nobody knows, a number tells all
                assert "back" in cards
            assert len(cards) in (0, view[HELD + seat])
        for panel in scene.panels:
            if panel.name == "offer":
                assert keys_in(panel) == ["back", "back"]


def test_a_seat_reads_its_own_hand_and_sees_how_many_cards_others_hold():
    table = Sandbox(["garrison", "quarry", "eco-dome", "spaceport"]).play(PICKS).play("modules, keep garrison")
    table.play("modules, keep spaceport")
    scene = table.game.scene(table.view(0), [])
    assert keys_in(panel_of(scene, 0)) == ["garrison"]
    assert keys_in(panel_of(scene, 1)) == []
    assert "seat 2 holds 1 card" in [shape.title for shape in panel_of(scene, 1).shapes]


def test_the_two_cards_are_offered_to_the_one_who_drew_them():
    table = Sandbox(["garrison", "quarry"]).play(PICKS).play("modules")
    mine, other = (table.game.scene(table.view(seat), []) for seat in (0, 1))
    assert [keys_in(scene.panels[1]) for scene in (mine, other)] == [["garrison", "quarry"], ["back", "back"]]


@pytest.mark.parametrize(
    ("moves", "prompt"),
    [
        ("", "Seat 1: pick a colonist, in secret"),
        ("spy, miner, general, ecologist", "Seat 1: take 2 Omnium, or draw two modules to keep one"),
        (
            "spy, miner, general, ecologist, modules",
            "Seat 1: keep one of the two modules; the other goes under the deck",
        ),
        (
            "spy, miner, general, ecologist, omnium",
            "Seat 1: use the Spy's power: name a colonist, to swap hands with its holder, or do nothing",
        ),
        (
            "opportunist, miner, general, ecologist, omnium",
            "Seat 1: use the Opportunist's power: name a colonist, to take 2 Omnium from its holder, or do nothing",
        ),
    ],
)
def test_the_prompt_says_what_is_asked(moves, prompt):
    table = Sandbox(["garrison", "quarry"])
    if moves:
        table.play(moves)
    assert table.game.scene(table.view(0), []).prompt == prompt


def test_stolen_omnium_is_told_with_thief_and_victim():
    table = give(Sandbox(), 2, omnium=5).play("opportunist, miner, general, ecologist, omnium")
    assert changed(table, "name general", seat=1) == [
        "seat 3 is the general",
        "seat 1 takes 2 Omnium from seat 3",
        "seat 1 has 4 Omnium (+2)",
        "seat 3 has 3 Omnium (-2)",
    ]


def test_omnium_stolen_from_a_seat_whose_income_makes_up_for_it_is_told():
    table = give(Sandbox(), 1, hand=["quarry"] * 4 + ["mass relay"], omnium=2)
    table.play("opportunist, miner, general, ecologist, omnium")
    assert "seat 1 takes 2 Omnium from seat 2" in changed(table, "name miner")


def test_building_is_no_theft_by_the_next_seat_that_happens_to_earn_as_much():
    table = give(give(Sandbox(), 0, hand=["barracks"]), 1, hand=["quarry"] * 4 + ["mass relay"])
    table.play(PICKS).play("omnium")
    assert changed(table, "build barracks") == [
        "seat 2 is the general",
        "seat 1 has 0 Omnium (-2) and 0 in hand (-1)",
        "seat 2 has 2 Omnium (+2)",
    ]


def test_a_colonist_named_in_vain_is_told():
    table = give(Sandbox(), 1, omnium=4).play("opportunist, miner, general, ecologist, omnium")
    assert changed(table, "name visionary", seat=3) == ["nobody who could be hit is the visionary"]


@pytest.mark.parametrize(
    ("seat", "given", "got"),
    [(2, "1 card (quarry)", "1 card (garrison)"), (0, "1 card (quarry)", "1 card (garrison)"), (1, "1 card", "1 card")],
)
def test_swapped_hands_are_told_by_name_only_to_those_who_held_them(seat, given, got):
    table = Sandbox(["garrison", "barracks", "quarry", "eco-dome"]).play("miner, general, spy, ecologist")
    table.play("modules, keep garrison, omnium, modules, keep quarry")
    told = changed(table, "name miner", seat)
    assert f"seats 3 and 1 swap hands: seat 3 gives {given} for {got}" in told


def test_a_card_that_finds_the_hand_full_is_told_to_leave_the_game():
    table = give(Sandbox(["garrison", "eco-dome", "quarry"], ["spy"]), 0, hand=["barracks"] * 4)
    table.play("visionary, miner, general, ecologist, modules")
    told = changed(table, "keep eco-dome")
    assert "the card that seat 1 kept leaves the game, for its hand is full" in told


def test_a_full_colony_is_told_and_so_is_the_end():
    table = give(Sandbox(), 3, hand=["garrison"]).set(COLONY + 3, 7 << 4 * KIND["quarry"]).set(BUILT + 3, 7)
    table.play(PICKS).play("omnium, omnium, omnium, omnium, nothing")
    told = changed(table, "build garrison")
    assert "seat 4 has a full colony, so this is the last round" in told
    assert told[-1] == "seat 4 wins with 5 points"
    assert table.game.scene(table.state, []).prompt == ""


def test_a_deck_that_runs_out_leaves_nobody_the_winner():
    table = Sandbox()
    table.set(HEAD, int(table.state[TAIL]) - 1).play(PICKS)
    assert changed(table, "modules")[-1] == "nobody wins, for the deck ran out"
    assert table.turn == OVER
    assert table.state[FIRST] == -1
