"""What workers are asked and answer, from process to process: plain data that says all it needs."""

from typing import Generic, TypeVar

from msgspec import Struct

from kibitz.agents.external_agent import Event
from kibitz.web.scene_messages import ShownScene
from kibitz.web.server_messages import PositionAnalysis
from kibitz.web.table_data import NotedMove

Found = TypeVar("Found", covariant=True)


class ThinkingQuestion(Struct, Generic[Found], kw_only=True):
    """A question whose answer is a Found."""

    game: str
    agent: str = ""


class PrepareGame(ThinkingQuestion[None], kw_only=True):
    """Compile what some agents need; if none are named, what a table needs."""

    agents: list[str] = []


class CheckAgent(ThinkingQuestion[None]):
    """See whether an agent can be built."""


class GameDescription(Struct):
    """What takes a while to find out about a game: a picture, who refuses it, and who plays at which level."""

    example: ShownScene
    refuses: dict[str, str]
    levels: dict[str, str]


class DescribeGame(ThinkingQuestion[GameDescription]):
    """Describe a game."""


class DecideMove(ThinkingQuestion[NotedMove], kw_only=True):
    """Let an agent decide in a seat of a table."""

    view: bytes
    seed: int
    seat: int
    table: str
    events: list[Event]  # all that has happened, as the seat was told it


class Consideration(Struct):
    """What an agent thinks of a position, and of each move: its worth, and how often it was tried."""

    analysis: PositionAnalysis
    considered: dict[int, float]
    tries: dict[int, int]


class ConsiderPosition(ThinkingQuestion[Consideration], kw_only=True):
    """Let an agent consider the best moves of a position."""

    view: bytes
    seed: int
    top: int
