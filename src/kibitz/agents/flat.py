"""Flat Monte Carlo: guess the hidden part, play every move out, count."""

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.agents.agent import PLAYOUTS, SECONDS, Agent, Decision
from kibitz.agents.search.determinization import guess_worlds
from kibitz.agents.search.sampling import sampling_search as shared
from kibitz.agents.search.sampling.turn_playouts import best_turns, sample_best_turns, sample_turns
from kibitz.agents.search.whole_turns import (
    BEST_FIRST,
    LONGEST_TURN,
    MOST_TURNS,
    ROW,
    TurnPlan,
    list_turns,
    turn_buffers,
)
from kibitz.batches.game_batch import DEVICES, GPU, device_of
from kibitz.batches.playouts import Playouts
from kibitz.batches.processor import Processor
from kibitz.core.dice import derive, derive_all, dice, dice_all
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.spec import Spec
from kibitz.core.table import Table
from kibitz.core.threads import available_threads, on_threads

THREADING_PAYS = 2_000  # playouts a decision below which starting threads costs more than it gains
USUAL_PLAYOUTS = 100  # where neither playouts nor seconds are named
ROUND = 20  # playouts of each move between two looks at the clock
ROUND_OF_A_CARD = 1000  # likewise, where a thousand take as long as one
NO_LIMIT = 10**15
LENGTH_SAMPLE = 20  # playouts from which the length of a game is estimated


