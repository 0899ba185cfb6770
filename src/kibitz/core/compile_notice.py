"""The notice that machine code is being compiled: one line of a terminal or notebook, which is erased at the end."""

import sys
from multiprocessing import parent_process
from threading import Event, Lock, Thread

from kibitz.core.compile_forecast import CompileForecast, CompileProgress

SENTENCE = "compiling for this machine, once for each game and agent"
_EVERY = 0.5  # seconds between two looks at the clock
_WIDTH = 100  # characters, more than a line has


class CompileNotice:
    """Shows on standard error how far compiling is; off a terminal only commands say anything, one sentence."""

    def __init__(self, forecast: CompileForecast):
        self.speaks = False  # whether a sentence is written off a terminal
        self._forecast, self._spoken, self._idle = forecast, False, Event()
        self._ticks: Thread | None = None
        self._writing = Lock()

    def tell(self, progress: CompileProgress | None) -> None:
        """Show how far compiling is; None erases the line."""
        if parent_process() is not None:
            return  # the process that started this one shows its own
        if progress is None:
            with self._writing:
                self._idle.set()
                self._show("")
            return
        self._idle.clear()
        if self._has_a_line():
            self._show(f"kibitz: {SENTENCE}: {progress}")
            if self._ticks is None or not self._ticks.is_alive():
                self._ticks = Thread(target=self._tick, daemon=True)
                self._ticks.start()
        elif self.speaks and not self._spoken and not sys.stderr.isatty():
            self._spoken = True
            print(f"kibitz: {SENTENCE}: about {max(1, round(progress.seconds_left))} s", file=sys.stderr, flush=True)

    def _tick(self) -> None:
        while not self._idle.wait(_EVERY):
            with self._writing:
                if not self._idle.is_set():
                    self._show(f"kibitz: {SENTENCE}: {self._forecast.progress()}")

    def _show(self, text: str) -> None:
        if not self._has_a_line():
            return
        erased = "\r\x1b[2K" if sys.stderr.isatty() else f"\r{' ' * _WIDTH}\r"
        print(f"{erased}{text}", end="", file=sys.stderr, flush=True)

    def _has_a_line(self) -> bool:
        """Return whether a line can change, and nobody else draws there; a live view replaces standard error."""
        home = type(sys.stderr).__module__
        return home.startswith("ipykernel") or (sys.stderr.isatty() and not home.startswith("rich"))
