"""Colonizers: four seats pick colonists in secret, draw modules and build; the most valuable colony wins.

The cells of a state are listed in cells.py, the modules in cards.py; posterior.py guesses what a seat cannot see.

A move is a number that the phase explains: a colonist 0..5 to pick or to name, TAKE_OMNIUM or TAKE_MODULES, the kind of
a module times four (its place in a packed hand) to keep or to build, or NOTHING.

A phase in which everyone can see that there is nothing to choose is passed over: the power of a colonist without one,
drawing with a full hand, building without cards or without Omnium. A seat that only its own cards leave without a
choice still makes its one move: to pass over it would tell the others what it holds.
"""

import numpy as np

from kibitz.core.bits import list_bits, nth, popcount
from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.dice import below, dice_in, seed_from, shuffle
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.colonizers.cards import AFFORDABLE, CARDS, COSTS, DEAREST, DECK, VALUES, card, kinds_in, of_colour
from kibitz.games.colonizers.cells import (
    BONUS,
    BUILD,
    BUILDING,
    BUILT,
    BUNDLE,
    CHANCES,
    COLONIST,
    COLONISTS,
    COLONY,
    DRAW,
    DREW,
    ECOLOGIST,
    EVERY_COLONIST,
    FIRST,
    FORESAW,
    FULL_COLONY,
    GENERAL,
    HAND,
    HAND_LIMIT,
    HEAD,
    HELD,
    KEEP,
    LAST,
    LOG,
    LOGGED,
    MAX_ROUNDS,
    MOST_PLACES,
    NOBODY,
    NONE,
    OMNIUM,
    OPPORTUNIST,
    PACKET,
    PAID_BY,
    PHASE,
    PICK,
    POWER,
    REVEALED,
    ROUND,
    RULED_OUT,
    SEAT,
    SEATS_HERE,
    SEED,
    SEEN,
    SPY,
    TAIL,
    TAPE,
    VIEWER,
    VISIONARY,
    WORTH,
    add_chance,
    add_witness,
    entry,
    knows_hand,
    see_place,
    what_of,
    witnessed,
)
from kibitz.games.colonizers.cells import (
    CELLS as CELLS,
)
from kibitz.games.colonizers.posterior import CANDIDATES, guess_cards, guess_colonists

VERSION = 3
SEATS = (SEATS_HERE, SEATS_HERE)
MOST_MOVES = 6
MOST_ROUNDS = 1_000_000
OPTIONS = {
    "bonus": Option("exact", "a full colony adds 4 for the first, 2 for others; or 4 each", choices=("exact", "flat")),
    "payoff": Option("win", "1 for the win; or by rank; or points / 100, no ties", choices=("win", "rank", "points")),
    "max_rounds": Option(500, "rounds until the game ends as it stands", least=1, most=MOST_ROUNDS),
}

TAKE_OMNIUM, TAKE_MODULES = 0, 1
NOTHING = 62
MOVES_BELOW = NOTHING + 1
UNSEEN = 63  # how a move looks to those who may not see it

FLAT = 1
BY_WIN, BY_RANK, BY_POINTS = range(3)
RANK_PAYOFFS = np.array([1.0, 0.2, 0.1, 0.0])  # the rewards of the thesis's tree search
FIRST_BONUS, LATER_BONUS = 4, 2
TIE_BREAK = 1e-4  # points for each seat left behind, so that the lower of two with equal points earns more
POINTS_UNIT = 100.0  # no colony reaches it: 81 points is the most there can be
INCOME = 2
LOOT = 2


@helper
def choices(state):
    """Return the legal moves as a bit mask."""
    seat, phase = state[SEAT], state[PHASE]
    if phase == PICK:
        return state[PACKET + seat]
    if phase == DRAW:
        return np.int64((1 << TAKE_OMNIUM) | (1 << TAKE_MODULES))
    if phase == KEEP:
        top = TAPE + state[HEAD]
        return card(state[top]) | card(state[top + 1])
    nothing = np.int64(1) << NOTHING
    if phase == POWER:
        return (EVERY_COLONIST ^ (1 << state[COLONIST + seat])) | nothing
    return (kinds_in(state[HAND + seat]) & AFFORDABLE[min(state[OMNIUM + seat], DEAREST)]) | nothing


