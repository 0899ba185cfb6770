"""Best-reply search."""

from dataclasses import replace
from typing import Any

from kibitz.agents.search.alphabeta.alphabeta_engine import ORDER, REUSE, AlphaBeta
from kibitz.agents.search.further import DEEPER
from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec


class Brs(TreeSearch):
    """Let the one opponent answer whose reply hurts most, the others skip (Schadd and Winands 2011)."""

    OPTIONS = {**OPTIONS, **ORDER, **REUSE, **DEEPER}

    def prepare(self, order: Spec | None, deepen: bool, table: bool, deeper: float, **options: Any) -> None:
        """Refuse games in which seats cannot be skipped."""
        if not self.game.has("hand_over"):
            raise BadValue(f"brs lets opponents skip their turns, and {self.game} has no hint hand_over")
        settings = replace(read_settings(self, options), deepen=deepen, deeper=deeper)
        self.driver = IterativeDeepening(settings, AlphaBeta(settings, order, replies=True, table=table))
