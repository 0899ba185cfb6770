"""A table: one game in play. It plays legal moves only, and views are the only way in which a state leaves it."""

from collections.abc import Callable, Iterable
from math import log10
from operator import index
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.contract import CHANCE, GUARD, OVER
from kibitz.core.dice import dice
from kibitz.core.errors import BadGame, BadMove, BadRecord, BadValue
from kibitz.core.game import Game
from kibitz.core.notebook import common_view, picture
from kibitz.core.playout import MOST_ROLLS, deal_table, intact, legal_moves, look, look_of, play_legal, settle, who
from kibitz.core.rolls import play_chance, roll_keys

_TOO_LONG = 10**40


def move_number(move: object, where: str = "") -> int:
    """Return a move as a whole number; anything else, True and False included, is a BadMove."""
    try:
        if not isinstance(move, bool):
            return index(move)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise BadMove(f"{move!r:.80}{where} is not a move; a move is a whole number or its text")


def written(move: int) -> str:
    """Return a move as a number in a message; Python does not print numbers with thousands of digits."""
    if abs(index(move)) < _TOO_LONG:
        return str(move)
    return f"with about {round(index(move).bit_length() * log10(2)):,} digits"


class Roll(NamedTuple):
    """What chance did at a ply, and the true state before it."""

    ply: int
    outcome: int
    before: Int64s


