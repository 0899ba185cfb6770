"""The process of a bot: started in a sandbox, talked to line by line with deadlines, and ended with all it started.

All waiting happens in the thread that asks. A launcher (launcher.py) stands between us and the bot; it ends whatever
the bot leaves behind, even after we are gone. Where the bot ends its launcher, we do the same.
"""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from kibitz.bots import orphans
from kibitz.bots.bot_fault import CRASH, FLOOD, MEMORY, START, TIME, BotFault, harmless
from kibitz.bots.launcher import remove_folder
from kibitz.bots.protocol import LineBuffer, Quit, line_of
from kibitz.bots.sandbox.landlock import close_to_others
from kibitz.bots.sandbox.sandbox import BWRAP, KERNEL, Sandbox, environment, new_private_folder
from kibitz.core.errors import BadValue

LAUNCHER = Path(__file__).with_name("launcher.py")
CHUNK = 1 << 16
KEPT = 32 << 10  # bytes of the beginning, and of the end, of what a bot writes to standard error
SLICE = 1.0  # seconds of waiting after which we check for a pause of our own process
PAUSE = 0.5  # seconds by which a slice may be late before it counts as a pause
QUITTING = 1.0  # seconds for a bot to end after `quit`
ENDING = 10.0  # seconds for a launcher to end what it has started
LOOK_EVERY = 0.1  # seconds between looks whether the bot has stopped its launcher
MOST_STOPS = 3  # in one game; then the bot has failed
DYING = 2.0  # seconds for a launcher to say how a bot ended whose output has closed
CAME = "came"  # in complaints, the word after which the driver says when
SAID = "; it said: "  # in complaints, before what a bot wrote to standard error
NO_LINE = "no complete line"  # in complaints about a bot that is late
SILENT = "did it flush its standard output?"  # in complaints about a bot that has written nothing
TAIL = 300  # characters of standard error in a complaint
ERROR = "Error"  # a line of standard error with this word is worth more than the last ones
_ENDED_BY_SIGNAL = 128  # what is added to a signal's number in exit codes of bwrap
_KILLED_INSIDE = f"exit {_ENDED_BY_SIGNAL + signal.SIGKILL}"
_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)  # how people and systems end a launcher
_SIGNS_OF_MEMORY = ("MemoryError", "bad_alloc", "OutOfMemoryError", "heap out of memory", "Cannot allocate memory")


