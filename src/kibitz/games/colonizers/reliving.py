"""Living through the log of a game again: a past that a seat cannot rule out, with cards that get faces late.

* A card is one of the 52 places of the shuffled deck; it is blank until something the seat saw gives it a face.
* A draw by another seat keeps one of two cards. If the seat could not tell them apart, a coin decides. Otherwise the
  draw stays open: the card kept and the one put at the bottom are both "one of these two" until one of them matters.
* Wherever the log leaves several possibilities that matter, the past branches. Every branch has its likelihood: a blank
  card shows a face as often as that face is left among the blank ones, an open draw falls either way half the time.
* At the end the cards in hands get faces: each kind as often as it is left, less the likelihood that a card of that
  kind would have stayed in the hand so long. Which of several blank cards was built is drawn in the same way.
"""

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import below, unit
from kibitz.core.native import helper
from kibitz.games.colonizers.cards import CARDS, COPIES, COSTS, DEAREST, KINDS, card, copies
from kibitz.games.colonizers.cells import (
    BUILDING,
    CHANCE,
    CHANCE_BITS,
    CHANCES,
    FORESAW,
    HAND_LIMIT,
    LOG,
    LOGGED,
    MOST_ENTRIES,
    SEATS_HERE,
    TAPE,
    bundle_of,
    chances_of,
    is_lost,
    what_of,
)

# Chances to build a card that stayed in hand are counted by what it may cost: in one number, a lane of seven bits for
# each of the eight prices, the lowest first.
PRICES = np.unique(COSTS)
LANES = len(PRICES)
LANE_BITS = 7
LANE = (1 << LANE_BITS) - 1
LANE_OF = LANE_BITS * np.searchsorted(PRICES, COSTS).astype(np.int64)
PAYABLE = np.array(
    [sum(1 << LANE_BITS * lane for lane, price in enumerate(PRICES) if price <= n) for n in range(DEAREST + 1)],
    dtype=np.int64,
)
SHARE = np.array([COPIES[price == COSTS].sum() / CARDS for price in PRICES])
# At a chance n kinds that could be paid for all stay with 1 / (n + 1), as if each did with the nth root of that. STEPS
# tells it in eighths of a halving; STAYING is the likelihood after so many steps.
EIGHTHS = 8
STEPS = np.array([0, *(int(EIGHTHS * np.log2(n + 1) / n) for n in range(1, HAND_LIMIT + 1))], dtype=np.int64)
STAYING = 0.5 ** (np.arange(LANE + 1) / EIGHTHS)

# Cells of `notes`, what is remembered while living through the log.
FACE = 0  # for each card: its kind, or BLANK
ONE = FACE + CARDS  # for each draw of two: the first card,
TWO = ONE + CARDS  # the second card,
KEPT = TWO + CARDS  # and the card kept, or OPEN
SLOT = KEPT + CARDS  # for each bundle, what it holds: a card, or OPEN + the number of the draw it was kept from
COUNT = SLOT + SEATS_HERE * HAND_LIMIT  # for each bundle: how many
STAYED = COUNT + SEATS_HERE  # for each slot: how often its card could be paid for and stayed, by cost
LEFT = STAYED + SEATS_HERE * HAND_LIMIT  # for each kind: how many of its cards are blank
BLANKS = LEFT + KINDS  # how many cards are blank
MODE = BLANKS + 1  # how branchings are decided: IN_TURN or AT_RANDOM
LIVED = MODE + 1  # how often the log has been lived through
POSSIBLE = LIVED + 1  # how often that was possible
SWEPT = POSSIBLE + 1  # whether all branches have been lived through
DEPTH = SWEPT + 1  # branchings met
FIXED = DEPTH + 1  # branchings whose branch is set
BRANCH = FIXED + 1  # for each branching: the branch taken
MOST_BRANCHINGS = 2 * MOST_ENTRIES  # an entry can branch once, and a draw once more when it is decided later
WIDTH = BRANCH + MOST_BRANCHINGS  # and how many there are
OPTION = WIDTH + MOST_BRANCHINGS  # the branches to choose from
MOST_OPTIONS = 2 * HAND_LIMIT + 2
POOL = OPTION + MOST_OPTIONS  # the blank cards' kinds, at the end
KEEPSAKE = POOL + CARDS  # FACE, ONE, TWO and KEPT of the past that will be kept
NOTES = KEEPSAKE + SLOT

# Cells of `odds`, behind those of the branches to choose from.
LIKELIHOOD = MOST_OPTIONS  # of the past so far
TOTAL = LIKELIHOOD + 1  # of all pasts weighed
STAY = TOTAL + 1  # for each kind: how likely a card of it is to have stayed in a slot
ODDS = STAY + KINDS

