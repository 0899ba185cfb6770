"""Monte Carlo tree search for any number of seats."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from kibitz.agents.agent import ITERATIONS, SECONDS, SOLVED, Decision
from kibitz.agents.search.filters import check_repeats, unrepeated
from kibitz.agents.search.sampling import sampling_search as shared
from kibitz.agents.search.sampling import tree_reuse, uct, uct_tree
from kibitz.agents.search.sampling.sampling_search import SamplingSearch, read_cut, read_iterations, read_prior
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.spec import Spec
from kibitz.core.threads import available_threads, on_threads

STYLES = {"maxn": uct_tree.MAXN, "paranoid": uct_tree.PARANOID, "brs": uct_tree.REPLIES}
AVERAGES = ("none", "mast", "nast")
USUAL_ITERATIONS = 1000  # where neither iterations nor seconds are named
LONGEST_LINE = 32


class Mcts(SamplingSearch):
    """Grow a tree where it looks promising, playing out from its leaves (UCT with a reward for every seat)."""

    OPTIONS = {
        "iterations": shared.iterations_option(USUAL_ITERATIONS),
        "seconds": shared.SECONDS,
        "style": Option("maxn", "how seats choose in the tree: each for itself; all against me; so, but one at a time",
                        choices=tuple(STYLES)),
        "policy": shared.POLICY,
        "c": shared.EXPLORATION,
        "solver": Option(True, "prove wins and losses"),
        "history": Option(0.0, "progressive history: the weight of a move's average elsewhere", least=0),
        "mast": Option("none", "playouts prefer moves with good averages: of the move, or after the last move",
                       choices=AVERAGES),
        "cut": shared.CUT,
        "value": shared.VALUE,
        "scale": Option(1.0, "with cut: a value this much higher is e times the reward; networks need none",
                        least=1e-9),
        "prior": shared.PRIOR,
        "contempt": Option(0.0, "how much less than an even share of the payoff a draw is worth to me", 0, 1),
        "avoid": Option(False, "prefer positions that have not occurred in this game"),
        "trees": Option(1, "grow this many trees in parallel and add them up", least=1, most=256),
        "reuse": Option(False, "go on with the part of the last tree that the game went into"),
        "memory": shared.MEMORY,
    }  # fmt: skip

    def prepare(
        self, iterations: int | None, seconds: float | None, style: str, policy: Spec, c: float, solver: bool,
        history: float, mast: str, cut: int | None, value: Spec | None, scale: float, prior: Spec | None,
        contempt: float, avoid: bool, trees: int, reuse: bool, memory: int, **_: Any,
    ) -> None:  # fmt: skip
        """Refuse games that it cannot play, and options that do not go together."""
        game = self.game
        if policy.name in STYLES and policy.name not in game.policies:
            raise BadValue(f"mcts: policy names what plays the playouts; for the tree write style={policy.name}")
        if game.hidden:
            raise BadValue(f"mcts needs a game without secrets, and {game} has some; ismcts plays it")
        if style == "brs" and not game.has("hand_over"):
            raise BadValue(f"mcts: style=brs lets opponents skip their turns, and {game} has no hint hand_over")
        if style == "brs" and reuse:
            raise BadValue("mcts: with style=brs the game never goes where the tree went, so there is nothing to reuse")
        self.avoid = avoid
        if avoid:
            check_repeats(self.name, game)
        self.iterations = -(-read_iterations("mcts", iterations, seconds, USUAL_ITERATIONS) // trees)
        self.seconds = seconds
        self.rollout, self.judge = game.policy(policy), game.value(value or game.usual_value)
        ends = read_cut(cut, value, self.judge)
        if ends is not None:
            self.numbers = f"the average payoff; where playouts are cut, shares by the value {self.judge.text}"
        if prior is not None and (style == "brs" or history > 0):
            raise BadValue("mcts: prior goes neither with style=brs nor with history")
        self.net = read_prior("mcts", game, prior)
        self.tuning = np.array([c, history, 0.0 if self.judge.properties.chances else scale, contempt])
        self.parameters = {
            uct_tree.BRANCHING: game.most_moves * (game.seats - 1 if style == "brs" else 1),
            uct_tree.SOLVE: int(solver), uct_tree.STYLE: STYLES[style],
            uct_tree.CUT: uct_tree.NEVER if ends is None else ends, uct_tree.GRAMS: AVERAGES.index(mast),
            uct_tree.BY_PRIOR: int(prior is not None),
        }  # fmt: skip
        slots = uct_tree.TABLE_MASK + 1 if mast != "none" or history > 0 else 1
        nodes = self._most_nodes(memory, trees * (2 if reuse else 1), 16 * slots, reuse)
        self.trees = [self._allocate(nodes, slots) for _ in range(trees)]
        self._spares = [self._allocate(nodes, slots) for _ in range(trees if reuse else 0)]
        self._last: tuple[np.ndarray, int, int] | None = None  # the view of the last decision, its seat, its move

    def _most_nodes(self, memory: int, trees: int, tables: int, reuse: bool) -> int:
        """Return how many nodes a tree may have."""
        branching = self.parameters[uct_tree.BRANCHING]
        size = uct_tree.NODE_BYTES + uct_tree.PRIOR_BYTES * self.parameters[uct_tree.BY_PRIOR]
        if branching > uct_tree.MOST_CHILDREN:
            raise BadValue(f"mcts: {self.game} may have {branching} moves to choose from, which is too many")
        fits = (memory * 2**20 // trees - tables) // size
        if fits <= branching:
            least = -(-((branching + 1) * size + tables) * trees // 2**20)
            raise BadValue(f"mcts: memory={memory} is too little for {trees} trees of {self.game}; it takes {least}")
        unlimited = reuse or self.iterations >= shared.MOST_ITERATIONS
        return fits if unlimited else min(fits, (self.iterations + 1) * branching + 1)

    def _allocate(self, nodes: int, slots: int) -> uct_tree.Tree:
        """Return the arrays of a tree; the system gives memory only as far as the tree grows."""
        game = self.game
        stats = np.empty(nodes * uct_tree.STATS)
        control = np.zeros(uct_tree.CONTROL_CELLS, dtype=np.int64)
        for cell, parameter in {uct_tree.FULL: nodes, **self.parameters}.items():
            control[cell] = parameter
        return uct_tree.Tree(
            rules=game.rules, policy=self.rollout.handle, policy_weights=self.rollout.weights,
            value_function=self.judge.handle, value_weights=self.judge.weights, net=self.net, control=control,
            tuning=self.tuning, sqrt_logs=uct_tree.SQRT_LOGS, edge=np.empty(nodes, dtype=np.int64), stats=stats,
            prior=np.empty(nodes if control[uct_tree.BY_PRIOR] else 1, dtype=np.float32), link=stats.view(np.int32),
            root_sums=np.zeros(control[uct_tree.BRANCHING] * (1 + game.seats)), state=game.new_state(),
            scratch_state=game.new_state(), scratch=game.new_moves(), reward=np.zeros(uct_tree.REWARDS),
            path=np.zeros(uct_tree.MOST_PLIES, dtype=np.int64),
            played=np.zeros(uct_tree.MOST_PLIES + 1, dtype=np.int64), sums=np.zeros(slots),
            counts=np.zeros(slots, dtype=np.int64), rng=dice(0),
        )  # fmt: skip

    def controls(self) -> Sequence[np.ndarray]:
        """Return the control cells of all trees."""
        return [tree.control for tree in self.trees]

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs, including that for tree reuse."""
        for _ in range(2 if self._spares else 1):
            super().warm_up(view)
        if self._spares:
            tree_reuse.move_subtree(self.trees[0], 0, self._spares[0])

    def begin(self, view: np.ndarray, seat: int) -> None:
        """Reset the trees, or keep the subtree that the game went into."""
        for number in range(len(self.trees)):
            self._reset_tree(number, view, seat)

    def grow(self, view: np.ndarray, iterations: int) -> None:
        """Run iterations on each tree, on several threads where there are several trees."""
        threads, calls = available_threads(), [partial(uct.grow, tree, view, iterations) for tree in self.trees]
        if min(threads, len(calls)) == 1:
            for call in calls:
                call()
        else:
            on_threads(min(threads, len(calls)), calls)

    def _reset_tree(self, number: int, view: np.ndarray, seat: int) -> None:
        """Reduce a tree to its root, or to the subtree of the current position."""
        tree = self.trees[number]
        node = 0
        if self._spares and self._last is not None and self._last[1] == seat:
            node = tree_reuse.find(tree, self._last[0], view, self._last[2])
        if node:
            self.trees[number], self._spares[number] = self._spares[number], tree
            tree_reuse.move_subtree(tree, node, self.trees[number])
            tree = self.trees[number]
        else:
            tree.control[uct_tree.USED], tree.edge[0] = 1, uct_tree.NO_EDGE
            tree.stats[: uct_tree.STATS] = 0  # its links lie in the same memory
        tree.control[[uct_tree.STOP, uct_tree.DONE]], tree.control[uct_tree.ROOT] = 0, seat
        tree.root_sums[:] = tree.sums[:] = tree.counts[:] = 0
        tree.rng[:] = dice(derive(self.seed, self._decisions, number))

    def conclude(self, view: np.ndarray, seat: int) -> Decision:
        """Add the trees up."""
        branches = dict(sorted(_branches(self.trees, self.game.seats).items()))
        won = [move for move, branch in branches.items() if branch.proof == seat + 1]
        open_ = [move for move, branch in branches.items() if branch.proof == 0]
        hopeful = won or (unrepeated(self.game, view, open_) if self.avoid else open_) or list(branches)
        move = self.best_of(hopeful, np.array([branches[move].visits for move in hopeful]))
        self._last = (view.copy(), seat, move)
        line = self._line(move)
        exact = bool(won or not open_)
        stopped = any(tree.control[uct_tree.STOP] for tree in self.trees)
        skips_turns = self.parameters[uct_tree.STYLE] == uct_tree.REPLIES and self.game.seats > 2
        return Decision(
            move, branches[move].values(), line, {move: branch.mean() for move, branch in branches.items()},
            {move: values for move, branch in branches.items() if (values := branch.values()) is not None},
            {move: branch.visits for move, branch in branches.items()},
            visits=sum(int(tree.control[uct_tree.DONE]) for tree in self.trees),
            nodes=sum(int(tree.control[uct_tree.USED]) for tree in self.trees), depth=len(line),
            exact=exact and not skips_turns,
            ended=SOLVED if exact else SECONDS if stopped else ITERATIONS,
        )  # fmt: skip

    def expected(self, found: Decision, move: int) -> list[int]:
        """Return what the first tree expects after a move."""
        return self._line(move)

    def _line(self, move: int) -> list[int]:
        """Return what the first tree expects: after the move, what was visited most, until chance moves."""
        tree, line = self.trees[0], [move]
        visits = tree.link[uct_tree.VISITS :: uct_tree.LINKS]
        at = [child for child in tried(tree, 0) if tree.edge[child] >> 4 == move]
        while at and len(line) < LONGEST_LINE and self.parameters[uct_tree.STYLE] != uct_tree.REPLIES:
            below = tried(tree, at[0])
            if below and int(tree.edge[below.start]) & 15 == uct_tree.CHANCE_EDGE:
                break
            at = [below.start + int(visits[below.start : below.stop].argmax())] if below else []
            line += [int(tree.edge[node]) >> 4 for node in at]
        return line


