"""Unpickling what another process hands back: games and errors of ours, and nothing that would run code."""

import io
import pickle
from typing import Any

from kibitz.core.errors import KibitzError

_KINDS = {
    ("kibitz.arena.play.batch", "Batch"),
    ("kibitz.arena.play.reason", "Killed"),
    ("kibitz.arena.play.reason", "Reason"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a class that may be handed back; anything else is refused."""
        if (module, name) in _KINDS:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith("kibitz.") and "." not in name else None
        if isinstance(found, type) and issubclass(found, KibitzError):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} may not be handed back")


def unpickled(data: bytes) -> Any:
    """Return what was pickled in another process, if it is of games alone; else that is an UnpicklingError."""
    return _Unpickler(io.BytesIO(data)).load()
