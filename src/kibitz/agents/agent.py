"""Agents: an agent decides from a view, and explains its decision."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import wraps
from typing import Any, ClassVar

import numpy as np

from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadGame, BadMove, BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.options import Option
from kibitz.core.playout import legal_moves, look
from kibitz.core.table import Table

DEPTH, SECONDS, NODES, ITERATIONS, PLAYOUTS, MEMORY = "depth", "seconds", "nodes", "iterations", "playouts", "memory"
SOLVED, ONLY_MOVE = "solved", "only move"
ENDS = (DEPTH, SECONDS, NODES, ITERATIONS, PLAYOUTS, MEMORY, SOLVED, ONLY_MOVE, "")  # "" where there is no budget


@dataclass(frozen=True)
class Decision:
    """A move, and how the agent arrived at it."""

    move: int
    values: list[float] | None = None  # what the position is worth to each seat
    line: list[int] = field(default_factory=list)  # the principal variation, this move first
    # The score of each move for the mover; alpha-beta has that of the best move, and upper bounds for the others.
    considered: dict[int, float] = field(default_factory=dict)
    move_values: dict[int, list[float]] = field(default_factory=dict)  # what each move is worth to every seat, if known
    tries: dict[int, int] = field(default_factory=dict)  # the visits of each move, if counted
    visits: int = 0  # playouts
    nodes: int = 0  # positions searched
    cutoffs: int = 0
    depth: int = 0
    exact: bool = False  # proved to the end of the game
    short: bool = False  # the memory limited the search to less than the depth that was asked for
    ended: str = ""  # what ended the search: one of ENDS
    why: str = ""  # in words, where the agent first chose a way to decide

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class ValueScale:
    """What the numbers in decisions mean: in words, or a value with its unit; payoffs where neither is given."""

    words: str = ""
    value: str = ""
    unit: str = ""
    per_unit: float = 1.0
    depth: str = "turn"  # what a depth of 1 is


def as_decision(answer: Any) -> Decision:
    """Return an agent's answer, a Decision or a bare move, as a Decision."""
    if isinstance(answer, int | np.integer) and not isinstance(answer, bool):
        return Decision(int(answer))
    if not hasattr(answer, "move"):
        raise TypeError(f"decide returned {answer!r:.80}; it must return a move or a Decision")
    return answer


def decide_at(table: Table, mind: "Agent") -> Decision:
    """Return what an agent decides at a table; a move that is not legal is a BadMove that names the agent."""
    decision, legal = as_decision(mind.decide(table.view(table.turn))), table.moves()
    if decision.move not in legal:
        raise BadMove(
            f"agent {mind.text}: move {decision.move!r:.80} at ply {table.ply} is not legal; the moves are "
            f"{', '.join(map(str, legal))}"
        )
    return decision


def consider_legal(mind: "Agent", view: np.ndarray, top: int) -> list[Decision]:
    """Return what an agent thinks of a position; a move that is not legal is a BadMove that names the agent."""
    decisions, legal = mind.consider(view, top), mind.legal(view)
    for decision in decisions:
        if decision.move not in legal:
            listed = ", ".join(map(str, legal))
            raise BadMove(f"agent {mind.text}: move {decision.move!r:.80} is not legal here; the moves are {listed}")
    return decisions


