"""A chair: who sits at one seat of a table, a person, an agent, or nobody yet."""

import secrets
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

PERSON, AGENT, FREE = "person", "agent", "open"
_TOKEN_BYTES = 24


@dataclass
class Chair:
    """One seat; tokens are kept as hashes, so that the file of the server opens no seat."""

    who: str
    text: str = ""  # of the agent
    label: str = ""  # what people are shown
    token: str = ""  # hash
    invite: str = ""  # hash; works once

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()
