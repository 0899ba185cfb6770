"""Max^n: every seat for itself."""

from typing import Any

from kibitz.agents.search import vector
from kibitz.agents.search.seats import EverySeat
from kibitz.core.errors import BadValue
from kibitz.core.options import Option

TIES = {"leftmost": vector.LEFTMOST, "paranoid": vector.PARANOID, "random": vector.RANDOM}


class Maxn(EverySeat):
    """Assume that every seat chooses what is best for itself (Luckhardt and Irani 1986)."""

    OPTIONS = {
        **EverySeat.COMMON,
        "ties": Option("leftmost", "which of equal moves a seat takes: the first, that worst for me, or any",
                       choices=tuple(TIES)),
        "prune": Option("auto", "shallow pruning; auto where the value declares its total",
                        choices=("auto", "shallow", "none")),
    }  # fmt: skip

    def prepare(self, ties: str, prune: str, **options: Any) -> None:
        """Prune only where the value says how much there is to share."""
        total = self.game.value(options["value"] or self.game.usual_value).nature.total
        if prune == "shallow" and not total:
            raise BadValue(f"maxn: prune=shallow needs a value that declares its total, and {self.game}'s does not")
        shallow = vector.SHALLOW if total and prune != "none" else vector.NOT
        self.set_up(options, total=total, TIES=TIES[ties], PRUNE=shallow)
