"""Guessing what is hidden: the order of the stock, and in Jamaica also who drew what.

The model: shuffles are fair, and which of its cards a seat plays has nothing to do with their signs. So before the
first reshuffle every unseen card is equally likely in every unseen place. A reshuffle shows everyone what the new
stock is made of: a new *pack*. From then on it matters from which pack another seat drew a card; but when it plays one,
nobody else sees which of its cards that was. So a guess says for every card the others played from which pack it came,
its *source*. Given that, what is left of each pack is shuffled over the cards not played and the stock.

The odds of all the sources together are the number of ways to choose such cards from the hands, times the chance that
fair dealing gave them those signs. They are drawn *spell* by spell; a spell is a time in which a seat's hand was never
empty. Going through a spell, each source is drawn by the odds given those before it, and the whole is kept or dropped
by Metropolis' rule, again and again, so that later plays have their say about earlier ones. Where in the end more cards
of a sign came from a pack than there were, the guess is made possible by trades.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.games.cartagena.cards import count_of, draw_from, one, size_of, stack
from kibitz.games.cartagena.cells import (
    DEALT,
    DECK,
    DISCARDS,
    HAND,
    HELD,
    IN_ROW,
    MOST_SEATS,
    PLAYED,
    ROW,
    SEAT_COUNT,
    SHUFFLES,
    TURNS,
)
from kibitz.games.cartagena.diary import DREW, deed, deeds, doer, drawn_cell
from kibitz.games.cartagena.trades import mend

DEALT_EACH = 6
UNSEEN = -1
SLACK = 0.001  # the odds of an impossible sign, so that sources can pass through the impossible
ROUNDS = 12  # with 3, an error shows in 40,000 guesses at one position; with 12 none does
ATTEMPTS = 3  # as many rounds again, if the guess is impossible then; trades take longer


class Account(NamedTuple):
    """What the other seats drew and played, as one seat knows it, and a guess at the sources.

    The cards that a seat drew, in order, are entries start, start + 1, … of the lists below, and so are its plays.
    """

    free: Any  # pack x sign: cards of the pack that nobody is known or guessed to have had
    left: Any  # pack: how many those are
    held: Any  # pack: cards of it in the hand that is looked at
    start: Any  # seat: where its entries begin
    drawn: Any  # seat: the entry behind its last card
    played: Any  # seat: the entry behind its last play
    pack: Any  # card: where it came from
    home: Any  # card: the cell that tells its sign, times 64, and from which bit on
    seen: Any  # card: its sign, or UNSEEN while there is no guess
    sign: Any  # play
    since: Any  # play: the first card of its spell
    before: Any  # play: the entry behind the last card drawn before it
    source: Any  # play: the pack
    kept: Any  # play: the source to go back to
    spells: Any  # spell in doubt x 2: its first doubtful play, and the entry behind its last play


_PACK_FIELDS, _SEAT_FIELDS, _ENTRY_FIELDS = 8, 3, 10


@helper
def _entries(view, me):
    cards = 0
    for seat in range(view[SEAT_COUNT]):
        if seat != me:
            cards += view[HELD + seat] + view[PLAYED + seat]
    return cards


@helper
def _open_account(view, me, room):
    """Lay out an account in `room`, which begins with zeros."""
    packs, n = view[SHUFFLES] + 2, _entries(view, me)
    seats = offset(room, _PACK_FIELDS * packs)
    lists = offset(seats, _SEAT_FIELDS * MOST_SEATS)
    a = Account(
        room, offset(room, 6 * packs), offset(room, 7 * packs),
        seats, offset(seats, MOST_SEATS), offset(seats, 2 * MOST_SEATS),
        lists, offset(lists, n), offset(lists, 2 * n), offset(lists, 3 * n), offset(lists, 4 * n),
        offset(lists, 5 * n), offset(lists, 6 * n), offset(lists, 7 * n), offset(lists, 8 * n),
    )  # fmt: skip
    end = 0
    for seat in range(view[SEAT_COUNT]):
        a.start[seat], a.drawn[seat], a.played[seat] = end, end, end
        if seat != me:
            end += view[HELD + seat] + view[PLAYED + seat]
    return a


@helper
def _count(a, pack, sign, n):
    """Take n cards of a sign out of what is free of a pack."""
    a.free[6 * pack + sign] -= n
    a.left[pack] -= n


@helper
def _receive(a, seat, pack, home):
    card = a.drawn[seat]
    a.pack[card] = pack
    a.home[card] = home
    a.seen[card] = UNSEEN
    a.drawn[seat] += 1


@helper
def _part(a, seat, sign):
    k = a.played[seat]
    a.sign[k] = sign
    a.before[k] = a.drawn[seat]
    hand_was_empty = k == a.start[seat] or a.before[k - 1] == k
    a.since[k] = k if hand_was_empty else a.since[k - 1]
    a.played[seat] += 1


@helper
def _recall_deal(view, me, a):
    """Put the deal into the account."""
    a.left[0] = size_of(view[DECK]) - DEALT_EACH
    for sign in range(6):
        a.free[sign] = count_of(view[DECK], sign) - count_of(view[DEALT + me], sign)
    for seat in range(view[SEAT_COUNT]):
        if seat != me:
            for _ in range(DEALT_EACH):
                _receive(a, seat, 0, 0)


@helper
def _recall_turns(view, me, a):
    """Put the diary into the account."""
    pack, stock, discards = 0, size_of(view[DECK]) - DEALT_EACH * view[SEAT_COUNT], 0
    for turn in range(view[TURNS] + 1):
        done, at = deeds(view, turn), 0
        seat = doer(done)
        for action in range(3):
            code = deed(done, action)
            if 0 < code < DREW:
                a.free[6 * (pack + 1) + code - 1] += 1
                discards += 1
                if seat != me:
                    _part(a, seat, code - 1)
            for _ in range(code - DREW):
                if stock == 0:
                    pack, stock, discards = pack + 1, discards, 0
                    a.left[pack] = stock
                stock -= 1
                if seat == me:
                    _count(a, pack, ((view[drawn_cell(turn)] >> 4 * at) & 15) - 1, 1)
                else:
                    _receive(a, seat, pack, 64 * drawn_cell(turn) + 4 * at)
                at += 1


@helper
def _doubtful(a, k):
    """Return whether the card played may have come from more than one pack."""
    return a.pack[a.since[k]] != a.pack[a.before[k] - 1]


@helper
def _settle_the_certain(a, seats):
    """Count all plays whose source is certain, and list the spells with others; return how many those are."""
    spells = 0
    for seat in range(seats):
        for k in range(a.start[seat], a.played[seat]):
            if not _doubtful(a, k):
                a.source[k] = a.pack[a.since[k]]
                _count(a, a.source[k], a.sign[k], 1)
                continue
            if k == a.start[seat] or a.since[k] != a.since[k - 1] or not _doubtful(a, k - 1):
                a.spells[2 * spells] = k
                spells += 1
            a.spells[2 * spells - 1] = k + 1
    return spells


@helper
def _odds(a, pack, sign):
    """Return the odds that a card of a sign came from a pack."""
    if a.held[pack] == 0:
        return 0.0
    return a.held[pack] * max(SLACK, float(a.free[6 * pack + sign])) / a.left[pack]


@helper
def _draw_source(a, low, high, sign, total, rng):
    x = total * unit(rng)
    source = low
    for pack in range(low, high + 1):
        odds = _odds(a, pack, sign)
        if odds > 0.0:
            source = pack
            x -= odds
            if x < 0.0:
                break
    return source


@compiled
def _go_through(a, first, stop, draw, rng):
    """Draw the sources of the doubtful plays first..stop-1 of a spell, or keep them; count them; return their odds."""
    card = a.since[first]
    low, high = a.pack[card], a.pack[a.before[stop - 1] - 1]
    for pack in range(low, high + 1):
        a.held[pack] = 0
    a.held[low] = card - first  # the plays of the spell before the first doubtful one took cards of this pack
    odds = 1.0
    for k in range(first, stop):
        while card < a.before[k]:
            high = a.pack[card]
            a.held[high] += 1
            card += 1
        total = 0.0
        for pack in range(low, high + 1):
            total += _odds(a, pack, a.sign[k])
        odds *= total
        if draw:
            a.source[k] = _draw_source(a, low, high, a.sign[k], total, rng)
        _count(a, a.source[k], a.sign[k], 1)
        a.held[a.source[k]] -= 1
    return odds


@helper
def _recount(a, first, stop, n):
    for k in range(first, stop):
        _count(a, a.source[k], a.sign[k], n)


@helper
def _draw_again(a, first, stop, rng):
    """Draw the sources of a spell anew, and keep the old or the new ones by Metropolis' rule."""
    _recount(a, first, stop, -1)
    old = _go_through(a, first, stop, False, rng)
    _recount(a, first, stop, -1)
    for k in range(first, stop):
        a.kept[k] = a.source[k]
    new = _go_through(a, first, stop, True, rng)
    if new < old * unit(rng):
        _recount(a, first, stop, -1)
        for k in range(first, stop):
            a.source[k] = a.kept[k]
        _recount(a, first, stop, 1)


