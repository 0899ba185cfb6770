"""Information-set Monte Carlo tree search."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.agents.agent import ITERATIONS, SECONDS, Decision
from kibitz.agents.search.sampling import information_sets as sets
from kibitz.agents.search.sampling import sampling_search as shared
from kibitz.agents.search.sampling.sampling_search import SamplingSearch, read_cut, read_iterations, read_prior
from kibitz.agents.search.sampling.uct_tree import DONE, NEVER, STOP, USED
from kibitz.core.contract import CHANCE
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.spec import Spec

OBSERVERS = {
    "single": sets.SINGLE,
    "single-pom": sets.SINGLE_POM,
    "multi": sets.MULTI,
}
NODE_BYTES = 7 * 8
USUAL_ITERATIONS = 200  # where neither iterations nor seconds are named


class Ismcts(SamplingSearch):
    """Grow a tree of information sets, in a newly guessed world each time (Cowling and others 2012)."""

    OPTIONS = {
        "iterations": shared.iterations_option(USUAL_ITERATIONS),
        "seconds": shared.SECONDS,
        "observer": Option(
            "single", "who tells moves apart: I do; I do, as they look to me; every seat does", choices=tuple(OBSERVERS)
        ),
        "policy": shared.POLICY,
        "c": shared.EXPLORATION,
        "reward": Option(
            "payoff",
            "what is maximised: the payoff, or 1, then 0.2 down to 0 by rank, ties sharing; ranks come from the game's "
            "payoffs, which may not tell the second from the last unless an option of the game makes them",
            choices=("payoff", "rank"),
        ),
        "cut": shared.CUT,
        "value": shared.VALUE,
        "prior": shared.PRIOR,
        "memory": shared.MEMORY,
    }

    def prepare(
        self, iterations: int | None, seconds: float | None, observer: str, policy: Spec, c: float, reward: str,
        cut: int | None, value: Spec | None, prior: Spec | None, memory: int, **_: Any,
    ) -> None:  # fmt: skip
        """Find policy, value and network, and allocate the trees."""
        self.iterations = read_iterations(self.name, iterations, seconds, USUAL_ITERATIONS)
        self.seconds, self.memory = seconds, memory
        self.observer, self.rollout, self.c = OBSERVERS[observer], self.game.policy(policy), c
        self.reward = sets.RANK if reward == "rank" else sets.PAYOFF
        self.numbers = "the average reward by rank" if reward == "rank" else ""
        self.judge = self.game.value(value or self.game.usual_value)
        self.cut = read_cut(cut, value, self.judge)
        if self.cut is not None and not self.judge.properties.chances:
            raise BadValue(f"{self.name}: cut needs a value that is a chance to win, as value=net(…); not {value}")
        self.by_prior, self.net = prior is not None, read_prior(self.name, self.game, prior)
        self.forest = self._allocate()

    def controls(self) -> Sequence[np.ndarray]:
        """Return the control cells, which all trees share."""
        return [self.forest.control]

    def grow(self, view: np.ndarray, iterations: int) -> None:
        """Run iterations, each on all trees."""
        sets.grow(self.forest, view, iterations)

    def _allocate(self) -> sets.InformationSetTrees:
        """Return the arrays of the trees; the system gives memory only as far as they grow."""
        game = self.game
        trees = game.seats if self.observer == sets.MULTI else 1
        fits = self.memory * 2**20 // NODE_BYTES
        # An iteration adds a node to each tree, and to the others' what the mover's had already.
        most = self.iterations * trees * (sets.MOST_PLIES if trees > 1 else 1)
        nodes = max(trees + game.most_moves, min(fits, most + trees + 1))
        control = np.zeros(sets.CONTROL_CELLS, dtype=np.int64)
        control[[sets.FULL, sets.OBSERVER, sets.REWARD]] = nodes, self.observer, self.reward
        control[[sets.CUT, sets.BY_PRIOR]] = NEVER if self.cut is None else self.cut, self.by_prior
        label, mover, child, sibling, visits, available = np.empty((6, nodes), dtype=np.int64)
        listed, labels, children, scratch = (game.new_moves() for _ in range(4))
        return sets.InformationSetTrees(
            rules=game.rules, policy=self.rollout.handle, policy_weights=self.rollout.weights,
            value_function=self.judge.handle, value_weights=self.judge.weights, net=self.net, control=control,
            exploration_constant=float(self.c), label=label, mover=mover, child=child, sibling=sibling, visits=visits,
            available=available, value_sum=np.empty(nodes), root_sums=np.zeros(game.most_moves * (1 + game.seats)),
            at=np.zeros(trees, dtype=np.int64), path=np.zeros(sets.MOST_PLIES * trees, dtype=np.int64),
            world=game.new_state(), listed=listed, labels=labels, children=children,
            prior=np.zeros(game.most_moves, dtype=np.float32), scratch=scratch,
            reward=np.zeros(2 * game.seats), rng=dice(0),
        )  # fmt: skip

    def begin(self, view: np.ndarray, seat: int) -> None:
        """Reduce the trees to their roots."""
        forest = self.forest
        roots = slice(1, len(forest.at) + 1)
        forest.child[roots] = forest.visits[roots] = 0
        forest.control[USED], forest.control[sets.ROOT] = roots.stop, seat
        forest.control[[STOP, DONE]] = 0
        forest.root_sums[:] = 0
        forest.rng[:] = dice(derive(self.seed, self._decisions))

    def conclude(self, view: np.ndarray, seat: int) -> Decision:
        """Read the tree of the seat that is to move."""
        forest = self.forest
        legal = self.legal(view)
        sums = forest.root_sums[: len(legal) * (1 + self.game.seats)].reshape(len(legal), 1 + self.game.seats)
        found = children(forest, self._root(seat))
        if not found:
            return Decision(legal[0])
        move = self.best_of([*found], forest.visits[[*found.values()]])
        means = {move: float(forest.value_sum[child] / forest.visits[child]) for move, child in found.items()}
        values = {move: (row[1:] / row[0]).tolist() for move, row in zip(legal, sums, strict=True) if row[0]}
        line = self._line(found[move])
        return Decision(
            move, values[move], line, means, {move: values[move] for move in found},
            {move: int(forest.visits[child]) for move, child in found.items()},
            visits=int(forest.control[DONE]), nodes=int(forest.control[USED]), depth=len(line),
            ended=SECONDS if forest.control[STOP] else ITERATIONS,
        )  # fmt: skip

    def expected(self, found: Decision, move: int) -> list[int]:
        """Return what was visited most after a move."""
        return self._line(children(self.forest, self._root(int(self.forest.control[sets.ROOT])))[move])

    def _root(self, seat: int) -> int:
        """Return the root of the tree in which a seat chooses."""
        return 1 + (seat if self.observer == sets.MULTI else 0)

    def _line(self, node: int) -> list[int]:
        """Return the line visited most, as far as labels tell the moves, until chance moves."""
        forest, line = self.forest, []
        named = self.observer == sets.SINGLE or not self.game.has("seen")
        seat = int(forest.mover[node])
        while node and forest.mover[node] != CHANCE and (named or forest.mover[node] == seat):
            line.append(int(forest.label[node]))
            below = children(forest, node)
            node = max(below.values(), key=lambda child: forest.visits[child]) if below else 0
        return line


def children(forest: sets.InformationSetTrees, node: int) -> dict[int, int]:
    """Return the children of a node by label, which ascends."""
    found, child = {}, int(forest.child[node])
    while child:
        found[int(forest.label[child])] = child
        child = int(forest.sibling[child])
    return dict(sorted(found.items()))
