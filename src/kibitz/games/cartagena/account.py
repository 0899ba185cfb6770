"""The account: what the other seats drew, did and played in Jamaica, as one seat knows it."""

from typing import Any, NamedTuple

from kibitz.core.native import compiled, helper, offset
from kibitz.games.cartagena.cards import count_of, size_of
from kibitz.games.cartagena.cells import (
    DEALT,
    DECK,
    HELD,
    LEFT,
    MOST_SEATS,
    NONE,
    PLAYED,
    SEAT_COUNT,
    SHUFFLES,
    TURNS,
)
from kibitz.games.cartagena.choices import other_moves
from kibitz.games.cartagena.diary import DREW, deed, deeds, doer, drawn_cell

DEALT_EACH = 6
UNSEEN = -1
CLOSED = -1  # in place of the last choice: the card was played in a spell that is over
ACTIONS_A_TURN = 3


class CardAccount(NamedTuple):
    """What is known of the others, and a guess at the rest.

    The cards that a seat drew, in order, are entries start, start + 1, … of the lists of cards, and its plays are the
    entries from there on of the lists of plays. The cards in the stock come behind those of the last seat. A choice is
    a play, a move back or a stop; each seat's choices follow each other too.
    """

    free: Any  # [pack x sign]: cards of the pack that nobody is known or guessed to have had
    left: Any  # [pack]: how many are free
    held: Any  # [pack]: cards of it in the hand that is looked at
    begin: Any  # [pack]: where its cards begin in `mates`
    start: Any  # [seat]: where its cards and plays begin
    drawn: Any  # [seat]: the entry behind its last card
    played: Any  # [seat]: the entry behind its last play
    first_choice: Any  # [seat]
    choices: Any  # [seat]: the number behind its last choice
    pack: Any  # [card]: where it came from
    home: Any  # [card]: the cell that tells its sign, times 64, and from which bit on
    seen: Any  # [card]: its sign, or UNSEEN while there is no guess
    player: Any  # [card]: the play that it is matched with, or NONE
    first: Any  # [card]: the first choice of its seat after it was drawn
    stop: Any  # [card]: the number behind the last choice of its seat
    mates: Any  # cards in order of their packs
    sign: Any  # [play]
    since: Any  # [play]: the first card of its spell
    before: Any  # [play]: the entry behind the last card drawn before it
    source: Any  # [play]: the pack
    kept: Any  # [play]: the source to go back to
    card: Any  # [play]: the card that it is matched with
    waiting: Any  # plays without a card
    waited: Any  # [play]: how often it had to wait
    spells: Any  # [spell in doubt x 2]: its first doubtful play, and the entry behind its last play
    known: Any  # [choice]: the entry behind the last card drawn before it
    wanted: Any  # [choice]: the sign played, or NONE
    others: Any  # [choice]: moves without a card for each space to leave from, times UNIT
    hand: Any  # [choice]: the pile to choose from


_PACK_FIELDS, _SEAT_FIELDS, _ENTRY_FIELDS, _CHOICE_FIELDS = 9, 5, 17, 4


@helper
def entries(view, me):
    """Count the cards that the others drew and those in the stock."""
    cards = view[LEFT]
    for seat in range(view[SEAT_COUNT]):
        if seat != me:
            cards += view[HELD + seat] + view[PLAYED + seat]
    return cards


@helper
def account_size(view, me):
    """Return how many cells an account takes."""
    packs, turns = view[SHUFFLES] + 2, view[TURNS] + 1
    return (
        _PACK_FIELDS * packs
        + _SEAT_FIELDS * MOST_SEATS
        + _ENTRY_FIELDS * entries(view, me)
        + _CHOICE_FIELDS * ACTIONS_A_TURN * turns
    )


