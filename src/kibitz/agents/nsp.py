"""Not-So-Paranoid search."""

from typing import Any

from kibitz.agents.search import vector
from kibitz.agents.search.seats import EverySeat
from kibitz.core.errors import BadValue
from kibitz.core.options import Option

PRUNE = {"none": vector.NOT, "all": vector.ALL, "any": vector.ANY}
LEAVES = {"squares": vector.SQUARES, "ratios": vector.RATIOS}


class Nsp(EverySeat):
    """Let every seat judge itself in relation to all others (Cartagena thesis, section 5.1)."""

    OPTIONS = {
        **EverySeat.COMMON,
        "prune": Option("none", "cut off below the bounds of no, all, or any of the other seats: np, p, ep",
                        choices=tuple(PRUNE)),
        "leaf": Option("auto", "the evaluation; auto is squares (np) without pruning, else ratios (p, ep)",
                       choices=("auto", *LEAVES)),
    }  # fmt: skip

    def prepare(self, prune: str, leaf: str, **options: Any) -> None:
        """Refuse values that it could not divide by."""
        value = options["value"] or self.game.usual_value
        if not self.game.value(value).nature.positive:
            raise BadValue(f"nsp divides by values, and {value} of {self.game} is not always above 0")
        chosen = ("squares" if prune == "none" else "ratios") if leaf == "auto" else leaf
        self.set_up(options, PRUNE=PRUNE[prune], LEAF=LEAVES[chosen])
