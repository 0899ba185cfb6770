"""A Colonizers position at the beginning of a round as text, to set one up and to write one down.

    round 5; 1: 3 / quarry, marketplace / garrison; 2: 0 / / ?*2; 3: 4 / mass relay /; 4: 2 / /

Each seat has its Omnium, the modules in its colony and those in its hand; `?` is a card that every deal draws anew, as
it does the order of the deck. How the cards came there is forgotten: seats know their own cards and all colonies.
"""

import re

import numpy as np

from kibitz.core.contract import OVER, rule
from kibitz.core.defaults import set_up
from kibitz.core.dice import seed_from, shuffle
from kibitz.core.errors import BadValue
from kibitz.core.native import helper
from kibitz.games.colonizers.cards import CARDS, COPIES, DEAREST, KINDS, MODULES, copies, unpack
from kibitz.games.colonizers.cells import (
    BUILT,
    COLONIST,
    COLONY,
    FULL_COLONY,
    HAND,
    HAND_LIMIT,
    HEAD,
    HELD,
    MAX_ROUNDS,
    NONE,
    OMNIUM,
    PACKET,
    PHASE,
    PICK,
    ROUND,
    SEAT,
    SEATS_HERE,
    SEED,
    TAPE,
    WORTH,
    add_chance,
)
from kibitz.games.colonizers.rules import begin_round, build, foresee

MOST_OMNIUM = 1000
_KINDS = {module.name: kind for kind, module in enumerate(MODULES)}
_SEAT = re.compile(r"(?:seat )?([1-4])\s*:\s*(\d{1,6})(?: omnium)?\s*/([^/]*)/([^/]*)")
_TIMES = re.compile(r"(\?|[a-z][a-z -]*[a-z])(?:\s*\*\s*(\d{1,2}))?")


@helper
def _lay_rest(state):
    """Write the cards that the position does not name to the end of the first tape; return where they begin."""
    at = CARDS
    for kind in range(KINDS):
        left = COPIES[kind]
        for seat in range(SEATS_HERE):
            left -= copies(state[COLONY + seat], kind) + copies(state[HAND + seat], kind)
        for _ in range(left):
            at -= 1
            state[TAPE + at] = kind
    return at


@helper
def _lay_named(state, cards, at):
    """Write cards to the tape from a place on; return the place after them."""
    for kind in range(KINDS):
        for _ in range(copies(cards, kind)):
            state[TAPE + at] = kind
            at += 1
    return at


@helper
def _lay_tape(state, rng):
    """Lay the tape as if every seat had drawn what it has, one card at a time: its colony, then its hand."""
    rest = _lay_rest(state)
    shuffle(rng, state, TAPE + rest, TAPE + CARDS)
    at = 0
    for seat in range(SEATS_HERE):
        at = _lay_named(state, state[COLONY + seat], at)
        start = at
        at = _lay_named(state, state[HAND + seat], at)
        for _ in range(state[HELD + seat] - (at - start)):
            state[TAPE + at] = state[TAPE + rest]
            at += 1
            rest += 1


@helper
def _replay_draws(state, seat):
    """Let a seat draw its cards from the tape and build its colony."""
    built, held, omnium = state[BUILT + seat], state[HELD + seat], state[OMNIUM + seat]
    for cell in (BUILT, HELD, WORTH, COLONY, HAND):
        state[cell + seat] = 0
    for _ in range(built):
        foresee(state, seat)
        state[OMNIUM + seat] = DEAREST
        add_chance(state, seat)
        build(state, seat, state[TAPE + state[HEAD] - 1])
    for _ in range(held):
        foresee(state, seat)
    state[OMNIUM + seat] = omnium


@rule
def deal(state, options, rng):
    set_up(state, options)
    state[SEED] = seed_from(rng)
    _lay_tape(state, rng)
    for seat in range(SEATS_HERE):
        _replay_draws(state, seat)
    state[ROUND] -= 1
    begin_round(state)


