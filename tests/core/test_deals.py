"""Deals: drawn as evenly, or in such proportions, as all deals that fit a demand when they are listed one by one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from kibitz.core.bits import popcount
from kibitz.core.deal_demand import (
    deal_begin,
    deal_choice,
    deal_group,
    deal_hand,
    deal_out,
    deal_place,
    deal_room,
    deal_weight,
    draw_hands,
)
from kibitz.core.dice import dice
from kibitz.core.errors import BadValue
from kibitz.core.native import INTERPRETED, compiled, pointer
from kibitz.core.scratch import scratch
from tests.core.deal_draws import Case, odd_likelihood, p_value, signed, some_draws

CASES = 60 if INTERPRETED else 400
MOST_DEALS = 150
LEAST_P = 1e-4  # of the smallest of many p values; all together must look uniform
SUITS = [0x1FFF << 13 * suit for suit in range(4)]


def _check(cases, seed, **how):
    """Draw from each case that any deal fits, and return the p values; a case that none fits must be refused."""
    found = []
    for case in cases:
        weights = case.deals()
        answer, drawn = case.draw(max(200, 12 * len(weights)) if weights else 1, seed, **how)
        assert answer == (1 if weights else 0), vars(case)
        if 1 < len(weights) <= MOST_DEALS:
            found.append(p_value(weights, drawn))
    return found


@pytest.mark.parametrize("groups", [0, 1, 2])
def test_deals_are_drawn_in_the_proportions_of_all_that_fit(groups):
    found = _check([Case(number, groups) for number in range(CASES)], 3 + groups)
    assert len(found) > CASES / 10
    assert min(found) > LEAST_P
    assert stats.kstest(found, "uniform").pvalue > LEAST_P


def test_a_likelihood_of_any_form_is_followed_after_enough_steps():
    view, found = (2**63 + 2**40 - 1, 2**32 - 1), []
    for number in range(CASES // 4):
        case = Case(number, number % 2)
        if len(case.holds) < 2:
            continue
        weights = {
            hands: weight * odd_likelihood(signed(view), signed(hands)) for hands, weight in case.deals().items()
        }
        weights = {hands: weight for hands, weight in weights.items() if weight > 0}
        if 1 < len(weights) <= 40:
            answer, drawn = case.draw(40 * len(weights), number, steps=200, view=view)
            assert answer == 1
            found.append(p_value(weights, drawn))
    assert len(found) > CASES / 40
    assert min(found) > LEAST_P


def test_where_all_deals_are_unlikely_the_answer_is_no():
    case = next(case for case in map(Case, range(99)) if len(case.holds) > 2 and len(case.deals()) > 3)
    assert case.draw(1, 1, steps=20, view=(0, 0))[0] == 0


def test_nothing_to_deal_and_a_single_card_are_deals_too():
    assert draw_hands(0, [0, 0]) == [0, 0]
    assert draw_hands(0, []) == []
    assert draw_hands(1 << 63, [0, 1, 0]) == [0, 1 << 63, 0]
    assert draw_hands(2**64 - 1, [64]) == [2**64 - 1]
    assert sorted(draw_hands(2**64 - 1, [4] * 16))[0].bit_count() == 4


def test_a_room_that_was_too_small_does_not_deal():
    hands = draw_hands(2**21 - 1, [3] * 7, [1 << k | 1 << 7 + k for k in range(7)], 5)
    assert [hand.bit_count() for hand in hands] == [3] * 7
    case = Case(1)
    case.cards, case.holds = 2**60 - 1, [12] * 5
    case.barred = [0x1111_1111 << k for k in range(5)]
    case.weights, case.choices = np.ones((5, 0, 8)), np.full((5, 0), -1)
    assert case.draw(1, 1) == (-1, [(0, 0, 0, 0, 0)])


@pytest.mark.parametrize(
    ("demand", "sentence"),
    [
        ((0b111, [1, 1]), "3 cards cannot be dealt to places that hold 2"),
        ((0b111, [2, 1], [0b110, 0]), "place 0 holds 2 cards, but only 1 of the cards may lie there"),
        ((0b1111, [1, 2, 1], [0b1100, 0, 0b1110]), ""),
        ((0b111, [1, 1, 1], [0b110, 0b110, 0]), "places 0 and 1 hold 2 cards, but only 1 of the cards may lie there"),
        ((0b1, [2, -1]), "place 1 cannot hold -1 cards"),
        ((0b1, [1], [0, 0]), "1 places and 2 masks of barred cards"),
        ((0, [0] * 17), "at most 16 places"),
    ],
)
def test_what_cannot_be_dealt_is_told(demand, sentence):
    if sentence:
        with pytest.raises(BadValue, match=sentence):
            draw_hands(*demand)
    else:
        assert draw_hands(*demand) == [0b10, 0b1100, 0b1]


def test_the_same_dice_give_the_same_hands_and_advance():
    rng = dice(4)
    first, second = (draw_hands(0xFFFF, [8, 8], rng=rng) for _ in range(2))
    assert first == draw_hands(0xFFFF, [8, 8], rng=4)
    assert first != second


ROOM = deal_room([13, 13, 13], [13, 13, 13, 13])


@compiled
def _bridge(cards, voids, known, rng_, out):
    """Deal three hands of thirteen with voids, weighed by a choice in each suit, in scratch of the declared size."""
    room, rng = scratch(ROOM), pointer(rng_)
    deal_begin(room, ROOM, cards)
    for suit in range(4):
        deal_group(room, suit, 0x1FFF << 13 * suit)
    for place in range(3):
        deal_place(room, place, 13, voids[place])
        for suit in range(4 if known > 0 else 0):
            deal_choice(room, place, suit, known)
    found = deal_out(room, rng)
    for place in range(3):
        out[place] = deal_hand(room, place)
    return found


@pytest.mark.parametrize("known", [0, 1, 3])
@pytest.mark.parametrize("voids", [(0, 0, 0), (SUITS[0], 0, 0), (SUITS[0], SUITS[1], SUITS[2]), (SUITS[3],) * 3])
def test_the_declared_room_is_enough_for_three_hands_of_thirteen(voids, known):
    rng, cards = np.random.default_rng(1), np.arange(52)
    for seed in range(20):
        rng.shuffle(cards)
        pack, out = sum(1 << int(card) for card in cards[:39]), np.zeros(3, dtype=np.int64)
        if voids[0] == SUITS[3]:
            pack = sum(SUITS[:3])
        found = _bridge(pack, np.array(voids), known, dice(seed), out)
        assert found in (0, 1)
        assert sum(out.tolist()) == (pack if found else 0)
        held = list(zip(out.tolist(), voids, strict=True))
        assert not found or all(popcount(hand) == 13 and hand & void == 0 for hand, void in held)
        assert found or voids[1]


WRONG = {"a place": 0, "a group before others": 1, "a card in two groups": 2, "a group": 3, "a place of weights": 4}


@compiled
def _wrong_demand(number, room_, rng):
    room = pointer(room_)
    deal_begin(room, room_.shape[0], 0b111100)
    deal_place(room, 16 if number == 0 else 0, 4, 0)
    deal_group(room, 1 if number == 1 else 0, 0b1100)
    deal_group(room, 1, 0b11000 if number == 2 else 0b110000)
    deal_choice(room, 0, 2 if number == 3 else 1, 1)
    deal_weight(room, -1 if number == 4 else 0, 0, 2, 3.0)
    deal_weight(room, 0, 0, -1, 3.0)
    deal_weight(room, 0, 0, 3, 3.0)
    return deal_out(room, pointer(rng))


def test_a_demand_that_names_what_cannot_be_is_refused():
    room = np.zeros(1 << 12, dtype=np.int64)
    assert _wrong_demand(-1, room, dice(1)) == 1
    assert {name: _wrong_demand(number, room, dice(1)) for name, number in WRONG.items()} == dict.fromkeys(WRONG, -1)


@pytest.mark.skipif(INTERPRETED, reason="this is the interpreted side")
def test_compiled_and_interpreted_draw_the_same():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    words = [sys.executable, "-W", "error", "-m", "tests.core.deal_draws"]
    root = Path(__file__).resolve().parents[2]
    told = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == json.loads(json.dumps(some_draws()))
