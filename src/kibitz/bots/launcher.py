"""The launcher of a bot: a small process that sets its limits, starts it, watches it, and ends all that it left.

    python -I -S launcher.py DESCRIPTOR LIMIT=NUMBER,… -- PROGRAM ARGUMENT…

The bot inherits standard input, output and error, and no more. DESCRIPTOR is a socket: when its other end closes,
however that came about, everything here ends; "game" on it begins a new count of processor time; and one line written
to it says how the bot ended. Nothing but the standard library is loaded, and little of it, so that it starts at once.
"""

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

DEATH_SIGNAL, SUBREAPER = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl
LOOK_EVERY = 0.1  # seconds
SCAN_EVERY = 5  # looks between searches for new processes
MEGABYTE = 1 << 20
ADDRESS_SPACE = 4  # times the memory: interpreters reserve more than they use
LEAST_ADDRESS_SPACE = 4096  # MB
PATIENCE = 5.0  # seconds for what was killed to be gone
LINUX = sys.platform == "linux"


def main() -> None:
    """Start the bot and stay until it has ended."""
    control, limits, program = int(sys.argv[1]), _read(sys.argv[2]), sys.argv[4:]
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(awake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    _prctl(SUBREAPER, 1)
    os.set_inheritable(control, False)
    bot = _start(program, limits)
    if isinstance(bot, str):
        verdict = f"start {bot}"
    else:
        _let_go()
        verdict = _Watch(bot, limits).until_it_ends(control, awake)
    _sweep()
    os.write(control, f"{verdict}\n".encode())


def _read(text: str) -> dict[str, int]:
    return {name: int(number) for name, _, number in (part.partition("=") for part in text.split(",") if part)}


def _prctl(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _start(program: list[str], limits: dict[str, int]) -> int | str:
    """Start the program; return its number, or why it cannot be started."""
    told, tell = os.pipe()
    launcher = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            _prctl(DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != launcher:
                os._exit(1)
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            _limit(limits)
            os.execvp(program[0], program)
        except OSError as error:
            os.write(tell, (error.strerror or "it cannot be run").encode())
        finally:
            os._exit(127)
    os.close(tell)
    said = os.read(told, 1000).decode()  # nothing, as soon as the program runs
    os.close(told)
    return said or pid


def _limit(limits: dict[str, int]) -> None:
    """Set what the system enforces by itself."""
    if resource is None:
        return
    wanted = {"RLIMIT_CORE": 0}
    if "memory" in limits:
        wanted["RLIMIT_AS"] = max(LEAST_ADDRESS_SPACE, ADDRESS_SPACE * limits["memory"]) * MEGABYTE
    if "files" in limits:
        wanted["RLIMIT_NOFILE"] = limits["files"]
    if "written" in limits:
        wanted["RLIMIT_FSIZE"] = limits["written"] * MEGABYTE
    if hasattr(resource, "RLIMIT_DATA"):  # what the process that plays allows itself is not meant for us
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    for name, most in wanted.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))


def _let_go() -> None:
    """Close what only the bot is to hold."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)


class _Watch:
    """The bot and all that it has started, while it runs."""

    def __init__(self, bot: int, limits: dict[str, int]):
        self.bot, self.limits = bot, limits
        self.known, self.looks, self.spent_before = [bot], 0, 0.0
        self.idle = 0.0  # processor seconds at the last look
        self.watches = LINUX and bool({"memory", "processes", "cpu"} & set(limits))

    def until_it_ends(self, control: int, awake: int) -> str:
        """Return how it ended, or what it did for which it must be ended."""
        waiting = select.poll()
        waiting.register(control, select.POLLIN)
        waiting.register(awake, select.POLLIN)
        while True:
            ready = waiting.poll(1000 * LOOK_EVERY if self.watches else None)
            for descriptor, _ in ready:
                said = os.read(descriptor, 4096)
                if descriptor == control and not said:
                    return "ended"
                if descriptor == control and b"game" in said:
                    self.spent_before = _spent(_family())
            ended = self._reap()
            if ended:
                return ended
            if not ready and self.watches:
                broken = self._look()
                if broken:
                    return broken

    def _reap(self) -> str:
        """Return how the bot ended, if it has; forget what else has ended."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return "exit 0"
            if pid == 0:
                return ""
            if pid == self.bot:
                code = os.waitstatus_to_exitcode(status)
                return f"signal {-code}" if code < 0 else f"exit {code}"

    def _look(self) -> str:
        """Return which limit is broken, if one is."""
        if self.looks % SCAN_EVERY == 0:
            self.known = _family()
            if len(self.known) > self.limits.get("processes", len(self.known)):
                return f"processes {len(self.known)}"
        self.looks += 1
        if "memory" in self.limits:
            taken = sum(map(_memory, self.known)) // MEGABYTE
            if taken > self.limits["memory"]:
                return f"memory {taken}"
        if "cpu" in self.limits:
            spent = _spent(self.known) - self.spent_before
            if spent > self.limits["cpu"]:
                return f"cpu {int(spent)}"
        return ""


def _stat(pid: int) -> list[str]:
    """Return what the system says of a process, from its state on; nothing if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
            return file.read().rpartition(b")")[2].decode().split()
    except OSError:
        return []


def _family() -> list[int]:
    """Return our descendants."""
    if not LINUX:
        return []
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            stat = _stat(int(name))
            if stat:
                parents.setdefault(int(stat[1]), []).append(int(name))
    found, waiting = [], [os.getpid()]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def _memory(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0


def _spent(pids: list[int]) -> float:
    """Return the processor seconds of processes, of those of their children included that have ended."""
    ticks = 0
    for pid in pids:
        stat = _stat(pid)
        ticks += sum(map(int, stat[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _sweep() -> None:
    """End everything that is left; orphans of the bot are our children."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in _family():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


if __name__ == "__main__":
    main()
