"""A cluster task: fixtures to be played by a worker on another machine, with the same code as here."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import code_paths, is_own
from kibitz.arena.play.batch import Batch, joined
from kibitz.arena.play.compiled import CompiledGames
from kibitz.arena.play.process_pool import ProcessPool
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.hidden_files import hidden_files, inherit
from kibitz.core.user_files import fingerprint
from kibitz.games import find


@dataclass(frozen=True)
class ClusterTask:
    """What does not change from chunk to chunk, as plain data."""

    game: str
    agents: tuple[str, ...]
    limits: Limits
    folder: str  # that paths are relative to
    own: tuple[tuple[str, str], ...]  # the paths of the user's own games and agents, with hashes of the code there
    hidden: tuple[str, ...] = ()  # what programs must not read where the command runs, and workers may run there too

    def play(self, chunk: Sequence[Fixture]) -> tuple[Batch, float]:
        """Play fixtures and return them with the seconds they took."""
        begun = perf_counter()
        inherit(self.hidden)
        self._prepare()
        compiled = self._compiled()
        if compiled is not None:
            return compiled.play(chunk), perf_counter() - begun
        pool = self._pool()
        try:
            return joined(pool.play(chunk)), perf_counter() - begun
        except BaseException:
            _close_pools()
            raise

    def _compiled(self) -> CompiledGames | None:
        """Return a player that needs no process: all agents are policies, and there are no limits to enforce."""
        game = find(self.game)
        if self.limits.watched or any(is_own(agent, game) for agent in self.agents):
            return None
        policies = [policy for agent in self.agents if (policy := build(agent, game, 0).policy) is not None]
        if len(policies) < len(self.agents):
            return None
        return CompiledGames(game, self.agents, policies, self.limits, keep_records=True)

    def _prepare(self) -> None:
        """Go to the folder of the paths, and check that it has the same code."""
        if not self.own:
            return
        if not Path(self.folder).is_dir():
            raise BadValue(f"{_here()} has no folder {self.folder}; {_SAME_FILES}")
        os.chdir(self.folder)
        for path, code in self.own:
            if not Path(path).exists():
                raise BadValue(f"{_here()} has no {path} in {self.folder}; {_SAME_FILES}")
            if fingerprint(path) != code:
                raise BadValue(f"{_here()} has other code at {path} in {self.folder} than this machine; {_SAME_FILES}")

    def _pool(self) -> ProcessPool:
        """Return the pool of one process that is kept from chunk to chunk."""
        if self not in _pools:
            _close_pools()
            _pools[self] = ProcessPool(find(self.game), self.agents, 1, self.limits, keep_records=True)
        return _pools[self]


_SAME_FILES = "games and agents named by a path must lie at the same place on every machine of the cluster"
_pools: dict[ClusterTask, ProcessPool] = {}  # one at most


def task_for(game: Game, agents: Sequence[str], limits: Limits) -> ClusterTask:
    """Return the task of playing a game with agents, from the folder we are in."""
    own = tuple((path, fingerprint(path)) for path in sorted(set(code_paths(game, agents))))
    return ClusterTask(str(game), tuple(agents), limits, str(Path.cwd()), own, hidden_files())


def _close_pools() -> None:
    for pool in _pools.values():
        pool.close()
    _pools.clear()


def _here() -> str:
    return f"the worker on {platform.node()}"
