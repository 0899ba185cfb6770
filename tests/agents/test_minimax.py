"""Minimax: exact where it must be, within its budget where it cannot be."""

import time

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search.evaluation import DECIDED
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.playout import value_of
from kibitz.core.table import Table
from tests.games.positions import table_after


def positions(game, plies, seeds):
    """Yield tables after random moves."""
    for seed in seeds:
        table, rng = Table(game, seed), dice(seed)
        while not table.over and table.ply < plies:
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])
        if not table.over:
            yield table


def brute_force(table: Table, seat: int, depth: int, value, begun: bool = False) -> float:
    """Return the score for `seat` by plain minimax, depth counted in turns (begun); no pruning, no table."""
    if table.over:
        payoff = table.payoff()
        return (payoff[seat] - payoff[1 - seat]) * DECIDED
    if depth == 0:
        out = np.zeros(2)
        value_of(table.game.rules, value.handle, value.weights, table.view(0), out)
        return out[seat] - out[1 - seat]
    mover, scores = table.turn, []
    for move in table.moves():
        table.play(move)
        spent = table.over or table.turn != mover or (begun and depth == 1)
        scores.append(brute_force(table, seat, depth - spent, value, begun))
        table.undo()
    return max(scores) if mover == seat else min(scores)


@pytest.mark.parametrize("value", ["zero", "almost_completed", "completing_absolute", "completing_relative(C=3)"])
@pytest.mark.parametrize(("plies", "depth"), [(27, 3), (26, 2), (23, 1), (22, 1)])
def test_scores_equal_brute_force(quarto, value, plies, depth):
    compared = 0
    for table in positions(quarto, plies, range(60)):
        decision = agents.build(f"minimax(depth={depth}, value={value}, opening=none, memory=1)", quarto, 1).decide(
            table.view(table.turn)
        )
        seat = table.turn
        found = decision.values[seat] - decision.values[1 - seat]
        if not decision.exact:  # a decided game may be found at a smaller depth, which is as true
            assert found == pytest.approx(brute_force(table, seat, depth, quarto.value(value)))
        else:
            assert found == brute_force(table, seat, 99, quarto.value("zero"))
        compared += 1
        if compared == 4:
            break
    assert compared >= 2


@pytest.mark.parametrize(("plies", "depth"), [(23, 2), (22, 2), (25, 3), (23, 1)])
def test_a_turn_begun_ends_with_its_first_move(quarto, plies, depth):
    value = quarto.value("completing_absolute")
    for table in positions(quarto, plies, range(8)):
        agent = agents.build(f"minimax(depth={depth}, unit=begun, opening=none, memory=1)", quarto, 1)
        seat, decision = table.turn, agent.decide(table.view(table.turn))
        if decision.exact:
            assert decision.considered[decision.move] == brute_force(table, seat, 99, value)
        else:
            assert decision.considered[decision.move] == brute_force(table, seat, depth, value, begun=True)


def test_a_win_is_taken_and_a_loss_put_off():
    table = table_after("quarto", "WSQH", "a1", "WSQS", "b1", "WSRH", "c1", "WTRS")
    decision = agents.build("minimax(depth=2, opening=none)", table.game, 1).decide(table.view(table.turn))
    assert table.write(decision.move) == "d1"
    assert decision.exact
    assert decision.depth == 1


def test_a_search_at_once_finds_the_same_score(quarto):
    for table in positions(quarto, 23, range(6)):
        texts = [f"minimax(depth=2, opening=none, memory=1, deepen={deepen})" for deepen in ("true", "false")]
        found = [agents.build(text, quarto, 1).decide(table.view(table.turn)) for text in texts]
        assert found[0].considered[found[0].move] == found[1].considered[found[1].move]


def test_no_piece_that_loses_at_once_is_handed_over():
    table = table_after("quarto", "WSQH", "a1", "WSQS", "b1", "WSRH", "c1")
    for seed in range(10):
        decision = agents.build("minimax(depth=2, opening=none)", table.game, seed).decide(table.view(table.turn))
        assert table.write(decision.move)[:2] == "BT"


def test_the_line_of_play_is_legal_and_begins_with_the_move(quarto):
    for table in positions(quarto, 15, range(5)):
        decision = agents.build("minimax(depth=3, opening=none)", quarto, 1).decide(table.view(table.turn))
        assert decision.line[0] == decision.move
        for move in decision.line:
            table.play(move)


def test_nodes_are_a_limit_and_give_the_same_move_every_time(quarto):
    table = next(positions(quarto, 9, range(3, 9)))
    text = "minimax(depth=0, nodes=5000, opening=none)"
    decisions = [agents.build(text, quarto, 2).decide(table.view(table.turn)) for _ in range(2)]
    assert decisions[0] == decisions[1]
    assert decisions[0].nodes <= 5001
    assert decisions[0].depth >= 1


def test_one_node_is_enough_to_choose_something(quarto):
    table = next(positions(quarto, 9, range(3, 9)))
    decision = agents.build("minimax(nodes=1, opening=none)", quarto, 2).decide(table.view(table.turn))
    assert decision.move in table.moves()


