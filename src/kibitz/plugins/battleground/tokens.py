"""Tokens of names on battlegrounds, kept in the user's home folder."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from kibitz.core.user_files import state_folder


class Tokens:
    """A file of tokens that only its owner can read."""

    def __init__(self) -> None:
        self.path = state_folder() / "battleground.json"

    def find(self, key: str) -> str:
        """Return the token that is kept for a name, or an empty text."""
        return self._all().get(key, "")

    def keep(self, key: str, token: str) -> None:
        """Keep a token."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        with self._alone(), os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(self._all() | {key: token}, file)
            file.flush()
            fresh.replace(self.path)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock out other commands of this user that want to write."""
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            yield
            return
        with self.path.with_suffix(".lock").open("w") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            yield

    def _all(self) -> dict[str, str]:
        with suppress(OSError, ValueError):
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return {str(key): str(token) for key, token in found.items()}
        return {}
