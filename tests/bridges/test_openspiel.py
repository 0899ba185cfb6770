"""OpenSpiel: its own tests hold for our games, its solvers solve them, and bots go both ways."""

import re
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install 'kibitz[openspiel]'): NOT TESTED")

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import kibitz
from kibitz.openspiel import AgentBot, load, register

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bridges.md"
KUHN, NOUGHTS = "./tests/kuhn", "./tests/bridges/noughts"
GAMES = [
    "quarto",
    "quarto(squares=true)",
    "chexers",
    "cartagena(seats=2, max_turns=25)",
    "cartagena(version=jamaica, seats=5, board=random, max_turns=25)",
    "colonizers(max_rounds=6)",
    "colonizers(payoff=points, max_rounds=4)",
    f"{KUHN}(coins=true)",
    NOUGHTS,
]


def walk(game, seed, stride=1):
    """Yield every so manieth state of a random game in which a seat is to move."""
    rng, state, ply = np.random.default_rng(seed), game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([outcome for outcome, _ in state.chance_outcomes()])))
            continue
        if ply % stride == 0:
            yield state
        ply += 1
        state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("text", GAMES)
def test_it_passes_the_random_simulation_of_openspiel(text):
    pyspiel.random_sim_test(load(text, deals=32), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("text", GAMES)
def test_a_state_resampled_from_what_a_seat_knows_looks_the_same_to_it(text):
    game = load(text, deals=32)
    rng = np.random.default_rng(1)
    for state in walk(game, 2, stride=7):
        for seat in range(game.num_players()):
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.current_player() == state.current_player()
            assert other.history() == []  # the true one would tell the deal


def test_resampling_reaches_what_a_seat_cannot_rule_out_and_nothing_else():
    state = load(KUHN).new_initial_state()
    state.apply_action(0)
    rng, mine = np.random.default_rng(1), int(state.cells[0])
    found = {int(state.resample_from_infostate(0, rng.random).cells[1]) for _ in range(40)}
    assert found == {0, 1, 2} - {mine}


def test_an_information_state_recalls_what_a_seat_did_and_how_the_moves_of_others_looked_to_it():
    state = load(f"{KUHN}(coins=true)").new_initial_state()
    state.apply_action(0)
    state.apply_action(2)  # silver, which looks like copper to the other seat
    assert state.information_state_string(0).endswith("moves 0:2")
    assert state.information_state_string(1).endswith("moves 0:1")


def test_games_are_of_the_kind_that_they_are():
    kind = pyspiel.GameType
    quarto, cartagena, colonizers = (load(name).get_type() for name in ("quarto", "cartagena", "colonizers"))
    assert quarto.chance_mode == kind.ChanceMode.DETERMINISTIC
    assert quarto.information == kind.Information.PERFECT_INFORMATION
    assert cartagena.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert cartagena.utility == quarto.utility == kind.Utility.CONSTANT_SUM
    assert colonizers.utility == kind.Utility.GENERAL_SUM


def test_the_games_are_registered_with_their_options():
    assert {"kibitz_quarto", "kibitz_chexers", "kibitz_cartagena", "kibitz_colonizers"} <= set(
        pyspiel.registered_names()
    )
    game = pyspiel.load_game("kibitz_cartagena(seats=4,version=jamaica)")
    assert game.num_players() == 4
    assert str(load("cartagena(version=jamaica, seats=4)")) == str(game)


def test_openspiel_solves_kuhn_poker_through_the_door_as_it_solves_its_own():
    game = load(KUHN)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.008  # chips, of which 4 lie between the best and the worst
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    assert abs(value + 1 / 18) < 4e-3  # known value of the game in chips; its deals are listed with their odds
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-2, 2, 0)


BETS = {  # an equilibrium: how often jack, queen and king bet or call after these moves
    "": (0, 0, 0), "pb": (0, Fraction(1, 3), 1), "p": (Fraction(1, 3), 0, 1), "b": (0, Fraction(1, 3), 1)
}  # fmt: skip


def value_by_hand(state, past=""):
    """Return what the first seat earns on average in the equilibrium, as a fraction."""
    if state.is_terminal():
        return Fraction(state.returns()[0])
    if state.is_chance_node():
        odds = [(outcome, Fraction(odds).limit_denominator(1000)) for outcome, odds in state.chance_outcomes()]
        return sum(share * value_by_hand(state.child(outcome)) for outcome, share in odds)
    bet = BETS[past][int(state.cells[state.current_player()])]
    return (1 - bet) * value_by_hand(state.child(0), f"{past}p") + bet * value_by_hand(state.child(1), f"{past}b")


def test_the_value_of_kuhn_poker_is_exact():
    assert value_by_hand(load(KUHN).new_initial_state()) == Fraction(-1, 18)


