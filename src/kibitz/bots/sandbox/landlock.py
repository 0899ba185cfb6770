"""A sandbox by the kernel's own calls, around the process that asks for them and all that it will start.

Landlock opens what a bot may read and write, and nothing else; seccomp denies calls (seccomp.py); capabilities are
given up permanently. It uses little, and only of the standard library, since the launcher of every bot loads this file.
"""

import ctypes
import os
import sys

READ, LIST, WRITE, DEVICE = "read", "list", "write", "device"  # what may be done with a file or all that is in a folder
_SET_DUMPABLE, _GET_SECCOMP, _DROP_BOUNDING, _NO_NEW_PRIVILEGES, _AMBIENT = 4, 21, 24, 38, 47  # of prctl
_CLEAR_ALL = 4  # of _AMBIENT
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the calls of Landlock, the same on all machines
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_FILTER, _SPEC_ALLOW = 1, 4  # of seccomp; without the second, old kernels slow the processor down
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITIES_VERSION = 0x20080522
_MOST_CAPABILITIES = 64

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE, _IOCTL = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
_SOCKETS_AND_DEVICES = 1 << 6 | 1 << 9 | 1 << 11  # to make them
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}  # by version
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_NETWORK = 3  # to bind and to connect, over TCP
_SCOPES = 3  # abstract sockets, and signals
_NETWORK_SINCE, _SCOPES_SINCE, _TRUNCATE_SINCE = 4, 6, 3  # versions

_NEW_USER, _NEW_MOUNTS = 0x10000000, 0x00020000  # of unshare
_PRIVATE, _NO_SUID_OR_DEVICES = 1 << 14 | 1 << 18, 2 | 4  # of mount: MS_REC and MS_PRIVATE; MS_NOSUID and MS_NODEV

_FOREIGN = ("attr", "cwd", "exe", "map_files", "net", "ns", "root", "task")  # in /proc: what leads elsewhere
_SET_MOUNTS, _EVERYWHERE, _HERE, _NO_TIMES, _ANY_TIMES = 442, 0x8000, -100, 0x10, 0x70  # of mount_setattr
_SYSTEM_FILES = ("cpuinfo", "meminfo", "stat", "version", "sys/vm/overcommit_memory")  # of /proc
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """Return the version of Landlock that the kernel has; 0 if none, or if we may not use it."""
    try:
        return max(0, int(_libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))))
    except AttributeError:  # no such library function on this system
        return 0


def has_seccomp() -> bool:
    """Return whether the kernel filters calls."""
    return bool(_libc.prctl(_GET_SECCOMP, 0, 0, 0, 0) >= 0)


def close_to_others() -> None:
    """Keep processes of the same user from reading and writing this one's memory, where the system can."""
    if sys.platform == "linux":
        _libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def give_up_powers(machine: str) -> None:
    """Give up all capabilities, and the means to get new ones."""
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0))
    _libc.prctl(_AMBIENT, ctypes.c_ulong(_CLEAR_ALL), 0, 0, 0)
    for number in range(_MOST_CAPABILITIES):
        _libc.prctl(_DROP_BOUNDING, ctypes.c_ulong(number), 0, 0, 0)  # allowed only to those who have any
    if machine in _CAPSET:
        head = _CAPABILITIES_VERSION.to_bytes(4, "little") + bytes(4)
        _check(_libc.syscall(_CAPSET[machine], ctypes.create_string_buffer(head, 8), ctypes.create_string_buffer(24)))


def own_shared_memory(megabytes: int) -> None:
    """Give this process, and all that it starts, its own empty /dev/shm of this size."""
    user, group = os.getuid(), os.getgid()
    if user:  # others than root may do so in a namespace in which they are root
        _libc.prctl(_SET_DUMPABLE, ctypes.c_ulong(1), 0, 0, 0)  # else the files written below would not be ours
        _check(_libc.unshare(_NEW_USER))
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
                file.write(text)
    _check(_libc.unshare(_NEW_MOUNTS))
    _check(_libc.mount(None, b"/", None, ctypes.c_ulong(_PRIVATE), None))
    options = f"mode=1777,size={megabytes}m".encode()
    _check(_libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", ctypes.c_ulong(_NO_SUID_OR_DEVICES), options))
    words = b"".join(word.to_bytes(8, "little") for word in (_NO_TIMES, _ANY_TIMES, 0, 0))
    given = ctypes.create_string_buffer(words, len(words))  # reading leaves access times unchanged, where permitted
    _libc.syscall(
        _SET_MOUNTS, ctypes.c_int(_HERE), b"/", ctypes.c_uint(_EVERYWHERE), given, ctypes.c_size_t(len(words))
    )


def enforce(rules: list[tuple[str, str]], machine: str, calls: bytes, version: int) -> None:
    """Forbid this process everything but some rules: pairs of an access and the file or folder it is for."""
    ruleset = _ruleset(version)
    for access, path in rules:
        _allow(ruleset, access, path, version)
    own = [f"{os.getpid()}/{name}" for name in os.listdir("/proc/self") if name not in _FOREIGN]  # noqa: PTH208
    for name in (*own, *_SYSTEM_FILES):
        _allow(ruleset, READ, f"/proc/{name}", version)
    _check(_libc.syscall(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint(0)))
    os.close(ruleset)
    _filter(machine, calls)


def scopes(version: int) -> bool:
    """Return whether Landlock keeps signals in."""
    return version >= _SCOPES_SINCE


def truncates(version: int) -> bool:
    """Return whether files can be truncated in spite of Landlock."""
    return version < _TRUNCATE_SINCE


def _ruleset(version: int) -> int:
    words = [_RIGHTS[min(version, max(_RIGHTS))]]
    words += [_NETWORK] if version >= _NETWORK_SINCE else []
    words += [_SCOPES] if version >= _SCOPES_SINCE else []
    given = b"".join(word.to_bytes(8, "little") for word in words)
    buffer = ctypes.create_string_buffer(given, len(given))
    return _check(_libc.syscall(_CREATE, buffer, ctypes.c_size_t(len(given)), ctypes.c_uint(0)))


def _allow(ruleset: int, access: str, path: str, version: int) -> None:
    """Allow access to a path, if it exists."""
    handled = _RIGHTS[min(version, max(_RIGHTS))]
    rights = {
        READ: _READ_FILE | _READ_DIR | _EXECUTE,
        LIST: _READ_DIR,
        WRITE: handled & ~_SOCKETS_AND_DEVICES,
        DEVICE: _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL,
    }[access]
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not _is_folder(place):
            rights &= _OF_FILES
        rule = (rights & handled).to_bytes(8, "little") + place.to_bytes(4, "little")
        _check(_libc.syscall(_ADD, ctypes.c_int(ruleset), ctypes.c_uint(1), ctypes.create_string_buffer(rule, 12), 0))
    finally:
        os.close(place)


def _is_folder(descriptor: int) -> bool:
    return os.fstat(descriptor).st_mode & 0o170000 == 0o040000


def _filter(machine: str, calls: bytes) -> None:
    steps = ctypes.create_string_buffer(calls, len(calls))
    address = ctypes.addressof(steps).to_bytes(8, "little")
    program = (len(calls) // 8).to_bytes(2, "little") + bytes(6) + address
    buffer = ctypes.create_string_buffer(program, 16)
    _check(_libc.syscall(_SECCOMP[machine], ctypes.c_uint(_FILTER), ctypes.c_uint(_SPEC_ALLOW), buffer))


def _check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"its walls cannot be built: {os.strerror(ctypes.get_errno())}")
    return result


if __name__ == "__main__":  # to find out whether that can be done
    own_shared_memory(1)
