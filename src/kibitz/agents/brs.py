"""Best-reply search."""

from typing import Any

from kibitz.agents.paranoid import LEAF
from kibitz.agents.search import twosided
from kibitz.agents.search.sides import TwoSided
from kibitz.core.errors import BadValue


class Brs(TwoSided):
    """Let the one opponent answer whose reply hurts most, the others skip (Schadd and Winands 2011)."""

    OPTIONS = {**TwoSided.COMMON, "leaf": LEAF}

    def prepare(self, leaf: str, **options: Any) -> None:
        """Refuse games in which seats cannot be skipped."""
        if not self.game.has("hand_over"):
            raise BadValue(f"brs lets opponents skip their turns, and {self.game} does not allow that")
        self.leaf = twosided.AGAINST_BEST if leaf == "lead" else twosided.OWN
        self.set_up(options, REPLIES=1)
