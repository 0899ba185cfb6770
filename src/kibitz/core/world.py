"""A world: a position with nothing hidden, for lookahead; a guess at the true state, or a copy of a table.

world = World.guess(game, view, rng)          # a position that the seat to move cannot rule out
for move in world.moves():
    after = world.copy().play(move)
    print(move, after.playout("random", rng))
"""

from operator import index

import numpy as np

from kibitz.core.arrays import Int64s, UInt64s
from kibitz.core.contract import CHANCE, OVER, UNKNOWN
from kibitz.core.dice import dice
from kibitz.core.errors import BadGame, BadMove, BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM
from kibitz.core.notebook import picture
from kibitz.core.playout import (
    MOST_ROLLS,
    guess_world,
    legal_moves,
    look,
    pick_once,
    play_legal,
    play_outs,
    progress_of,
    settle,
    value_of,
    weights_of,
    who,
)
from kibitz.core.spec import Spec
from kibitz.core.table import Table, check_game, check_seat, move_number, written


class World:
    """A position to try moves in; it belongs to no table."""

    def __init__(self, game: Game, cells: Int64s):
        check_game(game)
        if len(cells) != game.size:
            raise BadValue(f"a world of {game} has {game.size} cells, not {len(cells)}")
        if game.hidden and (np.asarray(cells) == UNKNOWN).any():  # in an open game a cell may hold any number
            raise BadValue("a view with hidden cells is not a world; World.guess makes one from it")
        self.game = game
        self._state, self._room = game.new_state(), game.new_moves()
        self._state[: game.size] = cells

    @classmethod
    def guess(cls, game: Game, view: Int64s, rng: UInt64s | int = 0, seat: int | None = None) -> "World":
        """Return a world that a seat cannot rule out, given its view; by default the seat to move.

        `rng` is dice, which advance, or a seed for new ones. In an open game the world is the view itself.
        """
        check_game(game)
        if not isinstance(view, np.ndarray) or len(view) != game.size:
            raise BadValue(
                f"a view of {game} is an array of {game.size} cells, from Table.view, not a {type(view).__name__}"
            )
        cells = game.new_state()
        cells[: game.size] = view
        seat = max(int(who(game.rules, cells)), 0) if seat is None else check_seat(game, seat)
        guess_world(game.rules, cells, seat, as_dice(rng))
        world = cls(game, cells[: game.size])
        if game.hidden and (world.view(seat) != view).any():
            raise BadValue(f"this is not a view of seat {seat}; name the seat whose view it is: World.guess(…, seat=…)")
        return world

    @classmethod
    def of(cls, table: Table) -> "World":
        """Return a copy of a table, secrets included, for analysis by somebody who may see everything."""
        if not isinstance(table, Table):
            raise BadValue(f"World.of takes a Table, not a {type(table).__name__}")
        return cls(table.game, table.copy_of_truth())

    def __repr__(self) -> str:
        waiting = {OVER: "over", CHANCE: "chance moves"}
        whose = waiting[self.turn] if self.turn < 0 else f"{self.game.seat_names[self.turn]} to move"
        return f"<world of {self.game}: {whose}>\n{self}"

    def __str__(self) -> str:
        return self.game.text(self.cells.copy())

    def _repr_svg_(self) -> str | None:
        """Return the position for a notebook."""
        return picture(self.game, self.cells.copy())

    def __copy__(self) -> "World":
        return self.copy()

    def __reduce__(self) -> tuple[type["World"], tuple[Game, Int64s]]:
        return World, (self.game, self.cells)

    @property
    def cells(self) -> Int64s:
        """The state, as a copy that refuses to be written to; World(game, cells) makes a world of other cells."""
        cells = self._state[: self.game.size].copy()
        cells.flags.writeable = False
        return cells

    @property
    def turn(self) -> int:
        """The seat to move, OVER, or CHANCE: then the moves are what chance may do."""
        return int(who(self.game.rules, self._state))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    @property
    def progress(self) -> int:
        """How far the game has come, by its own count; 0 in a game that does not count."""
        return int(progress_of(self.game.rules, self._state))

    def moves(self) -> list[int]:
        """Return the legal moves in ascending order; none if the game is over."""
        return self._room[: legal_moves(self.game.rules, self._state, self._room)].tolist()

    def moves_text(self) -> list[str]:
        """Return the texts of the legal moves, in the order of `moves`; none if the game is over."""
        return [] if self.over else self.game.texts(self._view_of_mover(), self.moves())

    def odds(self) -> list[float]:
        """Return the probability of each of `moves` where chance moves."""
        if self.turn != CHANCE:
            raise BadValue("chance does not move here, so no move has odds")
        weights = self._room[: weights_of(self.game.rules, self._state, self._room)].tolist()
        return [weight / sum(weights) for weight in weights]

    def roll(self, rng: UInt64s | int = 0) -> "World":
        """Play what chance does, by its odds, until a seat is to move or the game is over; return this world."""
        rng, rolls = as_dice(rng), 0
        while self.turn == CHANCE:
            if rolls == MOST_ROLLS:
                raise BadGame(f"{self.game}: chance moves {MOST_ROLLS:,} times one after the other")
            rolls += 1
            self.play(int(pick_once(self.game.rules, RANDOM.handle, RANDOM.weights, self._state, rng, self._room)))
        return self

    def _view_of_mover(self) -> Int64s:
        """Return the view of the seat to move; where chance moves, that of any seat shows the same moves."""
        return self.view(max(self.turn, 0))

    def write(self, move: int) -> str:
        """Return the text of a legal move of the seat to move."""
        return self.game.write(self._view_of_mover(), move)

    def read(self, text: str) -> int:
        """Return the legal move that a text names."""
        if self.over:
            raise BadMove(f"{text!r:.80} is not a move: the game is over")
        return self.game.read(self._view_of_mover(), self.moves(), text)

    def play(self, move: int | str) -> "World":
        """Play a legal move here, its number or its text, and return this world."""
        if isinstance(move, str):
            move = self.read(move)
        wanted = move_number(move)
        if abs(wanted) >= 2**63 or not play_legal(self.game.rules, self._state, wanted, self._room):
            legal = ", ".join(map(str, self.moves())) or "none"
            raise BadMove(f"move {written(move)} is not legal here; the moves are {legal}")
        return self

    def copy(self) -> "World":
        """Return another world in the same position."""
        return World(self.game, self._state[: self.game.size])

    def view(self, seat: int) -> Int64s:
        """Return what a seat may see of this world."""
        out = self.game.new_state()
        look(self.game.rules, self._state, check_seat(self.game, seat), out)
        return out[: self.game.size].copy()

    def payoff(self) -> list[float]:
        """Return what each seat earned, as the rules pay it; only a finished game has payoffs."""
        if not self.over:
            raise BadValue("the game is not over, so nothing has been earned yet")
        out = np.zeros(self.game.seats)
        settle(self.game.rules, self._state, out)
        return out.tolist()

    def value(self, text: str | Spec | None = None) -> list[float]:
        """Return one of the game's values of the position for each seat; the payoff if the game is over."""
        if self.over:
            return self.payoff()
        value, out = self.game.value(text or self.game.usual_value), np.zeros(self.game.seats)
        value_of(self.game.rules, value.handle, value.weights, self._state, out)
        return out.tolist()

    def pick(self, policy: str | Spec = "random", rng: UInt64s | int = 0) -> int:
        """Return the move that a policy of the game picks; `rng` is dice, or a seed for new ones."""
        chosen = self.game.policy(policy)
        return int(pick_once(self.game.rules, chosen.handle, chosen.weights, self._state, as_dice(rng), self._room))

    def playout(self, policy: str | Spec = "random", rng: UInt64s | int = 0) -> list[float]:
        """Return what each seat earns if all play by a policy of the game from here; the world does not change."""
        chosen, opened = self.game.policy(policy), self.game.opened()
        end = self.game.new_state()
        play_outs(opened.rules, chosen.handle, chosen.weights, self._state, 0, 1, as_dice(rng), end, self._room)
        out = np.zeros(self.game.seats)
        settle(self.game.rules, end, out)
        return out.tolist()


def as_dice(rng: UInt64s | int) -> UInt64s:
    """Return dice as they are, or new ones for a seed."""
    if isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (1,):
        return rng
    try:
        return dice(index(rng))
    except TypeError:
        raise BadValue(f"{rng!r:.80} is neither dice nor a seed, which is a whole number") from None
