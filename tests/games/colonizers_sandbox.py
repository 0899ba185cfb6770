"""Colonizers with a chosen deck and chosen shuffles, for tests that a person can check by hand."""

from collections.abc import Sequence

import numpy as np

from kibitz import games
from kibitz.core.dice import dice
from kibitz.core.playout import deal_table, guess_world, legal_moves, look, play_legal, settle, who
from kibitz.games.colonizers.cards import CARDS, DECK, MODULES, unpack
from kibitz.games.colonizers.cells import (
    BUNDLE,
    COLONIST,
    COLONIST_NAMES,
    DREW,
    EVERY_COLONIST,
    HAND,
    HEAD,
    LAST,
    LOG,
    LOGGED,
    NONE,
    PACKET,
    PHASE,
    PICK,
    TAIL,
    TAPE,
    entry,
    see_place,
)

KIND = {module.name: kind for kind, module in enumerate(MODULES)}
NAME = {colonist: number for number, colonist in enumerate(COLONIST_NAMES)}


class Sandbox:
    """A game whose deck begins with `deck` and whose rounds put away the colonists `away`, then Visionary."""

    def __init__(self, deck: Sequence[str] = (), away: Sequence[str] = (), options: str = ""):
        self.game = games.find(f"colonizers({options})" if options else "colonizers")
        self.state = np.zeros(self.game.size, dtype=np.int64)
        self._room = np.empty(self.game.most_moves, dtype=np.int64)
        deal_table(self.game.rules, self.state, self.game.encoded_options, dice(1))
        top = [KIND[name] for name in deck]
        rest = DECK.tolist()
        for kind in top:
            rest.remove(kind)
        self.state[TAPE : TAPE + CARDS] = top + rest
        self.away = [NAME[name] for name in away]
        self._put_away()

    def _put_away(self) -> None:
        if self.turn == 0 and self.state[PHASE] == PICK:
            away = self.away.pop(0) if self.away else 0
            self.state[PACKET] = EVERY_COLONIST ^ 1 << away

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(who(self.game.rules, self.state))

    def moves(self) -> list[str]:
        """Return the texts of the legal moves."""
        n = legal_moves(self.game.rules, self.state, self._room)
        return [self.game.write(self.state, int(move)) for move in self._room[:n]]

    def play(self, texts: str) -> "Sandbox":
        """Play moves, separated by commas."""
        for text in texts.split(","):
            n = legal_moves(self.game.rules, self.state, self._room)
            move = self.game.read(self.state, self._room[:n].tolist(), text)
            assert play_legal(self.game.rules, self.state, move, self._room)
            self._put_away()
        return self

    def view(self, seat: int) -> np.ndarray:
        """Return what a seat sees."""
        out = np.zeros(self.game.size, dtype=np.int64)
        look(self.game.rules, self.state, seat, out)
        return out

    def worlds(self, seat: int, n: int) -> list[np.ndarray]:
        """Return guessed worlds."""
        rng, view = dice(7), self.view(seat)
        found = [view.copy() for _ in range(n)]
        for world in found:
            guess_world(self.game.rules, world, seat, rng)
        return found

    def burn(self, seats: Sequence[int]) -> "Sandbox":
        """Let seats draw two cards each: the first leaves the game, the second goes to the bottom."""
        state = self.state
        for seat in seats:
            head, tail, at = int(state[HEAD]), int(state[TAIL]), LOG + 2 * int(state[LOGGED])
            state[TAPE + tail] = state[TAPE + head + 1]
            for place in (head, head + 1, tail):
                see_place(state, seat, place)
            state[HEAD], state[TAIL], state[LOGGED] = head + 2, tail + 1, state[LOGGED] + 1
            state[at] = entry(DREW, seat, int(state[BUNDLE + seat]), 1, 0)
            state[at + 1] = state[HAND + seat]
            state[LAST + state[BUNDLE + seat]] = at
        return self

    def payoff(self) -> list[float]:
        """Return what each seat earned."""
        out = np.zeros(4)
        settle(self.game.rules, self.state, out)
        return out.tolist()

    def hand(self, seat: int) -> list[str]:
        """Return the names of the cards a seat holds."""
        return hand_in(self.state, seat)

    def set(self, cell: int, value: int) -> "Sandbox":
        """Change a cell."""
        self.state[cell] = value
        return self


def hand_in(world: np.ndarray, seat: int) -> list[str]:
    """Return the names of the cards a seat holds in a world."""
    return [MODULES[kind].name for kind in unpack(world[HAND + seat])]


def deck_in(world: np.ndarray) -> list[str]:
    """Return the names of the cards in the deck of a world, the top first."""
    return [MODULES[int(kind)].name for kind in world[TAPE + world[HEAD] : TAPE + world[TAIL]]]


def colonist_in(world: np.ndarray, seat: int) -> str:
    """Return the name of a seat's colonist in a world, `none` before the pick."""
    return "none" if world[COLONIST + seat] == NONE else COLONIST_NAMES[int(world[COLONIST + seat])]


def put_away_in(world: np.ndarray) -> str:
    """Return the name of the colonist that is put away in a world."""
    return COLONIST_NAMES[(EVERY_COLONIST ^ int(world[PACKET])).bit_length() - 1]