@helper
def begin_round(state):
    """Put a colonist away and hand the others to the first seat."""
    state[ROUND] += 1
    for seat in range(SEATS_HERE):
        state[COLONIST + seat] = NONE
        state[PACKET + seat] = NONE
    state[PACKET] = EVERY_COLONIST ^ (1 << below(dice_in(state, SEED), COLONISTS))
    state[REVEALED] = 0
    state[RULED_OUT] = 0
    state[SEAT] = 0
    state[PHASE] = PICK


@helper
def _log(state, what, seat, cards, lost):
    """Write an entry into the log."""
    bundle = state[BUNDLE + seat]
    at = LOG + 2 * state[LOGGED]
    state[at] = entry(what, seat, bundle, lost, state[CHANCES + bundle])
    state[at + 1] = cards
    state[CHANCES + bundle] = 0
    state[LOGGED] += 1
    if what != BUILDING:
        state[LAST + bundle] = at


@helper
def foresee(state, seat):
    """Give Visionary the top card."""
    top = state[HEAD]
    see_place(state, seat, top)
    state[HEAD] = top + 1
    state[HELD + seat] += 1
    state[HAND + seat] += card(state[TAPE + top])
    _log(state, FORESAW, seat, state[HAND + seat], 0)


@helper
def _reveal(state, seat):
    """Show a seat's colonist to all and let its passive power work."""
    colonist = state[COLONIST + seat]
    state[REVEALED] |= 1 << seat
    if ECOLOGIST <= colonist <= GENERAL:
        state[OMNIUM + seat] += of_colour(state[COLONY + seat], colonist - ECOLOGIST)
    elif colonist == VISIONARY and state[HELD + seat] < HAND_LIMIT and state[HEAD] < state[TAIL]:
        foresee(state, seat)


@helper
def _begin_turn(state, seat):
    """Begin a seat's turn; with a full hand it can only take Omnium."""
    state[SEAT] = seat
    state[PHASE] = DRAW
    if state[HELD + seat] == HAND_LIMIT:
        _reveal(state, seat)
        state[OMNIUM + seat] += INCOME
        state[PHASE] = POWER if state[COLONIST + seat] >= OPPORTUNIST else BUILD


@helper
def _end_turn(state, seat):
    if seat < SEATS_HERE - 1:
        _begin_turn(state, seat + 1)
    elif state[FIRST] == NONE and state[ROUND] < state[MAX_ROUNDS]:
        begin_round(state)
    else:
        if state[FIRST] == NONE:
            state[FIRST] = NOBODY
        state[SEAT] = OVER


@helper
def _begin_building(state, seat):
    if state[HELD + seat] > 0 and state[OMNIUM + seat] > 0:
        state[PHASE] = BUILD
    else:
        _end_turn(state, seat)


@helper
def _after_drawing(state, seat):
    if state[COLONIST + seat] >= OPPORTUNIST:
        state[PHASE] = POWER
    else:
        _begin_building(state, seat)


@helper
def _pick(state, seat, colonist):
    state[COLONIST + seat] = colonist
    if seat < SEATS_HERE - 1:
        state[PACKET + seat + 1] = state[PACKET + seat] ^ (1 << colonist)
        state[SEAT] = seat + 1
    else:
        _begin_turn(state, 0)


