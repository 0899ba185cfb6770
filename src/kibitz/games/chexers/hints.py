"""Hints for a search in Chexers: who is alive, how far from winning, which moves to leave out or try first."""

import numpy as np

from kibitz.core.bits import popcount
from kibitz.core.contract import OVER, hint
from kibitz.core.dice import below
from kibitz.core.grids import HEX_STEPS
from kibitz.core.heuristics import move_filter, move_order
from kibitz.core.native import helper
from kibitz.games.chexers.measures import CORNERS, TRAPS, WALLS
from kibitz.games.chexers.mozi import FORMING, LEAVING, phase_of, points_to_hold
from kibitz.games.chexers.rules import (
    AT_EXIT,
    EXIT,
    EXIT_HEXES,
    EXITS,
    HEXAGON,
    HEXES,
    LENGTH,
    MARK_CELLS,
    MARKS,
    MOST_STEPS,
    MOST_TURNS,
    OCCURRENCES,
    PASS,
    PIECES,
    SEAT,
    STEPS,
    TO_DRAW,
    TO_WIN,
    TURNS,
    apart,
    bit_of,
    mask_of,
    occupied,
    occurrences,
    past_cell,
    places_in,
    stepped,
)


@hint
def hand_over(state, seat):
    # Skipped turns count. The position does not, since no game reaches it: it is not an occurrence and ends nothing.
    if state[SEAT] == seat or state[SEAT] == OVER:
        return
    state[TURNS] += (seat - state[SEAT]) % 3
    state[SEAT] = seat
    state[OCCURRENCES] = 1


@hint
def alive(state):
    # A seat without pieces never has one again: it passes for ever.
    return (state[PIECES] != 0) | ((state[PIECES + 1] != 0) << 1) | ((state[PIECES + 2] != 0) << 2)


