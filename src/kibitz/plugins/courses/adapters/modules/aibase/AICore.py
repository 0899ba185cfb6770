"""The module that scripts for the Colonizers program of D. Crha's thesis import, written anew from its description.

The thesis describes AIBase. The functions have the names that its program gives them.
"""

from abc import ABC, abstractmethod
from typing import Any


class AIBase(ABC):
    """What a script inherits from."""

    playing: Any = None  # the player of the script that runs in this process
    engine: Any = None  # what answers determinize and simulate

    @abstractmethod
    def messageCallback(self, gameState):
        """Return the index of an action in gameState["Actions"], as a text."""

    def run(self, pipeName):
        """Play; the game begins after the script has ended."""
        AIBase.playing = self

    def determinize(self):
        """Return the current state with a guess at all that is hidden."""
        return self.engine.determinize()

    def simulate(self, boardState, move):
        """Return the state after a move."""
        return self.engine.simulate(boardState, move)


def getPlayerByNumber(gameState, playerNumber):
    """Return a player by its number, 1 to 4."""
    return gameState["BoardState"]["Players"][playerNumber - 1]


def getCurrentPlayer(gameState):
    """Return the player whose turn it is."""
    return getPlayerByNumber(gameState, gameState["BoardState"]["PlayerTurn"])


def getOtherPlayers(gameState):
    """Return all players but the one whose turn it is."""
    turn = gameState["BoardState"]["PlayerTurn"]
    return [player for player in gameState["BoardState"]["Players"] if player["ID"] != turn]


def getHandSize(gameState, playerNumber):
    """Return how many cards a player holds."""
    return len(getPlayerByNumber(gameState, playerNumber)["Hand"])


def getColonyModuleCountByColor(gameState, playerNumber, color):
    """Return how many modules of a colour a player has built."""
    return [module["Type"] for module in getPlayerByNumber(gameState, playerNumber)["Colony"]].count(color)


def getColonyModuleCountPerColor(gameState, playerNumber):
    """Return pairs of a colour and how many modules of it a player has built, most first; red before green and blue."""
    counts = [
        (color, getColonyModuleCountByColor(gameState, playerNumber, color)) for color in ("Red", "Green", "Blue")
    ]
    return sorted(counts, key=lambda pair: -pair[1])


def indexOfFirstOrDefault(iterable, condition):
    """Return the index of the first entry that fits a condition, or None."""
    return next((at for at, entry in enumerate(iterable) if condition(entry)), None)


def getActionString(action):
    """Return an action as a text, which simulate takes: its type, and the module, target or colonist."""
    return " ".join(action.values())


def getActionStrings(gameState):
    """Return all actions as texts."""
    return [getActionString(action) for action in gameState["Actions"]]


def indexOfActionByString(gameState, actionString):
    """Return the index of the action with a text."""
    return getActionStrings(gameState).index(actionString)


def getPlayerRanking(gameState, playerNumber):
    """Return in which place a player has finished, from 1 to 4; 0 if the deck ran out."""
    return gameState["GameEndInfo"]["Players"][playerNumber - 1]["Ranking"]
