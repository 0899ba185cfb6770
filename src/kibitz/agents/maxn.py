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
        "lazy": Option(True, "judge a position at the horizon for the mover first, for all seats only if it is chosen"),
        "reduce": Option(True, "when seats are out of the game: two search by alpha-beta, one takes its shortest path"),
        "root": Option("own", "how the mover compares what it may get: by its own worth, or all worths from seat 1 on",
                       choices=("own", "lexicographic")),
    }  # fmt: skip

    def prepare(self, ties: str, prune: str, lazy: bool, reduce: bool, root: str, **options: Any) -> None:
        """Refuse what does not go together."""
        reduces = reduce and root == "own" and self.game.has("alive") and self.game.seats > 2
        settings = read_settings(self, options, MEMORY_LEFT if reduces else 1.0)
        total = settings.value.nature.total
        self._check_pruning(prune, total, root, ties, settings)
        cuts = bool(total) and prune != "none" and root == "own"
        engine = MaxnEngine(
            settings, total, TIES[ties], prune=PRUNE.get(prune, SHALLOW) if cuts else NOT,
            # A paranoid tie and the last branch look at the worths of others sooner.
            lazy=lazy and ties != "paranoid" and prune != "last-branch", lexicographic=root != "own",
            speculative=prune == "speculative",
        )  # fmt: skip
        self.driver = IterativeDeepening(settings, engine, in_order=ties == "leftmost")
        self.endgames = Endgames(self, options, self.driver) if reduces else None

    def _check_pruning(self, prune: str, total: float, root: str, ties: str, settings: Settings) -> None:
        if prune not in PRUNE:
            return
        if not total:
            raise BadValue(f"maxn: prune={prune} needs a value that declares its total, and {self.game}'s does not")
        if root != "own":
            raise BadValue(f"maxn: prune={prune} needs root=own: it cuts off what is worth too little to the mover")
        if prune == "last-branch" and ties != "leftmost":
            raise BadValue("maxn: prune=last-branch is for ties=leftmost")
        limited = settings.width or settings.avoid or settings.unit == PROGRESS
        if prune == "speculative" and (self.game.seats != 3 or ties != "leftmost" or limited):
            raise BadValue(
                "maxn: prune=speculative is for three seats, ties=leftmost, width=0 and avoid=false, not unit=progress"
            )

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move; once seats are out of the game, by the search that fits those left."""
        return self.forced(view) or (self._endgame(view, 1) or [self.driver.decide(view)])[0]

    def rehearse(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs, also once seats are out of the game."""
        self.driver.rehearse(view)
        if self.endgames:
            self.endgames.rehearse(view)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each with a search of its own."""
        return self._endgame(view, top) or self.driver.consider(view, top)

    def _endgame(self, view: np.ndarray, top: int) -> list[Decision]:
        return self.endgames.consider(view, top) if self.endgames else []
