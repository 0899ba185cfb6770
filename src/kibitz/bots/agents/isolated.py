"""The agent that plays behind a wall: another agent of Kibitz in a process that holds views and nothing else."""

import sys
from contextlib import suppress
from pathlib import Path

import numpy as np

from kibitz.agents import own_paths
from kibitz.agents.agent import Decision
from kibitz.bots import running
from kibitz.bots.agents.bot import Bot, start_options
from kibitz.bots.driver import Driver
from kibitz.bots.fault import CRASH, KINDS, TIME, BotFault, harmless
from kibitz.bots.host import CONFESSION
from kibitz.bots.process import CAME
from kibitz.bots.walls import Walls
from kibitz.core.errors import BadValue
from kibitz.core.files import is_path
from kibitz.core.native import CACHE_ROOT, PACKAGE
from kibitz.core.occasions import occasions
from kibitz.core.options import Option
from kibitz.core.spec import Spec

STARTING = 60.0  # seconds: an agent of one's own may load much
HOST_MEMORY = 400  # MB of a host with all that it loads

_late: set[tuple[str, ...]] = set()  # hosts with their agents, and games, in which a rehearsal took too long


class Isolated(Bot):
    """An agent in a process of its own, which neither tables nor other agents can be reached from."""

    OPTIONS = {
        "agent": Option(None, "the agent that decides, as in isolated(./mine.py)", kind="agent"),
        **start_options(memory=2048, start=STARTING),
    }
    host_memory = HOST_MEMORY

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
        self.new_seconds = start  # the agent is loaded and built only then

    def start(self) -> Driver:
        """Return a host that is ready to play; what it loads before it knows the agent is not the agent's."""
        driver = running.take(self.program, self.walls, self.game.name, max(STARTING, self.start_seconds), self.deal)
        driver.may_chatter = False
        return driver

    def sit(self, seat: int, move_seconds: float | None, game_seconds: float | None, increment: float) -> None:
        """Begin a game; where there is a clock, a host that has never decided does so before, off the clock."""
        super().sit(seat, move_seconds, game_seconds, increment)
        unclocked = move_seconds is None and game_seconds is None
        if unclocked or self._driver is None or self._driver.rehearsed or self._late:
            return
        with suppress(BotFault):  # which will show up again at the table, if it is not a matter of chance
            for view in occasions(self.game, 0):
                self.rehearse(view)
        super().sit(seat, move_seconds, game_seconds, increment)

    def rehearse(self, view: np.ndarray) -> None:
        """Let the agent decide once off the clock; one that was late with that is not asked again."""
        if self._late:
            return
        self.allow(self.start_seconds, ())
        try:
            self.decide(view)
            self._part([1 / self.game.seats] * self.game.seats, "rehearsal")
        except BotFault as fault:
            if fault.kind == TIME:
                _late.add((*self.program, str(self.game)))
            raise

    @property
    def _late(self) -> bool:
        return (*self.program, str(self.game)) in _late

    def decide(self, view: np.ndarray) -> Decision:
        """Ask the agent, and pass on what it prints."""
        decision = super().decide(view)
        if self._driver is not None:
            self._driver.rehearsed = True
            _pass_on(self._driver)
        return decision

    def _failed(self, fault: BotFault) -> BotFault:
        """Return the fault of the agent as its host tells it."""
        assert self._driver is not None
        driver = self._driver
        found = super()._failed(fault)
        confessed = _pass_on(driver)
        if fault.kind == TIME and CAME in str(fault):
            return BotFault(TIME, "")  # what an author of a bot is told of lines is no help here
        if fault.kind != CRASH or not confessed:
            return found
        kind, _, sentence = confessed.partition(" ")
        return BotFault(kind if kind in KINDS else CRASH, sentence)


def _pass_on(driver: Driver) -> str:
    """Print what the agent has printed; return what its host said of its fault, if anything."""
    said, _, confessed = driver.process.news().partition(CONFESSION)
    if said:
        sys.stderr.write(harmless(said))
    return confessed.strip()


def _folder(path: Path) -> Path:
    """Return the folder that code at a path may read: that of a file with the files beside it."""
    return path.resolve() if path.is_dir() else path.resolve().parent
