"""Trades: from one possible dealing to another, two cards at a time, towards those that are likely.

A *dealing* gives a sign to every card that the others drew and to every card in the stock. A *trade* lets two cards of
one pack change signs. Fair shuffles make all dealings equally likely, and random play takes each legal move with equal
chance; so the odds of a dealing are 1 / (the number of legal moves) for every choice of another seat, or 0 where it
played a card that it did not hold. Trades are made or not by Metropolis' rule.

A hand that is empty carries nothing over: what was drawn in a *spell* that is over was played in it, so its cards trade
among themselves. All others are *open*: they trade with those of other seats and with the stock.
"""

from kibitz.core.bits import popcount
from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.account import CLOSED, list_by_packs
from kibitz.games.cartagena.cards import count_of, one, signs_in
from kibitz.games.cartagena.cells import NONE
from kibitz.games.cartagena.choices import UNIT

TRADES = 12  # tried for each card; from any beginning, no error shows in 20,000 guesses at one position
TRADES_WORK = 50_000  # choices looked at; then no trade is tried any more


@compiled
def mix(a, seats, packs, rng):
    """Trade cards of hands, then those of the past; return how many choices were looked at."""
    for seat in range(seats):
        _follow(a, seat)
        _close_spells(a, seat)
    cards = a.drawn[seats - 1]
    _lay_stock(a, cards, packs - 1)
    list_by_packs(a, packs, cards + a.left[packs - 1])
    work = 0
    for _ in range(TRADES):
        for seat in range(seats):
            work = _mix_open(a, seat, work, rng)
    for seat in range(seats):
        work = _mix_past(a, seat, work, rng)
    _take_up_stock(a, cards, packs - 1)
    return work


@helper
def _follow(a, seat):
    """Note the hand at each choice of a seat, and for each card the choices that it was there for."""
    pile, card = 0, a.start[seat]
    for choice in range(a.first_choice[seat], a.choices[seat]):
        while card < a.known[choice]:
            a.first[card] = choice
            pile += one(a.seen[card])
            card += 1
        a.hand[choice] = pile
        if a.wanted[choice] != NONE:
            pile -= one(a.wanted[choice])
    while card < a.drawn[seat]:
        a.first[card] = a.choices[seat]
        card += 1


@helper
def _close_spells(a, seat):
    """Tell cards of spells that are over from open ones."""
    for card in range(a.start[seat], a.drawn[seat]):
        a.stop[card] = a.choices[seat]
    begin = a.start[seat]
    for play in range(a.start[seat], a.played[seat]):
        if a.before[play] == play + 1:
            for card in range(begin, play + 1):
                a.stop[card] = CLOSED
            begin = play + 1


@helper
def _lay_stock(a, card, pack):
    """Lay the stock behind the cards drawn; no choice was made with it in hand."""
    for sign in range(6):
        for _ in range(a.free[6 * pack + sign]):
            a.seen[card], a.pack[card], a.first[card], a.stop[card] = sign, pack, 0, 0
            card += 1


@helper
def _take_up_stock(a, cards, pack):
    for sign in range(6):
        a.free[6 * pack + sign] = 0
    for card in range(cards, cards + a.left[pack]):
        a.free[6 * pack + a.seen[card]] += 1


@helper
def _mix_open(a, seat, work, rng):
    """Try a trade for every open card of a seat."""
    card = a.drawn[seat] - 1
    while card >= a.start[seat] and a.stop[card] != CLOSED and work < TRADES_WORK:
        low, high = a.begin[a.pack[card]], a.begin[a.pack[card] + 1]
        work += _trade(a, card, a.mates[low + below(rng, high - low)], rng)
        card -= 1
    return work


@helper
def _mix_past(a, seat, work, rng):
    """Try trades among the cards that a seat drew from one pack in one spell that is over."""
    low = a.start[seat]
    while low < a.drawn[seat] and a.stop[low] == CLOSED:
        high = low + 1
        while a.before[high - 1] != high and a.pack[high] == a.pack[low]:
            high += 1
        if a.first[low] != a.first[high - 1]:
            for _ in range(TRADES * (high - low) if work < TRADES_WORK else 0):
                work += _trade(a, low + below(rng, high - low), low + below(rng, high - low), rng)
        low = high
    return work


@helper
def _trade(a, card, mate, rng):
    """Let two cards change signs, or not, by Metropolis' rule; return how many choices were looked at."""
    sign, its = a.seen[card], a.seen[mate]
    if sign == its:
        return 1
    if a.first[mate] < a.first[card]:
        card, mate, sign, its = mate, card, its, sign
    apart = a.stop[card] != a.stop[mate]
    stop = a.stop[card] if apart else a.first[mate]
    odds = _change_of_odds(a, a.first[card], stop, sign, its)
    if apart:
        odds *= _change_of_odds(a, a.first[mate], a.stop[mate], its, sign)
    if odds > unit(rng):
        a.seen[card], a.seen[mate] = its, sign
        _change_hands(a, a.first[card], stop, one(its) - one(sign))
        if apart:
            _change_hands(a, a.first[mate], a.stop[mate], one(sign) - one(its))
    return 1 + stop - a.first[card] + (a.stop[mate] - a.first[mate] if apart else 0)


@helper
def _change_of_odds(a, first, stop, lost, gained):
    """Return by what factor the odds change if a card had another sign at some choices; 0 if that cannot be."""
    odds = 1.0
    for choice in range(first, stop):
        hand = a.hand[choice]
        last = count_of(hand, lost) == 1
        if last and a.wanted[choice] == lost:
            return 0.0
        new = count_of(hand, gained) == 0
        if last != new:
            moves = UNIT * popcount(signs_in(hand)) + a.others[choice]
            odds *= moves / (moves + UNIT if new else moves - UNIT)
    return odds


@helper
def _change_hands(a, first, stop, change):
    for choice in range(first, stop):
        a.hand[choice] += change
