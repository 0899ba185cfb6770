"""Not-So-Paranoid search."""

from typing import Any

from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.maxn.maxn_arrays import ALL, ANY, NOT, RATIOS, SQUARES
from kibitz.agents.search.maxn.maxn_engine import MaxnEngine
from kibitz.agents.search.settings import OPTIONS, read_settings
from kibitz.core.errors import BadValue
from kibitz.core.options import Option

PRUNE = {"none": NOT, "all": ALL, "any": ANY}


class Nsp(TreeSearch):
    """Let every seat judge itself in relation to all others (Cartagena thesis, section 5.1)."""

    OPTIONS = {
        **OPTIONS,
        "prune": Option("none", "cut off below the bounds of no, all, or any of the other seats: np, p, ep",
                        choices=tuple(PRUNE)),
        "influence": Option(1.0, "how much the other seats count", least=0.0),
    }  # fmt: skip

    def prepare(self, prune: str, influence: float, **options: Any) -> None:
        """Refuse values that it could not divide by."""
        settings = read_settings(self, options)
        if not settings.value.properties.positive:
            raise BadValue(f"nsp divides by values, and {settings.value.text} of {self.game} is not always above 0")
        leaf = SQUARES if prune == "none" else RATIOS
        engine = MaxnEngine(settings, leaf=leaf, prune=PRUNE[prune], influence=influence)
        self.driver = IterativeDeepening(settings, engine)
