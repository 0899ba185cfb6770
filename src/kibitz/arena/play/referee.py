"""The referee plays one fixture: view, decide, play, until the game is over; a seat that fails loses it."""

import json
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from time import perf_counter, process_time
from traceback import walk_tb
from typing import Any, TypeVar

import numpy as np

from kibitz.agents import build, is_in_memory
from kibitz.agents.agent import Agent
from kibitz.agents.external_agent import Ending, TimeControl
from kibitz.agents.seated_agents import SeatedAgents, external
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import NO_LIMITS, Limits
from kibitz.arena.plan.own_agents import effective_agent, is_own
from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.process.observer import UNOBSERVED, Observer
from kibitz.arena.process.tampering import end_if_tampered
from kibitz.bots.bot_fault import BotFault, harmless
from kibitz.core.errors import BadGame, BadMove, BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.record import Record, record_of
from kibitz.core.signals import from_outside
from kibitz.core.spec import parse
from kibitz.core.table import Table
from kibitz.core.user_files import with_last_lines

_DIGITS = 6  # of seconds and values in what is kept of a decision
_MOST_COUNT = 2**53  # of nodes: beyond it JSON is not exact everywhere
_UNNOTICED = 0.1  # seconds; a pause of the process is not looked for in less
HOST_SECONDS = 300.0  # extra to get ready where an agent has a host, which times its start itself
PLAYED_AGAIN = "the game was played again"
VOID = "no game of its block counts"

Answer = TypeVar("Answer")
Build = Callable[[str, Game, int], Agent]  # makes an agent of its text, the game and the seed of its dice


class AgentFault(KibitzError):
    """An agent that failed at the table."""

    def __init__(self, sentence: str, reason: Reason = Reason.CRASH, seat: int = -1, killed: Killed = Killed.NO):
        super().__init__(harmless(sentence))
        self.reason, self.seat = reason, seat
        self.killed = killed  # whether somebody else killed its process


@dataclass(frozen=True)
class MoveStats:
    """What is kept of a decision."""

    seat: int
    seconds: float
    values: list[float] | None = None  # what the position seemed worth to each seat
    nodes: int = 0  # positions searched, 0 if not reported
    depth: int = 0  # of the search, 0 likewise
    cpu: float = 0.0  # seconds of all threads of this process; 0 if the agent runs in another
    ply: int = -1  # at which it was made, where that was noted


@dataclass(frozen=True)
class GameResult:
    """One fixture played."""

    fixture: Fixture
    record: Record  # without payoff where the game was not played to its end
    payoff: tuple[float, ...]
    reason: Reason
    offender: int  # the seat that failed, or -1
    fault: str  # how it failed, in one sentence
    seconds: tuple[float, ...]  # by seat
    moves: tuple[int, ...]  # by seat, without those of the opening
    move_stats: tuple[MoveStats, ...]  # one per move of a seat, without those of the opening
    drawn_by: str = ""  # the cause of a draw, where the game can tell
    called: tuple[str, ...] = ()  # by seat: what a bot calls itself
    killed: Killed = Killed.NO  # whether somebody else may have ended a process of the seat that failed

    def annotations_line(self, moves: bool) -> str:
        """Return the annotations of the result as one line of JSON, empty if there are none.

        With `moves`, it has who moved, seconds, values, nodes, depth and CPU seconds, move by move.
        """
        said: dict[str, Any] = {"drawn_by": self.drawn_by} if self.drawn_by else {}
        said |= {"called": list(self.called)} if any(self.called) else {}
        return json.dumps(said | self._moves_made()) if moves else json.dumps(said) if said else ""

    def _moves_made(self) -> dict[str, list[Any]]:
        plies = [stats.ply for stats in self.move_stats]
        rolled = bool(plies) and min(plies) >= 0 and plies[-1] - plies[0] >= len(plies)  # chance has moved in between
        return {
            **({"plies": plies} if rolled else {}),
            "seats": [stats.seat for stats in self.move_stats],
            "seconds": [round(stats.seconds, _DIGITS) for stats in self.move_stats],
            "values": [stats.values for stats in self.move_stats],
            "nodes": [stats.nodes for stats in self.move_stats],
            "depth": [stats.depth for stats in self.move_stats],
            "cpu": [round(stats.cpu, _DIGITS) for stats in self.move_stats],
        }