IN_TURN, AT_RANDOM = range(2)
BLANK = -1
OPEN = 64
EITHER = 2  # in an option: neither the first nor the second card of a draw
SOME_BLANK = 3  # any of the blank cards of a bundle


@helper
def relive(view, notes, odds, rng):
    """Live through the log once; odds[LIKELIHOOD] becomes 0 if that is impossible."""
    _begin(view, notes)
    odds[LIKELIHOOD] = 1.0
    head, draw = 0, 0
    for at in range(LOG, LOG + 2 * view[LOGGED], 2):
        logged, cards = view[at], view[at + 1]
        bundle = bundle_of(logged)
        _stay(notes, bundle, chances_of(logged))
        if what_of(logged) == BUILDING:
            _build(notes, odds, bundle, cards, rng)
            if odds[LIKELIHOOD] == 0.0:
                return
            continue
        if what_of(logged) == FORESAW:
            held = _card_at(notes, odds, head, rng)
            head += 1
        else:
            held = OPEN + draw
            _draw_two(notes, odds, draw, head, view[TAPE + CARDS + draw], rng)
            head += 2
            draw += 1
            if odds[LIKELIHOOD] == 0.0:  # which card was kept is not decided then
                return
        if is_lost(logged) == 0:
            slot = SLOT + HAND_LIMIT * bundle + notes[COUNT + bundle]
            notes[slot] = held
            notes[slot - SLOT + STAYED] = 0
            notes[COUNT + bundle] += 1
        if cards != UNKNOWN:
            _match(notes, odds, bundle, cards, rng)
        if odds[LIKELIHOOD] == 0.0:
            return
    for bundle in range(SEATS_HERE):
        _stay(notes, bundle, view[CHANCES + bundle])


@helper
def _stay(notes, bundle, chances):
    """Count for every card of a bundle the chances to build it, by what it may cost."""
    if chances == 0:
        return
    payable = np.int64(0)
    while chances:
        payable += PAYABLE[chances & CHANCE]
        chances >>= CHANCE_BITS
    n = notes[COUNT + bundle]
    payable *= STEPS[n]
    begin = STAYED + HAND_LIMIT * bundle
    for slot in range(begin, begin + n):
        if (notes[slot] & LANE) + (payable & LANE) <= LANE:  # the cheapest was payable most often
            notes[slot] += payable


@helper
def _begin(view, notes):
    notes[DEPTH] = 0
    notes[BLANKS] = 0
    for kind in range(KINDS):
        notes[LEFT + kind] = COPIES[kind]
    for bundle in range(SEATS_HERE):
        notes[COUNT + bundle] = 0
    for number in range(CARDS):
        kind = view[TAPE + number]
        if kind == UNKNOWN:
            notes[FACE + number] = BLANK
            notes[BLANKS] += 1
        else:
            notes[FACE + number] = kind
            notes[LEFT + kind] -= 1


@helper
def _branch(notes, odds, n, rng):
    """Return the number of the option to follow, of n, and make the past so far as likely as it is with it."""
    taken = np.int64(0)
    if n > 1:
        depth = notes[DEPTH]
        if depth == notes[FIXED]:
            notes[BRANCH + depth] = _any_option(odds, n, rng) if notes[MODE] == AT_RANDOM else 0
            notes[WIDTH + depth] = n
            notes[FIXED] += 1
        taken = notes[BRANCH + depth]
        notes[DEPTH] += 1
    likelihood = odds[taken]
    if notes[MODE] == AT_RANDOM:
        likelihood = 0.0
        for i in range(n):
            likelihood += odds[i]
    odds[LIKELIHOOD] *= likelihood
    return taken


@helper
def _any_option(odds, n, rng):
    total = 0.0
    for i in range(n):
        total += odds[i]
    mark = unit(rng) * total
    for i in range(n - 1):
        mark -= odds[i]
        if mark < 0.0:
            return i
    return n - 1


@helper
def _chance(notes, number, kind):
    """Return how likely a card is to be of a kind."""
    if notes[FACE + number] == BLANK:
        return notes[LEFT + kind] / notes[BLANKS]
    return 1.0 if notes[FACE + number] == kind else 0.0


@helper
def _turn_up(notes, number, kind):
    """Give a card its face, if it had none."""
    if notes[FACE + number] == BLANK:
        notes[FACE + number] = kind
        notes[LEFT + kind] -= 1
        notes[BLANKS] -= 1


@helper
def _decide(notes, odds, draw, rng):
    """Decide an open draw."""
    odds[0] = odds[1] = 0.5
    notes[KEPT + draw] = notes[ONE + draw] if _branch(notes, odds, 2, rng) == 0 else notes[TWO + draw]


