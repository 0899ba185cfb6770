"""Focus against its naive twin: the same games, move by move, with all options."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from kibitz import games
from kibitz.core.contract import OVER
from kibitz.core.playout import legal_moves, play_legal, settle, who
from kibitz.core.table import Table
from kibitz.games.focus.fields import fields
from kibitz.games.focus.rules import MOST_TURNS, NONE, SEAT_NAMES, TURNS, WINNER
from tests.oracles.focus import NAMES, TEXTS, Oracle

VARIANTS = [(seats, full) for seats in (2, 3, 4) for full in (False, True)]
GAMES = 10  # of each variant


def game_of(seats, full):
    return games.find(f"focus(seats={seats}, full={str(full).lower()})")


def twins_board(twin):
    """What the twin holds, in the words of fields.py."""
    names = SEAT_NAMES[: twin.seats]
    stacks = {name: [] for name in TEXTS.values()}
    stacks |= {TEXTS[field]: [names[owner] for owner in owners] for field, owners in twin.stacks.items()}
    captured = {
        names[seat]: {names[other]: count for other, count in enumerate(row) if other != seat}
        for seat, row in enumerate(twin.captured)
    }
    return stacks, dict(zip(names, twin.reserves, strict=True)), captured


def walk(seats, full, choose, rng, seen):
    """Play a game in both and compare them at every turn; count in `seen` what happened."""
    game = game_of(seats, full)
    room, state = np.empty(game.most_moves, dtype=np.int64), Table(game, 1).copy_of_truth()
    twin = Oracle({"seats": seats, "full": full})
    while who(game.rules, state) != OVER:
        seat = who(game.rules, state)
        legal = {game.write(state, move): move for move in room[: legal_moves(game.rules, state, room)].tolist()}
        known = fields(state, seat)
        assert (twin.turn, twin.turns) == (seat, known["turns"])
        assert twin.moves() == set(legal)
        assert twins_board(twin) == (known["stacks"], known["reserve"], known["captured"])
        text = choose(twin, sorted(legal), rng)
        assert play_legal(game.rules, state, legal[text], room)
        twin.play(text)
        seen["placed"] += text.startswith("*")
        seen["passed over"] += twin.turn is not None and twin.turn != (seat + 1) % seats
    earned = np.zeros(seats)
    settle(game.rules, state, earned)
    assert (twin.turn, twin.moves(), twin.turns) == (None, set(), state[TURNS])
    assert twin.payoff() == pytest.approx(earned.tolist())
    seen["won" if state[WINNER] != NONE else "drawn"] += 1
    assert state[WINNER] != NONE or state[TURNS] == MOST_TURNS


def height_after(twin, text):
    """How many pieces stand where a move ends, before any come off."""
    *start, end = (NAMES[name] for name in text.removeprefix("*").split("-"))
    moved = abs(start[0][0] - end[0]) + abs(start[0][1] - end[1]) if start else 1
    return moved + len(twin.stacks.get(end, ()))


def tall(twin, texts, rng):
    """Choose a move at random, mostly one that builds the tallest stack."""
    if rng.random() < 0.3:
        return rng.choice(texts)
    most = max(height_after(twin, text) for text in texts)
    return rng.choice([text for text in texts if height_after(twin, text) == most])


def any_move(twin, texts, rng):
    """Choose a move at random."""
    return rng.choice(texts)


@pytest.mark.parametrize(("seats", "full"), VARIANTS)
def test_games_agree_with_the_oracle_in_every_turn(seats, full):
    rng, seen = Random(10 * seats + full), Counter()
    for _ in range(GAMES):
        walk(seats, full, tall, rng, seen)
    assert seen["placed"] > 0, seen
    assert seen["won"] > 0 or full, seen
    assert seen["passed over"] > 0 or seats == 2 or not full, seen


def test_games_at_random_agree_with_the_oracle_until_the_last_turn():
    rng, seen = Random(5), Counter()
    walk(2, True, any_move, rng, seen)
    assert seen["drawn"] == 1
