"""The belief of one seat in Jamaica: what the others drew and played as far as it knows, and a sample of the rest."""

from typing import NamedTuple

from kibitz.core.arrays import Int64s
from kibitz.core.native import compiled, helper, offset
from kibitz.games.cartagena.cards import count_of, size_of
from kibitz.games.cartagena.cells import (
    ACTIONS_A_TURN,
    DEALT,
    DECK,
    HAND_SIZE,
    HELD,
    KINDS,
    LEFT,
    MOST_EACH,
    MOST_SEATS,
    MOST_TURNS,
    NONE,
    PLAYED,
    SEAT_COUNT,
    SHUFFLES,
    TURNS,
)
from kibitz.games.cartagena.history import DREW, action_code, actions_of, drawn_cell, seat_of
from kibitz.games.cartagena.opponent_model import other_moves

UNSEEN = -1
CLOSED = -1  # in place of the last choice: the card was played in a spell that has ended


class Belief(NamedTuple):
    """What is known of the others, and a sample of the rest.

    A seat's cards, in the order drawn, are entries start, start + 1, … of the lists of cards; its plays are the entries
    from there on of the lists of plays. The cards in the stock follow those of the last seat. A choice is a play, a
    move back or a stop; each seat's choices lie side by side too.
    """

    free: Int64s  # [pack x sign]: cards of the pack that nobody is known or sampled to have had
    left: Int64s  # [pack]: how many are free
    held: Int64s  # [pack]: its cards in the hand under examination
    begin: Int64s  # [pack]: where its cards begin in `by_pack`
    start: Int64s  # [seat]: where its cards and plays begin
    drawn: Int64s  # [seat]: one past its last card
    played: Int64s  # [seat]: one past its last play
    first_choice: Int64s  # [seat]: where its choices begin
    choices: Int64s  # [seat]: one past its last choice
    pack: Int64s  # [card]: the pack it came from
    home: Int64s  # [card]: 64 times the cell of the history that holds its sign, plus the bit
    seen: Int64s  # [card]: its sign, or UNSEEN before it is sampled
    player: Int64s  # [card]: the play that it is matched with, or NONE
    first: Int64s  # [card]: the first choice of its seat after it was drawn
    stop: Int64s  # [card]: one past the last choice of its seat, or CLOSED
    by_pack: Int64s  # [card]: cards in order of their packs
    sign: Int64s  # [play]: of the card played
    since: Int64s  # [play]: the first card of its spell
    before: Int64s  # [play]: one past the last card drawn before it
    source: Int64s  # [play]: the pack its card came from
    kept: Int64s  # [play]: the source before the proposal
    card: Int64s  # [play]: the card that it is matched with
    waiting: Int64s  # [play]: the unmatched plays
    waited: Int64s  # [play]: how often it has lost its card
    spells: Int64s  # [spell in doubt x 2]: its first doubtful play, and one past its last
    known: Int64s  # [choice]: one past the last card drawn before it
    wanted: Int64s  # [choice]: the sign played, or NONE
    others: Int64s  # [choice]: moves without a card per space to leave from, times UNIT
    hand: Int64s  # [choice]: the pile to choose from


_PACK_FIELDS, _SEAT_FIELDS, _ENTRY_FIELDS, _CHOICE_FIELDS = 9, 5, 17, 4

# An action that draws gives at most two cards and shuffles at most once, and who plays a card was dealt or drew it.
_TURNS = MOST_TURNS + MOST_SEATS
_ACTIONS = ACTIONS_A_TURN * _TURNS
_PLAYS = (2 * _ACTIONS + HAND_SIZE * MOST_SEATS) // 3
MOST_BELIEF = (
    _PACK_FIELDS * (_ACTIONS - _PLAYS + 2)
    + _SEAT_FIELDS * MOST_SEATS
    + _ENTRY_FIELDS * (_PLAYS + KINDS * MOST_EACH)
    + _CHOICE_FIELDS * _ACTIONS
)


@helper
def entries(view, me):
    """Count the cards that the others drew and those in the stock."""
    cards = view[LEFT]
    for seat in range(view[SEAT_COUNT]):
        if seat != me:
            cards += view[HELD + seat] + view[PLAYED + seat]
    return cards


@helper
def belief_size(view, me):
    """Return how many cells a belief takes, at most MOST_BELIEF."""
    packs, turns = view[SHUFFLES] + 2, view[TURNS] + 1
    return (
        _PACK_FIELDS * packs
        + _SEAT_FIELDS * MOST_SEATS
        + _ENTRY_FIELDS * entries(view, me)
        + _CHOICE_FIELDS * ACTIONS_A_TURN * turns
    )


