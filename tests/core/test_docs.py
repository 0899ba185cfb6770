"""Documents that cannot go stale: snippets run, help pages match, links lead somewhere, every part is described."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from itertools import chain
from pathlib import Path

import click
import pytest

from kibitz import agents, cli, games
from kibitz.core import spec
from kibitz.core.code_on_disk import PACKAGE
from tests.golden import HERE, files, playthrough
from tests.verbs import all_verbs

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
PAGES += PACKAGE.rglob("README.md")
COMMANDS = ROOT / "docs" / "commands.md"


def test_the_readme_is_true():
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried >= 8
    assert failures == 0


def test_the_match_on_the_first_page_is_what_the_command_prints():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    words = re.search(r"^\$ \.venv/bin/kibitz (match .*)$", page, re.MULTILINE)[1]
    shown = page.partition("```text\n")[2].partition("```")[0]
    run = subprocess.run(
        [sys.executable, "-m", "kibitz", *shlex.split(words)], capture_output=True, text=True, check=True,
        env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    assert _without_times(run.stdout).startswith(_without_times(shown))


def _without_times(table):
    """Return the lines of a table without how long a move took, which differs, and without spaces at their ends."""
    cut = (re.sub(r"[│┃][^│┃]*[│┃]$", "", re.sub(r"[━─┳┻╇┴┏┓┡┩└┘]+", "", line.rstrip())) for line in table.splitlines())
    return "\n".join(cut)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page):
    for name in re.findall(r"`([\w/]+/\w+\.(?:py|toml))`", page.read_text(encoding="utf-8")):
        if "NAME" not in name and not name.startswith("games/x/"):
            assert (ROOT / name).exists() or (PACKAGE / name).exists(), f"{page.name} names {name}"


def test_snippets_in_docstrings_are_true():
    assert doctest.testmod(spec).failed == 0


def help_pages() -> str:
    """Return the page of all commands: their real help."""
    parts = ["# Every command\n\nWhat `kibitz COMMAND --help` prints; a test keeps this page true.\n"]
    settings = {**cli.main.context_settings, "terminal_width": 100, "max_content_width": 100}
    context = click.Context(cli.main, info_name="kibitz", **settings)
    parts.append(f"```text\n{cli.main.get_help(context)}\n```\n")
    for name, command in sorted(all_verbs().items()):
        inner = click.Context(command, parent=context, info_name=name, **settings)
        parts.append(f"## kibitz {name}\n\n```text\n{command.get_help(inner)}\n```\n")
        for word, part in sorted(getattr(command, "commands", {}).items()):
            deeper = click.Context(part, parent=inner, info_name=word, **settings)
            parts.append(f"### kibitz {name} {word}\n\n```text\n{part.get_help(deeper)}\n```\n")
    return "\n".join(parts)


def test_the_page_of_commands_shows_the_real_help():
    assert COMMANDS.read_text() == help_pages(), "run: python -m tests.core.test_docs"


def test_every_option_is_explained():
    groups = [command.commands.values() for command in all_verbs().values() if hasattr(command, "commands")]
    for command in [*all_verbs().values(), *chain(*groups)]:
        assert command.help
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{command.name} {option.name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_the_documents_exist(page):
    for verb in re.findall(r"^\$ kibitz (\w+)", page.read_text(), flags=re.MULTILINE):
        assert verb in all_verbs()


def test_the_readme_names_every_game_and_agent():
    text = (ROOT / "README.md").read_text().lower()
    for name in [*games.names(), *(name for name in agents.names() if name != "policy")]:
        assert name in text


def test_a_game_is_complete(game_name):
    folder = PACKAGE / "games" / game_name
    for file in ("rules.py", "values.py", "policies.py", "notation.py", "scene.py", "README.md"):
        assert (folder / file).exists(), f"{game_name} lacks {file}"
    for file in (f"games/test_{game_name}.py", f"oracles/{game_name}.py", f"golden/{game_name}/perft.json"):
        assert (ROOT / "tests" / file).exists(), f"{game_name} lacks tests/{file}"
    readme = (folder / "README.md").read_text()
    game = games.find(game_name)
    assert f"Version {game.version}" in readme
    for name in [*game.values, *game.policies, *game.filters, *game.orders, *game.agents, *game.declared]:
        assert f"`{name}" in readme or f"{name}=" in readme, f"README of {game_name} does not mention {name}"


def test_golden_files_are_what_the_game_does(game_name):
    for path, content in files(game_name).items():
        assert path.exists(), f"run: python -m tests.golden {game_name}"
        assert path.read_text() == content, f"{path} differs; if that is right, run: python -m tests.golden {game_name}"
    assert playthrough(game_name).count("sees") > 10
    assert (HERE / game_name).is_dir()


def test_the_pictures_are_what_the_scenes_draw():
    from tests.pictures import pictures

    for path, content in pictures().items():
        assert path.read_text() == content, "run: python -m tests.pictures"


def test_help_answers_without_the_heavy_libraries():
    code = "import sys, kibitz.cli as c; c.main(['--help'], standalone_mode=False); print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip().endswith("False")


if __name__ == "__main__":
    COMMANDS.write_text(help_pages())
