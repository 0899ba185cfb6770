"""Trades: making a guess possible, and then mixing it, two cards at a time.

A *dealing* gives a sign to every card that the others drew and to every card in the stock. Each pack has the signs that
it should have; but a seat may *lack* a card that it played. A *trade* lets two cards of one pack change signs, so
any dealing can become any other by trades. Fair shuffles make all dealings equally likely, and a seat plays any of its
cards with equal chance; so the odds of a dealing are the product over plays of the cards of the sign in the hand then.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, helper, offset, pointer

TRADES = 12  # tried for each card; from any beginning, no error shows in 20,000 guesses at one position
NOISE = 0.02  # the chance to trade any cards, so that no dealing is a trap
COMPARED = 8  # trades, of which the best is made


class Dealing(NamedTuple):
    """A sign for every card; plays and cards have the numbers that they have in the account."""

    sign: Any  # card
    pack: Any  # card
    start: Any  # card: the first play of its spell
    first: Any  # card: the first play that it could be
    stop: Any  # card: the number behind the last play of its spell
    mates: Any  # the cards in order of their packs
    choice: Any  # play: cards of its sign in the hand; below one, some are lacking
    wanted: Any  # play: its sign
    since: Any  # play: the first card of its spell
    before: Any  # play: the number behind the last card drawn before it
    count: Any  # pack x sign: its cards of the sign
    begin: Any  # pack: where its cards begin in `mates`


_PACK_FIELDS, _CARD_FIELDS = 7, 7


@compiled
def mend(a, seats, packs, rng):
    """Make an account's guess possible, where every card has a sign but some seats lack cards that they played."""
    cards = a.left[packs - 1]
    for seat in range(seats):
        cards += a.drawn[seat] - a.start[seat]
    _mend_in(a, seats, packs, cards, rng, np.zeros(_PACK_FIELDS * packs + 1 + _CARD_FIELDS * cards, dtype=np.int64))


@compiled
def _mend_in(a, seats, packs, cards, rng, room):
    d = _open_dealing(a, seats, packs, cards, pointer(room))
    _make_possible(d, cards, rng)
    _mix(d, cards, rng)
    stock = cards - a.left[packs - 1]
    for card in range(stock):
        a.seen[card] = d.sign[card]
    for sign in range(6):
        a.free[6 * (packs - 1) + sign] = 0
    for card in range(stock, cards):
        a.free[6 * (packs - 1) + d.sign[card]] += 1


@helper
def _open_dealing(a, seats, packs, cards, room):
    """Lay out a dealing in `room`, which begins with zeros: the cards of the account, then those in the stock."""
    lists = offset(room, _PACK_FIELDS * packs + 1)
    d = Dealing(
        lists, offset(lists, cards), offset(lists, 2 * cards), offset(lists, 3 * cards), offset(lists, 4 * cards),
        offset(lists, 5 * cards), offset(lists, 6 * cards), a.sign, a.since, a.before,
        room, offset(room, 6 * packs),
    )  # fmt: skip
    _lay_cards(d, a, packs, cards)
    _sort_by_packs(d, packs, cards)
    for seat in range(seats):
        _find_spells(d, a.start[seat], a.drawn[seat], a.played[seat])
    return d


@helper
def _lay_cards(d, a, packs, cards):
    stock = cards - a.left[packs - 1]
    for card in range(stock):
        d.sign[card], d.pack[card] = a.seen[card], a.pack[card]
    card = stock
    for sign in range(6):
        for _ in range(a.free[6 * (packs - 1) + sign]):
            d.sign[card], d.pack[card], d.choice[card] = sign, packs - 1, 1
            card += 1


@helper
def _sort_by_packs(d, packs, cards):
    for card in range(cards):
        d.begin[d.pack[card]] += 1
        d.count[6 * d.pack[card] + d.sign[card]] += 1
    for pack in range(packs):
        d.begin[pack + 1] += d.begin[pack]
    for card in range(cards):
        d.begin[d.pack[card]] -= 1
        d.mates[d.begin[d.pack[card]]] = card


@helper
def _find_spells(d, start, drawn, played):
    """Count spell by spell, for a hand that is empty in between carries nothing over, nor do cards that it lacked."""
    while start < drawn:
        stop = start
        while stop < played and d.since[stop] == start:
            stop += 1
        end = stop if stop < played else drawn
        _find_uses(d, start, stop, end)
        _count_choices(d, start, stop, end)
        start = end


