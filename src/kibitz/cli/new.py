"""`kibitz new`: a small working game or agent to start from."""

import keyword
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template

import click

from kibitz.cli.verb import verb
from kibitz.core.errors import BadValue

TEMPLATES = Path(__file__).parent / "templates"
_TAKEN = ("rules", "values", "policies", "hints", "notation", "scene", "kibitz")  # names that would hide a module


def start_game(name: str, folder: Path) -> list[Path]:
    """Write a small game in a new folder of that name; return the files."""
    _check(name)
    place = folder / name
    if place.exists():
        raise BadValue(f"{place} exists already; choose another name or remove it first")
    place.mkdir()
    return _write("game", name, place)


def start_agent(name: str, folder: Path) -> list[Path]:
    """Write a small agent and its tests into a folder; return the files."""
    _check(name)
    for place in (folder / f"{name}.py", folder / f"test_{name}.py"):
        if place.exists():
            raise BadValue(f"{place} exists already; choose another name or remove it first")
    return _write("agent", name, folder)


def _check(name: str) -> None:
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name) or name != name.lower():
        raise BadValue(f"{name!r} is no name for a file of Python code; use small letters, digits and _, as in my_game")
    if name in _TAKEN or name in sys.stdlib_module_names or find_spec(name) is not None or name.startswith("test_"):
        raise BadValue(f"{name!r} would be taken for another file; choose another name")


def _write(kind: str, name: str, folder: Path) -> list[Path]:
    title = name.replace("_", " ").strip().capitalize() or name
    class_name = "".join(word.capitalize() for word in name.split("_")) or name
    written = []
    try:
        for template in sorted((TEMPLATES / kind).iterdir()):
            path = folder / template.name.removesuffix(".txt").replace("NAME", name)
            text = Template(template.read_text(encoding="utf-8"))
            path.write_text(text.substitute(name=name, title=title, class_name=class_name), encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise BadValue(f"cannot write to {folder}: {error.strerror}") from None
    return written


@click.group()
def new() -> None:
    """Write a small working game or agent to start from, with tests, into the current folder."""


@new.command("game")
@click.argument("name")
@verb
def new_game(name: str) -> None:
    """Write a small working game into the new folder NAME."""
    _announce(start_game(name, Path()))
    click.echo(f"try: kibitz check ./{name}; kibitz play ./{name} human random; pytest {name}")


@new.command("agent")
@click.argument("name")
@verb
def new_agent(name: str) -> None:
    """Write a small working agent, NAME.py, and its tests."""
    _announce(start_agent(name, Path()))
    click.echo(f"try: kibitz match quarto ./{name}.py random --games 20; pytest test_{name}.py")


def _announce(paths: list[Path]) -> None:
    for path in paths:
        click.echo(f"wrote {path}")
