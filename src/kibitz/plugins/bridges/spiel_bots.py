"""OpenSpiel bots by name, and Kibitz agents as OpenSpiel bots."""

from math import sqrt

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from kibitz.agents import build
from kibitz.agents.agent import as_decision
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec
from kibitz.plugins.bridges.spiel_game import SpielGame, SpielState

MCTS, ISMCTS, UNIFORM = "mcts", "ismcts", "random"
EXPLORATION = sqrt(2)
_SEEDS = 2**31 - 1  # OpenSpiel takes no greater seeds


class AgentBot(pyspiel.Bot):
    """A Kibitz agent as a bot for one seat of a Kibitz game in OpenSpiel."""

    def __init__(self, agent: str | Spec, game: SpielGame, player: int, seed: int = 0):
        super().__init__()
        if not isinstance(game, SpielGame):
            raise BadValue(f"{game} is not a Kibitz game; kibitz.openspiel.load gives one")
        self._agent, self._game, self._player, self._seed = agent, game.setting.game, player, seed
        self.restart()

    def restart(self) -> None:
        """Begin a new game with the same dice."""
        self.mind = build(self._agent, self._game, self._seed)

    def restart_at(self, state: SpielState) -> None:
        """Continue from a state; an agent needs only its view of it."""
        self.restart()

    def step(self, state: SpielState) -> int:
        """Return the action that the agent decides on, from its view of the state."""
        move = as_decision(self.mind.decide(state.view(self._player))).move
        return state.setting.actions.action(move, state.legal_moves())


def make_bot(name: str, game: pyspiel.Game, player: int, simulations: int, seed: int) -> pyspiel.Bot:
    """Return a bot of OpenSpiel for one seat of a game."""
    seed %= _SEEDS
    if name == UNIFORM:
        return pyspiel.make_uniform_random_bot(player, seed)
    # The bots of OpenSpiel in C++ crash on games in Python, its own included; those in Python play all games.
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    if name == MCTS:
        return mcts.MCTSBot(game, EXPLORATION, simulations, evaluator, random_state=random)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise BadValue(f"{name} of OpenSpiel wants a game with secrets; {game} has none")
    bot = ismcts.ISMCTSBot(game, evaluator, EXPLORATION, simulations, random_state=random)
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, lambda: float(random.uniform())))
    return bot
