"""The check-up of a bot: it goes through everything that a referee does, and its author learns what is wrong."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from kibitz.agents import build
from kibitz.agents.external_agent import Ending
from kibitz.agents.seated_agents import SeatedAgents
from kibitz.bots.agents.bot import Bot
from kibitz.bots.bot_fault import CRASH, FLOOD, ILLEGAL, MEMORY, PROTOCOL, START, TIME, BotFault
from kibitz.bots.bot_process import QUITTING, SILENT, BotProcess
from kibitz.bots.protocol_driver import Note, ProtocolDriver
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.options import read_options
from kibitz.core.spec import Spec
from kibitz.core.table import Table
from kibitz.core.warm_up_positions import warm_up_positions

LONGEST_GAME = 2000  # plies
HINTS = {
    START: "a bot answers `hello` with {\"type\": \"ready\", \"id\": …} on standard output, and stays until `quit`",
    TIME: "flush standard output after every line (in Python: print(…, flush=True)), and end every line with a newline",
    CRASH: "run the bot by hand and type the lines above; what it writes to standard error is shown",
    PROTOCOL: "an answer is one line of JSON with `type` and the `id` of what it answers; docs/bots.md lists them all",
    FLOOD: "a line may have 1 MiB, an answer 8 MiB, and a bot 64 processes",
    MEMORY: "the option memory=… of the agent bot allows more",
    ILLEGAL: "play one of `moves`, as {\"type\": \"move\", \"id\": …, \"move\": …}, or one of `texts` as \"text\"",
}  # fmt: skip
SLOW = "answer sooner; every match says in `clock` how long a bot may think"


@dataclass(frozen=True)
class CheckupFinding:
    """The result of one check."""

    sound: bool
    sentence: str
    hint: str = ""


class ExaminedBot(Bot):
    """A bot whose process stays the same from game to game, and whose faults at the end of a game show."""

    driver: ProtocolDriver | None = None

    def start(self) -> ProtocolDriver:
        """Return the process, which has been greeted already."""
        assert self.driver is not None
        return self.driver

    def on_end(self, ending: Ending) -> None:
        """Tell the bot how its game ended."""
        self.start().end_game(self._seat or 0, ending)
        self._detach()


class Checkup:
    """A bot under examination."""

    def __init__(self, spec: Spec, game: Game, note: Note | None = None):
        self.mind = ExaminedBot(str(spec), game, 1, read_options(spec.name, Bot.OPTIONS, spec))
        self.game, self.note = game, note
        self.slowest, self.decisions = 0.0, 0  # of the game that is played

    def findings(self) -> Iterator[CheckupFinding]:
        """Play two games with the bot; yield what is found, up to the first fault."""
        with suppress(KibitzError):  # compile the referee's code first, so that no decision seems slow because of it
            for view in warm_up_positions(self.game, 0):
                self.mind.warm_up(view)
        try:
            yield self._start()
            for seat in dict.fromkeys((0, self.game.seats - 1)):
                yield self._play(seat)
            yield from self._manners()
        except BotFault as fault:
            yield CheckupFinding(False, f"{fault} ({fault.kind})", _hint(fault))
        finally:
            if self.mind.driver is not None:
                self.mind.driver.close(politely=False)

    def _start(self) -> CheckupFinding:
        begun = monotonic()
        self.process = BotProcess(self.mind.program, self.mind.sandbox)
        self.mind.driver = driver = ProtocolDriver(self.process, self.note)
        try:
            driver.hello(self.game.name, self.mind.start_seconds)
            driver.plays(self.game.name)
        except BotFault as fault:
            raise BotFault(fault.kind, f"{fault}{self.process.tail()}") from None
        wants = ", ".join(sorted(driver.wants))
        return CheckupFinding(
            True, f"it started in {monotonic() - begun:.2f} s; its name is {driver.name!r}, and it wants {wants}"
        )

    def _play(self, seat: int) -> CheckupFinding:
        """Play a game with the bot in one seat and random agents in the others."""
        game, table = self.game, Table(self.game, seat + 1)
        seated = SeatedAgents(table, {other: build("random", game, other + 1) for other in range(game.seats)})
        seated.new(seat, self.mind)
        self.slowest, self.decisions = 0.0, 0
        while not table.over and table.ply < LONGEST_GAME:
            self._turn(seated, seat)
        ended = "to its end" if table.over else f"for {LONGEST_GAME} plies"
        seated.end(Ending.of(table, unfinished="cap"))
        return CheckupFinding(
            True,
            f"it played a game in seat {seat} {ended}, {self.decisions} decisions, "
            f"the slowest {1000 * self.slowest:.1f} ms",
        )

    def _turn(self, seated: SeatedAgents, seat: int) -> None:
        turn, begun = seated.table.turn, monotonic()
        move = seated.decide(seated.table.view(turn)).move
        if turn == seat:
            self.slowest, self.decisions = max(self.slowest, monotonic() - begun), self.decisions + 1
        seated.play(move)

    def _manners(self) -> Iterator[CheckupFinding]:
        process = self.process
        if process.chatter:
            last = process.chatter[-1].decode(errors="replace")
            yield CheckupFinding(
                True, f"it also prints lines that are not messages and are ignored; the last was {last!r:.80}"
            )
        if process.said.strip():
            yield CheckupFinding(True, f"it writes to standard error{process.tail()}")
        begun = monotonic()
        self.mind.start().close()
        spent = monotonic() - begun
        if spent < QUITTING:
            yield CheckupFinding(True, f"it ended {spent:.2f} s after `quit`")
        else:
            yield CheckupFinding(
                True, f"it did not end within {QUITTING:g} s after `quit`, and was killed; that costs time only"
            )


def _hint(fault: BotFault) -> str:
    """Return what the author of a bot can do about a fault."""
    sentence = str(fault)
    if "another line" in sentence:
        return HINTS[PROTOCOL]
    if fault.kind == TIME and SILENT not in sentence and "without an end" not in sentence:
        return SLOW
    return HINTS.get(fault.kind, "")