@compiled
def new_belief(view, me, room):
    """Lay out a belief in `room`, which is all zeros, and enter what the seat has seen."""
    packs, n, turns = view[SHUFFLES] + 2, entries(view, me), view[TURNS] + 1
    seats = offset(room, _PACK_FIELDS * packs)
    lists = offset(seats, _SEAT_FIELDS * MOST_SEATS)
    choices = offset(lists, _ENTRY_FIELDS * n)
    most = ACTIONS_A_TURN * turns
    b = Belief(
        room, offset(room, 6 * packs), offset(room, 7 * packs), offset(room, 8 * packs),
        seats, offset(seats, MOST_SEATS), offset(seats, 2 * MOST_SEATS), offset(seats, 3 * MOST_SEATS),
        offset(seats, 4 * MOST_SEATS),
        lists, offset(lists, n), offset(lists, 2 * n), offset(lists, 3 * n), offset(lists, 4 * n), offset(lists, 5 * n),
        offset(lists, 6 * n), offset(lists, 7 * n), offset(lists, 8 * n), offset(lists, 9 * n), offset(lists, 10 * n),
        offset(lists, 11 * n), offset(lists, 12 * n), offset(lists, 13 * n), offset(lists, 14 * n),
        offset(lists, 15 * n),
        choices, offset(choices, most), offset(choices, 2 * most), offset(choices, 3 * most),
    )  # fmt: skip
    _find_places(view, me, b)
    _enter_deal(view, me, b)
    _enter_turns(view, me, b)
    return b


@helper
def _find_places(view, me, b):
    """Find where the entries and the choices of each seat begin."""
    for turn in range(view[TURNS] + 1):
        done = actions_of(view, turn)
        if done and seat_of(done) != me:
            b.choices[seat_of(done)] += _choices_in(view, turn, done)
    end, choices = 0, 0
    for seat in range(view[SEAT_COUNT]):
        b.start[seat], b.drawn[seat], b.played[seat] = end, end, end
        here = b.choices[seat]
        b.first_choice[seat], b.choices[seat] = choices, choices
        choices += here
        if seat != me:
            end += view[HELD + seat] + view[PLAYED + seat]


@helper
def _actions_in(done):
    """Count the actions of a turn."""
    actions = 0
    while actions < ACTIONS_A_TURN and action_code(done, actions):
        actions += 1
    return actions


@helper
def _choices_in(view, turn, done):
    """Count the choices of a turn: its actions, and the stop if it ended before the third."""
    return min(ACTIONS_A_TURN, _actions_in(done) + (turn < view[TURNS]))


@helper
def count(b, pack, sign, n):
    """Take n cards of a sign from the free cards of a pack."""
    b.free[6 * pack + sign] -= n
    b.left[pack] -= n


@helper
def pile_of(b, pack):
    """Return the free cards of a pack."""
    pile = 0
    for sign in range(6):
        pile += b.free[6 * pack + sign] << 8 * sign
    return pile


@helper
def _add_card(b, seat, pack, home):
    card = b.drawn[seat]
    b.pack[card] = pack
    b.home[card] = home
    b.seen[card] = UNSEEN
    b.player[card] = NONE
    b.drawn[seat] += 1


@helper
def _add_play(b, seat, sign):
    k = b.played[seat]
    b.sign[k] = sign
    b.before[k] = b.drawn[seat]
    hand_was_empty = k == b.start[seat] or b.before[k - 1] == k
    b.since[k] = k if hand_was_empty else b.since[k - 1]
    b.played[seat] += 1


@helper
def _add_choice(view, b, seat, action, sign):
    choice = b.choices[seat]
    b.others[choice] = other_moves(view, seat, choice - b.first_choice[seat], action)
    b.known[choice] = b.drawn[seat]
    b.wanted[choice] = sign
    b.choices[seat] += 1


@helper
def _enter_deal(view, me, b):
    """Enter the deal."""
    b.left[0] = size_of(view[DECK]) - HAND_SIZE
    for sign in range(6):
        b.free[sign] = count_of(view[DECK], sign) - count_of(view[DEALT + me], sign)
    for seat in range(view[SEAT_COUNT]):
        if seat != me:
            for _ in range(HAND_SIZE):
                _add_card(b, seat, 0, 0)


@helper
def _enter_turns(view, me, b):
    """Enter the history."""
    pack, stock, discards = 0, size_of(view[DECK]) - HAND_SIZE * view[SEAT_COUNT], 0
    for turn in range(view[TURNS] + 1):
        done, at = actions_of(view, turn), 0
        seat = seat_of(done)
        for action in range(_actions_in(done)):
            code = action_code(done, action)
            if seat != me:
                _add_choice(view, b, seat, action, code - 1 if code < DREW else NONE)
            if code < DREW:
                b.free[6 * (pack + 1) + code - 1] += 1
                discards += 1
                if seat != me:
                    _add_play(b, seat, code - 1)
            for _ in range(code - DREW):
                if stock == 0:
                    pack, stock, discards = pack + 1, discards, 0
                    b.left[pack] = stock
                stock -= 1
                if seat == me:
                    count(b, pack, ((view[drawn_cell(turn)] >> 4 * at) & 15) - 1, 1)
                else:
                    _add_card(b, seat, pack, 64 * drawn_cell(turn) + 4 * at)
                at += 1
        if done and seat != me and _choices_in(view, turn, done) > _actions_in(done):
            _add_choice(view, b, seat, _actions_in(done), NONE)


@compiled
def list_by_packs(b, packs, cards):
    """List the first `cards` cards in order of their packs, without those of spells that have ended."""
    for pack in range(packs + 1):
        b.begin[pack] = 0
    for card in range(cards):
        if b.stop[card] != CLOSED:
            b.begin[b.pack[card]] += 1
    for pack in range(packs):
        b.begin[pack + 1] += b.begin[pack]
    for card in range(cards):
        if b.stop[card] != CLOSED:
            b.begin[b.pack[card]] -= 1
            b.by_pack[b.begin[b.pack[card]]] = card
