"""Paranoid search: everyone else plays against me."""

from typing import Any

from kibitz.agents.search import twosided
from kibitz.agents.search.sides import TwoSided
from kibitz.core.options import Option

LEAF = Option(
    "own", "what counts at the horizon: my own worth, or my lead over the best other seat", choices=("own", "lead")
)


class Paranoid(TwoSided):
    """Assume that all others have joined against me, and search by alpha-beta (Sturtevant and Korf 2000)."""

    OPTIONS = {**TwoSided.COMMON, "leaf": LEAF}

    def prepare(self, leaf: str, **options: Any) -> None:
        """Set up."""
        self.leaf = twosided.AGAINST_BEST if leaf == "lead" else twosided.OWN
        self.set_up(options)
