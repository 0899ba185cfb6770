"""Searches by sampling: the options they share, and how they spend their budget."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.sampling.uct_tree import DONE, STOP
from kibitz.agents.search.search_budget import clock
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.options import Option, read_options
from kibitz.core.playout import who
from kibitz.core.spec import Spec
from kibitz.networks.net import NET, NET_OPTIONS, policy_head

MOST_ITERATIONS = 10**15
NO_LIMIT = 2**62

POLICY = Option(Spec("random"), "the policy that plays the playouts", kind="policy")
ITERATIONS = Option(
    None, "iterations for a move, each ending in a playout; {} if no budget is named, 0 for no limit", 0,
    MOST_ITERATIONS, kind="int",
)  # fmt: skip
SECONDS = Option(None, "time for a move; no limit if not named", least=0.001, most=86_400, kind="float")
EXPLORATION = Option(
    0.7, "the exploration constant of UCB1: the greater, the more often moves that seem worse are tried", 0, 100
)
CUT = Option(
    None, "end playouts after this many moves and ask the value; 0 for never; if not named, a network that is the "
    "value is asked without a playout, and other values never", 0, 10**9, kind="int",
)  # fmt: skip
VALUE = Option(None, "the value that evaluates where playouts end; the game's usual one if not named", kind="value")
PRIOR = Option(None, "a network, net(file), that says which moves to try first and most (PUCT)", kind="value")
MEMORY = Option(256, "megabytes for the trees; when full they go on without growing", least=1, most=65_536)


def read_cut(cut: int | None, named: Spec | None, value: BoundHeuristic) -> int | None:
    """Return after how many moves a playout ends and the value evaluates; None for never."""
    if cut is None:
        return 0 if named is not None and value.properties.chances else None
    return cut or None


def read_prior(name: str, game: Game, prior: Spec | None) -> np.ndarray:
    """Return the network that gives priors, packed; nothing where there is none."""
    if prior is None:
        return np.zeros(1)
    if prior.name != NET:
        raise BadValue(f"{name}: prior={prior} is not a network; it takes net(file)")
    return policy_head(game, read_options(NET, NET_OPTIONS, prior)["file"])


def iterations_option(usual: int) -> Option:
    """Return the option `iterations` of an agent that runs `usual` iterations where no budget is named."""
    return replace(ITERATIONS, help=ITERATIONS.help.format(usual))


def read_iterations(name: str, iterations: int | None, seconds: float | None, usual: int) -> int:
    """Return how many iterations an agent may run; without a limit on them it needs a limit on time."""
    if iterations is None:
        iterations = usual if seconds is None else 0
    if not iterations and seconds is None:
        raise BadValue(f"{name}: iterations=0 means no limit, so it needs seconds=…")
    return iterations or NO_LIMIT


class SamplingSearch(Agent):
    """An agent that grows trees until its budget is used up."""

    iterations: int  # of each tree
    seconds: float | None
    judge: BoundHeuristic
    _decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move visited most, or one that is proven to win."""
        return self.forced(view) or self._search(view)

    def progress(self) -> dict[str, int]:
        """Return the number of playouts so far."""
        return {"visits": sum(int(control[DONE]) for control in self.controls())}

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        iterations, seconds, self.iterations, self.seconds = self.iterations, self.seconds, 1, None
        self._search(view)
        self.iterations, self.seconds = iterations, seconds

    def controls(self) -> Sequence[np.ndarray]:
        """Return the control cells of all trees."""
        raise NotImplementedError

    def begin(self, view: np.ndarray, seat: int) -> None:
        """Reset the trees for a decision of a seat."""
        raise NotImplementedError

    def grow(self, view: np.ndarray, iterations: int) -> None:
        """Run iterations on all trees."""
        raise NotImplementedError

    def conclude(self, view: np.ndarray, seat: int) -> Decision:
        """Return the decision that the trees lead to."""
        raise NotImplementedError

    def _search(self, view: np.ndarray) -> Decision:
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        self.begin(view, seat)
        self.judge.prepare(view, seat)
        if self.seconds is not None:
            self.grow(view, 0)  # compiles what is not compiled yet, outside the time limit
        with clock(self.seconds, self._stop):
            self.grow(view, self.iterations)
        return self.conclude(view, seat)

    def _stop(self) -> None:
        for control in self.controls():
            control[STOP] = 1
