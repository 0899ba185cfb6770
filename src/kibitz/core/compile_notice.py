"""The notice that machine code is being compiled: one line of the terminal, which is erased at the end."""

import sys

SENTENCE = "compiling for this machine, once for each game and agent"


class CompileNotice:
    """Says on standard error that machine code is being compiled; off a terminal that is one sentence."""

    def __init__(self) -> None:
        self.functions, self.depth = 0, 0

    def begin(self, name: str) -> None:
        """Show that a function is being compiled."""
        self.functions += 1
        self.depth += 1
        if sys.stderr.isatty() and self._has_the_line:
            so_far = f"{self.functions} function{'s' if self.functions > 1 else ''}"
            print(f"\r\x1b[2Kkibitz: {SENTENCE}: {so_far}", end="", file=sys.stderr, flush=True)
        elif self.functions == 1 and not sys.stderr.isatty():
            print(f"kibitz: {SENTENCE}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Show that a function has been compiled."""
        self.depth -= 1
        if self.depth == 0 and sys.stderr.isatty() and self._has_the_line:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)

    @property
    def _has_the_line(self) -> bool:
        """Whether nobody else draws on the terminal; a live view replaces standard error."""
        return not type(sys.stderr).__module__.startswith("rich")
