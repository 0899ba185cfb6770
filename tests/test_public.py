"""The public face: every name is there, documented, and loaded only when used."""

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kibitz
from tests.stub import PATH, stub

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "python.md").read_text()
DOORS = {"kibitz": kibitz, "kibitz.rules": kibitz.rules, "kibitz.scenes": kibitz.scenes, "kibitz.search": kibitz.search}
NAMES = [(door, name) for door, module in DOORS.items() for name in module.__all__]


def _section(door: str) -> str:
    """Return the table of the page that lists the names of a door."""
    start = PAGE.index(f"| `{door}`")
    return PAGE[start : PAGE.find("\n\n", start)]


@pytest.mark.parametrize(("door", "name"), NAMES, ids=lambda given: given)
def test_every_public_name_is_there_and_described(door, name):
    member = getattr(DOORS[door], name)
    described = re.findall(r"`(\w+)", _section(door))
    assert name in described, f"docs/python.md does not list {name} of {door}"
    if inspect.isclass(member) or inspect.isfunction(member):
        assert inspect.getdoc(member), f"{name} has no docstring"


@pytest.mark.parametrize("door", DOORS)
def test_the_page_lists_no_name_that_is_not_there(door):
    first_cells = re.findall(r"^\| (`.*?) \|", _section(door), flags=re.MULTILINE)[1:]
    listed = {name for cell in first_cells for name in re.findall(r"`(\w+)", cell)}
    assert listed <= set(DOORS[door].__all__)


def test_type_checkers_read_the_list_of_names():
    assert PATH.read_text() == stub(), "run: python -m tests.stub"


def test_a_type_checker_knows_the_names_and_their_types(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import kibitz\nfrom kibitz import agent, game\n\nquarto = game('quarto')\n"
        "reveal_type(kibitz.Table(quarto, 1).play)\nreveal_type(agent('random', quarto))\nkibitz.nothing\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(script)],
        capture_output=True, text=True, cwd=ROOT, check=False,
    ).stdout  # fmt: skip
    assert 'Revealed type is "def (move: int | str)' in found.replace("builtins.", "").replace(
        "Union[int, str]", "int | str"
    )
    assert 'Revealed type is "kibitz.agents.agent.Agent"' in found
    assert 'Module has no attribute "nothing"' in found
    assert "does not explicitly export" not in found


def test_public_methods_have_docstrings():
    for name in ("Game", "Table", "World", "Agent", "Decision", "Record", "Option"):
        for method, member in vars(getattr(kibitz, name)).items():
            if not method.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{name}.{method}"


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(AttributeError, match=r"no attribute 'gmae'; it has .*\bgame\b"):
        _ = kibitz.gmae


def test_importing_kibitz_loads_nothing_heavy():
    code = "import kibitz, sys; print(any(name in sys.modules for name in ('numpy', 'numba', 'click', 'rich')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_page_on_python_is_true():
    page = ROOT / "docs" / "python.md"
    failures, tried = doctest.testfile(str(page), module_relative=False)
    assert tried >= 15
    assert failures == 0


@pytest.mark.parametrize("game", ["colonizers", "quarto", "chexers"])
def test_the_agents_of_the_page_play_as_they_stand(tmp_path, game):
    blocks = [block for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL) if "Decision" in block]
    assert len(blocks) == 2
    rules = kibitz.game(game)
    for number, block in enumerate(blocks):
        path = tmp_path / f"mind{number}.py"
        path.write_text(block)
        minds = [kibitz.agent(str(path), rules, seed=1), *(kibitz.agent("random", rules) for _ in range(3))]
        table = kibitz.Table(rules, seed=3)
        for _ in range(9):
            table.play(minds[table.turn].decide(table.view(table.turn)).move)
        assert table.ply == 9


def test_a_look_ahead_on_the_page_beats_random_players(tmp_path):
    block = next(block for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL) if "TenLines" in block)
    path = tmp_path / "tenlines.py"
    path.write_text(block)
    quarto, wins = kibitz.game("quarto"), 0.0
    for seed in range(10):
        minds = [kibitz.agent(str(path), quarto, seed=seed), kibitz.agent("random", quarto, seed=seed + 100)]
        table = kibitz.Table(quarto, seed=seed)
        while not table.over:
            table.play(minds[table.turn].decide(table.view(table.turn)).move)
        wins += table.payoff()[0]
    assert wins >= 8


def test_telling_reprs():
    quarto = kibitz.game("quarto(squares=true)")
    table = kibitz.Table(quarto, seed=1)
    assert repr(quarto) == "<game quarto(squares=true): 2 seats, open, version 1>"
    assert "at ply 0" in repr(table)
    assert quarto.text(table.view(0)) in repr(table)
    assert str(kibitz.World.of(table)) in repr(kibitz.World.of(table))


COLONIZERS = kibitz.game("colonizers")


@pytest.mark.parametrize("wrong", [
    lambda: kibitz.World.guess(COLONIZERS, kibitz.Table(COLONIZERS, 1).view(0), 0, 10**9),
    lambda: kibitz.World.guess(COLONIZERS, kibitz.Table(COLONIZERS, 1).view(2), 0),
    lambda: kibitz.World.guess(COLONIZERS, kibitz.Table(COLONIZERS, 1)),
    lambda: kibitz.World.of(kibitz.Table(COLONIZERS, 1)).view(5),
    lambda: kibitz.World.of(COLONIZERS),
    lambda: kibitz.World.of(kibitz.Table(COLONIZERS, 1)).play("x"),
    lambda: kibitz.Table("quarto", 1),
    lambda: kibitz.Table(COLONIZERS, 1.5),
    lambda: kibitz.Table(COLONIZERS, 1).view("x"),
    lambda: kibitz.agent("random", "quarto"),
    lambda: kibitz.agent(kibitz.Agent, COLONIZERS),
    lambda: kibitz.search.playouts(kibitz.World.of(kibitz.Table(COLONIZERS, 1)), 0, 0, 1),
    lambda: kibitz.search.roll(1, 0),
    lambda: kibitz.search.Budget(rounds=-1),
    lambda: kibitz.search.Budget("x"),
    lambda: list(kibitz.read_records("nowhere.jsonl")),
    lambda: kibitz.read_plan("nowhere.toml"),
])  # fmt: skip
def test_what_is_handed_in_wrongly_is_refused_in_a_sentence(wrong):
    with pytest.raises(kibitz.KibitzError) as caught:
        wrong()
    assert "\n" not in str(caught.value)


def test_a_seed_will_do_where_dice_are_wanted():
    world = kibitz.World.of(kibitz.Table(COLONIZERS, 1))
    assert kibitz.search.playouts(world, world.moves()[0], 5, 1) == kibitz.search.playouts(
        world, world.moves()[0], 5, 1
    )


def test_an_agent_whose_prepare_lacks_an_option_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from kibitz import Agent, Option\n\n\nclass Mine(Agent):\n"
        '    OPTIONS = {"n": Option(3, "")}\n\n    def prepare(self):\n        pass\n\n'
        "    def decide(self, view):\n        return 0\n"
    )
    with pytest.raises(kibitz.BadValue, match="prepare must take the options n"):
        kibitz.agent(str(path), COLONIZERS)
