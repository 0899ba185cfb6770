"""Cartagena: bring six pirates through the passage to the sloop; go back to draw cards, play cards to go on.

The cells of a state are declared in cells.py. A move is one action; a turn is up to three of them:

    8 * space + sign   forward: play a card, a pirate on that space moves to the next free space with that sign
    BACK + space       backward: a pirate on that space falls back to one or two others, and draws as many cards
    STOP               end the turn, after at least one action
    DRAW               take a card, where nothing else is possible at the beginning of a turn
"""

from collections.abc import Mapping
from typing import Any

from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.dice import below, seed_from
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper, offset
from kibitz.core.options import Option
from kibitz.games.cartagena.cards import (
    EACH,
    deal_hand,
    discard,
    fill_row,
    signs_in,
    stack,
    take,
)
from kibitz.games.cartagena.cells import (
    ACTIONS,
    ACTIONS_A_TURN,
    DEALT,
    DECK,
    HAND,
    HAND_SIZE,
    HELD,
    HIDDEN,
    HISTORY,
    MAX_TURNS,
    MOST_EACH,
    MOST_TURNS,
    NONE,
    PLAYED,
    REFILL,
    ROW_SIZE,
    SEAT,
    SEAT_COUNT,
    SEED,
    SIGNS,
    SLOOP_BACK,
    STOCK,
    STOCK_CELLS,
    TURNS,
    WINNER,
)
from kibitz.games.cartagena.cells import (
    CELLS as CELLS,
)
from kibitz.games.cartagena.history import (
    DREW,
    actions_of,
    clear_block,
    drawn_before,
    drawn_cell,
    history_cells,
    record,
    seat_of,
)
from kibitz.games.cartagena.passage import (
    AS_PRINTED,
    PASSAGE,
    SLOOP,
    all_aboard,
    inviting,
    lay_out,
    pirates_on,
    set_out,
    space_ahead,
    space_behind,
    standing,
    walk,
)
from kibitz.games.cartagena.posterior import guess_hands, guess_stock

VERSION = 1
SEATS = (2, 5)
USUAL_SEATS = 3
SEAT_NAMES = ("red", "green", "blue", "yellow", "violet")
MOST_MOVES = 43  # six pirates apart, six signs in hand: 36 forward, 6 backward, and stop
PAYOFF_SUM = 1
OPTIONS = {
    "version": Option("tortuga", "open hands and an open row, or all in secret", choices=("tortuga", "jamaica")),
    "board": Option("standard", "the order of the six segments", choices=("standard", "random")),
    "cards": Option(17, "cards of each sign", least=6, most=MOST_EACH),
    "row": Option(12, "cards in Tortuga's open row", least=1, most=15),
    "refill": Option("empty", "when the row is refilled: once it is empty, or always", choices=("empty", "always")),
    "sloop_back": Option(False, "pirates may move back from the sloop"),
    "max_turns": Option(500, "turns, of all seats, until the game ends in a draw", least=1, most=MOST_TURNS),
    "max_rounds": Option(0, "turns of each seat until the game ends in a draw; 0 for no such limit", least=0,
                         most=MOST_TURNS),
    "stock": Option("hidden", "whether the order of the stock and of coming shuffles is a secret; open is for Tortuga",
                    choices=("hidden", "open")),
    "segments": Option(0, "the segments of the standard board in another order, such as 362514; 0 for 123456", least=0,
                       most=654_321),
    "turned": Option(0, "the segments that are read backwards, such as 25; 0 for none", least=0, most=654_321),
}  # fmt: skip

BACK = 304
STOP = BACK + SLOOP + 1
DRAW = STOP + 1
MOVES_BELOW = DRAW + 1
_RECIPROCAL = (0, 1024, 512, 342, 256, 205, 171)  # n // k is n * _RECIPROCAL[k] >> 10 for n < 36


def is_open(options: Mapping[str, Any]) -> bool:
    """Return whether nothing is hidden with these options."""
    return bool(options["stock"] == "open")


def refuse(options: Mapping[str, Any]) -> str | None:
    """Return why options do not go together, or nothing."""
    segments, turned = str(options["segments"]), str(options["turned"])
    if options["stock"] == "open" and options["version"] != "tortuga":
        return "stock=open needs version=tortuga: in Jamaica hands are a secret too"
    if options["board"] == "random" and (segments, turned) != ("0", "0"):
        return "segments and turned name a board, so they do not go with board=random"
    if segments != "0" and sorted(segments) != list("123456"):
        return f"segments={segments} does not fit; it takes each of the digits 1 to 6 once"
    if turned != "0" and (set(turned) - set("123456") or len(set(turned)) < len(turned)):
        return f"turned={turned} does not fit; it takes digits from 1 to 6, each at most once"
    return None


@helper
def _deal_hands(state, rng):
    """Deal every seat six cards; return the pile that is left."""
    pile = state[DECK]
    for seat in range(state[SEAT_COUNT]):
        pile = deal_hand(state, seat, HAND_SIZE, pile, rng)
        state[HELD + seat] = HAND_SIZE
        if state[HIDDEN]:
            state[DEALT + seat] = state[HAND + seat]
    return pile


@helper
def going(state, seat):
    """Return the spaces a seat's pirates can go forward from."""
    return standing(state, seat) & ((1 << SLOOP) - 1)


@helper
def retreating(state, seat):
    """Return the spaces a seat's pirates can go back from."""
    targets = inviting(state)
    if targets == 0:
        return 0
    reach = PASSAGE | state[SLOOP_BACK] << SLOOP
    return standing(state, seat) & reach & (-2 << lowest(targets))


