"""The fast Quarto against a naive twin that was written from the rules alone."""

import pytest

from kibitz import agents, games
from kibitz.core.dice import dice, roll
from kibitz.core.table import Table
from kibitz.games.quarto.rules import HAND, NONE, SET
from tests.games.quarto_symmetry import canonical
from tests.oracles import quarto as oracle


@pytest.mark.parametrize("squares", [False, True])
def test_random_games_agree_move_by_move(squares):
    game = games.find(f"quarto(squares={str(squares).lower()})")
    finished = set()
    for seed in range(300):
        table, twin, rng = Table(game, seed), oracle.Oracle({"squares": squares}), dice(seed)
        while not table.over:
            assert twin.turn == table.turn
            texts = {table.write(move): move for move in table.moves()}
            assert set(texts) == twin.moves()
            text = sorted(texts)[roll(rng, len(texts))]
            table.play(texts[text])
            twin.play(text)
        assert twin.turn is None
        assert twin.payoff() == table.payoff()
        finished.add(tuple(table.payoff()))
    assert finished == {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)} or squares


def _late_positions(squares, plies, seeds):
    game = games.find(f"quarto(squares={str(squares).lower()})")
    for seed in seeds:
        table, twin, rng = Table(game, seed), oracle.Oracle({"squares": squares}), dice(seed)
        while not table.over and table.ply < plies:
            texts = sorted(table.write(move) for move in table.moves())
            text = texts[roll(rng, len(texts))]
            table.play(table.read(text))
            twin.play(text)
        if not table.over:
            yield table, twin


@pytest.mark.parametrize("squares", [False, True])
@pytest.mark.parametrize("plies", [22, 23])
def test_the_exact_value_of_late_positions_is_that_of_plain_minimax(squares, plies):
    compared = 0
    for table, twin in _late_positions(squares, plies, range(40)):
        mind = agents.build("minimax(depth=1000, value=zero, opening=none, memory=1)", table.game, 1)
        decision = mind.decide(table.view(table.turn))
        worth = {1: 1.0, 0: 0.5, -1: 0.0}[(decision.values[table.turn] > 0) - (decision.values[table.turn] < 0)]
        assert decision.exact
        assert worth == oracle.solve(twin)
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize("squares", [False, True])
def test_the_canonical_form_is_that_of_trying_every_symmetry(squares):
    compared = 0
    for table, twin in _late_positions(squares, 7, range(12)):
        assert canonical(table.view(0)) == tuple(oracle.canonical(twin.cells, twin.hand, squares))
        compared += 1
    for table, twin in _late_positions(squares, 14, range(4)):
        assert canonical(table.view(0)) == tuple(oracle.canonical(twin.cells, twin.hand, squares))
        compared += 1
    assert compared >= 10


def test_symmetric_positions_have_the_same_form():
    from tests.games.quarto_symmetry import RELABELLINGS, STANDARD
    from tests.games.test_quarto import state_of

    rng = dice(8)
    for table, _ in _late_positions(False, 9, range(30)):
        view = table.view(0)
        cells = {
            cell: sum(int(view[SET] >> (16 * k + cell) & 1) << k for k in range(4))
            for cell in range(16)
            if not view[2] >> cell & 1
        }
        turn, names, flip = STANDARD[roll(rng, 32)], RELABELLINGS[roll(rng, 24)], roll(rng, 16)
        moved = {int(turn[cell]): int(names[piece ^ flip]) for cell, piece in cells.items()}
        hand = NONE if view[HAND] == NONE else int(names[int(view[HAND]) ^ flip])
        assert canonical(state_of(moved, hand=hand)) == canonical(view)