@dataclass
class _Branch:
    """What the trees found below a move."""

    seats: int
    visits: int = 0
    total: float = 0.0
    proof: int = 0
    sums: list[float] = field(default_factory=list)  # playouts of the last search, and the rewards of each seat

    def mean(self) -> float:
        """Return what the mover may expect."""
        return self.total / max(self.visits, 1)

    def values(self) -> list[float] | None:
        """Return what every seat may expect; None if that was not looked into."""
        if self.proof:
            return [float(seat == self.proof - 1) for seat in range(self.seats)]
        playouts, *sums = self.sums
        return [total / playouts for total in sums] if playouts else None


def _branches(trees: list[uct_tree.Tree], seats: int) -> dict[int, _Branch]:
    """Return what all trees together found below each move of the root."""
    found: dict[int, _Branch] = {}
    for tree in trees:
        children = tried(tree, 0)
        rows = slice(children.start, children.stop)
        links = tree.link.reshape(-1, uct_tree.LINKS)[rows].tolist()
        means = tree.stats.reshape(-1, uct_tree.STATS)[rows, uct_tree.MEAN].tolist()
        sums = tree.root_sums.reshape(-1, 1 + seats)[: len(children)].tolist()
        for edge, link, mean, rewards in zip(tree.edge[rows].tolist(), links, means, sums, strict=True):
            branch = found.setdefault(edge >> 4, _Branch(seats))
            branch.visits += link[uct_tree.VISITS]
            branch.total += link[uct_tree.VISITS] * mean
            branch.proof = branch.proof or link[uct_tree.PROOF]
            branch.sums = [sum(pair) for pair in zip(branch.sums, rewards, strict=False)] or rewards
    return found


def tried(tree: uct_tree.Tree, node: int) -> range:
    """Return the children of a node that have been tried."""
    first, shape = tree.link[
        node * uct_tree.LINKS + uct_tree.FIRST : node * uct_tree.LINKS + uct_tree.SHAPE + 1
    ].tolist()
    return range(first, first + shape % uct_tree.WIDE) if first else range(0)
