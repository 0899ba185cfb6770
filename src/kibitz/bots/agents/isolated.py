"""The agent `isolated`: another agent of Kibitz, in a process that holds views and nothing else."""

import sys
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from pathlib import Path

import numpy as np

from kibitz.agents import build, import_roots, own_paths
from kibitz.agents.agent import ENDS, Decision, ValueScale
from kibitz.agents.external_agent import Ending, TimeControl
from kibitz.bots.agents.bot import Bot, cells_of, start_options
from kibitz.bots.bot_fault import CRASH, ILLEGAL, KINDS, PROTOCOL, START, TIME, BotFault, harmless
from kibitz.bots.bot_process import CAME
from kibitz.bots.host import FAULT_MARK
from kibitz.bots.host_messages import Consider, Considered, WarmUpHost, read_host
from kibitz.bots.protocol import Ok
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox, without_walls
from kibitz.core.code_on_disk import CACHE_ROOT, PACKAGE
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.spec import Spec
from kibitz.core.table import written
from kibitz.core.user_files import existing, fingerprint, is_path, networks_in
from kibitz.core.warm_up_positions import warm_up_positions

STARTING = 60.0  # seconds: a user's agent may load much
HOST_MEMORY = 400  # MB of a host with all that it loads
MOST_KILLS = 20  # of processes in which an agent is built; then it is the agent's doing
LATE = "it takes longer than {:g} seconds; the limit start_seconds allows more"
DEPTHS = ("turn", "move")
SHOWN = 300  # characters of a sentence of the agent's

_known: set[tuple[str, str]] = set()  # agents of Kibitz, and games, that can be built
_late: set[tuple[str, ...]] = set()  # hosts with their agents, and games, in which a warm-up took too long
_loose: set[str] = set()  # agents of which was said that no walls keep secrets from them
_sound: set[tuple[str, ...]] = set()  # hosts with their agents, games and code, that could be built


