"""A script for the Colonizers program of D. Crha's thesis that builds what is worth most, and looks one action ahead.

kibitz match colonizers "aibase(./builder_script.py)" heuristic
"""

import sys

from AICore import (
    AIBase,
    getActionStrings,
    getColonyModuleCountPerColor,
    getCurrentPlayer,
    getPlayerByNumber,
    indexOfActionByString,
)

GUESSES = 5
ENOUGH = 2  # cards in hand


def worth(gameState, number):
    """Return what a player has: its colony, and a little for Omnium and cards in hand."""
    player = getPlayerByNumber(gameState, number)
    built = sum(module["VictoryValue"] for module in player["Colony"])
    return built + 0.5 * player["Omnium"] + 0.5 * len(player["Hand"])


class Builder(AIBase):
    """Picks the colonist of its colours, draws with few cards, builds the best, and tries all else in guesses."""

    def messageCallback(self, gameState):
        phase = gameState["BoardState"]["GamePhase"]
        if phase == "ColonistPick":
            return str(self.pick(gameState))
        if phase == "Draw" and len(getCurrentPlayer(gameState)["Hand"]) < ENOUGH:
            return str(indexOfActionByString(gameState, "DrawModules"))
        if phase == "Build":
            return str(self.best(gameState, lambda action: self.value_of(gameState, action)))
        return str(self.look_ahead(gameState))

    def pick(self, gameState):
        """Return the index of the colonist that brings most for the colony."""
        brings = {"Ecologist": "Green", "Miner": "Blue", "General": "Red"}
        me = getCurrentPlayer(gameState)["ID"]
        counts = dict(getColonyModuleCountPerColor(gameState, me))
        return self.best(gameState, lambda action: counts.get(brings.get(action["Colonist"]), 0.5))

    def value_of(self, gameState, action):
        """Return what a module in hand is worth; nothing is worth nothing."""
        hand = getCurrentPlayer(gameState)["Hand"]
        return max((card["VictoryValue"] for card in hand if card["Name"] == action.get("Module")), default=0)

    def look_ahead(self, gameState):
        """Return the index of the action after which this player has most, over several guesses."""
        me, total = getCurrentPlayer(gameState)["ID"], [0.0] * len(gameState["Actions"])
        for _ in range(GUESSES):
            board = self.determinize()["BoardState"]
            for index, action in enumerate(getActionStrings(gameState)):
                total[index] += worth(self.simulate(board, action), me)
        return max(range(len(total)), key=total.__getitem__)

    def best(self, gameState, score):
        """Return the index of the action with the highest score."""
        scores = [score(action) for action in gameState["Actions"]]
        return scores.index(max(scores))


if __name__ == "__main__":
    Builder().run(sys.argv[1])
