"""Monte Carlo tree search for any number of seats."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from kibitz.agents.agent import ITERATIONS as ENDED_BY_COUNT
from kibitz.agents.agent import SECONDS as ENDED_BY_TIME
from kibitz.agents.agent import SOLVED, Agent, Decision
from kibitz.agents.search.filters import check_repeats, unrepeated
from kibitz.agents.search.sampling import tree_reuse, uct
from kibitz.agents.search.sampling.sampling_options import (
    AVOID,
    CONTEMPT,
    CUT,
    EXPLORATION,
    MEMORY,
    MOST_ITERATIONS,
    POLICY,
    PRIOR,
    SECONDS,
    USUAL_ITERATIONS,
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
from kibitz.core.threads import available_threads, on_threads

STYLES = {"maxn": uct.MAXN, "paranoid": uct.PARANOID, "brs": uct.REPLIES}
LONGEST_LINE = 32


class Mcts(Agent):
    """Grow a tree where it looks promising, playing out from its leaves (UCT with a reward for every seat)."""

    OPTIONS = {
        "iterations": iterations_option(USUAL_ITERATIONS),
        "seconds": SECONDS,
        "style": Option("maxn", "how seats choose in the tree: each for itself; all against me; so, but one at a time",
                        choices=tuple(STYLES)),
        "policy": POLICY,
        "c": EXPLORATION,
        "solver": Option(True, "prove wins and losses"),
        "history": Option(0.0, "progressive history: the weight of a move's average elsewhere", least=0),
        "mast": Option("none", "playouts prefer moves with good averages: of the move, or after the last move",
                       choices=("none", "mast", "nast")),
        "greed": Option(0.8, "with mast: how often the best average is taken", least=0, most=1),
        "cut": CUT,
        "value": VALUE,
        "scale": Option(1.0, "with cut: a value this much higher is e times the reward; networks need none",
                        least=1e-9),
        "prior": PRIOR,
        "haste": Option(0.05, "how much less a win is worth if it is far away; half of that after 100 moves", least=0,
                        most=1),
        "contempt": CONTEMPT,
        "avoid": AVOID,
        "trees": Option(1, "grow so many trees side by side and add them up", least=1, most=256),
        "reuse": Option(False, "go on with the part of the last tree that the game went into"),
        "memory": MEMORY,
    }  # fmt: skip

    def prepare(
        self, iterations: int | None, seconds: float | None, style: str, policy: Spec, c: float, solver: bool,
        history: float, mast: str, greed: float, cut: int | None, value: Spec | None, scale: float, prior: Spec | None,
        haste: float, contempt: float, avoid: bool, trees: int, reuse: bool, memory: int, **_: Any,
    ) -> None:  # fmt: skip
        """Refuse games that it cannot play, and options that do not go together."""
        game = self.game
        if policy.name in STYLES and policy.name not in game.policies:
            raise BadValue(f"mcts: policy names what plays the playouts; for the tree write style={policy.name}")
        if game.hidden:
            raise BadValue(f"mcts needs a game without secrets, and {game} has some; ismcts plays it")
        if style == "brs" and not game.has("hand_over"):
            raise BadValue(f"mcts: style=brs lets opponents skip their turns, and {game} does not allow that")
        if style == "brs" and reuse:
            raise BadValue("mcts: with style=brs the game never goes where the tree went, so there is nothing to reuse")
        self.avoid = avoid
        if avoid:
            check_repeats(self.name, game)
        self.each, self.seconds = -(-read_iterations("mcts", iterations, seconds, USUAL_ITERATIONS) // trees), seconds
        self.rollout, self.judge = game.policy(policy), game.value(value or game.usual_value)
        ends = read_cut(cut, value, self.judge)
        if ends is not None:
            self.numbers = f"the average payoff; where playouts are cut, shares by the value {self.judge.text}"
        self.prior = self._find_prior(prior, style, history)
        self.tuning = np.array([c, history, greed, 0.0 if self.judge.nature.chances else scale, haste, contempt])
        self.told = {
            "ROOM": game.most_moves * (game.seats - 1 if style == "brs" else 1), "SOLVE": int(solver),
            "STYLE": STYLES[style], "CUT": uct.NEVER if ends is None else ends,
            "GRAMS": ("none", "mast", "nast").index(mast), "BY_PRIOR": int(prior is not None),
        }  # fmt: skip
        slots = uct.TABLE_MASK + 1 if mast != "none" or history > 0 else 1
        nodes = self._most_nodes(memory, trees * (2 if reuse else 1), 16 * slots, reuse)
        self.trees = [self._clear_room(nodes, slots) for _ in range(trees)]
        self._spares = [self._clear_room(nodes, slots) for _ in range(trees if reuse else 0)]
        self._last: tuple[np.ndarray, int, int] | None = None  # the view of the last decision, its seat, its move
        self._decisions = 0

    def _find_prior(self, prior: Spec | None, style: str, history: float) -> np.ndarray:
        """Return the network that gives priors, packed; nothing where there is none."""
        if prior is None:
            return np.zeros(1)
        if style == "brs" or history > 0:
            raise BadValue("mcts: prior goes neither with style=brs nor with history")
        return read_prior("mcts", self.game, prior)

    def _most_nodes(self, memory: int, trees: int, tables: int, reuse: bool) -> int:
        """Return how many nodes a tree may have."""
        room, size = self.told["ROOM"], uct.NODE_BYTES + uct.PRIOR_BYTES * self.told["BY_PRIOR"]
        if room > uct.MOST_CHILDREN:
            raise BadValue(f"mcts: {self.game} may have {room} moves to choose from, which is too many")
        fits = (memory * 2**20 // trees - tables) // size
        if fits <= room:
            least = -(-((room + 1) * size + tables) * trees // 2**20)
            raise BadValue(f"mcts: memory={memory} is too little for {trees} trees of {self.game}; it takes {least}")
        return fits if reuse or self.each >= MOST_ITERATIONS else min(fits, (self.each + 1) * room + 1)

    def _clear_room(self, nodes: int, slots: int) -> uct.Tree:
        """Return room for a tree; the system gives it only as far as the tree grows."""
        game, room = self.game, self.told["ROOM"]
        stats = np.empty(nodes * uct.STATS)
        control = np.zeros(uct.CONTROL_CELLS, dtype=np.int64)
        for name, cell in {"FULL": nodes, **self.told}.items():
            control[getattr(uct, name)] = cell
        return uct.Tree(
            rules=game.rules, policy=self.rollout.handle, policy_weights=self.rollout.weights, value=self.judge.handle,
            value_weights=self.judge.weights, net=self.prior, control=control, tuning=self.tuning,
            sqrt_logs=uct.SQRT_LOGS, edge=np.empty(nodes, dtype=np.int64), stats=stats,
            prior=np.empty(nodes if control[uct.BY_PRIOR] else 1, dtype=np.float32), link=stats.view(np.int32),
            gained=np.zeros(room * (1 + game.seats)), state=game.new_state(),
            asked=game.new_state(), room=game.new_moves(),
            reward=np.zeros(uct.REWARDS), path=np.zeros(uct.MOST_PLIES, dtype=np.int64),
            played=np.zeros(uct.MOST_PLIES + 1, dtype=np.int64), sums=np.zeros(slots),
            tries=np.zeros(slots, dtype=np.int64), rng=dice(0),
        )  # fmt: skip

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move visited most, or one that is proven to win."""
        return self.forced(view) or self._search(view)

    def progress(self) -> dict[str, int]:
        """Return how many playouts there are so far."""
        return {"visits": sum(int(tree.control[uct.DONE]) for tree in self.trees)}

    def rehearse(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        each, seconds, self.each, self.seconds = self.each, self.seconds, 1, None
        for _ in range(2 if self._spares else 1):
            self._search(view)
        self.each, self.seconds = each, seconds

    def _search(self, view: np.ndarray) -> Decision:
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        for number in range(len(self.trees)):
            self._plant(number, view, seat)
        self.judge.prepare(view, seat)
        if self.seconds is not None:
            uct.grow(self.trees[0], view, 0)  # compiles what is not compiled yet: that is not thinking time
        with clock(self.seconds, self._halt):
            self._grow(view)
        decision = self._decide(view, seat)
        self._last = (view.copy(), seat, decision.move)
        return decision

    def _plant(self, number: int, view: np.ndarray, seat: int) -> None:
        """Make a tree nothing but its root, or what grew there already."""
        tree = self.trees[number]
        node = 0
        if self._spares and self._last is not None and self._last[1] == seat:
            node = tree_reuse.find(tree, self._last[0], view, self._last[2])
        if node:
            self.trees[number], self._spares[number] = self._spares[number], tree
            tree_reuse.transplant(tree, node, self.trees[number])
            tree = self.trees[number]
        else:
            tree.control[uct.USED], tree.edge[0] = 1, uct.NO_EDGE
            tree.stats[: uct.STATS] = 0  # its links lie in the same memory
        tree.control[[uct.STOP, uct.DONE]], tree.control[uct.ROOT] = 0, seat
        tree.gained[:] = tree.sums[:] = tree.tries[:] = 0
        tree.rng[:] = dice(derive(self.seed, self._decisions, number))

    def _halt(self) -> None:
        for tree in self.trees:
            tree.control[uct.STOP] = 1

    def _grow(self, view: np.ndarray) -> None:
        threads = min(available_threads(), len(self.trees))
        if threads == 1:
            for tree in self.trees:
                uct.grow(tree, view, self.each)
            return
        on_threads(threads, [partial(uct.grow, tree, view, self.each) for tree in self.trees])

    def _decide(self, view: np.ndarray, seat: int) -> Decision:
        """Add the trees up."""
        branches = dict(sorted(_branches(self.trees, self.game.seats).items()))
        won = [move for move, branch in branches.items() if branch.proof == seat + 1]
        open_ = [move for move, branch in branches.items() if branch.proof == 0]
        hopeful = won or (unrepeated(self.game, view, open_) if self.avoid else open_) or list(branches)
        move = self.best_of(hopeful, np.array([branches[move].visits for move in hopeful]))
        line = self._line(move)
        exact = bool(won or not open_)
        stopped = any(tree.control[uct.STOP] for tree in self.trees)
        skips_turns = self.told["STYLE"] == uct.REPLIES and self.game.seats > 2
        return Decision(
            move, branches[move].values(), line, {move: branch.mean() for move, branch in branches.items()},
            {move: values for move, branch in branches.items() if (values := branch.values()) is not None},
            {move: branch.visits for move, branch in branches.items()},
            visits=sum(int(tree.control[uct.DONE]) for tree in self.trees),
            nodes=sum(int(tree.control[uct.USED]) for tree in self.trees), depth=len(line),
            exact=exact and not skips_turns,
            ended=SOLVED if exact else ENDED_BY_TIME if stopped else ENDED_BY_COUNT,
        )  # fmt: skip

    def expected(self, found: Decision, move: int) -> list[int]:
        """Return what the first tree expects after a move."""
        return self._line(move)

    def _line(self, move: int) -> list[int]:
        """Return what the first tree expects: after the move, what was visited most."""
        tree, line = self.trees[0], [move]
        visits = tree.link[uct.VISITS :: uct.LINKS]
        at = [child for child in tried(tree, 0) if tree.edge[child] >> 4 == move]
        while at and len(line) < LONGEST_LINE and self.told["STYLE"] != uct.REPLIES:
            below = tried(tree, at[0])
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
    gained: list[float] = field(default_factory=list)  # playouts of the last search, and what each seat gained in them

    def mean(self) -> float:
        """Return what the mover may expect."""
        return self.total / max(self.visits, 1)

    def values(self) -> list[float] | None:
        """Return what every seat may expect; None if that was not looked into."""
        if self.proof:
            return [float(seat == self.proof - 1) for seat in range(self.seats)]
        playouts, *sums = self.gained
        return [total / playouts for total in sums] if playouts else None


def _branches(trees: list[uct.Tree], seats: int) -> dict[int, _Branch]:
    """Return what all trees together found below each move of the root."""
    found: dict[int, _Branch] = {}
    for tree in trees:
        children = tried(tree, 0)
        rows = slice(children.start, children.stop)
        links = tree.link.reshape(-1, uct.LINKS)[rows].tolist()
        means = tree.stats.reshape(-1, uct.STATS)[rows, uct.MEAN].tolist()
        gained = tree.gained.reshape(-1, 1 + seats)[: len(children)].tolist()
        for edge, link, mean, earned in zip(tree.edge[rows].tolist(), links, means, gained, strict=True):
            branch = found.setdefault(edge >> 4, _Branch(seats))
            branch.visits += link[uct.VISITS]
            branch.total += link[uct.VISITS] * mean
            branch.proof = branch.proof or link[uct.PROOF]
            branch.gained = [sum(pair) for pair in zip(branch.gained, earned, strict=False)] or earned
    return found


def tried(tree: uct.Tree, node: int) -> range:
    """Return the children of a node that have been tried."""
    first, shape = tree.link[node * uct.LINKS + uct.FIRST : node * uct.LINKS + uct.SHAPE + 1].tolist()
    return range(first, first + shape % uct.WIDE) if first else range(0)
