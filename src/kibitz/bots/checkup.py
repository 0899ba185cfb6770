"""The check-up of a bot: it is led through all that a referee does, and its author is told what is wrong."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from kibitz.agents import build
from kibitz.agents.agent import Agent
from kibitz.bots.agents.bot import Bot
from kibitz.bots.bot_fault import CRASH, FLOOD, ILLEGAL, MEMORY, PROTOCOL, START, TIME, BotFault
from kibitz.bots.bot_process import QUITTING, SILENT, BotProcess
from kibitz.bots.protocol_driver import Note, ProtocolDriver
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
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
    """One thing that was looked at."""

    sound: bool
    sentence: str
    hint: str = ""


class Checkup:
    """A bot under examination."""

    def __init__(self, text: str | Spec, game: Game, note: Note | None = None):
        mind = build(text, game, 1)
        assert isinstance(mind, Bot)
        self.mind, self.game, self.note = mind, game, note
        self.driver: ProtocolDriver | None = None
        self.slowest, self.decisions = 0.0, 0  # of the game that is played
        mind.start = self._running  # type: ignore[method-assign]

    def _running(self) -> ProtocolDriver:
        assert self.driver is not None
        return self.driver

    def findings(self) -> Iterator[CheckupFinding]:
        """Lead the bot through two games and their ends; yield what is found, up to what is wrong."""
        with suppress(KibitzError):  # what the referee needs is made first, so that no decision seems slow for it
            for view in warm_up_positions(self.game, 0):
                self.mind.rehearse(view)
        try:
            yield self._start()
            for seat in dict.fromkeys((0, self.game.seats - 1)):
                yield self._play(seat)
            yield from self._manners()
        except BotFault as fault:
            yield CheckupFinding(False, f"{fault} ({fault.kind})", _hint(fault))
        finally:
            if self.driver is not None:
                self.driver.close(politely=False)

    def _start(self) -> CheckupFinding:
        begun = monotonic()
        self.process = BotProcess(self.mind.program, self.mind.walls)
        self.driver = ProtocolDriver(self.process, self.note)
        try:
            self.driver.hello(self.game.name, self.mind.start_seconds)
            self.driver.plays(self.game.name)
        except BotFault as fault:
            raise BotFault(fault.kind, f"{fault}{self.driver.process.tail()}") from None
        wants = ", ".join(sorted(self.driver.wants))
        return CheckupFinding(
            True,
            f"it started in {monotonic() - begun:.2f} s; its name is {self.driver.name!r}, and it wants {wants}",
        )

    def _play(self, seat: int) -> CheckupFinding:
        """Play a game with the bot in one seat and random agents in the others."""
        game, table = self.game, Table(self.game, seat + 1)
        others = [build("random", game, other + 1) for other in range(game.seats)]
        minds: list[Agent] = [self.mind if other == seat else others[other] for other in range(game.seats)]
        self.mind.sit(seat, None, None, 0.0)
        self.slowest, self.decisions = 0.0, 0
        while not table.over and table.ply < LONGEST_GAME:
            self._turn(table, minds, seat)
        ended = "to its end" if table.over else f"for {LONGEST_GAME} plies"
        self._end_game(table, seat)
        return CheckupFinding(
            True,
            f"it played a game in seat {seat} {ended}, {self.decisions} decisions, "
            f"the slowest {1000 * self.slowest:.1f} ms",
        )

    def _end_game(self, table: Table, seat: int) -> None:
        """Tell the bot how its game ended, as a referee does."""
        payoff, reason = [1 / self.game.seats] * self.game.seats, "cap"
        if table.over:
            payoff = table.payoff()
            reason = "won" if payoff.count(max(payoff)) == 1 else "drawn"
        assert self.driver is not None
        self.driver.end_game(seat, payoff, reason, table.drawn_by() if reason == "drawn" else "")
        self.mind._detach()

    def _turn(self, table: Table, minds: list[Agent], seat: int) -> None:
        turn, begun = table.turn, monotonic()
        move = minds[turn].decide(table.view(turn)).move
        if turn == seat:
            self.slowest, self.decisions = max(self.slowest, monotonic() - begun), self.decisions + 1
        text = table.write(move) if turn == seat or not self.game.hidden else table.told(move, seat)
        self.mind.hear(table.ply, turn, None if text is None else move, text)
        table.play(move)

    def _manners(self) -> Iterator[CheckupFinding]:
        assert self.driver is not None
        process = self.process
        if process.chatter:
            last = process.chatter[-1].decode(errors="replace")
            yield CheckupFinding(
                True, f"it also prints lines that are no messages, which are ignored; the last was {last!r:.80}"
            )
        if process.said.strip():
            yield CheckupFinding(True, f"it writes to standard error{process.tail()}")
        begun = monotonic()
        self.driver.close()
        spent = monotonic() - begun
        if spent < QUITTING:
            yield CheckupFinding(True, f"it ended {spent:.2f} s after `quit`")
        else:
            yield CheckupFinding(
                True, f"it did not end within {QUITTING:g} s after `quit`, and was killed; that costs time only"
            )


def _hint(fault: BotFault) -> str:
    """Return what an author should do about a fault."""
    sentence = str(fault)
    if "another line" in sentence:
        return HINTS[PROTOCOL]
    if fault.kind == TIME and SILENT not in sentence and "without an end" not in sentence:
        return SLOW
    return HINTS.get(fault.kind, "")
