"""Monte Carlo tree search for any number of seats."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.flat import available_threads
from kibitz.agents.search import uct
from kibitz.agents.search.budget import clock
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.spec import Spec

STYLES = {"maxn": uct.MAXN, "paranoid": uct.PARANOID, "brs": uct.REPLIES}
NODE_BYTES = 8 * 8
UNLIMITED = 2**62
LONGEST_LINE = 32
ROOT_EDGE = 15  # no seat moved into the root


class Mcts(Agent):
    """Grow a tree where it looks promising, playing out from its leaves (UCT with a reward for every seat)."""

    OPTIONS = {
        "iterations": Option(1000, "playouts for a move; 0 for no limit", least=0),
        "seconds": Option(None, "time for a move; no limit if not named", least=0.001, most=86_400, kind="float"),
        "policy": Option("maxn", "whom the seats in the tree play for", choices=tuple(STYLES)),
        "playouts": Option(Spec("random"), "the policy that plays the playouts", kind="policy"),
        "c": Option(0.7, "how curious it is", least=0, most=100),
        "solver": Option(True, "prove wins and losses"),
        "history": Option(0.0, "progressive history: the weight of a move's average elsewhere", least=0),
        "mast": Option("none", "playouts prefer moves with good averages: of the move, or after the last move",
                       choices=("none", "mast", "nast")),
        "greed": Option(0.8, "with mast: how often the best average is taken", least=0, most=1),
        "cut": Option(0, "end playouts after so many moves and ask the value; 0 for never", least=0),
        "value": Option(None, "what judges where playouts end; the game's usual one if not named", kind="value"),
        "scale": Option(1.0, "with cut: a value this much higher is e times the reward", least=1e-9),
        "trees": Option(1, "grow so many trees side by side and add them up", least=1, most=256),
        "memory": Option(256, "megabytes for the trees; when full they go on without growing", least=1, most=65_536),
    }  # fmt: skip

    def prepare(
        self, iterations: int, seconds: float | None, policy: str, playouts: Spec, c: float, solver: bool,
        history: float, mast: str, greed: float, cut: int, value: Spec | None, scale: float, trees: int, memory: int,
        **_: Any,
    ) -> None:  # fmt: skip
        """Refuse games that it cannot play so."""
        game = self.game
        if game.hidden:
            raise BadValue(f"mcts needs a game without secrets, and {game} has some; ismcts plays it")
        if policy == "brs" and not game.has("hand_over"):
            raise BadValue(f"mcts: policy=brs lets opponents skip their turns, and {game} does not allow that")
        if not iterations and seconds is None:
            raise BadValue("mcts: iterations=0 means no limit, so it needs seconds=…")
        self.iterations, self.seconds = iterations or UNLIMITED, seconds
        self.style, self.rollout = STYLES[policy], game.policy(playouts)
        self.judge = game.value(value or game.usual_value)
        self.trees, self.memory = trees, memory
        self.tuning = np.array([c, history, greed, scale])
        self.told = {"SOLVE": int(solver), "CUT": cut or UNLIMITED, "GRAMS": ("none", "mast", "nast").index(mast)}
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move visited most, or one that is proven to win."""
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        share = -(-self.iterations // self.trees)
        trees = [self._plant(seat, derive(self.seed, self._decisions, number), share) for number in range(self.trees)]
        if self.seconds is not None:
            uct.grow(trees[0], view, 0)  # compiles what is not compiled yet: that is not thinking time
        with clock(self.seconds, lambda: self._halt(trees)):
            self._grow(trees, view, share)
        return self._decide(trees, seat)

    def _halt(self, trees: list[uct.Tree]) -> None:
        for tree in trees:
            tree.control[uct.STOP] = 1

    def _grow(self, trees: list[uct.Tree], view: np.ndarray, share: int) -> None:
        threads = min(available_threads(), len(trees))
        if threads == 1:
            for tree in trees:
                uct.grow(tree, view, share)
            return
        with ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(uct.grow, tree, view, share) for tree in trees]:
                done.result()

    def _plant(self, seat: int, seed: int, share: int) -> uct.Tree:
        """Return a tree that is nothing but its root."""
        game = self.game
        room = game.most_moves * (game.seats - 1 if self.style == uct.REPLIES else 1)
        fits = self.memory * 2**20 // (NODE_BYTES * self.trees)
        nodes = max(4 * room, min(fits, share * room + room + 1 if share < UNLIMITED else fits))
        control = np.zeros(uct.CONTROL_CELLS, dtype=np.int64)
        told = {"USED": 1, "FULL": nodes, "ROOT": seat, "ROOM": room, "STYLE": self.style, **self.told}
        for name, cell in told.items():
            control[getattr(uct, name)] = cell
        whole, real = np.zeros((5, nodes), dtype=np.int64), np.zeros((3, nodes))
        whole[0, 0] = ROOT_EDGE
        learns = self.told["GRAMS"] > 0 or self.tuning[uct.HISTORY] > 0
        slots = uct.TABLE_MASK + 1 if learns else 1
        return uct.Tree(
            rules=game.rules, policy=self.rollout.handle, policy_weights=self.rollout.weights, value=self.judge.handle,
            value_weights=self.judge.weights, control=control, tuning=self.tuning, edge=whole[0], first=whole[1],
            count=whole[2], visits=whole[3], proof=whole[4], total=real[0], mean=real[1], inverse=real[2],
            gained=np.zeros(room * game.seats), state=np.zeros(game.size, dtype=np.int64),
            asked=np.zeros(game.size, dtype=np.int64), room=np.empty(game.most_moves, dtype=np.int64),
            reward=np.zeros(16), path=np.zeros(uct.MOST_PLIES, dtype=np.int64),
            played=np.zeros(uct.MOST_PLIES + 1, dtype=np.int64), sums=np.zeros(slots),
            tries=np.zeros(slots, dtype=np.int64), rng=dice(seed),
        )  # fmt: skip

    def _decide(self, trees: list[uct.Tree], seat: int) -> Decision:
        """Add the trees up."""
        first, n = int(trees[0].first[0]), int(trees[0].count[0])
        moves = [int(edge) >> 4 for edge in trees[0].edge[first : first + n]]
        visits, gained = np.zeros(n), np.zeros((n, self.game.seats))
        proofs = np.zeros(n, dtype=np.int64)
        for tree in trees:
            begin = int(tree.first[0])
            visits += tree.visits[begin : begin + n]
            gained += tree.gained[: n * self.game.seats].reshape(n, self.game.seats)
            proofs = np.maximum(proofs, tree.proof[begin : begin + n])
        means = gained / np.maximum(visits, 1)[:, None]
        rank = np.where(proofs == seat + 1, 1e18, np.where(proofs > 0, visits - 1e18, visits))
        best = moves.index(self.best_of(moves, rank))
        values = means[best] if not proofs[best] else np.arange(self.game.seats) == proofs[best] - 1
        considered = dict(zip(moves, means[:, seat].tolist(), strict=True))
        line = self._line(trees[0], first + best)
        proven = bool(proofs[best] == seat + 1 or (proofs > 0).all())
        return Decision(
            moves[best], [float(value) for value in values], line, considered, visits=int(visits.sum()),
            nodes=sum(int(tree.control[uct.USED]) for tree in trees), depth=len(line), exact=proven,
        )  # fmt: skip

    def _line(self, tree: uct.Tree, node: int) -> list[int]:
        line = [int(tree.edge[node]) >> 4]
        while self.style != uct.REPLIES and tree.first[node] and len(line) < LONGEST_LINE:
            children = slice(int(tree.first[node]), int(tree.first[node] + tree.count[node]))
            if not tree.visits[children].any():
                break
            node = children.start + int(tree.visits[children].argmax())
            line.append(int(tree.edge[node]) >> 4)
        return line
