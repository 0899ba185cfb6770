"""A follower: keeps OpenSpiel's state of a game in step with the views that an agent is shown."""

from typing import Any

import numpy as np

from kibitz.core.dice import dice
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.playout import deal_table
from kibitz.core.world import World

MOST_TRIED = 100_000  # positions examined to find the moves from one view to the next


class Follower:
    """Finds the moves that led to a view of an open game, and makes them in OpenSpiel's game of the same rules.

    The moves of both games must be the same in ascending order; where their numbers differ, the games are taken
    to be different.
    """

    def __init__(self, game: Game, spiel_game: Any):
        if game.hidden:
            raise BadValue(f"{game} has secrets, so its moves cannot be followed in {spiel_game}")
        if spiel_game.num_players() != game.seats:
            raise BadValue(f"{spiel_game} has {spiel_game.num_players()} players, and {game} has {game.seats} seats")
        self.game, self.spiel_game = game, spiel_game
        self._start()

    def _start(self) -> None:
        dealt = self.game.new_state()
        deal_table(self.game.rules, dealt, self.game.encoded_options, dice(0))
        self.world, self.state = World(self.game, dealt[: self.game.size]), self.spiel_game.new_initial_state()

    def follow(self, view: np.ndarray) -> Any:
        """Return OpenSpiel's state for a view: a few moves after the last one, or else after the start."""
        line = self._line_to(view)
        if line is None:
            self._start()
            line = self._line_to(view)
        if line is None:
            raise BadValue(
                f"cannot find the moves that led to this position of {self.game}, to make them in {self.spiel_game}"
            )
        for move in line:
            self.state.apply_action(self._action(move))
            self.world.play(move)
        return self.state.clone()

    def _line_to(self, view: np.ndarray) -> list[int] | None:
        layer: list[tuple[World, list[int]]] = [(self.world, [])]
        tried = 0
        while layer and tried < MOST_TRIED:
            for world, line in layer:
                if (world.cells == view).all():
                    return line
            tried += len(layer)
            layer = [(world.copy().play(move), [*line, move]) for world, line in layer for move in world.moves()]
        return None

    def _pairs(self) -> list[tuple[int, int]]:
        moves, actions = self.world.moves(), self.state.legal_actions()
        if len(moves) != len(actions):
            raise BadValue(
                f"{self.game} and {self.spiel_game} differ: there are {len(moves)} moves here, {len(actions)} there"
            )
        return list(zip(moves, actions, strict=True))

    def _action(self, move: int) -> int:
        return dict(self._pairs())[move]

    def move(self, action: int) -> int:
        """Return the move for an action of OpenSpiel in the position followed to."""
        return {there: here for here, there in self._pairs()}[action]
