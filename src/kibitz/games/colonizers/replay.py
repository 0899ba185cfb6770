"""Replays the log of a game into a past that a seat cannot rule out; hidden cards are assigned as late as possible.

* A card is one of the 52 places of the shuffled deck; it is blank until something the seat saw gives it a face.
* A draw by another seat keeps one of two cards. If the seat could not tell them apart, a coin decides. Otherwise the
  draw stays open: the card kept and the one put at the bottom are both "one of these two" until one of them matters.
* Wherever the log leaves several possibilities that matter, the past branches. Every branch has its likelihood: a blank
  card shows a face as often as that face is left among the blank ones, and an open draw goes either way half the time.
* At the end the cards in hands get faces: each kind in proportion to how many are left, times the likelihood that a
  card of that kind would have stayed in the hand so long. Which of several blank cards was built is sampled likewise.
"""

import numpy as np

from kibitz.core.cells import cells
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
# says so in eighths of a halving; STAYING[n] is the likelihood after n steps.
EIGHTHS = 8
STEPS = np.array([0, *(int(EIGHTHS * np.log2(n + 1) / n) for n in range(1, HAND_LIMIT + 1))], dtype=np.int64)
STAYING = 0.5 ** (np.arange(LANE + 1) / EIGHTHS)

MOST_OPTIONS = 2 * HAND_LIMIT + 2
MOST_BRANCHINGS = 2 * MOST_ENTRIES  # an entry can branch once, and a draw once more when it is decided later
PAST = cells(  # a past in the making
    FACE=CARDS,  # for each card: its kind, or BLANK
    ONE=CARDS,  # for each draw of two: the first card,
    TWO=CARDS,  # the second card,
    KEPT=CARDS,  # and the card kept, or OPEN
    SLOT=SEATS_HERE * HAND_LIMIT,  # for each bundle, what it holds: a card, or OPEN + the number of the draw
    COUNT=SEATS_HERE,  # for each bundle: how many
    STAYED=SEATS_HERE * HAND_LIMIT,  # for each slot: how often its card could be paid for and stayed, by cost
    LEFT=KINDS,  # for each kind: how many of its cards are blank
    BLANKS=1,  # how many cards are blank
    MODE=1,  # how branches are chosen: ENUMERATE or SAMPLE
    REPLAYS=1,  # how often the log has been replayed
    POSSIBLE=1,  # how often that was possible
    ENUMERATED=1,  # whether all branches have been replayed
    DEPTH=1,  # branchings met
    FIXED=1,  # branchings whose branch is set
    BRANCH=MOST_BRANCHINGS,  # for each branching: the branch taken
    WIDTH=MOST_BRANCHINGS,  # and how many there are
    OPTION=MOST_OPTIONS,  # the branches to choose from
    POOL=CARDS,  # the blank cards' kinds, at the end
    CHOSEN=4 * CARDS,  # FACE, ONE, TWO and KEPT of the past that is returned if no other takes its place
)
(
    FACE, ONE, TWO, KEPT, SLOT, COUNT, STAYED, LEFT, BLANKS, MODE, REPLAYS, POSSIBLE, ENUMERATED, DEPTH, FIXED, BRANCH,
    WIDTH, OPTION, POOL, CHOSEN,
) = PAST  # fmt: skip
PAST_SIZE = PAST.size
WEIGHTS = cells(
    OF_OPTION=MOST_OPTIONS,  # the branches to choose from
    WEIGHT=1,  # the importance weight of the past so far
    TOTAL=1,  # of all pasts weighed
    STAY=KINDS,  # for each kind: how likely a card of it is to have stayed in a slot
)
OF_OPTION, WEIGHT, TOTAL, STAY = WEIGHTS
WEIGHTS_SIZE = WEIGHTS.size

ENUMERATE, SAMPLE = range(2)
BLANK = -1
OPEN = 64
EITHER = 2  # in an option: neither the first nor the second card of a draw
SOME_BLANK = 3  # any blank card of a bundle


