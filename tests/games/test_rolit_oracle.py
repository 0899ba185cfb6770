"""Rolit against its naive twin: the same games, move by move, with 2 to 4 seats."""

from collections import Counter
from random import Random

import pytest

from kibitz import games
from kibitz.core.bits import popcount
from kibitz.core.perft import perft
from kibitz.core.table import Table
from kibitz.games.rolit.notation import SQUARES, colour_on
from kibitz.games.rolit.rules import BOARD, COLOURS, DISCS
from tests.oracles.rolit import TEXTS, Oracle

GAMES = 4


def discs(view):
    """The colour of every disc by the name of its square."""
    found = {SQUARES[square]: colour_on(view, square) for square in BOARD.cells}
    return {name: colour for name, colour in found.items() if colour is not None}


def walk(seats, choose, seen):
    """Play both to the end and compare them at every move; count in `seen` what happened."""
    table, twin = Table(games.find(f"rolit(seats={seats})"), 1), Oracle({"seats": seats})
    while not table.over:
        assert table.turn == twin.turn
        assert {table.write(move) for move in table.moves()} == twin.moves()
        view = table.view(table.turn)
        assert ([popcount(view[DISCS + colour]) for colour in range(COLOURS)], table.ply) == (twin.counts(), twin.plies)
        assert discs(view) == {TEXTS[field]: colour for field, colour in twin.discs.items()}
        seen["without a disc"] += int(view[DISCS + table.turn] == 0)
        text = choose(sorted(twin.moves()))
        before = dict(twin.discs)
        twin.play(text)
        table.play(table.read(text))
        seen["nothing turned"] += int(all(twin.discs[field] == colour for field, colour in before.items()))
    assert twin.turn is None
    assert twin.payoff() == pytest.approx(table.payoff())
    seen["shared"] += int(max(twin.payoff()) < 1)
    assert table.ply == 60


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_agree_with_the_oracle(seats):
    rng, seen = Random(seats), Counter()
    for _ in range(GAMES):
        walk(seats, rng.choice, seen)
    assert seen["nothing turned"], seen


def test_games_along_one_side_agree_with_the_oracle_on_colours_that_come_back():
    # Whoever chooses between the first two moves in the alphabet leaves others without discs now and then.
    rng, seen = Random(4), Counter()
    for _ in range(GAMES):
        walk(4, lambda texts: rng.choice(texts[:2]), seen)
    assert seen["without a disc"] > GAMES, seen


def paths(oracle, depth):
    """Count the sequences of `depth` moves."""
    if depth == 0:
        return 1
    total = 0
    for text in oracle.moves():
        after = oracle.copy()
        after.play(text)
        total += paths(after, depth - 1)
    return total


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_both_count_the_same_sequences_of_moves(seats):
    assert perft(Table(games.find(f"rolit(seats={seats})"), 1), 3) == paths(Oracle({"seats": seats}), 3)
