"""Debian's chromium, found on this machine or installed where that can be done; Playwright downloads nothing."""

from functools import cache

from tests.debian import program

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FONTS = "fonts-dejavu-core"
PACKAGES = (("chromium-headless-shell", FONTS), ("chromium", FONTS))  # the first is lighter, not every release has it
MISSING = "BROWSER TESTS SKIPPED: there is no chromium, and it cannot be installed (as root: apt-get install chromium)"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@cache
def chromium() -> str | None:
    """Return the path of a browser, or None where there is none and none can be installed."""
    return program(NAMES, PACKAGES)