class Table:
    """One game in play; it holds the true state and hands out views. Copies and pickles hold the true state too.

    Where chance moves, the table plays its outcome at once, by dice that follow from the seed and the ply.
    """

    def __init__(self, game: Game, seed: int):
        check_game(game)
        try:
            seed = index(seed)
        except TypeError:
            raise BadValue(f"the seed of a table is a whole number, not {seed!r:.80}") from None
        self.game = game
        self.seed = seed
        self.moves_made: list[int] = []  # those of chance included
        self.movers: list[int] = []  # who made each: a seat, or CHANCE
        self.rolls: list[Roll] = []  # what chance did after the last move, or after the deal
        self._room = game.new_moves()
        self._guarded = game.new_state()
        self._state = self._guarded[: game.size]
        self._call("deal", deal_table, self._state, game.encoded_options, dice(seed))
        self._turn = self._seat_to_move("deal")
        self._roll()

    def __repr__(self) -> str:
        if self.over:
            return f"<table: {self.game} over after {self.ply} moves, payoff {self.payoff()}>"
        names = self.game.seat_names
        board = self.game.text(self.view(self._turn))
        return f"<table: {self.game} at ply {self.ply}, {names[self._turn]} to move>\n{board}"

    def _repr_svg_(self) -> str | None:
        """Return the board for a notebook as the seat to move sees it; when the game is over, as the public does."""
        return picture(self.game, common_view(self.game, self.view) if self.over else self.view(self._turn))

    def __getstate__(self) -> dict[str, Any]:
        """Return all that a copy needs, secrets included."""
        made = {"seed": self.seed, "moves": [*self.moves_made], "movers": [*self.movers], "cells": self._state.copy()}
        return {"game": self.game, "version": self.game.version, **made}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Become a copy that shares nothing mutable."""
        self.game, self.seed, self.moves_made = kept["game"], kept["seed"], kept["moves"]
        self.movers, self.rolls = kept["movers"], []
        if (kept["version"], len(kept["cells"])) != (self.game.version, self.game.size):
            raise BadRecord(f"the table was pickled with other rules of {self.game} than version {self.game.version}")
        self._room, self._guarded = self.game.new_moves(), self.game.new_state()
        self._state = self._guarded[: self.game.size]
        self._state[:] = kept["cells"]
        self._turn = self._seat_to_move("play")

    @property
    def turn(self) -> int:
        """The seat to move, or OVER."""
        return self._turn

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._turn == OVER

    @property
    def ply(self) -> int:
        """How many moves have been made, those of chance included."""
        return len(self.moves_made)

    def moves(self) -> list[int]:
        """Return the legal moves in ascending order."""
        n = self._call("moves", legal_moves, self._state, self._room)
        return self._room[:n].tolist()

    def moves_text(self) -> list[str]:
        """Return the texts of the legal moves, in the order of `moves`; none if the game is over."""
        return [] if self.over else self.game.texts(self.view(self._turn), self.moves())

    def play(self, move: int | str) -> None:
        """Play a legal move, its number or its text; anything else is a BadMove and changes nothing."""
        if isinstance(move, str):
            move = self.read(move)
        wanted = move_number(move, f" at ply {self.ply}")
        if abs(wanted) >= 2**63 or not self._call("play", play_legal, self._state, wanted, self._room):
            raise BadMove(self._refusal(move))
        self.moves_made.append(wanted)
        self.movers.append(self._turn)
        self._turn = self._seat_to_move("play")
        self._roll()

    def follow(self, moves: Iterable[int]) -> None:
        """Play the moves of a record on a table just dealt; a roll that is not the table's own is a BadMove."""
        for ply, move in enumerate(moves):
            if ply >= self.ply:
                self.play(move)
            elif move != self.moves_made[ply]:
                raise BadMove(
                    f"move {written(move)} at ply {ply} is not what chance did; from the seed follows "
                    f"{self.moves_made[ply]}"
                )

    def _roll(self) -> None:
        """Play what chance does until a seat is to move or the game is over."""
        self.rolls = []
        if self._turn != CHANCE:
            return
        key, rng = roll_keys([self.seed], True), dice(0)
        while self._turn == CHANCE:
            if len(self.rolls) == MOST_ROLLS:
                raise BadGame(f"{self.game}: chance moves {MOST_ROLLS:,} times one after the other at ply {self.ply}")
            before = self._state.copy()
            outcome = int(self._call("odds", play_chance, self._state, key, self.ply, rng, self._room))
            self.rolls.append(Roll(self.ply, outcome, before))
            self.moves_made.append(outcome)
            self.movers.append(CHANCE)
            self._turn = self._seat_to_move("play")

    def _call(self, rule: str, function: Callable[..., Any], *given: Any) -> Any:
        """Call compiled code that calls a rule; an error there is a BadGame that names the rule."""
        try:
            found = function(self.game.rules, *given)
            intact(self.game.rules, self._guarded)
            return found
        except Exception as error:
            found_by = "kibitz check finds the line"
            what = str(error) if isinstance(error, BadGame) else f"{type(error).__name__}: {error}; {found_by}"
            raise BadGame(f"{self.game}: the rule {rule} went wrong at ply {self.ply}: {what}") from error

    def _seat_to_move(self, rule: str) -> int:
        seat = int(who(self.game.rules, self._state))
        if seat == CHANCE and not self.game.chance:
            raise BadGame(
                f"{self.game}: after the rule {rule} the cell SEAT is CHANCE at ply {self.ply}, and the game has no "
                f"rule odds"
            )
        if not CHANCE <= seat < self.game.seats:
            raise BadGame(
                f"{self.game}: after the rule {rule} the cell SEAT is {seat} at ply {self.ply}; it must be a seat, "
                f"0 to {self.game.seats - 1}, OVER ({OVER}) or CHANCE ({CHANCE})"
            )
        return seat

    def _refusal(self, move: int) -> str:
        if self.over:
            return f"move {written(move)} at ply {self.ply} is not legal: the game is over"
        view = self.view(self._turn)
        named = ", ".join(f"{legal} ({self.game.write(view, legal)})" for legal in self.moves())
        return f"move {written(move)} at ply {self.ply} is not legal; the moves are {named}"

    def view(self, seat: int) -> Int64s:
        """Return what a seat may see, as a new array."""
        check_seat(self.game, seat)
        out = self.game.new_state()
        self._call("view", look, self._state, seat, out)
        intact(self.game.rules, out)
        return out[: self.game.size].copy()

    def copy_of_truth(self) -> Int64s:
        """Return the true state, secrets included; for referees and tests, never for an agent."""
        return self._state.copy()

    def write(self, move: int) -> str:
        """Return the text of a legal move of the seat to move."""
        return self.game.write(self.view(self._turn), move)

    def told(self, move: int, seat: int) -> str | None:
        """Return the text of a legal move for another seat; None if that seat cannot tell which move it is."""
        looks = {legal: int(look_of(self.game.rules, self._state, legal, seat)) for legal in self.moves()}
        alike = [legal for legal, look in looks.items() if look == looks[move]]
        if alike != [move] or looks[move] != move:
            return None
        return self.game.write(self.view(seat), move)  # from the seat's view, so that the text reveals nothing else

    def read(self, text: str) -> int:
        """Return the legal move that a text names."""
        if self.over:
            raise BadMove(f"{text!r:.80} at ply {self.ply} is not a move: the game is over")
        return self.game.read(self.view(self._turn), self.moves(), text)

    def drawn_by(self) -> str:
        """Return why the game was drawn; empty if it was not, or if the game does not tell."""
        earned = self.payoff() if self.over else [1.0]
        return self.game.drawn_by(self._state[: self.game.size]) if earned.count(max(earned)) > 1 else ""

    def payoff(self) -> list[float]:
        """Return what each seat earned, as the rules pay it; only a finished game has payoffs."""
        if not self.over:
            raise BadValue("the game is not over, so nothing has been earned yet")
        out = np.zeros(self.game.seats + GUARD)
        self._call("payoff", settle, self._state, out)
        if out[self.game.seats :].any():
            raise BadGame(f"{self.game}: the rule payoff writes behind the last of the {self.game.seats} seats")
        earned = out[: self.game.seats].tolist()
        if not self.game.scoring.fits(earned):
            raise BadGame(f"{self.game}: the rule payoff gives {earned}; {self.game.scoring.demand}")
        return earned

    def roll_text(self, roll: Roll) -> str:
        """Return the text of one of `rolls`, which everybody sees."""
        out = self.game.new_state()
        look(self.game.rules, roll.before, 0, out)
        return self.game.write(out[: self.game.size].copy(), roll.outcome)

    def undo(self, plies: int = 1) -> None:
        """Take back the last moves; with the roll after a move of a seat, that move goes too."""
        if not 0 <= plies <= self.ply:
            raise BadValue(f"cannot take back {plies} moves; {self.ply} have been made")
        kept = self.ply - plies
        while kept and kept < self.ply and self.movers[kept] == CHANCE:  # a table never waits for chance
            kept -= 1
        again = Table(self.game, self.seed)
        again.follow(self.moves_made[:kept])
        self.__dict__.update(again.__dict__)


def check_game(game: object) -> None:
    """Refuse anything but a Game, such as the text that names one."""
    if not isinstance(game, Game):
        raise BadValue(f"{game!r:.80} is not a game; kibitz.game(…) returns the game that a text names")


def check_seat(game: Game, seat: int) -> int:
    """Return a seat of a game; anything else is a BadValue."""
    try:
        wanted = index(seat)
    except TypeError:
        wanted = -1
    if not 0 <= wanted < game.seats:
        raise BadValue(f"there is no seat {seat!r:.80}; the seats are 0 to {game.seats - 1}")
    return wanted