@helper
def replay(view, past, weights, rng):
    """Replay the log once; weights[WEIGHT] becomes 0 if that is impossible."""
    _begin(view, past)
    weights[WEIGHT] = 1.0
    head, draw = 0, 0
    for at in range(LOG, LOG + 2 * view[LOGGED], 2):
        logged, cards = view[at], view[at + 1]
        bundle = bundle_of(logged)
        _stay(past, bundle, chances_of(logged))
        if what_of(logged) == BUILDING:
            _build(past, weights, bundle, cards, rng)
            if weights[WEIGHT] == 0.0:
                return
            continue
        if what_of(logged) == FORESAW:
            held = _card_at(past, weights, head, rng)
            head += 1
        else:
            held = OPEN + draw
            _draw_two(past, weights, draw, head, view[TAPE + CARDS + draw], rng)
            head += 2
            draw += 1
            if weights[WEIGHT] == 0.0:  # which card was kept is not decided then
                return
        if is_lost(logged) == 0:
            slot = SLOT + HAND_LIMIT * bundle + past[COUNT + bundle]
            past[slot] = held
            past[slot - SLOT + STAYED] = 0
            past[COUNT + bundle] += 1
        if cards != UNKNOWN:
            _match(past, weights, bundle, cards, rng)
        if weights[WEIGHT] == 0.0:
            return
    for bundle in range(SEATS_HERE):
        _stay(past, bundle, view[CHANCES + bundle])


@helper
def _stay(past, bundle, chances):
    """Count for every card of a bundle the chances to build it, by what it may cost."""
    if chances == 0:
        return
    payable = np.int64(0)
    while chances:
        payable += PAYABLE[chances & CHANCE]
        chances >>= CHANCE_BITS
    n = past[COUNT + bundle]
    payable *= STEPS[n]
    begin = STAYED + HAND_LIMIT * bundle
    for slot in range(begin, begin + n):
        if (past[slot] & LANE) + (payable & LANE) <= LANE:  # the cheapest was payable most often
            past[slot] += payable


@helper
def _begin(view, past):
    past[DEPTH] = 0
    for bundle in range(SEATS_HERE):
        past[COUNT + bundle] = 0
    for number in range(CARDS):
        kind = view[TAPE + number]
        past[FACE + number] = BLANK if kind == UNKNOWN else kind
    count_blanks(past)


@helper
def count_blanks(past):
    """Count the blank cards, and how many cards of each kind are among them."""
    past[BLANKS] = 0
    for kind in range(KINDS):
        past[LEFT + kind] = COPIES[kind]
    for number in range(CARDS):
        kind = past[FACE + number]
        if kind == BLANK:
            past[BLANKS] += 1
        else:
            past[LEFT + kind] -= 1


@helper
def _branch(past, weights, n, rng):
    """Return which of n options to follow, and update the weight of the past."""
    taken = np.int64(0)
    if n > 1:
        depth = past[DEPTH]
        if depth == past[FIXED]:
            past[BRANCH + depth] = _sample_option(weights, n, rng) if past[MODE] == SAMPLE else 0
            past[WIDTH + depth] = n
            past[FIXED] += 1
        taken = past[BRANCH + depth]
        past[DEPTH] += 1
    likelihood = weights[taken]
    if past[MODE] == SAMPLE:
        likelihood = 0.0
        for i in range(n):
            likelihood += weights[i]
    weights[WEIGHT] *= likelihood
    return taken


@helper
def _sample_option(weights, n, rng):
    total = 0.0
    for i in range(n):
        total += weights[i]
    mark = unit(rng) * total
    for i in range(n - 1):
        mark -= weights[i]
        if mark < 0.0:
            return i
    return n - 1


@helper
def _chance(past, number, kind):
    """Return how likely a card is to be of a kind."""
    if past[FACE + number] == BLANK:
        return past[LEFT + kind] / past[BLANKS]
    return 1.0 if past[FACE + number] == kind else 0.0


@helper
def _turn_up(past, number, kind):
    """Give a blank card its face."""
    if past[FACE + number] == BLANK:
        past[FACE + number] = kind
        past[LEFT + kind] -= 1
        past[BLANKS] -= 1


@helper
def _decide(past, weights, draw, rng):
    """Decide an open draw."""
    weights[0] = weights[1] = 0.5
    past[KEPT + draw] = past[ONE + draw] if _branch(past, weights, 2, rng) == 0 else past[TWO + draw]


@helper
def _card_at(past, weights, place, rng):
    """Return the card at a place on the tape, after deciding an open draw that put it there."""
    if place < CARDS:
        return place
    draw = place - CARDS
    if past[KEPT + draw] == OPEN:
        _decide(past, weights, draw, rng)
    return put_down(past, draw)


@helper
def put_down(past, draw):
    """Return the card that a decided draw put at the bottom."""
    return past[ONE + draw] + past[TWO + draw] - past[KEPT + draw]


