"""A bipartite matching of plays with cards, such that no more cards of a sign came from a pack than there were.

Each play is matched with a card of its source. Plays of which there are too many *wait*. One by one they get a card
anyway, and the play that had it, or had the last of that sign from that pack, waits instead. As in an auction, a play
costs more to displace the more often it has been displaced, so no chain of plays cycles for long.
"""

from kibitz.core.dice import below
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.belief import UNSEEN, count, list_by_packs
from kibitz.games.cartagena.cells import NONE

MATCHING_WORK = 10_000_000  # cards examined before the matching is given up; the README says how many are needed
RESTART = 400_000  # cards examined between restarts, because some matchings lead nowhere
_NEVER = 1 << 40  # more than any cost


@compiled
def match_plays(b, seats, packs, rng):
    """Match every play; return whether that was possible within the bound, and the cards examined."""
    waiting, work = _match_by_source(b, seats, rng), 0
    if waiting:
        list_by_packs(b, packs, b.drawn[seats - 1])
    fresh = RESTART
    while waiting and work < MATCHING_WORK:
        waiting, examined = _match_one(b, waiting, rng)
        work += examined
        if work > fresh:
            waiting, fresh = _unmatch_all(b, seats, waiting), fresh + RESTART
    return waiting == 0, work


@helper
def _match_by_source(b, seats, rng):
    """Match plays with cards of their sources while there are any; return how many wait."""
    waiting = 0
    for seat in range(seats):
        for play in range(b.start[seat], b.played[seat]):
            b.waited[play] = 0
            if b.free[6 * b.source[play] + b.sign[play]] < 0:
                count(b, b.source[play], b.sign[play], -1)
                b.waiting[waiting] = play
                waiting += 1
            else:
                _match(b, play, _card_of_source(b, play, rng))
    return waiting


@helper
def _card_of_source(b, play, rng):
    """Return the card that a play took: any in the hand from its source, with equal chance."""
    found, chosen = 0, 0
    for card in range(b.since[play], b.before[play]):
        if b.seen[card] == UNSEEN and b.pack[card] == b.source[play]:
            found += 1
            if below(rng, found) == 0:
                chosen = card
    return chosen


@helper
def _match(b, play, card):
    b.card[play], b.player[card], b.seen[card] = card, play, b.sign[play]


@helper
def _unmatch(b, play, waiting):
    """Make a play wait; return how many do."""
    card = b.card[play]
    b.player[card], b.seen[card] = NONE, UNSEEN
    count(b, b.pack[card], b.sign[play], -1)
    b.waited[play] += 1
    b.waiting[waiting] = play
    return waiting + 1


@helper
def _unmatch_all(b, seats, waiting):
    """Make all plays wait, as if none had ever been displaced; return how many there are."""
    for seat in range(seats):
        for play in range(b.start[seat], b.played[seat]):
            if b.player[b.card[play]] == play:
                waiting = _unmatch(b, play, waiting)
            b.waited[play] = 0
    return waiting


@helper
def _match_one(b, waiting, rng):
    """Match one of the waiting plays; return how many wait now, and how many cards were examined."""
    at = below(rng, waiting)
    play = b.waiting[at]
    card, last, examined = _cheapest_card(b, play, rng)
    if card == NONE:
        return waiting, examined
    waiting -= 1
    b.waiting[at] = b.waiting[waiting]
    if b.player[card] != NONE:
        waiting = _unmatch(b, b.player[card], waiting)
    if b.free[6 * b.pack[card] + b.sign[play]] <= 0:
        waiting = _unmatch(b, last, waiting)
    count(b, b.pack[card], b.sign[play], 1)
    _match(b, play, card)
    return waiting, examined


@helper
def _cheapest_card(b, play, rng):
    """Return the cheapest card for a play, or NONE; the play that loses the sign; and the cards examined."""
    least, found, chosen, loser, examined = _NEVER, 0, NONE, NONE, 0
    pack, price, last = NONE, 0, NONE
    for card in range(b.since[play], b.before[play]):
        if b.pack[card] != pack:
            pack = b.pack[card]
            last, price = _cheapest_loser(b, pack, b.sign[play], rng)
            examined += b.begin[pack + 1] - b.begin[pack]
        player, cost = b.player[card], price
        if player != NONE:
            cost = 1 + b.waited[player] + (0 if b.sign[player] == b.sign[play] else price)
        if cost < least:
            least, found = cost, 0
        if cost == least and cost < _NEVER:
            found += 1
            if below(rng, found) == 0:
                chosen, loser = card, last
    return chosen, loser, examined + b.before[play] - b.since[play]


@helper
def _cheapest_loser(b, pack, sign, rng):
    """Return the play that loses a card of a sign from a pack, if none is free, and the cost."""
    if b.free[6 * pack + sign] > 0:
        return NONE, 0
    least, found, chosen = _NEVER, 0, NONE
    for k in range(b.begin[pack], b.begin[pack + 1]):
        player = b.player[b.by_pack[k]]
        if player != NONE and b.sign[player] == sign:
            cost = 1 + b.waited[player]
            if cost < least:
                least, found = cost, 0
            if cost == least:
                found += 1
                if below(rng, found) == 0:
                    chosen = player
    return chosen, least
