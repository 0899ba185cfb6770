"""The self-test of a sandbox: a probe inside tries everything that the sandbox forbids, on targets set up for it."""

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
    """What the probe found out about one attempt."""

    attempt: str
    stands: bool
    claimed: bool  # whether the walls in force are to forbid it


def tried(sandbox: Sandbox) -> list[ProbeResult]:
    """Run every attempt of the probe and return which of them failed, as they should."""
    with tempfile.TemporaryDirectory() as folder, _targets(Path(folder)) as target:
        found = _report(sandbox, Path(folder), target)
        found["send over UDP"] &= _has_come(target["receiver"])
    return [ProbeResult(attempt, not found[attempt], _claimed(sandbox, attempt)) for attempt in ATTEMPTS]


def _claimed(sandbox: Sandbox, attempt: str) -> bool:
    return sandbox.solid or (sandbox.built == LIMITS and attempt in WITHOUT_WALLS)


@contextmanager
def _targets(folder: Path) -> Iterator[dict[str, Any]]:
    """Set up the targets of the probe: files, a process, sockets and a buffer in our own memory."""
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
    """Make a segment of shared memory that other processes can find by its key."""
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
    """Run another process; yield its number and the address of a buffer in it."""
    code = "import ctypes; x = ctypes.create_string_buffer(8); print(ctypes.addressof(x), flush=True); input()"
    pipes: Mapping[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", code], **pipes) as victim:
        assert victim.stdout is not None
        try:
            yield victim.pid, int(victim.stdout.readline())
        finally:
            victim.kill()


def _report(sandbox: Sandbox, folder: Path, target: dict[str, Any]) -> dict[str, bool]:
    """Run the probe and return which attempts succeeded."""
    program = Path(shutil.copy(probe.__file__, _made(folder / "program")))
    hidden, later = program.with_name("results.db"), program.with_name("results.db-wal")
    hidden.write_text("the deals")
    link = program.with_name("link")
    link.symlink_to(hidden)
    command = [sys.executable, "-I", "-S", str(program)]
    process = BotProcess(command, replace(sandbox, hidden=(str(hidden), str(later))))
    try:
        later.write_text("more deals")
        target |= {"hidden": str(hidden), "later": str(later), "link": str(link), "launcher": process.pid}
        until = monotonic() + SECONDS
        process.send(json.dumps(target).encode() + b"\n", until)
        return dict(json.loads(process.receive(until)))
    except (KibitzError, ValueError) as error:
        raise KibitzError(f"the probe cannot be run behind walls={sandbox.built}: {error}{process.tail()}") from None
    finally:
        process.end()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