def read(text: str, dealt: np.ndarray) -> np.ndarray:
    """Return the state that a text describes, with the options of a fresh deal; the deck is left to `deal`."""
    state = dealt.copy()
    first, *parts = [" ".join(part.split()) for part in text.strip().rstrip(";").lower().split(";")]
    match = re.fullmatch(r"round (\d{1,7})", first)
    if match is None or not 1 <= int(match[1]) <= state[MAX_ROUNDS]:
        raise BadValue(f"a position begins with 'round 1' to 'round {state[MAX_ROUNDS]}', not with {first!r}")
    state[ROUND] = int(match[1])
    told = [_read_seat(state, part) for part in parts]
    if sorted(told) != list(range(SEATS_HERE)):
        raise BadValue(f"a position tells of the seats 1 to 4 once each, not of {[seat + 1 for seat in told]}")
    for kind, module in enumerate(MODULES):
        there = sum(unpack(state[cell + seat]).count(kind) for cell in (COLONY, HAND) for seat in range(SEATS_HERE))
        if there > module.copies:
            raise BadValue(f"there are {there} cards {module.name}; a game has {module.copies}")
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position at the beginning of a round; any other is a BadValue."""
    if state[SEAT] != 0 or state[PHASE] != PICK or state[COLONIST] != NONE or state[SEAT] == OVER:
        raise BadValue("a position can be written as text only at the beginning of a round")
    seats = [
        f"{seat + 1}: {state[OMNIUM + seat]} / {_listed(state[COLONY + seat])} / {_listed(state[HAND + seat])}".strip()
        for seat in range(SEATS_HERE)
    ]
    return "; ".join([f"round {state[ROUND]}", *(re.sub(r" +", " ", seat) for seat in seats)])


def _listed(cards: int) -> str:
    kinds = unpack(cards)
    return ", ".join(
        MODULES[kind].name + (f"*{kinds.count(kind)}" if kinds.count(kind) > 1 else "") for kind in sorted(set(kinds))
    )


def _read_seat(state: np.ndarray, part: str) -> int:
    match = _SEAT.fullmatch(part)
    if match is None:
        raise BadValue(f"cannot read {part!r}; a seat is written as in '1: 3 / quarry, marketplace / garrison'")
    seat, omnium = int(match[1]) - 1, int(match[2])
    if omnium > MOST_OMNIUM:
        raise BadValue(f"seat {seat + 1} cannot have {omnium} Omnium; {MOST_OMNIUM} is the most")
    colony, unseen = _cards(match[3])
    if unseen or len(colony) >= FULL_COLONY:
        raise BadValue(
            f"the colony of seat {seat + 1} must be 0 to {FULL_COLONY - 1} modules by name, not {match[3]!r}"
        )
    hand, drawn = _cards(match[4])
    if len(hand) + drawn > HAND_LIMIT:
        raise BadValue(f"seat {seat + 1} cannot hold {len(hand) + drawn} cards; {HAND_LIMIT} is the most")
    state[OMNIUM + seat], state[BUILT + seat], state[HELD + seat] = omnium, len(colony), len(hand) + drawn
    state[COLONY + seat], state[HAND + seat] = (_packed(cards) for cards in (colony, hand))
    state[PACKET + seat] = NONE
    return seat


def _packed(kinds: list[int]) -> np.int64:
    return np.uint64(sum(1 << 4 * kind for kind in kinds)).astype(np.int64)


def _cards(text: str) -> tuple[list[int], int]:
    """Return the kinds of the modules that a text names, and how many it leaves to chance."""
    kinds: list[int] = []
    unseen = 0
    for word in filter(None, (word.strip() for word in text.split(","))):
        match = _TIMES.fullmatch(word)
        if match is None or match[1] not in (*_KINDS, "?"):
            raise BadValue(f"there is no module {word!r}; the modules are {', '.join(_KINDS)}")
        times = min(int(match[2] or 1), CARDS)
        if match[1] == "?":
            unseen += times
        else:
            kinds += [_KINDS[match[1]]] * times
    if any(kinds.count(kind) > COPIES[kind] for kind in kinds):
        raise BadValue(f"there are more cards of a kind in {text.strip()!r} than in a game")
    return kinds, unseen
