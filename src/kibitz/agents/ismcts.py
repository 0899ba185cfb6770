"""Information-set Monte Carlo tree search."""

from typing import Any

import numpy as np

from kibitz.agents.agent import ITERATIONS as ENDED_BY_COUNT
from kibitz.agents.agent import SECONDS as ENDED_BY_TIME
from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.filters import check_repeats, unrepeated
from kibitz.agents.search.sampling import information_sets as sets
from kibitz.agents.search.sampling.sampling_options import (
    AVOID,
    CONTEMPT,
    CUT,
    EXPLORATION,
    MEMORY,
    POLICY,
    PRIOR,
    SECONDS,
    VALUE,
    iterations_option,
    read_cut,
    read_iterations,
    read_prior,
)
from kibitz.agents.search.search_budget import clock
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.spec import Spec

OBSERVERS = {
    "single": sets.SINGLE,
    "single-pom": sets.SINGLE_POM,
    "multi": sets.MULTI,
}
NODE_BYTES = 7 * 8
USUAL_ITERATIONS = 200  # where neither iterations nor seconds are named


class Ismcts(Agent):
    """Grow a tree of what can be told apart, in a newly guessed world each time (Cowling and others 2012)."""

    OPTIONS = {
        "iterations": iterations_option(USUAL_ITERATIONS),
        "seconds": SECONDS,
        "observer": Option(
            "single", "who tells moves apart: I do; I do, as they look to me; every seat does", choices=tuple(OBSERVERS)
        ),
        "policy": POLICY,
        "c": EXPLORATION,
        "reward": Option(
            "payoff",
            "what is maximised: the payoff, or 1, then 0.2 down to 0 by rank, ties sharing; ranks come from the game's "
            "payoffs, which may not tell the second from the last unless an option of the game makes them",
            choices=("payoff", "rank"),
        ),
        "cut": CUT,
        "value": VALUE,
        "contempt": CONTEMPT,
        "avoid": AVOID,
        "prior": PRIOR,
        "memory": MEMORY,
    }

    def prepare(
        self, iterations: int | None, seconds: float | None, observer: str, policy: Spec, c: float, reward: str,
        cut: int | None, value: Spec | None, contempt: float, avoid: bool, prior: Spec | None, memory: int, **_: Any,
    ) -> None:  # fmt: skip
        """Find the policy and make room for the trees."""
        self.iterations = read_iterations(self.name, iterations, seconds, USUAL_ITERATIONS)
        self.seconds, self.memory = seconds, memory
        self.observer, self.rollout, self.c = OBSERVERS[observer], self.game.policy(policy), c
        self.contempt, self.avoid = contempt, avoid
        if avoid:
            check_repeats(self.name, self.game)
        self.reward = sets.RANK if reward == "rank" else sets.PAYOFF
        self.numbers = "the average reward by rank" if reward == "rank" else ""
        self.judge = self.game.value(value or self.game.usual_value)
        self.cut = read_cut(cut, value, self.judge)
        if self.cut is not None and not self.judge.nature.chances:
            raise BadValue(f"{self.name}: cut needs a value that is a chance to win, as value=net(…); not {value}")
        self.prior = None if prior is None else read_prior(self.name, self.game, prior)
        self.forest = self._clear_room()
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move visited most."""
        return self.forced(view) or self._search(view)

    def rehearse(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        iterations, seconds, self.iterations, self.seconds = self.iterations, self.seconds, 1, None
        self._search(view)
        self.iterations, self.seconds = iterations, seconds

    def _search(self, view: np.ndarray) -> Decision:
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        self._plant(seat)
        self.judge.prepare(view, seat)
        if self.seconds is not None:
            sets.grow(self.forest, view, 0)  # compiles what is not compiled yet: that is not thinking time
        with clock(self.seconds, self._halt):
            sets.grow(self.forest, view, self.iterations)
        return self._decide(view, seat)

    def progress(self) -> dict[str, int]:
        """Return how many playouts there are so far."""
        return {"visits": int(self.forest.control[sets.DONE])}

    def _halt(self) -> None:
        self.forest.control[sets.STOP] = 1

    def _clear_room(self) -> sets.Forest:
        """Return room for the trees; the system gives it only as far as they grow."""
        game = self.game
        trees = game.seats if self.observer == sets.MULTI else 1
        fits = self.memory * 2**20 // NODE_BYTES
        # An iteration adds a node to each tree, and to the others' what the mover's had already.
        most = self.iterations * trees * (sets.MOST_PLIES if trees > 1 else 1)
        nodes = max(trees + game.most_moves, min(fits, most + trees + 1))
        control = np.zeros(sets.CONTROL_CELLS, dtype=np.int64)
        for name, cell in {"FULL": nodes, "OBSERVER": self.observer, "REWARD": self.reward}.items():
            control[getattr(sets, name)] = cell
        control[sets.CUT] = sets.NEVER if self.cut is None else self.cut
        control[sets.BY_PRIOR] = self.prior is not None
        label, mover, child, sibling, visits, available = np.empty((6, nodes), dtype=np.int64)
        listed, labels, found, room = (game.new_moves() for _ in range(4))
        return sets.Forest(
            rules=game.rules, policy=self.rollout.handle, weights=self.rollout.weights, value=self.judge.handle,
            value_weights=self.judge.weights, net=np.zeros(1) if self.prior is None else self.prior, control=control,
            exploration_constants=np.array([self.c, self.contempt]), label=label, mover=mover, child=child,
            sibling=sibling, visits=visits, available=available,
            total=np.empty(nodes), gained=np.zeros(game.most_moves * (1 + game.seats)),
            at=np.zeros(trees, dtype=np.int64), path=np.zeros(sets.MOST_PLIES * trees, dtype=np.int64),
            world=game.new_state(), listed=listed, labels=labels, found=found,
            prior=np.zeros(game.most_moves, dtype=np.float32), room=room,
            reward=np.zeros(3 * game.seats), rng=dice(0),
        )  # fmt: skip

    def _plant(self, seat: int) -> None:
        """Make the trees nothing but their roots."""
        forest = self.forest
        roots = slice(1, len(forest.at) + 1)
        forest.child[roots] = forest.visits[roots] = 0
        forest.control[sets.USED], forest.control[sets.ROOT] = roots.stop, seat
        forest.control[[sets.STOP, sets.DONE]] = 0
        forest.gained[:] = 0
        forest.rng[:] = dice(derive(self.seed, self._decisions))

    def _decide(self, view: np.ndarray, seat: int) -> Decision:
        """Read the tree of the seat that is to move."""
        forest = self.forest
        legal = self.legal(view)
        gained = forest.gained[: len(legal) * (1 + self.game.seats)].reshape(len(legal), 1 + self.game.seats)
        node = 1 + (seat if self.observer == sets.MULTI else 0)
        found = children(forest, node)
        if not found:
            return Decision(legal[0])
        hopeful = unrepeated(self.game, view, [*found]) if self.avoid else [*found]
        move = self.best_of(hopeful, np.array([forest.visits[found[one]] for one in hopeful]))
        means = {move: float(forest.total[child] / forest.visits[child]) for move, child in found.items()}
        worths = {move: (row[1:] / row[0]).tolist() for move, row in zip(legal, gained, strict=True) if row[0]}
        line = self._line(found[move])
        return Decision(
            move, worths[move], line, means, {move: worths[move] for move in found},
            {move: int(forest.visits[child]) for move, child in found.items()},
            visits=int(forest.control[sets.DONE]), nodes=int(forest.control[sets.USED]), depth=len(line),
            ended=ENDED_BY_TIME if forest.control[sets.STOP] else ENDED_BY_COUNT,
        )  # fmt: skip

    def expected(self, found: Decision, move: int) -> list[int]:
        """Return what was visited most after a move."""
        seat = int(self.forest.control[sets.ROOT])
        return self._line(children(self.forest, 1 + (seat if self.observer == sets.MULTI else 0))[move])

    def _line(self, node: int) -> list[int]:
        """Return what was visited most, as far as the moves can be told from how they look."""
        forest, line = self.forest, []
        told = self.observer == sets.SINGLE or not self.game.has("seen")
        seat = int(forest.mover[node])
        while node and (told or forest.mover[node] == seat):
            line.append(int(forest.label[node]))
            below = children(forest, node)
            node = max(below.values(), key=lambda child: forest.visits[child]) if below else 0
        return line


def children(forest: sets.Forest, node: int) -> dict[int, int]:
    """Return the children of a node by label, which ascends."""
    found, child = {}, int(forest.child[node])
    while child:
        found[int(forest.label[child])] = child
        child = int(forest.sibling[child])
    return dict(sorted(found.items()))
