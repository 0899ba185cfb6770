"""A probe that runs in a sandbox and tries, one by one, what they are to forbid; it does no harm where they do not.

It reads a line of JSON that says what to try it on, and writes one that says of each attempt whether it succeeded.
"""

import ctypes
import fcntl
import json
import os
import platform
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Target = dict[str, Any]
_NEW_USER, _NEW_NAMESPACE = 0x10000000, 0x00020000
_SEIZE, _DETACH = 0x4206, 17  # of ptrace
_OFD_GETLK, _OFD_SETLK, _NOTIFY = 36, 37, 1026  # of fcntl
_GET_FLAGS, _SET_FLAGS = 0x80086601, 0x40086602  # of ioctl
_MEMORY_LIMIT = 9  # RLIMIT_AS
_PAGE = 4096
_NUMBERS = {  # of calls that the C library has no function for
    "x86_64": {"bpf": 321, "perf_event_open": 298, "io_uring_setup": 425, "userfaultfd": 323, "keyctl": 250,
               "kcmp": 312, "pidfd_getfd": 438, "pidfd_open": 434, "shmget": 29, "inotify_add_watch": 254,
               "io_setup": 206, "ioprio_get": 252, "cachestat": 451},
    "aarch64": {"bpf": 280, "perf_event_open": 241, "io_uring_setup": 425, "userfaultfd": 282, "keyctl": 219,
                "kcmp": 272, "pidfd_getfd": 438, "pidfd_open": 434, "shmget": 194, "inotify_add_watch": 27,
                "io_setup": 0, "ioprio_get": 31, "cachestat": 451},
}  # fmt: skip
_DENIALS = (1, 13, 38)  # EPERM, EACCES, ENOSYS

_libc = ctypes.CDLL(None, use_errno=True)


class _IoVector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def main() -> None:
    """Try everything."""
    target = json.loads(sys.stdin.readline())
    found = {}
    for name, attempt in ATTEMPTS.items():
        try:
            found[name] = bool(attempt(target))
        except Exception:  # something in the sandbox prevented it
            found[name] = False
    print(json.dumps(found), flush=True)


def _call(name: str, *given: int) -> int:
    return int(_libc.syscall(_NUMBERS[platform.machine()][name], *map(ctypes.c_long, given)))


def _let_in(result: int) -> bool:
    """Return whether a call with invalid arguments got as far as the kernel's own check of them."""
    return result >= 0 or ctypes.get_errno() not in _DENIALS


def _read(path: str) -> bool:
    return bool(Path(path).read_text())


def _write(target: Target) -> bool:
    Path(target["folder"], "written").write_text("x")
    return True


def _change_mode(target: Target) -> bool:
    before = Path(target["canary"]).stat().st_mode
    Path(target["canary"]).chmod(before ^ 0o040)
    return Path(target["canary"]).stat().st_mode != before


def _cut(target: Target) -> bool:
    os.truncate(target["spare"], 0)
    return Path(target["spare"]).stat().st_size == 0


def _watch(target: Target) -> bool:
    watch = _libc.inotify_init()
    return _call("inotify_add_watch", watch, _address(target["folder"]), 2) >= 0


def _address(text: str) -> int:
    _kept.append(ctypes.create_string_buffer(text.encode()))
    return ctypes.addressof(_kept[-1])


_kept: list[Any] = []  # what addresses point to


def _memory(pid: int, address: int) -> bool:
    """Return whether some bytes of another process can be read."""
    room = ctypes.create_string_buffer(8)
    here, there = _IoVector(ctypes.addressof(room), 8), _IoVector(address, 8)
    if _libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) == 8:
        return True
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as file:
        file.seek(address)
        return len(file.read(8)) == 8


def _trace(target: Target) -> bool:
    seized = _libc.ptrace(_SEIZE, target["victim"], None, None) == 0
    _libc.ptrace(_DETACH, target["victim"], None, None)
    return bool(seized)


def _signal(pid: int) -> bool:
    os.kill(pid, 0)
    return True


def _slow_down(target: Target) -> bool:
    os.setpriority(os.PRIO_PROCESS, target["victim"], 1)
    return True


def _limit(target: Target) -> bool:
    return bool(_libc.prlimit(target["victim"], _MEMORY_LIMIT, None, ctypes.create_string_buffer(16)) == 0)


def _steal_descriptor(target: Target) -> bool:
    process = _call("pidfd_open", target["victim"], 0)
    return process >= 0 and _call("pidfd_getfd", process, 0, 0) >= 0


def _connect(family: int, kind: int, address: Any) -> bool:
    with socket.socket(family, kind) as attempt:
        attempt.settimeout(2)
        attempt.connect(address)
        attempt.send(b"x")
    return True


def _mount(target: Target) -> bool:
    room = os.environ.get("TMPDIR", "/tmp").encode()
    return _let_in(_libc.mount(b"none", room, b"no-such-file-system", 0, None))


def _world(target: Target) -> bool:
    """Return whether a child of ours can make its own namespaces."""
    pid = os.fork()
    if pid == 0:
        os._exit(_libc.unshare(_NEW_USER | _NEW_NAMESPACE) != 0)
    return os.waitpid(pid, 0)[1] == 0


