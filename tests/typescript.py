"""The TypeScript compiler, installed once by npm into a cache folder outside the repository."""

import shutil
import subprocess
from contextlib import suppress
from fcntl import LOCK_EX, flock
from functools import cache

from kibitz.core.code_on_disk import CACHE_ROOT

VERSION = "5.9.3"
FOLDER = CACHE_ROOT.parent / "kibitz-tests" / f"typescript-{VERSION}"
COMPILER = FOLDER / "node_modules" / "typescript" / "bin" / "tsc"
INSTALLATION = 90  # seconds
MISSING = (
    "JAVASCRIPT NOT CHECKED: there is no TypeScript, and it cannot be installed "
    f"(with node and npm: npm install --prefix {FOLDER} typescript@{VERSION})"
)


@cache
def tsc() -> list[str] | None:
    """Return the command of the compiler, or None where it is not there and cannot be installed."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None:
        return None
    if not COMPILER.is_file() and npm is not None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        with (FOLDER / "lock").open("w") as turn:  # test processes take turns
            flock(turn, LOCK_EX)
            _install(npm)
    return [node, str(COMPILER)] if COMPILER.is_file() else None


def _install(npm: str) -> None:
    if COMPILER.is_file():
        return
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = [npm, "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", f"typescript@{VERSION}"]
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(words, timeout=INSTALLATION, check=False, **quiet)
