"""Max^n: every seat for itself."""

from typing import Any

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search.control import PROGRESS
from kibitz.agents.search.endgames import MEMORY_LEFT, Endgames
from kibitz.agents.search.iterative_deepening import IterativeDeepening, TreeSearch
from kibitz.agents.search.maxn.maxn_arrays import LAST_BRANCH, LEFTMOST, NOT, PARANOID, RANDOM, SHALLOW
from kibitz.agents.search.maxn.maxn_engine import MaxnEngine
from kibitz.agents.search.settings import OPTIONS, Settings, read_settings
from kibitz.core.errors import BadValue
from kibitz.core.options import Option

TIES = {"leftmost": LEFTMOST, "paranoid": PARANOID, "random": RANDOM}
PRUNE = {"shallow": SHALLOW, "last-branch": LAST_BRANCH, "speculative": SHALLOW}


class Maxn(TreeSearch):
    """Assume that every seat chooses what is best for itself (Luckhardt and Irani 1986)."""

    OPTIONS = {
        **OPTIONS,
        "ties": Option("leftmost", "which of equal moves a seat takes: the first, that worst for me, or any",
                       choices=tuple(TIES)),
        "prune": Option("auto", "cut off what cannot matter; auto is shallow where the value declares its total",
                        choices=("auto", *PRUNE, "none")),
        "lazy": Option(True, "evaluate a leaf for the mover first, for all seats only if it is chosen"),
        "root": Option("own", "how the root seat compares moves: by its own value, or by the values of all seats from"
                       " seat 1 on", choices=("own", "lexicographic")),
    }  # fmt: skip

    def prepare(self, ties: str, prune: str, lazy: bool, root: str, **options: Any) -> None:
        """Refuse what does not go together."""
        has_endgames = root == "own" and self.game.has("alive") and self.game.seats > 2
        settings = read_settings(self, options, MEMORY_LEFT if has_endgames else 1.0)
        total = settings.value.properties.total
        self._check_pruning(prune, total, root, ties, settings)
        cuts = bool(total) and prune != "none" and root == "own"
        engine = MaxnEngine(
            settings, total, TIES[ties], prune=PRUNE.get(prune, SHALLOW) if cuts else NOT,
            # Paranoid ties and last-branch pruning look at the values of others sooner.
            lazy=lazy and ties != "paranoid" and prune != "last-branch", lexicographic=root != "own",
            speculative=prune == "speculative",
        )  # fmt: skip
        in_order = ties == "leftmost"
        self.driver = (
            Endgames(self, options, settings, engine, in_order)
            if has_endgames
            else IterativeDeepening(settings, engine, in_order)
        )

    def _check_pruning(self, prune: str, total: float, root: str, ties: str, settings: Settings) -> None:
        if prune not in PRUNE:
            return
        if not total:
            raise BadValue(f"maxn: prune={prune} needs a value that declares its total, and {self.game}'s does not")
        if root != "own":
            raise BadValue(f"maxn: prune={prune} needs root=own: it cuts off what is worth too little to the mover")
        if prune == "speculative" and self.game.chance:
            raise BadValue(f"maxn: prune=speculative needs a game without chance, and in {self.game} chance moves")
        if prune == "last-branch" and ties != "leftmost":
            raise BadValue("maxn: prune=last-branch is for ties=leftmost")
        limited = settings.width or settings.avoid or settings.unit == PROGRESS
        if prune == "speculative" and (self.game.seats != 3 or ties != "leftmost" or limited):
            raise BadValue(
                "maxn: prune=speculative is for three seats, ties=leftmost, width=0 and avoid=false, not unit=progress"
            )

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move; an only move is not left to the agent of the opening."""
        return self.forced(view) or self.driver.decide(view)
