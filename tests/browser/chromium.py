"""Debian's chromium, found on this machine or installed where that can be done; Playwright downloads nothing."""

import os
import shutil
import subprocess
from functools import cache

NAMES = ("chromium", "chromium-browser", "google-chrome")
INSTALLATION = 300  # seconds that it may take
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@cache
def chromium() -> str | None:
    """Return the path of a browser, or None where there is none and none can be installed."""
    found = _found()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _install()
        found = _found()
    return found


def _found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _install() -> None:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(["apt-get", "update", "-q"], timeout=INSTALLATION, check=False, **quiet)
        subprocess.run(command, timeout=INSTALLATION, check=False, env=environment, **quiet)
    except subprocess.TimeoutExpired:
        return
