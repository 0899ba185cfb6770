"""Messages: all that a browser may send, typed and bounded; anything else is refused, not guessed at.

Messages are JSON objects with a field `type` (seats: `kind`). Unknown fields and types are refused. What the server
sends is in server_messages.py and http_answers.py; docs/browser.md tells which messages follow each other.
"""

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from kibitz.web.server_messages import RefusalMessage

PROTOCOL = 1
LONGEST = 64 * 1024  # bytes of a message
LONGEST_RECORD = 1024 * 1024  # bytes of a record that is uploaded

Number = Annotated[int, Meta(ge=0, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
MoveNumber = Annotated[int, Meta(ge=-(2**62), le=2**62)]
Moves = Annotated[list[MoveNumber], Meta(max_length=200)]
Text = Annotated[str, Meta(max_length=2000)]
Long = Annotated[str, Meta(max_length=20_000)]
Token = Annotated[str, Meta(max_length=100)]
Id = Annotated[str, Meta(max_length=40, pattern="^[A-Za-z0-9_-]+$")]


class RequestRefused(Exception):
    """What a browser asks for is refused; the message is one sentence for the person there."""


class Me(Struct, tag_field="kind", tag="me", forbid_unknown_fields=True):
    """The person who asks takes the seat."""


class Invite(Struct, tag_field="kind", tag="invite", forbid_unknown_fields=True):
    """Whoever opens a link first takes the seat."""


class AgentSeat(Struct, tag_field="kind", tag="agent", forbid_unknown_fields=True):
    """An agent takes the seat."""

    text: Text


class LevelSeat(Struct, tag_field="kind", tag="level", forbid_unknown_fields=True):
    """The game's agent of a level takes the seat."""

    level: Text


SeatChoice = Me | Invite | AgentSeat | LevelSeat


class Branch(Struct, forbid_unknown_fields=True):
    """A position of another table to begin with."""

    table: Id
    ply: Number


class GameChoice(Struct, forbid_unknown_fields=True):
    """A game by its name, with options by theirs."""

    name: Text
    options: Annotated[dict[Text, str | int | float | bool], Meta(max_length=40)] = {}


class NewTable(Struct, forbid_unknown_fields=True):
    """The body of POST /api/tables."""

    game: Long | GameChoice = ""
    seats: Annotated[list[SeatChoice], Meta(max_length=16)] = []
    bench: bool = False  # whether it is an editor
    position: Long | None = None
    from_: Branch | None = msgspec.field(default=None, name="from")
    moves: Moves = []  # to play from there before the game goes on
    name: Annotated[str, Meta(max_length=80)] = ""
    tokens: Annotated[list[Token], Meta(max_length=16)] = []  # those of the table that a branch begins at


class Claim(Struct, forbid_unknown_fields=True):
    """The body of POST /api/tables/ID/claim."""

    invite: Token


class _Message(Struct, tag_field="type", forbid_unknown_fields=True):
    pass


class Join(_Message, tag="join"):
    """Sit down or watch; the first message."""

    table: Id
    protocol: int
    tokens: Annotated[list[Token], Meta(max_length=16)] = []


class MakeMove(_Message, tag="move"):
    """Play a move by its number."""

    ply: Number
    move: MoveNumber


class SayMove(_Message, tag="say_move"):
    """Play a move by its text."""

    ply: Number
    text: Text


class Undo(_Message, tag="undo"):
    """Take back to one's last choice; where other people play, ask them."""


class Answer(_Message, tag="answer"):
    """Agree to a takeback, or not."""

    yes: bool


class ReadyToPlay(_Message, tag="ready"):
    """The person of this seat is at the browser now, and nobody else."""

    seat: SeatNumber


class Look(_Message, tag="look"):
    """Ask for an earlier position."""

    ply: Number
    seat: SeatNumber | None = None
    all: bool = False


class Preview(_Message, tag="preview"):
    """Ask for the position after some moves."""

    ply: Number
    moves: Moves


class Analyse(_Message, tag="analyse"):
    """Switch the analysis on or off; without a ply it follows the game."""

    on: bool
    ply: Number | None = None
    agent: Text | None = None


class ShowTree(_Message, tag="tree"):
    """Ask once what the position after some moves is worth."""

    ply: Number
    moves: Moves
    agent: Text | None = None


class Grade(_Message, tag="grade"):
    """Ask for a grade of every move."""


class StepAgent(_Message, tag="step"):
    """Let the computer make just this move."""

    agent: Text | None = None


class GiveSeat(_Message, tag="seat"):
    """Give a seat to somebody else."""

    seat: SeatNumber
    to: SeatChoice


class PlayOn(_Message, tag="play_on"):
    """Let the agents of an editor go on, or pause."""

    on: bool


class Rematch(_Message, tag="rematch"):
    """Play another game of the same kind."""


Message = (
    Join | MakeMove | SayMove | Undo | Answer | ReadyToPlay | Look | Preview | Analyse | ShowTree | Grade | StepAgent
    | GiveSeat | PlayOn | Rematch
)  # fmt: skip
Body = TypeVar("Body", bound=Struct)
Read = TypeVar("Read")
_MESSAGES: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_ENCODER = msgspec.json.Encoder()


def read(data: str | bytes) -> Message:
    """Return the message that a browser has sent; anything else is refused."""
    if len(data) > LONGEST or (isinstance(data, str) and len(data.encode(errors="replace")) > LONGEST):
        raise RequestRefused(f"a message has at most {LONGEST:,} bytes, and this one has more")
    return _decoded(_MESSAGES, data)


def read_body(kind: type[Body], data: bytes) -> Body:
    """Return the body of a request, a JSON object of a kind."""
    return _decoded(msgspec.json.Decoder(kind), data)


def _decoded(decoder: msgspec.json.Decoder[Read], data: str | bytes) -> Read:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RequestRefused(f"this message cannot be read: {error}") from None


def write(data: Struct | Sequence[Struct]) -> bytes:
    """Return a message or an answer of the server as JSON."""
    return _ENCODER.encode(data)


def refusal(about: str, sentence: str) -> bytes:
    """Return the message that something was refused, and why."""
    return write(RefusalMessage(about, sentence))
