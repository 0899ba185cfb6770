"""A seat of an online table: its owner (a person, an agent, or nobody yet), and the tokens that prove it."""

import secrets
from hashlib import sha256
from typing import Final, Literal

from msgspec import Struct

from kibitz.core.game import POSITION, Game
from kibitz.core.spec import parse

Who = Literal["person", "agent", "open"]
PERSON: Final = "person"
AGENT: Final = "agent"
FREE: Final = "open"
_TOKEN_BYTES = 24


class TableSeat(Struct):
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
    """Return whether the person who begins a table knows its secrets: they begin at a position that is known."""
    return (game.secret and branch) or (game.hidden and POSITION in parse(str(game)).args)
