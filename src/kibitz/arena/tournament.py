"""A tournament: a plan played out, with ratings, a digest of all results, and hooks of the user's own.

A hook file is a Python file that may define
    before(plan)      called once before the first game, with the plan as plain data
    after(game)       called for every game, in the order of the plan, those of earlier sessions included
    summary()         returns what was found: plain data, shown under the standings
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.local import play_locally
from kibitz.arena.results.run import Run
from kibitz.arena.results.tournament_result import TournamentResult, tournament_result
from kibitz.arena.session import OnProgress, Play, play_plan
from kibitz.core import plugins
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.signals import from_outside
from kibitz.core.threads import available_threads
from kibitz.core.user_files import import_path

HOOKS = ("before", "after", "summary")
Players = tuple[Play, int]  # what plays fixtures, and the usual number of workers
_GROUP = "workers"  # of plugins
_USUAL = "ray"  # for an address without a name in front, as HOST:PORT


def play_tournament(
    plan: Plan,
    db: Path | str | None = None,
    jobs: int = 1,
    progress: OnProgress | None = None,
    play: Play = play_locally,
    device: str = "cpu",
) -> TournamentResult:
    """Play the games of a plan that are missing and return the result.

    Results are kept in the ledger `db`, if there is one, and what is in it already is not played again. `play` plays
    fixtures, here or elsewhere; with `device="gpu"`, a graphics card does, and the agents must be policies.
    """
    hooks = Hooks(plan)

    def collect(run: Run) -> TournamentResult:
        hooks.after(run)
        return tournament_result(run, hooks.summary())

    return play_plan(plan, collect, db, jobs, progress, play=play, device=device)


@contextmanager
def players(where: str | None) -> Iterator[Players]:
    """Yield what plays fixtures, and the usual number of workers: here, or where `NAME` or `NAME://…` says."""
    if where is None:
        yield play_locally, available_threads()
        return
    name = where.partition("://")[0]
    plugin = plugins.find(_GROUP, name) or (plugins.find(_GROUP, _USUAL) if ":" in where else None)
    if plugin is None:
        raise UnknownName("place to play", where, plugins.names(_GROUP))
    with plugin.load()(where) as found:
        yield found


class Hooks:
    """The hooks of a tournament."""

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
    with redirect_stdout(sys.stderr):
        module = sys.modules[import_path(path)]
    if not any(hasattr(module, name) for name in HOOKS):
        raise BadValue(f"the hook file {path} defines none of {', '.join(HOOKS)}")
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
