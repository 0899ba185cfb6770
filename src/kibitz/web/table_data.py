"""What is kept of a table: its game, seats and kind, and a note for each move."""

from msgspec import Struct

from kibitz.web.table_seat import TableSeat


class UndoRequest(Struct):
    """The seat that asks to take back a move, and the seats that have agreed."""

    by: int
    agreed: list[int]


class TableData(Struct, kw_only=True):
    """What is kept of a table beside its moves."""

    game: str
    seed: int
    seats: list[TableSeat]
    owner: str = ""  # hash
    bench: bool = False  # whether it is an editor; kept tables and messages call that a bench
    name: str
    read_only: bool = False
    playing_on: bool = False  # whether the agents of an editor move by themselves
    auto: bool = True  # whether a person without a choice moves without being asked
    rematch: str | None = None
    branch_of: tuple[str, int] | None = None
    created: str
    undo: UndoRequest | None = None
    foreseen: bool = False  # whether somebody has known more of what is hidden than a seat does


class MoveNote(Struct, omit_defaults=True):
    """Who made a move, and what an agent thought about it."""

    agent: str = ""
    auto: bool = False  # there was no choice
    seconds: float | None = None
    nodes: int = 0
    visits: int = 0
    depth: int = 0
    values: list[float] | None = None
    why: str = ""
    scale: str = ""


NotedMove = tuple[int, MoveNote]
