"""A Metropolis chain over deals that swaps the signs of two cards at a time.

A *deal* gives a sign to every card that the others drew and to every card in the stock. A *swap* exchanges the signs of
two cards of one pack. Fair shuffles make all deals equally likely a priori, and random play takes each legal move with
equal chance; so the likelihood of a deal is 1 / (the number of legal moves) for every choice of another seat, or 0
where it played a card that it did not hold. Swaps are accepted or rejected by the Metropolis rule.

An empty hand carries nothing over: the cards drawn in a *spell* that has ended were played in it, so they swap among
themselves. All others are *open*: they swap with those of other seats and with the stock.
"""

from kibitz.core.bits import popcount
from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.belief import CLOSED, list_by_packs
from kibitz.games.cartagena.cards import count_of, one, signs_in
from kibitz.games.cartagena.cells import NONE
from kibitz.games.cartagena.opponent_model import UNIT

SWAPS = 12  # tried for each card; from any start, no error shows in 20,000 guesses at one position
SWAPS_WORK = 50_000  # choices examined, after which no more swaps are tried


@compiled
def run_chain(b, seats, packs, rng):
    """Swap cards of hands, then those of the past; return how many choices were examined."""
    for seat in range(seats):
        _trace_hands(b, seat)
        _close_spells(b, seat)
    cards = b.drawn[seats - 1]
    _append_stock(b, cards, packs - 1)
    list_by_packs(b, packs, cards + b.left[packs - 1])
    work = 0
    for _ in range(SWAPS):
        for seat in range(seats):
            work = _swap_open(b, seat, work, rng)
    for seat in range(seats):
        work = _swap_past(b, seat, work, rng)
    _collect_stock(b, cards, packs - 1)
    return work


@helper
def _trace_hands(b, seat):
    """Find the hand at each choice of a seat, and the first choice for which each card was there."""
    pile, card = 0, b.start[seat]
    for choice in range(b.first_choice[seat], b.choices[seat]):
        while card < b.known[choice]:
            b.first[card] = choice
            pile += one(b.seen[card])
            card += 1
        b.hand[choice] = pile
        if b.wanted[choice] != NONE:
            pile -= one(b.wanted[choice])
    while card < b.drawn[seat]:
        b.first[card] = b.choices[seat]
        card += 1


@helper
def _close_spells(b, seat):
    """Mark the cards of spells that have ended."""
    for card in range(b.start[seat], b.drawn[seat]):
        b.stop[card] = b.choices[seat]
    begin = b.start[seat]
    for play in range(b.start[seat], b.played[seat]):
        if b.before[play] == play + 1:
            for card in range(begin, play + 1):
                b.stop[card] = CLOSED
            begin = play + 1


@helper
def _append_stock(b, card, pack):
    """Append the stock to the cards drawn; no choice was made with it in hand."""
    for sign in range(6):
        for _ in range(b.free[6 * pack + sign]):
            b.seen[card], b.pack[card], b.first[card], b.stop[card] = sign, pack, 0, 0
            card += 1


@helper
def _collect_stock(b, cards, pack):
    for sign in range(6):
        b.free[6 * pack + sign] = 0
    for card in range(cards, cards + b.left[pack]):
        b.free[6 * pack + b.seen[card]] += 1


@helper
def _swap_open(b, seat, work, rng):
    """Try a swap for every open card of a seat."""
    card = b.drawn[seat] - 1
    while card >= b.start[seat] and b.stop[card] != CLOSED and work < SWAPS_WORK:
        low, high = b.begin[b.pack[card]], b.begin[b.pack[card] + 1]
        work += _swap(b, card, b.by_pack[low + below(rng, high - low)], rng)
        card -= 1
    return work


@helper
def _swap_past(b, seat, work, rng):
    """Try swaps among the cards that a seat drew from one pack in one spell that has ended."""
    low = b.start[seat]
    while low < b.drawn[seat] and b.stop[low] == CLOSED:
        high = low + 1
        while b.before[high - 1] != high and b.pack[high] == b.pack[low]:
            high += 1
        if b.first[low] != b.first[high - 1]:
            for _ in range(SWAPS * (high - low) if work < SWAPS_WORK else 0):
                work += _swap(b, low + below(rng, high - low), low + below(rng, high - low), rng)
        low = high
    return work


@helper
def _swap(b, card, mate, rng):
    """Swap the signs of two cards, or not, by the Metropolis rule; return how many choices were examined."""
    sign, its = b.seen[card], b.seen[mate]
    if sign == its:
        return 1
    if b.first[mate] < b.first[card]:
        card, mate, sign, its = mate, card, its, sign
    apart = b.stop[card] != b.stop[mate]
    stop = b.stop[card] if apart else b.first[mate]
    ratio = _likelihood_ratio(b, b.first[card], stop, sign, its)
    if apart:
        ratio *= _likelihood_ratio(b, b.first[mate], b.stop[mate], its, sign)
    if ratio > unit(rng):
        b.seen[card], b.seen[mate] = its, sign
        _change_hands(b, b.first[card], stop, one(its) - one(sign))
        if apart:
            _change_hands(b, b.first[mate], b.stop[mate], one(sign) - one(its))
    return 1 + stop - b.first[card] + (b.stop[mate] - b.first[mate] if apart else 0)


@helper
def _likelihood_ratio(b, first, stop, lost, gained):
    """Return the likelihood ratio if a card had another sign at some choices; 0 if that is impossible."""
    ratio = 1.0
    for choice in range(first, stop):
        hand = b.hand[choice]
        last = count_of(hand, lost) == 1
        if last and b.wanted[choice] == lost:
            return 0.0
        new = count_of(hand, gained) == 0
        if last != new:
            moves = UNIT * popcount(signs_in(hand)) + b.others[choice]
            ratio *= moves / (moves + UNIT if new else moves - UNIT)
    return ratio


@helper
def _change_hands(b, first, stop, change):
    for choice in range(first, stop):
        b.hand[choice] += change