class Isolated(Bot):
    """An agent in its own process, which can reach neither tables nor other agents."""

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
        program = [sys.executable, "-P", "-m", "kibitz.bots.host", str(agent)]
        foreign = own_paths(agent, self.game)
        if not foreign and (str(agent), str(self.game)) not in _known:
            build(agent, self.game)  # an agent of Kibitz is refused here, before a host is asked for it
            _known.add((str(agent), str(self.game)))
        self._paths = [*foreign, *([self.game.name] if is_path(self.game.name) else [])]
        self._scale = ValueScale()
        code = [*(str(_folder(Path(path))) for path in self._paths), *import_roots(self._paths)]
        networks = [str(path.resolve()) for path in networks_in(str(agent)) if path.exists()]
        self.set_up(program, Sandbox(walls, memory, cpu, (*own_folders(), *code, *networks)), seconds, start, fresh)
        self.new_seconds = start  # the agent is loaded and built only then

    def start(self) -> ProtocolDriver:
        """Return a host that is ready to play; its start, before it knows the agent, is not on the agent's clock."""
        driver = self._taken(max(STARTING, self.start_seconds))
        driver.may_chatter, driver.read = False, read_host
        return driver

    def try_out(self) -> None:
        """Refuse an agent that cannot be built, in the words of its host; the host waits for the first game.

        Warn once if something is hidden and no sandbox keeps it from the agent.
        """
        if self.game.secret and not self.sandbox.solid and self.text not in _loose:
            _loose.add(self.text)
            print(without_walls([self.text]), file=sys.stderr)
        code = tuple(fingerprint(str(existing(path))) for path in self._paths)
        key = (*self.program, str(self.game), *code)
        if key in _sound:
            return
        for left in reversed(range(MOST_KILLS)):
            try:
                self._begin(0)
                self._part(Ending([0.0] * self.game.seats, "built"))
                break
            except BotFault as fault:
                if fault.killed and left:
                    continue
                if fault.kind == START:
                    raise BadValue(str(fault)) from None
                said = LATE.format(self.start_seconds) if fault.kind == TIME else str(fault)
                raise BadValue(f"agent {self.text} cannot be built: {said}") from None
        _sound.add(key)

    def on_new(self, seat: int, time_control: TimeControl) -> None:
        """Begin a game; with a clock, a host that has never decided warms up first, off the clock."""
        super().on_new(seat, time_control)
        if not time_control.clocked or self._driver is None or self._driver.warmed_up or self._late:
            return
        with suppress(BotFault):  # which will show up again at the table, if it is not a matter of chance
            for view in warm_up_positions(self.game, 0):
                self.warm_up(view)
        super().on_new(seat, time_control)

    def warm_up(self, view: np.ndarray) -> None:
        """Let the agent load its code off the clock, in a deal that no game uses; a late one is not asked again."""
        if self._late:
            return
        driver = self._driver or self._begin(int(view[self.game.cells["SEAT"]]))
        try:
            driver.ask(WarmUpHost(id=0, cells=cells_of(view)), Ok, self.start_seconds)
            driver.warmed_up = True
            _pass_on(driver)
        except BotFault as fault:
            if fault.kind == TIME:
                _late.add((*self.program, str(self.game)))
            raise self._failed(fault) from None
        self._part(Ending.level(self.game, "warm-up"))

    @property
    def _late(self) -> bool:
        return (*self.program, str(self.game)) in _late

    def decide(self, view: np.ndarray) -> Decision:
        """Ask the agent, and pass on what it prints."""
        return self._asked(view, 0)[0]

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves of the agent, best first."""
        return self._asked(view, top)

    def _asked(self, view: np.ndarray, top: int) -> list[Decision]:
        driver = self._in_seat(int(view[self.game.cells["SEAT"]]))
        seconds = self.patience if self._allowed is None else self._allowed
        try:
            answer = driver.ask(Consider(id=0, cells=cells_of(view), top=top), Considered, seconds)
            found = self._checked(answer, view, top)
        except BotFault as fault:
            raise self._failed(fault) from None
        driver.warmed_up = True
        _pass_on(driver)
        return found

    def _checked(self, answer: Considered, view: np.ndarray, top: int) -> list[Decision]:
        """Return the checked answer of a host, which runs the user's own code and may have written anything."""
        legal = self.legal(view)
        if not 1 <= len(answer.decisions) <= max(1, top):
            raise BotFault(PROTOCOL, f"it sent {len(answer.decisions)} decisions; {max(1, top)} are wanted")
        for found in answer.decisions:
            if found.move not in legal:
                texts = zip(legal, self.game.texts(view, legal), strict=True)
                named = ", ".join(f"{move} ({text})" for move, text in texts)
                raise BotFault(ILLEGAL, f"move {written(found.move)} is not legal; the moves are {named}")
        self._scale = _scale_of(answer.scale)
        return [self._decided(found, set(legal)) for found in answer.decisions]

    def _decided(self, found: Decision, legal: set[int]) -> Decision:
        """Return a decision without numbers for illegal moves, and without values that are not numbers."""
        seats, considered, move_values = self.game.seats, found.considered.items(), found.move_values.items()
        return replace(
            found,
            values=found.values if found.values is not None and _are_values(found.values, seats) else None,
            considered={move: worth for move, worth in considered if move in legal and isfinite(worth)},
            move_values={move: values for move, values in move_values if move in legal and _are_values(values, seats)},
            tries={move: tries for move, tries in found.tries.items() if move in legal},
            ended=found.ended if found.ended in ENDS else "",
            why=harmless(found.why)[:SHOWN],
        )

    def scale(self) -> ValueScale:
        """Return what the numbers in the agent's last decision are, according to the agent."""
        return self._scale

    def progress(self) -> dict[str, int]:
        """Return what the agent has counted, according to its host."""
        driver = self._driver
        return dict(driver.progress) if driver is not None else {}

    def _failed(self, fault: BotFault) -> BotFault:
        """Return the fault of the agent as its host reports it."""
        assert self._driver is not None
        driver = self._driver
        found = super()._failed(fault)
        reported_fault = _pass_on(driver)
        if fault.kind == TIME and CAME in str(fault):
            return BotFault(TIME, "")  # advice for authors of bots does not help here
        if fault.kind != CRASH or not reported_fault:
            return found
        kind, _, sentence = reported_fault.partition(" ")
        return BotFault(kind if kind in KINDS else CRASH, sentence)


def own_folders() -> list[str]:
    """Return the folders that a process reads which plays with Kibitz's own code: Python, packages, machine code."""
    packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    return [sys.prefix, sys.base_prefix, *packages, str(PACKAGE.parent), str(CACHE_ROOT)]


def _are_values(values: list[float], seats: int) -> bool:
    return len(values) == seats and all(map(isfinite, values))


def _scale_of(told: ValueScale) -> ValueScale:
    words, value, unit = (harmless(text)[:SHOWN] for text in (told.words, told.value, told.unit))
    per_unit = told.per_unit if isfinite(told.per_unit) else 1.0
    return ValueScale(words, value, unit, per_unit, told.depth if told.depth in DEPTHS else DEPTHS[0])


def _pass_on(driver: ProtocolDriver) -> str:
    """Print what the agent has printed; return the fault that its host reports, if any."""
    said, _, reported_fault = driver.process.news().partition(FAULT_MARK)
    if said:
        sys.stderr.write(harmless(said))
    return reported_fault.strip()


def _folder(path: Path) -> Path:
    """Return the folder that code at a path may read: a folder itself, or the folder of a file."""
    return path.resolve() if path.is_dir() else path.resolve().parent
