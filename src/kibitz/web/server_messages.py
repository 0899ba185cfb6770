"""What the server sends over the socket; messages have a field `type`, and what is UNSET is left out."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from kibitz.web.scene_messages import ShownMove, ShownScene
from kibitz.web.table_data import MoveNote
from kibitz.web.table_seat import Who

ShownViewer = int | Literal["all"] | None  # who sees a position like this: a seat, everybody, or the public
GradeName = Literal["best", "good", "inaccuracy", "mistake", "blunder"]


class ShownSeat(Struct):
    """Who sits in a seat."""

    who: Who
    label: str
    agent: str
    you: bool
    connected: bool


class LastMove(Struct):
    """The move that led to a position: the keys of what it touched, and its text, null where that is secret."""

    keys: list[str]
    seat: int | None  # null for what chance did
    text: str | None


class SinceTurn(Struct):
    """From which ply on others have moved since one's turn, and the keys of what they touched."""

    ply: int
    keys: list[str]


class LogEntry(MoveNote, kw_only=True):
    """A move that was made: what it changed in words, who made it, and what was thought about it."""

    ply: int
    seat: int | None  # null for what chance did
    text: str | None
    move: int | UnsetType = UNSET  # where there are no secrets
    news: list[str]


class Thinking(Struct):
    """Who is thinking, for how long, and how far that is."""

    seat: int
    budget_s: float | None
    note: str
    since_s: float


class ThinkingMessage(Thinking, tag_field="type", tag="thinking"):
    """How far an agent is that is thinking."""


class StateMessage(Struct, tag_field="type", tag="state", kw_only=True):
    """All that a browser may know of its table now, the log from `log_from` on."""

    table: str
    protocol: int
    version: str
    game: str
    game_text: str
    name: str
    ply: int
    turn: int | None
    seat_names: list[str]
    seats: list[ShownSeat]
    you: list[int]
    bench: bool
    owner: bool
    read_only: bool
    playing_on: bool
    while_watched: bool
    hidden: bool
    sees: ShownViewer
    hand_over: int | None
    over: bool
    payoff: list[float] | None
    unit: str
    result: str
    scene: ShownScene
    legal: list[ShownMove]
    prompt: str
    last: LastMove | None
    since: SinceTurn | None
    log_from: int
    log: list[LogEntry]
    thinking: Thinking | None
    trouble: str
    caution: str
    undo_asked_by: int | None
    rematch: str | None
    branch_of: tuple[str, int] | None
    position_text: str | UnsetType = UNSET


class PositionMessage(Struct, tag_field="type", tag="position", kw_only=True):
    """A position to look at: an earlier one, or the one after some moves."""

    ply: int
    scene: ShownScene
    turn: int | None
    sees: ShownViewer
    legal: list[ShownMove] | UnsetType = UNSET
    last: LastMove | UnsetType | None = UNSET
    moves_before: list[int] | UnsetType = UNSET


class AnalysisLine(Struct):
    """One of the best moves, with the play expected after it."""

    move: int
    text: str
    worth: float | None  # to the seat to move
    values: list[float] | None  # to each seat
    line: list[ShownMove]
    visits: int | None
    share: float | None  # of the thinking, 0 to 1
    depth: int
    exact: bool


class PositionAnalysis(Struct, kw_only=True):
    """What an agent thinks of a position: what it seems worth, and the best moves."""

    seconds: float
    why: str
    seat_values: list[float] | None
    exact: bool
    ended: str
    nodes: int
    visits: int
    scale: str
    unit: str
    per_unit: float
    lines: list[AnalysisLine]


class AnalysisMessage(PositionAnalysis, tag_field="type", tag="analysis", kw_only=True):
    """The analysis of a position of the table."""

    ply: int
    moves_before: list[int]
    seat: int
    agent: str
    done: bool


class MoveGrade(Struct):
    """How good a move was, and which was the best."""

    ply: int
    best: int
    best_text: str
    loss: float
    grade: GradeName


class GradesMessage(Struct, tag_field="type", tag="grades"):
    """The grades of a game's moves, as far as they are known."""

    progress: float
    done: bool
    values_by_ply: list[list[float] | None]
    moves: list[MoveGrade]
    turning_points: list[int]


class InviteMessage(Struct, tag_field="type", tag="invite"):
    """The invitation to a seat that was given away."""

    seat: int
    invite: str


class RefusalMessage(Struct, tag_field="type", tag="refusal"):
    """What was not done, and why."""

    about: str
    sentence: str


class ByeMessage(Struct, tag_field="type", tag="bye"):
    """Why the server ends the connection."""

    sentence: str


ServerMessage = (
    StateMessage | PositionMessage | ThinkingMessage | AnalysisMessage | GradesMessage | InviteMessage | RefusalMessage
    | ByeMessage
)  # fmt: skip
