"""Searches that choose whole turns, as those of Steinmann's thesis on Cartagena (2003) do."""

from typing import Any

import numpy as np

from kibitz.agents.agent import DEPTH, SOLVED, Agent, Decision
from kibitz.agents.search import turn_search
from kibitz.agents.search.control import LEVELS, NO_NODE_LIMIT, NODE_LIMIT, STAKES, WIDTH, Control
from kibitz.agents.search.determinization import guess_worlds
from kibitz.agents.search.evaluation import evaluate_position
from kibitz.agents.search.expectation import DEEPEST, stakes_of
from kibitz.agents.search.further import DEEPER, one_more
from kibitz.agents.search.maxn.maxn_arrays import ALL, ANY, LEAF, NOT, PLAIN, PRUNE, RATIOS, SQUARES
from kibitz.agents.search.whole_turns import (
    AS_LISTED,
    BEST_FIRST,
    LONGEST_TURN,
    ROW,
    TurnBuffers,
    TurnPlan,
    turn_buffers,
)
from kibitz.core.contract import GUARD
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.shares import RESOLUTION
from kibitz.core.spec import Spec

MOST_DEPTH = 30
MOST_TURNS = 100_000  # of one position; those beyond are left out
# By style: what a leaf is turned into, and what is cut off.
STYLES = {"maxn": (PLAIN, NOT), "paranoid": (PLAIN, ANY), "np": (SQUARES, NOT), "p": (RATIOS, ALL), "ep": (RATIOS, ANY)}
CUTS = ("at", "beyond", "never")
ORDERS = ("turn", "action", "listed")
DIVIDING = ("np", "p", "ep")


class Turnwise(Agent):
    """Decide once a turn: search whole turns made of the best moves at each step, to a fixed depth."""

    OPTIONS = {
        "style": Option("maxn", "how seats choose: each for itself; all against me; or by Not-So-Paranoid, without"
                        " pruning, below all bounds, or below any", choices=tuple(STYLES)),
        "depth": Option(2, "turns to look ahead", least=1, most=MOST_DEPTH),
        **DEEPER,
        "width": Option(3, "how many moves to keep at each step, the best by the mover's value; 0 for all", least=0),
        "value": Option(None, "the value that evaluates positions; the game's usual one if not named", kind="value"),
        "order": Option("turn", "which turns come first: those best for the mover at their end, those that begin with"
                        " the best action, or as the game lists them", choices=ORDERS),
        "cut": Option("at", "whether a bound cuts off when it is reached, only beyond it, or never", choices=CUTS),
        "influence": Option(1.0, "np: how much the other seats count", least=0.0),
    }  # fmt: skip

    def prepare(
        self, style: str, depth: int, deeper: float, width: int, value: Spec | None, order: str, cut: str,
        influence: float, **_: Any,
    ) -> None:  # fmt: skip
        """Refuse values that it could not divide by, and allocate the arrays."""
        game = self.game
        self.value = game.value(value or game.usual_value)
        if style in DIVIDING and not self.value.properties.positive:
            raise BadValue(
                f"turnwise: style={style} divides by values, and {self.value.text} of {game} is not always above 0"
            )
        self.depth, self.deeper, self.plan, self._decisions = depth, deeper, TurnPlan(game), 0
        leaf, prune = STYLES[style]
        most = min(width**LONGEST_TURN, MOST_TURNS) if width else MOST_TURNS
        levels = depth + 1 + (deeper > 0)
        if game.chance:
            levels, most = levels * (1 + DEEPEST), max(most, 2 * game.most_moves + GUARD)
        self.control = Control(turn_search.CONTROL_CELLS, {
            LEVELS: levels, STAKES: round(stakes_of(game, self.value) / RESOLUTION), NODE_LIMIT: NO_NODE_LIMIT,
            WIDTH: width, LEAF: leaf, PRUNE: NOT if cut == "never" else prune,
            turn_search.AGAINST: int(style == "paranoid"), turn_search.SORTED: int(order == "turn"),
            turn_search.SEQUENCE: AS_LISTED if order == "listed" else BEST_FIRST, turn_search.TURNS_KEPT: most,
            turn_search.AT_BOUND: int(cut == "at"),
        }, game.seats)  # fmt: skip
        self.arrays = turn_search.TurnwiseArrays(
            rules=game.rules, value_function=self.value.handle, value_weights=self.value.weights,
            control=self.control.cells, total=np.array([0.0, influence]), buffers=self._buffers(),
            states=np.empty(levels * game.size + GUARD, dtype=np.int64),
            turns=np.empty(levels * most * ROW, dtype=np.int64), order=np.empty(levels * most),
            values=np.zeros(levels * game.seats), bounds=np.zeros(levels * game.seats),
            scores=np.zeros(most * game.seats), chosen=np.zeros(2, dtype=np.int64),
            itself=turn_search.search_turns.handle,
        )  # fmt: skip

    def _buffers(self) -> TurnBuffers:
        return turn_buffers(self.game, self.value)

    def decide(self, view: np.ndarray) -> Decision:
        """Return the next move of the planned turn; search where there is none, or where the plan failed."""
        due = self.plan.due(view)
        if due is not None:
            return Decision(due, line=[due], why="the turn was decided on before")
        further = one_more(self.deeper, self.seed, self._decisions)
        return self.forced(view) or self._search(view, self.depth + further)

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        self._search(view, 1)
        self.plan = TurnPlan(self.game)

    def _search(self, view: np.ndarray, depth: int) -> Decision:
        seat = int(who(self.game.rules, view))
        (world,) = guess_worlds(self.game, view, seat, dice(derive(self.seed, self._decisions)), 1)
        self._decisions += 1
        self.value.prepare(world, seat)
        self.control.begin(seat)
        self.arrays.buffers.root[0] = seat
        values, value = np.empty(self.game.seats), self.value
        evaluate_position(self.game.rules, value.handle, value.weights, self.control.cells, world, values)
        self.control.set_draws(values)
        turn_search.search_root(self.arrays, world, depth)
        return self._decision(world, seat, depth)

    def _decision(self, world: np.ndarray, seat: int, depth: int) -> Decision:
        chosen, found = self.arrays.chosen.tolist()
        rows = self.arrays.turns[: found * ROW].reshape(found, ROW)
        scores = self.arrays.scores[: found * self.game.seats].reshape(found, -1)
        line = rows[chosen, 1 : 1 + rows[chosen, 0]].tolist()
        self.plan.make(world, line)
        considered: dict[int, float] = {}
        for move, score in zip(rows[:, 1].tolist(), scores[:, seat].tolist(), strict=True):
            considered[move] = max(score, considered.get(move, -np.inf))
        exact = self.control.complete
        return Decision(
            line[0], scores[chosen].tolist(), line, considered, nodes=self.control.nodes, cutoffs=self.control.cutoffs,
            depth=depth, exact=exact, ended=SOLVED if exact else DEPTH,
        )  # fmt: skip
