"""Imports run downhill only."""

import ast
import re
from pathlib import Path

import pytest

from kibitz.core.code_on_disk import PACKAGE

TOUR = Path(__file__).resolve().parents[2] / "docs" / "tour.md"
ROW = re.compile(r"^\| `(\w+)/` \| ([\w, ]+) \|", re.MULTILINE)
BELOW = {room: set(below.split(", ")) - {"nothing"} for room, below in ROW.findall(TOUR.read_text(encoding="utf-8"))}
BELOW["top"] = {"batches", "core", "networks", "agents", "games", "arena", "cli", "plugins", "top"}  # the public face
BELOW["cli"] |= {"top"}  # precompiling runs what authors of agents call


DOTTED = re.compile(r"kibitz(\.\w+)*\.?")  # a module, or the beginning of modules' names
PREFIX = re.compile(r"kibitz(\.\w+)+\.")
OF_OTHERS = {  # libraries'
    "_exit", "_getframe", "_current_frames", "_replace", "_asdict", "_compiler", "_private",
    "_defn", "_rebuild", "_reduce", "_final_module", "_linking_libraries", "_cache",  # numba's
}  # fmt: skip


def _room(parts: tuple[str, ...]) -> str:
    return parts[0] if len(parts) > 1 or parts[0] in BELOW else "top"


def _sources():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        assert _room(parts) in BELOW, f"{path}: no such room"
        yield parts, path.read_text()


def _named(node, parts):
    """Yield the modules that a piece of code names: imports, relative ones too, and texts that are dotted paths."""
    if isinstance(node, ast.ImportFrom):
        above = ["kibitz", *parts[: -node.level]] if node.level else []
        home = ".".join([*above, *([node.module] if node.module else [])])
        yield from (f"{home}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
        yield node.value.rstrip(".")


def _uphill(parts, source):
    """Return what a file names in rooms that lie above its own."""
    room, found = _room(parts), []
    for node in ast.walk(ast.parse(source)):
        for name in _named(node, parts):
            words = name.split(".")
            if words[0] == "kibitz" and len(words) > 1 and words[1] != "__version__":
                is_text = isinstance(node, ast.Constant)
                if is_text and words[1] not in BELOW:
                    continue  # a name that is no module
                target = words[1] if words[1] in BELOW else "top"
                if target != room and target not in BELOW[room]:
                    found.append(f"{'/'.join(parts)} names {name}")
    return found


def _defined(tree):
    """Yield the private names that a file gives to something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _private(tree):
    """Return the private attributes that a file uses of what is not itself."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    }  # fmt: skip


def test_the_tour_has_a_row_for_every_room_and_no_other():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert {*BELOW} - {"top"} == rooms


def test_every_walk_of_the_tour_has_at_most_twelve_files_each_named_once():
    walks = TOUR.read_text(encoding="utf-8").split("\n## ")[1:6]
    for walk in walks:
        rows = re.findall(r"^\| (\d+) \| `([^`]+)`", walk, re.MULTILINE)
        files = [file for _, file in rows]
        assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
        assert 5 <= len(files) <= 12
        assert len(files) == len(set(files))
        assert all((PACKAGE / file).is_file() for file in files), files


def test_the_tour_tells_of_every_file_that_all_games_have_and_of_every_folder_of_plugins():
    page = TOUR.read_text(encoding="utf-8")
    games = [path for path in (PACKAGE / "games").iterdir() if (path / "rules.py").is_file()]
    common = set.intersection(*({path.name for path in game.glob("*.py")} for game in games)) - {"__init__.py"}
    folders = {path.name for path in (PACKAGE / "plugins").iterdir() if (path / "__init__.py").is_file()}
    assert [name for name in common if f"`{name}`" not in page] == []
    assert [name for name in folders if f"| `plugins/{name}/` |" not in page] == []


def test_imports_run_downhill():
    assert [line for parts, source in _sources() for line in _uphill(parts, source)] == []


@pytest.mark.parametrize(("parts", "source"), [
    (("agents", "__init__"), 'HOMES = ("kibitz.bots.agents", "kibitz.plugins.bridges.agents")'),  # imports by text
    (("agents", "__init__"), 'import_module("kibitz.bots.agents.bot")'),
    (("core", "game"), "from ..agents import build"),  # a relative import
    (("agents", "search", "driver"), "from ...bots.agents import bot"),
    (("agents", "agent"), 'told = type(mind).__module__.startswith("kibitz.bots.")'),  # a prefix of modules' names
    (("core", "table"), "import kibitz.web.table_session"),
    (("agents", "agent"), 'home = f"kibitz.plugins.courses.adapters.{name}"'),
])  # fmt: skip
def test_no_way_of_naming_a_room_above_is_overlooked(parts, source):
    assert len(_uphill(parts, source)) >= 1


def _prefixes(parts, source):
    """Return the texts of a file with which names of modules may begin; a part of a longer name is none."""
    tree = ast.parse(source)
    parts_of_names = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    return [
        f"{'/'.join(parts)}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in parts_of_names and PREFIX.fullmatch(str(node.value))
    ]


def test_no_code_asks_what_an_object_is_by_the_name_of_its_room():
    assert _prefixes(("arena", "play", "referee"), 'BOTS = "kibitz.bots."') != []
    assert [line for parts, source in _sources() for line in _prefixes(parts, source)] == []


def test_private_attributes_stay_in_their_room():
    trees = [(parts, ast.parse(source)) for parts, source in _sources()]
    known = {room: {name for parts, tree in trees if _room(parts) == room for name in _defined(tree)} for room in BELOW}
    strange = [
        f"{'/'.join(parts)} uses {name}"
        for parts, tree in trees
        for name in sorted(_private(tree) - known[_room(parts)] - OF_OTHERS)
    ]
    assert strange == []


def test_a_game_imports_no_other_game():
    for path in (PACKAGE / "games").rglob("*/*.py"):
        own = path.parent.name
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz.games."):
                assert node.module.split(".")[2] == own, f"{path} imports {node.module}"


def _plugins_named(parts, source):
    """Return the plugins that a file names beside its own."""
    own = parts[1] if parts[0] == "plugins" else None
    words = [name.split(".") for node in ast.walk(ast.parse(source)) for name in _named(node, parts)]
    return sorted({w[2] for w in words if w[:2] == ["kibitz", "plugins"] and len(w) > 2 and w[2] != own})


def test_plugins_are_found_by_entry_points_and_named_by_nobody():
    assert _plugins_named(("arena", "session"), "from kibitz.plugins.ray.cluster import players") == ["ray"]
    assert _plugins_named(("plugins", "ray", "cluster"), "from kibitz.plugins.ray.task import play") == []
    named = {"/".join(parts): found for parts, source in _sources() if (found := _plugins_named(parts, source))}
    assert named == {
        **{face: ["bridges"] for face in ("gymnasium", "openspiel", "pettingzoo")},  # its public face
        "plugins/battleground/course_client": ["courses"],  # whose players meet there
    }


# where agents run, what is played, by whom, the results, how they are shown
ARENA = ("process", "plan", "play", "results", "session", "show")


def test_the_rooms_of_the_arena_import_downhill_too():
    uphill = []
    for path in (PACKAGE / "arena").rglob("*.py"):
        room = path.relative_to(PACKAGE / "arena").with_suffix("").parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            words = (node.module or "").split(".") if isinstance(node, ast.ImportFrom) else []
            if room in ARENA and words[:2] == ["kibitz", "arena"] and ARENA.index(words[2]) > ARENA.index(room):
                uphill.append(f"{path.relative_to(PACKAGE)} imports {node.module}")
    assert uphill == []