def play_fixture(
    game: Game, agents: Sequence[str], fixture: Fixture, limits: Limits = NO_LIMITS, observer: Observer = UNOBSERVED,
    make: Build | None = None, able: Collection[int] = (),
) -> GameResult:  # fmt: skip
    """Play one game; a seat that fails loses it, and all others divide the win.

    Agents that are `able` to stop this process may have done so where it could not run while they thought.
    """
    observer.begin(fixture.number)
    played = _GameInPlay(game, agents, fixture, make)
    fault = None
    try:
        played.play(limits, observer, able)
    except AgentFault as found:
        fault = found
    finally:
        observer.idle()
    result = played.result(fault)
    played.seated.end(Ending(result.payoff, str(result.reason), result.drawn_by))
    return result


def broken_off(
    game: Game, agents: Sequence[str], fixture: Fixture, made: Iterable[tuple[int, float]], fault: AgentFault
) -> GameResult:
    """Return the result of a game that a seat broke off, from the moves made until then and their seconds."""
    played = _GameInPlay(game, agents, fixture)
    for move, seconds in made:
        seat, ply = played.table.turn, played.table.ply
        played.table.play(move)
        played.note(MoveStats(seat, seconds, ply=ply))
    return played.result(fault)


def voided(game: Game, agents: Sequence[str], fixture: Fixture, why: str) -> GameResult:
    """Return the result of a game that does not count, with the reason in one sentence."""
    result = _GameInPlay(game, agents, fixture).result()
    return replace(result, reason=Reason.VOID, payoff=tuple(game.scoring.level(game.seats)), fault=why)


def refused(game: Game, agents: Sequence[str], fixture: Fixture, made: Sequence[int], move: int) -> GameResult:
    """Return the result of a game that a seat lost by a move that is not legal, from the moves made until then."""
    played = _GameInPlay(game, agents, fixture)
    while played.table.ply < len(made):
        seat, ply = played.table.turn, played.table.ply
        played.table.play(made[ply])
        played.note(MoveStats(seat, 0.0, ply=ply))
    seat, ply = played.table.turn, played.table.ply
    try:
        played.table.play(move)
    except BadMove as error:
        return played.result(accuse(played.names[seat], seat, ply, played.where, Reason.ILLEGAL, str(error)))
    raise BadGame(f"{game}: the rule moves does not list the same moves when it is asked again at ply {ply}")


def accuse(
    agent: str, seat: int, ply: int, where: str, reason: Reason, what: str = "", killed: Killed = Killed.NO
) -> AgentFault:
    """Return the fault of an agent as a sentence that names it."""
    agent, number = str(parse(agent)), seat + 1  # people count from 1
    sentences = {
        Reason.TIME: f"agent {agent} in seat {number} of {where}: out of time at ply {ply}{what and ': ' + what}",
        Reason.NODES: f"agent {agent} in seat {number} of {where}: too many nodes at ply {ply}: {what}",
        Reason.MEMORY: f"agent {agent} in seat {number} of {where}: out of memory at ply {ply}{what and ': ' + what}",
        Reason.ILLEGAL: f"agent {agent} in seat {number} of {where}: {what}",
        Reason.CRASH: f"agent {agent} failed in seat {number} at ply {ply} of {where}: {what}",
        Reason.START: f"agent {agent} in seat {number} of {where} did not start: {what}",
        Reason.PROTOCOL: f"agent {agent} in seat {number} of {where} broke the protocol at ply {ply}: {what}",
        Reason.FLOOD: f"agent {agent} in seat {number} of {where} did too much at ply {ply}: {what}",
    }
    return AgentFault(sentences[reason], reason, seat, killed)


