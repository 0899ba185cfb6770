"""A script for AIBase that searches as the thesis's MaxN does: guesses, every player for itself, and a vote."""

# ruff: noqa: F405
import sys

from AICore import *  # noqa: F403, as scripts of the thesis do

GUESSES, DEPTH = 3, 2


def worths(board):
    """Return what each player has built."""
    return [sum(module["VictoryValue"] for module in player["Colony"]) for player in board["Players"]]


class Searching(AIBase):
    """Votes over guesses."""

    def messageCallback(self, gameState):
        actions = getActionStrings(gameState)
        votes = dict.fromkeys(actions, 0)
        for _ in range(GUESSES):
            board = self.determinize()["BoardState"]
            me = board["PlayerTurn"] - 1
            votes[max(actions, key=lambda action: self.reach(self.simulate(board, action), DEPTH - 1)[me])] += 1
        return str(indexOfActionByString(gameState, max(votes, key=votes.get)))

    def reach(self, gameState, depth):
        """Return what all players reach."""
        board = gameState["BoardState"]
        if gameState["GameOver"] or not depth:
            return worths(board)
        after = [self.simulate(board, action) for action in getActionStrings(gameState)]
        return max((self.reach(state, depth - 1) for state in after), key=lambda found: found[board["PlayerTurn"] - 1])


if __name__ == "__main__":
    Searching().run(sys.argv[1])
