"""Imports run downhill only."""

import ast

from kibitz.core.native import PACKAGE

BELOW = {
    "core": set(),
    "games": {"core"},
    "agents": {"core"},
    "bots": {"core", "agents", "games"},
    "doors": {"core", "agents", "games"},
    "arena": {"core", "agents", "games", "bots"},
    "learn": {"core", "agents", "games", "bots", "arena"},
    "ground": {"core", "agents", "games", "bots", "arena"},
    "lab": {"core", "agents", "games", "bots", "arena", "learn"},
    "web": {"core", "agents", "games", "bots", "arena"},
    "bench": {"core", "agents", "games", "bots", "arena", "learn", "web"},
    "cli": {"core", "agents", "games", "bots", "arena", "learn", "ground", "lab", "web", "bench"},
    "top": {"core", "agents", "games", "doors", "arena", "cli", "top"},  # the public face
}


def _room(parts: tuple[str, ...]) -> str:
    return parts[0] if len(parts) > 1 or parts[0] in BELOW else "top"


def test_imports_run_downhill():
    uphill = []
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        room = _room(parts)
        assert room in BELOW, f"{path}: no such room"
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                words = name.split(".")
                if words[0] == "kibitz" and len(words) > 1 and words[1] != "__version__":
                    target = words[1] if words[1] in BELOW else "top"
                    if target != room and target not in BELOW[room]:
                        uphill.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert uphill == []


def test_a_game_imports_no_other_game():
    for path in (PACKAGE / "games").rglob("*/*.py"):
        own = path.parent.name
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz.games."):
                assert node.module.split(".")[2] == own, f"{path} imports {node.module}"


# where agents run, what is played, by whom, what came of it, how it is shown
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
