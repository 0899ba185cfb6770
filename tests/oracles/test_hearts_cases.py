"""Hands of Hearts worked out by hand: every seat holds one suit, but for some cards that change places."""

import pytest

from tests.oracles.hearts import RANKS, Oracle, deck


def suits(*swaps, order="CDSH"):
    """Return a deal of 13 cards of one suit per seat, after exchanging pairs of cards."""
    hands = [[rank + suit for rank in RANKS] for suit in order]
    for one, two in swaps:
        hands = [[two if card == one else one if card == two else card for card in hand] for hand in hands]
    return hands


def game(*deals, passing="none", **options):
    return Oracle({"passing": passing, **options}, {"deals": deals})


def play(oracle, *texts):
    for text in texts:
        oracle.play(text)
    return oracle


def finish(oracle):
    """Let every seat play its lowest legal card of the deck to the end of the hand."""
    number = oracle.number
    while oracle.turn is not None and oracle.number == number:
        oracle.play(min(oracle.moves(), key=deck(oracle.seats).index))
    return oracle


@pytest.mark.parametrize(("seats", "cards", "lowest"), [(3, 17, "2C"), (4, 13, "2C"), (5, 10, "3C")])
def test_the_lowest_club_leads(seats, cards, lowest):
    whole = deck(seats)
    assert len(whole) == seats * cards
    oracle = game([whole[seat::seats] for seat in range(seats)], seats=seats)
    assert (oracle.turn, oracle.moves()) == (0, {lowest})


def test_suit_must_be_followed():
    oracle = play(game(suits(("3C", "2D"))), "2C")
    assert oracle.moves() == {"3C"}


def test_no_queen_of_spades_and_no_heart_on_the_first_trick():
    oracle = play(game(suits(("AS", "2H"))), "2C", "2D")
    assert oracle.moves() == {rank + "S" for rank in RANKS} - {"AS", "QS"}


def test_hearts_on_the_first_trick_if_nothing_else_is_held():
    oracle = play(game(suits()), "2C", "2D", "2S")
    assert oracle.moves() == {rank + "H" for rank in RANKS}


def test_hearts_and_the_queen_on_the_first_trick_if_nothing_else_is_held():
    oracle = play(game(suits(("QS", "AH"))), "2C", "2D", "2S")
    assert oracle.moves() == {rank + "H" for rank in RANKS} - {"AH"} | {"QS"}


def test_the_highest_card_of_the_suit_led_takes_the_trick():
    oracle = play(game(suits(("5C", "AD"), ("KC", "AS"))), "2C", "5C", "KC", "2H")
    assert (oracle.turn, oracle.leader, oracle.taken) == (2, 2, [0, 0, 1, 0])


def test_hearts_are_not_led_before_one_was_played():
    oracle = play(game(suits(("2C", "2H"))), "2C", "3C", "2D", "2S")
    assert (oracle.turn, oracle.broken) == (0, False)
    assert oracle.moves() == {rank + "C" for rank in RANKS[2:]}


def test_a_discarded_heart_breaks_hearts_and_the_queen_does_not():
    oracle = play(game(suits(("2C", "2H"))), "2C", "3C", "2D", "2S", "4C", "3D", "QS")
    assert not oracle.broken
    play(oracle, "3H")
    assert oracle.broken
    assert (oracle.turn, oracle.taken) == (0, [14, 0, 0, 0])
    assert "2H" in oracle.moves()


def test_who_holds_only_hearts_may_lead_them():
    oracle = play(game(suits(("AC", "AH"))), "2C", "2D", "2S", "AC")
    assert oracle.turn == 3
    assert oracle.moves() == {rank + "H" for rank in RANKS[:-1]}


def test_who_holds_only_hearts_and_the_queen_leads_the_queen():
    oracle = play(game(suits(("AC", "AH"), ("QS", "KH"))), "2C", "2D", "2S", "AC")
    assert oracle.moves() == {"QS"}


def test_all_points_to_one_seat():
    oracle = finish(game(suits()))
    assert oracle.taken == [26, 0, 0, 0]
    assert oracle.totals == [0, 26, 26, 26]
    assert oracle.payoff() == [1.0, 0.0, 0.0, 0.0]


