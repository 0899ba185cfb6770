"""What thinkers are asked and answer, from process to process; a question is plain data and says all that it needs."""

from typing import Generic, TypeVar

from msgspec import Struct

from kibitz.web.scene_messages import ShownScene
from kibitz.web.server_messages import AnalysisLine

Found = TypeVar("Found", covariant=True)
ToldEvent = tuple[int, int, int | None, str | None]  # ply, seat, move and text, as a seat was told them


class ThinkingQuestion(Struct, Generic[Found], kw_only=True):
    """A question that is answered by a Found."""

    game: str
    agent: str = ""


class PrepareGame(ThinkingQuestion[None], kw_only=True):
    """Make the machine code of a game, and of so many of its levels."""

    levels: int = 0


class CheckAgent(ThinkingQuestion[None]):
    """See whether an agent can be built."""


class GameDescription(Struct):
    """What takes a while to find out about a game: a picture, who refuses it, and who plays at which level."""

    example: ShownScene
    refuses: dict[str, str]
    levels: dict[str, str]


class DescribeGame(ThinkingQuestion[GameDescription]):
    """Describe a game."""


class AgentMove(Struct):
    """The move of an agent, and what it thought."""

    move: int
    seconds: float
    nodes: int
    visits: int
    depth: int
    values: list[float] | None
    why: str
    scale: str


class DecideMove(ThinkingQuestion[AgentMove], kw_only=True):
    """Let an agent decide in a seat of a table."""

    view: bytes
    seed: int
    seat: int
    table: str
    events: list[ToldEvent]


class Consideration(Struct):
    """What an agent thinks of a position; worths and tries are by move."""

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
    considered: dict[int, float]
    tries: dict[int, int]


class ConsiderPosition(ThinkingQuestion[Consideration], kw_only=True):
    """Let an agent consider the best moves of a position."""

    view: bytes
    seed: int
    top: int
