"""Every place that takes a device knows the same ones, and says in a sentence what is missing for a graphics card."""

import ast
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import kibitz
from kibitz.agents import build
from kibitz.arena.balance import play_balance, play_variants
from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan
from kibitz.arena.session import play_plan
from kibitz.arena.tournament import play_tournament
from kibitz.batches.card_perft import counter_on
from kibitz.cli import main
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadValue
from kibitz.games import find
from tests.verbs import all_verbs

AGENTS = ["novice", "random"]
COMMANDS = {  # that take --device, and what else they need
    "match": ["quarto", *AGENTS, "--games", "4"],
    "balance": ["quarto", "novice", "--games", "4"],
    "tournament": ["--game", "quarto", "--agent", "novice", "--agent", "random", "--games", "4", "--db", "kept.db"],
    "perft": ["quarto", "--depth", "2"],
    "learn td": ["quarto", "--positions", "100", "--out", "kept.npz"],
}
FUNCTIONS = {  # of Python that take a device, by the name of each
    "make": lambda device: kibitz.batch("quarto", 2, device=device),
    "play_match": lambda device: play_match("quarto", AGENTS, 4, 1, device=device),
    "play_balance": lambda device: play_balance("quarto", "novice", 4, 1, device=device),
    "play_variants": lambda device: play_variants(["quarto"], "novice", 4, 1, device=device),
    "play_tournament": lambda device: play_tournament(_plan(), device=device),
    "play_plan": lambda device: play_plan(_plan(), lambda run: run, device=device),
    "counter_on": lambda device: counter_on(device, find("quarto")),
    "prepare": lambda device: build(f"flat(device={device})", find("quarto"), 1),
}
INSIDE = {
    "match",
    "balance",
    "tournament",
    "perft",
    "_play",
    "play_mass",
    "__init__",
    "_device",
    "on_device",
    "_seconds",
}
WITHOUT_CARD = pytest.mark.skipif(find_spec("cupy") is not None, reason="CuPy is here, so this sentence is not told")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def _plan():
    return Plan.make("quarto", AGENTS, games=4, seed=1)


def _commands():
    """Yield all commands with their names, such as learn td."""
    for name, verb in all_verbs().items():
        yield name, verb
        if isinstance(verb, click.Group):
            yield from ((f"{name} {part}", command) for part, command in verb.commands.items())


def test_no_command_and_no_function_that_takes_a_device_is_forgotten():
    verbs = {name for name, verb in _commands() if any(option.name == "device" for option in verb.params)}
    assert verbs == {*COMMANDS}
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and "device" in [
                one.arg for one in [*node.args.args, *node.args.kwonlyargs]
            ]:
                found.add(node.name)
    assert found - INSIDE == {*FUNCTIONS}


def _said(verb, device, agent="random"):
    words = [word.replace("random", agent) for word in COMMANDS[verb]]
    run = CliRunner().invoke(main, [*verb.split(), *words, "--device", device])
    assert run.exit_code == 2, run.output
    assert isinstance(run.exception, SystemExit)
    assert not any(Path().iterdir())
    return run.stderr


@pytest.mark.parametrize("verb", COMMANDS)
def test_commands_name_the_devices(verb):
    assert _said(verb, "tpu") == "kibitz: there is no device 'tpu'; the devices are cpu, gpu\n"


@WITHOUT_CARD
@pytest.mark.parametrize("verb", COMMANDS)
def test_commands_say_what_is_missing_for_a_card(verb):
    assert "need one more library: pip install 'kibitz[gpu]'" in _said(verb, "gpu")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_name_the_devices(function):
    with pytest.raises(BadValue, match=r"there is no device 'tpu'; the devices are cpu, gpu|it takes cpu or gpu"):
        FUNCTIONS[function]("tpu")


@WITHOUT_CARD
@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_say_what_is_missing_for_a_card(function):
    with pytest.raises(BadValue, match=r"need one more library: pip install 'kibitz\[gpu\]'"):
        FUNCTIONS[function]("gpu")


@pytest.mark.parametrize("verb", ["match", "tournament"])
def test_agents_that_are_no_policies_are_named(verb):
    said = _said(verb, "gpu", "greedy")
    assert said.startswith("kibitz: agent greedy cannot play on a graphics card, where games are between policies")
