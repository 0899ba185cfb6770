"""Solving: searches to the end of a game are exact with all that the game tells them, and tell legal lines."""

import os

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.contract import OVER
from kibitz.core.dice import dice
from kibitz.core.playout import play_legal, random_position, settle, who

SOLVER = "minimax(depth=1000, value=zero, opening=none, memory=8)"
LONG = bool(os.environ.get("KIBITZ_LONG"))

# Lost, drawn or won for the seat to move: the positions that random_position makes from seeds 0, 1, 2 … after this
# many plies, where the game is not over. Found by plain alpha-beta, without any of the hints for solving.
KNOWN = {
    ("quarto", 17): "DWWWDWDWWLWWDDWWLDDWWWWWWWWDWDWWWDWWDWDDWDDWWWDWWWLWWWDWWDWWDWWWWWWWWWWDWWW",
    ("quarto", 18): "DLDLDDDDLLWLDLWLDDWLDDWLLLDLDLDLWDLDDLDLDWLLDWDLLDDLDLLLLWLWLLDWLDLLLDLDDDD",
    ("quarto", 19): "DWWWWDDWWWWWWWLWWWLWWWWWWWDWWWWWWWWWWWDWWWWWDWWWWWDWWWWWWWWWWWWDWDWWWWWDWWD",
    ("quarto(squares=true)", 17): "WWWWWWDWWWWWWWWWWWWWWLWWWWWWWWWWWWWWWWWWWWWWWDWWWWWWWWWWWWWWWWWWWWWDWWWWWWW",
    ("quarto(squares=true)", 18): "LLWLDLDWLWLLWWLLLLLLDLLWWLLWLLWLLLLLLLDLWLLLLDLLWWDLLLLLLDWLLLWLLLLLLDLLWLW",
    ("quarto(squares=true)", 19): "WWWWWWWWWWWWLWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
}
KNOWN_EARLIER = {
    ("quarto", 13): "DWWDDDDDDDWD",
    ("quarto", 14): "DDDDDDDDDLDDDDDDDDLDLDDDD",
    ("quarto", 15): "DDDWDWDDDWWDWWDDWDWDWWDWDWWWDWDWWDWWDWWDDDDWDDWWWWWWWDWDWDWD",
    ("quarto", 16): "DLDLDDDDLWLDDDDDWDDLDDWDDDLDLDWDLDWDDLDDDDDDDLDDLLWLDDDLDDLL",
    ("quarto(squares=true)", 13): "WWWWWWWDWWWW",
    ("quarto(squares=true)", 14): "LLDLDDWLLWLDLLWLDWDWLDWDW",
    ("quarto(squares=true)", 15): "WWWWWWWWWWWWWWWWWLWWWWWDWWWWWWWWWWWWWWWWWWWWWWWWWWWWWDWWWWWW",
    ("quarto(squares=true)", 16): "DLDWLLDDWLLLLLLDLLDDWWLLDWLLLLDLDLLWLLLWLWLWLDLDLLLLLWLLLWLL",
}
VARIANTS = pytest.mark.parametrize("name", ["quarto", "quarto(squares=true)"])


def solved(game, state, text=SOLVER):
    """Return the decision of a solver in a position."""
    decision = agents.build(text, game, 1).decide(state)
    assert decision.exact
    return decision


def outcome(decision, seat):
    """Return what a decision says of a position: L, D or W."""
    return "DWL"[int(np.sign(decision.values[seat]))]


def random_positions(game, plies, number):
    """Yield positions, and the seat to move."""
    state, room = game.new_state(), game.new_moves()
    for seed in range(100 * number):
        if number and random_position(game.rules, game.encoded_options, plies, dice(seed), state, room):
            number -= 1
            yield state.copy(), int(who(game.rules, state))


@pytest.mark.parametrize(("name", "plies"), KNOWN | (KNOWN_EARLIER if LONG else {}))
def test_positions_have_the_values_that_plain_search_found(name, plies):
    game, known = games.find(name), (KNOWN | KNOWN_EARLIER)[name, plies]
    found = [outcome(solved(game, state), seat) for state, seat in random_positions(game, plies, len(known))]
    assert "".join(found) == known


@VARIANTS
@pytest.mark.parametrize("plies", [16, 17])
def test_the_line_of_a_solved_position_is_legal_and_ends_with_its_value(name, plies):
    game, ends = games.find(name), set()
    for state, seat in random_positions(game, plies, 40):
        decision = solved(game, state)
        for move in decision.line:
            assert play_legal(game.rules, state, move, game.new_moves())
        earned = np.zeros(2)
        settle(game.rules, state, earned)
        assert who(game.rules, state) == OVER
        assert "LDW"[int(2 * earned[seat])] == outcome(decision, seat)
        ends.add(earned[seat])
    assert len(ends) > 1


@VARIANTS
def test_the_best_moves_are_told_with_their_own_values(name):
    game = games.find(name)
    for state, seat in random_positions(game, 18, 6):
        for decision in agents.build(SOLVER, game, 1).consider(state, 16):
            after = state.copy()
            assert play_legal(game.rules, after, decision.move, game.new_moves())
            if who(game.rules, after) != OVER:
                assert outcome(decision, seat) == outcome(solved(game, after), seat)


def test_counting_depth_in_moves_finds_the_same(quarto):
    for state, seat in random_positions(quarto, 18, 20):
        by_moves = solved(quarto, state, SOLVER.replace("depth=1000", "depth=1000, unit=moves"))
        assert outcome(by_moves, seat) == outcome(solved(quarto, state), seat)


def test_near_its_end_a_game_is_searched_to_the_end_without_deepening(quarto):
    drawn = next(
        state for state, seat in random_positions(quarto, 17, 20) if outcome(solved(quarto, state), seat) == "D"
    )
    whole = solved(quarto, drawn)
    assert whole.depth == 8
    assert solved(quarto, drawn, SOLVER.replace("depth=1000", "depth=8")) == whole
    few = agents.build(f"minimax(nodes={whole.nodes // 4}, value=zero)", quarto, 1).decide(drawn)
    assert (few.ended, few.exact) == ("nodes", False)
    assert few.depth > 1  # the budget is too small for the end of the game, so it deepens