@compiled
def open_account(view, me, room):
    """Lay out an account in `room`, which begins with zeros, and put in what the seat has seen."""
    packs, n, turns = view[SHUFFLES] + 2, entries(view, me), view[TURNS] + 1
    seats = offset(room, _PACK_FIELDS * packs)
    lists = offset(seats, _SEAT_FIELDS * MOST_SEATS)
    choices = offset(lists, _ENTRY_FIELDS * n)
    most = ACTIONS_A_TURN * turns
    a = CardAccount(
        room, offset(room, 6 * packs), offset(room, 7 * packs), offset(room, 8 * packs),
        seats, offset(seats, MOST_SEATS), offset(seats, 2 * MOST_SEATS), offset(seats, 3 * MOST_SEATS),
        offset(seats, 4 * MOST_SEATS),
        lists, offset(lists, n), offset(lists, 2 * n), offset(lists, 3 * n), offset(lists, 4 * n), offset(lists, 5 * n),
        offset(lists, 6 * n), offset(lists, 7 * n), offset(lists, 8 * n), offset(lists, 9 * n), offset(lists, 10 * n),
        offset(lists, 11 * n), offset(lists, 12 * n), offset(lists, 13 * n), offset(lists, 14 * n),
        offset(lists, 15 * n),
        choices, offset(choices, most), offset(choices, 2 * most), offset(choices, 3 * most),
    )  # fmt: skip
    _find_places(view, me, a)
    _recall_deal(view, me, a)
    _recall_turns(view, me, a)
    return a


@helper
def _find_places(view, me, a):
    """Find out where the entries and the choices of each seat begin."""
    for turn in range(view[TURNS] + 1):
        done = deeds(view, turn)
        if done and doer(done) != me:
            a.choices[doer(done)] += _choices_in(view, turn, done)
    end, choices = 0, 0
    for seat in range(view[SEAT_COUNT]):
        a.start[seat], a.drawn[seat], a.played[seat] = end, end, end
        here = a.choices[seat]
        a.first_choice[seat], a.choices[seat] = choices, choices
        choices += here
        if seat != me:
            end += view[HELD + seat] + view[PLAYED + seat]


@helper
def _actions_in(done):
    """Count the actions of a turn."""
    actions = 0
    while actions < ACTIONS_A_TURN and deed(done, actions):
        actions += 1
    return actions


@helper
def _choices_in(view, turn, done):
    """Count the choices of a turn: its actions, and that it was stopped before the third."""
    return min(ACTIONS_A_TURN, _actions_in(done) + (turn < view[TURNS]))


@helper
def count(a, pack, sign, n):
    """Take n cards of a sign out of what is free of a pack."""
    a.free[6 * pack + sign] -= n
    a.left[pack] -= n


@helper
def pile_of(a, pack):
    """Return what is free of a pack."""
    pile = 0
    for sign in range(6):
        pile += a.free[6 * pack + sign] << 8 * sign
    return pile


@helper
def _receive(a, seat, pack, home):
    card = a.drawn[seat]
    a.pack[card] = pack
    a.home[card] = home
    a.seen[card] = UNSEEN
    a.player[card] = NONE
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
def _choose(view, a, seat, action, sign):
    choice = a.choices[seat]
    a.others[choice] = other_moves(view, seat, choice - a.first_choice[seat], action)
    a.known[choice] = a.drawn[seat]
    a.wanted[choice] = sign
    a.choices[seat] += 1


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
        for action in range(_actions_in(done)):
            code = deed(done, action)
            if seat != me:
                _choose(view, a, seat, action, code - 1 if code < DREW else NONE)
            if code < DREW:
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
                    count(a, pack, ((view[drawn_cell(turn)] >> 4 * at) & 15) - 1, 1)
                else:
                    _receive(a, seat, pack, 64 * drawn_cell(turn) + 4 * at)
                at += 1
        if done and seat != me and _choices_in(view, turn, done) > _actions_in(done):
            _choose(view, a, seat, _actions_in(done), NONE)


@compiled
def list_by_packs(a, packs, cards):
    """List the first cards in order of their packs, without those of spells that are over."""
    for pack in range(packs + 1):
        a.begin[pack] = 0
    for card in range(cards):
        if a.stop[card] != CLOSED:
            a.begin[a.pack[card]] += 1
    for pack in range(packs):
        a.begin[pack + 1] += a.begin[pack]
    for card in range(cards):
        if a.stop[card] != CLOSED:
            a.begin[a.pack[card]] -= 1
            a.mates[a.begin[a.pack[card]]] = card
