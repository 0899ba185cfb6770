"""The bot protocol, version 1: its messages, each one line of JSON. docs/bots.md tells how they follow each other.

Both sides ignore keys that they do not know. A line of a bot that does not begin with "{" is chatter.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from kibitz.agents.external_agent import Event
from kibitz.bots.bot_fault import FLOOD, PROTOCOL, BotFault
from kibitz.core.seeds import PROGRAM_BITS

PROTOCOL_NUMBER = 1
LONGEST_LINE = 1 << 20  # bytes of one line of a bot
MOST_A_MOVE = 8 << 20  # bytes that a bot may write until it answers
MOST_A_GAME = 64 << 20
SHOWN = 160  # characters of a line that an error sentence shows

VIEW, MOVES, TEXTS, TEXT, CELLS, EVENTS = WANTS = ("view", "moves", "texts", "text", "cells", "events")
USUAL_WANTS = (VIEW, MOVES, TEXTS, EVENTS)


class Message(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One line; `type` says which of the messages it is."""


class NumberedMessage(Message):
    """A message that is answered, or an answer, which has the same `id`."""

    id: int


# From the referee:


class Hello(NumberedMessage, tag_field="type", tag="hello"):
    """The first line: who speaks, and which games are to be played. The bot answers `ready`."""

    protocol: int
    referee: str
    games: list[str]


class Clock(Message):
    """The time that the bot has, in milliseconds; null means no limit."""

    move_ms: int | None
    game_ms: int | None
    increment_ms: int


class Paid(Message):
    """What payoffs are in a game in which they count: a number of `unit`, and whether all seats earn the same."""

    unit: str
    least: int
    most: int
    shared: bool = False