class BotProcess:
    """A running bot, as lines that go in and out."""

    def __init__(self, program: Sequence[str], sandbox: Sandbox):
        if not hasattr(os, "fork"):
            raise BadValue("bots need a system like Linux or macOS")
        self.sandbox, self.lines, self.owner = sandbox, LineBuffer(), os.getpid()
        self.first, self.last = b"", b""  # of standard error
        self.heard = self._told = 0  # bytes of it received, and bytes passed on
        self.chatter: list[bytes] = []  # the last lines that were no messages
        self._verdict = ""  # how it ended, as the launcher says it
        self._began = False  # whether it has ever been given a game
        self._reachable = sys.platform == "linux" and not sandbox.solid  # the launcher is, for the bot
        self._stops, self._next_look = 0, 0.0
        self._private_folder = (
            new_private_folder() if sandbox.built == KERNEL else ""
        )  # the folder in which it may write
        rules = [word for rule in sandbox.landlock_rules(program, self._private_folder) for word in rule]
        behind = [sandbox.limits, *rules, "--", *sandbox.around(program)]
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-I", "-S", str(LAUNCHER), str(theirs.fileno()), *behind]
        close_to_others()
        orphans.adopt()
        try:
            self._launcher = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, bufsize=0, env=environment(sandbox), start_new_session=True,
                pass_fds=[theirs.fileno()],
            )  # fmt: skip
        except OSError as error:
            self._control.close()
            orphans.release()
            raise BotFault(START, f"it cannot be started: {error.strerror}") from None
        finally:
            theirs.close()
        assert self._launcher.stdin and self._launcher.stdout and self._launcher.stderr  # noqa: PT018
        self._in, self._out, self._err = (
            stream.fileno() for stream in (self._launcher.stdin, self._launcher.stdout, self._launcher.stderr)
        )
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._poll.register(self._control, select.POLLIN)
        self.alive = True

    @property
    def pid(self) -> int:
        """The process that we have started, whose descendant the bot is."""
        return self._launcher.pid

    @property
    def killed(self) -> bool:
        """Whether it was certainly ended from outside: its launcher or bubblewrap was killed, or memory ran out.

        Without solid walls, a bot can do all that to itself; one without bubblewrap's, which is a process, can at least
        send itself a signal.
        """
        if not self.sandbox.solid:
            return False
        if self._verdict == "gone":
            return self._launcher.returncode in _FROM_OUTSIDE
        if self.sandbox.built != BWRAP:
            return self._verdict == "oom"
        return self._verdict in ("oom", f"signal {signal.SIGKILL}")

    @property
    def perhaps_killed(self) -> bool:
        """Whether somebody else may have ended it: by SIGKILL, or with the launcher that supervises it."""
        exits = (_KILLED_INSIDE,) if self.sandbox.built == BWRAP else ()
        return self._verdict in ("gone", "oom", f"signal {signal.SIGKILL:d}", *exits)

    def begin_game(self) -> None:
        """Begin a new count of what the bot uses."""
        self.lines.new_game()
        self._stops, self._began = 0, True
        if self.sandbox.cpu is not None:
            with suppress(OSError):
                self._control.send(b"game")

    def send(self, line: bytes, until: float) -> None:
        """Write a line, and read what the bot writes meanwhile; a bot that does not read in time has failed."""
        if self._reachable:
            self._keep_launcher_going()
        try:
            written = os.write(self._in, line)
        except BlockingIOError:
            written = 0
        except OSError:
            raise self._ended() from None
        if written < len(line):
            self._send_slowly(line[written:], until)

    def _send_slowly(self, rest: bytes, until: float) -> None:
        self._poll.register(self._in, select.POLLOUT)
        try:
            while rest:
                for descriptor, event in self._wait(until, "it does not read its standard input"):
                    if descriptor == self._in and event & select.POLLOUT:
                        rest = rest[os.write(self._in, rest) :]
                    elif descriptor == self._in:
                        raise self._ended()
        except OSError:
            raise self._ended() from None
        finally:
            self._poll.unregister(self._in)

    def receive(self, until: float) -> bytes:
        """Return the next line of the bot; if none comes in time, or none can come any more, it has failed."""
        while True:
            line = self.lines.next()
            if line is not None:
                return line
            self._wait(until, "")

    def _wait(self, until: float, complaint: str) -> list[tuple[int, int]]:
        """Wait until something happens, and read what has arrived."""
        while True:
            now = monotonic()
            left = max(0.0, min(SLICE, until - now))
            ready = self._poll.poll(1000 * left)
            if ready:
                break
            after = monotonic()
            if after - now > left + PAUSE:  # this process could not run, which is not the bot's fault
                until += after - now - left
            elif after >= until:
                raise BotFault(TIME, complaint or self._silence())
            if self._reachable:
                self._keep_launcher_going()
        if len(ready) == 1 and ready[0][0] == self._control.fileno():  # others may hold its output open
            raise self._ended()
        for descriptor, _ in ready:
            if descriptor == self._out:
                data = self._read(self._out)
                if not data:
                    raise self._ended()
                self.lines.feed(data)
            elif descriptor == self._err:
                self._hear(self._read(self._err))
        return ready

    def _keep_launcher_going(self) -> None:
        """Continue a launcher that the bot has stopped; a bot that keeps stopping it has failed."""
        now = monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        if _is_stopped(self.pid):
            self._stops += 1
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGCONT)
        if self._stops >= MOST_STOPS:
            raise BotFault(CRASH, "it stopped the launcher that watches it")

    def _read(self, descriptor: int) -> bytes:
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:
            return b"\n" if descriptor == self._out else b" "
        except OSError:
            return b""

    def _hear(self, data: bytes) -> None:
        if not data:
            self._poll.unregister(self._err)
            return
        self._keep(data)

    def _keep(self, data: bytes) -> None:
        room = KEPT - len(self.first)
        self.first += data[:room]
        self.last = (self.last + data[room:])[-KEPT:]
        self.heard += len(data)

    def _silence(self) -> str:
        if self.lines.partial:
            return f"only {len(self.lines.partial)} bytes without an end {CAME}; every message ends with a newline"
        return f"{NO_LINE} {CAME}; {SILENT}"

    @property
    def said(self) -> str:
        """What the bot wrote to standard error; of a long text, the beginning and the end."""
        return (self.first + self.last).decode(errors="replace")

    def news(self) -> str:
        """Return what it wrote to standard error since this was last asked, or the end of that."""
        if self.alive:
            self._drain()
        fresh = self.heard - self._told
        self._told = self.heard
        return (self.first + self.last)[-fresh:].decode(errors="replace") if fresh else ""

    def _drain(self) -> None:
        """Read the rest of standard error."""
        for _ in range(2 * KEPT // CHUNK + 2):
            try:
                data = os.read(self._err, CHUNK)
            except OSError:
                return
            if not data:
                return
            self._keep(data)

    def tail(self) -> str:
        """Return the end of standard error, with the last error in it, as the end of a sentence."""
        words = " ".join(harmless(self.said).split())
        if len(words) <= TAIL:
            return f"{SAID}{words}" if words else ""
        errors = [" ".join(harmless(line).split()) for line in self.said.splitlines() if ERROR in line]
        if not errors or errors[-1] in words[-TAIL:]:
            return f"{SAID}…{words[-TAIL:]}"
        error = errors[-1][: TAIL // 2]
        return f"{SAID}…{error} …{words[len(error) - TAIL :]}"

    def _ended(self) -> BotFault:
        """Return the fault of a bot whose output has closed."""
        kind, sentence = self._cause(self._wait_for_verdict(DYING))
        return BotFault(kind, sentence)

    def _wait_for_verdict(self, seconds: float) -> str:
        if not self._verdict:
            self._control.settimeout(seconds)
            with suppress(OSError):
                self._verdict = self._control.recv(1000).decode(errors="replace").strip() or "gone"
        self._drain()
        return self._verdict

    def _cause(self, verdict: str) -> tuple[str, str]:
        """Return the kind of a bot's end and a sentence about it."""
        what, _, detail = verdict.partition(" ")
        number = int(detail) if detail.isdecimal() else 0
        if what == "exit" and number > _ENDED_BY_SIGNAL and self.sandbox.built == BWRAP:
            what, number = "signal", number - _ENDED_BY_SIGNAL
        if what == "start":
            return START, f"it cannot be started: {detail}"
        if what == "memory":
            return MEMORY, f"it took {detail} MB of memory; {self.sandbox.memory} are allowed"
        if what == "processes":
            return FLOOD, f"it ran {detail} processes at once"
        if what == "cpu":
            return TIME, f"it used {detail} seconds of the processor in one game; {self.sandbox.cpu} are allowed"
        if any(sign in self.said[-KEPT:] for sign in _SIGNS_OF_MEMORY):
            return MEMORY, "it ran out of memory"
        if what == "exit":
            when = "" if number else " in the middle of a game" if self._began else " before any game"
            return CRASH, f"it ended with exit code {number}{when}"
        if what == "signal":
            return CRASH, f"it was ended by {_signal_name(number)}"
        if what == "oom":
            return CRASH, "the system ended it, which had no memory left"
        if what == "gone" and not self.sandbox.solid:
            return CRASH, "it was ended from outside, or has itself ended the launcher that watches it"
        if what in ("gone", "ended"):
            return CRASH, "it was ended from outside"
        return CRASH, "it closed its standard input or output"

    def end(self, politely: bool = True) -> None:
        """End the bot and everything that it has started."""
        if not self.alive or os.getpid() != self.owner:
            return
        self.alive = False
        assert self._launcher.stdin and self._launcher.stdout and self._launcher.stderr  # noqa: PT018
        if politely and not self._verdict:
            with suppress(OSError):
                os.write(self._in, line_of(Quit()))
        self._launcher.stdin.close()
        if politely and not self._verdict:
            self._wait_while_it_quits()
        self._control.close()  # which ends all
        if self._stops >= MOST_STOPS:
            self._launcher.kill()  # it would be stopped again before it has ended anything; we do that ourselves
        self._launcher.send_signal(signal.SIGCONT)  # the bot may have stopped it
        try:
            self._launcher.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._launcher.kill()
            self._launcher.wait()
        if self._launcher.returncode:
            orphans.end_orphans()
            remove_folder(self._private_folder)
        orphans.release()
        self._launcher.stdout.close()
        self._launcher.stderr.close()

    def _wait_while_it_quits(self) -> None:
        """Wait until the launcher reports the end of the bot; discard what the bot still writes."""
        until = monotonic() + QUITTING
        while (left := until - monotonic()) > 0:
            for descriptor, _ in self._poll.poll(1000 * left):
                if descriptor == self._control.fileno():
                    return
                with suppress(OSError):
                    if not os.read(descriptor, CHUNK):
                        self._poll.unregister(descriptor)


def _is_stopped(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in b"Tt"
    except (OSError, IndexError):
        return False


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
