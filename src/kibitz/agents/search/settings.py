"""The options of tree searches, checked and read once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent
from kibitz.agents.search import control
from kibitz.agents.search.control import MOVES, PROGRESS, TURNS_BEGUN, TURNS_WHOLE
from kibitz.agents.search.determinization import HOW
from kibitz.agents.search.evaluation import WON
from kibitz.agents.search.expectation import stakes_of
from kibitz.agents.search.filters import check_repeats, find_filters
from kibitz.core.contract import GUARD
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.options import Option
from kibitz.core.playout import turns_left_in
from kibitz.core.shares import RESOLUTION
from kibitz.core.spec import Spec, parse

MOST_LEVELS = 200  # moves, not turns; fewer if the memory is small. Deeper positions are evaluated by the value
NO_DEPTH_LIMIT = 1000
USUAL_DEPTH = 3  # if neither a depth nor another budget is given
MEGABYTE = 2**20
AUTO = "auto"
UNITS = {"turns": TURNS_WHOLE, "begun": TURNS_BEGUN, "moves": MOVES, "progress": PROGRESS}

OPTIONS: Mapping[str, Option] = {
    "depth": Option(None, f"how far to look ahead; {USUAL_DEPTH} if no budget is named, 0 for no limit", least=0,
                    most=NO_DEPTH_LIMIT, kind="int"),
    "unit": Option("turns", "what depth counts: whole turns; turns begun, of which the last ends with its first move;"
                   " moves; or, for max^n, what the game counts as progress, at least 1 a move", choices=tuple(UNITS)),
    "value": Option(None, "the value that evaluates positions at the horizon; the game's usual one if not named",
                    kind="value"),
    "width": Option(None, "how many moves to keep at every position, the best by the mover's value; 0 for all; the"
                    " game's usual number if not named", least=0, kind="int"),
    "filter": Option(None, "what leaves out moves at every position, several joined by +; nothing if not"
                     " named", kind="filter"),
    "worlds": Option(10, "in games with secrets: how many guesses at what is hidden are searched", least=1,
                     most=100_000),
    "agree": Option("vote", "in games with secrets: how the worlds agree on a move", choices=HOW),
    "seconds": Option(None, "time for a move; no limit if not named", least=0.001, most=86_400, kind="float"),
    "nodes": Option(None, "positions to search for a move; no limit if not named", 1, 1e15, kind="int"),
    "opening": Option(AUTO, "the agent that plays the opening, or none; auto: the game's usual one, but none where"
                      " seconds or nodes are named and until is not", kind="agent"),
    "until": Option(None, "the progress that ends the opening; the game's usual if not named", least=0, kind="int"),
    "avoid": Option(False, "prefer positions that have not occurred in this game"),
    "draw": Option("even", "what a draw is worth to a seat: what the position is worth now to an average seat, or to"
                   " this one", choices=("even", "own")),
    "memory": Option(256, "megabytes for the search; with little memory it searches less deep", 1, 65_536),
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """The options of one search."""

    name: str  # of the agent
    game: Game
    seed: int
    depth: int
    unit: int  # of depth
    value: BoundHeuristic
    width: int  # 0 for all moves
    filters: tuple[Any, ...]  # the handles of move filters
    worlds: int
    how: str
    seconds: float | None
    nodes: int | None
    opening: Agent | None
    until: int
    avoid: bool
    own_draw: bool
    memory: int
    limit: int  # bytes
    deeper: float = 0.0  # in which part of the decisions to look one turn further
    deepen: bool = True  # whether to deepen iteratively, where that makes the deeper search faster

    @property
    def parameters(self) -> dict[int, int]:
        """The parameters of both engines, by cell of their control."""
        return {
            control.NODE_LIMIT: self.nodes or control.NO_NODE_LIMIT, control.UNIT: self.unit, control.WIDTH: self.width,
            control.OWN_DRAW: int(self.own_draw), control.STAKES: round(stakes_of(self.game, self.value) / RESOLUTION),
        }  # fmt: skip

    def turns_left(self, state: np.ndarray) -> int:
        """Return the depth at which a search reaches the end of the game; 0 if it is not known."""
        left = 0 if self.unit in (MOVES, PROGRESS) else int(turns_left_in(self.game.rules, state))
        return left + 1 if left and self.unit == TURNS_BEGUN else left

    @property
    def decided(self) -> float:
        """The score beyond which a game is decided: by a win, which is no hope that rests on chance."""
        return WON if self.game.scoring.by_wins and not self.game.chance else inf

    @property
    def lists_of_moves(self) -> int:
        """The cells of the lists of moves that the driver and the agent hold."""
        return 2 * (self.game.most_moves + GUARD)

    def levels_within(self, limit: int, needed: Callable[[int], int]) -> int:
        """Return how many moves deep the memory lets a search go; `needed` gives the bytes for a number of levels."""
        for levels in range(MOST_LEVELS, 1, -1):
            if needed(levels) <= limit:
                return levels
        if needed(1) > self.limit:
            least = -(-needed(1) // MEGABYTE)
            raise BadValue(f"{self.name}: memory={self.memory} is too little for {self.game}; it takes {least}")
        return 1


def read_settings(agent: Agent, options: Mapping[str, Any], fraction: float = 1.0) -> Settings:
    """Return the settings of a search that may use a fraction of the agent's memory."""
    game, name = agent.game, agent.name
    other_budget = options["seconds"] is not None or options["nodes"] is not None
    depth = options["depth"] if options["depth"] is not None else 0 if other_budget else USUAL_DEPTH
    if not depth and not other_budget:
        raise BadValue(f"{name}: depth=0 means no limit, so it needs seconds=… or nodes=…")
    if options["unit"] == "progress" and not game.has("progress"):
        raise BadValue(f"{name}: unit=progress needs a game that counts progress, and {game} does not")
    if options["avoid"]:
        check_repeats(name, game)
    opening, until = _opening(agent, options["opening"], options["until"], other_budget)
    return Settings(
        name, game, agent.seed, depth=depth or NO_DEPTH_LIMIT, unit=UNITS[options["unit"]],
        value=game.value(options["value"] or game.usual_value),
        width=game.usual_width if options["width"] is None else options["width"],
        filters=find_filters(game, options["filter"]),
        worlds=options["worlds"] if game.hidden else 1, how=options["agree"], seconds=options["seconds"],
        nodes=options["nodes"], opening=opening, until=until, avoid=options["avoid"],
        own_draw=options["draw"] == "own", memory=options["memory"],
        limit=int(options["memory"] * MEGABYTE * fraction),
    )  # fmt: skip


def _opening(agent: Agent, opening: Spec | str, until: int | None, budget: bool) -> tuple[Agent | None, int]:
    """Return who plays the opening, and how far; the usual one ignores the budget, so one that is named replaces it."""
    from kibitz.agents import build  # the opening is itself an agent

    game, usual = agent.game, agent.game.usual_opening
    if str(opening) == AUTO:
        opening = "none" if usual is None or (budget and until is None) else parse(usual.agent)
    if until is None and usual is not None:
        until = usual.until
    if str(opening) == "none":
        return None, 0
    if not game.has("progress") or until is None:
        raise BadValue(f"{agent.name}: opening={opening} needs until=…, and a game that counts progress")
    return build(opening, game, agent.seed), until
