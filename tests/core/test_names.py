"""One word, one meaning: no class and no file bears the name of another."""

import ast
import re
from collections import Counter

from kibitz.core.code_on_disk import PACKAGE

# Why some names may occur more than once.
EVERYWHERE = {"__init__.py": "Python asks for it"}
ARGUED = {
    "rules.py": "`kibitz.rules` is what the rules.py of a game imports",
    "scene.py": "what a scene is, beside the scenes of the games",
    "cells.py": "what cells are, beside the cells of the games",
}


def _files():
    """Yield all files but those of games, which bear the same names in each, and modules that stand in for others'."""
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).parts
        of_game = (parts[0] == "games" and len(parts) > 2) or "known_games" in parts
        if not of_game and "modules" not in parts:
            yield path


def _twice(names):
    return {name for name, times in Counter(names).items() if times > 1}


def test_no_file_bears_the_name_of_another():
    assert _twice(path.name for path in _files()) - {*EVERYWHERE} == set()
    of_games = {path.name for path in (PACKAGE / "games").glob("*/*.py")}
    assert of_games & {path.name for path in _files()} - {*EVERYWHERE} == {*ARGUED}


def test_no_class_bears_the_name_of_another():
    classes = [
        node.name
        for path in PACKAGE.rglob("*.py")
        if "modules" not in path.relative_to(PACKAGE).parts  # they bear the names of others' classes
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    assert _twice(classes) == set()


def test_the_glossary_has_at_most_sixty_words_each_defined_once_and_somewhere():
    page = (PACKAGE.parent.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| \[`([^`]+)`\]", page, re.MULTILINE)
    assert 40 <= len(rows) <= 60
    assert _twice(word for word, _ in rows) == set()
    assert [file for _, file in rows if not (PACKAGE / file).is_file()] == []
