"""Opponent-pruning paranoid search."""

from typing import Any

from kibitz.agents.paranoid import LEAF
from kibitz.agents.search import twosided
from kibitz.agents.search.sides import NO_MOVE_LIMIT, TwoSided
from kibitz.core.options import Option


class Opps(TwoSided):
    """Paranoid, but only n1 opponents a round choose widely (Baier and Kaisers 2020); opps(1, 0, 1) is BRS+."""

    OPTIONS = {
        "n1": Option(1, "opponents a round who choose among their best l1 moves", least=0, most=7),
        "l1": Option(0, "how many that is; 0 for all", least=0),
        "l2": Option(1, "the others choose among their best l2 moves; 0 for all", least=0),
        **TwoSided.COMMON,
        "leaf": LEAF,
    }

    def prepare(self, n1: int, l1: int, l2: int, leaf: str, **options: Any) -> None:
        """Set up."""
        self.leaf = twosided.AGAINST_BEST if leaf == "lead" else twosided.OWN
        self.set_up(options, WIDE_SEATS=n1, WIDE=l1 or NO_MOVE_LIMIT, NARROW=l2 or NO_MOVE_LIMIT)
