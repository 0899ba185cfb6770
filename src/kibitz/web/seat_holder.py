"""A seat's holder: who sits at one seat of a table, a person, an agent, or nobody yet."""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from msgspec import Struct

from kibitz.core.game import POSITION, Game
from kibitz.core.spec import parse
from kibitz.web.messages import Invite, RequestRefused, SeatChoice
from kibitz.web.server_messages import Who

PERSON: Final = "person"
AGENT: Final = "agent"
FREE: Final = "open"
_TOKEN_BYTES = 24


class SeatHolder(Struct):
    """One seat; tokens are kept as hashes, so that the file of the server opens no seat."""

    who: Who
    text: str = ""  # of the agent
    label: str = ""  # what people are shown
    token: str = ""  # hash
    invite: str = ""  # hash; works once


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()


def begins_known(game: Game, branch: bool) -> bool:
    """Return whether who begins a table knows what is hidden: in a game with secrets, from a position that is known."""
    return game.hidden and (branch or POSITION in parse(str(game)).args)


def refuse_guests(choices: Sequence[SeatChoice]) -> None:
    """Refuse other people at a table whose maker knows what is hidden."""
    if any(isinstance(choice, Invite) for choice in choices):
        raise RequestRefused(
            "who begins at a known position of a game with secrets knows what is hidden there, so nobody can be "
            "invited; let agents take the other seats, or make it a test bench, where everybody sees everything"
        )
