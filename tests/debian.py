"""Programs of Debian, found on this machine or installed where that can be done."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from fcntl import LOCK_EX, flock
from pathlib import Path

INSTALLATION = 90  # seconds that each step may take
APT = (
    "apt-get", "-q", "-y", "-o", f"DPkg::Lock::Timeout={INSTALLATION}", "-o", "Acquire::http::Timeout=15", "-o",
    "Acquire::Retries=1",
)  # fmt: skip
TURNS = Path(tempfile.gettempdir()) / "kibitz-debian.lock"  # test processes take turns


def program(names: Sequence[str], packages: Sequence[Sequence[str]]) -> str | None:
    """Return the path of a program that has one of these names, installed by the first package that brings it."""
    found = _found(names)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        with TURNS.open("w") as turn:
            flock(turn, LOCK_EX)
            return _found(names) or _installed(names, packages)
    return found


def _found(names: Sequence[str]) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def _installed(names: Sequence[str], packages: Sequence[Sequence[str]]) -> str | None:
    _run("update")
    for package in packages:
        _run("install", "--no-install-recommends", *package)
        if found := _found(names):
            return found
    return None


def _run(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with suppress(subprocess.TimeoutExpired):
        subprocess.run([*APT, *arguments], timeout=INSTALLATION, check=False, env=environment, **quiet)
