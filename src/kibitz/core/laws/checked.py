"""Checked play: interpreted games, on cells that refuse an index out of bounds.

Compiled rules can write anywhere; here a wrong index is an error that names the file, the line and the cell.
"""

import builtins
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any
from unittest.mock import patch

import numpy as np

from kibitz.core import deal_demand
from kibitz.core.address import NOTHING
from kibitz.core.calls import MOST_ODDS
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.contract import ARGUMENTS, CHANCE, OVER, REQUIRED, SIGNATURES, where
from kibitz.core.deal_counts import DEALT, NO_DEAL, count_deals
from kibitz.core.deal_demand import why_no_deal, why_refused
from kibitz.core.dice import below, dice
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, Position, plainly, turn_in_words
from kibitz.core.laws.walk import dice_to_guess, dice_to_move
from kibitz.core.user_files import explained

STUCK_SECONDS = 5  # an interpreted rule that takes longer counts as one that never returns
MOST_PLIES = 1000  # of a checked game
SEAT_AT = (("view", 1), ("guess", 1), ("away", 1), ("seen", 2))  # which argument of a rule is a seat
SECONDS = 20.0  # for all checked games; then the current game is cut short
_CORE = str(PACKAGE / "core")
_WHOLE = (int, np.integer, bool, np.bool_)
_RETURNS = {"moves": "how many there are", "odds": "how many outcomes there are"}
_ONE_BY_ONE = "inside rules cells are read and written one by one, as in state[i]"


class OutOfBounds(Exception):
    """A rule reads or writes where it may not."""


_DOES: dict[type[BaseException], str] = {
    FloatingPointError: "divides by zero",
    ZeroDivisionError: "divides by zero",
    RecursionError: "calls itself without end",
}


class CheckedCells:
    """Cells that refuse an index out of bounds and, if `fixed`, any write; `offset` and `dice_in` return windows."""

    def __init__(self, cells: np.ndarray, told: Callable[[int], str], start: int = 0, fixed: bool = False):
        self._cells, self._told, self._start, self._fixed = cells, told, start, fixed

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._window(index)
        return self._cells[self._place(index, "reads")]

    def __setitem__(self, index: Any, value: Any) -> None:
        place = self._place(index, "writes")
        if self._fixed:
            raise OutOfBounds(f"changes {self._told(place)}; only play may change a state")
        if not isinstance(value, (*_WHOLE, float, np.floating)):
            raise OutOfBounds(f"writes {plainly(value):.40} to {self._told(place)}; it holds numbers only")
        if self._cells.dtype == np.int64 and not float(value).is_integer():
            wanted = "a cell holds whole numbers; // divides without a rest"
            raise OutOfBounds(f"writes {value} to {self._told(place)}; {wanted}")
        self._cells[place] = value

    def __repr__(self) -> str:
        return "cells"

    def __iter__(self) -> Any:
        raise OutOfBounds(f"loops over cells; {_ONE_BY_ONE}")

    def __len__(self) -> int:
        raise OutOfBounds(f"asks for the length of cells; {_ONE_BY_ONE}")

    def __getattr__(self, name: str) -> Any:
        raise OutOfBounds(f"uses .{name} of cells; {_ONE_BY_ONE}")

    def _place(self, index: Any, does: str) -> int:
        if not isinstance(index, _WHOLE):
            raise OutOfBounds(f"uses {plainly(index)} as an index; it must be a whole number")
        place = self._start + int(index)
        if not 0 <= place < len(self._cells):
            raise OutOfBounds(f"{does} {self._told(place)}")
        return place

    def _window(self, wanted: slice) -> Any:
        if not sys._getframe(2).f_code.co_filename.startswith(_CORE):
            raise OutOfBounds(f"takes a slice; {_ONE_BY_ONE}")
        if wanted.stop is None:
            return CheckedCells(self._cells, self._told, self._start + int(wanted.start), self._fixed)
        self._place(wanted.start, "reads")
        return self._cells[self._start + wanted.start : self._start + wanted.stop]


