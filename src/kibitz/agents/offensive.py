"""Directed offensive search."""

from typing import Any

from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.maxn.maxn_engine import LEADER, MaxnEngine
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.errors import BadValue
from kibitz.core.options import Option


class Offensive(TreeSearch):
    """Choose what is worst for one rival, all others playing for themselves (Zuckerman, Felner and Kraus 2009)."""

    OPTIONS = {
        "target": Option("leader", "the seat to harm, from 1, or leader for the one that is ahead", kind="word"),
        **OPTIONS,
    }

    def prepare(self, target: str, **options: Any) -> None:
        """Refuse seats that there are not."""
        seats = self.game.seats
        if target != "leader" and not (target.isdigit() and 1 <= int(target) <= seats):
            raise BadValue(f"offensive: target={target} does not fit; it takes leader or a seat from 1 to {seats}")
        settings = read_settings(self, options)
        chosen = LEADER if target == "leader" else int(target) - 1
        self.driver = IterativeDeepening(settings, MaxnEngine(settings, target=chosen))
        self.numbers = f"what the target has, negative, by the value {settings.value.text}"
