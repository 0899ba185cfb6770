"""Positions of some random games, from which it is found what the cells of a game are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.contract import CHANCE, OVER, UNKNOWN
from kibitz.core.dice import derive, dice, roll
from kibitz.core.playout import deal_table, legal_moves, look, play_legal, who

if TYPE_CHECKING:
    from kibitz.core.game import Game

GAMES, PLIES = 12, 200
SEED = 20_240_601  # of the random games, which have nothing to do with any table


@dataclass(frozen=True)
class SampledMove:
    """One move of a random game: the true cells before and after, who moved, and what was legal."""

    before: Int64s
    after: Int64s
    seat: int
    legal: tuple[int, ...]
    move: int


@dataclass(frozen=True)
class SampledPlay:
    """The moves of some random games, and which cells no seat ever saw."""

    moves: list[SampledMove]
    unseen: np.ndarray

    @property
    def positions(self) -> Int64s:
        """All positions, one a row."""
        rows = [each.before for each in self.moves] + [each.after for each in self.moves]
        return np.stack(rows)


def sampled_play(game: "Game") -> SampledPlay:
    """Play random games."""
    found: list[SampledMove] = []
    unseen = np.full(game.size, game.hidden)
    for number in range(GAMES):
        rng, state, room = dice(derive(SEED, number)), game.new_state(), game.new_moves()
        deal_table(game.rules, state[: game.size], game.encoded_options, rng)
        for _ in range(PLIES):
            seat = int(who(game.rules, state[: game.size]))
            if seat == OVER:
                break
            for viewer in range(game.seats) if game.hidden else ():
                view = game.new_state()
                look(game.rules, state[: game.size], viewer, view)
                unseen &= view[: game.size] == UNKNOWN
            legal = tuple(room[: legal_moves(game.rules, state[: game.size], room)].tolist())
            move, before = legal[roll(rng, len(legal))], state[: game.size].copy()
            play_legal(game.rules, state[: game.size], move, room)
            if seat == CHANCE:
                continue
            found.append(SampledMove(before, state[: game.size].copy(), seat, legal, move))
    return SampledPlay(found, unseen)