@helper
def _take(state, seat, move):
    """Reveal the colonist, then take Omnium or turn up two cards."""
    _reveal(state, seat)
    if move == TAKE_OMNIUM:
        state[OMNIUM + seat] += INCOME
        _after_drawing(state, seat)
    elif state[TAIL] - state[HEAD] < 2:
        state[FIRST] = NONE  # an empty deck ends the game without a winner
        state[SEAT] = OVER
    else:
        see_place(state, seat, state[HEAD])
        see_place(state, seat, state[HEAD] + 1)
        state[PHASE] = KEEP


@helper
def _keep(state, seat, kind):
    """Keep one of the two top cards; the other goes to the bottom of the deck."""
    top, tail = state[HEAD], state[TAIL]
    state[TAPE + tail] = state[TAPE + top] + state[TAPE + top + 1] - kind
    see_place(state, seat, tail)
    state[HEAD] = top + 2
    state[TAIL] = tail + 1
    lost = 1 if state[HELD + seat] == HAND_LIMIT else 0
    if lost == 0:
        state[HELD + seat] += 1
        state[HAND + seat] += card(kind)
    _log(state, DREW, seat, state[HAND + seat], lost)
    _after_drawing(state, seat)


@helper
def _exchange(state, one, other):
    kept = state[one]
    state[one] = state[other]
    state[other] = kept


@helper
def _swap_hands(state, one, other):
    _exchange(state, HAND + one, HAND + other)
    _exchange(state, HELD + one, HELD + other)
    _exchange(state, BUNDLE + one, BUNDLE + other)
    add_witness(state, state[BUNDLE + one], one)
    add_witness(state, state[BUNDLE + other], other)


@helper
def _use_power(state, seat, named):
    """Rob or swap with the holder of a colonist; where nothing could change hands, nobody learns whether it was hit."""
    spying = state[COLONIST + seat] == SPY
    hit = NONE
    for other in range(SEATS_HERE):
        within_reach = state[HELD + other] + state[HELD + seat] if spying else state[OMNIUM + other]
        if other == seat or within_reach == 0:
            continue
        if state[COLONIST + other] == named:
            hit = other
        else:
            state[RULED_OUT] |= np.int64(1) << (COLONISTS * other + named)
    if hit == NONE:
        return
    state[REVEALED] |= 1 << hit
    if spying:
        _swap_hands(state, seat, hit)
    else:
        loot = min(LOOT, state[OMNIUM + hit])
        state[OMNIUM + hit] -= loot
        state[OMNIUM + seat] += loot


@helper
def build(state, seat, kind):
    """Move a module from the hand of a seat to its colony."""
    state[HAND + seat] -= card(kind)
    state[HELD + seat] -= 1
    state[OMNIUM + seat] -= COSTS[kind]
    state[COLONY + seat] += card(kind)
    state[WORTH + seat] += VALUES[kind]
    state[BUILT + seat] += 1
    _log(state, BUILDING, seat, kind, 0)
    if state[BUILT + seat] == FULL_COLONY and state[FIRST] == NONE:
        state[FIRST] = seat


@helper
def points(state, seat):
    """Return the points a seat would have if the game ended now, with a full colony's bonus."""
    if state[BUILT + seat] < FULL_COLONY:
        return state[WORTH + seat]
    late = state[BONUS] != FLAT and state[FIRST] != seat
    return state[WORTH + seat] + (LATER_BONUS if late else FIRST_BONUS)


@helper
def rank(state, seat):
    """Return how many seats stand before this one; ties go to the lower seat."""
    own = points(state, seat)
    before = 0
    for other in range(SEATS_HERE):
        theirs = points(state, other)
        if theirs > own or (theirs == own and other < seat):
            before += 1
    return before


@rule
def deal(state, options, rng):
    for place in range(CARDS):
        state[TAPE + place] = DECK[place]
    shuffle(rng, state, TAPE, TAPE + CARDS)
    state[TAIL] = CARDS
    state[FIRST] = NONE
    state[BONUS] = options[1]
    state[PAID_BY] = options[2]
    state[MAX_ROUNDS] = options[3]
    state[VIEWER] = NONE
    state[SEED] = seed_from(rng)
    for seat in range(SEATS_HERE):
        state[BUNDLE + seat] = seat
        state[LAST + seat] = NONE
    begin_round(state)


