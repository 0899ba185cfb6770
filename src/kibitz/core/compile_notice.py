"""The notice that machine code is being compiled: one line of a terminal or notebook, which is erased at the end."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from threading import Event, Lock, Thread
from time import process_time

from kibitz.core.compile_forecast import CompileForecast, CompileProgress

SENTENCE = "compiling for this machine, once for each game and agent"
_EVERY = 0.5  # seconds between two looks at the clock
_LONG = 2.0  # CPU seconds of compiling, after which it is said in any case
_WIDTH = 100  # characters, more than a line has


class CompileNotice:
    """Shows on standard error how far compiling is.

    Off a terminal it says one sentence: in commands as soon as the whole time is known, and otherwise if it takes long.
    """

    def __init__(self, forecast: CompileForecast):
        self.speaks = False  # whether this is a command
        self._lasted, self._begun = 0.0, process_time()  # CPU seconds of compiling, and the clock at its last beginning
        self._forecast, self._spoken, self._idle = forecast, False, Event()
        self._idle.set()
        self._ticks: Thread | None = None
        self._writing = Lock()
        self._draw: Callable[[str], None] | None = None

    @contextmanager
    def drawn_by(self, draw: Callable[[str], None]) -> Iterator[None]:
        """Let a view that fills the terminal draw the notice in the block; an empty text erases it."""
        before, self._draw = self._draw, draw
        try:
            yield
        finally:
            self._draw = before

    def tell(self, progress: CompileProgress | None) -> None:
        """Show how far compiling is; None erases the line."""
        if parent_process() is not None:
            return  # the process that started this one shows its own
        if progress is None:
            self._lasted += process_time() - self._begun
            with self._writing:
                self._idle.set()
                self._show("")
            return
        self._idle.clear()
        self._begun = process_time()
        if self._has_a_line():
            self._show(f"{SENTENCE}: {progress}")
            if self._ticks is None or not self._ticks.is_alive():
                self._ticks = Thread(target=self._tick, daemon=True)
                self._ticks.start()
        else:
            self._speak(progress)

    def tell_of_worker(self, progress: CompileProgress | None) -> None:
        """Show how far a worker of this process is with compiling, unless this process compiles itself."""
        with self._writing:
            if not self._idle.is_set():
                return
            if progress is None or self._has_a_line():
                self._show("" if progress is None else f"{SENTENCE}: {progress}")
            else:
                self._speak(progress)

    def _speak(self, progress: CompileProgress) -> None:
        due = (self.speaks and progress.whole) or self._lasted > _LONG
        if due and not self._spoken and not sys.stderr.isatty():
            self._spoken = True
            print(f"kibitz: {SENTENCE}: {progress.time}", file=sys.stderr, flush=True)

    def _tick(self) -> None:
        while not self._idle.wait(_EVERY):
            with self._writing:
                if not self._idle.is_set():
                    self._show(f"{SENTENCE}: {self._forecast.progress()}")

    def _show(self, text: str) -> None:
        if self._draw is not None:
            self._draw(text)
        elif self._has_a_line():
            erased = "\r\x1b[2K" if sys.stderr.isatty() else f"\r{' ' * _WIDTH}\r"
            print(f"{erased}{text and f'kibitz: {text}'}", end="", file=sys.stderr, flush=True)

    def _has_a_line(self) -> bool:
        """Return whether a line can change: a view draws it, or nobody else writes there."""
        home = type(sys.stderr).__module__
        free = home.startswith("ipykernel") or (sys.stderr.isatty() and not home.startswith("rich"))
        return self._draw is not None or free
