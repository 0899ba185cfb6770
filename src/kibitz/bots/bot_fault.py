"""A fault of a bot: its kind for the records, and a sentence for the bot's author."""

from kibitz.core.errors import KibitzError

START, TIME, CRASH, PROTOCOL, FLOOD, MEMORY, ILLEGAL = (
    "start", "time", "crash", "protocol", "flood", "memory", "illegal",
)  # fmt: skip
KINDS = (START, TIME, CRASH, PROTOCOL, FLOOD, MEMORY, ILLEGAL)


def harmless(text: str) -> str:
    """Return a text from a bot with control characters escaped, so that a terminal can show it."""
    text = text.replace("\r\n", "\n")
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else repr(char)[1:-1] for char in text)


class BotFault(KibitzError):
    """A bot has failed; `kind` is one of KINDS."""

    def __init__(self, kind: str, sentence: str, killed: bool = False, perhaps_killed: bool = False):
        super().__init__(harmless(sentence))
        self.kind = kind
        self.killed = killed  # whether its process was certainly ended from outside
        self.perhaps_killed = perhaps_killed  # whether that may be, or it may have done it itself

    def __reduce__(self) -> tuple[type, tuple[str, str, bool, bool]]:
        return type(self), (self.kind, str(self), self.killed, self.perhaps_killed)
