"""The agents of a game in the terminal that are told what happens at its table: bots, and what is run like them."""

from collections.abc import Mapping, Sequence

from kibitz.agents.agent import Agent, ExternalAgent
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import Hearer, accuse, tell_past
from kibitz.bots.bot_fault import BotFault
from kibitz.core.table import Table


class SeatedBots:
    """Those that attend, and of them those that hear of moves."""

    def __init__(self, table: Table, minds: Mapping[int, Agent], names: Sequence[str]):
        self.table, self.names = table, names
        self.minds = {seat: mind for seat, mind in minds.items() if isinstance(mind, ExternalAgent)}
        self.hearers: list[Hearer] = []

    def sit(self, where: str) -> None:
        """Begin the game for them, and tell them of the moves made so far; one that fails is an AgentFault."""
        for seat, mind in self.minds.items():
            mind.deal = self.table.seed
            try:
                mind.sit(seat, None, None, 0.0)
            except BotFault as fault:
                reason = Reason(fault.kind)
                raise accuse(self.names[seat], seat, self.table.ply, where, reason, str(fault)) from None
        self.hearers = [(seat, mind) for seat, mind in self.minds.items() if mind.hears]
        tell_past(self.table.game, self.table.seed, self.table.moves_made, self.hearers)

    def allow(self, seat: int) -> None:
        """Tell the agent of a seat that it is to move, without a clock."""
        if seat in self.minds:
            self.minds[seat].allow(None, (), self.table.ply)

    def leave(self) -> None:
        """Tell them how the game ended, or that it goes on another time."""
        for mind in self.minds.values():
            mind.leave_table(self.table)