def test_seconds_end_the_search(quarto):
    table = Table(quarto, 1)
    begun = time.monotonic()
    decision = agents.build("minimax(depth=0, seconds=1, opening=none)", quarto, 2).decide(table.view(0))
    assert time.monotonic() - begun < 30  # generous: this is about ending at all
    assert decision.depth >= 1
    assert not decision.exact


def test_deepening_stops_when_the_rest_is_solved(quarto):
    table = next(positions(quarto, 25, range(20)))
    decision = agents.build("minimax(depth=0, seconds=600, opening=none)", quarto, 2).decide(table.view(table.turn))
    assert decision.exact


def test_a_perfect_endgame_never_loses_what_it_has_won(quarto):
    held = 0
    for table in positions(quarto, 19, range(30)):
        solver = agents.build("minimax(depth=1000, value=zero, opening=none)", quarto, 1)
        seat = table.turn
        if solver.decide(table.view(seat)).values[seat] <= 0:
            continue
        rival = agents.build("novice", quarto, table.seed)
        while not table.over:
            mind = solver if table.turn == seat else rival
            table.play(mind.decide(table.view(table.turn)).move)
        assert table.payoff()[seat] == 1.0
        held += 1
    assert held >= 5


def test_the_report_s_opening_is_played_until_the_seventh_piece(quarto):
    mind = agents.build("minimax(depth=2)", quarto, 1)
    assert mind.driver.settings.opening is not None
    early, late = next(positions(quarto, 13, range(9))), next(positions(quarto, 15, range(9)))
    assert mind.decide(early.view(early.turn)).visits > 0  # six placed: flat Monte Carlo
    assert mind.decide(late.view(late.turn)).nodes > 0  # seven placed: search
    assert agents.build("minimax(depth=2, opening=none)", quarto, 1).driver.settings.opening is None


def test_three_seats_and_secrets_are_refused():
    with pytest.raises(BadValue, match="minimax is for two seats, and chexers has 3"):
        agents.build("minimax", games.find("chexers"), 1)


def test_what_is_proved_is_true_with_a_kept_table_and_small_depths(quarto):
    proved = 0
    for table in positions(quarto, 17, range(60)):
        mind = agents.build("minimax(depth=2, opening=none, memory=1)", quarto, 1)
        while not table.over:
            seat = table.turn
            decision = mind.decide(table.view(seat))
            if decision.exact:
                truth = agents.build("minimax(depth=1000, value=zero, opening=none)", quarto, 1).decide(
                    table.view(seat)
                )
                assert np.sign(decision.values[seat]) == np.sign(truth.values[seat])
                proved += 1
            table.play(decision.move)
    assert proved > 30


def test_a_lost_game_is_put_off(quarto):
    """Where every move loses, the one chosen seemed good at the depth before."""
    for table in positions(quarto, 21, range(80)):
        view = table.view(table.turn)
        deep = agents.build("minimax(depth=1000, value=zero, opening=none)", quarto, 1).decide(view)
        if deep.exact and deep.values[table.turn] < 0 and deep.depth > 2:
            shallow = agents.build(f"minimax(depth={deep.depth - 1}, value=zero, opening=none)", quarto, 1).decide(view)
            assert deep.move == shallow.move
            return
    raise AssertionError("no lost position was found")


def test_values_never_pass_for_a_decided_game(quarto):
    table = next(positions(quarto, 15, range(9)))
    decision = agents.build("minimax(depth=2, value=completing_relative(1000000), opening=none)", quarto, 1).decide(
        table.view(table.turn)
    )
    assert not decision.exact


@pytest.mark.parametrize("agent", ["minimax", "maxn", "paranoid"])
def test_a_named_budget_is_the_only_one(quarto, agent):
    """The game's opening has a budget of its own: it is played where none is named, or where it is asked for."""
    for text in ("seconds=0.2", "nodes=5000", "nodes=5000, depth=2"):
        assert agents.build(f"{agent}({text})", quarto, 1).driver.settings.opening is None
    for text in ("depth=2", "opening=auto", "nodes=5000, opening=flat(playouts=3)", "nodes=5000, until=4"):
        assert agents.build(f"{agent}({text})", quarto, 1).driver.settings.opening is not None


def test_minimax_uses_its_nodes_in_the_opening_too(quarto):
    decision = agents.build("minimax(nodes=20000)", quarto, 1).decide(Table(quarto, 1).view(0))
    assert (decision.ended, decision.nodes >= 20_000) == ("nodes", True)


@pytest.mark.parametrize("plies", [9, 20])
def test_values_by_a_network_are_chances(quarto, plies):
    for table in positions(quarto, plies, range(4)):
        found = agents.build("minimax(depth=1, value=net(champion), opening=none, memory=1)", quarto, 1).decide(
            table.view(table.turn)
        )
        seat, score = table.turn, found.considered[found.move]
        assert sum(found.values) == pytest.approx(1, abs=1e-4)
        assert found.values[seat] - found.values[1 - seat] == pytest.approx(max(-1, min(1, score)))
