"""Hooks: Python files of the user's own that are called for every game and return what they found.

A hook file may define
    before(plan)      called once before the first game, with the plan as plain data
    after(game)       called for every game, in the order of the plan, those of earlier sessions included
    summary()         returns what was found: plain data, shown under the standings
"""

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.core.errors import BadValue
from kibitz.core.signals import from_outside
from kibitz.core.user_files import import_path

NAMES = ("before", "after", "summary")


class Hooks:
    """All hooks of a tournament."""

    def __init__(self, plan: Plan):
        self._plan = plan.data()
        self._modules = {path: _module(path) for path in plan.hooks}
        for path, module in self._modules.items():
            _call(path, module, "before", self._plan)

    def after(self, run: Run) -> None:
        """Call the hooks for every game of a run."""
        called = {path: module for path, module in self._modules.items() if hasattr(module, "after")}
        if not called:
            return
        games = run.games()
        for row, line in enumerate(run.records()):
            game = {
                "number": int(games.numbers[row]),
                "block": int(games.blocks[row]),
                "agents": [games.agents[agent] for agent in games.seatings[row]],
                "payoffs": games.payoffs[row].tolist(),
                "reason": str(games.reasons[row]),
                "offender": None if games.offenders[row] < 0 else int(games.offenders[row]),
                "plies": int(games.plies[row]),
                "seconds": games.seconds[row].tolist(),
                "record": json.loads(line),
            }
            for path, module in called.items():
                _call(path, module, "after", game)

    def summary(self) -> dict[str, Any]:
        """Return what the hooks found, by file."""
        return {path: _plain(path, _call(path, module, "summary")) for path, module in self._modules.items()}


def _module(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise BadValue(f"there is no hook file {path}")
    with redirect_stdout(sys.stderr):
        module = sys.modules[import_path(path)]
    if not any(hasattr(module, name) for name in NAMES):
        raise BadValue(f"the hook file {path} defines none of {', '.join(NAMES)}")
    return module


def _plain(path: str, found: Any) -> Any:
    try:
        return json.loads(json.dumps(found, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise BadValue(f"what the hook summary of {path} returns is not plain data: {error}") from None


def _call(path: str, module: ModuleType, name: str, *given: Any) -> Any:
    function: Callable[..., Any] | None = getattr(module, name, None)
    if function is None:
        return None
    try:
        with redirect_stdout(sys.stderr):  # what hooks print is not part of the output
            return function(*deepcopy(given))
    except BaseException as error:
        if from_outside(error):
            raise
        raise BadValue(
            f"the hook {name} of {path} failed: {type(error).__name__}: {error}; all games kept so far are safe"
        ) from error
