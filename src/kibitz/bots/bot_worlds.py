"""Worlds for a bot that decides: guessed from its view alone, and played in or played out at its request."""

from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from kibitz.bots.bot_fault import PROTOCOL, TIME, BotFault
from kibitz.bots.protocol import (
    Guess,
    Message,
    Playout,
    Simulate,
    Simulation,
    SimulationResult,
    SimulationResults,
    Worlds,
)
from kibitz.core.errors import BadMove, KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.playout import play_outs, settle
from kibitz.core.world import World

MOST_WORLDS = 20_000  # in one decision
MOST_RUNS = 10_000  # in one request
MOST_PLAYOUTS = 100_000  # in one request


class BotWorlds:
    """The worlds of one decision, by number."""

    def __init__(self, game: Game, opened: Game, view: np.ndarray, seat: int, rng: np.ndarray):
        self.game, self.opened, self.view, self.seat, self.rng = game, opened, view, seat, rng
        self.worlds: list[World] = []

    def answer(self, request: Guess | Simulate | Playout, until: float) -> Message:
        """Return the answer to a request; running past `until` is a fault."""
        if isinstance(request, Guess):
            return self._guess(request.count, until)
        if len(request.runs) > MOST_RUNS:
            raise BotFault(PROTOCOL, f"it asked for {len(request.runs)} runs at once; {MOST_RUNS} are the most")
        if isinstance(request, Simulate):
            return SimulationResults(results=self._each(request.runs, self._simulate, until))
        wanted = sum(run.count for run in request.runs)
        if wanted > MOST_PLAYOUTS or any(run.count < 1 for run in request.runs):
            raise BotFault(PROTOCOL, f"it asked for {wanted} playouts; a run has at least 1, a request {MOST_PLAYOUTS}")
        policies = {text: self._policy(text) for text in {run.policy for run in request.runs}}
        return SimulationResults(
            results=self._each(request.runs, lambda run, world: self._play_out(run, world, policies, until), until)
        )

    def warm_up(self) -> None:
        """Answer a request of each kind, so that no code is loaded while a bot waits."""
        self.answer(Guess(), inf)
        self.answer(Simulate(runs=[Simulation(world=0, line=self.worlds[0].moves()[:1])]), inf)
        self.answer(Playout(runs=[Simulation(world=0, policy=name) for name in ("random", *self.game.policies)]), inf)

    def _guess(self, count: int, until: float) -> Worlds:
        if not 1 <= count <= MOST_WORLDS - len(self.worlds):
            raise BotFault(
                PROTOCOL, f"it asked for {count} worlds; there may be from 1 to {MOST_WORLDS} in one decision"
            )
        numbers = []
        for _ in range(count):
            _check_time(until)
            numbers.append(self._keep(World.guess(self.game, self.view, self.rng, self.seat)))
        return Worlds(worlds=numbers)

    def _keep(self, world: World) -> int:
        if len(self.worlds) >= MOST_WORLDS:
            raise BotFault(PROTOCOL, f"it keeps more than {MOST_WORLDS} worlds in one decision")
        self.worlds.append(world)
        return len(self.worlds) - 1

    def _each(
        self, runs: Sequence[Simulation], deed: Callable[[Simulation, World], SimulationResult], until: float
    ) -> list[SimulationResult]:
        """Play the line of each run and return the results."""
        results = []
        for run in runs:
            _check_time(until)
            if not 0 <= run.world < len(self.worlds):
                known = f"there are {len(self.worlds)}" if self.worlds else "`guess` makes some"
                raise BotFault(PROTOCOL, f"it names the world {run.world}, which there is not; {known}")
            world = self.worlds[run.world].copy()
            wrong = _play(world, run.line)
            results.append(deed(run, world) if wrong is None else SimulationResult(illegal=wrong))
        return results

    def _simulate(self, run: Simulation, world: World) -> SimulationResult:
        over = world.over
        found = SimulationResult(
            turn=None if world.turn < 0 else world.turn,
            moves=world.moves(),
            over=over,
            payoff=world.payoff() if over else None,
        )
        if run.keep:
            found.world = self._keep(world)
        return found

    def _policy(self, text: str) -> BoundHeuristic:
        try:
            return self.game.policy(text)
        except KibitzError as error:
            raise BotFault(PROTOCOL, f"it asked for a playout by {text!r:.80}: {error}") from None

    def _play_out(
        self, run: Simulation, world: World, policies: dict[str, BoundHeuristic], until: float
    ) -> SimulationResult:
        game, policy, start = self.game, policies[run.policy], world.cells.copy()
        end, room, earned = game.new_state(), game.new_moves(), np.zeros(game.seats)
        total = np.zeros(game.seats)
        rules: Any = self.opened.rules
        for _ in range(run.count):
            _check_time(until)
            play_outs(rules, policy.handle, policy.weights, start, 0, 1, self.rng, end, room)
            settle(rules, end, earned)
            total += earned
        return SimulationResult(payoff=(total / run.count).tolist(), count=run.count)


def _play(world: World, line: Sequence[int]) -> int | None:
    """Play moves; return the index of the first illegal one, or None."""
    for at, move in enumerate(line):
        try:
            world.play(move)
        except BadMove:
            return at
    return None


def _check_time(until: float) -> None:
    if monotonic() > until:
        raise BotFault(TIME, "what it asked for took too long")
