"""The version of the code: a hash of the sources, which stands beside every game of a ledger."""

from functools import cache

from kibitz.core.native import PACKAGE
from kibitz.core.user_files import fingerprint


@cache
def code_version() -> str:
    """Return a hash of the sources of Kibitz, games and agents included."""
    return fingerprint(str(PACKAGE))