@helper
def _card_at(notes, odds, place, rng):
    """Return the card at a place on the tape; an open draw that put it there is decided."""
    if place < CARDS:
        return place
    draw = place - CARDS
    if notes[KEPT + draw] == OPEN:
        _decide(notes, odds, draw, rng)
    return notes[ONE + draw] + notes[TWO + draw] - notes[KEPT + draw]


@helper
def _held(notes, slot):
    """Return the card in a slot of a bundle, or OPEN."""
    held = notes[slot]
    return held if held < OPEN else notes[KEPT + held - OPEN]


@helper
def _draw_two(notes, odds, draw, head, bottom, rng):
    """Draw two cards; `bottom` is the kind of the one put at the bottom, where the seat knows it."""
    one = _card_at(notes, odds, head, rng)
    two = _card_at(notes, odds, head + 1, rng)
    notes[ONE + draw] = one
    notes[TWO + draw] = two
    if notes[FACE + one] == notes[FACE + two]:
        notes[KEPT + draw] = one if below(rng, 2) == 0 else two
        if bottom != UNKNOWN:
            put = one + two - notes[KEPT + draw]
            odds[LIKELIHOOD] *= _chance(notes, put, bottom)
            _turn_up(notes, put, bottom)
    elif bottom == UNKNOWN:
        notes[KEPT + draw] = OPEN
    else:
        _put_down(notes, odds, draw, bottom, rng)


@helper
def _put_down(notes, odds, draw, bottom, rng):
    """Decide a draw by the kind of the card put at the bottom."""
    one, two = notes[ONE + draw], notes[TWO + draw]
    n = 0
    for put in (one, two):
        chance = _chance(notes, put, bottom)
        if chance > 0.0:
            notes[OPTION + n] = put
            odds[n] = chance / 2
            n += 1
    if n == 0:
        odds[LIKELIHOOD] = 0.0
        return
    put = notes[OPTION + _branch(notes, odds, n, rng)]
    notes[KEPT + draw] = one + two - put
    _turn_up(notes, put, bottom)


@helper
def _build(notes, odds, bundle, kind, rng):
    """Take a module of a kind from a bundle."""
    n = _ways_to_build(notes, odds, bundle, kind, rng)
    if n == 0:
        odds[LIKELIHOOD] = 0.0
        return
    option = notes[OPTION + _branch(notes, odds, n, rng)]
    slot, which = option >> 2, option & 3
    if which == SOME_BLANK:
        slot = _some_blank(notes, odds, bundle, kind, rng)
    elif which != EITHER:
        draw = notes[slot] - OPEN
        notes[KEPT + draw] = notes[TWO + draw] if which else notes[ONE + draw]
    _turn_up(notes, _held(notes, slot), kind)
    notes[COUNT + bundle] -= 1
    # The order is kept, so that the same branch means the same whichever of two like cards was taken.
    for later in range(slot, SLOT + HAND_LIMIT * bundle + notes[COUNT + bundle]):
        notes[later] = notes[later + 1]
        notes[later - SLOT + STAYED] = notes[later + 1 - SLOT + STAYED]


@helper
def _ways_to_build(notes, odds, bundle, kind, rng):
    """List the slots that the module may come from and return how many; slots that look alike count as one."""
    n, shown, blank = 0, 0, 0
    shown_slot, blank_slot = 0, 0
    begin = SLOT + HAND_LIMIT * bundle
    for slot in range(begin, begin + notes[COUNT + bundle]):
        number = _held(notes, slot)
        if number == OPEN:
            draw = notes[slot] - OPEN
            for which in range(2):
                chance = _chance(notes, notes[(TWO if which else ONE) + draw], kind)
                if chance > 0.0:
                    notes[OPTION + n] = (slot << 2) | which
                    odds[n] = chance / 2
                    n += 1
        elif notes[FACE + number] == kind:
            shown += 1
            if below(rng, shown) == 0:
                shown_slot = slot
        elif notes[FACE + number] == BLANK:
            blank += 1
            blank_slot = slot
    if shown > 0:
        notes[OPTION + n] = (shown_slot << 2) | EITHER
        odds[n] = shown
        n += 1
    if blank > 0 and notes[LEFT + kind] > 0:
        notes[OPTION + n] = (blank_slot << 2) | (EITHER if blank == 1 else SOME_BLANK)
        odds[n] = blank * notes[LEFT + kind] / notes[BLANKS]
        n += 1
    return n


@helper
def _some_blank(notes, odds, bundle, kind, rng):
    """Return the slot of a blank card, that of a likely one more often, and make up for that in the likelihood."""
    blank, total, chosen, likely = 0, 0.0, 0, 1.0
    begin = SLOT + HAND_LIMIT * bundle
    for slot in range(begin, begin + notes[COUNT + bundle]):
        number = _held(notes, slot)
        if number != OPEN and notes[FACE + number] == BLANK:
            readiness = _readiness(notes[slot - SLOT + STAYED], kind)
            blank += 1
            total += readiness
            if blank == 1 or unit(rng) * total < readiness:
                chosen, likely = slot, readiness
    odds[LIKELIHOOD] *= total / (blank * likely)
    return chosen


