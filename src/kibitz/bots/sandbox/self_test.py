"""The self-test of a sandbox: a probe inside tries all that it is to forbid, on things that are set up for it."""

import ctypes
import json
import os
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from kibitz.bots.bot_process import BotProcess
from kibitz.bots.sandbox import probe
from kibitz.bots.sandbox.probe import ATTEMPTS
from kibitz.bots.sandbox.sandbox import LIMITS, Sandbox
from kibitz.core.errors import KibitzError

SECONDS = 60.0  # for all attempts together
_MAKE = 0o1600  # IPC_CREAT, for our user alone
SECRET = b"a secret"
WITHOUT_WALLS = (  # what cannot be done where there are only limits
    "read the memory of the referee",
    "mount",
    "have capabilities",
    "gain privileges by a program",
)


@dataclass(frozen=True)
class ProbeResult:
    """What a probe found out about one wall."""

    attempt: str
    stands: bool
    claimed: bool  # whether the walls in force are to forbid it


def tried(walls: Sandbox) -> list[ProbeResult]:
    """Try each wall, and say what stands."""
    with tempfile.TemporaryDirectory() as folder, _targets(Path(folder)) as target:
        found = _report(walls, Path(folder), target)
        found["send over UDP"] &= _has_come(target["receiver"])
    return [ProbeResult(attempt, not found[attempt], _claimed(walls, attempt)) for attempt in ATTEMPTS]


def _claimed(walls: Sandbox, attempt: str) -> bool:
    return walls.solid or (walls.built == LIMITS and attempt in WITHOUT_WALLS)


@contextmanager
def _targets(folder: Path) -> Iterator[dict[str, Any]]:
    """Set up what the probe tries its hand at: files, a process, sockets, and a place in our own memory."""
    home = folder / "home"
    home.mkdir()
    for name in ("canary", "spare"):
        (home / name).write_text("not for bots")
    secret, abstract = ctypes.create_string_buffer(SECRET), f"kibitz-{secrets.token_hex(8)}"
    with ExitStack() as stack:
        listening = [
            stack.enter_context(_listening(family, address))
            for family, address in ((socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_UNIX, str(home / "socket")))
        ]
        with suppress(OSError):  # there are none on this system
            stack.enter_context(_listening(socket.AF_UNIX, f"\0{abstract}"))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        victim, address = stack.enter_context(_victim())
        yield {
            "folder": str(home), "canary": str(home / "canary"), "spare": str(home / "spare"), "victim": victim,
            "victim_address": address, "referee": os.getpid(), "address": ctypes.addressof(secret),
            "tcp": listening[0].getsockname()[1], "udp": udp.getsockname()[1], "path": str(home / "socket"),
            "abstract": abstract, "key": stack.enter_context(_segment()), "receiver": udp.fileno(),
        }  # fmt: skip


@contextmanager
def _segment() -> Iterator[int]:
    """Make a segment of shared memory that others can find by its number."""
    libc, key = ctypes.CDLL(None), secrets.randbelow(1 << 30) + 1
    segment = libc.shmget(key, ctypes.c_size_t(1), _MAKE)
    try:
        yield key
    finally:
        libc.shmctl(segment, 0, None)  # IPC_RMID


def _has_come(receiver: int) -> bool:
    return bool(select.select([receiver], [], [], 0)[0])


@contextmanager
def _listening(family: int, address: Any) -> Iterator[socket.socket]:
    with socket.socket(family) as found:
        found.bind(address)
        found.listen()
        yield found


@contextmanager
def _victim() -> Iterator[tuple[int, int]]:
    """Run another process, and say where it keeps something."""
    code = "import ctypes; x = ctypes.create_string_buffer(8); print(ctypes.addressof(x), flush=True); input()"
    pipes: Mapping[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", code], **pipes) as victim:
        assert victim.stdout is not None
        try:
            yield victim.pid, int(victim.stdout.readline())
        finally:
            victim.kill()


def _report(walls: Sandbox, folder: Path, target: dict[str, Any]) -> dict[str, bool]:
    """Run the probe and return what it was able to do."""
    program = Path(shutil.copy(probe.__file__, _made(folder / "program")))
    hidden, later = program.with_name("results.db"), program.with_name("results.db-wal")
    hidden.write_text("the deals")
    link = program.with_name("link")
    link.symlink_to(hidden)
    command = [sys.executable, "-I", "-S", str(program)]
    process = BotProcess(command, replace(walls, hidden=(str(hidden), str(later))))
    try:
        later.write_text("more deals")
        target |= {"hidden": str(hidden), "later": str(later), "link": str(link), "launcher": process.pid}
        until = monotonic() + SECONDS
        process.send(json.dumps(target).encode() + b"\n", until)
        return dict(json.loads(process.receive(until)))
    except (KibitzError, ValueError) as error:
        raise KibitzError(f"the probe cannot be run behind walls={walls.built}: {error}{process.tail()}") from None
    finally:
        process.end()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
