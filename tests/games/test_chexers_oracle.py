"""Chexers against its naive twin: the same games, move by move, from the start and from where rare things happen."""

from collections import Counter
from copy import deepcopy
from random import Random

import numpy as np
import pytest

from kibitz import games
from kibitz.core.contract import OVER
from kibitz.core.perft import count_paths
from kibitz.core.playout import legal_moves, play_legal, settle, who
from kibitz.games.chexers import position
from kibitz.games.chexers.notation import hex_name
from kibitz.games.chexers.rules import (
    EXITS,
    HEXAGON,
    MOST_TURNS,
    NONE,
    OCCURRENCES,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TO_DRAW,
    TURNS,
    WINNER,
    bit_of,
)
from tests.oracles.chexers import Oracle

GAME = games.find("chexers")
ROOM = np.empty(GAME.most_moves, dtype=np.int64)
START = "red a4 a5 a6 a7; green d1 e1 f1 g1; blue d7 e6 f5 g4; red to move"


def legal(state):
    """The legal moves by their texts."""
    return {GAME.write(state, move): move for move in ROOM[: legal_moves(GAME.rules, state, ROOM)].tolist()}


def hexes(state, seat):
    """The names of the hexes where a seat has pieces."""
    return [hex_name(place) for place in HEXAGON.places if int(state[PIECES + seat]) >> bit_of(place) & 1]


def twin_of(state):
    """The oracle in the same position."""
    pieces = {colour: hexes(state, seat) for seat, colour in enumerate(SEAT_NAMES)}
    exits = state[EXITS : EXITS + 3].tolist()
    return Oracle({}, {"pieces": pieces, "exits": exits, "turn": int(state[SEAT]), "turns": int(state[TURNS])})


def kind(text):
    """MOVE, JUMP, EXIT or PASS."""
    return {"pass": "PASS", "out": "EXIT"}.get(text.split()[-1], "JUMP" if "x" in text else "MOVE")


def walk(start, choose, seen):
    """Play both to the end and compare them at every turn; count in `seen` what happened."""
    state = position.read(start)
    twin = twin_of(state)
    exits = state[EXITS : EXITS + 3].sum()
    while who(GAME.rules, state) != OVER:
        found, seat = legal(state), twin.turn
        assert seat == who(GAME.rules, state)
        assert twin.moves() == set(found)
        text = choose(sorted(found))
        colours = np.count_nonzero(state[PIECES : PIECES + 3])
        seen[kind(text)] += 1
        seen["PASS with pieces"] += int(text == "pass" and state[PIECES + seat] != 0)
        assert play_legal(GAME.rules, state, found[text], ROOM)
        twin.play(text)
        seen["elimination"] += int(kind(text) == "JUMP" and np.count_nonzero(state[PIECES : PIECES + 3]) < colours)
    earned = np.zeros(3)
    settle(GAME.rules, state, earned)
    assert (twin.turn, twin.moves(), twin.turns) == (None, set(), state[TURNS])
    assert twin.payoff() == pytest.approx(earned.tolist())
    if state[WINNER] != NONE:
        seen["win on turn 768" if state[TURNS] == MOST_TURNS else "win"] += 1
    elif state[OCCURRENCES] == TO_DRAW:
        seen["repetition"] += 1
        seen["repetition after an exit"] += int(state[EXITS : EXITS + 3].sum() > exits)
    else:
        seen["768 turns"] += 1


def composed(rng, pieces, turns):
    """A random position with `pieces` pieces after `turns` turns."""
    places = rng.sample(HEXAGON.places, pieces)
    owners = [rng.randrange(3) for _ in places]
    parts = []
    for seat, colour in enumerate(SEAT_NAMES):
        out = rng.randint(0, min(3, (12 - pieces) // 3))
        own = [hex_name(place) for place, owner in zip(places, owners, strict=True) if owner == seat]
        parts.append(" ".join([f"{colour}+{out}", *own]))
    return "; ".join([*parts, f"{SEAT_NAMES[turns % 3]} to move after {turns} turns"])


def test_random_games_from_the_start_agree_with_the_oracle():
    rng, seen = Random(1), Counter()
    for _ in range(8):
        walk(START, rng.choice, seen)
    assert all(seen[what] for what in ("MOVE", "JUMP", "EXIT", "PASS", "elimination", "win")), seen


def test_games_from_composed_positions_agree_with_the_oracle():
    rng, seen = Random(2), Counter()
    for _ in range(100):
        walk(composed(rng, rng.choice([2, 3, 4, 6, 9, 12]), rng.randrange(MOST_TURNS)), rng.choice, seen)
    assert all(seen[what] for what in ("elimination", "win", "768 turns", "repetition")), seen


def test_games_in_a_hurry_agree_with_the_oracle_on_wins_in_the_last_turn():
    rng, seen = Random(3), Counter()
    for _ in range(200):
        start = composed(rng, 3, MOST_TURNS - rng.randint(1, 4))
        walk(start, lambda texts: next((t for t in texts if kind(t) == "EXIT"), rng.choice(texts)), seen)
    assert min(seen["win on turn 768"], seen["win"], seen["768 turns"]) >= 3, seen


def test_games_in_circles_agree_with_the_oracle_on_repetitions():
    # Whoever chooses between the first two moves in the alphabet comes back to where it was.
    rng, seen = Random(4), Counter()
    for _ in range(60):
        walk(composed(rng, rng.randint(2, 6), 0), lambda texts: rng.choice(texts[:2]), seen)
    assert min(seen["repetition"], seen["repetition after an exit"]) >= 5, seen


def test_games_from_a_crowded_board_agree_with_the_oracle_on_passing_with_pieces():
    rng, seen = Random(5), Counter()
    for _ in range(4):
        walk("red a4; green b3 c2 b4 c4; blue a5 a6 g4; red to move", rng.choice, seen)
    assert seen["PASS with pieces"] >= 4, seen


def paths(oracle, depth):
    """Count the sequences of `depth` moves."""
    if depth == 0:
        return 1
    total = 0
    for text in oracle.moves():
        after = deepcopy(oracle)
        after.play(text)
        total += paths(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("start", "depth"),
    [(START, 3), ("red d4 g1 a4; green+1 e4 c4 d7; blue+2 d3 e5 b6; red to move after 765 turns", 3)],
)
def test_both_count_the_same_sequences_of_moves(start, depth):
    state = position.read(start)
    assert count_paths(GAME.rules, state, depth) == paths(twin_of(state), depth)