def ask(deed: Callable[..., Answer], *given: Any) -> Answer:
    """Call an agent; a copy of this process that it forked ends here, and so does a process that it harmed."""
    process = os.getpid()
    try:
        return deed(*given)
    finally:
        if os.getpid() != process:
            os._exit(1)
        end_if_tampered()


def take_turn(
    seated: SeatedAgents, name: str, where: str, seconds: float | None = None, left: Sequence[float | None] = (),
    nodes: int | None = None, observer: Observer = UNOBSERVED, able: bool = False,
) -> MoveStats:  # fmt: skip
    """Let the agent to move make its move within limits; if it fails, that is an AgentFault.

    `name` is the agent as it was named, whatever it calls itself; `left` is on the clock of each seat. Time during
    which this process could not run does not count, unless the agent is `able` to stop it and may have done so.
    """
    table = seated.table
    seat, ply, killed = table.turn, table.ply, Killed.NO
    try:
        view = table.view(seat)
        begun, used = perf_counter(), process_time()
        decision = ask(seated.decide, view, seconds, left)
        spent, cpu = perf_counter() - begun, process_time() - used
        paused = observer.paused() if spent > _UNNOTICED else 0.0
        if not able:
            spent = max(0.0, spent - paused)
        if seconds is not None and spent > seconds:
            reason, what = Reason.TIME, ""
            if spent - paused <= seconds:
                what, killed = f"what keeps its time was stopped for {paused:.1f} s while it thought", Killed.PERHAPS
        elif nodes is not None and decision.nodes > nodes:
            reason, what = Reason.NODES, f"{decision.nodes} of {nodes}"
        else:
            values = _clean(decision.values, table.game.seats)
            cpu = 0.0 if external(seated.by_seat[seat].agent) else cpu
            stats = MoveStats(seat, spent, values, _count(decision.nodes), _count(decision.depth), cpu, ply)
            seated.play(decision.move)
            return stats
    except BadMove as error:
        reason, what = Reason.ILLEGAL, str(error)
    except BotFault as fault:
        reason, what, killed = Reason(fault.kind), str(fault), _killed(fault)
    except BaseException as error:
        if _beyond_agents(error, name, table.game, is_in_memory(seated.by_seat[seat].agent)):
            raise
        reason, what = (Reason.MEMORY, "") if _out_of_memory(error) else (Reason.CRASH, with_last_lines(error))
    observer.idle()  # lifts a limit of memory, so that there is room to report the fault
    raise accuse(name, seat, ply, where, reason, what, killed)