@helper
def _impossible(a, packs):
    """Return whether more cards of a sign are guessed to have come from a pack than there were."""
    least = 0
    for k in range(6 * packs):
        least = min(least, a.free[k])
    return least < 0


@helper
def _guess_sources(a, seats, packs, rng):
    """Draw all doubtful sources, then each spell's again, so often that the beginning is forgotten."""
    spells = _settle_the_certain(a, seats)
    for spell in range(spells):
        _go_through(a, a.spells[2 * spell], a.spells[2 * spell + 1], True, rng)
    for attempt in range(ATTEMPTS if spells else 0):
        if attempt == 0 or _impossible(a, packs):
            for k in range(ROUNDS * spells):
                spell = k % spells
                _draw_again(a, a.spells[2 * spell], a.spells[2 * spell + 1], rng)


@helper
def _choose_card(a, k, rng):
    """Return the card that a play took, any in the hand from its source being equally likely."""
    found, chosen = 0, 0
    for card in range(a.since[k], a.before[k]):
        if a.seen[card] == UNSEEN and a.pack[card] == a.source[k]:
            found += 1
            if below(rng, found) == 0:
                chosen = card
    return chosen


@helper
def _show_played(a, seat, rng):
    """Give the cards played their signs, but for those that are one too many of their sign."""
    for k in range(a.start[seat], a.played[seat]):
        if a.free[6 * a.source[k] + a.sign[k]] < 0:
            _count(a, a.source[k], a.sign[k], -1)
        else:
            a.seen[_choose_card(a, k, rng)] = a.sign[k]


