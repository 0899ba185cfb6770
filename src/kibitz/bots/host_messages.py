"""What a host and who has started it tell each other beside the bot protocol: whole thoughts, and how far they are."""

from typing import Any

import msgspec

from kibitz.bots.bot_fault import PROTOCOL, BotFault
from kibitz.bots.protocol import FromBot, FromReferee, Message, shown

# From who has started the host:


class Consider(Message, tag_field="type", tag="consider"):
    """The agent is to decide or, with `top`, to tell so many of its best moves. The host answers `considered`."""

    id: int
    cells: list[int | None]
    top: int = 0


class Rehearse(Message, tag_field="type", tag="rehearse"):
    """The agent is to load the code that a decision needs. The host answers `ok`."""

    id: int
    cells: list[int | None]


# From the host:


class Found(Message):
    """A decision, as kibitz.agents.agent has it."""

    move: int
    values: list[float] | None = None
    line: list[int] = []
    considered: dict[int, float] = {}
    move_values: dict[int, list[float]] = {}
    tries: dict[int, int] = {}
    visits: int = 0
    nodes: int = 0
    cutoffs: int = 0
    depth: int = 0
    exact: bool = False
    short: bool = False
    ended: str = ""
    why: str = ""


class Meaning(Message):
    """What the numbers in decisions are, as kibitz.agents.agent.Scale has it."""

    words: str = ""
    value: str = ""
    unit: str = ""
    per_unit: float = 1.0
    depth: str = "turn"


class Considered(Message, tag_field="type", tag="considered"):
    """The answer to `consider`: the best first."""

    id: int
    decisions: list[Found]
    scale: Meaning


class ThinkingProgress(Message, tag_field="type", tag="progress"):
    """How far the agent is, from time to time."""

    counts: dict[str, int]


_decode_host = msgspec.json.Decoder(FromBot | Considered | ThinkingProgress).decode
_decode_owner = msgspec.json.Decoder(FromReferee | Consider | Rehearse).decode


def read_host(line: bytes) -> Any:
    """Return the message of a host that a line holds, None if it is chatter."""
    return _read(_decode_host, line, "it wrote") if line.lstrip()[:1] == b"{" else None


def read_owner(line: bytes) -> Any:
    """Return the message of a referee, or of who has started this host."""
    return _read(_decode_owner, line, "the referee wrote")


def _read(decode: Any, line: bytes, who: str) -> Any:
    try:
        return decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise BotFault(PROTOCOL, f"{who} {shown(line)}, which is not a message: {error}") from None
