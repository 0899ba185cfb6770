"""Messages between a host and the process that started it, beyond the bot protocol: whole decisions, and progress."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from kibitz.agents.agent import Decision, ValueScale
from kibitz.bots.bot_fault import PROTOCOL, BotFault
from kibitz.bots.protocol import FromBot, FromReferee, Message, NumberedMessage, shown

Read = TypeVar("Read")

# From the process that started the host:


class Consider(NumberedMessage, tag_field="type", tag="consider"):
    """Asks the agent for a decision or, with `top`, for its best moves. The host answers `considered`."""

    cells: list[int | None]
    top: int = 0


class WarmUpHost(NumberedMessage, tag_field="type", tag="warm_up"):
    """Asks the agent to load the code that a decision needs. The host answers `ok`."""

    cells: list[int | None]


# From the host:


class Considered(NumberedMessage, tag_field="type", tag="considered"):
    """The answer to `consider`: the best first."""

    decisions: list[Decision]
    scale: ValueScale


class ThinkingProgress(Message, tag_field="type", tag="progress"):
    """What the agent has counted so far, sent now and then."""

    counts: dict[str, int]


FromHost = FromBot | Considered | ThinkingProgress
FromOwner = FromReferee | Consider | WarmUpHost
_decode_host = msgspec.json.Decoder(FromHost).decode
_decode_owner: Callable[[bytes], FromOwner] = msgspec.json.Decoder(FromOwner).decode


def read_host(line: bytes) -> FromHost | None:
    """Return the message of a host that a line holds, None if it is chatter."""
    return _read(_decode_host, line, "it wrote") if line.lstrip()[:1] == b"{" else None


def read_owner(line: bytes) -> FromOwner:
    """Return the message of a referee, or of the process that started this host."""
    return _read(_decode_owner, line, "the referee wrote")


def _read(decode: Callable[[bytes], Read], line: bytes, who: str) -> Read:
    try:
        return decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise BotFault(PROTOCOL, f"{who} {shown(line)}, which is not a message: {error}") from None
