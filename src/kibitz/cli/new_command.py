"""`kibitz new`: a small working game or agent to start from, or a package with a game to publish."""

import keyword
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from string import Template

import click

from kibitz.console.command_line import command, verb
from kibitz.core.errors import BadValue

TEMPLATES = Path(__file__).parent / "templates"
KINDS = ("grid", "cards", "dice")  # of games that a package starts from
_TAKEN = ("rules", "values", "policies", "hints", "notation", "scene", "kibitz")  # names that would hide a module


def start_game(name: str, folder: Path) -> list[Path]:
    """Write a small game in a new folder of that name; return the files."""
    place = folder / name
    _check(name, place)
    place.mkdir()
    return _write("game", name, place)


def start_package(name: str, kind: str, folder: Path) -> list[Path]:
    """Write a package with a game of a kind, which can be published, in a new folder of that name; return the files."""
    from kibitz import games

    place = folder / name
    _check(name, place)
    if name in games.names():
        raise BadValue(
            f"there is a game {name} already, and two games of that name cannot be installed; choose another"
        )
    place.mkdir()
    return [*_write("package", name, place), *_write(kind, name, place)]


def start_agent(name: str, folder: Path) -> list[Path]:
    """Write a small agent and its tests into a folder; return the files."""
    _check(name, folder / f"{name}.py", folder / f"test_{name}.py")
    return _write("agent", name, folder)


def _check(name: str, *places: Path) -> None:
    """Refuse a name that cannot name a Python file, that is taken, or that would hide another module."""
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name) or name != name.lower():
        raise BadValue(f"{name!r} cannot name a Python file; use small letters, digits and _, and begin with a letter")
    for place in places:
        if place.exists():
            raise BadValue(f"{place} exists already; choose another name or remove it first")
    if name in sys.stdlib_module_names:
        raise BadValue(f"{name} is a module of Python; choose another name")
    if name in _TAKEN or name.startswith("test_"):
        raise BadValue(f"{name!r} would be taken for a file that Kibitz or pytest looks for; choose another name")
    if find_spec(name) is not None:
        raise BadValue(f"{name} is a module that is installed already; choose another name")


def _write(kind: str, name: str, folder: Path) -> list[Path]:
    """Write the files of a template, in its folders, with the name filled in."""
    from kibitz.core.contract import CONTRACT

    filled = {
        "name": name,
        "dashed": name.replace("_", "-"),
        "title": name.replace("_", " ").strip().capitalize() or name,
        "class_name": "".join(word.capitalize() for word in name.split("_")) or name,
        "contract": CONTRACT,
        "release": version("kibitz"),
    }
    written = []
    try:
        for template in sorted((TEMPLATES / kind).rglob("*.txt")):
            inside = str(template.relative_to(TEMPLATES / kind)).removesuffix(".txt")
            path = folder / inside.replace("NAME", name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(Template(template.read_text(encoding="utf-8")).substitute(filled), encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise BadValue(f"cannot write to {folder}: {error.strerror}") from None
    return written


@click.group()
def new() -> None:
    """Write a small working game or agent to start from, with tests, into the current folder."""


@new.command("game")
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), help="Write a package to publish, with a game of this kind.")
@verb
def new_game(name: str, kind: str | None) -> None:
    """Write a small working game into the new folder NAME.

    With --kind, the folder holds a package that can be published: a board game (grid), a game of hidden hands (cards)
    or of dice that everybody sees (dice), with a picture, levels and tests.
    """
    if kind:
        _announce(start_package(name, kind, Path()))
        inside = f"./{name}/kibitz_{name}"
        _advise(f"{command()} check {inside}", f"{command()} play {inside}",
                f"{sys.executable} -m pip install --editable './{name}[test]'", f"{_pytest()} {name}",
                f"{command()} play {name}")  # fmt: skip
        return
    _announce(start_game(name, Path()))
    _advise(f"{command()} check ./{name}", f"{command()} play ./{name} human random", f"{_pytest()} {name}")


@new.command("agent")
@click.argument("name")
@verb
def new_agent(name: str) -> None:
    """Write a small working agent, NAME.py, and its tests."""
    _announce(start_agent(name, Path()))
    _advise(f"{command()} match quarto ./{name}.py random --games 20", f"{_pytest()} test_{name}.py")


def _pytest() -> str:
    """Return how to run the pytest of this Python; another one does not find Kibitz."""
    found = which("pytest")
    return "pytest" if found and Path(found).parent == Path(sys.executable).parent else f"{sys.executable} -m pytest"


def _advise(*commands: str) -> None:
    click.echo("\n  ".join(["try:", *commands]))


def _announce(paths: list[Path]) -> None:
    for path in paths:
        click.echo(f"wrote {path}")
