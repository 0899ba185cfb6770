"""Libraries that only a bridge needs, loaded when it is used."""

from importlib import import_module
from types import ModuleType

from kibitz.core.errors import BadValue


class MissingLibrary(BadValue, ImportError):
    """A library that is not installed."""


def library(name: str, extra: str) -> ModuleType:
    """Return a library; if it is not installed, name the extra of Kibitz that installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0]:
            raise
        raise MissingLibrary(
            f"kibitz.{extra} needs {name}, which is not installed; install it with: pip install 'kibitz[{extra}]'"
        ) from None
