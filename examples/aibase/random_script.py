"""A script for the Colonizers program of D. Crha's thesis that plays anything.

kibitz match colonizers "aibase(./random_script.py)" heuristic
"""

import sys
from random import choice, seed

from AICore import AIBase


class Anything(AIBase):
    """Plays any action."""

    def messageCallback(self, gameState):
        return str(choice(range(len(gameState["Actions"]))))


if __name__ == "__main__":
    seed(42)
    Anything().run(sys.argv[1])
