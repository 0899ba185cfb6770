"""A batch on the processors of this machine: NumPy arrays, and compiled loops on threads."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from kibitz.batches import loops
from kibitz.core.arrays import Int64s
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.threads import available_threads, on_threads
from kibitz.networks.encoding import Encoding

ROWS_A_THREAD = 256  # fewer are not worth a thread


class Processor:
    """Runs the loops of a game's batches on threads."""

    arrays: Any = np
    name = "cpu"
    most_rows = 1 << 18  # of which sums are made at a time

    def __init__(self, game: Game, threads: int | None = None):
        self.game, self.rules, self.options = game, game.rules, game.encoded_options
        self._threads = threads

    def array(self, given: Any) -> Any:
        """Return an array of NumPy as this device takes it."""
        return given

    def run(self, what: str, rows: int, *given: Any) -> None:
        """Run one of the loops over all rows."""
        loop: Callable[..., None] = getattr(loops, f"{what}_loop")
        threads = min(self._threads or available_threads(), max(1, rows // ROWS_A_THREAD))
        edges = [rows * thread // threads for thread in range(threads + 1)]
        calls = [partial(loop, self.rules, self._room(), first, last, *given) for first, last in pairwise(edges)]
        if len(calls) == 1:
            calls[0]()
        else:
            on_threads(threads, calls)

    def _room(self) -> Int64s:
        """Return scratch space for a thread: for a list of moves, and two states."""
        return np.concatenate([self.game.new_moves(), self.game.new_state(), self.game.new_state()])

    def play_on(self, policy: BoundHeuristic, rows: int, most: int, *given: Any) -> None:
        """Play on in all rows by a policy, at most `most` moves."""
        self.run("run", rows, policy.handle, policy.weights, most, *given)

    def evaluate(self, value: BoundHeuristic, rows: int, *given: Any) -> None:
        """Write the value of each row."""
        self.run("value", rows, value.handle, value.weights, *given)

    def encode(self, encoding: Encoding, rows: int, *given: Any) -> None:
        """Write the inputs of networks for each row."""
        self.run("features", rows, encoding.handle, int(encoding.most > 0), encoding.length, *given)

    def failed(self) -> bool:
        """Return whether a rule has failed and nothing was raised: never, as processors raise."""
        return False

    def play_by_itself(self, policy: BoundHeuristic, by_index: bool, rows: int, *given: Any) -> None:
        """Play games of a policy against itself."""
        self.run("mass_play", rows, policy.handle, int(by_index), policy.weights, *given)

    def play_out(self, policy: BoundHeuristic, rows: int, *given: Any) -> None:
        """Play playouts by a policy."""
        self.run("playouts", rows, policy.handle, policy.weights, *given)