@helper
def _held(past, slot):
    """Return the card in a slot of a bundle, or OPEN."""
    held = past[slot]
    return held if held < OPEN else past[KEPT + held - OPEN]


@helper
def _draw_two(past, weights, draw, head, bottom, rng):
    """Draw two cards; `bottom` is the kind of the one put at the bottom, or UNKNOWN."""
    one = _card_at(past, weights, head, rng)
    two = _card_at(past, weights, head + 1, rng)
    past[ONE + draw] = one
    past[TWO + draw] = two
    if past[FACE + one] == past[FACE + two]:
        past[KEPT + draw] = one if below(rng, 2) == 0 else two
        if bottom != UNKNOWN:
            put = put_down(past, draw)
            weights[WEIGHT] *= _chance(past, put, bottom)
            _turn_up(past, put, bottom)
    elif bottom == UNKNOWN:
        past[KEPT + draw] = OPEN
    else:
        _decide_by_bottom(past, weights, draw, bottom, rng)


@helper
def _decide_by_bottom(past, weights, draw, bottom, rng):
    """Decide a draw by the kind of the card put at the bottom."""
    one, two = past[ONE + draw], past[TWO + draw]
    n = 0
    for put in (one, two):
        chance = _chance(past, put, bottom)
        if chance > 0.0:
            past[OPTION + n] = put
            weights[n] = chance / 2
            n += 1
    if n == 0:
        weights[WEIGHT] = 0.0
        return
    put = past[OPTION + _branch(past, weights, n, rng)]
    past[KEPT + draw] = one + two - put
    _turn_up(past, put, bottom)


@helper
def _build(past, weights, bundle, kind, rng):
    """Take a module of a kind from a bundle."""
    n = _ways_to_build(past, weights, bundle, kind, rng)
    if n == 0:
        weights[WEIGHT] = 0.0
        return
    option = past[OPTION + _branch(past, weights, n, rng)]
    slot, which = option >> 2, option & 3
    if which == SOME_BLANK:
        slot = _sample_blank(past, weights, bundle, kind, rng)
    elif which != EITHER:
        draw = past[slot] - OPEN
        past[KEPT + draw] = past[TWO + draw] if which else past[ONE + draw]
    _turn_up(past, _held(past, slot), kind)
    past[COUNT + bundle] -= 1
    # The order is kept, so that the same branch means the same whichever of two like cards was taken.
    for later in range(slot, SLOT + HAND_LIMIT * bundle + past[COUNT + bundle]):
        past[later] = past[later + 1]
        past[later - SLOT + STAYED] = past[later + 1 - SLOT + STAYED]


@helper
def _ways_to_build(past, weights, bundle, kind, rng):
    """List the slots that the module may come from and return how many; slots that look alike count as one."""
    n, shown, blank = 0, 0, 0
    shown_slot, blank_slot = 0, 0
    begin = SLOT + HAND_LIMIT * bundle
    for slot in range(begin, begin + past[COUNT + bundle]):
        number = _held(past, slot)
        if number == OPEN:
            draw = past[slot] - OPEN
            for which in range(2):
                chance = _chance(past, past[(TWO if which else ONE) + draw], kind)
                if chance > 0.0:
                    past[OPTION + n] = (slot << 2) | which
                    weights[n] = chance / 2
                    n += 1
        elif past[FACE + number] == kind:
            shown += 1
            if below(rng, shown) == 0:
                shown_slot = slot
        elif past[FACE + number] == BLANK:
            blank += 1
            blank_slot = slot
    if shown > 0:
        past[OPTION + n] = (shown_slot << 2) | EITHER
        weights[n] = shown
        n += 1
    if blank > 0 and past[LEFT + kind] > 0:
        past[OPTION + n] = (blank_slot << 2) | (EITHER if blank == 1 else SOME_BLANK)
        weights[n] = blank * past[LEFT + kind] / past[BLANKS]
        n += 1
    return n


@helper
def _sample_blank(past, weights, bundle, kind, rng):
    """Return the slot of a blank card, likely ones more often, and correct the weight for that."""
    blank, total, chosen, likely = 0, 0.0, 0, 1.0
    begin = SLOT + HAND_LIMIT * bundle
    for slot in range(begin, begin + past[COUNT + bundle]):
        number = _held(past, slot)
        if number != OPEN and past[FACE + number] == BLANK:
            readiness = _readiness(past[slot - SLOT + STAYED], kind)
            blank += 1
            total += readiness
            if blank == 1 or unit(rng) * total < readiness:
                chosen, likely = slot, readiness
    weights[WEIGHT] *= total / (blank * likely)
    return chosen


