"""What Steinmann's thesis on Cartagena (2003) says of games in numbers: their length, the ways to play a turn, hands.

Sections 3.2.1, 3.4, 4.2.2 and 5.1 give such numbers in passing; here they are counted in records of games.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kibitz.agents.search.whole_turns import BEST_FIRST, ROW, list_turns, play_turn, turn_buffers
from kibitz.core.calls import copy, key
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, offset, pointer
from kibitz.core.playout import value_of
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.games.cartagena.cards import count_of
from kibitz.games.cartagena.cells import HAND, HELD, KINDS, NONE, WINNER

MOST_WAYS = 80_000  # to play a turn: 43 to the power of 3 at the most, as section 3.4 says
MANY = 10  # cards of a sign: the encodings of section 4.2.2 show no more
IN_ROW = 10  # cards that those encodings show
WIDE = 2000  # ways to play a turn, which section 3.4 calls not unusual in the middle of a game
LOOKED_AHEAD = 4  # plies, of which section 4.2.2 says that they do not use up the row

Counted = tuple[float, float]  # how much in a game, and of how many


@dataclass(frozen=True)
class Turn:
    """The position in which a turn began, whose it was, and how many cards were drawn in it."""

    state: np.ndarray
    seat: int
    drawn: int


@dataclass(frozen=True)
class Course:
    """A game, turn by turn."""

    game: Game
    value: BoundHeuristic  # of positions, for each seat
    turns: list[Turn]
    actions: int  # of all seats
    won: bool  # whether it had a winner

    @classmethod
    def read(cls, game: Game, value: BoundHeuristic, line: str) -> "Course":
        """Return the course of a game from its record."""
        record, turns = read_line(line), list[Turn]()
        table = Table(game, record.seed)
        begun, seat, drawn = table.copy_of_truth(), table.turn, 0
        for move in record.moves:
            before = table.copy_of_truth()[HELD + seat]
            table.play(move)
            drawn += max(0, int(table.copy_of_truth()[HELD + seat] - before))
            if table.over or table.turn != seat:
                turns.append(Turn(begun, seat, drawn))
                begun, seat, drawn = table.copy_of_truth(), table.turn, 0
        return cls(game, value, turns, len(record.moves), int(table.copy_of_truth()[WINNER]) != NONE)

    @cached_property
    def ways(self) -> np.ndarray:
        """How many ways there are to play each turn, and to how many different positions they lead."""
        return np.array([*_ways(self)])

    @property
    def middle(self) -> np.ndarray:
        """The same of the turns in the middle third of the game."""
        third = len(self.turns) // 3
        return self.ways[third : len(self.turns) - third]

    def ratios(self) -> Iterator[float]:
        """Yield, for every turn, the influence of each other seat on the one to move."""
        worth = np.zeros(self.game.seats)
        for turn in self.turns:
            value_of(self.game.rules, self.value.handle, self.value.weights, turn.state, worth)
            yield from np.delete(worth, turn.seat) / worth[turn.seat]


@compiled
def _hash_ends(rules_, state_, turns, count, after_, out):
    """Write the key of the position after each of some turns."""
    rules, state, after = pointer(rules_), pointer(state_), pointer(after_)
    for i in range(count):
        copy(rules, state, after)
        play_turn(rules, after, offset(pointer(turns), i * ROW))
        out[i] = key(rules, after)


def _ways(course: Course) -> Iterator[tuple[int, int]]:
    """Yield, for each turn, how many ways there are to play it, and to how many different positions they lead."""
    buffers = turn_buffers(course.game, course.value)
    found, order = np.zeros(MOST_WAYS * ROW, dtype=np.int64), np.empty(MOST_WAYS)
    keys, after = np.empty(MOST_WAYS, dtype=np.int64), course.game.new_state()
    for turn in course.turns:
        count = int(list_turns(buffers, turn.state, 0, BEST_FIRST, found, order))
        _hash_ends(course.game.rules, turn.state, found, count, after, keys)
        yield count, len(np.unique(keys[:count]))


def _windows(course: Course) -> np.ndarray:
    """Return how many cards were drawn in each sequence of turns that a search looks at."""
    drawn = np.array([turn.drawn for turn in course.turns])
    return np.convolve(drawn, np.ones(LOOKED_AHEAD, dtype=np.int64), "valid")


def _hoards(course: Course) -> Counted:
    most = [max(count_of(turn.state[HAND + turn.seat], sign) for sign in range(KINDS)) for turn in course.turns]
    return sum(count > MANY for count in most), len(most)


def _mean(numbers: np.ndarray) -> Counted:
    return float(numbers.sum()), len(numbers)


# By name: what is counted, and how; a share is of the units counted, everything else a mean.
SHARES: dict[str, tuple[str, Callable[[Course], Counted]]] = {
    "hoards": (f"turns begun with more than {MANY} cards of a sign", _hoards),
    "row": (
        f"sequences of {LOOKED_AHEAD} turns in which fewer than {IN_ROW} cards are drawn",
        lambda course: _mean(_windows(course) < IN_ROW),
    ),
    "wide_midgame": (
        f"turns of the middle third with {WIDE:,} ways or more to play them",
        lambda course: _mean(course.middle[:, 0] >= WIDE),
    ),
    "endless": ("games without a winner", lambda course: (not course.won, 1)),
}
MEANS: dict[str, tuple[str, Callable[[Course], Counted]]] = {
    "turns": ("turns of a seat", lambda course: (len(course.turns), course.game.seats)),
    "actions": ("actions of a seat", lambda course: (course.actions, course.game.seats)),
    "ways": ("ways to play a turn", lambda course: _mean(course.ways[:, 0])),
    "ways_midgame": ("ways to play a turn in the middle third", lambda course: _mean(course.middle[:, 0])),
    "ends": ("different positions after a turn", lambda course: _mean(course.ways[:, 1])),
    "influence": ("influence of another seat", lambda course: _mean(np.array([*course.ratios()]))),
    "unevenness": (
        "distance of the influence from 1",
        lambda course: _mean(np.abs(np.array([*course.ratios()]) - 1)),
    ),
}  # fmt: skip
MEASURES = {**SHARES, **MEANS}
