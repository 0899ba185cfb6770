"""Flat Monte Carlo: guess the hidden part, play every move out, count."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.lookahead import sample_moves
from kibitz.core.dice import derive, derive_all, dice_all
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.spec import Spec

THREADING_PAYS = 2_000  # playouts a decision below which starting threads costs more than it gains


class Flat(Agent):
    """Choose the move with the best average payoff over playouts."""

    OPTIONS = {
        "playouts": Option(100, "playouts per possible move", least=1, most=10_000_000),
        "policy": Option(Spec("random"), "who plays the playouts", kind="policy"),
        "threads": Option(0, "threads to use, 0 for one a core; the result does not depend on it", least=0, most=256),
    }

    def prepare(self, playouts: int, policy: Spec, threads: int, **_: Any) -> None:
        """Find the policy."""
        self.playouts = playouts
        self.rollout = self.game.policy(policy)
        self.threads = threads or available_threads()
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move with the best average."""
        moves = self.legal(view)
        seat = int(who(self.game.rules, view))
        self._decisions += 1
        # Every move has dice of its own, so that the number of threads changes nothing.
        cells = dice_all(derive_all(derive(self.seed, self._decisions), np.arange(len(moves))))
        sums = np.zeros((len(moves), self.game.seats))
        threads = min(self.threads, len(moves)) if self.playouts * len(moves) >= THREADING_PAYS else 1
        parts = np.array_split(np.arange(len(moves)), threads)
        if threads == 1:
            self._sample(view, seat, moves, cells, sums)
        else:
            with ThreadPoolExecutor(threads) as pool:
                work = [pool.submit(self._sample_part, view, seat, moves, cells, sums, part) for part in parts]
                for done in work:
                    done.result()
        sums /= self.playouts
        own = sums[:, seat]
        move = self.best_of(moves, own)
        considered = dict(zip(moves, own.tolist(), strict=True))
        visits = self.playouts * len(moves)
        shares = dict(zip(moves, sums.tolist(), strict=True))
        return Decision(move, shares[move], [move], considered, shares, visits=visits)

    def _sample_part(
        self, view: np.ndarray, seat: int, moves: list[int], cells: np.ndarray, sums: np.ndarray, part: np.ndarray
    ) -> None:
        rows = slice(int(part[0]), int(part[-1]) + 1)
        self._sample(view, seat, moves[rows], cells[rows], sums[rows])

    def _sample(self, view: np.ndarray, seat: int, moves: list[int], cells: np.ndarray, sums: np.ndarray) -> None:
        game, rollout = self.game, self.rollout
        state = np.empty(game.size, dtype=np.int64)
        room, earned = np.empty(game.most_moves, dtype=np.int64), np.empty(game.seats)
        sample_moves(
            game.rules,
            rollout.handle,
            rollout.weights,
            view,
            seat,
            np.array(moves),
            self.playouts,
            cells,
            state,
            room,
            earned,
            sums,
        )


def available_threads() -> int:
    """Return how many threads a search may use here; `KIBITZ_THREADS` limits it, as worker processes do."""
    limit = os.environ.get("KIBITZ_THREADS", "")
    if limit.isdigit():
        return max(1, int(limit))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
