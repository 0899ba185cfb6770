"""An episode: one game in which Kibitz agents have some seats, and outside learners the others."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, decide_at
from kibitz.agents.in_memory import AgentInMemory
from kibitz.agents.seated_agents import SeatedAgents, external
from kibitz.core import seeds
from kibitz.core.action_space import ActionSpace
from kibitz.core.errors import BadValue
from kibitz.core.game import Game, spec_of
from kibitz.core.spec import Spec, parse
from kibitz.core.table import Table, check_seat
from kibitz.games import find

Opponent = str | AgentInMemory
SEEDS = 2**63  # the number of possible seeds of an episode
DEALS = 100  # games in a row that agents may end before a learner can move


def game_of(text: str | Game, options: Mapping[str, Any]) -> Game:
    """Return the game that a text names, with further options by name."""
    if isinstance(text, Game):
        if options:
            raise BadValue(f"{text} is a game already, so options such as {next(iter(options))} come too late")
        return text
    spec = parse(text)
    return find(Spec(spec.name, {**spec.args, **spec_of(spec.name, dict(options)).args}))


def check_agents(game: Game, agents: Mapping[int, Opponent]) -> None:
    """Refuse agents that cannot play the game, or seats that it does not have."""
    for seat, text in agents.items():
        check_seat(game, seat)
        build(text, game)
    if len(agents) == game.seats:
        raise BadValue(f"agents have all {game.seats} seats of {game}, so there is none for a learner")


def next_episode(game: Game, agents: Mapping[int, Opponent], random: np.random.Generator) -> "Episode":
    """Return the next game in which a learner gets to move, its seed drawn from a stream of them."""
    for _ in range(DEALS):
        episode = Episode(game, agents, int(random.integers(SEEDS)))
        if not episode.over:
            return episode
    raise BadValue(f"in {DEALS} games of {game} no learner ever got to move; the seats of agents are {sorted(agents)}")


class Episode:
    """One game; after each move the agents go on until a learner is to move or the game is over.

    A copy replays the moves `made`; agents think again, so that they go on as the originals would.
    """

    def __init__(self, game: Game, agents: Mapping[int, Opponent], seed: int, made: Sequence[int] = ()):
        self.game, self.actions = game, ActionSpace(game)
        self.agents, self.seed = dict(agents), seed
        self.table = Table(game, seeds.derive_seed(seed, seeds.DEAL))
        self.minds: dict[int, Agent] = {
            seat: build(text, game, seeds.derive_seed(seed, seeds.MIND, seat)) for seat, text in agents.items()
        }
        self._seated = SeatedAgents(self.table, self.minds)
        self.illegal = ""  # the sentence about the illegal action with which a learner ended the game
        self._offender = -1
        while self.table.ply < len(made):
            move = made[self.table.ply]
            if self.table.turn in self.minds:
                decide_at(self.table, self.minds[self.table.turn])
            self.table.play(move)
        self._go_on()

    def __reduce__(self) -> tuple[Any, ...]:
        for mind in self.minds.values():
            if external(mind) is not None:
                raise BadValue(f"agent {mind.text} runs in a process of its own, so this environment cannot be copied")
        ended = {"illegal": self.illegal, "_offender": self._offender}
        return Episode, (self.game, self.agents, self.seed, list(self.table.moves_made)), ended

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.over or bool(self.illegal)

    @property
    def turn(self) -> int:
        """The seat of the learner to move, or OVER."""
        return self.table.turn

    def act(self, action: Any) -> None:
        """Let the learner to move act; an action that is not legal ends the game."""
        legal = self.table.moves()
        move = self.actions.move(action, legal)
        if move is None:
            self._offender = self.turn
            self.illegal = f"action {action} of seat {self.turn} is not legal; {self.actions.all(legal)} are"
            return
        self.table.play(move)
        self._go_on()

    def _go_on(self) -> None:
        while not self.table.over and self.table.turn in self.minds:
            mind = self.minds[self.table.turn]
            self.table.play(decide_at(self.table, mind).move)
        if self.table.over:
            self._seated.end()

    def mask(self, seat: int) -> np.ndarray:
        """Return which actions a seat may choose from now: none if it is not to move."""
        return self.actions.mask([] if self.over or seat != self.turn else self.table.moves())

    def payoff(self) -> list[float]:
        """Return what each seat earned; one that acted illegally has lost, and the others divide what is left."""
        if self.illegal:
            return self.game.scoring.failed(self.game.seat_names, self._offender)
        return self.table.payoff()

    def text(self, seat: int) -> str:
        """Return what a seat sees, as lines of text."""
        return self.game.text(self.table.view(seat))