@helper
def _readiness(stayed, kind):
    """Return how likely a blank card with the count `stayed` is to be of a kind, up to a factor."""
    total = 0.0
    for lane in range(LANES):
        total += SHARE[lane] * STAYING[(stayed >> (LANE_BITS * lane)) & LANE]
    return STAYING[(stayed >> LANE_OF[kind]) & LANE] / total


@helper
def _match(past, weights, bundle, cards, rng):
    """Give the cards of a bundle the faces that the seat has seen in it."""
    begin = SLOT + HAND_LIMIT * bundle
    blank = 0
    for slot in range(begin, begin + past[COUNT + bundle]):
        if _held(past, slot) == OPEN:
            _decide(past, weights, past[slot] - OPEN, rng)
        face = past[FACE + _held(past, slot)]
        if face == BLANK:
            blank += 1
        elif copies(cards, face) == 0:
            weights[WEIGHT] = 0.0
            return
        else:
            cards -= card(face)
    for slot in range(begin, begin + past[COUNT + bundle]):
        number = _held(past, slot)
        if past[FACE + number] == BLANK:
            kind = _sample_card(cards, blank, rng)
            # The faces are dealt to the slots in random order; this corrects for the orders that look alike.
            orders = blank / copies(cards, kind)
            weights[WEIGHT] *= orders * past[LEFT + kind] / past[BLANKS]
            if weights[WEIGHT] == 0.0:
                return
            _turn_up(past, number, kind)
            cards -= card(kind)
            blank -= 1


@helper
def _sample_card(cards, n, rng):
    """Return the kind of a random one of n cards."""
    mark = below(rng, n)
    kind = 0
    while mark >= copies(cards, kind):
        mark -= copies(cards, kind)
        kind += 1
    return kind


@helper
def sample_hands(past, weights, rng):
    """Give faces to the cards in hands; a kind that would hardly have stayed there is rare."""
    for bundle in range(SEATS_HERE):
        for slot in range(HAND_LIMIT * bundle, HAND_LIMIT * bundle + past[COUNT + bundle]):
            number = _held(past, SLOT + slot)
            if number != OPEN and past[FACE + number] != BLANK:
                continue
            _list_staying(past, weights, bundle, past[STAYED + slot])
            total = 0.0
            for kind in range(KINDS):
                total += past[LEFT + kind] * weights[STAY + kind]
            if number == OPEN:
                number = _decide_held(past, weights, past[SLOT + slot] - OPEN, total, rng)
            if past[FACE + number] == BLANK:
                kind = _sample_kind(past, weights, unit(rng) * total)
                weights[WEIGHT] *= total / (past[BLANKS] * weights[STAY + kind])
                _turn_up(past, number, kind)


@helper
def _list_staying(past, weights, bundle, stayed):
    """List how likely a card of each kind is to have stayed; beside another of its kind it adds no move."""
    for kind in range(KINDS):
        weights[STAY + kind] = STAYING[(stayed >> LANE_OF[kind]) & LANE]
    for slot in range(HAND_LIMIT * bundle, HAND_LIMIT * bundle + past[COUNT + bundle]):
        number = _held(past, SLOT + slot)
        if number != OPEN and past[FACE + number] != BLANK:
            kind = past[FACE + number]
            alone = ((stayed >> LANE_OF[kind]) & LANE) - ((past[STAYED + slot] >> LANE_OF[kind]) & LANE)
            weights[STAY + kind] = max(weights[STAY + kind], STAYING[max(alone, 0)])


@helper
def _decide_held(past, weights, draw, total, rng):
    """Decide an open draw whose card is still in hand, and return that card."""
    one, two = past[ONE + draw], past[TWO + draw]
    for which in range(2):
        face = past[FACE + (two if which else one)]
        weights[which] = total / past[BLANKS] if face == BLANK else weights[STAY + face]
    both = weights[0] + weights[1]
    which = 0 if unit(rng) * both < weights[0] else 1
    past[KEPT + draw] = two if which else one
    weights[WEIGHT] *= both / (2 * weights[which])
    return past[KEPT + draw]


@helper
def _sample_kind(past, weights, mark):
    """Return the kind that a mark falls on; kinds count by how many are left and how likely they have stayed."""
    likely = 0
    for kind in range(KINDS):
        if past[LEFT + kind] > 0:
            likely = kind
            mark -= past[LEFT + kind] * weights[STAY + kind]
            if mark < 0.0:
                break
    return likely