@helper
def _readiness(stayed, kind):
    """Return how likely a blank card that has stayed so long is to be of a kind, up to a factor."""
    total = 0.0
    for lane in range(LANES):
        total += SHARE[lane] * STAYING[(stayed >> (LANE_BITS * lane)) & LANE]
    return STAYING[(stayed >> LANE_OF[kind]) & LANE] / total


@helper
def _match(notes, odds, bundle, cards, rng):
    """Give the cards of a bundle the faces that the seat has seen it to hold."""
    begin = SLOT + HAND_LIMIT * bundle
    blank = 0
    for slot in range(begin, begin + notes[COUNT + bundle]):
        if _held(notes, slot) == OPEN:
            _decide(notes, odds, notes[slot] - OPEN, rng)
        face = notes[FACE + _held(notes, slot)]
        if face == BLANK:
            blank += 1
        elif copies(cards, face) == 0:
            odds[LIKELIHOOD] = 0.0
            return
        else:
            cards -= card(face)
    for slot in range(begin, begin + notes[COUNT + bundle]):
        number = _held(notes, slot)
        if notes[FACE + number] == BLANK:
            kind = _any_card(cards, blank, rng)
            # The faces are dealt to the slots in random order; this makes up for the orders that look alike.
            orders = blank / copies(cards, kind)
            odds[LIKELIHOOD] *= orders * notes[LEFT + kind] / notes[BLANKS]
            if odds[LIKELIHOOD] == 0.0:
                return
            _turn_up(notes, number, kind)
            cards -= card(kind)
            blank -= 1


@helper
def _any_card(cards, n, rng):
    """Return the kind of a random one of n cards."""
    mark = below(rng, n)
    kind = 0
    while mark >= copies(cards, kind):
        mark -= copies(cards, kind)
        kind += 1
    return kind


@helper
def face_hands(notes, odds, rng):
    """Give faces to the cards in hands; a kind that would hardly have stayed there comes rarely."""
    for bundle in range(SEATS_HERE):
        for slot in range(HAND_LIMIT * bundle, HAND_LIMIT * bundle + notes[COUNT + bundle]):
            number = _held(notes, SLOT + slot)
            if number != OPEN and notes[FACE + number] != BLANK:
                continue
            _list_staying(notes, odds, bundle, notes[STAYED + slot])
            total = 0.0
            for kind in range(KINDS):
                total += notes[LEFT + kind] * odds[STAY + kind]
            if number == OPEN:
                number = _fall(notes, odds, notes[SLOT + slot] - OPEN, total, rng)
            if notes[FACE + number] == BLANK:
                kind = _any_kind(notes, odds, unit(rng) * total)
                odds[LIKELIHOOD] *= total / (notes[BLANKS] * odds[STAY + kind])
                _turn_up(notes, number, kind)


@helper
def _list_staying(notes, odds, bundle, stayed):
    """List how likely a card of each kind is to have stayed so long; beside another of its kind it is no move more."""
    for kind in range(KINDS):
        odds[STAY + kind] = STAYING[(stayed >> LANE_OF[kind]) & LANE]
    for slot in range(HAND_LIMIT * bundle, HAND_LIMIT * bundle + notes[COUNT + bundle]):
        number = _held(notes, SLOT + slot)
        if number != OPEN and notes[FACE + number] != BLANK:
            kind = notes[FACE + number]
            alone = ((stayed >> LANE_OF[kind]) & LANE) - ((notes[STAYED + slot] >> LANE_OF[kind]) & LANE)
            odds[STAY + kind] = max(odds[STAY + kind], STAYING[max(alone, 0)])


@helper
def _fall(notes, odds, draw, total, rng):
    """Decide an open draw whose card is still in hand, and return that card."""
    one, two = notes[ONE + draw], notes[TWO + draw]
    for which in range(2):
        face = notes[FACE + (two if which else one)]
        odds[which] = total / notes[BLANKS] if face == BLANK else odds[STAY + face]
    both = odds[0] + odds[1]
    which = 0 if unit(rng) * both < odds[0] else 1
    notes[KEPT + draw] = two if which else one
    odds[LIKELIHOOD] *= both / (2 * odds[which])
    return notes[KEPT + draw]


@helper
def _any_kind(notes, odds, mark):
    """Return the kind that a mark falls on, of all kinds by how many are left and how likely they have stayed."""
    likely = 0
    for kind in range(KINDS):
        if notes[LEFT + kind] > 0:
            likely = kind
            mark -= notes[LEFT + kind] * odds[STAY + kind]
            if mark < 0.0:
                break
    return likely
