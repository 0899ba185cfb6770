"""Guessing what is hidden: the order of the stock, and in Jamaica also who drew what.

The model: shuffles are fair, and the others play at random, each legal move with equal chance. Two cards of a kind give
no more moves than one, so the odds of a hand hang on how many kinds it has.

A reshuffle shows everyone what the new stock is made of: a new *pack*. From then on it matters from which pack another
seat drew a card; but when it plays one, nobody else sees which of its cards that was. A guess is made in steps: an
account of what the seat has seen; for every card the others played the pack it came from, its *source*; for every play
a card of that pack, as long as there are enough; for all other cards signs at random out of what is left of their
packs. That is a possible past. Trades lead from there to likely ones.
"""

import numpy as np

from kibitz.core.native import compiled, helper, pointer
from kibitz.games.cartagena.account import DEALT_EACH, UNSEEN, account_size, count, open_account, pile_of
from kibitz.games.cartagena.cards import draw_from, one, size_of, stack
from kibitz.games.cartagena.cells import (
    DEALT,
    DECK,
    DISCARDS,
    HAND,
    HELD,
    IN_ROW,
    ROW,
    SEAT_COUNT,
    SHUFFLES,
    TURNS,
)
from kibitz.games.cartagena.diary import deeds, doer, drawn_cell
from kibitz.games.cartagena.matching import match_plays
from kibitz.games.cartagena.sources import guess_sources
from kibitz.games.cartagena.trades import mix


@helper
def _deal_rest(a, seat, rng):
    """Draw the signs of all other cards from what is free of their packs."""
    for card in range(a.start[seat], a.drawn[seat]):
        if a.seen[card] == UNSEEN:
            pack = a.pack[card]
            a.seen[card] = draw_from(pile_of(a, pack), a.left[pack], rng)
            count(a, pack, a.seen[card], 1)


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


@helper
def _write_past(view, me, a, seats):
    for turn in range(view[TURNS] + 1):
        if doer(deeds(view, turn)) != me:
            view[drawn_cell(turn)] = 0
    for seat in range(seats):
        if seat != me:
            _write_cards(view, a, seat)


@helper
def _deal_hands(view, me, seats, rng):
    """Deal the others' hands out of all cards that the seat does not see, whatever they played; return the rest."""
    pile = view[DECK] - view[DISCARDS] - view[HAND + me]
    for seat in range(seats):
        if seat != me:
            view[HAND + seat] = 0
            for _ in range(view[HELD + seat]):
                card = one(draw_from(pile, size_of(pile), rng))
                view[HAND + seat] += card
                pile -= card
    return pile


@compiled
def guess_hands_in(view, me, rng, room):
    """Fill in what a seat may not know, with room for an account; return the steps it took."""
    seats, packs = view[SEAT_COUNT], view[SHUFFLES] + 1
    a = open_account(view, me, pointer(room))
    work = guess_sources(a, seats, rng)
    matched, looked = match_plays(a, seats, packs, rng)
    for seat in range(seats):
        _deal_rest(a, seat, rng)
    if matched:
        work += mix(a, seats, packs, rng)
    _write_past(view, me, a, seats)
    stack(view, pile_of(a, packs - 1) if matched else _deal_hands(view, me, seats, rng), rng)
    return work + looked


@helper
def guess_hands(view, me, rng):
    """Fill in what a seat may not know in Jamaica."""
    guess_hands_in(view, me, rng, np.zeros(account_size(view, me), dtype=np.int64))


@helper
def guess_stock(view, rng):
    """Fill in what nobody knows in Tortuga."""
    pile = view[DECK] - view[DISCARDS]
    for seat in range(view[SEAT_COUNT]):
        pile -= view[HAND + seat]
    for k in range(view[IN_ROW]):
        pile -= one(((view[ROW] >> 4 * k) & 15) - 1)
    stack(view, pile, rng)
