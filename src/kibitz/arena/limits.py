"""What an agent may use at the table, and the closed list of the ways in which a game can end."""

from dataclasses import dataclass
from enum import StrEnum

from kibitz.core.errors import BadValue

LEAST_MEMORY = 16  # MB; with less, the interpreter itself may fail in an agent's turn


class Reason(StrEnum):
    """Why a game ended."""

    WON = "won"  # by the rules: one seat earned more than all others
    DRAWN = "drawn"  # by the rules: the best seats earned the same
    CAP = "cap"  # the limit of plies was reached: a draw
    TIME = "time"  # from here on a seat failed and lost
    NODES = "nodes"
    MEMORY = "memory"
    ILLEGAL = "illegal"
    CRASH = "crash"


@dataclass(frozen=True)
class Limits:
    """The limits of a tournament; None is no limit."""

    move_seconds: float | None = None  # for one move
    game_seconds: float | None = None  # for all moves of a seat in one game
    increment: float = 0.0  # seconds added to the game's clock after each move
    nodes: int | None = None  # positions searched for one move, as the agent tells
    plies: int | None = None  # moves in one game, those of the opening included; then it is a draw
    memory: int | None = None  # MB that the agents of a game may take together, beyond what the game itself needs
    start_seconds: float = 60.0  # to build an agent and load its code, where there is a clock; not on that clock

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise BadValue(
                f"the limit memory must be at least {LEAST_MEMORY} MB, which any agent needs, not {self.memory}"
            )

    @property
    def clocked(self) -> bool:
        """Tell whether time is limited."""
        return self.move_seconds is not None or self.game_seconds is not None

    @property
    def first_seconds(self) -> float | None:
        """For a decision before the first game, with which code is loaded."""
        times = [time for time in (self.move_seconds, self.game_seconds) if time is not None]
        return self.start_seconds + min(times) if times else None

    @property
    def watched(self) -> bool:
        """Tell whether only another process can see to it that the limits are kept."""
        return self.clocked or self.memory is not None


NO_LIMITS = Limits()
