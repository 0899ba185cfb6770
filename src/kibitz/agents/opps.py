"""Opponent-pruning paranoid search."""

from typing import Any

from kibitz.agents.search.alphabeta.alphabeta_engine import ORDER, AlphaBeta
from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.options import Option
from kibitz.core.spec import Spec


class Opps(TreeSearch):
    """Paranoid, but only n1 opponents a round choose widely (Baier and Kaisers 2020); opps(1, 0, 1) is BRS+."""

    OPTIONS = {
        "n1": Option(1, "opponents a round who choose among their best l1 moves", least=0, most=7),
        "l1": Option(0, "how many that is; 0 for all", least=0),
        "l2": Option(1, "the others choose among their best l2 moves; 0 for all", least=0),
        **OPTIONS,
        **ORDER,
    }

    def prepare(self, n1: int, l1: int, l2: int, order: Spec | None, **options: Any) -> None:
        """Set up the search."""
        settings = read_settings(self, options)
        engine = AlphaBeta(settings, order, wide_seats=n1, wide=l1, narrow=l2)
        self.driver = IterativeDeepening(settings, engine)