def test_dice_are_chance_nodes_with_exact_odds():
    game = load("./tests/pig")
    state = game.new_initial_state()
    assert state.current_player() == 0
    state.apply_action(1)
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(outcome, 1 / 6) for outcome in range(6)]
    assert state.action_to_string(3) == "rolls 4"
    state.apply_action(3)
    assert state.current_player() == 0
    assert "0:1 -1:4" in state.information_state_string(1)
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_the_deals_of_kuhn_are_listed_with_exact_odds():
    state = load(KUHN).new_initial_state()
    assert state.chance_outcomes() == [(outcome, 1 / 6) for outcome in range(6)]


def test_an_agent_is_a_bot():
    game = load("quarto")
    bots = [AgentBot("novice", game, 0, seed=1), pyspiel.make_uniform_random_bot(1, 5)]
    wins = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] for seed in range(20)]
    assert sum(wins) > 16


def test_an_agent_as_a_bot_decides_from_its_view_as_it_does_at_a_table():
    game = load("colonizers")
    for state in islice(walk(game, 5, stride=9), 4):
        seat = state.current_player()
        at_table = kibitz.agent("flat(playouts=2)", kibitz.game("colonizers"), seed=3).decide(state.view(seat))
        assert AgentBot("flat(playouts=2)", game, seat, seed=3).step(state) == at_table.move


def play(text, agents, seed):
    """Play a game and return its payoffs."""
    game = kibitz.game(text)
    table = kibitz.Table(game, seed)
    minds = [kibitz.agent(agent, game, seed + seat) for seat, agent in enumerate(agents)]
    while not table.over:
        table.play(minds[table.turn].decide(table.view(table.turn)).move)
    return table.payoff()


@pytest.mark.parametrize(("text", "agent"), [
    (NOUGHTS, "openspiel(mcts, simulations=100, game=tic_tac_toe)"),
    (NOUGHTS, "openspiel(mcts, simulations=100)"),
    ("quarto", "openspiel(simulations=10)"),
])  # fmt: skip
def test_a_bot_is_an_agent(text, agent):
    scores = [play(text, [agent, "random"], seed)[0] for seed in range(3)]
    scores += [play(text, ["random", agent], seed)[1] for seed in range(3)]
    assert sum(scores) >= 4.5


def test_the_agent_of_the_page_plays_as_it_stands(tmp_path):
    (block,) = re.findall(r"```python\n(import numpy.*?)```", PAGE.read_text(), flags=re.DOTALL)
    (tmp_path / "mine.py").write_text(block)
    assert sum(play(NOUGHTS, [str(tmp_path / "mine.py"), "random"], 1)) == 1


def test_bots_that_resample_play_games_with_secrets():
    game = kibitz.game("colonizers")
    table, again = kibitz.Table(game, 1), []
    for _ in range(2):
        mind = kibitz.agent("openspiel(ismcts, simulations=5)", game, 1)
        again.append([mind.decide(table.view(0)).move for _ in range(3)])
    assert again[0] == again[1]
    assert set(again[0]) <= set(table.moves())


@pytest.mark.parametrize(("text", "agent", "sentence"), [
    ("quarto", "openspiel(ismcts)", "wants a game with secrets"),
    ("quarto", "openspiel(game=nope)", "unknown game of OpenSpiel 'nope'"),
    ("quarto", "openspiel(game=tic_tac_toe)", "differ: there are 16 moves here, 9 there"),
    ("chexers", "openspiel(game=tic_tac_toe)", "has 2 players, and chexers has 3 seats"),
    ("colonizers", "openspiel(game=kuhn_poker)", "has secrets"),
])  # fmt: skip
def test_an_agent_that_cannot_play_is_refused_in_a_sentence(text, agent, sentence):
    game = kibitz.game(text)
    with pytest.raises(kibitz.KibitzError, match=sentence):
        kibitz.agent(agent, game).decide(kibitz.Table(game, 1).view(0))


@pytest.mark.parametrize(("wrong", "sentence"), [
    (lambda: load("quarto", deals=0), "deals cannot be 0"),
    (lambda: load("quarto(position='; BTRS in hand')"), "starts from a position"),
    (lambda: AgentBot("random", pyspiel.load_game("tic_tac_toe"), 0), "is not a Kibitz game"),
    (lambda: load("quarto").new_initial_state().apply_action(99), "action 99 is not legal"),
    (lambda: load("cartagena").new_initial_state().view(0), "nothing is dealt yet"),
])  # fmt: skip
def test_what_is_asked_for_wrongly_is_refused_in_a_sentence(wrong, sentence):
    with pytest.raises(kibitz.KibitzError, match=sentence):
        wrong()


def test_two_games_cannot_have_one_name(tmp_path):
    (tmp_path / "noughts").mkdir()
    (tmp_path / "noughts" / "rules.py").write_text(Path("tests/bridges/noughts/rules.py").read_text())
    register(NOUGHTS)
    with pytest.raises(kibitz.BadValue, match="needs another name"):
        register(str(tmp_path / "noughts"))


def test_a_program_that_used_the_door_ends_in_peace():
    code = "import kibitz; kibitz.openspiel.load('quarto').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