def test_one_heart_elsewhere_is_no_moon():
    # seat 1 takes the first trick with the ace of clubs, and the two of hearts in it; its diamond falls to the ace of
    # seat 0, which then leads clubs to the end
    oracle = finish(game(suits(("AC", "AD"))))
    assert oracle.totals == [25, 1, 0, 0]
    assert oracle.payoff() == [1 - 25 / 26, 1 - 1 / 26, 1.0, 1.0]


@pytest.mark.parametrize(("passing", "taker"), [("left", 1), ("across", 2), ("right", 3)])
def test_three_cards_go_to_one_seat(passing, taker):
    oracle = game(suits(), passing=passing)
    for suit in "CDSH":
        play(oracle, "2" + suit, "3" + suit, "4" + suit)
    assert {"2C", "3C", "4C"} < oracle.hands[taker]
    assert (oracle.phase, oracle.turn) == ("play", taker)
    assert [len(hand) for hand in oracle.hands] == [13] * 4


def test_passing_is_hidden_until_all_have_chosen():
    oracle = play(game(suits(), passing="left"), "QC", "2C", "3C")
    assert oracle.turn == 1
    assert oracle.seen(0)[1:] == [("chooses", 0, "QC"), ("chooses", 0, "2C"), ("chooses", 0, "3C")]
    assert oracle.seen(1)[1:] == [("chooses", 0)] * 3
    assert oracle.view(1)["hand"] == sorted(suits()[1])
    assert oracle.view(1)["number chosen"] == [3, 0, 0, 0]
    play(oracle, "2D", "3D", "4D", "2S", "3S", "4S", "2H", "3H", "4H")
    assert oracle.seen(1)[-1] == ("exchange", 0, "2C", "3C", "QC")
    assert oracle.seen(2)[-1] == ("exchange", 1, "2D", "3D", "4D")
    assert oracle.view(0)["gave"] == {1: ["2C", "3C", "QC"]}


def test_a_seat_cannot_choose_a_card_twice_or_one_it_will_get():
    oracle = play(game(suits(), passing="left"), "2C")
    assert oracle.moves() == {rank + "C" for rank in RANKS[1:]}
    play(oracle, "3C", "4C")
    assert oracle.moves() == {rank + "D" for rank in RANKS}


def test_the_direction_rotates_by_hand_number():
    directions = ["left", "right", "across", "none", "left"]
    assert [game(suits(), passing="rotate", hand=hand).direction() for hand in range(5)] == directions
    thirds = [deck(3)[seat::3] for seat in range(3)]
    directions = ["left", "right", "none", "left"]
    assert [game(thirds, seats=3, passing="rotate", hand=hand).direction() for hand in range(4)] == directions


def test_there_is_no_across_with_three_seats():
    with pytest.raises(ValueError, match="across"):
        game([deck(3)[seat::3] for seat in range(3)], seats=3, passing="across")


def test_a_target_takes_several_hands_and_the_lowest_total_wins():
    oracle = finish(game(suits(), suits(order="DCSH"), suits(order="DSCH"), target=60))
    assert (oracle.totals, oracle.phase) == ([0, 26, 26, 26], "play")
    finish(oracle)
    assert (oracle.totals, oracle.turn) == ([26, 26, 52, 52], 1 + 1)
    finish(oracle)
    assert (oracle.totals, oracle.payoff()) == ([52, 52, 52, 78], [1 / 3, 1 / 3, 1 / 3, 0.0])


def test_the_passing_goes_on_rotating_through_a_game_to_a_target():
    oracle = game(suits(), suits(), passing="rotate", hand=3, target=50)
    assert oracle.phase == "play"
    finish(oracle)
    assert (oracle.phase, oracle.direction()) == ("pass", "left")


def test_hands_of_others_are_not_in_view():
    oracle = play(game(suits()), "2C", "2D")
    view = oracle.view(3)
    assert view["hand"] == sorted(suits()[3])
    assert view["trick"] == [(0, "2C"), (1, "2D")]
    assert oracle.seen(3) == [("dealt", *sorted(suits()[3])), ("plays", 0, "2C"), ("plays", 1, "2D")]


def test_a_deal_must_be_the_whole_deck():
    with pytest.raises(ValueError, match="deck"):
        game([["2C"], ["3C"], ["4C"], ["5C"]])
