"""A folder with a script for AIBase, beside which lies the AICore of the thesis's program, which opens a pipe."""

import sys

from AICore import AIBase
from choosing import last


class Nested(AIBase):
    """Plays the last action."""

    def messageCallback(self, gameState):
        return last(gameState)


if __name__ == "__main__":
    Nested().run(sys.argv[1])
    sys.exit()
