"""A script for AIBase that never calls run."""

from AICore import AIBase


class Unmade(AIBase):
    """Is never made."""

    def messageCallback(self, gameState):
        return "0"
