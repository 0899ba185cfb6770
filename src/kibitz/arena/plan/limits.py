"""Limits: how much time, memory and search an agent may use."""

from dataclasses import dataclass, fields
from typing import Any

from kibitz.core.errors import BadValue, UnknownName

LEAST_MEMORY = 16  # MB; with less, the interpreter itself may fail in an agent's turn
MOST_LIMIT = 1_000_000_000


@dataclass(frozen=True)
class Limits:
    """The limits of a plan; None means no limit."""

    move_seconds: float | None = None  # for one move
    game_seconds: float | None = None  # for all moves of a seat in one game
    increment: float = 0.0  # seconds added to the game's clock after each move
    nodes: int | None = None  # positions searched for one move, as the agent reports them
    plies: int | None = None  # moves in one game, including the opening; then it is a draw
    # MB that the agents of a game may use together, beyond what the game itself needs; each one in its own process.
    memory: int | None = None
    isolate: bool = True  # the user's own agents run in processes that hold only views
    start_seconds: float = 60.0  # to load and build an agent, once and, with a clock, before each game; off the clock

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise BadValue(
                f"the limit memory must be at least {LEAST_MEMORY} MB, which any agent needs, not {self.memory}"
            )

    @classmethod
    def read(cls, given: Any) -> "Limits":
        """Return limits from plain data; raise BadValue for what does not fit."""
        if isinstance(given, Limits):
            return given
        if not isinstance(given, dict):
            raise BadValue(f"limits must be a table of limits, not {given!r}")
        for name, value in given.items():
            _check(name, value)
        if given.get("increment") and "game_seconds" not in given:
            raise BadValue("the limit increment adds to the clock of game_seconds, which is missing")
        return cls(**given)

    @property
    def clocked(self) -> bool:
        """Whether time is limited."""
        return self.move_seconds is not None or self.game_seconds is not None

    @property
    def first_seconds(self) -> float | None:
        """The time for the decision before the first game that loads code."""
        times = [time for time in (self.move_seconds, self.game_seconds) if time is not None]
        return self.start_seconds + min(times) if times else None

    @property
    def watched(self) -> bool:
        """Whether only another process can enforce the limits."""
        return self.clocked or self.memory is not None


NO_LIMITS = Limits()


def _check(name: str, value: Any) -> None:
    known = {entry.name: entry for entry in fields(Limits) if entry.name != "isolate"}
    if name not in known:
        raise UnknownName("limit", name, known)
    whole = "int" in str(known[name].type)
    fits = isinstance(value, int) if whole else isinstance(value, int | float)
    least_fits = value >= 0 if name == "increment" and fits else fits and value > 0
    if not fits or isinstance(value, bool) or not least_fits or not value <= MOST_LIMIT:
        kind = "a whole number" if whole else "a number"
        raise BadValue(f"the limit {name} must be {kind} above 0 and at most {MOST_LIMIT:,}, not {value!r}")