@hint
def away(state, seat):
    # The nearest pieces jump all the way and then leave.
    missing, total = TO_WIN - state[EXITS + seat], 0
    for steps in range(MOST_STEPS + 1):
        taken = min(missing, popcount(state[PIECES + seat] & AT_EXIT[seat, steps]))
        total += taken * ((steps + 1) // 2 + 1)
        missing -= taken
    return total + missing * MOST_TURNS


@hint
def repeats(state):
    return state[OCCURRENCES] - 1


@helper
def _has_occurred_often(state):
    """Return whether a position of the past has occurred so often that the next occurrence is a draw."""
    length, marked = state[LENGTH], 0
    for i in range(MARK_CELLS):
        marked += popcount(state[MARKS + i])
    if length - marked < TO_DRAW - 2:  # a repeated position sets no new mark
        return False
    for i in range(length):
        if occurrences(state, state[past_cell(i)]) >= TO_DRAW - 1:
            return True
    return False


@hint
def may_end(state):
    # A fourth exit, the last turn, or a fourth occurrence.
    seat = state[SEAT]
    if state[EXITS + seat] == TO_WIN - 1 and state[PIECES + seat] & EXIT_HEXES[seat] != 0:
        return 1
    return 1 if state[TURNS] >= MOST_TURNS - 1 or _has_occurred_often(state) else 0


@helper
def _jumped(state, move):
    """Return the piece that a move jumps over, as a mask; 0 if it is not a jump."""
    if move >= EXIT:
        return 0
    return occupied(state) & (1 << ((move & 63) + STEPS[move >> 6]))


@helper
def _start(move):
    """Return the piece that moves, as a mask."""
    return 0 if move == PASS else 1 << (move & 63)


NOTHING, STEP, JUMP, OUT = range(4)  # kinds of moves, the best last


@move_order
def kinds(state, move):
    """Report 3: exits before jumps, jumps before steps, steps before passing."""
    if move >= EXIT:
        return NOTHING if move == PASS else OUT
    return JUMP if _jumped(state, move) else STEP


# How MoZi classifies moves, the best last.
UNWANTED, UNSAFE, STEP_IF_MUST, JUMP_IF_MUST, WANTED, TRAPPED, WINS = range(7)


@helper
def _sort_for_mozi(state, seat, phase, points, move):
    """Return the class of a move for MoZi, safe or not."""
    if move >= EXIT and move != PASS:
        if state[EXITS + seat] == TO_WIN - 1:
            return WINS
        return WANTED if phase == LEAVING else UNWANTED
    taken = _jumped(state, move) & ~state[PIECES + seat]
    if taken & TRAPS[seat] and phase != LEAVING:
        return TRAPPED
    if phase == FORMING or _start(move) & points == 0:
        return WANTED
    return JUMP_IF_MUST if _jumped(state, move) else STEP_IF_MUST


@helper
def _can_be_taken(own, rivals):
    """Return whether a rival's piece could jump over an own one."""
    empty, takers = HEXES & ~(own | rivals), 0
    for step in (1, 7, 8):
        takers |= rivals & (((own >> step) & (empty >> 2 * step)) | ((own << step) & (empty << 2 * step)))
    return takers != 0


@helper
def _is_safe(state, seat, move):
    """Return whether no rival could take a piece of a seat right after its step or jump."""
    jumped = _jumped(state, move)
    step = STEPS[move >> 6] * (2 if jumped else 1)
    own = (state[PIECES + seat] | jumped | (1 << ((move & 63) + step))) & ~_start(move)
    return not _can_be_taken(own, occupied(state) & ~state[PIECES + seat] & ~jumped)


def _guards() -> tuple[np.ndarray, np.ndarray]:
    """Return, by bit and direction, the hexes that must be empty for a safe step, or jump, from a corner.

    Beside the edge these are the other hexes next to the corner and the next along the edge, inward all hexes around;
    for a jump, which leads along the edge where nobody exits, the one inward. Elsewhere all hexes.
    """
    steps, jumps = np.full((2, 64, len(HEX_STEPS)), HEXES, dtype=np.int64)
    exits = int(np.bitwise_or.reduce(EXIT_HEXES)) & ~CORNERS
    for corner in places_in(CORNERS):
        beside = {step: stepped(corner, step) for step in range(len(HEX_STEPS))}
        beside = {step: place for step, place in beside.items() if place in HEXAGON.places}
        (inward,) = (place for place in beside.values() if not WALLS >> bit_of(place) & 1)
        for step, place in beside.items():
            around = {other for other in HEXAGON.places if apart(other, place) == 1}
            near = around if place == inward else {*beside.values(), stepped(corner, step, 2)}
            steps[bit_of(corner), step] = mask_of(near - {corner, place})
            if place != inward and not exits >> bit_of(place) & 1:
                jumps[bit_of(corner), step] = mask_of([inward])
    return steps, jumps


STEP_GUARDS, JUMP_GUARDS = _guards()


@helper
def _is_guarded(state, move, guards):
    return guards[move & 63, move >> 6] & occupied(state) == 0


@helper
def _sort_by_guards(state, seat, phase, points, move):
    """Return the class of a move where only pieces on points take what is trapped, and leave if none is near."""
    if move >= EXIT:
        return _sort_for_mozi(state, seat, phase, points, move)
    if _start(move) & points == 0:
        return WANTED
    taken = _jumped(state, move) & ~state[PIECES + seat]
    if taken & TRAPS[seat]:
        return TRAPPED
    if points & ~state[PIECES + seat] != 0:
        return WANTED
    if taken and _is_guarded(state, move, JUMP_GUARDS):
        return JUMP_IF_MUST
    return STEP_IF_MUST if _jumped(state, move) == 0 and _is_guarded(state, move, STEP_GUARDS) else UNSAFE


@helper
def _keep_best(state, root, by_guards, least_drawn, rng, moves, n):
    """Keep the moves that MoZi likes best; of those that give up a point, from a sort on, only a random one."""
    if state[SEAT] != root:
        return n
    phase, points = phase_of(state, root), points_to_hold(state, root)
    best, kept = UNWANTED, 0
    for i in range(n):
        if by_guards:
            sort = _sort_by_guards(state, root, phase, points, moves[i])
        else:
            sort = _sort_for_mozi(state, root, phase, points, moves[i])
            if STEP_IF_MUST <= sort <= JUMP_IF_MUST and not _is_safe(state, root, moves[i]):
                sort = UNSAFE
        if sort > best:
            best, kept = sort, 0
        if sort == best:
            moves[kept] = moves[i]
            kept += 1
    if least_drawn <= best < WANTED:
        moves[0] = moves[below(rng, kept)]
        return 1
    return kept


@move_filter
def mozi(state, root, rng, moves, n):
    """Report 2, the MoZi agent: take what is in a trap; pieces on points stay; of moves that give one up, any."""
    return _keep_best(state, root, False, UNSAFE, rng, moves, n)


@move_filter
def guarded(state, root, rng, moves, n):
    """As mozi, but as its program has it: only pieces on points take what is trapped, and leave if none is near."""
    return _keep_best(state, root, True, STEP_IF_MUST, rng, moves, n)


@helper
def _directness(state, root, move):
    """Return the rank of a rival's move: jumps over the root seat's pieces, other jumps, the rest."""
    jumped = _jumped(state, move)
    if jumped & state[PIECES + root]:
        return 2
    return 1 if jumped else 0


@move_filter
def direct(state, root, rng, moves, n):
    """Report 2, direct pruning: a rival has one move, drawn from jumps over ours, else other jumps, else the rest."""
    if state[SEAT] == root:
        return n
    best, ties = -1, 0
    for i in range(n):
        liked = _directness(state, root, moves[i])
        if liked > best:
            best, ties = liked, 0
        if liked == best:
            ties += 1
            if below(rng, ties) == 0:
                moves[0], moves[i] = moves[i], moves[0]
    return 1


@move_filter
def pieces(state, root, rng, moves, n):
    """Report 2, pieces reduction: own pieces on points to hold do not move while others can."""
    if state[SEAT] != root:
        return n
    points, kept = points_to_hold(state, root), 0
    for i in range(n):
        if _start(moves[i]) & points == 0:
            moves[kept], moves[i] = moves[i], moves[kept]
            kept += 1
    return kept if kept else n
