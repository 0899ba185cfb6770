"""The sandbox: what a bot may not do, and what of it this machine can enforce.

There is a ladder: `bwrap` (bubblewrap: a world of its own, without network and files), `kernel` (the same by the
kernel's own calls: Landlock and seccomp), `limits` (of memory, time, processes and files), `none`.
"""

import os
import platform
import secrets
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from kibitz.bots.launcher import ADDRESS_SPACE, LEAST_ADDRESS_SPACE
from kibitz.bots.sandbox import landlock
from kibitz.bots.sandbox.landlock import DEVICE, DEVICES, LIST, READ, WRITE, has_seccomp, landlock_version
from kibitz.bots.sandbox.seccomp import is_known
from kibitz.core.code_on_disk import CACHE_ROOT
from kibitz.core.errors import BadValue
from kibitz.core.hidden_files import BESIDE, hidden_files

AUTO, BWRAP, KERNEL, LIMITS, NONE = LADDER = ("auto", "bwrap", "kernel", "limits", "none")
PROCESSES = 64
MOST_ENTRIES = 2000  # of a folder of which parts are hidden; bubblewrap takes 9,000 words
FILES = 256  # open at once
WRITTEN = 64  # MB in one file
PRIVATE_MEGABYTES = 64  # MB of files in each of its own folders, /tmp and /dev/shm
NEWEST_LANDLOCK = 7  # of which we know what it adds
LINK = "link"  # a symbolic link that is shown
_OUTPUT = 9  # what bubblewrap, which holds standard output open for as long as it runs, has in its place
_CALLS = 8  # where it finds the filter of system calls
_TAKE_OUTPUT = f'exec "$@" >&{_OUTPUT} {_OUTPUT}>&-'
_MAKER, _HEAD = 68, 72  # where SQLite keeps who has made a file
_MAKERS = (b"Kibz", b"KBTW")  # ledgers, and the tables of a server
_PROBE_SECONDS = 10
_NO_NAMESPACES = ("--unshare-user", "--disable-userns")  # bubblewrap knows the second one from version 0.8 on
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store")
_SETTINGS = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "ssl/openssl.cnf",  # without which Node does not start if it is there
    "java-17-openjdk",
    "java-21-openjdk",
)


@dataclass(frozen=True)
class Sandbox:
    """What one bot may not do."""

    level: str = AUTO
    memory: int = 512  # MB
    cpu: int | None = None  # processor seconds a game
    readable: tuple[str, ...] = field(default=())  # folders that the bot needs besides its own
    strict: bool = False  # whether memory is limited at every level, as those who play the game want it
    hidden: tuple[str, ...] = field(default_factory=hidden_files)  # never readable, even if they appear later

    @property
    def built(self) -> str:
        """The level in force on this machine."""
        if self.level == AUTO:
            return BWRAP if not why_no_bwrap() else KERNEL if not why_no_kernel() else LIMITS
        return self.level

    @property
    def solid(self) -> bool:
        """Whether this sandbox keeps secrets: the bot can read none of our files and reach none of our processes."""
        return self.built in (BWRAP, KERNEL)

    def check(self) -> None:
        """Refuse a level that this machine does not offer."""
        why = {BWRAP: why_no_bwrap, KERNEL: why_no_kernel}.get(self.level, str)()
        if why:
            raise BadValue(f"walls={self.level} cannot be had here: {why}; walls=limits can")

    @property
    def limits(self) -> str:
        """The limits as the launcher takes them."""
        found = {}
        if self.built != NONE or self.strict:
            found["memory"] = self.memory
        if self.built != NONE:
            found |= {"processes": PROCESSES, "files": FILES, "written": WRITTEN}
        if self.built in (KERNEL, LIMITS):
            found["powers"] = 0
        if self.built == KERNEL:
            found["landlock"] = min(landlock_version(), NEWEST_LANDLOCK)
            found |= {"shm": PRIVATE_MEGABYTES} if has_own_shared_memory() else {}
        if self.cpu is not None:
            found["cpu"] = self.cpu
        if self.built == BWRAP:
            found["output"] = _OUTPUT
            found |= {"calls": _CALLS} if _can_filter() else {}
        if self.solid:
            found["private"] = PRIVATE_MEGABYTES
        return ",".join(f"{name}={number}" for name, number in found.items())

    def confined(self, memory: int) -> "Sandbox":
        """Return a sandbox that allows at most `memory` MB, at the level `none` too."""
        most = memory if self.built == NONE and not self.strict else min(self.memory, memory)
        return replace(self, memory=most, strict=True)

    def landlock_rules(self, program: Sequence[str], private_folder: str) -> list[tuple[str, str]]:
        """Return what Landlock allows: pairs of an access and the file or folder it is for."""
        if self.built != KERNEL:
            return []
        folders = sorted({*_SYSTEM, *folders_of(program), *self.readable} - {"/"})
        hidden = (*self.hidden, *tells_deals(folders), str(private_folders()))
        shown = [pair for folder in folders for pair in _shown(folder, hidden)]
        settings = [(READ, f"/etc/{name}") for name in _SETTINGS]
        shown = [(access, path) for access, path in dict.fromkeys(shown) if access != LINK]  # a link needs no rule
        return [*shown, *settings, *((DEVICE, path) for path in DEVICES), (WRITE, private_folder)]

    def around(self, program: Sequence[str]) -> list[str]:
        """Return the command that runs a program in this sandbox, apart from limits."""
        if self.built != BWRAP:
            return list(program)
        folders = folders_of(program)
        binds = _binds(folders, self.readable, (*self.hidden, *tells_deals([*folders, *self.readable])))
        calls = ["--seccomp", str(_CALLS)] if _can_filter() else []
        here = ["--chdir", str(Path.cwd())]
        return [*_bwrap(), *binds, *calls, *here, "--", "/bin/sh", "-c", _TAKE_OUTPUT, "sh", *program]


