"""Provenance: with which program, on what machine and when an experiment was run; never a name of a host or a path."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from kibitz import __version__
from kibitz.arena.results.ledger import code_version
from kibitz.core.code_on_disk import PACKAGE

LIBRARIES = ("numpy", "scipy", "numba")
_PROCESSORS = Path("/proc/cpuinfo")


def provenance() -> dict[str, str]:
    """Return commit, a hash of the sources, which also tells them where no commit is known, date, machine, versions."""
    versions = [f"{name} {metadata.version(name)}" for name in LIBRARIES]
    return {
        "commit": f"commit {found}" if (found := _commit()) else "no commit known",
        "sources": f"sources {code_version()}",
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "versions": ", ".join([f"Kibitz {__version__}", f"Python {platform.python_version()}", *versions]),
    }


def _commit() -> str:
    """Return the commit of a checkout, and whether its sources differ from it; empty if it is none."""
    found = _git("rev-parse", "--short=12", "HEAD") if _git("ls-files", "__init__.py") else ""
    return f"{found}{' with changes' if _git('status', '--porcelain', '--', '.') else ''}" if found else ""


def _git(*words: str) -> str:
    try:
        run = subprocess.run(["git", *words], cwd=PACKAGE, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.strip()


def _processor() -> str:
    """Return what kind of processor this is."""
    try:
        lines = _PROCESSORS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or "unknown processor"
