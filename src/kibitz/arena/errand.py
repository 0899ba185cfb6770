"""An errand: fixtures to be played by a worker on another machine, with the same code as here."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter

from kibitz.agents import build
from kibitz.arena.batch import Batch, joined
from kibitz.arena.crew import Crew
from kibitz.arena.fixture import Fixture
from kibitz.arena.limits import Limits
from kibitz.arena.pool import play_chunk
from kibitz.core.errors import BadValue
from kibitz.core.files import fingerprint, paths_in
from kibitz.core.game import Game
from kibitz.core.native import PACKAGE
from kibitz.games import find


@dataclass(frozen=True)
class Errand:
    """What does not change from chunk to chunk, as plain data."""

    game: str
    agents: tuple[str, ...]
    limits: Limits
    folder: str  # in which paths begin
    own: tuple[tuple[str, str], ...]  # the paths of the user's own games and agents, with hashes of the code there

    def play(self, chunk: Sequence[Fixture]) -> tuple[Batch, float]:
        """Play fixtures and return them with the seconds they took; an agent that breaks down harms none but itself."""
        begun = perf_counter()
        self._prepare()
        if self._compiled():
            return play_chunk(self.game, self.agents, chunk, self.limits), perf_counter() - begun
        crew = self._crew()
        try:
            return joined(crew.play(chunk)), perf_counter() - begun
        except BaseException:
            _dismiss()
            raise

    def _compiled(self) -> bool:
        """Tell whether no agent needs a process of its own: all are policies, and no limit has to be watched."""
        game = find(self.game)
        return not self.limits.watched and all(build(agent, game, 0).policy is not None for agent in self.agents)

    def _prepare(self) -> None:
        """Go where the paths begin, and see whether the same code lies there."""
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

    def _crew(self) -> Crew:
        """Return the crew of one that is kept from chunk to chunk."""
        if self not in _crews:
            _dismiss()
            _crews[self] = Crew(find(self.game), self.agents, 1, self.limits, keep_records=True)
        return _crews[self]


_SAME_FILES = "games and agents named by a path must lie at the same place on every machine of the cluster"
_crews: dict[Errand, Crew] = {}  # one at most


def errand_for(game: Game, agents: Sequence[str], limits: Limits) -> Errand:
    """Return the errand of playing a game with agents, from where we are."""
    paths = sorted({path for text in (str(game), *agents) for path in paths_in(text)})
    return Errand(str(game), tuple(agents), limits, str(Path.cwd()), tuple((path, fingerprint(path)) for path in paths))


@cache
def code_here() -> str:
    """Return a hash of the sources of Kibitz, games and agents included."""
    return fingerprint(str(PACKAGE))


def _dismiss() -> None:
    for crew in _crews.values():
        crew.dismiss()
    _crews.clear()


def _here() -> str:
    return f"the worker on {platform.node()}"
