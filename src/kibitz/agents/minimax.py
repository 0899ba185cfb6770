"""Minimax for two seats."""

from dataclasses import replace
from typing import Any

from kibitz.agents.search.alphabeta.alphabeta_engine import ORDER, AlphaBeta
from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.spec import Spec


class Minimax(TreeSearch):
    """Search two-seat games without secrets by alpha-beta, perfectly where the rest of the game fits the budget."""

    OPTIONS = {
        **{name: option for name, option in OPTIONS.items() if name not in ("worlds", "agree")},
        **ORDER,
        "deepen": Option(True, "search turn by turn, so that a lost game is held out long; false: at once to the full"
                         " depth, if no other budget is named"),
    }  # fmt: skip

    def prepare(self, order: Spec | None, deepen: bool, **options: Any) -> None:
        """Refuse games that are not for two seats, or that have secrets."""
        if self.game.seats != 2:
            raise BadValue(f"minimax is for two seats, and {self.game} has {self.game.seats}")
        if self.game.hidden:
            raise BadValue(f"minimax needs a game without secrets, and {self.game} has some; paranoid plays it")
        settings = read_settings(self, {**options, "worlds": 1, "agree": "vote"})
        settings = replace(settings, deepen=deepen)
        self.driver = IterativeDeepening(settings, AlphaBeta(settings, order, versus=True))
