"""A game as a Gymnasium environment: one learner among fixed Kibitz agents."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np

from kibitz.agents import AgentLike, named
from kibitz.core.action_space import ActionSpace
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.table import check_seat
from kibitz.plugins.bridges.episode import Episode, Opponent, check_agents, game_of, next_episode
from kibitz.plugins.bridges.observation import BITS, Observation, Observe
from kibitz.plugins.bridges.rendering import MODES, check_mode, rendered

RANDOM = "random"


def env(
    game: str | Game,
    seat: int = 0,
    opponents: AgentLike | Sequence[AgentLike] = RANDOM,
    observe: Observe = BITS,
    render_mode: str | None = None,
    **options: Any,
) -> "LearnerEnv":
    """Return a game as an environment for the learner in one seat.

    `opponents` names the agents in the other seats, in order, or one for all of them, by texts or classes. The reward,
    at the end, is the payoff of the learner's seat; info["action_mask"] tells which actions are legal.
    """
    found = game_of(game, options)
    others = [other for other in range(found.seats) if other != check_seat(found, seat)]
    texts: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * len(others)
    if len(texts) != len(others):
        raise BadValue(f"{found} has {len(others)} other seats, but {len(texts)} opponents are named")
    agents = dict(zip(others, map(named, texts), strict=True))
    check_agents(found, agents)
    return LearnerEnv(found, seat, agents, Observation(found, observe), check_mode(render_mode))


class LearnerEnv(gymnasium.Env):
    """A game in play, one episode after another, from the side of one seat."""

    metadata = {"render_modes": list(MODES), "render_fps": 1}

    def __init__(
        self, game: Game, seat: int, agents: dict[int, Opponent], observation: Observation, render_mode: str | None
    ):
        self.game, self.seat, self.opponents, self.observation = game, seat, agents, observation
        self.render_mode = render_mode
        low, high = observation.bounds
        self.observation_space = gymnasium.spaces.Box(low, high, observation.shape, observation.dtype.type)
        self.action_space = gymnasium.spaces.Discrete(ActionSpace(game).size)
        self._episode: Episode | None = None

    def __copy__(self) -> "LearnerEnv":
        return deepcopy(self)  # two environments must not share one game

    @property
    def episode(self) -> Episode:
        """The game that is being played."""
        if self._episode is None:
            raise BadValue("no game has begun; reset deals the first one")
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a new game and let the others play until the learner is to move."""
        super().reset(seed=seed)
        self._episode = next_episode(self.game, self.opponents, self.np_random)
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Let the learner act, and the others after it; an action that is not legal loses the game."""
        if self.episode.over:
            raise BadValue("the game is over; reset deals the next one")
        self.episode.act(action)
        over = self.episode.over
        reward = self.episode.payoff()[self.seat] if over else 0.0
        return self._observed(), reward, over, False, self._info()

    def _observed(self) -> np.ndarray:
        return self.observation.of(self.episode.table.view(self.seat), self.seat)

    def _info(self) -> dict[str, Any]:
        illegal = {"illegal": self.episode.illegal} if self.episode.illegal else {}
        return {"action_mask": self.episode.mask(self.seat), **illegal}

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal now, under the name that learners with masks ask for."""
        return self.episode.mask(self.seat).astype(bool)

    def render(self) -> str | None:
        """Return or print the board as the learner sees it."""
        return rendered(self.render_mode, self.episode.text(self.seat))