class _CheckedGame:
    """One game in play, interpreted, with every rule checked as it is called."""

    def __init__(self, game: Game, seed: int):
        self.game, self.seed, self.made = game, seed, list[int]()
        self.state = np.zeros(game.size, dtype=np.int64)
        self.dealt = False
        self._rules = game.found_rules()
        self._guessing = dice_to_guess(seed)

    def position(self) -> Position:
        """Return how to reach the position, with moves as numbers because the notation may be wrong."""
        turn = turn_in_words(self.turn) if self.dealt else ""
        at_table = not self.game.chance  # which rolls by its own dice
        return Position(
            str(self.game), self.seed, tuple(self.made), tuple(map(str, self.made)), turn, at_table=at_table
        )

    def cells(self, cells: np.ndarray) -> CheckedCells:
        """Return a state or a view for a rule that may change it."""
        return CheckedCells(cells, self.game.cells.name_of)

    def fixed(self, cells: np.ndarray) -> CheckedCells:
        """Return a state or a view for a rule that only answers a question."""
        return CheckedCells(cells, self.game.cells.name_of, fixed=True)

    def call(self, rule: str, *given: Any) -> Any:
        """Call a rule; an error becomes a sentence with the file and line."""
        asked = [f" (asked for seat {given[at] + 1})" for name, at in SEAT_AT if name == rule]
        with self.blamed(f"the rule {rule}", *asked), _in_time(), _watched_deals() as failed:
            answer = self._rules[rule].function(*given)
        if failed:
            raise Broken(f"{failed[0]}{''.join(asked)}", self.position())
        if SIGNATURES[rule].return_type == NOTHING:
            wanted = "nothing" if answer is not None else None
        else:
            wanted = None if isinstance(answer, _WHOLE) else _RETURNS.get(rule, "a whole number")
        if wanted:
            place, into = where(self._rules[rule].function), ARGUMENTS[rule].split(", ")
            writes = f" and write into {into[-1]}" if wanted == "nothing" and into[-1] == "out" else ""
            raise Broken(
                f"{place}: the rule {rule} returns {plainly(answer):.60}; it must return {wanted}{writes}",
                self.position(),
            )
        return answer

    @contextmanager
    def blamed(self, who: str, asked: str = "") -> Iterator[None]:
        """Turn an error of a rule, value or policy into a broken law."""
        try:
            with np.errstate(divide="raise"), _without_printing():  # as compiled code divides
                yield
        except (OutOfBounds, ArithmeticError, RecursionError) as error:
            place, _, _ = explained(error).partition(f": {type(error).__name__}")
            does = _DOES.get(type(error), str(error))
            raise Broken(f"{place}: {who} {does}{asked}", self.position()) from error
        except Exception as error:
            raise Broken(
                f"{who} fails: {explained(error).rstrip('.')}{_advice(error)}{asked}", self.position()
            ) from error

    def deal(self) -> None:
        """Deal the game."""
        options = CheckedCells(self.game.encoded_options, _option_name(self.game))
        self.call("deal", self.cells(self.state), options, dice(self.seed))
        self._check_seat("deal")
        self.dealt = True

    def _check_seat(self, rule: str) -> None:
        if not (OVER if not self.game.chance else CHANCE) <= self.turn < self.game.seats:
            place, wanted = where(self._rules[rule].function), f"a seat, 0 to {self.game.seats - 1}, or OVER"
            wanted += ", or CHANCE in a game with the rule odds"
            sentence = f"{place}: after the rule {rule} the cell SEAT is {self.turn}; it must be {wanted}"
            raise Broken(sentence, self.position())

    @property
    def turn(self) -> int:
        """The seat to move, OVER, or CHANCE."""
        return int(self.state[self.game.cells["SEAT"]])

    def moves(self, state: np.ndarray) -> list[int]:
        """Return the legal moves in a state or view."""
        most = self.game.most_moves
        room = np.zeros(most, dtype=np.int64)
        out = CheckedCells(room, lambda n: f"entry {n} of the list of moves, but MOST_MOVES is {most}")
        n = self.call("moves", self.fixed(state), out)
        place = where(self._rules["moves"].function)
        if not 1 <= n <= most:
            lists = f"lists {int(n)} moves while the game goes on; it must list at least one and at most MOST_MOVES"
            raise Broken(f"{place}: the rule moves {lists}, {most}", self.position())
        return room[: int(n)].tolist()

    def ask(self) -> None:
        """Call every rule, value and policy that answers a question about the position."""
        for seat in range(self.game.seats):
            view = self._view(seat)
            if self.game.has("guess"):
                self.call("guess", self.cells(view), seat, self._guessing)
            if self.game.has("away"):
                self.call("away", self.fixed(self.state), seat)
        for rule in ("progress", "extent", "key", "alive", "repeats"):
            if self.game.has(rule):
                self.call(rule, self.fixed(self.state))
        self._ask_values()

    def _view(self, seat: int) -> np.ndarray:
        view = self.state.copy()
        if self.game.has("view"):
            view[:] = 0
            self.call("view", self.fixed(self.state), seat, self.cells(view))
        return view

    def _ask_values(self) -> None:
        for name, value in self.game.values.items():
            weights = self.game.value(name).weights
            with self.blamed(f"the value {name}"):
                if value.for_one_seat:
                    for seat in range(self.game.seats):
                        float(value.function(self.fixed(self.state), weights, seat))
                else:
                    value.function(self.fixed(self.state), weights, self._per_seat())

    def _per_seat(self, out: np.ndarray | None = None) -> CheckedCells:
        seats = self.game.seats
        numbers = np.zeros(seats) if out is None else out
        return CheckedCells(numbers, lambda n: f"entry {n}, but the seats are 0 to {seats - 1}")

    def step(self, rng: np.ndarray) -> None:
        """Play a random move, after calling the rules and policies about the seat to move."""
        seat = self.turn
        view = self._view(max(seat, 0))
        moves = self.moves(self.state)
        if seat == CHANCE:
            self._ask_odds(len(moves))
        elif self.game.has("sample"):
            self.call("sample", self.fixed(self.state), dice(1))
        for other in range(self.game.seats if self.game.has("seen") and seat != CHANCE else 0):
            self.call("seen", self.fixed(self.state), moves[0], other)
        for name, policy in self.game.policies.items() if seat != CHANCE else ():
            with self.blamed(f"the policy {name}"):
                policy.function(self.fixed(view), self.game.policy(name).weights, dice(len(self.made)))
        move = moves[below(rng, len(moves))]
        with self.blamed(f"the rule play, called with move {move},"), _in_time():
            self._rules["play"].function(self.cells(self.state), move)
        self.made.append(move)
        self._check_seat("play")

    def _ask_odds(self, outcomes: int) -> None:
        """Ask for the weights of what chance may do."""
        most = self.game.most_moves
        room = np.zeros(most, dtype=np.int64)
        out = CheckedCells(room, lambda n: f"entry {n} of the list of weights, but MOST_MOVES is {most}")
        n = self.call("odds", self.fixed(self.state), out)
        place = where(self._rules["odds"].function)
        if n != outcomes:
            raise Broken(
                f"{place}: the rule odds returns {plainly(n)}; the rule moves lists {outcomes}", self.position()
            )
        if room[:n].min() < 1 or int(room[:n].sum()) > MOST_ODDS:
            wanted = f"each must be at least 1, and their sum at most {MOST_ODDS:,}"
            raise Broken(f"{place}: the rule odds writes {room[:n].tolist()}; {wanted}", self.position())

    def settle(self) -> None:
        """Ask for the payoffs."""
        out = np.full(self.game.seats, np.nan)
        self.call("payoff", self.fixed(self.state), self._per_seat(out))
        place = where(self._rules["payoff"].function)
        for seat, earned in enumerate(out.tolist()):
            if np.isnan(earned):
                writes = f"writes nothing for seat {seat + 1}; it must write what each seat earned"
                raise Broken(f"{place}: the rule payoff {writes}", self.position())
            if not self.game.scoring.fits([earned]):
                raise Broken(
                    f"{place}: the rule payoff gives seat {seat + 1} {earned}; {self.game.scoring.demand}",
                    self.position(),
                )


