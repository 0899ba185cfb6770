"""The recipes for games and agents run as they stand."""

import re
from pathlib import Path

import pytest

import kibitz
from kibitz.learn.training import TrainingBudget, train
from kibitz.learn.training_settings import default_settings

PIG = '"""Pig: '
WHAT_COUNTS = ("PAYOFF = ", "SHARED = ")  # how the lines begin that say so
DOCS = Path(__file__).resolve().parents[1] / "docs"


def blocks(page: str) -> list[str]:
    """Return the blocks of Python on a page."""
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), flags=re.DOTALL)


@pytest.fixture
def swap(tmp_path):
    """The game of the recipe, in a folder of its own, with nothing but rules."""
    folder = tmp_path / "swap"
    folder.mkdir()
    (folder / "rules.py").write_text(blocks("adding-a-game.md")[0])
    return folder


def play_out(game, names, seed):
    minds = [kibitz.agent(name, game, seed=seat) for seat, name in enumerate(names)]
    table = kibitz.Table(game, seed=seed)
    while not table.over:
        table.play(minds[table.turn].decide(table.view(table.turn)).move)
    return table


def test_the_game_of_the_recipe_is_played_with_rules_alone(swap):
    game = kibitz.game(f"{swap}(seats=3)")
    agents = ["ismcts(iterations=20)", "maxn(depth=2)", "pimc(agent=mcts(iterations=20), worlds=2)"]
    table = play_out(game, agents, 4)
    hands = table.copy_of_truth()[game.cells["HAND"] :][:3].tolist()
    assert table.payoff() == [float(card == max(hands)) for card in hands]


def test_a_network_learns_the_game_of_the_recipe(swap, tmp_path):
    (swap / "features.py").write_text(blocks("learning.md")[0])
    game, out = kibitz.game(f"{swap}(seats=2)"), tmp_path / "my.npz"
    for _ in train(game, default_settings(game, 20_000, hidden=(8,)), TrainingBudget(positions=20_000), out):
        pass
    low, high = (_table_with(game, card).view(0) for card in (1, 12))
    mind = kibitz.agent(f"greedy(net({out}), worlds=50)", game, seed=1)
    assert (mind.decide(low).move, mind.decide(high).move) == (1, 0)


def test_the_network_of_the_example_wins_at_nim(monkeypatch):
    monkeypatch.chdir(DOCS.parent)
    told = re.search(
        r"kibitz match examples/nim '(.*?)' random --games (\d+) --openings 0", (DOCS / "learning.md").read_text()
    )
    assert told, "the page shows the match"
    game = kibitz.game("examples/nim")
    won = [play_out(game, [told[1], "random"], seed).payoff()[0] for seed in range(20)]
    assert sum(won) == len(won)  # 21 sticks are won for the first seat


def _table_with(game, card):
    """Return a table of which the first seat holds a card."""
    tables = (kibitz.Table(game, seed=seed) for seed in range(1000))
    return next(table for table in tables if table.view(0)[game.cells["HAND"]] == card)


def test_hidden_cards_of_the_recipe_are_hidden(swap):
    game = kibitz.game(f"{swap}(seats=2)")
    table = kibitz.Table(game, seed=1)
    assert "hand: " in game.text(table.view(0))
    assert game.text(table.view(0)).count("?") == 3


def test_the_dice_of_the_recipe_are_those_of_the_tests():
    (pig,) = [block for block in blocks("adding-a-game.md") if block.startswith(PIG)]
    assert pig == (Path(__file__).parent / "pig" / "rules.py").read_text()


def test_the_lines_of_the_recipe_that_say_what_counts_work(swap):
    rules, units = (swap / "rules.py").read_text(), []
    for block in blocks("adding-a-game.md"):
        if block.startswith(WHAT_COUNTS):
            folder = swap / f"game{len(units)}"
            folder.mkdir()
            (folder / "rules.py").write_text(f"{rules}\nfrom kibitz.rules import Payoff\n{block}")
            scoring = kibitz.game(str(folder)).scoring
            units.append((scoring.unit, scoring.shared))
    assert units == [("chips", False), ("stars", True)]


def test_the_other_files_of_the_recipe_work(swap):
    for block in blocks("adding-a-game.md")[1:]:
        if block.startswith((PIG, *WHAT_COUNTS)):
            continue
        name = re.match(r'"""(\w+\.py) of Swap', block)
        assert name, "every block says which file it is"
        (swap / name[1]).write_text(block)
    game = kibitz.game(str(swap))
    assert set(game.values) == {"card", "share"}
    table = play_out(game, ["policy(bold(least=13))", "brs(depth=2, filter=never_swap, order=swap_first)"], 2)
    assert table.moves_made[0] == 1
    fresh = kibitz.Table(game, seed=2)
    scene = game.scene(fresh.view(0), fresh.moves())
    assert [(shape.title, shape.moves) for shape in scene.shapes() if shape.tag == "g"] == [
        (f"card {fresh.view(0)[game.cells['HAND']]}", (1,)),
        ("card ?", ()),
    ]


def test_the_agent_of_the_recipe_plays_open_and_hidden_games(tmp_path):
    (block,) = blocks("adding-an-agent.md")
    path = tmp_path / "cautious.py"
    path.write_text(block)
    for text in ("colonizers", "quarto"):
        game = kibitz.game(text)
        mind = kibitz.agent(f"{path}(worlds=2, playouts=3)", game, seed=1)
        table = kibitz.Table(game, seed=1)
        decision = mind.decide(table.view(0))
        assert decision.move in table.moves()
        assert set(decision.considered) == set(table.moves())
    with pytest.raises(kibitz.BadValue, match="it takes a whole number from 1 to 1000"):
        kibitz.agent(f"{path}(worlds=0)", game, seed=1)