class _GameInPlay:
    """A fixture in play."""

    def __init__(self, game: Game, agents: Sequence[str], fixture: Fixture, make: Build | None = None):
        self.fixture, self.game, self.make = fixture, game, make
        self.where = f"game {fixture.number + 1}"  # people count from 1
        self.names = [agents[agent] for agent in fixture.seating]
        self.seconds, self.moves = [0.0] * game.seats, [0] * game.seats
        self.move_stats: list[MoveStats] = []
        self.table = Table(game, fixture.deal_seed)
        self.seated = SeatedAgents(self.table)
        try:
            self.table.follow(fixture.opening)
        except BadMove as error:
            raise BadValue(f"the opening of {self.where} cannot be played: {error}") from None

    def play(self, limits: Limits, observer: Observer, able: Collection[int] = ()) -> None:
        """Play until the game is over or the limit of plies is reached."""
        table, clocks = self.table, [limits.game_seconds] * self.game.seats
        for seat in range(self.game.seats):
            self._sit_down(seat, limits, observer)
        while not table.over and (limits.plies is None or table.ply < limits.plies):
            seat, ply = table.turn, table.ply
            clock = clocks[seat]
            allowed = min((time for time in (limits.move_seconds, clock) if time is not None), default=None)
            observer.thinking(seat, allowed)
            stats = take_turn(
                self.seated, self.names[seat], self.where, allowed, clocks, limits.nodes, observer,
                self.fixture.seating[seat] in able,
            )  # fmt: skip
            observer.moved(table.moves_made[ply], stats.seconds)
            self.note(stats)
            if clock is not None:
                clocks[seat] = clock - stats.seconds + limits.increment

    def _sit_down(self, seat: int, limits: Limits, observer: Observer) -> None:
        """Build the agent of a seat, and begin the game for it."""
        text, killed = effective_agent(self.names[seat], self.game, limits), Killed.NO
        hosting = HOST_SECONDS if text != self.names[seat] else 0.0
        observer.thinking(seat, limits.start_seconds + hosting if limits.clocked else None)
        try:
            make = self.make or partial(build, trusted=not limits.isolate)
            mind = ask(make, text, self.game, self.fixture.agent_seeds[seat])
            mind.text = self.names[seat]
            if limits.memory is not None and (outside := external(mind)) is not None:
                outside.confine(limits.memory)
            self.seated.new(seat, mind, TimeControl(limits.move_seconds, limits.game_seconds, limits.increment))
            return
        except BotFault as fault:
            reason, what, killed = Reason(fault.kind), str(fault), _killed(fault)
        except BaseException as error:
            if _beyond_agents(error, self.names[seat], self.game):
                raise
            reason, what = (Reason.MEMORY if _out_of_memory(error) else Reason.CRASH), with_last_lines(error)
        observer.idle()
        raise accuse(self.names[seat], seat, self.table.ply, self.where, reason, what, killed)

    def note(self, stats: MoveStats) -> None:
        """Add a move and its time."""
        self.seconds[stats.seat] += stats.seconds
        self.moves[stats.seat] += 1
        self.move_stats.append(stats)

    def result(self, fault: AgentFault | None = None) -> GameResult:
        """Return the result of the game as it stands."""
        record = record_of(self.table, self.names, self.fixture.agent_seeds)
        ending = Ending.of(self.table, unfinished=Reason.CAP)
        if fault is not None:
            ending = Ending(self.game.scoring.failed(self.names, fault.seat), fault.reason)
        return GameResult(
            self.fixture, record, tuple(ending.payoff), Reason(ending.reason), fault.seat if fault else -1,
            str(fault or ""), tuple(self.seconds), tuple(self.moves), tuple(self.move_stats), ending.drawn_by,
            tuple(seated.agent.called for seated in self.seated.by_seat.values()),
            fault.killed if fault else Killed.NO,
        )  # fmt: skip


def _beyond_agents(error: BaseException, agent: str, game: Game, in_memory: bool = False) -> bool:
    """Return whether no agent caused this error: it is a signal, or the rules broke their contract.

    The user's own code can tamper with rules, so for such an agent only a signal counts.
    """
    broken_rules = isinstance(error, BadGame) and _raised_by_kibitz(error)
    return from_outside(error) or (broken_rules and not in_memory and not is_own(agent, game))


def _raised_by_kibitz(error: BaseException) -> bool:
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_globals.get("__name__", "").startswith("kibitz.")


def _killed(fault: BotFault) -> Killed:
    return Killed.SURELY if fault.killed else Killed.PERHAPS if fault.perhaps_killed else Killed.NO


def _out_of_memory(error: BaseException) -> bool:
    """Return whether memory ran out, even if another error hides it."""
    return isinstance(error, MemoryError) or isinstance(error.__context__, MemoryError)


def _count(number: Any) -> int:
    """Return a number that an agent reports, or 0 if it cannot be stored."""
    return int(number) if isinstance(number, int | np.integer) and 0 <= number < _MOST_COUNT else 0


def _clean(values: Any, seats: int) -> list[float] | None:
    """Return the values that an agent reports if they are numbers, one per seat."""
    try:
        numbers = [round(float(value), _DIGITS) for value in values]
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if len(numbers) == seats and all(map(isfinite, numbers)) else None