@helper
def _pile(a, pack):
    """Return what is free of a pack."""
    pile = 0
    for sign in range(6):
        pile += a.free[6 * pack + sign] << 8 * sign
    return pile


@helper
def _deal_rest(a, seat, rng):
    """Draw the signs of all other cards from what is free of their packs."""
    for card in range(a.start[seat], a.drawn[seat]):
        if a.seen[card] == UNSEEN:
            pack = a.pack[card]
            a.seen[card] = draw_from(_pile(a, pack), a.left[pack], rng)
            _count(a, pack, a.seen[card], 1)


@helper
def _write_cards(view, a, seat):
    """Write down what came to a seat, and what is left of it."""
    view[HAND + seat], view[DEALT + seat] = 0, 0
    for card in range(a.start[seat], a.drawn[seat]):
        sign = a.seen[card]
        view[HAND + seat] += one(sign)
        if card < a.start[seat] + DEALT_EACH:
            view[DEALT + seat] += one(sign)
        else:
            view[a.home[card] // 64] |= (sign + 1) << a.home[card] % 64
    for k in range(a.start[seat], a.played[seat]):
        view[HAND + seat] -= one(a.sign[k])


@compiled
def _guess_hands_in(view, me, rng, room):
    seats, packs = view[SEAT_COUNT], view[SHUFFLES] + 1
    a = _open_account(view, me, pointer(room))
    _recall_deal(view, me, a)
    _recall_turns(view, me, a)
    _guess_sources(a, seats, packs, rng)
    impossible = _impossible(a, packs)
    for seat in range(seats):
        _show_played(a, seat, rng)
    for seat in range(seats):
        _deal_rest(a, seat, rng)
    if impossible:
        mend(a, seats, packs, rng)
    for turn in range(view[TURNS] + 1):
        if doer(deeds(view, turn)) != me:
            view[drawn_cell(turn)] = 0
    for seat in range(seats):
        if seat != me:
            _write_cards(view, a, seat)
    stack(view, _pile(a, packs - 1), rng)


@helper
def guess_hands(view, me, rng):
    """Fill in what a seat may not know in Jamaica."""
    size = _PACK_FIELDS * (view[SHUFFLES] + 2) + _SEAT_FIELDS * MOST_SEATS + _ENTRY_FIELDS * _entries(view, me)
    _guess_hands_in(view, me, rng, np.zeros(size, dtype=np.int64))


@helper
def guess_stock(view, rng):
    """Fill in what nobody knows in Tortuga."""
    pile = view[DECK] - view[DISCARDS]
    for seat in range(view[SEAT_COUNT]):
        pile -= view[HAND + seat]
    for k in range(view[IN_ROW]):
        pile -= one(((view[ROW] >> 4 * k) & 15) - 1)
    stack(view, pile, rng)
