"""The agent that leaves a number of coins that three divides."""

from kibitz import Agent


class Taker(Agent):
    """Leaves three coins, or six, where it can."""

    def decide(self, view):
        """Take what is too many."""
        legal, left = self.legal(view), int(view[self.game.cells["COINS"]])
        return legal[-1] if left % 3 == 2 else legal[0]