def environment(sandbox: Sandbox) -> dict[str, str]:
    """Return the environment variables of a bot: few, so that they tell nothing about us."""
    kept = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "NODE_PATH", "KIBITZ_CACHE", "NUMBA_DISABLE_JIT")
    found = {name: os.environ[name] for name in kept if name in os.environ}
    if not sandbox.solid:
        found |= {name: os.environ[name] for name in ("HOME", "PYTHONPATH", "TMPDIR") if name in os.environ}
    else:
        found["HOME"] = "/tmp"
        if sandbox.readable:
            found |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
            found |= {"KIBITZ_CACHE": "/tmp/kibitz-cache", "KIBITZ_SHARED_CACHE": str(CACHE_ROOT)}
    return {**found, "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0", "KIBITZ_THREADS": "1"}


def folders_of(program: Sequence[str]) -> list[str]:
    """Return the folders of the files that a command names, and those of its interpreter outside the system."""
    found = [str(Path(word).resolve().parent) for word in program if Path(word).is_file()]
    found += [str(Path(word).parent.absolute()) for word in program if Path(word).is_file()]
    found += [str(Path(word).resolve()) for word in program[1:] if Path(word).is_dir()]
    run = shutil.which(program[0])
    if run is not None:
        found += _interpreter(Path(run))
    return found


def _interpreter(run: Path) -> list[str]:
    """Return the folders of an interpreter: its virtual environment and its installation."""
    homes = [run.absolute().parent.parent, run.resolve().parent.parent]
    return [str(home) for home in homes if (home / "pyvenv.cfg").exists() or (home / "lib").is_dir()]


def _bwrap() -> list[str]:
    return [
        shutil.which("bwrap") or "bwrap", "--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--proc", "/proc",
        "--dev", "/dev", "--size", str(PRIVATE_MEGABYTES << 20), "--tmpfs", "/tmp",
        "--size", str(PRIVATE_MEGABYTES << 20), "--tmpfs", "/dev/shm",
        *(_NO_NAMESPACES if _can_forbid_namespaces() else ()),
    ]  # fmt: skip


@cache
def _can_forbid_namespaces() -> bool:
    """Return whether bubblewrap can keep a bot from making namespaces, in which it could mount memory."""
    command = [
        shutil.which("bwrap") or "bwrap",
        *_NO_NAMESPACES,
        "--ro-bind",
        "/",
        "/",
        "--",
        "/bin/sh",
        "-c",
        "exit 0",
    ]
    try:
        return subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _binds(folders: Iterable[str], readable: Iterable[str], hidden: Iterable[str] = ()) -> list[str]:
    """Return the options of bubblewrap for the files that the bot may read."""
    words: list[str] = []
    for path in _SYSTEM:
        if Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        elif Path(path).exists():
            words += _bound(path, hidden)
    for name in _SETTINGS:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    inside = tuple(path for path in _SYSTEM if not Path(path).is_symlink())
    for folder in sorted({*folders, *readable}):  # a folder before those in it
        if folder != "/" and not Path(folder).is_relative_to("/usr") and folder not in inside:
            words += _bound(folder, hidden)
    words += ["--dir", str(Path.cwd()), "--remount-ro", "/dev", "--remount-ro", "/"]  # which are in memory too
    return [*words, "--remount-ro", "/proc"]  # where root needs no capability to change settings of the kernel