class Agent:
    """Chooses moves in one game; `view` is all it may know when it decides."""

    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    policy: BoundHeuristic | None = None  # set where the agent is a mere policy, which compiled code can play
    OUTSIDE: ClassVar[bool] = False  # whether it runs other programs or libraries, which not everybody may use
    GAMES: ClassVar[tuple[str, ...]] = ()  # the games that it plays, if they are known and not all
    NAME: ClassVar[str] = ""  # under which it was found, if not that of its file
    called = ""  # the name that a bot gives itself
    numbers = ""  # what the numbers in its decisions mean, in words, where they are neither payoffs nor a value's

    _decides_itself = False

    def __init_subclass__(cls) -> None:
        """Clear the inherited policy of an agent that decides in its own way."""
        super().__init_subclass__()
        if "decide" in vars(cls):
            cls._decides_itself = not {"policy", "prepare"} & set(vars(cls))
            cls.decide = _blaming_no_rules(cls.decide)  # type: ignore[method-assign]

    def __init__(self, text: str, game: Game, seed: int, options: Mapping[str, Any]):
        self.text = text
        self.game = game
        self.seed = seed
        self.rng = dice(seed)
        self._scratch = game.new_moves()
        self.prepare(**options)
        if self._decides_itself:
            self.policy = None

    def __repr__(self) -> str:
        return f"<agent {self.text} for {self.game}>"

    @property
    def name(self) -> str:
        """The name under which it was found, or that of its file."""
        return self.NAME or type(self).__module__.rsplit(".", 1)[-1]

    def prepare(self, *args: Any, **options: Any) -> None:
        """Take the options, already checked; refuse a game that does not fit with a BadValue."""

    def decide(self, view: np.ndarray) -> Decision:
        """Return a Decision, or just a move; `view` is all this agent may know."""
        raise TypeError(f"{type(self).__name__} does not decide")

    def progress(self) -> dict[str, int]:
        """Return the counters of the decision under way, for another thread; an agent may have none.

        The names are those of a Decision: visits, nodes, depth.
        """
        return {}

    def forced(self, view: np.ndarray) -> Decision | None:
        """Return the decision where there is only one legal move, which needs no search; else None."""
        moves = self.legal(view)
        return Decision(moves[0], line=moves, ended=ONLY_MOVE) if len(moves) == 1 else None

    def warm_up(self, view: np.ndarray) -> None:
        """Decide with as little effort as possible, to load or compile the code that a decision needs."""
        self.decide(view)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each as a decision."""
        found = as_decision(self.decide(view))
        rest = [move for move in found.considered if move != found.move]
        ranked = sorted(rest, key=lambda move: (-found.tries.get(move, 0), -found.considered[move]))
        others = [
            replace(found, move=move, values=found.move_values.get(move), line=self.expected(found, move))
            for move in ranked[: top - 1]
        ]
        return [found, *others]

    def expected(self, found: Decision, move: int) -> list[int]:
        """Return the principal variation after a move other than the one decided on, this move first."""
        return [move]

    def legal(self, view: np.ndarray) -> list[int]:
        """Return the legal moves of the seat whose view it is."""
        return self._scratch[: legal_moves(self.game.rules, view, self._scratch)].tolist()

    def scale(self) -> "ValueScale":
        """Return what the numbers in its decisions mean."""
        value = getattr(self, "value", None)
        if self.numbers or value is None:
            return ValueScale(words=self.numbers)
        return ValueScale(value=value.text, unit=value.properties.unit, per_unit=value.properties.per_unit)

    def best_of(self, moves: list[int], scores: np.ndarray) -> int:
        """Return a move of the greatest score, drawn from the agent's own dice where several are equal."""
        best = np.flatnonzero(scores == scores.max())
        return moves[int(best[roll(self.rng, len(best))])]


def _blaming_no_rules(decide: Callable[..., Any]) -> Callable[..., Any]:
    """Return `decide` such that a view of a seat that is not to move is a BadValue, and not the fault of the rules."""

    @wraps(decide)
    def decided(mind: Agent, view: np.ndarray) -> Any:
        try:
            return decide(mind, view)
        except BadGame:
            refuse_view_of_another(mind.game, view)
            raise

    return decided


def refuse_view_of_another(game: Game, view: np.ndarray) -> None:
    """Refuse with a BadValue a view of a seat that is not to move, as far as the view shows it."""
    turn = int(view[game.cells["SEAT"]])
    owners = _owners(game, view) if game.hidden else [turn]
    if turn in owners or not owners or not 0 <= turn < game.seats:
        return
    named, to_move = " or ".join(game.seat_names[seat] for seat in owners), game.seat_names[turn]
    raise BadValue(f"this is the view of {named}, and {to_move} is to move; only that seat can decide") from None


def _owners(game: Game, view: np.ndarray) -> list[int]:
    """Return the seats whose view it can be: those that see exactly this."""
    state, found = game.new_state(), []
    state[: game.size] = view
    for seat in range(game.seats):
        out = game.new_state()
        look(game.rules, state, seat, out)
        if (out[: game.size] == view).all():
            found.append(seat)
    return found
