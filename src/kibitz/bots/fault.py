"""A fault of a bot: what it did wrong, in a word for the books and in a sentence for its author."""

from kibitz.core.errors import KibitzError

START, TIME, CRASH, PROTOCOL, FLOOD, MEMORY, ILLEGAL = (
    "start", "time", "crash", "protocol", "flood", "memory", "illegal",
)  # fmt: skip
KINDS = (START, TIME, CRASH, PROTOCOL, FLOOD, MEMORY, ILLEGAL)


class BotFault(KibitzError):
    """A bot has failed; `kind` is one of KINDS."""

    def __init__(self, kind: str, sentence: str, killed: bool = False):
        super().__init__(sentence)
        self.kind = kind
        self.killed = killed  # whether somebody else may have ended its process

    def __reduce__(self) -> tuple[type, tuple[str, str, bool]]:
        return type(self), (self.kind, str(self), self.killed)
