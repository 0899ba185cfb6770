"""Warming up: an agent decides off the clock before its first game in a process, which loads or compiles its code."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial

import numpy as np

from kibitz.agents import build, runs_apart
from kibitz.agents.seated_agents import events_of
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import NO_LIMITS, Limits
from kibitz.arena.plan.own_agents import effective_agent
from kibitz.arena.play.referee import HOST_SECONDS, ask
from kibitz.arena.process.observer import UNOBSERVED, Observer
from kibitz.core.code_on_disk import forecast
from kibitz.core.compile_forecast import purpose_of
from kibitz.core.dice import dice, roll
from kibitz.core.game import Game
from kibitz.core.seeds import DEAL, POSITION, WARM_UP, derive_seed
from kibitz.core.signals import from_outside
from kibitz.core.table import Table
from kibitz.core.user_files import printing_on_stderr
from kibitz.core.warm_up_positions import warm_up_positions

_FAR = 40  # plies into a game, where code runs that no earlier position needs
_END = 2000  # plies, after which most random games have ended
TERMINAL = "terminal"  # a purpose of machine code, as agents are
_warm: set[tuple[str, str]] = set()  # games and agents that have decided in this process


class WarmUp:
    """The agents of a process that have not been warmed up yet."""

    def __init__(
        self, game: Game, agents: Sequence[str], limits: Limits = NO_LIMITS, observer: Observer = UNOBSERVED,
        never: Collection[int] = (),
    ):  # fmt: skip
        self.game, self.agents, self.limits, self.observer = game, agents, limits, observer
        self._text = str(game)
        self._waiting = {at for at, agent in enumerate(agents) if (self._text, agent) not in _warm} - set(never)

    def before(self, fixture: Fixture) -> None:
        """Warm up the agents of a fixture that have not been warmed up yet."""
        if self._waiting.isdisjoint(fixture.seating):
            return
        self.observer.begin(fixture.number)
        for seat, agent in enumerate(fixture.seating):
            if agent in self._waiting:
                self._waiting.remove(agent)
                _warm.add((self._text, self.agents[agent]))
                self._warm_up(seat, self.agents[agent], derive_seed(fixture.deal_seed, WARM_UP))
        self.observer.warmed()

    def _warm_up(self, seat: int, agent: str, seed: int) -> None:
        text, seconds = effective_agent(agent, self.game, self.limits), self.limits.first_seconds
        if seconds is not None and text != agent:
            seconds += HOST_SECONDS
        elif runs_apart(text, self.game):
            seconds = None  # the work is our own, however long it takes
            self.observer.warming(seat, None)
            _tell_of_a_move(self.game, seed)
        for view in warm_up_positions(self.game, seed):
            self.observer.warming(seat, seconds)
            self._decide(text, view)

    def _decide(self, agent: str, view: np.ndarray) -> None:
        try:
            with forecast.needed_for(purpose_of(self._text, agent)):
                mind = ask(partial(build, trusted=not self.limits.isolate), agent, self.game, 0)
                ask(mind.warm_up, view)
        except BaseException as error:
            if from_outside(error):
                raise  # any other error will occur again in the game, unless it is random


def _tell_of_a_move(game: Game, seed: int) -> None:
    """Describe a move to every seat, as for agents that want events."""
    table = Table(game, derive_seed(seed, DEAL))
    events_of(table, table.moves()[0], range(game.seats))


def warm_up_agents(game: Game, agents: Iterable[str]) -> None:
    """Let a copy of each agent decide at the beginning of a game and further on, on a deal that nothing else uses."""
    for agent in sorted(set(agents)):
        try:
            with printing_on_stderr(), forecast.needed_for(purpose_of(str(game), agent)):
                _warm_up_agent(game, agent)
        except Exception:  # a faulty agent shows its error when it plays
            continue


def warm_up_table(game: Game) -> None:
    """Play to the end and show what people at a table see, to load code that agents do not need."""
    forecast.announce(str(game), TERMINAL, game.rule_names)
    with forecast.needed_for(purpose_of(str(game), TERMINAL)):
        _play_and_show(game)


def _play_and_show(game: Game) -> None:
    table, rng = _table_and_dice(game)
    last = game.seats - 1
    while not table.over and table.ply < _END:
        moves, before = table.moves(), table.view(last)
        move = moves[roll(rng, len(moves))]
        if table.ply < _FAR:
            events_of(table, move, [last])
            game.text(before)
        table.play(move)
        if table.ply < _FAR:
            game.changes(before, table.view(last))
    if table.over:
        table.payoff()


def _table_and_dice(game: Game) -> tuple[Table, np.ndarray]:
    seed = derive_seed(0, WARM_UP)
    return Table(game, derive_seed(seed, DEAL)), dice(derive_seed(seed, POSITION))


def _warm_up_agent(game: Game, agent: str) -> None:
    table, rng = _table_and_dice(game)
    mind, view = build(agent, game, 0), table.view(table.turn)
    mind.warm_up(view)
    events_of(table, table.moves()[0], [game.seats - 1])
    while not table.over and table.ply < _FAR:
        moves, view = table.moves(), table.view(table.turn)
        table.play(moves[roll(rng, len(moves))])
    mind.warm_up(view)