def _bound(folder: str, hidden: Iterable[str]) -> list[str]:
    """Return the options of bubblewrap that show a folder without its hidden files."""
    words = []
    for access, path in _shown(folder, hidden):
        words += {
            READ: lambda path: ["--ro-bind-try", path, path],
            LIST: lambda path: ["--dir", path],
            LINK: lambda path: ["--symlink", str(Path(path).readlink()), path],
        }[access](path)
    return words


def _shown(folder: str, hidden: Iterable[str]) -> list[tuple[str, str]]:
    """Return what makes a folder readable except for hidden files, which may come and go: all its other entries."""
    place = os.path.realpath(folder)
    inside = [path for path in map(os.path.realpath, hidden) if Path(path).is_relative_to(place)]
    if not inside and place not in (*_everybodys(), _home()):
        return [(READ, folder)]
    shown = [(LIST, folder)]
    for entry in _entries(folder):
        if (entry.is_dir() and place in _everybodys()) or (entry.name.startswith(".") and place == _home()):
            continue
        if entry.is_symlink():
            shown.append((LINK, entry.path))
        elif os.path.realpath(entry.path) not in inside:
            shown += _shown(entry.path, inside)
    return shown


def tells_deals(folders: Iterable[str]) -> list[str]:
    """Return the ledgers and servers' tables in some folders, whatever their names, with SQLite's other files."""
    found = []
    for folder in {os.path.realpath(folder) for folder in folders} - set(map(os.path.realpath, _SYSTEM)):
        for entry in _listed(folder):
            if entry.is_file(follow_symlinks=False) and _is_of_kibitz(entry.path):
                found += [f"{entry.path}{end}" for end in BESIDE]
    return sorted(found)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # no folder, or none that we can list
        return []


def _is_of_kibitz(path: str) -> bool:
    """Return whether a file is a database that Kibitz has made, by what SQLite writes at its head."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(_HEAD)
    except OSError:
        return False
    return head[:6] == b"SQLite" and head[_MAKER:_HEAD] in _MAKERS


def _everybodys() -> tuple[str, ...]:
    """Return the folders for temporary files: a program in one of them sees the files beside it, but no folder."""
    return tuple(map(os.path.realpath, ("/tmp", "/var/tmp", tempfile.gettempdir())))


def _home() -> str:
    """Return the user's home: a program there does not see files whose names begin with a dot, such as keys."""
    return os.path.realpath(Path.home())


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of a folder with hidden files; too many of them are a BadValue."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:  # what we cannot list, nobody is shown
        return []
    if len(found) > MOST_ENTRIES:
        raise BadValue(
            f"{folder} has more than {MOST_ENTRIES:,} files, so that those which tell deals cannot be hidden from a "
            "program that reads that folder; keep the program, or the ledger (--db), in another one"
        )
    return found


@cache
def _can_filter() -> bool:
    """Return whether this machine can filter system calls."""
    return sys.platform == "linux" and is_known(platform.machine()) and sys.maxsize > 1 << 32 and has_seccomp()


@cache
def has_own_shared_memory() -> bool:
    """Return whether a bot can have its own /dev/shm without bubblewrap; some systems reserve that for root."""
    command = [sys.executable, "-I", "-S", landlock.__file__]
    try:
        return subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def private_folders() -> Path:
    """Return the folder that holds the private folders of bots at the level `kernel`."""
    return Path(tempfile.gettempdir()) / f"kibitz-bots-{os.getuid()}"


def new_private_folder() -> str:
    """Return a fresh name for the private folder of a bot, the only one in which it may write."""
    place = private_folders()
    place.mkdir(0o700, exist_ok=True)
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise BadValue(f"{place} is not a folder of yours alone; bots would write there, so remove it")
    return str(place / secrets.token_hex(8))


@cache
def why_no_kernel() -> str:
    """Return why the level `kernel` is not available here; empty if it is."""
    if sys.platform != "linux":
        return f"Landlock needs Linux, and this is {platform.system()}"
    if not landlock_version():
        return "this kernel has no Landlock, or forbids it (Linux 5.13 and later have it)"
    return "" if _can_filter() else f"system calls cannot be filtered on this kernel for {platform.machine()}"


