"""Matching: a card for every play, such that no more cards of a sign came from a pack than there were.

Each play gets a card of its source. Plays of which there are too many *wait*. One after the other they get a card all
the same, and whoever had it, or had the last of that sign out of that pack, waits instead. It costs the more to make a
play wait the more often it had to, so no chain of plays runs in circles for long.
"""

from kibitz.core.dice import below
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.account import UNSEEN, count, list_by_packs
from kibitz.games.cartagena.cells import NONE

MATCHING_WORK = 10_000_000  # cards looked at until the waiting are given up; the README says how many are needed
AFRESH = 400_000  # cards looked at until all plays have to wait, for some matchings lead nowhere
_NEVER = 1 << 40  # more than any cost


@compiled
def match_plays(a, seats, packs, rng):
    """Give every play a card; return whether that was possible within the bound, and the cards looked at."""
    waiting, work = _match_by_source(a, seats, rng), 0
    if waiting:
        list_by_packs(a, packs, a.drawn[seats - 1])
    fresh = AFRESH
    while waiting and work < MATCHING_WORK:
        waiting, looked = _match_one(a, waiting, rng)
        work += looked
        if work > fresh:
            waiting, fresh = _forget(a, seats, waiting), fresh + AFRESH
    return waiting == 0, work


@helper
def _match_by_source(a, seats, rng):
    """Give the plays cards of their sources, as long as there are any; return how many wait."""
    waiting = 0
    for seat in range(seats):
        for play in range(a.start[seat], a.played[seat]):
            a.waited[play] = 0
            if a.free[6 * a.source[play] + a.sign[play]] < 0:
                count(a, a.source[play], a.sign[play], -1)
                a.waiting[waiting] = play
                waiting += 1
            else:
                _join(a, play, _card_of_source(a, play, rng))
    return waiting


@helper
def _card_of_source(a, play, rng):
    """Return the card that a play took, any in the hand from its source being equally likely."""
    found, chosen = 0, 0
    for card in range(a.since[play], a.before[play]):
        if a.seen[card] == UNSEEN and a.pack[card] == a.source[play]:
            found += 1
            if below(rng, found) == 0:
                chosen = card
    return chosen


@helper
def _join(a, play, card):
    a.card[play], a.player[card], a.seen[card] = card, play, a.sign[play]


@helper
def _give_up(a, play, waiting):
    """Let a play wait; return how many do."""
    card = a.card[play]
    a.player[card], a.seen[card] = NONE, UNSEEN
    count(a, a.pack[card], a.sign[play], -1)
    a.waited[play] += 1
    a.waiting[waiting] = play
    return waiting + 1


@helper
def _forget(a, seats, waiting):
    """Let all plays wait, as if none ever had to; return how many there are."""
    for seat in range(seats):
        for play in range(a.start[seat], a.played[seat]):
            if a.player[a.card[play]] == play:
                waiting = _give_up(a, play, waiting)
            a.waited[play] = 0
    return waiting


@helper
def _match_one(a, waiting, rng):
    """Match one of the waiting plays; return how many wait then, and how many cards were looked at."""
    at = below(rng, waiting)
    play = a.waiting[at]
    card, last, looked = _cheapest_card(a, play, rng)
    if card == NONE:
        return waiting, looked
    waiting -= 1
    a.waiting[at] = a.waiting[waiting]
    if a.player[card] != NONE:
        waiting = _give_up(a, a.player[card], waiting)
    if a.free[6 * a.pack[card] + a.sign[play]] <= 0:
        waiting = _give_up(a, last, waiting)
    count(a, a.pack[card], a.sign[play], 1)
    _join(a, play, card)
    return waiting, looked


@helper
def _cheapest_card(a, play, rng):
    """Return a card that a play may have taken, or NONE; who has to give up the sign; and the cards looked at."""
    least, found, chosen, giver, looked = _NEVER, 0, NONE, NONE, 0
    pack, price, last = NONE, 0, NONE
    for card in range(a.since[play], a.before[play]):
        if a.pack[card] != pack:
            pack = a.pack[card]
            last, price = _giver(a, pack, a.sign[play], rng)
            looked += a.begin[pack + 1] - a.begin[pack]
        player, cost = a.player[card], price
        if player != NONE:
            cost = 1 + a.waited[player] + (0 if a.sign[player] == a.sign[play] else price)
        if cost < least:
            least, found = cost, 0
        if cost == least and cost < _NEVER:
            found += 1
            if below(rng, found) == 0:
                chosen, giver = card, last
    return chosen, giver, looked + a.before[play] - a.since[play]


@helper
def _giver(a, pack, sign, rng):
    """Return which play has to give up a card of a sign out of a pack, if none is free, and what that costs."""
    if a.free[6 * pack + sign] > 0:
        return NONE, 0
    least, found, chosen = _NEVER, 0, NONE
    for k in range(a.begin[pack], a.begin[pack + 1]):
        player = a.player[a.mates[k]]
        if player != NONE and a.sign[player] == sign:
            cost = 1 + a.waited[player]
            if cost < least:
                least, found = cost, 0
            if cost == least:
                found += 1
                if below(rng, found) == 0:
                    chosen = player
    return chosen, least
