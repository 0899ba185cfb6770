"""Paranoid search: everyone else plays against me."""

from dataclasses import replace
from typing import Any

from kibitz.agents.search.alphabeta.alphabeta_engine import ORDER, REUSE, AlphaBeta
from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.spec import Spec


class Paranoid(TreeSearch):
    """Assume that all others have joined against me, and search by alpha-beta (Sturtevant and Korf 2000)."""

    OPTIONS = {**OPTIONS, **ORDER, **REUSE}

    def prepare(self, order: Spec | None, deepen: bool, table: bool, **options: Any) -> None:
        """Set up the search."""
        settings = replace(read_settings(self, options), deepen=deepen)
        self.driver = IterativeDeepening(settings, AlphaBeta(settings, order, table=table))
