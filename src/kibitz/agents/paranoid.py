"""Paranoid search: everyone else plays against me."""

from typing import Any

from kibitz.agents.search.alphabeta.alphabeta_engine import ORDER, AlphaBeta
from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.spec import Spec


class Paranoid(TreeSearch):
    """Assume that all others have joined against me, and search by alpha-beta (Sturtevant and Korf 2000)."""

    OPTIONS = {**OPTIONS, **ORDER}

    def prepare(self, order: Spec | None, **options: Any) -> None:
        """Set up the search."""
        settings = read_settings(self, options)
        self.driver = IterativeDeepening(settings, AlphaBeta(settings, order))
