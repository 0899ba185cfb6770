"""Agents at a table: how a game begins, continues and ends for its players, wherever they run.

The words are those of the bot protocol: new, event, decide, end, quit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from kibitz.agents.agent import Agent, Decision, as_decision, consider_legal
from kibitz.agents.book_agent import BookAgent
from kibitz.agents.external_agent import NO_CLOCKS, Ending, Event, ExternalAgent, TimeControl
from kibitz.core.errors import BadMove
from kibitz.core.table import Table


def events_of(table: Table, move: int, seats: Iterable[int]) -> dict[int, Event]:
    """Return what each seat is told about a legal move that is about to be made; only this function decides it."""
    text, seat = table.write(move), table.turn
    told = {each: table.told(move, each) if table.game.hidden and each != seat else text for each in seats}
    return {each: Event.told(table.ply, seat, move, known) for each, known in told.items()}


def rolls_of(table: Table) -> list[Event]:
    """Return what everybody is told about what chance did after the last move."""
    return [Event(roll.ply, None, roll.outcome, table.roll_text(roll)) for roll in table.rolls]


def external(agent: Agent) -> ExternalAgent | None:
    """Return the agent in another process that decides in the end, if there is one."""
    if isinstance(agent, BookAgent):
        return external(agent.inner)
    return agent if isinstance(agent, ExternalAgent) else None


class SeatedAgent:
    """An agent in a seat; only one that runs in another process must be told what happens."""

    def __init__(self, agent: Agent, seat: int, deal: int | None = None, place: tuple[str, int] | None = None):
        self.agent, self.seat = agent, seat
        self.begun = False
        self._external = external(agent)
        if self._external is not None:
            self._external.deal, self._external.place = deal, place

    @property
    def wants_events(self) -> bool:
        """Whether it must be told about moves."""
        return self.begun and self._external is not None and self._external.wants_events

    def new(self, time_control: TimeControl = NO_CLOCKS, past: Iterable[Event] = ()) -> None:
        """Begin a game, and tell of the moves made in it so far."""
        if self._external is not None:
            self._external.on_new(self.seat, time_control)
        self.begun = True
        if self.wants_events:
            for event in past:
                self.event(event)

    def event(self, event: Event) -> None:
        """Tell of a move."""
        if self._external is not None:
            self._external.on_event(event)

    def decide(
        self, view: np.ndarray, seconds: float | None = None, left: Sequence[float | None] = (), ply: int | None = None
    ) -> Decision:
        """Ask for a move within some seconds; `left` is on the clock of each seat."""
        self._tell_time(seconds, left, ply)
        return as_decision(self.agent.decide(view))

    def consider(self, view: np.ndarray, top: int, seconds: float | None = None) -> list[Decision]:
        """Return what the agent thinks of a position, without a game; its process, which has seen it, ends."""
        self._tell_time(seconds, (), None)
        try:
            return consider_legal(self.agent, view, top)
        finally:
            self.quit()

    def _tell_time(self, seconds: float | None, left: Sequence[float | None], ply: int | None) -> None:
        if self._external is not None:
            self._external.on_turn(seconds, left, ply)

    def end(self, ending: Ending) -> None:
        """Tell how the game ended."""
        if self._external is not None:
            self._external.on_end(ending)

    def quit(self) -> None:
        """End the process of the agent."""
        if self._external is not None:
            self._external.on_quit()


class SeatedAgents:
    """The agents at a table, by seat; people have seats without one.

    `agents` decide without being told that a game begins, and of no move: such games are looked at, not played out.
    """

    def __init__(self, table: Table, agents: Mapping[int, Agent] | None = None):
        self.table = table
        self.by_seat = {seat: SeatedAgent(agent, seat, table.seed) for seat, agent in (agents or {}).items()}

    def new(self, seat: int, agent: Agent, time_control: TimeControl = NO_CLOCKS) -> None:
        """Give a seat to an agent: the game begins for it, and it is told the moves made so far."""
        seated = SeatedAgent(agent, seat, self.table.seed)
        seated.new(time_control, self._past(seat))
        self.by_seat[seat] = seated

    def _past(self, seat: int) -> Iterator[Event]:
        again = Table(self.table.game, self.table.seed)
        yield from rolls_of(again)
        while again.ply < self.table.ply:
            move = self.table.moves_made[again.ply]
            yield events_of(again, move, [seat])[seat]
            again.play(move)
            yield from rolls_of(again)

    def decide(self, view: np.ndarray, seconds: float | None = None, left: Sequence[float | None] = ()) -> Decision:
        """Ask the agent to move, whose view this is."""
        seated = self.by_seat[self.table.turn]
        return seated.decide(view, seconds, left, self.table.ply if seated.begun else None)

    def play(self, move: int | str) -> None:
        """Play a move; if it is legal, tell everybody who wants events what that seat may know of it."""
        if isinstance(move, str):
            raise BadMove(f"{move!r:.80} at ply {self.table.ply} is not a move; an agent decides on a whole number")
        listening = [seat for seat, seated in self.by_seat.items() if seated.wants_events]
        legal = bool(listening) and move in self.table.moves()
        events = events_of(self.table, int(move), listening) if legal else {}
        self.table.play(move)
        rolls = rolls_of(self.table) if listening else []
        for seat, event in events.items():
            for each in (event, *rolls):
                self.by_seat[seat].event(each)

    def end(self, ending: Ending | None = None) -> None:
        """Tell how the game ended, or that it goes on another time."""
        ending = ending or Ending.of(self.table)
        for seated in self.by_seat.values():
            seated.end(ending)
