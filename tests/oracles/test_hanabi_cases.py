"""Positions of Hanabi worked out by hand: the cards named first are dealt first, five to seat 0, five to seat 1."""

import pytest

from tests.oracles.hanabi import Oracle, cards

COPIES = (3, 2, 2, 2, 1)


def game(text, **options):
    """Return a game whose deck begins with the cards of the text; the rest is in order."""
    rest = cards(options.get("colours", 5), options.get("copies", COPIES))
    for card in text.split():
        rest.remove(card)
    return Oracle(options, {"deck": [*text.split(), *rest]})


def play(oracle, *texts):
    for text in texts:
        oracle.play(text)
    return oracle


HANDS = "R1 R1 Y2 G3 B5 W1 R2 R3 Y1 G1"


def test_there_are_fifty_cards():
    assert len(cards(5, COPIES)) == 50
    assert [cards(1, COPIES).count("R" + rank) for rank in "12345"] == [3, 2, 2, 2, 1]


@pytest.mark.parametrize(("seats", "size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_hands_are_dealt_one_seat_after_the_other(seats, size):
    oracle = game("", seats=seats)
    assert [len(hand) for hand in oracle.hands] == [size] * seats
    assert [card for hand in oracle.hands for card in hand] == cards(5, COPIES)[: seats * size]


def test_first_moves():
    plays = {f"play {number}" for number in range(1, 6)}
    assert game(HANDS).moves() == plays | {f"hint 1 {sign}" for sign in "WRYG123"}


def test_a_playable_card_is_played_and_replaced():
    oracle = play(game(HANDS + " B4"), "play 1")
    assert oracle.stacks == {"R": 1, "Y": 0, "G": 0, "W": 0, "B": 0}
    assert oracle.hands[0] == ["R1", "Y2", "G3", "B5", "B4"]
    assert (oracle.turn, oracle.lives, oracle.discards) == (1, 3, [])


def test_a_card_that_does_not_fit_costs_a_life():
    oracle = play(game(HANDS), "play 1", "hint 0 R", "play 1")
    assert (oracle.lives, oracle.discards, oracle.stacks["R"]) == (2, ["R1"], 1)


def test_a_hint_costs_a_token_and_a_discard_brings_it_back():
    oracle = play(game(HANDS), "hint 1 R")
    assert (oracle.tokens, "discard 1" in oracle.moves()) == (7, True)
    play(oracle, "discard 5")
    assert (oracle.tokens, oracle.discards, "discard 1" in oracle.moves()) == (8, ["G1"], False)


def test_no_hint_without_a_token():
    oracle = play(game(HANDS, tokens=1), "hint 1 R")
    assert not any(text.startswith("hint") for text in oracle.moves())


def test_a_hint_names_all_such_cards_and_rules_it_out_for_the_others():
    oracle = play(game(HANDS), "hint 1 R")
    assert [told["colour"] for told in oracle.told[1]] == [None, "R", "R", None, None]
    assert [told["colours"] for told in oracle.told[1]] == ["YGWB", "R", "R", "YGWB", "YGWB"]
    assert oracle.seen(1)[-1] == ("hints", 0, 1, "R", 2, 3)


def test_what_was_told_moves_up_with_the_card():
    oracle = play(game(HANDS), "hint 1 2", "play 1")
    assert oracle.hands[1][:4] == ["R2", "R3", "Y1", "G1"]
    assert [told["rank"] for told in oracle.told[1]] == ["2", None, None, None, None]
    assert oracle.told[1][4] == {"colours": "RYGWB", "ranks": "12345", "colour": None, "rank": None}


def test_a_five_brings_back_a_token_if_one_is_missing():
    deck = "R1 R3 R5 Y1 Y1 R2 R4 G1 G1 W1"
    oracle = play(game(deck), "play 1", "play 1", "play 1", "play 1", "play 1")
    assert (oracle.stacks["R"], oracle.tokens, oracle.lives) == (5, 8, 3)
    oracle = play(game(deck), "hint 1 2", "hint 0 1", "play 1", "play 1", "play 1", "play 1")
    assert oracle.tokens == 6
    play(oracle, "play 1")
    assert (oracle.stacks["R"], oracle.tokens) == (5, 7)


@pytest.mark.parametrize(("no_lives", "points"), [("zero", 0), ("stacks", 1)])
def test_the_game_ends_with_the_last_life(no_lives, points):
    oracle = play(game(HANDS, no_lives=no_lives, lives=1), "play 1", "play 3")
    assert (oracle.turn, oracle.lives, oracle.score()) == (None, 0, points)
    assert oracle.payoff() == [points / 25] * 2
    assert len(oracle.hands[1]) == 4


def test_a_complete_variant_ends_at_once():
    oracle = game("R1 R2 R1 R1", colours=1, copies=(3, 1), hand=2)
    play(oracle, "play 1")
    assert (oracle.deck, oracle.left, oracle.turn) == ([], 1, 1)
    oracle = game("R1 R1 R2 R1", colours=1, copies=(3, 1), hand=2)
    play(oracle, "play 1", "play 1")
    assert (oracle.turn, oracle.payoff()) == (None, [1.0, 1.0])


def test_after_the_last_card_every_seat_has_one_more_turn():
    # deck of 10, two hands of 4: two cards to draw
    oracle = game("R1 R1 R2 R3 R1 R2 R3 R4 R4 R5", colours=1, hand=4)
    play(oracle, "play 1")
    assert oracle.left is None
    play(oracle, "play 2")
    assert (oracle.deck, oracle.left, oracle.hands[1]) == ([], 2, ["R1", "R3", "R4", "R5"])
    play(oracle, "play 3")
    assert (oracle.left, oracle.turn, oracle.hands[0]) == (1, 1, ["R1", "R2", "R4"])
    play(oracle, "play 3")
    assert (oracle.turn, oracle.score(), oracle.payoff()) == (None, 4, [0.8, 0.8])


def test_a_deal_that_uses_up_the_deck_leaves_one_turn_each():
    oracle = game("", colours=1, hand=5)
    assert oracle.left == 2
    play(oracle, "play 1", "hint 0 1")
    assert (oracle.turn, oracle.score()) == (None, 1)


def test_a_seat_sees_all_hands_but_its_own():
    oracle = game(HANDS)
    assert oracle.view(0)["hands"] == [None, HANDS.split()[5:]]
    assert oracle.view(1)["hands"] == [HANDS.split()[:5], None]


def test_a_drawn_card_is_seen_by_the_others_and_a_played_one_by_all():
    oracle = play(game(HANDS + " B4"), "play 1")
    assert oracle.seen(0)[-2:] == [("plays", 0, "R1"), ("draws", 0)]
    assert oracle.seen(1)[-2:] == [("plays", 0, "R1"), ("draws", 0, "B4")]


def test_nobody_hints_himself():
    assert not any(text.startswith("hint 0") for text in game(HANDS).moves())


def test_a_deck_must_be_complete():
    with pytest.raises(ValueError, match="complete"):
        Oracle({}, {"deck": ["R1"] * 50})
