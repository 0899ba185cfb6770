"""Debian's bubblewrap, found on this machine or installed where that can be done."""

from functools import cache

from tests.debian import program

MISSING = "BUBBLEWRAP IS NOT TRIED, for it cannot be used or installed (as root: apt-get install bubblewrap)"


@cache
def bubblewrap() -> str | None:
    """Return the path of bubblewrap, or None where there is none and none can be installed."""
    return program(("bwrap",), (("bubblewrap",),))