@helper
def _find_uses(d, start, stop, end):
    play = start
    for card in range(start, end):
        while play < stop and d.before[play] <= card:
            play += 1
        d.start[card], d.first[card], d.stop[card] = start, play, stop


@helper
def _count_choices(d, start, stop, end):
    for card in range(start, end):
        for play in range(d.first[card], stop):
            d.choice[play] += d.wanted[play] == d.sign[card]
    for earlier in range(start, stop):
        for play in range(earlier + 1, stop):
            d.choice[play] -= d.wanted[play] == d.wanted[earlier]
    for no_play in range(stop, end):
        d.choice[no_play] = 1


@helper
def _count(d, card, sign, change):
    """Count a card as one of a sign too (1), or no longer (-1); return how the odds change, and how many more lack."""
    odds, lacking = 1.0, 0
    for play in range(d.first[card], d.stop[card]):
        if d.wanted[play] == sign:
            n = d.choice[play]
            odds *= max(n + change, 0) / max(n, 1)
            lacking += max(1 - n - change, 0) - max(1 - n, 0)
            d.choice[play] = n + change
    return odds, lacking


@compiled
def _trade(d, card, other):
    """Let two cards change signs; return how the odds change, and how many more cards are lacking.

    Gains come first, so that no odds are 0 in between.
    """
    sign, its = d.sign[card], d.sign[other]
    odds, lacking = 1.0, 0
    for changed, to, change in ((card, its, 1), (other, sign, 1), (card, sign, -1), (other, its, -1)):
        factor, more = _count(d, changed, to, change)
        odds, lacking = odds * factor, lacking + more
    d.sign[card], d.sign[other] = its, sign
    return odds, lacking


@helper
def _lacking_play(d, cards, rng):
    """Return a play that lacks cards, or the number of cards if there is none."""
    start = below(rng, cards)
    for k in range(cards):
        play = (start + k) % cards
        if d.choice[play] < 1:
            return play
    return cards


@compiled
def _giver(d, play, rng):
    """Return a card drawn before a play that can get the sign it lacks."""
    found, chosen = 0, 0
    for card in range(d.since[play], d.before[play]):
        if d.sign[card] != d.wanted[play] and d.count[6 * d.pack[card] + d.wanted[play]] > 0:
            found += 1
            if below(rng, found) == 0:
                chosen = card
    return chosen


@compiled
def _taker(d, pack, sign, rng):
    """Return a card of a sign out of a pack."""
    found, chosen = 0, 0
    for k in range(d.begin[pack], d.begin[pack + 1]):
        card = d.mates[k]
        if d.sign[card] == sign:
            found += 1
            if below(rng, found) == 0:
                chosen = card
    return chosen


@compiled
def _make_possible(d, cards, rng):
    """Trade until no play lacks a card, as a rule by the best of some trades that mend one.

    This ends, for there is a possible dealing: the truth. Where a play lacks a card, one of the cards drawn before it
    in its spell truly is of its sign but now is not, and so another card of that pack now is of the sign but truly is
    not. That trade makes at least one card more true and none less. Every such trade has a chance to be made, so sooner
    or later enough of these follow each other, if nothing else has ended it before.
    """
    play = _lacking_play(d, cards, rng)
    while play < cards:
        least, card, other = 1 << 30, 0, 0
        for _ in range(1 if unit(rng) < NOISE else COMPARED):
            one = _giver(d, play, rng)
            its = _taker(d, d.pack[one], d.wanted[play], rng)
            lacking = _trade(d, one, its)[1]
            _trade(d, one, its)
            if lacking < least:
                least, card, other = lacking, one, its
        _trade(d, card, other)
        play = _lacking_play(d, cards, rng)


@compiled
def _mix(d, cards, rng):
    """Try trades between random cards, going from one possible dealing to another."""
    for _ in range(TRADES * cards):
        card = below(rng, cards)
        low, high = d.begin[d.pack[card]], d.begin[d.pack[card] + 1]
        other = d.mates[low + below(rng, high - low)]
        if d.sign[card] != d.sign[other] and _trade(d, card, other)[0] <= unit(rng):
            _trade(d, card, other)
