"""Samples the posterior of what is hidden: the order of the stock, and in Jamaica also who drew what.

The model: shuffles are fair, and the others play at random, each legal move with equal chance. Two cards of a kind give
no more moves than one, so the likelihood of a hand depends on how many kinds it has.

A reshuffle shows everyone what the new stock is made of: a new *pack*. From then on it matters from which pack another
seat drew a card; but when it plays one, nobody else sees which of its cards that was. A guess takes four steps: enter
what the seat has seen into a belief; sample for every card the others played the pack it came from, its *source*; match
every play with a card of that pack, and deal all other cards signs from what is left of their packs. That is a possible
past. A Metropolis chain leads from there to likely ones.
"""

from kibitz.core.native import compiled, helper
from kibitz.core.scratch import scratch
from kibitz.games.cartagena.belief import MOST_BELIEF, UNSEEN, belief_size, count, new_belief, pile_of
from kibitz.games.cartagena.cards import deal_hand, draw_from, one, stack
from kibitz.games.cartagena.cells import (
    DEALT,
    DECK,
    DISCARDS,
    HAND,
    HAND_SIZE,
    HELD,
    IN_ROW,
    ROW,
    SEAT_COUNT,
    SHUFFLES,
    TURNS,
)
from kibitz.games.cartagena.history import actions_of, drawn_cell, seat_of
from kibitz.games.cartagena.matching import match_plays
from kibitz.games.cartagena.pack_sampler import sample_sources
from kibitz.games.cartagena.swap_sampler import run_chain


@helper
def _deal_rest(b, seat, rng):
    """Draw the signs of all other cards from the free cards of their packs."""
    for card in range(b.start[seat], b.drawn[seat]):
        if b.seen[card] == UNSEEN:
            pack = b.pack[card]
            b.seen[card] = draw_from(pile_of(b, pack), b.left[pack], rng)
            count(b, pack, b.seen[card], 1)


@helper
def _write_cards(view, b, seat):
    """Write the cards that a seat was dealt and drew, and the hand that is left."""
    view[HAND + seat], view[DEALT + seat] = 0, 0
    for card in range(b.start[seat], b.drawn[seat]):
        sign = b.seen[card]
        view[HAND + seat] += one(sign)
        if card < b.start[seat] + HAND_SIZE:
            view[DEALT + seat] += one(sign)
        else:
            view[b.home[card] // 64] |= (sign + 1) << b.home[card] % 64
    for k in range(b.start[seat], b.played[seat]):
        view[HAND + seat] -= one(b.sign[k])


@helper
def _write_past(view, me, b, seats):
    for turn in range(view[TURNS] + 1):
        if seat_of(actions_of(view, turn)) != me:
            view[drawn_cell(turn)] = 0
    for seat in range(seats):
        if seat != me:
            _write_cards(view, b, seat)


@helper
def _deal_hands(view, me, seats, rng):
    """Deal the others' hands from all cards that the seat does not see, whatever they played; return the rest."""
    pile = view[DECK] - view[DISCARDS] - view[HAND + me]
    for seat in range(seats):
        if seat != me:
            pile = deal_hand(view, seat, view[HELD + seat], pile, rng)
    return pile


@compiled
def guess_hands_in(view, me, rng, room):
    """Fill in what a seat may not know, with `room` for a belief, all zeros; return the steps taken."""
    seats, packs = view[SEAT_COUNT], view[SHUFFLES] + 1
    b = new_belief(view, me, room)
    work = sample_sources(b, seats, rng)
    matched, examined = match_plays(b, seats, packs, rng)
    for seat in range(seats):
        _deal_rest(b, seat, rng)
    if matched:
        work += run_chain(b, seats, packs, rng)
    _write_past(view, me, b, seats)
    stack(view, pile_of(b, packs - 1) if matched else _deal_hands(view, me, seats, rng), rng)
    return work + examined


@helper
def guess_hands(view, me, rng):
    """Fill in what a seat may not know in Jamaica."""
    room = scratch(MOST_BELIEF)
    for cell in range(belief_size(view, me)):
        room[cell] = 0
    guess_hands_in(view, me, rng, room)


@helper
def guess_stock(view, rng):
    """Fill in what nobody knows in Tortuga."""
    pile = view[DECK] - view[DISCARDS]
    for seat in range(view[SEAT_COUNT]):
        pile -= view[HAND + seat]
    for k in range(view[IN_ROW]):
        pile -= one(((view[ROW] >> 4 * k) & 15) - 1)
    stack(view, pile, rng)
