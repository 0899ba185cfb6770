"""The agent that lets a bot of OpenSpiel decide."""

from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.options import Option
from kibitz.plugins.bridges.optional_library import library

BOTS = ("mcts", "ismcts", "random")


class OpenSpiel(Agent):
    """Let a bot of OpenSpiel decide, on this game itself or on OpenSpiel's own game of the same rules."""

    OUTSIDE = True
    OPTIONS = {
        "bot": Option("mcts", "which bot; ismcts is for games with secrets", choices=BOTS),
        "simulations": Option(100, "that a search makes", least=1, most=1_000_000),
        "game": Option("", "OpenSpiel's name of the same game, such as tic_tac_toe; else this game is handed over"),
    }

    def prepare(self, bot: str, simulations: int, game: str) -> None:
        """Register the game with OpenSpiel, or find OpenSpiel's own."""
        pyspiel = library("pyspiel", "openspiel")
        from kibitz.plugins.bridges.follower import Follower
        from kibitz.plugins.bridges.spiel_game import load

        self._bot, self._simulations = bot, simulations
        self._follower: Follower | None = None
        if game:
            self._there = _found(pyspiel, game)
            self._follower = Follower(self.game, self._there)
        else:
            self._there = load(self.game)
        self._seats: dict[int, Any] = {}
        self._bot_of(0)

    def _bot_of(self, seat: int) -> Any:
        from kibitz.plugins.bridges.spiel_bots import make_bot

        if seat not in self._seats:
            self._seats[seat] = make_bot(self._bot, self._there, seat, self._simulations, self.seed)
        return self._seats[seat]

    def decide(self, view: np.ndarray) -> Decision:
        """Return what the bot chooses in a state that looks like this view."""
        seat = int(view[self.game.cells["SEAT"]])
        if self._follower is not None:
            state = self._follower.follow(view)
            return Decision(self._follower.move(int(self._bot_of(seat).step(state))))
        state = self._there.state_of(view, seat, self.rng)
        return Decision(state.move_of(int(self._bot_of(seat).step(state))))


def _found(pyspiel: Any, name: str) -> Any:
    if name not in pyspiel.registered_names():
        raise UnknownName("game of OpenSpiel", name, pyspiel.registered_names())
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise BadValue(f"OpenSpiel cannot load {name}: {str(error).strip().splitlines()[0]:.200}") from None