@rule
def moves(state, out):
    return list_bits(choices(state), out)


@rule
def sample(state, rng):
    left = choices(state)
    return nth(left, below(rng, popcount(left)))


@rule
def play(state, move):
    seat, phase = state[SEAT], state[PHASE]
    if phase == PICK:
        _pick(state, seat, move)
    elif phase == DRAW:
        _take(state, seat, move)
    elif phase == KEEP:
        _keep(state, seat, move >> 2)
    elif phase == POWER:
        if move != NOTHING:
            _use_power(state, seat, move)
        _begin_building(state, seat)
    else:
        add_chance(state, seat)
        if move != NOTHING:
            build(state, seat, move >> 2)
        _end_turn(state, seat)


@rule
def payoff(state, out):
    for seat in range(SEATS_HERE):
        if state[FIRST] == NONE:
            out[seat] = 0.0
        elif state[PAID_BY] == BY_POINTS:
            out[seat] = (points(state, seat) + TIE_BREAK * (SEATS_HERE - 1 - rank(state, seat))) / POINTS_UNIT
        elif state[PAID_BY] == BY_RANK:
            out[seat] = RANK_PAYOFFS[rank(state, seat)]
        else:
            out[seat] = 1.0 if rank(state, seat) == 0 else 0.0


@helper
def _view_tape(state, seat, out):
    first, later = state[SEEN + 2 * seat], state[SEEN + 2 * seat + 1]
    later |= np.int64(-1) << (state[TAIL] - CARDS)  # nothing is hidden where nothing lies yet
    for place in range(CARDS):
        out[TAPE + place] = state[TAPE + place] if (first >> place) & 1 else UNKNOWN
    for place in range(MOST_PLACES - CARDS):
        out[TAPE + CARDS + place] = state[TAPE + CARDS + place] if (later >> place) & 1 else UNKNOWN


@rule
def view(state, seat, out):
    for cell in range(TAPE):
        out[cell] = state[cell]
    out[VIEWER] = seat
    out[SEED] = UNKNOWN
    for other in range(SEATS_HERE):
        if not knows_hand(state, seat, other):
            out[HAND + other] = UNKNOWN
        if other != seat and state[PACKET + other] != NONE:
            out[PACKET + other] = UNKNOWN
        if other != seat and state[COLONIST + other] != NONE and (state[REVEALED] >> other) & 1 == 0:
            out[COLONIST + other] = UNKNOWN
    _view_tape(state, seat, out)
    for at in range(LOG, LOG + 2 * state[LOGGED], 2):
        out[at] = state[at]
        shown = what_of(state[at]) == BUILDING or witnessed(state[at], seat)
        out[at + 1] = state[at + 1] if shown else UNKNOWN


@rule
def guess(view, seat, rng):
    guess_colonists(view, seat, rng)
    guess_cards(view, CANDIDATES, rng)
    view[SEED] = seed_from(rng)


@rule
def seen(state, move, seat):
    secret = state[PHASE] == PICK or state[PHASE] == KEEP
    return UNSEEN if secret and seat != state[SEAT] else move


PHASES_OF_A_ROUND = 4 * SEATS_HERE


@rule
def progress(state):
    # The phases that are over, those passed over too: each seat has one to pick and three to draw, use its power and
    # build.
    rounds, phase = PHASES_OF_A_ROUND * state[ROUND], state[PHASE]
    if state[SEAT] == OVER:
        return rounds + PHASES_OF_A_ROUND
    if phase == PICK:
        return rounds + state[SEAT]
    done = 2 if phase == BUILD else (1 if phase == POWER else 0)
    return rounds + SEATS_HERE + 3 * state[SEAT] + done


@rule
def extent(state):
    return LOG + 2 * state[LOGGED]
