"""Reasons: the closed list of the ways in which a game can end."""

from enum import StrEnum


class _Word(StrEnum):
    """A word of a closed list, pickled by its value; early versions of Python 3.11 would pickle a call to getattr."""

    def __reduce_ex__(self, protocol: object) -> tuple[type, tuple[str]]:
        return type(self), (self.value,)


class Reason(_Word):
    """Why a game ended."""

    WON = "won"  # by the rules: one seat earned more than all others
    DRAWN = "drawn"  # by the rules: the best seats earned the same
    CAP = "cap"  # the limit of plies was reached: a draw
    TIME = "time"  # from here on a seat failed and lost
    NODES = "nodes"
    MEMORY = "memory"
    ILLEGAL = "illegal"
    CRASH = "crash"
    START = "start"  # from here on only bots: it could not be started
    PROTOCOL = "protocol"  # it wrote nonsense
    FLOOD = "flood"  # it wrote, or ran, too much
    VOID = "void"  # nobody is to blame, or nobody knows who: no game of its block counts


class Killed(_Word):
    """Whether somebody else ended a process."""

    NO = ""
    PERHAPS = "perhaps"  # by a signal that it can have sent itself
    SURELY = "surely"


PROCESS_REASONS = frozenset({Reason.TIME, Reason.MEMORY, Reason.CRASH})  # what earlier games in a process could cause
