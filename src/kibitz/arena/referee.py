"""The referee plays one fixture: view, decide, play, until the game is over; a seat that fails loses it."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from textwrap import shorten
from time import perf_counter
from typing import Any, TypeVar

from kibitz.agents import build
from kibitz.agents.agent import Agent
from kibitz.arena.fixture import Fixture
from kibitz.arena.limits import NO_LIMITS, Limits, Reason
from kibitz.core.errors import BadMove, BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.record import Record, record_of
from kibitz.core.signals import from_outside
from kibitz.core.spec import parse
from kibitz.core.table import Table

_DIGITS = 6  # of seconds and values in what is kept of an agent's thoughts
_LONGEST_COMPLAINT = 300

Answer = TypeVar("Answer")


class AgentFault(KibitzError):
    """An agent that failed at the table."""

    def __init__(self, sentence: str, reason: Reason = Reason.CRASH, seat: int = -1):
        super().__init__(sentence)
        self.reason, self.seat = reason, seat


@dataclass(frozen=True)
class Thought:
    """What is kept of a decision."""

    seat: int
    seconds: float
    values: list[float] | None = None  # what the position seemed worth to each seat


@dataclass(frozen=True)
class Result:
    """One fixture played."""

    fixture: Fixture
    record: Record  # without payoff where the game was not played to its end
    payoff: tuple[float, ...]
    reason: Reason
    offender: int  # the seat that failed, or -1
    fault: str  # how it failed, in one sentence
    seconds: tuple[float, ...]  # by seat
    moves: tuple[int, ...]  # by seat, without those of the opening
    thoughts: tuple[Thought, ...]  # one a move, without those of the opening

    def thoughts_line(self) -> str:
        """Return who moved, seconds and values, move by move, as one line of JSON."""
        return json.dumps({
            "seats": [thought.seat for thought in self.thoughts],
            "seconds": [round(thought.seconds, _DIGITS) for thought in self.thoughts],
            "values": [thought.values for thought in self.thoughts],
        })  # fmt: skip


class Watch:
    """Who is told what happens at a table while it happens; here nobody."""

    def begin(self, number: int) -> None:
        """Hear that a fixture begins."""

    def warming(self, seat: int, seconds: float | None) -> None:
        """Hear that the agent in a seat is warming up, for so many seconds at most."""

    def warmed(self) -> None:
        """Hear that all who play are warm."""

    def thinking(self, seat: int, seconds: float | None) -> None:
        """Hear that a seat has the word, for so many seconds at most."""

    def moved(self, move: int, seconds: float) -> None:
        """Hear that a move was made after so many seconds."""

    def idle(self) -> None:
        """Hear that no seat has the word."""


UNWATCHED = Watch()


def play_fixture(
    game: Game, agents: Sequence[str], fixture: Fixture, limits: Limits = NO_LIMITS, watch: Watch = UNWATCHED
) -> Result:
    """Play one game; a seat that fails loses it, and all others share the win."""
    watch.begin(fixture.number)
    sitting = _Sitting(game, agents, fixture)
    try:
        sitting.play(limits, watch)
    except AgentFault as fault:
        return sitting.result(fault)
    finally:
        watch.idle()
    return sitting.result()


def broken_off(
    game: Game, agents: Sequence[str], fixture: Fixture, made: Iterable[tuple[int, float]], fault: AgentFault
) -> Result:
    """Return the result of a game that a seat broke off, from the moves made until then and their seconds."""
    sitting = _Sitting(game, agents, fixture)
    for move, seconds in made:
        seat = sitting.table.turn
        sitting.table.play(move)
        sitting.note(Thought(seat, seconds))
    return sitting.result(fault)


def accuse(agent: str, seat: int, ply: int, where: str, reason: Reason, what: str = "") -> AgentFault:
    """Return the fault of an agent as a sentence that names it."""
    agent = str(parse(agent))
    told = {
        Reason.TIME: f"agent {agent} in seat {seat} of {where}: out of time at ply {ply}",
        Reason.NODES: f"agent {agent} in seat {seat} of {where}: too many nodes at ply {ply}: {what}",
        Reason.MEMORY: f"agent {agent} in seat {seat} of {where}: out of memory at ply {ply}",
        Reason.ILLEGAL: f"agent {agent} in seat {seat} of {where}: {what}",
        Reason.CRASH: f"agent {agent} failed in seat {seat} at ply {ply} of {where}: {what}",
    }
    return AgentFault(told[reason], reason, seat)


def ask(deed: Callable[..., Answer], *given: Any) -> Answer:
    """Let an agent do something; if it forks, the copy of this process ends here, and does not play on beside us."""
    process = os.getpid()
    try:
        return deed(*given)
    finally:
        if os.getpid() != process:
            os._exit(1)


def take_turn(
    table: Table, mind: Agent, where: str, seconds: float | None = None, nodes: int | None = None,
    watch: Watch = UNWATCHED,
) -> Thought:  # fmt: skip
    """Let the mind on move make its move within limits; if it fails, that is an AgentFault."""
    seat, ply, name = table.turn, table.ply, _name(mind)
    try:
        view = table.view(seat)
        begun = perf_counter()
        decision = ask(mind.decide, view)
        spent = perf_counter() - begun
        if seconds is not None and spent > seconds:
            reason, what = Reason.TIME, ""
        elif nodes is not None and decision.nodes > nodes:
            reason, what = Reason.NODES, f"{decision.nodes} of {nodes}"
        else:
            thought = Thought(seat, spent, _clean(decision.values, table.game.seats))
            table.play(decision.move)
            return thought
    except BadMove as error:
        reason, what = Reason.ILLEGAL, str(error)
    except BaseException as error:
        if from_outside(error):
            raise
        reason, what = (Reason.MEMORY, "") if _out_of_memory(error) else (Reason.CRASH, _told(error))
    watch.idle()  # where memory is short there is room again to say so
    raise accuse(name, seat, ply, where, reason, what)


class _Sitting:
    """A fixture in play."""

    def __init__(self, game: Game, agents: Sequence[str], fixture: Fixture):
        self.fixture, self.game = fixture, game
        self.where = f"game {fixture.number}"
        self.names = [agents[agent] for agent in fixture.seating]
        self.seconds, self.moves = [0.0] * game.seats, [0] * game.seats
        self.thoughts: list[Thought] = []
        self.table = Table(game, fixture.deal_seed)
        try:
            for move in fixture.opening:
                self.table.play(move)
        except BadMove as error:
            raise BadValue(f"the opening of {self.where} cannot be played: {error}") from None

    def play(self, limits: Limits, watch: Watch) -> None:
        """Play until the game is over or the limit of plies is reached."""
        table, clocks = self.table, [limits.game_seconds] * self.game.seats
        minds = [self._build(seat, limits, watch) for seat in range(self.game.seats)]
        while not table.over and (limits.plies is None or table.ply < limits.plies):
            seat = table.turn
            clock = clocks[seat]
            allowed = min((time for time in (limits.move_seconds, clock) if time is not None), default=None)
            watch.thinking(seat, allowed)
            thought = take_turn(table, minds[seat], self.where, allowed, limits.nodes, watch)
            watch.moved(table.moves_made[-1], thought.seconds)
            self.note(thought)
            if clock is not None:
                clocks[seat] = clock - thought.seconds + limits.increment

    def _build(self, seat: int, limits: Limits, watch: Watch) -> Agent:
        watch.thinking(seat, limits.start_seconds if limits.clocked else None)
        try:
            return ask(build, self.names[seat], self.game, self.fixture.agent_seeds[seat])
        except BaseException as error:
            if from_outside(error):
                raise
            reason, what = (Reason.MEMORY if _out_of_memory(error) else Reason.CRASH), _told(error)
        watch.idle()
        raise accuse(self.names[seat], seat, self.table.ply, self.where, reason, what)

    def note(self, thought: Thought) -> None:
        """Keep what a move took."""
        self.seconds[thought.seat] += thought.seconds
        self.moves[thought.seat] += 1
        self.thoughts.append(thought)

    def _share_win(self, failed: int) -> list[float]:
        """Share the win among the others; copies of the agent that failed have no part in it, unless all are."""
        agents = self.fixture.seating
        others = [seat for seat in range(self.game.seats) if agents[seat] != agents[failed]]
        others = others or [seat for seat in range(self.game.seats) if seat != failed]
        return [1 / len(others) if seat in others else 0.0 for seat in range(self.game.seats)]

    def result(self, fault: AgentFault | None = None) -> Result:
        """Return the result of the game as it stands."""
        seats = self.game.seats
        record = record_of(self.table, self.names, self.fixture.agent_seeds)
        if fault is not None:
            reason = fault.reason
            payoff = self._share_win(fault.seat)
        elif record.payoff is None:
            reason, payoff = Reason.CAP, [1 / seats] * seats
        else:
            payoff = record.payoff
            reason = Reason.WON if payoff.count(max(payoff)) == 1 else Reason.DRAWN
        return Result(
            self.fixture, record, tuple(payoff), reason, fault.seat if fault else -1, str(fault or ""),
            tuple(self.seconds), tuple(self.moves), tuple(self.thoughts),
        )  # fmt: skip


def _name(mind: Agent) -> str:
    return mind.text if isinstance(mind.text, str) else type(mind).__name__


def _out_of_memory(error: BaseException) -> bool:
    """Tell whether memory ran out, or someone who heard of it has put it into words."""
    return isinstance(error, MemoryError) or isinstance(error.__context__, MemoryError)


def _told(error: BaseException) -> str:
    try:
        told = f"{type(error).__name__}: {error}".encode(errors="replace").decode()
        return shorten(told, _LONGEST_COMPLAINT, placeholder=" …")
    except Exception:  # an agent's own exception may fail to tell
        return type(error).__name__


def _clean(values: Any, seats: int) -> list[float] | None:
    """Return the values an agent reports if they are numbers, one a seat."""
    try:
        numbers = [round(float(value), _DIGITS) for value in values]
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if len(numbers) == seats and all(map(isfinite, numbers)) else None