@helper
def pass_on(state):
    """Make it the next seat's turn."""
    state[ACTIONS] = 0
    state[TURNS] += 1
    if state[HIDDEN]:
        clear_block(state)
    state[SEAT] += 1
    if state[SEAT] == state[SEAT_COUNT]:
        state[SEAT] = 0


@helper
def _draw_cards(state, seat, n):
    """Give a seat n cards, and record them where they are secret."""
    line, taken = 0, 0
    for _ in range(n):
        card = take(state, seat)
        if card:
            line |= card << 4 * taken
            taken += 1
    if state[HIDDEN]:
        record(state, DREW + taken, line, drawn_before(state))


@helper
def _advance(state, seat, space, sign):
    discard(state, seat, sign)
    if state[HIDDEN]:
        record(state, sign + 1, 0, 0)
        state[PLAYED + seat] += 1
    walk(state, seat, space, space_ahead(state, space, sign))


@helper
def _retreat(state, seat, space):
    """Move a pirate back and return how many it met."""
    goal = space_behind(state, space)
    met = pirates_on(state, goal)
    walk(state, seat, space, goal)
    return met


@helper
def _hide(state, cell, out):
    """Hide what a cell holds; everyone knows whether it is empty."""
    out[cell] = UNKNOWN if state[cell] else 0


@rule
def deal(state, options, rng):
    state[SEAT_COUNT], state[HIDDEN], state[DECK] = options[0], options[1], options[3] * EACH
    state[ROW_SIZE], state[REFILL], state[SLOOP_BACK] = options[4], options[5], options[6]
    state[MAX_TURNS] = options[7]
    if 0 < options[8] * options[0] < options[7]:
        state[MAX_TURNS] = options[8] * options[0]
    state[WINNER] = NONE
    lay_out(state, options[2], options[10] if options[10] else AS_PRINTED, options[11], rng)
    for seat in range(state[SEAT_COUNT]):
        set_out(state, seat)
    stack(state, _deal_hands(state, rng), rng)
    state[SEED] = seed_from(rng)
    if not state[HIDDEN]:
        fill_row(state)


@rule
def moves(state, out):
    seat = state[SEAT]
    n = 0
    left, signs = going(state, seat), signs_in(state[HAND + seat])
    while left:
        space, hand = lowest(left), signs
        left &= left - 1
        while hand:
            out[n] = 8 * space + (lowest(hand) >> 3)
            hand &= hand - 1
            n += 1
    left = retreating(state, seat)
    while left:
        out[n] = BACK + lowest(left)
        left &= left - 1
        n += 1
    if state[ACTIONS] or n == 0:
        out[n] = STOP if state[ACTIONS] else DRAW
        n += 1
    return n


@rule
def sample(state, rng):
    seat = state[SEAT]
    spaces, signs, back = going(state, seat), signs_in(state[HAND + seat]), retreating(state, seat)
    kinds = popcount(signs)
    forward = popcount(spaces) * kinds
    n = forward + popcount(back)
    k = below(rng, n + 1 if state[ACTIONS] or n == 0 else n)
    if k < forward:
        at = k * _RECIPROCAL[kinds] >> 10
        return 8 * nth(spaces, at) + (nth(signs, k - at * kinds) >> 3)
    if k < n:
        return BACK + nth(back, k - forward)
    return STOP if state[ACTIONS] else DRAW


@rule
def play(state, move):
    seat, cards = state[SEAT], 0
    if move < BACK:
        _advance(state, seat, move >> 3, move & 7)
        if all_aboard(state, seat):
            state[WINNER] = seat
            state[SEAT] = OVER
            return
    elif move < STOP:
        cards = _retreat(state, seat, move - BACK)
    elif move == DRAW:
        cards = 1
    if cards:
        _draw_cards(state, seat, cards)
    state[ACTIONS] += 1
    if move >= STOP or state[ACTIONS] == ACTIONS_A_TURN:
        pass_on(state)
        if state[TURNS] >= state[MAX_TURNS]:
            state[SEAT] = OVER


@rule
def payoff(state, out):
    seats = state[SEAT_COUNT]
    for seat in range(seats):
        out[seat] = 1.0 / seats if state[WINNER] == NONE else 0.0
    if state[WINNER] != NONE:
        out[state[WINNER]] = 1.0


@rule
def extent(state):
    return HISTORY + history_cells(state[TURNS]) if state[HIDDEN] else DEALT


@rule
def key(state):
    return hash_cells(offset(state, SIGNS), DEALT - SIGNS)


@rule
def progress(state):
    return state[TURNS]


@rule
def view(state, seat, out):
    for cell in range(HISTORY + history_cells(state[TURNS]) if state[HIDDEN] else DEALT):
        out[cell] = state[cell]
    out[SEED] = UNKNOWN
    for k in range(STOCK_CELLS):
        _hide(state, STOCK + k, out)
    if not state[HIDDEN]:
        return
    for other in range(state[SEAT_COUNT]):
        if other != seat:
            _hide(state, HAND + other, out)
            _hide(state, DEALT + other, out)
    for turn_ in range(state[TURNS] + 1):
        if seat_of(actions_of(state, turn_)) != seat:
            _hide(state, drawn_cell(turn_), out)


@rule
def guess(view, seat, rng):
    view[SEED] = seed_from(rng)
    if view[HIDDEN]:
        guess_hands(view, seat, rng)
    else:
        guess_stock(view, rng)
