"""Packages that `kibitz new game --kind` writes: built, installed and played by name, they keep all laws."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from kibitz import games
from kibitz.cli import main
from kibitz.cli.new_command import KINDS, start_package
from kibitz.core.contract import CONTRACT
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from tests.plugins.packages import fresh_environment, install_wheel
from tests.plugins.test_plugins import kibitz

ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
SEATS = {"grid": 2, "cards": 3, "dice": 2}
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
BUILD = (*PIP, "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A package of each kind, and a Python in which their wheels are installed."""
    folder = tmp_path_factory.mktemp("packages")
    python = fresh_environment(folder / "environment")
    for kind in KINDS:
        start_package(f"my_{kind}", kind, folder)
        subprocess.run(
            [*BUILD, "--wheel-dir", str(folder), str(folder / f"my_{kind}")], check=True, capture_output=True
        )
        install_wheel(python, folder / f"kibitz_my_{kind}-1.0-py3-none-any.whl")
    return python, folder


def test_what_to_try_installs_the_package_before_its_tests_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(main, ["new", "game", "my_dice", "--kind", "dice"], catch_exceptions=False).stdout
    tried = [line.strip() for line in told.partition("try:")[2].splitlines() if line.strip()]
    assert tried[2].endswith("-m pip install --editable './my_dice[test]'")
    assert tried[3].endswith("pytest my_dice")


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_a_new_package_keeps_all_laws(kind, packages):
    found = json.loads(kibitz(packages[0], "check", f"my_{kind}", "--games", "1", "--json"))
    assert found["holds"], found["broken"]
    assert found["tried"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_a_new_package_is_played_by_name(kind, packages):
    words = ("match", f"my_{kind}", *["random"] * SEATS[kind], "--games", "12", "--jobs", "1", "--json")
    assert json.loads(kibitz(packages[0], *words))["games"] == 12


def test_games_of_new_packages_are_listed_and_shown(packages):
    assert {f"my_{kind}" for kind in KINDS} <= set(kibitz(packages[0], "games").split())
    shown = kibitz(packages[0], "play", "my_dice", "random", "random", "--seed", "1")
    assert "rolls" in shown
    assert "wins" in shown


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chosen", ["not law_holds", pytest.param("law_holds", marks=ONLY_LONG)])
def test_the_tests_of_a_new_package_pass(kind, chosen, packages):
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "-k", chosen]
    done = subprocess.run(words, cwd=packages[1] / f"my_{kind}", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_package_says_what_a_reader_needs(kind, packages):
    package = packages[1] / f"my_{kind}"
    assert f"CONTRACT = {CONTRACT}\n" in (package / f"kibitz_my_{kind}" / "rules.py").read_text()
    assert "Choose a licence" in (package / "README.md").read_text()
    assert "## Notation" in (package / f"kibitz_my_{kind}" / "README.md").read_text()


def test_the_outer_folder_of_a_new_package_leads_to_the_game_inside(packages):
    with pytest.raises(BadValue, match=r"there is no game at .*my_cards: did you mean .*/my_cards/kibitz_my_cards\?"):
        games.find(f"'{packages[1]}/my_cards'")


def test_a_new_game_of_cards_has_the_notation_of_its_picture(packages):
    table = Table(games.find(f"'{packages[1]}/my_cards/kibitz_my_cards'"), 1)
    hand = table.game.text(table.view(0)).partition("seat 1: ")[2]
    assert all(text in hand for text in map(table.write, table.moves()))
    table.play(table.write(table.moves()[0]).replace("♣", "c").replace("♦", "d").replace("♠", "s"))
    assert f"on the table: seat 1 led {table.game.write(table.view(1), table.moves_made[0])}" in table.game.text(
        table.view(1)
    )


def test_the_prompt_of_a_declared_scene_is_shown_in_the_terminal_and_no_line_repeats_the_move(packages):
    words = ["play", f"'{packages[1]}/my_cards/kibitz_my_cards'", "human", "random", "random", "--seed", "3"]
    first = Table(games.find(words[1]), 3)
    typed = first.write(first.moves()[0])
    shown = CliRunner().invoke(main, words, input=f"{typed}\nquit\n", catch_exceptions=False).stdout
    assert "  Play a card; follow suit if you can\n" in shown
    assert "seat 1 has 5 cards left" in shown
    assert "seat 2 has 5 cards left" in shown
    assert f"on the table: {typed}\n" not in shown


def test_the_name_of_a_game_that_is_installed_is_refused(tmp_path):
    with pytest.raises(BadValue, match="there is a game quarto already"):
        start_package("quarto", "grid", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_kind_that_is_not_known_is_refused_with_the_choices():
    refused = CliRunner().invoke(main, ["new", "game", "coins", "--kind", "chess"])
    assert refused.exit_code == 2
    assert "'grid', 'cards', 'dice'" in refused.stderr
