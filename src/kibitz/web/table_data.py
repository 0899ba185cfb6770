"""What is kept of a table: its game, seats and kind, and a note for each move."""

from msgspec import Struct

from kibitz.web.seat_holder import SeatHolder


class UndoRequest(Struct):
    """The seat that asks to take back a move, and the seats that have agreed."""

    by: int
    agreed: list[int]


class TableData(Struct, kw_only=True):
    """What is kept of a table beside its moves."""

    game: str
    seed: int
    seats: list[SeatHolder]
    owner: str  # hash
    bench: bool
    name: str
    read_only: bool
    playing_on: bool
    auto: bool  # whether a person without a choice moves without being asked
    rematch: str | None
    branch_of: tuple[str, int] | None
    created: str
    undo: UndoRequest | None = None
    foreseen: bool = False


class MoveNote(Struct, omit_defaults=True):
    """Who made a move, and what was thought about it."""

    agent: str = ""
    auto: bool = False  # there was no choice
    seconds: float | None = None
    nodes: int = 0
    visits: int = 0
    depth: int = 0
    values: list[float] | None = None
    why: str = ""
    scale: str = ""


KeptMove = tuple[int, MoveNote]
