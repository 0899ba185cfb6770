"""A game as a PettingZoo environment, in which agents act one after another (AEC)."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from kibitz.agents import AgentLike, named
from kibitz.core.action_space import ActionSpace
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.plugins.bridges.episode import Opponent, check_agents, game_of, next_episode
from kibitz.plugins.bridges.observation import BITS, Observation, Observe
from kibitz.plugins.bridges.rendering import MODES, check_mode, rendered

PLAYER = "player_"


def env(
    game: str | Game,
    opponents: Mapping[int | str, AgentLike] | None = None,
    observe: Observe = BITS,
    render_mode: str | None = None,
    **options: Any,
) -> AECEnv:
    """Return a game as an environment; `opponents` names the agents of Kibitz in some seats, by seat or player.

    The players are player_0, player_1, … by seat, without those of the opponents. An observation is a dictionary of
    "observation", as `observe` says, and "action_mask". At the end every player is rewarded with its payoff.
    """
    found = game_of(game, options)
    if opponents is not None and not isinstance(opponents, Mapping):
        raise BadValue(f"opponents must name agents by seat, as in {{1: 'random'}}, not {opponents!r:.80}")
    agents = {_seat(found, seat): named(agent) for seat, agent in (opponents or {}).items()}
    check_agents(found, agents)
    return InOrder(GameEnv(found, agents, Observation(found, observe), check_mode(render_mode)))


def _seat(game: Game, given: int | str) -> int:
    names = {f"{PLAYER}{seat}": seat for seat in range(game.seats)}
    if isinstance(given, str) and given not in names:
        raise BadValue(f"there is no player {given!r}; the players are {', '.join(names)}")
    return names[given] if isinstance(given, str) else given


class InOrder(OrderEnforcingWrapper):
    """An environment that refuses calls in the wrong order."""

    def __str__(self) -> str:
        return str(self.env)

    def __copy__(self) -> "InOrder":
        return deepcopy(self)


class GameEnv(AECEnv):
    """A game in play, one episode after another."""

    def __init__(
        self, game: Game, opponents: Mapping[int, Opponent], observation: Observation, render_mode: str | None
    ):
        super().__init__()
        self.game, self.opponents, self.observation = game, dict(opponents), observation
        self.render_mode = render_mode
        self.metadata = {
            "name": f"kibitz_{game.name}_v{game.version}", "render_modes": list(MODES), "is_parallelizable": False,
        }  # fmt: skip
        self._seats = {f"{PLAYER}{seat}": seat for seat in range(game.seats) if seat not in self.opponents}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self._random: np.random.Generator | None = None
        self.action_spaces, self.observation_spaces = {}, {}
        for player in self.possible_agents:
            self.action_spaces[player], self.observation_spaces[player] = self._spaces()

    def __copy__(self) -> "GameEnv":
        return deepcopy(self)  # two environments must not share one game

    def _spaces(self) -> tuple[gymnasium.spaces.Space, gymnasium.spaces.Space]:
        size, seen = ActionSpace(self.game).size, self.observation
        low, high = seen.bounds
        spaces = {
            "observation": gymnasium.spaces.Box(low, high, seen.shape, seen.dtype.type),
            "action_mask": gymnasium.spaces.Box(0, 1, (size,), np.int8),
        }
        return gymnasium.spaces.Discrete(size), gymnasium.spaces.Dict(spaces)

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """Return the space of a player's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """Return the space of a player's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; all that follows, up to the next seed, is drawn from this one."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.episode = next_episode(self.game, self.opponents, self._random)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {player: {} for player in self.agents}
        self.agent_selection = self.agents[0]
        self._settle_or_select()

    def step(self, action: Any) -> None:
        """Let the player to move act; one that acts illegally has lost, and the others divide what is left."""
        player = self.agent_selection
        if self.terminations[player] or self.truncations[player]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[player] = 0.0
        self._clear_rewards()
        self.episode.act(action)
        self._settle_or_select()
        self._accumulate_rewards()

    def _settle_or_select(self) -> None:
        if not self.episode.over:
            self.agent_selection = f"{PLAYER}{self.episode.turn}"
            return
        payoff = self.episode.payoff()
        for player in self.agents:
            self.rewards[player] = payoff[self._seats[player]]
            self.terminations[player] = True
            if self.episode.illegal:
                self.infos[player]["illegal"] = self.episode.illegal
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what a player sees and may do."""
        seat = self._seats[agent]
        view = self.episode.table.view(seat)
        return {"observation": self.observation.of(view, seat), "action_mask": self.episode.mask(seat)}

    def render(self) -> str | None:
        """Return or print the board as the player to move sees it."""
        return rendered(self.render_mode, self.episode.text(self._seats[self.agent_selection]))

    def close(self) -> None:
        """Forget the game in play."""
        self.agents = []