class Flat(Agent):
    """Choose the move, or the whole turn, with the best average payoff over playouts."""

    OPTIONS = {
        "playouts": Option(
            None, f"playouts for each possible move; {USUAL_PLAYOUTS} if no budget is named", 1, 10_000_000, kind="int"
        ),
        "seconds": shared.SECONDS,
        "policy": shared.POLICY,
        "width": Option(
            0, "play out whole turns made of this many of the best moves at each step; 0: single moves", least=0
        ),
        "value": Option(None, "with width: what picks the best; the game's usual one if not named", kind="value"),
        "among": Option(
            0, "with width: in playouts every seat plays one of this many best turns; 0: as policy says", least=0
        ),
        "follow": Option(
            False, "with width: play the turn that was chosen to its end, as long as all comes as expected"
        ),
        "count": Option(
            "payoffs",
            "what playouts count: payoffs, or wins alone, so that a draw is no better than a loss",
            choices=("payoffs", "wins"),
        ),
        "steady": Option(False, "play more playouts as the game shortens, so that the effort stays the same"),
        "apart": Option(False, "give each playout dice of its own, which makes other playouts of the same quality"),
        "device": Option(
            "cpu",
            "what plays the playouts: processors, or a graphics card, where they are always apart",
            choices=DEVICES,
        ),
        "threads": Option(0, "threads to use, 0 for one a core; the result does not depend on it", least=0, most=256),
    }

    def prepare(
        self, playouts: int | None, seconds: float | None, policy: Spec, width: int, value: Spec | None, among: int,
        follow: bool, count: str, steady: bool, apart: bool, device: str, threads: int, **_: Any,
    ) -> None:  # fmt: skip
        """Find the policy and the value."""
        if (among or follow) and not width:
            raise BadValue("flat: among and follow are about whole turns, so they need width=…")
        apart = apart or device == GPU
        if among and apart:
            raise BadValue("flat: among makes playouts one after another, so it goes neither with apart nor device=gpu")
        self.among, self.plan = among, TurnPlan(self.game) if follow else None
        self.playouts, self.seconds = playouts or (USUAL_PLAYOUTS if seconds is None else NO_LIMIT), seconds
        self.width, self.wins, self.steady = width, count == "wins", steady
        self.rollout = self.game.policy(policy)
        self.value = self.game.value(value or self.game.usual_value)
        self.threads = threads or available_threads()
        self._apart: Playouts | None = None
        if apart:
            there = device_of(self.game, GPU) if device == GPU else Processor(self.game, self.threads)
            self._apart = Playouts(self.game, self.rollout, there)
        self._round = ROUND_OF_A_CARD if device == GPU else ROUND
        self._decisions = 0
        self._whole_length = 0.0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move that begins the turn with the best average, or the next of a turn that is followed."""
        due = self.plan.due(view) if self.plan else None
        if due is not None:
            return Decision(due, line=[due], why="the turn was decided on before")
        return self.forced(view) or self._search(view, perf_counter())

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        playouts, seconds, self.playouts, self.seconds = self.playouts, self.seconds, 1, None
        self._search(view, perf_counter())
        self.playouts, self.seconds = playouts, seconds
        self.plan = self.plan and TurnPlan(self.game)

    def _search(self, view: np.ndarray, begun: float) -> Decision:
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        turns = self._turns(view, seat)
        most = self._effort(view, seat)
        # Every turn has its own dice, so that the number of threads changes nothing.
        seeds = derive_all(derive(self.seed, self._decisions), np.arange(len(turns)))
        cells = dice_all(seeds)
        sums, done = np.zeros((len(turns), self.game.seats)), 0
        while done < most and (done == 0 or self.seconds is None or perf_counter() - begun < self.seconds):
            some = most if self.seconds is None else min(self._round, most - done)
            if self._apart:
                self._apart.add(view, seat, turns, seeds, done, some, self.wins, sums)
            else:
                self._sample_all(view, seat, turns, some, cells, sums)
            done += some
        found = self._best(turns, sums / done, seat, done)
        if self.plan:
            self.plan.make(view, found.line)
        return replace(found, ended=PLAYOUTS if done == most else SECONDS)

    def _sample_all(
        self, view: np.ndarray, seat: int, turns: np.ndarray, playouts: int, cells: np.ndarray, sums: np.ndarray
    ) -> None:
        """Play every turn out `playouts` times, on several threads where that pays."""
        threads = min(self.threads, len(turns)) if playouts * len(turns) >= THREADING_PAYS else 1
        parts = [slice(int(part[0]), int(part[-1]) + 1) for part in np.array_split(np.arange(len(turns)), threads)]
        if threads == 1:
            self._sample(view, seat, turns, playouts, cells, sums)
        else:
            on_threads(
                threads,
                [partial(self._sample, view, seat, turns[part], playouts, cells[part], sums[part]) for part in parts],
            )

    def _best(self, turns: np.ndarray, means: np.ndarray, seat: int, playouts: int) -> Decision:
        chosen = self.best_of(list(range(len(turns))), means[:, seat])
        move_values: dict[int, list[float]] = {}
        for row in np.argsort(means[:, seat], kind="stable"):
            move_values[int(turns[row, 1])] = means[row].tolist()  # the best turn that begins with the move comes last
        considered = {move: values[seat] for move, values in sorted(move_values.items())}
        line = turns[chosen, 1 : 1 + turns[chosen, 0]].tolist()
        firsts, counts = np.unique(turns[:, 1], return_counts=True)
        tries = dict(zip(firsts.tolist(), (counts * playouts).tolist(), strict=True))
        visits = playouts * len(turns)
        return Decision(line[0], means[chosen].tolist(), line, considered, move_values, tries, visits=visits)

    def _turns(self, view: np.ndarray, seat: int) -> np.ndarray:
        """Return what is to be played out: a row is the number of moves, then the moves."""
        if not self.width:
            moves = self.legal(view)
            return np.column_stack([np.ones(len(moves), dtype=np.int64), np.array(moves)])
        (world,) = guess_worlds(self.game, view, seat, dice(derive(self.seed, 4, self._decisions)), 1)
        self.value.prepare(world, seat)
        most = min(self.width**LONGEST_TURN, MOST_TURNS)
        out, order = np.zeros((most, ROW), dtype=np.int64), np.empty(most)
        found = list_turns(turn_buffers(self.game, self.value), world, self.width, BEST_FIRST, out.reshape(-1), order)
        return out[:found].copy()

    def _effort(self, view: np.ndarray, seat: int) -> int:
        """Return how many playouts each turn gets."""
        if not self.steady:
            return self.playouts
        if not self._whole_length:
            start = Table(self.game, self.seed)
            self._whole_length = self._length(start.view(start.turn), start.turn)
        return max(1, round(self.playouts * self._whole_length / max(1.0, self._length(view, seat))))

    def _length(self, view: np.ndarray, seat: int) -> float:
        rng = dice(derive(self.seed, 5, self._decisions))
        no_turn = np.zeros((1, ROW), dtype=np.int64)
        made = self._sample(view, seat, no_turn, LENGTH_SAMPLE, rng, np.zeros((1, self.game.seats)))
        return made / LENGTH_SAMPLE

    def _sample(
        self, view: np.ndarray, seat: int, turns: np.ndarray, playouts: int, cells: np.ndarray, sums: np.ndarray
    ) -> int:
        """Play turns out and add up what each seat earned; return how many moves followed those turns."""
        game = self.game
        scratch = (game.new_state(), game.new_moves(), np.empty(game.seats))
        if self.among:
            best = best_turns(game, self.value, self.width, self.among)
            return int(sample_best_turns(best, view, seat, turns, playouts, self.wins, cells, *scratch, sums))
        policy = (game.rules, self.rollout.handle, self.rollout.weights)
        return int(sample_turns(*policy, view, seat, turns, playouts, self.wins, cells, *scratch, sums))
