"""The agent that plays behind a wall: another agent of Kibitz in a process that holds views and nothing else."""

import sys
from pathlib import Path

from kibitz.agents import own_paths
from kibitz.bots.agents.bot import Bot, start_options
from kibitz.bots.walls import Walls
from kibitz.core.errors import BadValue
from kibitz.core.files import is_path
from kibitz.core.native import CACHE_ROOT, PACKAGE
from kibitz.core.options import Option
from kibitz.core.spec import Spec

STARTING = 60.0  # seconds: an agent of one's own may load much


class Isolated(Bot):
    """An agent in a process of its own, which neither tables nor other agents can be reached from."""

    OPTIONS = {
        "agent": Option(None, "the agent that decides, as in isolated(./mine.py)", kind="agent"),
        **start_options(memory=2048, start=STARTING),
    }

    def prepare(  # type: ignore[override]
        self, agent: Spec | None, walls: str, memory: int, cpu: int | None, seconds: float, start: float, fresh: bool
    ) -> None:
        """Prepare to host the agent."""
        if agent is None:
            raise BadValue("isolated: an agent is missing, as in isolated(./mine.py)")
        program = [sys.executable, "-m", "kibitz.bots.host", str(agent)]
        paths = [*own_paths(agent, self.game), *([self.game.name] if is_path(self.game.name) else [])]
        code = [str(_folder(Path(path))) for path in paths]
        needed = [sys.prefix, sys.base_prefix, str(PACKAGE.parent), str(CACHE_ROOT), *code]
        self.set_up(program, Walls(walls, memory, cpu, tuple(needed)), seconds, start, fresh)


def _folder(path: Path) -> Path:
    """Return the folder that code at a path may read: that of a file with the files beside it."""
    return path.resolve() if path.is_dir() else path.resolve().parent