def play_checked(game: Game, seed: int, games: int, seconds: float = SECONDS) -> int:
    """Play random games interpreted, with every cell checked; return the number of moves."""
    missing = [rule for rule in REQUIRED if not game.has(rule)]
    if missing:
        raise Broken(f"{game.name}: rules.py lacks the rules {', '.join(missing)}")
    until, plies = monotonic() + seconds, 0
    for each in range(seed, seed + games):
        table, rng = _CheckedGame(game, each), dice_to_move(each)
        table.deal()
        table.ask()
        while table.turn != OVER and len(table.made) < MOST_PLIES and monotonic() < until:
            table.step(rng)
            table.ask()
        if table.turn == OVER:
            table.settle()
        plies += len(table.made)
    return plies


@contextmanager
def _without_printing() -> Iterator[None]:
    """Refuse to print."""
    usual = builtins.print
    builtins.print = _refuse_to_print
    try:
        yield
    finally:
        builtins.print = usual


def _refuse_to_print(*words: object, **options: object) -> None:
    raise OutOfBounds(f"prints {' '.join(map(str, words))!r:.40}; rules only read and write cells")


@contextmanager
def _watched_deals() -> Iterator[list[str]]:
    """Refuse a demand on a deal that names something wrong; yield a list that holds why the last deal drawn failed."""
    failed: list[str] = []

    def count(room: Any) -> int:
        found = int(count_deals(room))
        why = "" if found == DEALT else f"{_line_of_author()}: deal_out returns {found}: {why_no_deal(room, found)}"
        why += "; or the rule moves lists what guess holds impossible" if found == NO_DEAL else ""
        failed[:] = [why] if why else []
        return found

    def refuse(room: Any, why: int, number: int) -> None:
        raise OutOfBounds(f"demands a deal that cannot be: {why_refused(room, why, int(number))}")

    with patch.multiple(deal_demand, count_deals=count, refuse_demand=refuse):
        yield failed


def _line_of_author() -> str:
    """Return the file and line of the rule that called code of Kibitz."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_CORE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}" if frame else ""


@contextmanager
def _in_time() -> Iterator[None]:
    """Interrupt a rule that does not return."""
    usual = signal.signal(signal.SIGALRM, _stuck)
    signal.setitimer(signal.ITIMER_REAL, STUCK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


def _stuck(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"it has not returned after {STUCK_SECONDS} seconds")


def _advice(error: Exception) -> str:
    """Return what a common error means, as the end of a sentence; empty if nothing is known."""
    if "scalar variable" in str(error) or "object is not subscriptable" in str(error):
        return "; a number stands where cells or dice should: are arguments in the wrong order?"
    return ""


def _option_name(game: Game) -> Callable[[int], str]:
    known = ", ".join(f"{n} ({name})" for n, name in enumerate(["seats", *game.options]))
    return lambda n: f"options[{n}]; there are {known}"
