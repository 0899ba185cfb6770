"""The messages of a battleground's lobby, one line of JSON each, before the bot protocol begins."""

import re
from collections.abc import Callable

import msgspec

from kibitz.bots.protocol import PROTOCOL_NUMBER, Message, shown, why
from kibitz.core.errors import BadValue, KibitzError

LONGEST_LINE = 4096  # bytes, in the lobby
OPEN = "open"  # the channel of those who name none
LONGEST_CHANNEL = 64  # characters
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


class Refusal(KibitzError):
    """Why a client may not come in."""


class Seek(Message, tag_field="type", tag="seek"):
    """The first line of a client: who wants to play what, and where."""

    name: str
    channel: str
    game: str
    protocol: int = PROTOCOL_NUMBER
    token: str = ""  # as the server gave it when the name was first used
    received: int | None = None  # lines of the game that have come, by a client that returns


class Welcome(Message, tag_field="type", tag="welcome"):
    """The answer to `seek`."""

    token: str  # what the name is kept with from now on
    resumed: bool = False  # whether the client goes on where it was lost
    received: int = 0  # lines of the client that have come; what it sent after them is lost
    move_ms: int = 0  # the time for a move
    grace_ms: int = 0  # how long a client may be away in one game


class Waiting(Message, tag_field="type", tag="waiting"):
    """Who is in the channel; a game begins as soon as enough of them are free."""

    channel: str
    game: str
    seats: int
    present: list[str]


class ConnectionRefused(Message, tag_field="type", tag="refused"):
    """Why the connection is closed."""

    sentence: str


class LeaveChannel(Message, tag_field="type", tag="leave"):
    """The last line of a client that does not come back."""


class CourseLine(msgspec.Struct):
    """A message of the battleground of the course COMP30024."""

    mtype: str
    name: str = ""
    channel: str = ""


FromClient = Seek | LeaveChannel
FromServer = Welcome | Waiting | ConnectionRefused
_decode_seek = msgspec.json.Decoder(Seek).decode
_decode_course = msgspec.json.Decoder(CourseLine).decode
_decode_server: Callable[[bytes], FromServer] = msgspec.json.Decoder(FromServer).decode
_WRONG = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError)


def read_first(line: bytes) -> Seek | CourseLine:
    """Return what a client asks for; anything else is a Refusal."""
    course = b'"mtype"' in line
    try:
        asked = _decode_course(line) if course else _decode_seek(line)
    except _WRONG as error:
        example = '{"type":"seek","name":"mybot","channel":"open","game":"quarto"}'
        raise Refusal(f"the first line is {shown(line)}, not {example}: {why(line, error)}") from None
    if isinstance(asked, CourseLine) and asked.mtype != "PLAY":
        raise Refusal(f"the first message is {asked.mtype[:80]!r}; it should be 'PLAY'")
    if isinstance(asked, Seek) and asked.protocol != PROTOCOL_NUMBER:
        raise Refusal(f"the client speaks protocol {asked.protocol}; here it is {PROTOCOL_NUMBER}")
    _check(asked.name, asked.channel)
    return asked


def read_lobby(line: bytes) -> FromServer | None:
    """Return the message of the lobby that a line of a server holds, None if it belongs to a game."""
    try:
        return _decode_server(line)
    except _WRONG:
        return None


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a bot."""
    if not _NAME.fullmatch(name):
        raise BadValue(f"{name[:80]!r} cannot be a name: a letter, then at most 31 letters, digits, - and _")


def _check(name: str, channel: str) -> None:
    try:
        check_name(name)
    except BadValue as error:
        raise Refusal(str(error)) from None
    if len(channel) > LONGEST_CHANNEL or not (channel.isprintable()):
        raise Refusal(f"{channel[:80]!r} cannot be a channel: at most {LONGEST_CHANNEL} printable characters")