class New(NumberedMessage, tag_field="type", tag="new"):
    """A game begins, in which the bot has a seat. The bot answers `ok`."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    seat: int
    seat_names: list[str]
    clock: Clock
    seed: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            lt=2**PROGRAM_BITS,
            description="For the bot's own dice; nothing of the deal can be computed from it. Below 2^53, so that a "
            "JavaScript number and a signed integer of 64 bits hold it.",
        ),
    ]
    paid: Paid | msgspec.UnsetType = msgspec.UNSET  # left out where wins count; payoffs are then 0 to 1


class Decide(NumberedMessage, tag_field="type", tag="decide"):
    """The bot is to move. It answers `move`; before that it may ask `guess`, `simulate` and `playout`."""

    ply: int | None  # moves made before; null where nobody counts them
    seat: int
    view: Any = msgspec.UNSET  # what the seat knows, by name; what is hidden is null
    moves: list[int] | msgspec.UnsetType = msgspec.UNSET  # the legal moves, ascending
    texts: list[str] | msgspec.UnsetType = msgspec.UNSET  # the same moves in notation
    text: str | msgspec.UnsetType = msgspec.UNSET  # the position for people
    cells: list[int | None] | msgspec.UnsetType = msgspec.UNSET  # the view as Kibitz keeps it
    events: list[Event] | msgspec.UnsetType = msgspec.UNSET  # since the last `decide`
    left_ms: list[int | None] = []  # on the clock of each seat; empty without clocks


class End(NumberedMessage, tag_field="type", tag="end"):
    """The game is over. The bot may answer `ok`."""

    seat: int
    payoff: list[float]
    reason: str
    drawn_by: str = ""  # the cause of a draw, where the game can tell


class Worlds(Message, tag_field="type", tag="worlds"):
    """Numbers of the worlds that were asked for; they hold until the bot has moved."""

    worlds: list[int]


class SimulationResult(Message):
    """The result of a run; a run with an illegal move has only `illegal`, the index of that move in its line."""

    turn: int | msgspec.UnsetType | None = msgspec.UNSET  # the seat to move; null when the game is over or chance moves
    moves: list[int] | msgspec.UnsetType = msgspec.UNSET
    over: bool | msgspec.UnsetType = msgspec.UNSET
    payoff: list[float] | msgspec.UnsetType | None = msgspec.UNSET
    world: int | msgspec.UnsetType = msgspec.UNSET  # the position reached, where the run says keep
    count: int | msgspec.UnsetType = msgspec.UNSET  # playouts that the payoff is the mean of
    illegal: int | msgspec.UnsetType = msgspec.UNSET


class SimulationResults(Message, tag_field="type", tag="results"):
    """One result for each run, in the same order."""

    results: list[SimulationResult]


class Error(Message, tag_field="type", tag="error"):
    """What was wrong with the last line of the bot; sent before it is ended."""

    about: int
    sentence: str


class Quit(Message, tag_field="type", tag="quit"):
    """The last line: the bot should end within a second."""


# From the bot:


class Ready(NumberedMessage, tag_field="type", tag="ready"):
    """The answer to `hello`."""

    name: str = ""
    games: list[str] | None = None  # all, if it does not say
    wants: list[str] | None = None  # parts of `decide`; view, moves, texts and events, if it does not say
    protocol: int = PROTOCOL_NUMBER


class Ok(NumberedMessage, tag_field="type", tag="ok"):
    """The answer to `new` and `end`."""


class Move(NumberedMessage, tag_field="type", tag="move"):
    """The answer to `decide`: the move as a number or as text, and what the bot thought if it likes."""

    move: int | None = None
    text: str | None = None
    values: list[float] | None = None  # what the position seems worth to each seat
    line: list[int] | None = None  # the play it expects, this move first
    nodes: int = 0
    depth: int = 0
    note: str = ""


class Guess(Message, tag_field="type", tag="guess"):
    """A request for worlds that the seat cannot rule out, drawn from its view alone."""

    count: int = 1


class Simulation(Message):
    """Moves to be tried in a world."""

    world: int
    line: list[int] = []
    keep: bool = False  # whether the position reached is to be a world too
    count: int = 1  # of playouts
    policy: str = "random"


class Simulate(Message, tag_field="type", tag="simulate"):
    """A request to play moves in worlds."""

    runs: list[Simulation]


class Playout(Message, tag_field="type", tag="playout"):
    """A request to play moves in worlds, and from there to the end by a policy of the game."""

    runs: list[Simulation]


FromReferee = Hello | New | Decide | End | Worlds | SimulationResults | Error | Quit
FromBot = Ready | Ok | Move | Guess | Simulate | Playout

_encode = msgspec.json.Encoder().encode
_decode_bot: Callable[[bytes], FromBot] = msgspec.json.Decoder(FromBot).decode
_decode_referee: Callable[[bytes | str], FromReferee] = msgspec.json.Decoder(FromReferee).decode


def line_of(message: Message) -> bytes:
    """Return a message as a line."""
    return _encode(message) + b"\n"


def read_referee(line: bytes | str) -> FromReferee:
    """Return the message of a referee that a line holds."""
    try:
        return _decode_referee(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise BotFault(PROTOCOL, f"the referee wrote {shown(line)}, which is not a message: {error}") from None


def read_bot(line: bytes) -> FromBot | None:
    """Return the message of a bot that a line holds, None if it is chatter; nonsense is a fault."""
    if line[:1] != b"{" and line.lstrip()[:1] != b"{":
        return None
    try:
        return _decode_bot(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise BotFault(PROTOCOL, f"it wrote {shown(line)}, which is not a message: {why(line, error)}") from None


def why(line: bytes, error: Exception) -> str:
    """Return why a line is not a message; msgspec calls it truncated if half of a pair of \\u escapes is missing."""
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return f"it is not UTF-8 from byte {wrong.start} on (0x{line[wrong.start]:02x})"
    try:
        if "truncated" in str(error) and json.loads(line):
            return "one of its \\u escapes is half of a pair, which is not a character"
    except (ValueError, RecursionError):
        pass
    return str(error)


def shown(line: bytes | str) -> str:
    """Return a line as error sentences show it."""
    text = line if isinstance(line, str) else line[: 4 * SHOWN].decode(errors="replace")
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


class LineBuffer:
    """Splits what a bot writes into lines, and refuses too much of it."""

    def __init__(self) -> None:
        self.partial = b""  # of a line that has no end yet
        self.waiting: list[bytes] = []  # complete lines, the next one last
        self.this_move = 0  # bytes
        self.this_game = 0

    def feed(self, data: bytes) -> None:
        """Add data; a line that is too long, or too much data, is a fault."""
        self.this_move += len(data)
        *complete, self.partial = (self.partial + data).split(b"\n")
        if complete:
            self.waiting = [*reversed(complete), *self.waiting]
        if self.this_move > MOST_A_MOVE:
            raise BotFault(FLOOD, f"it wrote more than {MOST_A_MOVE >> 20} MiB for one answer")
        if self.this_game + self.this_move > MOST_A_GAME:
            raise BotFault(FLOOD, f"it wrote more than {MOST_A_GAME >> 20} MiB in one game")
        if len(self.partial) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in complete):
            raise BotFault(FLOOD, f"it wrote a line of more than {LONGEST_LINE >> 20} MiB")

    def next(self) -> bytes | None:
        """Return the next complete line without its end, or None."""
        return self.waiting.pop().removesuffix(b"\r") if self.waiting else None

    def new_move(self) -> None:
        """Reset the count for the next answer."""
        self.this_game += self.this_move
        self.this_move = 0

    def new_game(self) -> None:
        """Reset the count for the next game."""
        self.this_move = self.this_game = 0
