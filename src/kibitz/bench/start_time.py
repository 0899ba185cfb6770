"""How long a user waits for a first decision: from source, from a wheel, and the next time."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from kibitz.core.code_on_disk import shipped_file, tell
from kibitz.core.target import usual_target

# What is run, by name: a command, or a game and an agent that makes one decision.
COMMANDS = {
    "kibitz agents quarto": ["agents", "quarto"],
    "match chexers, 6 games": ["match", "chexers", "mcts", "paranoid", "random", "--games", "6", "--jobs", "1"],
    "analyse quarto": ["analyse", "quarto"],
    "experiment run quick": ["experiment", "run", "quick", "--jobs", "1"],
}
DECISIONS = (
    ("quarto", "minimax(depth=3)"), ("quarto", "champion"), ("chexers", "champion"), ("chexers", "paranoid(depth=3)"),
    ("cartagena", "champion"), ("colonizers", "champion"),
)  # fmt: skip
_COUNT = """
import atexit, json, sys
from kibitz.core.native import watch_compilation
made = []
watch_compilation(made.append)
atexit.register(lambda: print(f"\\x00{len(made)}", file=sys.stderr))
"""
_COMMAND = _COUNT + "from kibitz.cli import main\nmain.main(args=json.loads(sys.argv[1]))\n"
_DECISION = _COUNT + (
    "import kibitz\n"
    "game, agent = json.loads(sys.argv[1])\n"
    "table, mind = kibitz.Table(kibitz.game(game), seed=1), kibitz.agent(agent, kibitz.game(game), seed=1)\n"
    "mind.decide(table.view(table.turn))\n"
)


class StartTime(NamedTuple):
    """CPU seconds of a first use and of the next, with the functions that each compiled."""

    name: str
    source: float  # without the machine code of the package
    source_functions: int
    wheel: float | None  # with it; None in a checkout, which has none
    wheel_functions: int | None
    warm: float


def start_times() -> Iterator[StartTime]:
    """Measure each use in a new home: from source, from a wheel if this is one, and once more; say which it is."""
    uses = {name: (_COMMAND, words) for name, words in COMMANDS.items()}
    uses |= {f"{game} {agent}": (_DECISION, [game, agent]) for game, agent in DECISIONS}
    in_wheel = shipped_file(usual_target() or "none").exists()
    for number, (name, (code, words)) in enumerate(uses.items(), 1):
        tell(f"measuring {number} of {len(uses)}: {name}")
        with tempfile.TemporaryDirectory() as home:
            source, source_functions = _measured(code, words, home, KIBITZ_IGNORE_SHIPPED="1")
            warm, _ = _measured(code, words, home, KIBITZ_IGNORE_SHIPPED="1")
        wheel: tuple[float | None, int | None] = (None, None)
        if in_wheel:
            with tempfile.TemporaryDirectory() as home:
                wheel = _measured(code, words, home)
        yield StartTime(name, source, source_functions, wheel[0], wheel[1], warm)


def _measured(code: str, words: list[str], home: str, **environment: str) -> tuple[float, int]:
    """Run code in a process of its own, without helpers; return its CPU seconds, and how many functions it compiled."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("KIBITZ_CACHE", "XDG_CACHE_HOME")}
    inherited["KIBITZ_THREADS"] = "1"
    before = _children()
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(words)], env={**inherited, "HOME": home, **environment},
        capture_output=True, text=True, check=True, cwd=home,
    )  # fmt: skip
    return _children() - before, int(done.stderr.rpartition("\0")[2])


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
