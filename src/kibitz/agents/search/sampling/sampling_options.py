"""The options that the searches by playouts have in common."""

from dataclasses import replace

import numpy as np

from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.options import Option, read_options
from kibitz.core.spec import Spec
from kibitz.networks.net import NET, NET_OPTIONS, policy_head

MOST_ITERATIONS = 10**15
NO_LIMIT = 2**62

POLICY = Option(Spec("random"), "the policy that plays the playouts", kind="policy")
USUAL_ITERATIONS = 1000  # where neither iterations nor seconds are named
ITERATIONS = Option(
    None, "iterations for a move, each ending in a playout; {} if no budget is named, 0 for no limit", 0,
    MOST_ITERATIONS, kind="int",
)  # fmt: skip
SECONDS = Option(None, "time for a move; no limit if not named", least=0.001, most=86_400, kind="float")
EXPLORATION = Option(
    0.7, "the exploration constant of UCB1: the greater, the more often moves that seem worse are tried", 0, 100
)
CUT = Option(
    None, "end playouts after so many moves and ask the value; 0 for never; if not named, a network that is the value "
    "is asked without a playout, and other values never", 0, 10**9, kind="int",
)  # fmt: skip
VALUE = Option(None, "what judges where playouts end; the game's usual one if not named", kind="value")
CONTEMPT = Option(0.0, "how much less than an even share of the payoff a draw is worth to me", least=0, most=1)
AVOID = Option(False, "prefer positions that have not occurred in this game")
PRIOR = Option(None, "a network, net(file), that says which moves to try first and most (PUCT)", kind="value")
MEMORY = Option(256, "megabytes for the trees; when full they go on without growing", least=1, most=65_536)


def read_cut(cut: int | None, named: Spec | None, value: BoundHeuristic) -> int | None:
    """Return after how many moves a playout ends and the value judges; None for never."""
    if cut is None:
        return 0 if named is not None and value.nature.chances else None
    return cut or None


def read_prior(name: str, game: Game, prior: Spec) -> np.ndarray:
    """Return the network that says which moves to try first and most, packed."""
    if prior.name != NET:
        raise BadValue(f"{name}: prior={prior} is no network; it takes net(file)")
    return policy_head(game, read_options(NET, NET_OPTIONS, prior)["file"])


def iterations_option(usual: int) -> Option:
    """Return the option `iterations` of an agent that does so many where no budget is named."""
    return replace(ITERATIONS, help=ITERATIONS.help.format(usual))


def read_iterations(name: str, iterations: int | None, seconds: float | None, usual: int) -> int:
    """Return how many iterations an agent may do; without a limit on them it needs a limit on time."""
    if iterations is None:
        iterations = usual if seconds is None else 0
    if not iterations and seconds is None:
        raise BadValue(f"{name}: iterations=0 means no limit, so it needs seconds=…")
    return iterations or NO_LIMIT
