"""Random games of the plain twins keep what the rules keep."""

import pytest

from kibitz.core.dice import dice, roll
from tests.oracles import cant_stop, chinese_checkers, focus, hanabi, hearts, liars_dice, rolit


def shuffled(rng, items):
    """Return the items in random order."""
    items = list(items)
    return [items.pop(roll(rng, len(items))) for _ in range(len(items))]


def walk(oracle, rng, most=10**9):
    """Yield the number of plies after each random move until the game is over or `most` plies were played."""
    ply = 0
    while oracle.turn is not None and ply < most:
        legal = sorted(oracle.moves())
        assert legal
        oracle.play(legal[roll(rng, len(legal))])
        ply += 1
        yield ply
    if oracle.turn is None:
        assert oracle.moves() == set()


def throws(rng, count):
    """Yield rolls of so many dice without end."""
    while True:
        yield [1 + roll(rng, 6) for _ in range(count)]


@pytest.mark.parametrize(("seats", "fields"), [(2, 73), (3, 73), (4, 73), (6, 73), (2, 121)])
def test_chinese_checkers_keeps_all_pieces_on_the_board(seats, fields):
    oracle = chinese_checkers.Oracle({"seats": seats, "fields": fields})
    each = len(oracle.homes[0])
    for _ in walk(oracle, dice(seats), 40):
        assert set(oracle.pieces) <= oracle.fields
        assert [list(oracle.pieces.values()).count(seat) for seat in range(seats)] == [each] * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_focus_keeps_all_pieces(seats):
    oracle = focus.Oracle({"seats": seats})
    start = [sum(stack.count(seat) for stack in oracle.stacks.values()) for seat in range(seats)]
    start = [pieces + reserve for pieces, reserve in zip(start, oracle.reserves, strict=True)]
    for _ in walk(oracle, dice(seats), 150):
        on_board = [sum(stack.count(seat) for stack in oracle.stacks.values()) for seat in range(seats)]
        captured = [sum(row[seat] for row in oracle.captured) for seat in range(seats)]
        assert [sum(parts) for parts in zip(on_board, oracle.reserves, captured, strict=True)] == start
        assert {len(stack) for stack in oracle.stacks.values()} <= {1, 2, 3, 4, 5}
        assert all(oracle.captured[seat][seat] == 0 for seat in range(seats))
        assert set(oracle.stacks) <= focus.FIELDS


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rolit_takes_sixty_plies(seats):
    oracle = rolit.Oracle({"seats": seats})
    for ply in walk(oracle, dice(seats)):
        assert len(oracle.discs) == 4 + ply
    assert ply == 60
    assert sum(oracle.payoff()) == pytest.approx(1)
    assert sum(oracle.counts()) <= 64


@pytest.mark.parametrize("passing", ["left", "none"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_hearts_shares_out_twenty_six_points(seats, passing):
    rng, cards = dice(seats), hearts.deck(seats)
    for _ in range(10):
        deal = shuffled(rng, cards)
        oracle = hearts.Oracle(
            {"seats": seats, "passing": passing}, {"deals": [[deal[i::seats] for i in range(seats)]]}
        )
        for _ in walk(oracle, rng):
            held = [card for hand in oracle.hands for card in hand]
            assert sorted(held + [card for _, card in oracle.played]) == sorted(cards)
        assert sum(oracle.taken) == 26
        assert sum(oracle.totals) == (26 * (seats - 1) if 26 in oracle.taken else 26)
        assert all(0 <= payoff <= 1 for payoff in oracle.payoff())


def test_hearts_to_a_target_ends_when_it_is_reached():
    rng = dice(3)
    deals = [[deal[i::4] for i in range(4)] for deal in (shuffled(rng, hearts.deck(4)) for _ in range(30))]
    oracle = hearts.Oracle({"target": 100}, {"deals": deals})
    for _ in walk(oracle, rng):
        assert (max(oracle.totals) >= 100) == (oracle.turn is None)
    assert sum(oracle.payoff()) == pytest.approx(1)


@pytest.mark.parametrize("options", [{"seats": seats} for seats in (2, 3, 4, 5)] + [{"colours": 2, "hand": 2}])
def test_hanabi_keeps_all_cards_and_no_hint_lies(options):
    rng = dice(4)
    cards = hanabi.cards(options.get("colours", 5), (3, 2, 2, 2, 1))
    for _ in range(10):
        oracle = hanabi.Oracle({**options, "lives": 9, "no_lives": "stacks"}, {"deck": shuffled(rng, cards)})
        for _ in walk(oracle, rng):
            held = [card for hand in oracle.hands for card in hand]
            played = [colour + str(i) for colour, height in oracle.stacks.items() for i in range(1, height + 1)]
            assert sorted(held + played + oracle.discards + oracle.deck) == sorted(cards)
            assert 0 <= oracle.tokens <= 8
            for hand, told in zip(oracle.hands, oracle.told, strict=True):
                for card, known in zip(hand, told, strict=True):
                    assert card[0] in known["colours"]
                    assert card[1] in known["ranks"]
        assert oracle.lives + len(oracle.discards) >= 9
        assert 0 <= oracle.score() <= 25
        assert len(set(oracle.payoff())) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 2},
        {"seats": 6, "spot_on": True},
        {"seats": 4, "loss": "difference"},
        {"seats": 3, "wild": 0, "dice": 1},
    ],
)
def test_liars_dice_lie_down_to_one_seat(options):
    rng = dice(5)

    def rolls():
        counts = [options.get("dice", 5)] * options["seats"]
        while True:
            yield [next(throws(rng, count)) for count in counts]
            counts = oracle.counts

    for _ in range(4):
        source = rolls()
        first = next(source)
        oracle = liars_dice.Oracle(options, {"rolls": _after(first, source)})
        total = sum(oracle.counts)
        for _ in walk(oracle, rng):
            assert sum(oracle.counts) <= total
            total = sum(oracle.counts)
            assert oracle.turn is None or [len(faces) for faces in oracle.dice] == oracle.counts
        assert sum(oracle.payoff()) == 1


def _after(first, rest):
    """Yield the first item and then the rest."""
    yield first
    yield from rest


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cant_stop_is_won_with_three_columns(seats):
    rng = dice(6)
    for _ in range(3):
        oracle = cant_stop.Oracle({"seats": seats}, {"rolls": throws(rng, 4)})
        for _ in walk(oracle, rng):
            assert len(oracle.runners) <= 3
            tops = [oracle.won(seat) for seat in range(seats)]
            assert sum(len(columns) for columns in tops) == len(set().union(*tops))
            for places in [*oracle.spaces, oracle.runners]:
                assert all(1 <= space <= cant_stop.LENGTH[column] for column, space in places.items())
        assert sum(oracle.payoff()) == pytest.approx(1)
        assert oracle.winner is None or len(oracle.won(oracle.winner)) >= 3
