"""Debian's chromium, found on this machine or installed where that can be done; Playwright downloads nothing."""

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium-headless-shell", "chromium")  # of Debian; the first is lighter, not every release has it
FONTS = "fonts-dejavu-core"
INSTALLATION = 90  # seconds that each step may take
MISSING = "BROWSER TESTS SKIPPED: there is no chromium, and it cannot be installed (as root: apt-get install chromium)"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
APT = (
    "apt-get", "-q", "-y", "-o", f"DPkg::Lock::Timeout={INSTALLATION}", "-o", "Acquire::http::Timeout=15", "-o",
    "Acquire::Retries=1",
)  # fmt: skip
TURNS = Path(tempfile.gettempdir()) / "kibitz-chromium.lock"  # test processes take turns


@cache
def chromium() -> str | None:
    """Return the path of a browser, or None where there is none and none can be installed."""
    found = _found()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        with TURNS.open("w") as turn:
            flock(turn, LOCK_EX)
            return _found() or _installed()
    return found


def _found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _installed() -> str | None:
    _run("update")
    for package in PACKAGES:
        _run("install", "--no-install-recommends", package, FONTS)
        if found := _found():
            return found
    return None


def _run(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with suppress(subprocess.TimeoutExpired):
        subprocess.run([*APT, *arguments], timeout=INSTALLATION, check=False, env=environment, **quiet)