@cache
def why_no_bwrap() -> str:
    """Return why bubblewrap is not available here; empty if it is."""
    if sys.platform != "linux":
        return f"bubblewrap needs Linux, and this is {platform.system()}"
    if shutil.which("bwrap") is None:
        return "the program bwrap is not installed (the package is called bubblewrap)"
    command = [*_bwrap(), *_binds((), ()), "--", "/bin/sh", "-c", "exit 0"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap cannot be run: {error}"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return f"bwrap is installed, but the system refuses it: {said[-1] if said else f'exit code {done.returncode}'}"


def statement(sandbox: Sandbox) -> list[tuple[str, bool, str]]:
    """Return what is limited on this machine: what, whether, and how."""
    level, linux = sandbox.built, sys.platform == "linux"
    limited = level != NONE
    no_limits = "walls=none sets no limits"
    return [
        ("time for a move and a game", True, "the referee's clock; a bot that is late is ended"),
        ("output", True, "1 MiB a line, 8 MiB an answer, 64 MiB a game"),
        ("nothing survives the bot", linux and limited, _survival(level, linux)),
        ("processor time", linux, "with cpu=… seconds a game, looked at ten times a second" if linux else "no"),
        ("processor time of what ends between two looks", False,
         "counted only if the bot waits for its children, as usual" if linux else "no"),
        ("memory", limited and linux,
         f"{sandbox.memory} MB, looked at ten times a second while it runs: what is resident, files in memory that it "
         f"holds open{_private(level)}; what processes share counts once; "
         f"{max(LEAST_ADDRESS_SPACE, ADDRESS_SPACE * sandbox.memory)} MB of address space at once for each process"
         if limited else no_limits),
        ("memory that no process holds", False, f"not counted: what lies in pipes and sockets{_uncounted(level)}"),
        ("processes", limited and linux, f"{PROCESSES}, looked at ten times a second" if limited else no_limits),
        ("files", limited, f"{FILES} open, {WRITTEN} MB each" if limited else no_limits),
        ("secrets", sandbox.solid, _keeps(level)),
    ]  # fmt: skip


def _private(level: str) -> str:
    """Return what else is counted as memory."""
    if level == BWRAP:
        return f" and files in /tmp and /dev/shm, which are its own, of {PRIVATE_MEGABYTES} MB each"
    if level != KERNEL:
        return ""
    shared = f" and in /dev/shm, which is its own, of {PRIVATE_MEGABYTES} MB" if has_own_shared_memory() else ""
    return f" and files in the one folder in which it may write{shared}"


def _uncounted(level: str) -> str:
    """Return the rest of what is not counted as memory."""
    if level == BWRAP and not _can_forbid_namespaces():
        return ", and what it mounts itself, which only bubblewrap 0.8 can forbid"
    return "" if level in (BWRAP, KERNEL) else (
        ", System V segments that nothing maps, and files in /dev/shm and /tmp that are closed")  # fmt: skip


def _survival(level: str, linux: bool) -> str:
    if not linux:
        return "only its process group is ended on this system"
    if level == BWRAP:
        return "a space of processes of its own, and a launcher that ends orphans"
    if level == KERNEL:
        return "a launcher that ends orphans, those that left its session too, and that it cannot reach"
    if level == LIMITS:
        return "a launcher that ends orphans, those that left its session too; if it is killed, the referee does so"
    return "a launcher that ends orphans, unless the bot kills it"


def _keeps(level: str) -> str:
    """Return how walls keep secrets, or what would."""
    if level == BWRAP:
        return f"by bubblewrap{' and a filter of system calls' if _can_filter() else ''}; each wall is tried below"
    if level == KERNEL:
        return f"by Landlock (version {landlock_version()}) and a filter of system calls; each wall is tried below"
    return f"walls={level} keeps none; {better_walls()}"


def better_walls() -> str:
    """Return what would keep secrets on this machine."""
    able = [level for level, why in ((BWRAP, why_no_bwrap()), (KERNEL, why_no_kernel())) if not why]
    if able:
        return f"walls={able[0]} would keep them"
    return f"bubblewrap would keep them ({why_no_bwrap()}), or a kernel with Landlock ({why_no_kernel()})"


def without_walls(programs: Sequence[str]) -> str:
    """Return the warning that programs could find out what is hidden from them."""
    return f"No walls keep secrets from {', '.join(programs)}, which may know what is hidden here; {better_walls()}."


def words_of(command: str) -> list[str]:
    """Return the words of a command; one that cannot be read, or whose program is missing, is a BadValue."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadValue(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise BadValue("a bot needs a command, as in bot(cmd='python3 mybot.py')")
    if shutil.which(words[0]) is None:
        raise BadValue(f"there is no program {words[0]!r} to run{_why_none(words[0])}")
    return words


def _why_none(program: str) -> str:
    """Return why a file cannot be run as a program, if there is one, and what would help."""
    if not Path(program).is_file():
        return ""
    path = program if "/" in program else f"./{program}"
    if os.access(path, os.X_OK):
        return f"; did you mean {path}?"
    with_interpreter = f" (or name what runs it, as in python3 {program})" if program.endswith(".py") else ""
    return f": the file is not executable; chmod +x {path} makes it so{with_interpreter}"
