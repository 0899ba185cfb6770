"""PettingZoo: its own tests hold for every game, and what a player is shown and paid is what Kibitz says."""

import warnings
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (pip install 'kibitz[pettingzoo]'): NOT TESTED")

from pettingzoo.test import api_test, render_test, seed_test

import kibitz
from kibitz.pettingzoo import env

FOREIGN = (  # what api_test warns of in every environment with masks in its observations that is not PettingZoo's own
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)
GAMES = [
    ("quarto", {}),
    ("quarto(squares=true)", {1: "novice"}),
    ("chexers", {}),
    ("chexers", {"player_0": "policy(greedy)", "player_2": "random"}),
    ("cartagena(seats=2, max_turns=40)", {}),
    ("cartagena(version=jamaica, seats=5, max_turns=40)", {3: "top3"}),
    ("colonizers(max_rounds=10)", {}),
    ("colonizers(payoff=points, max_rounds=10)", {0: "heuristic"}),
    ("./tests/bridges/noughts", {}),
]


@pytest.fixture(params=GAMES, ids=lambda param: f"{param[0]} {param[1] or ''}")
def make(request):
    """What makes an environment."""
    text, opponents = request.param
    return lambda **given: env(text, opponents=opponents, **given)


def test_it_passes_the_tests_of_pettingzoo(make):
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        for known in FOREIGN:
            warnings.filterwarnings("ignore", known)
        api_test(make(), num_cycles=30)
        seed_test(make, num_cycles=30)
        render_test(make)


def played(environment, seed, steps=10**6):
    """Play random actions and return the rewards at the end, with all observations on the way."""
    environment.reset(seed=seed)
    rng, seen, rewards = np.random.default_rng(seed), [], {}
    for player in environment.agent_iter(steps):
        observation, reward, over, _, _ = environment.last()
        seen.append(observation)
        if over:
            rewards[player] = reward
        mask = observation["action_mask"]
        environment.step(None if over else int(rng.choice(np.flatnonzero(mask))))
    return rewards, seen


def test_players_are_rewarded_with_their_payoffs_at_the_end():
    environment = env("chexers")
    rewards, _ = played(environment, 3)
    payoff = environment.unwrapped.episode.table.payoff()
    assert rewards == {f"player_{seat}": payoff[seat] for seat in range(3)}


def test_a_reset_without_a_seed_deals_the_next_game_of_the_stream():
    one, other = env("colonizers"), env("colonizers")
    deals = []
    for environment in (one, other):
        environment.reset(seed=4)
        first = environment.unwrapped.episode.table.seed
        environment.reset()
        deals.append((first, environment.unwrapped.episode.table.seed))
    assert deals[0] == deals[1]
    assert deals[0][0] != deals[0][1]


def test_an_observation_is_made_from_the_view_of_its_player_and_the_mask_from_its_moves():
    environment = env("colonizers", observe="view")
    environment.reset(seed=1)
    table = environment.unwrapped.episode.table
    for _ in range(12):
        mover = table.turn
        for seat in range(4):
            shown = environment.observe(f"player_{seat}")
            assert (shown["observation"] == table.view(seat)).all()
            assert np.flatnonzero(shown["action_mask"]).tolist() == (table.moves() if seat == mover else [])
        environment.step(table.moves()[0])


def test_bits_tell_what_is_known_and_its_number():
    environment = env("colonizers", observe=["COLONIST", "OMNIUM"])
    environment.reset(seed=1)
    for _ in range(4):
        environment.step(environment.unwrapped.episode.table.moves()[-1])
    table = environment.unwrapped.episode.table
    view = table.view(1)
    rows = environment.observe("player_1")["observation"].reshape(8, 65)
    cells = [table.game.cells["COLONIST"] + k for k in range(4)] + [table.game.cells["OMNIUM"] + k for k in range(4)]
    assert (rows[:, 0] == 0).any()
    for row, cell in zip(rows.tolist(), cells, strict=True):
        assert row[0] == (view[cell] != kibitz.UNKNOWN)
        number = sum(bit << place for place, bit in enumerate(row[1:]))
        assert number == (int(view[cell]) % 2**64 if row[0] else 0)


def test_an_opponent_inside_plays_its_seat_with_dice_of_its_own():
    environment = env("quarto", opponents={0: "random"})
    assert environment.possible_agents == ["player_1"]
    environment.reset(seed=2)
    table = environment.unwrapped.episode.table
    assert (table.ply, table.turn) == (1, 1)
    rewards, _ = played(environment, 2)
    assert set(rewards) == {"player_1"}


def test_an_illegal_action_loses_and_the_others_divide_the_win():
    environment = env("chexers")
    environment.reset(seed=1)
    environment.step(0)
    assert environment.rewards == {"player_0": 0.0, "player_1": 0.5, "player_2": 0.5}
    assert all(environment.terminations.values())
    assert "action 0 of seat 0 is not legal" in environment.infos["player_1"]["illegal"]


def test_actions_are_places_in_the_list_where_a_game_does_not_say_how_large_its_moves_are():
    environment = env("./tests/bridges/noughts")
    environment.reset(seed=1)
    environment.step(0)
    environment.step(0)
    assert environment.unwrapped.episode.table.moves_made == [0, 1]
    assert environment.observe("player_0")["action_mask"].tolist() == [1] * 7 + [0] * 2


def test_a_function_makes_observations_of_any_shape():
    environment = env("quarto", observe=lambda game, view, seat: np.array([[seat, view[2]]], dtype=np.float32))
    environment.reset(seed=1)
    assert environment.observe("player_1")["observation"].tolist() == [[1, 0xFFFF]]


@pytest.mark.parametrize(("wrong", "sentence"), [
    (lambda: env("quarto", opponents={0: "random", 1: "random"}), "none for a learner"),
    (lambda: env("quarto", opponents="random"), "opponents must name agents by seat"),
    (lambda: env("quarto", opponents={"player_7": "random"}), "no player 'player_7'"),
    (lambda: env("quarto", opponents={2: "random"}), "no seat 2"),
    (lambda: env("quarto", opponents={0: "nobody"}), "unknown agent"),
    (lambda: env("quarto", squares="x"), "squares"),
    (lambda: env("quarto", observe="PIECES"), "unknown observation"),
    (lambda: env("quarto", observe=()), "at least one group"),
    (lambda: env("quarto", observe=lambda game, view, seat: "x"), "array of numbers"),
    (lambda: env("quarto", render_mode="rgb_array"), "render_mode"),
    (lambda: env(kibitz.game("quarto"), squares=True), "come too late"),
])  # fmt: skip
def test_what_is_asked_for_wrongly_is_refused_in_a_sentence(wrong, sentence):
    with pytest.raises(kibitz.KibitzError, match=sentence):
        wrong()
