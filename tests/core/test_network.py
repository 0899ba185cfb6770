"""Networks as plain data, and the value they give inside searches."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz.agents import build
from kibitz.arena.match import play_match
from kibitz.core.bits import popcount
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.playout import value_of
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.games import find
from kibitz.games.quarto import features
from kibitz.games.quarto.rules import FREE, POOL, SEAT
from kibitz.networks import net as shipped
from kibitz.networks.encoding import encoding
from kibitz.networks.inference import pack, read_layers
from kibitz.networks.network_file import About, Network, as_bytes, new_network, read_network

GAME = find("quarto")


def _network(hidden: tuple[int, ...] = (40,), activation: str = "relu") -> Network:
    about = About("quarto", GAME.version, GAME.options, 2, "lines", shipped.encodings(GAME)["lines"].length, activation)
    network = new_network(about, hidden, seed=1)
    weights = np.random.default_rng(2).normal(0, 0.3, network.layers[-1][0].shape).astype(np.float32)
    return replace(network, layers=(*network.layers[:-1], (weights, network.layers[-1][1])))


def _written(path: Path, network: Network) -> str:
    path.write_bytes(as_bytes(network))
    return str(path)


def _by_hand(network: Network, world: World) -> np.ndarray:
    """Return the chances of each seat by the textbook."""
    rows = np.zeros(1024, dtype=np.int64)
    n = shipped.encodings(GAME)["lines"](world.cells, world.turn, rows)
    units = np.zeros(network.about.inputs)
    units[rows[:n]] = 1
    for weights, biases in network.layers[:-1]:
        sums = units @ weights + biases
        units = np.maximum(sums, 0) if network.about.activation == "relu" else 1 / (1 + np.exp(-sums))
    logits = units @ network.layers[-1][0] + network.layers[-1][1]
    return np.roll(np.exp(logits) / np.exp(logits).sum(), world.turn)


@pytest.mark.parametrize(
    ("hidden", "activation"), [((), "relu"), ((40,), "relu"), ((33, 7), "sigmoid"), ((8, 64, 5), "relu")]
)
def test_a_network_gives_the_chances_that_its_layers_say(tmp_path, hidden, activation):
    network = _network(hidden, activation)
    name = _written(tmp_path / "x.npz", network)
    table = Table(GAME, 3)
    while not table.over:
        world = World.of(table)
        found = world.value(f"net({name})")
        assert found == pytest.approx(_by_hand(network, world), abs=1e-5)
        assert sum(found) <= 1
        table.play(table.moves()[0])


@encoding(length=3)
def _counts(view, seat, out):
    """Whose turn it is, free cells and pieces in the pool, as plain numbers."""
    out[0] = 1.0 if view[SEAT] == seat else 0.0
    out[1] = popcount(view[FREE]) / 16
    out[2] = popcount(view[POOL]) / 16


@pytest.mark.parametrize("hidden", [(), (5,)])
def test_a_dense_encoding_is_a_row_of_numbers(hidden, monkeypatch):
    monkeypatch.setattr(features, "counts", _counts, raising=False)
    network = new_network(replace(_network().about, encoding="counts", inputs=3), hidden, seed=1)
    heads = np.random.default_rng(2).normal(0, 1, network.layers[-1][0].shape).astype(np.float32)
    network = replace(network, layers=(*network.layers[:-1], (heads, network.layers[-1][1])))
    value, out, state = shipped.value_of(GAME, network), np.zeros(2), GAME.new_state()
    state[: GAME.size] = Table(GAME, 1).copy_of_truth()
    value_of(GAME.rules, value.handle, value.weights, state, out)
    units = np.ones(3)
    for weights, biases in network.layers[:-1]:
        units = np.maximum(units @ weights + biases, 0)
    odds = np.exp(units @ heads)
    assert out == pytest.approx(odds / odds.sum(), abs=1e-5)


def test_a_packed_network_holds_what_the_file_holds(tmp_path):
    network = _network((33, 7))
    packed = pack(network, shipped.encodings(GAME)["lines"], GAME.cells["SEAT"])
    again = read_network(Path(_written(tmp_path / "x.npz", network)))
    for one, other, third in zip(network.layers, read_layers(packed), again.layers, strict=True):
        assert all((a == b).all() and (a == c).all() for a, b, c in zip(one, other, third, strict=True))
    assert again.about == network.about


def test_equal_networks_have_equal_files():
    assert as_bytes(_network()) == as_bytes(_network())


@pytest.mark.parametrize("agent", ["greedy({})", "minimax(depth=1, value={})", "maxn(depth=1, value={})",
                                   "mcts(20, value={})", "ismcts(20, value={})"])  # fmt: skip
def test_every_search_judges_by_a_network(tmp_path, agent):
    name = _written(tmp_path / "x.npz", _network())
    table = Table(GAME, 1)
    table.play(0)
    mind = build(agent.format(f"net({name})"), GAME, 1)
    assert mind.decide(table.view(table.turn)).move in table.moves()


def _with_head(path: Path) -> tuple[str, Network]:
    about = replace(_network().about, moves=GAME.moves_below)
    network = new_network(about, (40,), seed=1)
    heads = np.random.default_rng(2).normal(0, 0.3, network.layers[-1][0].shape).astype(np.float32)
    network = replace(network, layers=(network.layers[0], (heads, network.layers[-1][1])))
    return _written(path, network), network


def _table_with_odds(network: Network) -> tuple[Table, dict[int, float]]:
    """Return a table and how likely a network finds each move, by the textbook."""
    table = Table(GAME, 1)
    for move in (3, 5):
        table.play(move)
    world, rows = World.of(table), np.zeros(1024, dtype=np.int64)
    n = shipped.encodings(GAME)["lines"](world.cells, world.turn, rows)
    hidden = np.maximum(network.layers[0][0][rows[:n]].sum(0) + network.layers[0][1], 0)
    odds = np.exp((hidden @ network.layers[1][0][:, 2:])[table.moves()])
    return table, dict(zip(table.moves(), odds / odds.sum(), strict=True))


def test_a_tree_begins_with_the_move_that_its_prior_finds_likeliest(tmp_path):
    name, network = _with_head(tmp_path / "x.npz")
    table, odds = _table_with_odds(network)
    likeliest = max(odds, key=odds.__getitem__)
    sets = build(f"ismcts(1, prior=net({name}), value=net({name}))", GAME, 1)
    assert sets.decide(table.view(table.turn)).move == likeliest
    mind = build(f"mcts(1, prior=net({name}), value=net({name}))", GAME, 1)
    assert mind.decide(table.view(table.turn)).move == likeliest
    longer = build(f"mcts(300, prior=net({name}), value=net({name}), reuse=true)", GAME, 1)
    tries = longer.decide(table.view(table.turn)).tries
    assert sum(tries.values()) == 300


def test_a_prior_no_longer_speaks_for_a_move_that_is_proven_to_lose(tmp_path):
    name, _ = _with_head(tmp_path / "x.npz")
    table = Table(GAME, 1)
    for move in (4, 2, 5, 1, 9, 14, 10, 9, 14, 8, 3, 3, 12):
        table.play(move)
    tries = []
    for iterations in (500, 1000):
        mind = build(f"mcts({iterations}, c=100, prior=net({name}), value=net({name}))", GAME, 1)
        found = mind.decide(table.view(table.turn))
        assert found.move_values[10] == found.move_values[11] == [1.0, 0.0]  # pieces with which the other wins at once
        tries.append((found.tries[10], found.tries[11]))
    assert tries[0] == tries[1]


def test_a_policy_head_chooses_moves_by_their_odds_or_takes_the_likeliest(tmp_path):
    name, network = _with_head(tmp_path / "x.npz")
    table, odds = _table_with_odds(network)
    view = table.view(table.turn)
    assert build(f"policy(net({name}, temperature=0))", GAME, 1).decide(view).move == max(odds, key=odds.__getitem__)
    mind, drawn = build(f"net({name})", GAME, 1), dict.fromkeys(odds, 0.0)
    for _ in range(2000):
        drawn[mind.decide(view).move] += 1 / 2000
    assert drawn == pytest.approx(odds, abs=0.04)


def test_a_policy_head_plays_playouts_and_compiled_games(tmp_path):
    name, _ = _with_head(tmp_path / "x.npz")
    table = Table(GAME, 1)
    for agent in ("mcts(20, policy={})", "ismcts(20, policy={})", "flat(2, policy={})"):
        assert build(agent.format(f"net({name})"), GAME, 1).decide(table.view(0)).move in table.moves()
    result = play_match(GAME, [f"net({name})", "random"], games=4, jobs=1, seed=1)
    assert not result.faults


def test_what_chooses_moves_needs_a_network_that_knows_them(tmp_path):
    name = _written(tmp_path / "x.npz", _network())
    for agent in ("mcts(prior={})", "ismcts(prior={})", "policy({})", "flat(policy={})", "minimax(order={})"):
        with pytest.raises(BadValue, match="no policy head"):
            build(agent.format(f"net({name})"), GAME, 1)
    with pytest.raises(BadValue, match="is not a network"):
        build("mcts(prior=zero)", GAME, 1)


def _spoilt(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def test_bad_files_are_refused_in_a_sentence(tmp_path):
    whole, network = as_bytes(_network()), _network()
    nan = replace(network, layers=((network.layers[0][0] * np.nan, network.layers[0][1]), network.layers[1]))
    small = replace(network, layers=((network.layers[0][0][:, :5], network.layers[0][1]), network.layers[1]))
    pickled = tmp_path / "pickled.npz"
    np.savez(pickled, about=np.array([{}], dtype=object), allow_pickle=True)
    cases = {
        "cut short": _spoilt(tmp_path / "a.npz", whole[: len(whole) // 2]),
        "not a network": _spoilt(tmp_path / "b.npz", b"hello"),
        "not finite": _written(tmp_path / "c.npz", nan),
        "must be": _written(tmp_path / "d.npz", small),
        "is for chexers": _written(tmp_path / "e.npz", replace(network, about=replace(network.about, game="chexers"))),
        "version 7": _written(tmp_path / "f.npz", replace(network, about=replace(network.about, version=7))),
        "encoding 'no'": _written(tmp_path / "g.npz", replace(network, about=replace(network.about, encoding="no"))),
        "there is no network at": str(tmp_path / "none.npz"),
        "not a network, or": str(pickled),
        "comes? with it: ": "nobody",
    }
    for wanted, name in cases.items():
        with pytest.raises(BadValue, match=wanted):
            GAME.value(f"net({name})")


def test_weights_that_were_changed_are_noticed(tmp_path):
    name = _written(tmp_path / "x.npz", _network())
    with np.load(name) as stored:
        arrays = {key: stored[key] for key in stored.files}
    arrays["b0"][0] += 1
    np.savez(name, **arrays)
    with pytest.raises(BadValue, match="damaged"):
        GAME.value(f"net({name})")


def test_an_encoding_declares_sizes_that_make_sense():
    with pytest.raises(BadGame, match="length=5 and most=9"):
        encoding(length=5, most=9)(lambda view, seat, out: 0)
