"""Chinese Checkers against its naive twin: the same games, move by move, with all options and from composed positions."""

from copy import deepcopy
from random import Random

import pytest

from kibitz import games
from kibitz.core.perft import perft
from kibitz.core.table import Table
from kibitz.games.chinese_checkers.notation import NAMES, owners
from kibitz.games.chinese_checkers.rules import BOARD, TURNS, TURNS_EACH
from tests.oracles.chinese_checkers import Oracle

VARIANTS = [(seats, fields) for fields in (73, 121) for seats in (2, 3, 4, 6)]


def twin(seats, fields, start=None):
    """The oracle with the same options."""
    return Oracle({"seats": seats, "fields": fields, "max_turns": TURNS_EACH * seats}, start)


def pieces(table):
    """The fields of every seat by their names."""
    view = table.copy_of_truth()
    return {NAMES[view[BOARD]][field]: seat for field, seat in owners(view).items()}


def walk(table, oracle, rng, most):
    """Play both, often forward, and compare them at every turn; return whether the game ended."""
    while not table.over and table.ply < most:
        texts = table.moves_text()
        assert table.turn == oracle.turn
        assert len(texts) == len(set(texts))
        assert set(texts) == oracle.moves()
        text = rng.choice(sorted(texts))
        table.play(table.read(text))
        oracle.play(text)
        assert pieces(table) == {oracle.texts[field]: seat for field, seat in oracle.pieces.items()}
        assert table.copy_of_truth()[TURNS] == oracle.turns
    if table.over:
        assert (oracle.turn, oracle.moves()) == (None, set())
        assert oracle.payoff() == pytest.approx(table.payoff())
    return table.over
