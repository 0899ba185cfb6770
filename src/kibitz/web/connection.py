"""A connection: one browser at one table, what it holds and sees, and what is done with what it sends."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import SERVER_FAILED, KibitzError
from kibitz.web import messages
from kibitz.web.grading import Grading
from kibitz.web.live_analysis import LiveAnalysis, analysed
from kibitz.web.messages import PROTOCOL, RequestRefused
from kibitz.web.rate_limit import RateLimit
from kibitz.web.seat_holder import AGENT, PERSON, hashed, new_token
from kibitz.web.viewpoint import ALL, PUBLIC

if TYPE_CHECKING:
    from kibitz.web.lobby import Lobby
    from kibitz.web.table_session import TableSession

MOST_UNSENT = 100  # messages; a browser that does not read them is let go
A_SECOND, AT_ONCE = 20.0, 80.0  # messages that a browser may send
MOST_TOO_FAST = 200  # refusals for speed before the connection is closed
_LOG = logging.getLogger(__name__)


class Connection:
    """One browser at one table."""

    def __init__(self, lobby: "Lobby", leave: Callable[[], None] = lambda: None, address: str = ""):
        self.lobby, self._leave, self.address = lobby, leave, address
        self.farewell = ""  # why it was let go
        self.outbox: asyncio.Queue[bytes] = asyncio.Queue(MOST_UNSENT)
        self.room: TableSession | None = None
        self.hashes: list[str] = []
        self.watches = True  # and does not play
        self.known = 0  # how much of the log it has
        self._shown: int | None = None  # the viewer that the log was for
        self._ready: int | None = None  # the seat whose person is at the browser
        self.analysis: LiveAnalysis | None = None
        self._follows: str | bool | None = False  # the agent that analyses every new position; False for none
        self.allowance, self.too_fast = RateLimit(AT_ONCE, A_SECOND), 0

    # What it holds

    @property
    def seats(self) -> set[int]:
        """The seats whose tokens it has."""
        if self.room is None:
            return set()
        return {
            seat for seat, chair in enumerate(self.room.chairs) if chair.who == PERSON and chair.token in self.hashes
        }

    @property
    def owner(self) -> bool:
        """Whether it has the token of who made the table."""
        return self.room is not None and self.room.data["owner"] in self.hashes

    @property
    def takes_part(self) -> bool:
        """Whether it is more than a watcher."""
        return self.owner or bool(self.seats)

    def viewer(self) -> int:
        """Return whose eyes it sees the table with now."""
        room = self.table_room()
        if room.open_book:
            return ALL
        seats = self.seats
        if len(seats) == 1:
            return next(iter(seats))
        if self._ready in seats and self.hand_over() is None:
            assert self._ready is not None
            return self._ready
        return PUBLIC

    def hand_over(self) -> int | None:
        """Return the seat whose person must come to the browser, where several people share it and have secrets."""
        room, seats = self.table_room(), self.seats
        if room.open_book or len(seats) < 2:
            return None
        turn = room.table.turn
        if turn in seats:
            return None if turn == self._ready else turn
        return None if self._ready in seats else min(seats)

    def may_move(self) -> bool:
        """Return whether the next move may be made from here."""
        room = self.table_room()
        if room.table.over or room.read_only:
            return False
        if room.bench and self.takes_part:
            return True
        return room.table.turn in self.seats and self.hand_over() is None

    def table_room(self) -> "TableSession":
        """Return the room it has joined."""
        if self.room is None:
            raise RequestRefused("join a table first")
        return self.room

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

    def show(self, made: dict[Any, bytes]) -> None:
        """Send the state of the room; `made` holds what was made for others already."""
        room, viewer = self.table_room(), self.viewer()
        if viewer != self._shown:
            self.known, self._shown = 0, viewer
        key = (viewer, self.hand_over(), self.may_move(), tuple(sorted(self.seats)), self.owner, self.known)
        if key not in made:
            made[key] = messages.write(room.state(self))
        self.known = room.ply
        self.send(made[key])
        if self._follows is not False:
            self._follow()

    # What it sends

    async def receive(self, data: str | bytes) -> None:
        """Do what a message asks for; what cannot be done is refused in a sentence and changes nothing."""
        about = "message"
        try:
            self._count()
            message = messages.read(data)
            about = message.__struct_config__.tag
            await self._obey(about, message)
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

    async def _obey(self, about: str, message: Any) -> None:
        if about == "join":
            await self._join(message)
            return
        deed = asyncio.ensure_future(self._do(self.table_room(), about, message))
        await asyncio.shield(deed)  # what has begun is done, also if the browser goes meanwhile

    async def _do(self, room: "TableSession", about: str, message: Any) -> None:
        async with room.lock:
            if self.room is room:
                await _HANDLERS[about](self, room, message)

    async def _join(self, message: messages.Join) -> None:
        if message.protocol != PROTOCOL:
            raise RequestRefused(f"this server speaks protocol {PROTOCOL}, not {message.protocol}; load the page again")
        if self.room is not None:
            raise RequestRefused("this connection is at a table already")
        self.lobby.door.joins(self)
        try:
            async with self.lobby.held(message.table) as room:
                self.lobby.check_room_for_connection(room, self.address)
                self.hashes = [hashed(token) for token in message.tokens]
                self.room = room
                room.enter(self)
        except (RequestRefused, KibitzError):
            self.lobby.door.stays_outside(self)
            raise

    def leave_room(self) -> None:
        """Be gone."""
        room = self.room
        if room is None:
            return
        self._stop_analysis()
        if room.grading is not None:
            room.grading.remove(self)
        seats = self.seats
        self.room = None
        room.leave(self, bool(seats))

    async def _move(self, room: "TableSession", message: messages.MakeMove) -> None:
        self._check_turn(room, message.ply)
        await room.play(message.move, {})

    async def _say_move(self, room: "TableSession", message: messages.SayMove) -> None:
        self._check_turn(room, message.ply)
        await room.play(room.table.read(message.text), {})

    def _check_turn(self, room: "TableSession", ply: int) -> None:
        if room.read_only:
            raise RequestRefused("this is a record to look at; play on from a position of it instead")
        if room.table.over:
            raise RequestRefused("the game is over")
        if not self.may_move():
            name = room.game.seat_names[room.table.turn]
            raise RequestRefused(f"it is {name}'s turn, and that is not your seat" if self.hand_over() is None
                          else f"it is {name}'s turn; say that {name} is at the screen first")  # fmt: skip
        if ply != room.ply:
            raise RequestRefused(f"that move was for ply {ply}, and the game is at ply {room.ply} now")

    async def _undo(self, room: "TableSession", message: messages.Undo) -> None:
        if room.read_only:
            raise RequestRefused("a record cannot be changed; play on from a position of it instead")
        if room.bench and self.takes_part:
            if room.ply == 0:
                raise RequestRefused("there is nothing to take back")
            await room.take_back(room.ply - 1)
        elif not self.seats:
            raise RequestRefused("only who plays can take back")
        else:
            await room.ask_to_undo(self.seats)

    async def _answer(self, room: "TableSession", message: messages.Answer) -> None:
        if not self.seats:
            raise RequestRefused("only who plays is asked")
        await room.answer_undo(self.seats, message.yes)

    async def _come(self, room: "TableSession", message: messages.ReadyToPlay) -> None:
        if message.seat not in self.seats:
            raise RequestRefused(f"seat {message.seat} is not yours")
        self._ready = message.seat
        self.show({})

    async def _look(self, room: "TableSession", message: messages.Look) -> None:
        viewer = self.viewer()
        if message.all:
            if not room.open_book:
                raise RequestRefused("everything can be seen when the game is over")
            viewer = ALL
        elif message.seat is not None:
            if message.seat >= room.game.seats:
                raise RequestRefused(f"there is no seat {message.seat}")
            if not room.open_book and message.seat != viewer:
                raise RequestRefused("the cards of that seat are not yours to see")
            viewer = message.seat
        data = room.position(self, room.at(message.ply), message.ply, viewer)
        self.send(messages.write({**data, "last": room.last(message.ply, viewer)}))

    async def _preview(self, room: "TableSession", message: messages.Preview) -> None:
        world = _after(room, message.ply, message.moves)
        self.send(messages.write({**room.position(self, world, message.ply, ALL), "moves_before": message.moves}))

    # Analysis

    async def _analyse(self, room: "TableSession", message: messages.Analyse) -> None:
        self._stop_analysis()
        if not message.on:
            return
        agent = None if message.agent is None else self.lobby.shelf.agent(message.agent, room.game)
        self._begin(analysed(room, self.viewer(), room.ply if message.ply is None else message.ply, [], agent))
        if message.ply is None:
            self._follows = agent

    async def _tree(self, room: "TableSession", message: messages.ShowTree) -> None:
        agent = None if message.agent is None else self.lobby.shelf.agent(message.agent, room.game)
        _after(room, message.ply, message.moves)
        found = analysed(room, self.viewer(), message.ply, message.moves, agent, once=True)
        found.add(self)

    def _follow(self) -> None:
        """Analyse the position on the board, if there is one to analyse for this browser."""
        room, before = self.table_room(), self.analysis
        assert not isinstance(self._follows, bool)
        found = None
        with suppress(RequestRefused):  # not now; the next position may be one
            found = analysed(room, self.viewer(), room.ply, [], self._follows)
        if found is before:
            return
        self.analysis = found
        if before is not None:
            before.remove(self)
        if found is not None:
            found.add(self)

    def _begin(self, found: LiveAnalysis) -> None:
        self.analysis = found
        found.add(self)

    def _stop_analysis(self) -> None:
        self._follows = False
        room = self.room
        for found in list(room.analyses.values()) if room is not None else []:
            found.remove(self)
        self.analysis = None

    async def _grade(self, room: "TableSession", message: messages.Grade) -> None:
        if not room.table.over and not room.bench and not room.read_only:
            raise RequestRefused("moves are graded after the game")
        if not room.ply:
            raise RequestRefused("no move has been made yet")
        Grading.of(room).add(self)

    # The test bench

    async def _step(self, room: "TableSession", message: messages.StepAgent) -> None:
        if room.read_only or room.table.over:
            raise RequestRefused("there is no move to make")
        chair = room.chairs[room.table.turn]
        if not self.takes_part or not (room.bench or chair.who == AGENT):
            raise RequestRefused("the computer makes moves for others at a test bench only")
        if not room.bench and message.agent is not None:
            raise RequestRefused("another agent makes a move at a test bench only")
        agent = None if message.agent is None else self.lobby.shelf.agent(message.agent, room.game)
        room.think(agent or chair.text or room.strongest())
        room.publish()

    async def _seat(self, room: "TableSession", message: messages.GiveSeat) -> None:
        if message.seat >= room.game.seats:
            raise RequestRefused(f"there is no seat {message.seat}; the seats are 0 to {room.game.seats - 1}")
        if room.read_only or not ((room.bench and self.takes_part) or message.seat in self.seats):
            raise RequestRefused("that seat is not yours to give")
        if room.has_secrets and isinstance(message.to, messages.Invite):
            raise RequestRefused(
                "who has held a seat of a game with secrets knows its hand, so nobody can be invited to it; let an "
                "agent take it, or begin another table"
            )
        invite = new_token()
        mine = next((one for one in self.hashes if one == room.data["owner"] or self._holds(one)), "")
        chair = await self.lobby.chair(message.to, room.game, mine, invite, self.address)
        room.chairs[message.seat] = chair
        await room.keep()
        if chair.invite:
            self.send(messages.write({"type": "invite", "seat": message.seat, "invite": invite}))

    def _holds(self, token_hash: str) -> bool:
        return any(chair.token == token_hash for chair in self.table_room().chairs)

    async def _play_on(self, room: "TableSession", message: messages.PlayOn) -> None:
        if not room.bench or not self.takes_part:
            raise RequestRefused("agents are paused at a test bench only")
        room.data["playing_on"] = message.on
        await room.keep()

    async def _rematch(self, room: "TableSession", message: messages.Rematch) -> None:
        if not self.takes_part or room.read_only:
            raise RequestRefused("only who has played can ask for another game")
        if not room.table.over:
            raise RequestRefused("this game is not over yet")
        if room.data["rematch"] is None:
            room.data["rematch"] = (await self.lobby.rematch(room)).id
            await room.keep()


_HANDLERS: dict[str, Any] = {
    "move": Connection._move, "say_move": Connection._say_move, "undo": Connection._undo,
    "answer": Connection._answer, "ready": Connection._come, "look": Connection._look,
    "preview": Connection._preview, "analyse": Connection._analyse, "tree": Connection._tree,
    "grade": Connection._grade, "step": Connection._step, "seat": Connection._seat, "play_on": Connection._play_on,
    "rematch": Connection._rematch,
}  # fmt: skip


def _after(room: "TableSession", ply: int, moves: list[int]) -> Any:
    """Return the world after some moves; only where there are no secrets to be tried out."""
    if not room.open_book:
        raise RequestRefused("moves are tried out on the board in games without secrets, or after the end")
    world = room.at(ply)
    for move in moves:
        if world.over:
            raise RequestRefused("the game is over before the last of those moves")
        world.play(move)
    return world
