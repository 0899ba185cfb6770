"""A connection: one browser at one table, its seats, what it sees, and what is done with what it sends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import SERVER_FAILED, KibitzError
from kibitz.core.world import World
from kibitz.web import messages, shown_table, takeback
from kibitz.web.grading import Grading
from kibitz.web.live_analysis import LiveAnalysis, analysed
from kibitz.web.messages import PROTOCOL, Message, RequestRefused
from kibitz.web.rate_limit import RateLimit
from kibitz.web.server_messages import InviteMessage
from kibitz.web.table_data import MoveNote
from kibitz.web.table_seat import AGENT, PERSON, hashed, new_token
from kibitz.web.viewpoint import ALL, PUBLIC

if TYPE_CHECKING:
    from kibitz.web.lobby import Lobby
    from kibitz.web.table_session import TableSession

MOST_UNSENT = 100  # messages; a browser that does not read them is let go
A_SECOND, AT_ONCE = 20.0, 80.0  # messages that a browser may send
MOST_TOO_FAST = 200  # refusals for speed before the connection is closed
StateKey = tuple[int, int | None, bool, tuple[int, ...], bool, int]  # connections with the same are shown the same
_LOG = logging.getLogger(__name__)


class Connection:
    """One browser at one table."""

    def __init__(self, lobby: "Lobby", leave: Callable[[], None] = lambda: None, address: str = ""):
        self.lobby, self._leave, self.address = lobby, leave, address
        self.farewell = ""  # why it was let go
        self.outbox: asyncio.Queue[bytes] = asyncio.Queue(MOST_UNSENT)
        self.session: TableSession | None = None
        self.hashes: list[str] = []
        self.watches = True  # and does not play
        self.known = 0  # how much of the log it has
        self._shown: int | None = None  # the viewer that the log was for
        self._ready: int | None = None  # the seat whose person is at the browser
        self.analysis: LiveAnalysis | None = None
        self._follows = False  # whether every new position is analysed
        self._analyst: str | None = None  # the agent that analyses; None for the usual one
        self.allowance, self.too_fast = RateLimit(AT_ONCE, A_SECOND), 0

    # Its seats

    @property
    def seats(self) -> set[int]:
        """The seats whose tokens it has."""
        seats = [] if self.session is None else self.session.seats
        return {number for number, seat in enumerate(seats) if seat.who == PERSON and seat.token in self.hashes}

    @property
    def owner(self) -> bool:
        """Whether it has the token of the person who began the table."""
        return self.session is not None and self.session.data.owner in self.hashes

    @property
    def takes_part(self) -> bool:
        """Whether it is more than a spectator."""
        return self.owner or bool(self.seats)

    def viewer(self) -> int:
        """Return as which viewer it sees the table now."""
        session = self.joined()
        if session.revealed:
            return ALL
        seats = self.seats
        if len(seats) == 1:
            return next(iter(seats))
        if self._ready is not None and self._ready in seats and self.hand_over() is None:
            return self._ready
        return PUBLIC

    def hand_over(self) -> int | None:
        """Return the seat whose person must come to the browser, where several people share it and have secrets."""
        session, seats = self.joined(), self.seats
        if session.revealed or len(seats) < 2:
            return None
        turn = session.table.turn
        if turn in seats:
            return None if turn == self._ready else turn
        return None if self._ready in seats else min(seats)

    def may_move(self) -> bool:
        """Return whether the next move may be made from here."""
        session = self.joined()
        if session.table.over or session.read_only:
            return False
        if session.editor and self.takes_part:
            return True
        return session.table.turn in self.seats and self.hand_over() is None

    def joined(self) -> "TableSession":
        """Return the table that it has joined."""
        if self.session is None:
            raise RequestRefused("join a table first")
        return self.session

    # What it is sent

    def send(self, message: bytes) -> None:
        """Put a message into the outbox."""
        try:
            self.outbox.put_nowait(message)
        except asyncio.QueueFull:
            self.let_go("this connection read too little; load the page again")

    def let_go(self, why: str) -> None:
        """End the connection, and say why."""
        self.farewell = self.farewell or why
        self._leave()

    def show(self, made: dict[StateKey, bytes]) -> None:
        """Send the state of the table; `made` holds what was made for other connections already."""
        session, viewer = self.joined(), self.viewer()
        if viewer != self._shown:
            self.known, self._shown = 0, viewer
        key = (viewer, self.hand_over(), self.may_move(), tuple(sorted(self.seats)), self.owner, self.known)
        if key not in made:
            made[key] = messages.write(shown_table.state(session, self))
        self.known = session.ply
        self.send(made[key])
        if self._follows:
            self._follow()

    # What it sends

    async def receive(self, data: str | bytes) -> None:
        """Do what a message asks for; what cannot be done is refused in a sentence and changes nothing."""
        about = "message"
        try:
            self._count()
            message = messages.read(data)
            about = str(message.__struct_config__.tag)
            await self._obey(message)
        except (RequestRefused, KibitzError) as error:
            self.send(messages.refusal(about, str(error)))
        except Exception:
            _LOG.exception("what a browser asked for could not be done: %s", about)
            self.send(messages.refusal(about, SERVER_FAILED))

    def _count(self) -> None:
        if self.allowance.take():
            return
        self.too_fast += 1
        if self.too_fast > MOST_TOO_FAST:
            self.let_go("this connection sent too much; load the page again")
        raise RequestRefused(f"too many messages; at most {A_SECOND:g} a second are read")

    async def _obey(self, message: Message) -> None:
        if isinstance(message, messages.Join):
            await self._join(message)
            return
        deed = asyncio.ensure_future(self._do(self.joined(), message))
        await asyncio.shield(deed)  # what has begun is done, also if the browser goes meanwhile

    async def _do(self, session: "TableSession", message: Message) -> None:
        async with session.lock:
            if self.session is session:
                await _HANDLERS[type(message)](self, session, message)

    async def _join(self, message: messages.Join) -> None:
        if message.protocol != PROTOCOL:
            raise RequestRefused(f"this server speaks protocol {PROTOCOL}, not {message.protocol}; load the page again")
        if self.session is not None:
            raise RequestRefused("this connection is at a table already")
        self.lobby.admission.joins(self)
        try:
            async with self.lobby.held(message.table) as session:
                self.lobby.check_capacity(session, self.address)
                self.hashes = [hashed(token) for token in message.tokens]
                self.session = session
                session.enter(self)
        except (RequestRefused, KibitzError):
            self.lobby.admission.stays_outside(self)
            raise

    def leave_session(self) -> None:
        """Leave the table."""
        session = self.session
        if session is None:
            return
        self._stop_analysis()
        if session.grading is not None:
            session.grading.remove(self)
        seats = self.seats
        self.session = None
        session.leave(self, bool(seats))

    async def _move(self, session: "TableSession", message: messages.MakeMove) -> None:
        self._check_turn(session, message.ply)
        await session.play(message.move, MoveNote())

    async def _say_move(self, session: "TableSession", message: messages.SayMove) -> None:
        self._check_turn(session, message.ply)
        await session.play(session.table.read(message.text), MoveNote())

    def _check_turn(self, session: "TableSession", ply: int) -> None:
        if session.read_only:
            raise RequestRefused("this is a record to look at; play on from a position of it instead")
        if session.table.over:
            raise RequestRefused("the game is over")
        if not self.may_move():
            name = session.game.seat_names[session.table.turn]
            raise RequestRefused(f"it is {name}'s turn, and that is not your seat" if self.hand_over() is None
                          else f"it is {name}'s turn; say that {name} is at the screen first")  # fmt: skip
        if ply != session.ply:
            raise RequestRefused(f"that move was for ply {ply}, and the game is at ply {session.ply} now")

    async def _undo(self, session: "TableSession", message: messages.Undo) -> None:
        if session.read_only:
            raise RequestRefused("a record cannot be changed; play on from a position of it instead")
        if session.editor and self.takes_part:
            if session.ply == 0:
                raise RequestRefused("there is nothing to take back")
            await session.take_back(session.ply - 1)
        elif not self.seats:
            raise RequestRefused("only those who play can take back")
        else:
            await takeback.ask_to_undo(session, self.seats)

    async def _answer(self, session: "TableSession", message: messages.Answer) -> None:
        if not self.seats:
            raise RequestRefused("only those who play are asked")
        await takeback.answer_undo(session, self.seats, message.yes)

    async def _come(self, session: "TableSession", message: messages.ReadyToPlay) -> None:
        if message.seat not in self.seats:
            raise RequestRefused(f"seat {message.seat} is not yours")
        self._ready = message.seat
        self.show({})

    async def _look(self, session: "TableSession", message: messages.Look) -> None:
        viewer = self.viewer()
        if message.all:
            if not session.revealed:
                raise RequestRefused("everything can be seen when the game is over")
            viewer = ALL
        elif message.seat is not None:
            if message.seat >= session.game.seats:
                raise RequestRefused(f"there is no seat {message.seat}")
            if not session.revealed and message.seat != viewer:
                raise RequestRefused("the cards of that seat are not yours to see")
            viewer = message.seat
        position = shown_table.position(session, self, session.history.at(message.ply), message.ply, viewer)
        position.last = session.history.last(message.ply, viewer)
        self.send(messages.write(position))

    async def _preview(self, session: "TableSession", message: messages.Preview) -> None:
        world = _after(session, message.ply, message.moves)
        position = shown_table.position(session, self, world, message.ply, ALL)
        position.moves_before = message.moves
        self.send(messages.write(position))

    # Analysis

    async def _analyse(self, session: "TableSession", message: messages.Analyse) -> None:
        self._stop_analysis()
        if not message.on:
            return
        self._analyst = self._agent(session, message.agent)
        ply = session.ply if message.ply is None else message.ply
        self.analysis = analysed(session, self.viewer(), ply, [], self._analyst)
        self.analysis.add(self)
        self._follows = message.ply is None

    async def _tree(self, session: "TableSession", message: messages.ShowTree) -> None:
        agent = self._agent(session, message.agent)
        _after(session, message.ply, message.moves)
        analysed(session, self.viewer(), message.ply, message.moves, agent, once=True).add(self)

    def _agent(self, session: "TableSession", text: str | None) -> str | None:
        """Return the agent that a browser names; one that it may not name is refused."""
        return None if text is None else self.lobby.allowlist.agent(text, session.game)

    def _follow(self) -> None:
        """Analyse the position on the board, if there is one to analyse for this browser."""
        session, before = self.joined(), self.analysis
        self.analysis = None
        with suppress(RequestRefused):  # not now; the next position may be one
            self.analysis = analysed(session, self.viewer(), session.ply, [], self._analyst)
        if self.analysis is before:
            return
        if before is not None:
            before.remove(self)
        if self.analysis is not None:
            self.analysis.add(self)

    def _stop_analysis(self) -> None:
        self._follows = False
        for found in list(self.joined().analyses.values()):
            found.remove(self)
        self.analysis = None

    async def _grade(self, session: "TableSession", message: messages.Grade) -> None:
        if not session.table.over and not session.editor and not session.read_only:
            raise RequestRefused("moves are graded after the game")
        if not session.ply:
            raise RequestRefused("no move has been made yet")
        Grading.of(session).add(self)

    # The editor

    async def _step(self, session: "TableSession", message: messages.StepAgent) -> None:
        if session.read_only or session.table.over:
            raise RequestRefused("there is no move to make")
        seat = session.seats[session.table.turn]
        if not self.takes_part or not (session.editor or seat.who == AGENT):
            raise RequestRefused("the computer makes moves for others in an editor only")
        if not session.editor and message.agent is not None:
            raise RequestRefused("another agent makes a move in an editor only")
        agent = self._agent(session, message.agent)
        session.turn.think(agent or seat.text or session.strongest())
        session.publish()

    async def _seat(self, session: "TableSession", message: messages.GiveSeat) -> None:
        if message.seat >= session.game.seats:
            raise RequestRefused(f"there is no seat {message.seat}; the seats are 0 to {session.game.seats - 1}")
        if session.read_only or not ((session.editor and self.takes_part) or message.seat in self.seats):
            raise RequestRefused("that seat is not yours to give")
        if session.has_secrets and isinstance(message.to, messages.Invite):
            raise RequestRefused(
                "you have seen the hand of this seat, so nobody can be invited to it; let an agent take it, or begin "
                "another table"
            )
        invite = new_token()
        proofs = {session.data.owner, *(seat.token for seat in session.seats)}
        mine = next((one for one in self.hashes if one in proofs), "")
        seat = await self.lobby.seat(message.to, session.game, mine, invite, self.address)
        session.seats[message.seat] = seat
        await session.keep()
        if seat.invite:
            self.send(messages.write(InviteMessage(message.seat, invite)))

    async def _play_on(self, session: "TableSession", message: messages.PlayOn) -> None:
        if not session.editor or not self.takes_part:
            raise RequestRefused("agents are paused in an editor only")
        session.data.playing_on = message.on
        await session.keep()

    async def _rematch(self, session: "TableSession", message: messages.Rematch) -> None:
        if not self.takes_part or session.read_only:
            raise RequestRefused("only those who have played can ask for another game")
        if not session.table.over:
            raise RequestRefused("this game is not over yet")
        if session.data.rematch is None:
            session.data.rematch = (await self.lobby.rematch(session)).id
            await session.keep()


_HANDLERS: dict[type, Callable[[Connection, "TableSession", Any], Awaitable[None]]] = {
    messages.MakeMove: Connection._move, messages.SayMove: Connection._say_move, messages.Undo: Connection._undo,
    messages.Answer: Connection._answer, messages.ReadyToPlay: Connection._come, messages.Look: Connection._look,
    messages.Preview: Connection._preview, messages.Analyse: Connection._analyse, messages.ShowTree: Connection._tree,
    messages.Grade: Connection._grade, messages.StepAgent: Connection._step, messages.GiveSeat: Connection._seat,
    messages.PlayOn: Connection._play_on, messages.Rematch: Connection._rematch,
}  # fmt: skip


def _after(session: "TableSession", ply: int, moves: list[int]) -> World:
    """Return the position after some moves; only where everything may be seen."""
    if not session.revealed:
        raise RequestRefused("moves are tried out on the board in games without secrets, or after the end")
    world = session.history.at(ply)
    for move in moves:
        if world.over:
            raise RequestRefused("the game is over before the last of those moves")
        world.play(move)
    return world