def _powers(target: Target) -> bool:
    """Return whether we have a capability."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return any(int(lines[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"))


def _privileges(target: Target) -> bool:
    return bool(_libc.prctl(39, 0, 0, 0, 0) != 1)  # PR_GET_NO_NEW_PRIVS


def _lock(target: Target) -> bool:
    """Return whether another look at a file tells that we have locked it, by which processes could tell each other."""
    lock = struct.Struct("hhqqi4x")
    with Path(__file__).open("rb") as first, Path(__file__).open("rb") as second:
        fcntl.fcntl(first, _OFD_SETLK, lock.pack(fcntl.F_RDLCK, 0, 5, 1, 0))
        found = fcntl.fcntl(second, _OFD_GETLK, lock.pack(fcntl.F_WRLCK, 0, 0, 0, 0))
    return int(lock.unpack(found)[0]) != fcntl.F_UNLCK


def _mark(target: Target) -> bool:
    """Return whether we can set flags of a file that we can only read; they are set to what they are."""
    with Path(__file__).open("rb") as file:
        fcntl.ioctl(file, _SET_FLAGS, fcntl.ioctl(file, _GET_FLAGS, bytes(8)))
    return True


def _resident(target: Target) -> bool:
    """Return whether we can ask which pages of a file are in memory, and so what others have read of it."""
    own = ctypes.c_void_p(id(target) // _PAGE * _PAGE)
    if _libc.mincore(own, ctypes.c_size_t(_PAGE), ctypes.create_string_buffer(1)) == 0:
        return True
    with Path(__file__).open("rb") as file:
        if _let_in(_call("cachestat", file.fileno(), 0, 0, 0)):
            return True
        return os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT) == 1


def _scheduling(target: Target) -> bool:
    """Return whether we see how the system treats another process, which that process can change."""
    if _call("ioprio_get", 1, target["victim"]) >= 0:
        return True
    interval = ctypes.create_string_buffer(16)
    return bool(_libc.sched_rr_get_interval(target["victim"], interval) == 0)


def _watch_by_descriptor(target: Target) -> bool:
    folder = os.open(Path(__file__).parent, os.O_RDONLY)
    fcntl.fcntl(folder, _NOTIFY, 1)
    return True


def _set(target: Target) -> bool:
    """Return whether a setting of the kernel could be changed, which is not done."""
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return True


def _share(target: Target) -> bool:
    """Return whether we can find the shared memory of another process."""
    return _call("shmget", target["key"], 0, 0) >= 0


ATTEMPTS: dict[str, Callable[[Target], bool]] = {
    "read a file of yours": lambda target: _read(target["canary"]),
    "list a folder of yours": lambda target: bool(os.listdir(target["folder"])),  # noqa: PTH208
    "read a hidden file in its own folder": lambda target: _read(target["hidden"]),
    "read a hidden file by a link": lambda target: _read(target["link"]),
    "read a hidden file that came later": lambda target: _read(target["later"]),
    "write to a folder of yours": _write,
    "change the mode of a file of yours": _change_mode,
    "cut a file of yours": _cut,
    "watch a folder of yours": _watch,
    "leave marks by locking files": _lock,
    "leave marks on files by their flags": _mark,
    "see what of a file is in memory": _resident,
    "watch a folder by a descriptor": _watch_by_descriptor,
    "see the group of another process": lambda target: os.getpgid(target["victim"]) is not None,
    "see the session of another process": lambda target: os.getsid(target["victim"]) is not None,
    "see how another process is scheduled": _scheduling,
    "see the priority of another process": lambda target: os.getpriority(os.PRIO_PROCESS, target["victim"]) is not None,
    "see what another process runs": lambda target: _read(f"/proc/{target['victim']}/cmdline"),
    "signal another process": lambda target: _signal(target["victim"]),
    "signal its launcher": lambda target: _signal(target["launcher"]),
    "trace another process": _trace,
    "take a descriptor of another process": _steal_descriptor,
    "slow another process down": _slow_down,
    "change the limits of another process": _limit,
    "read the memory of another process": lambda target: _memory(target["victim"], target["victim_address"]),
    "read the memory of the referee": lambda target: _memory(target["referee"], target["address"]),
    "compare with another process": lambda target: _call("kcmp", os.getpid(), target["victim"], 0, 0, 0) >= 0,
    "share memory by a number": _share,
    "connect over TCP": lambda target: _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", target["tcp"])),
    "send over UDP": lambda target: _connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", target["udp"])),
    "connect to a socket by its path": lambda target: _connect(socket.AF_UNIX, socket.SOCK_STREAM, target["path"]),
    "connect to a socket without a path": lambda target: _connect(
        socket.AF_UNIX, socket.SOCK_STREAM, f"\0{target['abstract']}"
    ),
    "mount": _mount,
    "make a world of its own": _world,
    "change settings of the kernel": _set,
    "load programs into the kernel": lambda target: _let_in(_call("bpf", 0, 0, 0)),
    "measure the kernel": lambda target: _let_in(_call("perf_event_open", 0, 0, -1, -1, 0)),
    "use io_uring": lambda target: _let_in(_call("io_uring_setup", 0, 0)),
    "use up requests of the whole system": lambda target: _let_in(_call("io_setup", 0, 0)),
    "use userfaultfd": lambda target: _let_in(_call("userfaultfd", -1)),
    "use keys of the kernel": lambda target: _let_in(_call("keyctl", 0, -4, 0)),
    "have capabilities": _powers,
    "gain privileges by a program": _privileges,
}

if __name__ == "__main__":
    main()
