"""A bot that somebody else runs, at the other end of a connection."""

from contextlib import suppress

from kibitz.agents.external_agent import Ending
from kibitz.bots.agents.bot import Bot
from kibitz.bots.bot_fault import TIME, BotFault
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.sandbox.sandbox import NONE, Sandbox
from kibitz.core.game import Game

PATIENCE = 60.0  # seconds for a move in a game without a clock
STARTING = 20.0  # seconds to get ready


class RemoteBot(Bot):
    """A bot whose driver belongs to someone else; the connection stays open after the game."""

    OPTIONS = {}

    def __init__(self, name: str, game: Game, seed: int, driver: ProtocolDriver | None):
        self._at = driver
        self._ending: Ending | None = None
        super().__init__(name, game, seed, {})

    def prepare(self) -> None:  # type: ignore[override]
        """Run nothing here."""
        self.set_up((), Sandbox(NONE), PATIENCE, STARTING, fresh=False)

    def start(self) -> ProtocolDriver:
        """Return the driver, which has greeted the bot already."""
        assert self._at is not None
        return self._at

    def on_end(self, ending: Ending) -> None:
        """Note how the game ended; the bot is told once the result is kept."""
        self._ending = ending

    def part(self) -> None:
        """Tell the bot how the game ended."""
        driver = self._driver
        self._detach()
        if driver is None or self._ending is None:
            return
        try:
            driver.end_game(self._seat or 0, self._ending)
        except BotFault:
            driver.close(politely=False)

    def _failed(self, fault: BotFault) -> BotFault:
        if fault.kind == TIME and self._driver is not None:
            with suppress(BotFault):
                self._driver.refuse(str(fault))
        return super()._failed(fault)
