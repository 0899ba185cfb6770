"""The forecast of compiling: which functions are still to be compiled, and how many seconds that takes.

What such functions cost last time is kept beside the machine code, in a file to which all processes append; what each
purpose, such as an agent in a game, needs of them is kept there too. For a first time the package brings a table of
both (compile_costs.json, made by `python -m kibitz.cli.measure_compile_costs`); seconds are scaled by how fast this
machine has been so far.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import fmean
from threading import Lock, local
from time import monotonic, perf_counter
from typing import NamedTuple

USUAL_COSTS = Path(__file__).with_name("compile_costs.json")
LOG = "compile_costs.jsonl"
_LARGE = 1 << 20  # bytes of the log, after which it begins anew
_LONGEST = 3600.0  # seconds of a function; more is damage
_UNKNOWN = 0.3  # CPU seconds of a function of which nothing is known
RULES = "rules"  # the purpose of a game without any agent


class CompileProgress(NamedTuple):
    """How far compiling is: functions compiled or in work, of how many, and the seconds that are left."""

    number: int
    of: int
    seconds_left: float
    whole: bool = True  # whether nothing more is to be expected

    @property
    def time(self) -> str:
        """The seconds that are left, in words."""
        return f"{'about' if self.whole else 'at least'} {max(1, round(self.seconds_left))} s"

    def __str__(self) -> str:
        return f"{self.number} of {self.of}, {self.time} left"


class _Costs:
    """What is known about functions: their seconds, the keys of their code, and which a purpose needs."""

    def __init__(self, folder: Path):
        self.path = folder / LOG
        self.seconds: dict[str, float] = {}
        self.keys: dict[str, str] = {}
        self.needs: dict[str, set[str]] = {}
        self._read = False

    def read(self) -> None:
        """Read the table of the package and then the log of this machine, once."""
        if self._read:
            return
        self._read = True
        with suppress(OSError, ValueError, TypeError, KeyError, IndexError, AttributeError):
            usual = json.loads(USUAL_COSTS.read_bytes())
            names = list(usual["functions"])
            self.seconds.update({name: float(cost) for name, cost in usual["functions"].items()})
            self.needs.update({purpose: {names[at] for at in needed} for purpose, needed in usual["needs"].items()})
        with suppress(OSError):
            for line in self.path.read_bytes().splitlines() if self.path.is_file() else ():
                with suppress(ValueError, RecursionError):  # half a line
                    self._take_in(json.loads(line))

    def _take_in(self, entry: object) -> None:
        """Take in a line of the log; one that no version of ours has written is left out."""
        match entry:
            case [str(purpose), [*names], str()] if all(map(_is_name, [purpose, *names])):
                self.needs[purpose] = self.needs.get(purpose, set()) | set(map(str, names))
            case [str(name), int() | float() as seconds, str(key)] if _is_name(name) and 0 <= seconds <= _LONGEST:
                self.seconds[name], self.keys[name] = float(seconds), key

    def note_function(self, name: str, seconds: float, key: str) -> None:
        """Keep what compiling a function cost."""
        self.seconds[name], self.keys[name] = seconds, key
        self._write(name, round(seconds, 3), key)

    def note_needs(self, purpose: str, names: Iterable[str]) -> None:
        """Keep what a purpose needs, beyond what is known."""
        new = sorted(set(names) - self.needs.get(purpose, set()))
        if new:
            self.needs.setdefault(purpose, set()).update(new)
            self._write(purpose, new, "")

    def _write(self, *entry: object) -> None:
        with suppress(OSError):
            if self.path.exists() and not self.path.is_file():
                return
            large = self.path.exists() and self.path.stat().st_size > _LARGE
            flags = os.O_CREAT | os.O_WRONLY | (os.O_TRUNC if large else os.O_APPEND)
            file = os.open(self.path, flags, 0o600)
            try:
                os.write(file, json.dumps(entry, separators=(",", ":")).encode() + b"\n")
            finally:
                os.close(file)

    def cost(self, name: str) -> float:
        """Return the seconds of a function; of an unknown one, the mean of those with its name in other games."""
        if name not in self.seconds:
            last = name.rpartition(".")[2]
            alike = [cost for known, cost in self.seconds.items() if known.rpartition(".")[2] == last]
            return fmean(alike) if alike else _UNKNOWN
        return self.seconds[name]

    def needed_for(self, purpose: str) -> set[str]:
        """Return the functions that a purpose needs; of an unknown one, what is alike with known ones."""
        if purpose in self.needs:
            return self.needs[purpose]
        game, _, agent = purpose.partition(" ")
        if agent == RULES:
            return set()
        by_agent = self._alike(agent)
        by_game = [needed for other, needed in self.needs.items() if other.partition(" ")[0] == game]
        engine = {name for other, needed in by_agent[:1] for name in needed if f".{other}." not in name}
        return engine | {name for needed in by_game for name in needed if f".{game}." in name}

    def knows(self, purpose: str) -> bool:
        """Return whether it is known what a purpose needs, of this game or at least of another."""
        agent = purpose.partition(" ")[2]
        return agent == RULES or purpose in self.needs or bool(self._alike(agent))

    def _alike(self, agent: str) -> list[tuple[str, set[str]]]:
        """Return the games in which an agent of the same kind has played, with what it needed."""
        kind = agent.partition("(")[0]
        known = [(purpose.partition(" "), needed) for purpose, needed in list(self.needs.items())]
        return [(game, needed) for (game, _, other), needed in known if other.partition("(")[0] == kind]


def _is_name(text: object) -> bool:
    return isinstance(text, str) and text.isprintable()


class CompileForecast:
    """What this process has compiled, and what it is expected to compile yet."""

    def __init__(self, folder: Path, exists: Callable[[str], bool]):
        self._costs, self._exists = _Costs(folder), exists
        self._lock, self._thread = Lock(), local()
        self._expected: dict[str, float] = {}
        self._seen: set[str] = set()
        self._compiled = 0
        self._predicted = self._spent = 0.0  # seconds, of the functions compiled so far
        self._waited = 0.0  # seconds, for other processes that compiled
        self._current: tuple[float, float] | None = None  # when a function was begun, and its seconds
        self._scopes: list[set[str]] = []
        self.announced: dict[str, tuple[str, str]] = {}  # by purpose: the texts of game and agent
        self._foreseen: list[str] = []
        self._prepared: set[str] = set()  # purposes whose functions have been expected
        self.on_announcement: Callable[[str, str], None] = lambda game, agent: None
        self._watchers: list[Callable[[CompileProgress | None], None]] = []

    def watch(self, tell: Callable[[CompileProgress | None], None]) -> None:
        """Call `tell` whenever a function is begun, and with None when nothing is being compiled any more."""
        self._watchers.append(tell)

    def forget(self, tell: Callable[[CompileProgress | None], None]) -> None:
        """Call `tell` no more."""
        self._watchers.remove(tell)

    @property
    def compiled(self) -> int:
        """How many functions this process has compiled."""
        return self._compiled

    @property
    def held_up(self) -> float:
        """The seconds for which this process has compiled, or waited for others that did."""
        return self._spent + self._waited

    def clock(self) -> float:
        """Return the seconds of a clock that stands still while this process compiles, so that no speed counts that."""
        return monotonic() - self.held_up

    def note_waited(self, seconds: float) -> None:
        """Note that this process has waited for another one that compiled."""
        with self._lock:
            self._waited += seconds

    def expect(self, purpose: str, functions: Iterable[str] = ()) -> float:
        """Expect what a purpose needs, and some functions by name; return the seconds of what is not compiled yet."""
        with self._lock:
            self._costs.read()
            for name in self._costs.needed_for(purpose) | set(functions):
                if name not in self._seen and not self._exists(self._costs.keys.get(name, "")):
                    self._expected[name] = self._costs.cost(name)
            return sum(self._expected.values())

    def announce(self, game: str, agent: str, functions: Callable[[], Iterable[str]]) -> None:
        """Expect what an agent needs in a game, both by their texts; `functions` names those of the game."""
        purpose = purpose_of(game, agent)
        if purpose not in self.announced:
            self.announced[purpose] = game, agent
            self.expect(purpose, functions())
            self._expect_foreseen(game)
            self.on_announcement(game, agent)

    def foresee(self, agents: Iterable[str]) -> None:
        """Expect what agents, by their texts, need in every game that is announced, in place of those before."""
        self._foreseen = list(dict.fromkeys(agents))
        for game in dict.fromkeys(game for game, _ in list(self.announced.values())):
            self._expect_foreseen(game)

    def _expect_foreseen(self, game: str) -> None:
        for agent in self._foreseen:
            purpose = purpose_of(game, agent)
            if purpose not in self._prepared and self._costs.knows(purpose):
                self._prepared.add(purpose)
                self.expect(purpose)

    def _is_whole(self) -> bool:
        """Return whether the agents of every game are known, and what each of them needs."""
        announced = list(self.announced)
        games = {purpose.partition(" ")[0] for purpose in announced}
        foreseen = {purpose_of(game, agent) for game in games for agent in self._foreseen}
        expected = foreseen.union(announced)
        played = {purpose.partition(" ")[0] for purpose in expected if not purpose.endswith(f" {RULES}")}
        return games == played and all(map(self._costs.knows, expected))

    def expected(self) -> list[str]:
        """Return the functions that are expected, the longest to compile first."""
        with self._lock:
            return sorted(self._expected, key=lambda name: -self._expected[name])

    def cost(self, name: str) -> float:
        """Return how many seconds compiling a function takes."""
        with self._lock:
            self._costs.read()
            return self._costs.cost(name)

    @contextmanager
    def needed_for(self, purpose: str) -> Iterator[None]:
        """Remember that a purpose needs what is loaded or compiled in the block."""
        before = self._compiled
        with self.seen() as names:
            try:
                yield
            finally:
                if self._compiled > before:
                    self._costs.note_needs(purpose, names)

    @contextmanager
    def seen(self) -> Iterator[set[str]]:
        """Collect the functions that are loaded or compiled in the block."""
        names: set[str] = set()
        self._scopes.append(names)
        try:
            yield names
        finally:
            self._scopes = [scope for scope in self._scopes if scope is not names]

    def note_found(self, name: str) -> None:
        """Note that the machine code of a function was found on disk."""
        with self._lock:
            self._note(name)

    def _note(self, name: str) -> float:
        self._seen.add(name)
        for scope in self._scopes:
            scope.add(name)
        return self._expected.pop(name, 0.0)

    @contextmanager
    def compiling(self, name: str, key: str) -> Iterator[None]:
        """Note that a function is compiled in the block; functions that are compiled for it belong to it."""
        if getattr(self._thread, "busy", False):
            yield
            return
        with self._lock:
            self._costs.read()
            cost = self._note(name) or self._costs.cost(name)
            self._compiled += 1
            begun = perf_counter()
            self._current = begun, cost
        self._thread.busy = True
        self._tell(self.progress())
        try:
            yield
            seconds = perf_counter() - begun
            with self._lock:
                self._predicted, self._spent = self._predicted + cost, self._spent + seconds
                self._costs.note_function(name, seconds, key)
        finally:
            self._thread.busy = False
            self._current = None
            self._tell(None)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Tell watchers of the progress while another process compiles what this one needs."""
        busy = getattr(self._thread, "busy", False)
        if not busy:
            self._tell(self.progress())
        try:
            yield
        finally:
            if not busy:
                self._tell(None)

    def progress(self) -> CompileProgress:
        """Return how far compiling is."""
        current, left = self._current, sum(list(self._expected.values()))
        scale = (self._spent + 1.0) / (self._predicted + 1.0)  # cautious while little is known
        if current is not None:
            begun, cost = current
            left += max(0.1 * cost, cost - (perf_counter() - begun) / scale)
        return CompileProgress(self._compiled, self._compiled + len(self._expected), left * scale, self._is_whole())

    def _tell(self, progress: CompileProgress | None) -> None:
        for tell in self._watchers:
            tell(progress)


def purpose_of(game: str, agent: str) -> str:
    """Return the purpose of an agent in a game, by their texts; agents that differ in numbers only need the same."""
    return f"{game.partition('(')[0]} {re.sub(r'[0-9][0-9.]*', '#', agent)}"
