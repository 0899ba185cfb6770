"""A table session: one table online, with its seats, those who are connected, and the agents' turns.

Whatever changes a room happens while its lock is held, and is in the store before anybody is shown it.
"""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from kibitz import __version__
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import around_no_walls
from kibitz.bots.sandbox.sandbox import without_walls
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.game import Game
from kibitz.core.level import STRONG
from kibitz.core.record import Record, record_of
from kibitz.core.seeds import MIND, derive_seed
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.web import messages, viewpoint
from kibitz.web.messages import PROTOCOL, RequestRefused
from kibitz.web.seat_holder import AGENT, FREE, PERSON, begins_known
from kibitz.web.server_messages import (
    LastMove,
    LogEntry,
    PositionMessage,
    ShownSeat,
    SinceTurn,
    StateMessage,
    Thinking,
    ThinkingMessage,
)
from kibitz.web.table_data import KeptMove, MoveNote, TableData, UndoRequest
from kibitz.web.table_store import Statement, cut_moves, saved_move, saved_table, touched_table
from kibitz.web.thinking_pool import MOVE, UNWATCHED, NoAnswer
from kibitz.web.thinking_questions import AgentMove, DecideMove, ToldEvent
from kibitz.web.thinking_worker import COMPILING, PROGRESS
from kibitz.web.viewpoint import ALL, eyes

if TYPE_CHECKING:
    from kibitz.web.connection import Connection, Sight
    from kibitz.web.grading import Grading
    from kibitz.web.live_analysis import AnalysisKey, LiveAnalysis
    from kibitz.web.lobby import Lobby

MOST_SINCE = 24  # moves of others that are marked
KEPT_EVERY = 8  # plies between two positions that are kept to look back at
HUMAN = "human"  # a person, in a record
PREPARING = "preparing the machine code (once)"
PROGRESS_WORDS = {"depth": "depth {}", "nodes": "{:,} positions", "visits": "{:,} playouts"}


class TableSession:
    """One table online."""

    def __init__(self, lobby: "Lobby", name: str, data: TableData, game: Game):
        self.lobby, self.id, self.game = lobby, name, game
        self.data = data  # what is kept of it, beside moves and chairs
        self.holders = list(data.seats)
        self.table = Table(game, data.seed)
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.notes: list[MoveNote] = []
        self.movers: list[int] = []
        self._texts: list[dict[int, str | None]] = []
        self._news: list[dict[int, list[str]]] = []
        self._kept = [self.table.copy_of_truth()]
        self._views = self._all_views()
        self._lit: dict[int, tuple[int, dict[int, list[str]]]] = {}  # by viewer: a ply, and what moves there touch
        self._keys: dict[tuple[int, int], list[str]] = {}  # by viewer and ply: what the move made there touched
        self.analyses: dict[AnalysisKey, LiveAnalysis] = {}
        self.grading: Grading | None = None
        self._sittings = 0  # how often the processes that play here were ended
        self._turn: asyncio.Task[None] | None = None  # of an agent, or of a person who has no choice
        self._thinking: Thinking | None = None
        self._thinking_since = 0.0
        self._thought: tuple[int, str] | None = None  # the ply and the agent that is thinking
        self._trouble = ""
        self._cautions: dict[tuple[str, ...], str] = {}  # by the agents that play: what people must know of them
        self._unsettled = False  # something has changed here that is not on the disk yet
        self._news_waiting = False
        self.touched = monotonic()
        self.address = ""  # for whom agents think here: who brought the table into memory
        self._question: DecideMove | None = None  # that an agent was asked last

    # What it is

    @property
    def bench(self) -> bool:
        """Whether it is a test bench, where everything is seen and anything may be done."""
        return self.data.bench

    @property
    def read_only(self) -> bool:
        """Whether it is a record to look at."""
        return self.data.read_only

    @property
    def open_book(self) -> bool:
        """Whether anybody may see everything."""
        return not self.game.hidden or self.bench or self.read_only or self.table.over

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return self.table.ply

    @property
    def awake(self) -> bool:
        """Whether agents move: only while somebody is connected, or at a test bench where they are to play on."""
        return bool(self.connections) or (self.bench and self.data.playing_on)

    @property
    def paused(self) -> bool:
        """Whether an agent is to move and waits until somebody watches."""
        if self.table.over or self.read_only or self.awake or self.bench:
            return False
        return self.holders[self.table.turn].who == AGENT

    @property
    def goes_on_while_watched(self) -> bool:
        """Whether it pauses when nobody is connected any more: only agents sit here, and it is no test bench."""
        return not self.bench and not self.read_only and all(holder.who == AGENT for holder in self.holders)

    @property
    def foreseen(self) -> bool:
        """Whether somebody may know more of what is hidden than a seat does, so that no guest can come any more.

        It is so for good once the game was over or a move was taken back, as cards that come again are known then.
        """
        return self.has_secrets and (
            self.table.over or self.data.foreseen or begins_known(self.game, self.data.branch_of is not None)
        )

    @property
    def has_secrets(self) -> bool:
        """Whether those who play see different things until the end."""
        return self.game.hidden and not self.bench and not self.read_only

    def persons(self) -> list[int]:
        """Return the seats of people."""
        return [seat for seat, holder in enumerate(self.holders) if holder.who == PERSON]

    def guests_to_come(self) -> bool:
        """Return whether a seat is free for somebody who was invited."""
        return any(holder.who == FREE for holder in self.holders)

    # Who is here

    def enter(self, connection: "Connection") -> None:
        """Let somebody watch or play; agents that waited for that go on."""
        first = not self.connections
        self.connections.add(connection)
        self.address = self.address or connection.address
        connection.watches = not connection.takes_part
        if first and self._turn is None:
            self.go_on()
        elif first:
            self.lobby.pool.set_urgency(self._question, MOVE)
        if connection.seats:
            self.publish()  # the others see that somebody has come
        else:
            connection.show({})

    def leave(self, connection: "Connection", tell: bool) -> None:
        """Let somebody go; if nobody is left, what agents think about here comes last."""
        self.connections.discard(connection)
        if not self.connections:
            self.lobby.pool.set_urgency(self._question, UNWATCHED)
        if tell:
            self.publish()

    # Moves

    def replay(self, moves: list[KeptMove]) -> None:
        """Make moves that are kept already."""
        for move, note in moves:
            self._push(move, note)

    def _push(self, move: int, note: MoveNote) -> None:
        texts, mover = viewpoint.told(self.table, move), self.table.turn
        self.table.play(move)
        views = self._all_views()
        self._news.append(viewpoint.news(self.game, self._views, views))
        self._texts.append(texts)
        self.movers.append(mover)
        self.notes.append(note)
        self._views = views
        if self.ply % KEPT_EVERY == 0:
            self._kept.append(self.table.copy_of_truth())

    def _cut(self, ply: int) -> None:
        self.table.undo(self.ply - ply)
        for entries in (self._news, self._texts, self.movers, self.notes):
            del entries[ply:]
        del self._kept[ply // KEPT_EVERY + 1 :]
        self._lit.clear()
        self._keys.clear()
        self._views = self._all_views()

    def _all_views(self) -> dict[int, np.ndarray]:
        return {viewer: viewpoint.seen(self.game, self.table, viewer) for viewer in viewpoint.viewers(self.game)}

    async def play(self, move: int, note: MoveNote) -> None:
        """Make a move, keep it, and show it to everybody."""
        if move not in self.table.moves():
            self.table.play(move)  # says what is wrong with it
        ply, self._unsettled = self.ply, True
        try:
            self._push(move, note)
            await self._save(self._noted(), saved_move(self.id, ply, move, note))
        except BaseException:
            self._cut(ply)
            raise
        finally:
            self._settle()
        self._changed()

    async def take_back(self, ply: int) -> None:
        """Take back all moves from a ply on; programs that have seen them decide no more here."""
        self._unsettled = True
        self.dismiss()
        try:
            await self._save(self._noted(taken_back=True), cut_moves(self.id, ply))
            await asyncio.to_thread(self._cut, ply)
            for connection in self.connections:
                connection.known = min(connection.known, ply)
        finally:
            self._settle()
        self._changed()

    def dismiss(self) -> None:
        """End the processes that play at this table; the next move starts others."""
        self.lobby.pool.dismiss(self._sitting)
        self._sittings += 1

    @property
    def _sitting(self) -> str:
        """The name of the table for processes that play here; another one after moves were taken back."""
        return f"{self.id} {self._sittings}"

    def _settle(self) -> None:
        self._unsettled = False
        if self._news_waiting:
            self.publish()

    def _noted(self, taken_back: bool = False) -> Statement:
        """Return the statement that notes a change of moves, after which nobody asks to take back any more."""
        over = self.table.over and not taken_back
        foreseen = self.data.foreseen or (self.has_secrets and (self.table.over or taken_back))
        if self.data.undo is None and foreseen == self.data.foreseen:
            return touched_table(self.id, over)
        self.data.undo, self.data.foreseen = None, foreseen
        return saved_table(self.id, self.data, over)

    async def _save(self, *statements: Statement) -> None:
        await self.lobby.store.save(list(statements))

    async def keep(self) -> None:
        """Keep what the room is, and show it."""
        self.data.seats, self.data.undo = list(self.holders), None
        await self._save(saved_table(self.id, self.data, self.table.over))
        self._changed()

    def _changed(self) -> None:
        self.touched = monotonic()
        if self.table.over:
            self.dismiss()
        self._trouble = ""
        self.go_on()
        self.publish()

    # Turns

    def go_on(self) -> None:
        """Let an agent, or a person without a choice, make the next move, if anybody watches."""
        resting = self.table.over or self.read_only or not self.awake
        holder = None if resting else self.holders[self.table.turn]
        if holder is not None and holder.who == AGENT and (not self.bench or self.data.playing_on):
            self.think(holder.text)
            return
        self.stop()
        if holder is not None and holder.who == PERSON and self._has_no_choice():
            self._turn = asyncio.get_running_loop().create_task(self._move_alone(self.table.moves()[0]))

    def stop(self) -> None:
        """Let no agent think about the next move any more."""
        turn, self._turn, self._thinking, self._thought = self._turn, None, None, None
        if turn is not None and turn is not asyncio.current_task():
            turn.cancel()

    def think(self, agent: str) -> None:
        """Let an agent make the next move; if it thinks about that already, it goes on."""
        if self._turn is not None and self._thought == (self.ply, agent):
            return
        self.stop()
        self._thought = self.ply, agent
        self._trouble = ""
        self._thinking = Thinking(self.table.turn, self.lobby.budget(agent, self.game), "", 0.0)
        self._thinking_since = monotonic()
        self._turn = asyncio.get_running_loop().create_task(self._move_of_agent(agent))

    def _has_no_choice(self) -> bool:
        """Return whether a person moves without being asked; not where another could read secrets from it."""
        others = len(self.persons()) > 1 or self.guests_to_come()
        if self.bench or not self.data.auto or (self.game.hidden and others):
            return False
        return len(self.table.moves()) == 1

    async def _move_alone(self, move: int) -> None:
        await asyncio.sleep(self.lobby.pause_before_only_move)
        async with self.lock:
            await self.play(move, MoveNote(auto=True))

    async def _move_of_agent(self, agent: str) -> None:
        ply, seat = self.ply, self.table.turn
        offer = self.lobby.offer
        if offer.is_loose(agent, self.game):  # it sat down when nobody else could reach this server
            self._give_up(agent, " where others can reach this server: no walls keep secrets from it")
            return
        question = DecideMove(
            game=str(self.game), view=self.table.view(seat).tobytes(), agent=offer.meant(agent),
            seed=derive_seed(self.table.seed, MIND, seat, ply), seat=seat, table=self._sitting,
            events=self._events(seat) if offer.is_program(agent) else [],
        )  # fmt: skip
        self._question = question
        try:
            found = await self._ask_patiently(question)
            await asyncio.sleep(max(0.0, self.touched + self.lobby.pace - monotonic()) if self.connections else 0)
            async with self.lock:
                self._thinking = None
                await self.play(found.move, _note(offer.shown_agent(agent), found))
        except KibitzError as error:
            self._give_up(agent, f": {error}" if self.open_book else "")
        except Exception:
            self._give_up(agent, "")
            raise

    def _events(self, seat: int) -> list[ToldEvent]:
        """Return what has happened in the game, as a seat was told it."""
        told = [texts[self._as_kept(seat)] for texts in self._texts]
        return [
            (ply, self.movers[ply], None if text is None else self.table.moves_made[ply], text)
            for ply, text in enumerate(told)
        ]

    def _give_up(self, agent: str, why: str) -> None:
        self._turn, self._thinking = None, None
        self._trouble = f"{self.lobby.offer.shown_agent(agent)} makes no move{why}"
        self.publish()

    async def _ask_patiently(self, question: DecideMove) -> AgentMove:
        """Ask a second time if a process died."""
        try:
            return await self._ask(question)
        except NoAnswer as error:
            if "died" not in str(error):
                raise
            return await self._ask(question)

    async def _ask(self, question: DecideMove) -> AgentMove:
        urgency = MOVE if self.connections else UNWATCHED
        return await self.lobby.pool.ask(question, urgency, self._tell, whose=self.address)

    def _tell(self, what: str, found: dict[str, int]) -> None:
        """Hear how far a thinker is."""
        if self._thinking is None:
            return
        if what == PROGRESS:
            self._show_progress(found)
            return
        self._thinking.note = PREPARING if what == COMPILING else ""
        self._thinking_since = monotonic()
        if what == COMPILING:
            self.publish()

    def _show_progress(self, found: dict[str, int]) -> None:
        """Show how far an agent is, where it tells nothing of its hand."""
        if not self.open_book or self._thinking is None:
            return
        note = ", ".join(PROGRESS_WORDS[name].format(found[name]) for name in found if found[name])
        self._thinking.note = note
        message = messages.write(
            ThinkingMessage(self._thinking.seat, self._thinking.budget_s, note, self._thinking_seconds())
        )
        for connection in self.connections:
            connection.send(message)

    # Takebacks

    def last_choice(self, seats: set[int]) -> int:
        """Return the ply at which one of some seats last made a choice."""
        chosen = [ply for ply, mover in enumerate(self.movers) if mover in seats and not self.notes[ply].auto]
        if not chosen:
            raise RequestRefused("there is nothing to take back")
        return chosen[-1]

    async def ask_to_undo(self, seats: set[int]) -> None:
        """Take back to the last choice of some seats, if no other person has a say; else ask."""
        ply = self.last_choice(seats)
        if self.has_secrets and self.guests_to_come():
            raise RequestRefused("a seat is still free for a guest, who would have to agree; wait for the guest")
        if set(self.persons()) - seats:
            if self.table.over and self.game.hidden:
                raise RequestRefused(
                    "the game is over and the hands are open; play on from an earlier position instead"
                )
            await self._ask_for_undo(UndoRequest(min(seats & {self.movers[ply]}), []))
        else:
            await self.take_back(ply)

    async def answer_undo(self, seats: set[int], yes: bool) -> None:
        """Hear what other people say to a takeback."""
        asked = self.data.undo
        if asked is None:
            raise RequestRefused("nobody asks to take back a move")
        if not seats - {asked.by}:
            raise RequestRefused("the other people must agree, not the one who asks")
        agreed = seats | set(asked.agreed)
        if not yes:
            await self._ask_for_undo(None)
        elif set(self.persons()) - {asked.by} <= agreed:
            await self.take_back(self.last_choice({asked.by}))
        else:
            await self._ask_for_undo(UndoRequest(asked.by, sorted(agreed)))

    def _undo_asked_by(self) -> int | None:
        return None if self.data.undo is None else self.data.undo.by

    async def _ask_for_undo(self, asked: UndoRequest | None) -> None:
        """Keep who asks to take back a move, and who has agreed."""
        before, self.data.undo = self.data.undo, asked
        try:
            await self._save(saved_table(self.id, self.data, self.table.over))
        except BaseException:
            self.data.undo = before
            raise
        self.publish()

    # What is seen

    def at(self, ply: int) -> World:
        """Return the position after so many moves, as a world of its own."""
        if not 0 <= ply <= self.ply:
            raise RequestRefused(f"there is no ply {ply}; {self.ply} moves have been made")
        world = World(self.game, self._kept[ply // KEPT_EVERY])
        for move in self.table.moves_made[ply // KEPT_EVERY * KEPT_EVERY : ply]:
            world.play(move)
        return world

    def last(self, ply: int, viewer: int) -> LastMove | None:
        """Return the move that led to a position, as far as a viewer may know it."""
        if ply == 0:
            return None
        text = self._texts[ply - 1][self._as_kept(viewer)]
        return LastMove(self._touched_at(ply - 1, viewer), self.movers[ply - 1], text)

    def _touched_at(self, ply: int, viewer: int) -> list[str]:
        """Return the keys of what the move made at a ply touched, if a viewer may know that move."""
        if self._texts[ply][self._as_kept(viewer)] is None:
            return []
        if (viewer, ply) not in self._keys:
            lit, touched = self._lit.get(viewer, (-1, {}))
            move = self.table.moves_made[ply]
            if lit != ply:
                before = viewpoint.seen(self.game, self.at(ply), viewer)
                touched = viewpoint.touched(self.game.scene(before, [move]))
            self._keys[viewer, ply] = touched.get(move, [])
        return self._keys[viewer, ply]

    def since(self, seats: set[int], viewer: int) -> SinceTurn:
        """Return from which ply on others have moved since one of some seats did, and what they touched."""
        start = next((ply + 1 for ply in reversed(range(self.ply)) if self.movers[ply] in seats), 0)
        start = max(start, self.ply - MOST_SINCE)
        keys = dict.fromkeys(key for ply in range(start, self.ply) for key in self._touched_at(ply, viewer))
        return SinceTurn(start, list(keys))

    def log(self, since: int, viewer: int) -> list[LogEntry]:
        """Return what was played from a ply on, as far as a viewer may know it."""
        kept = self._as_kept(viewer)
        return [self._entry(ply, kept) for ply in range(since, self.ply)]

    def _entry(self, ply: int, viewer: int) -> LogEntry:
        note = self.notes[ply]
        entry = LogEntry(
            ply=ply, seat=self.movers[ply], text=self._texts[ply][viewer], news=self._news[ply][viewer],
            move=self.table.moves_made[ply] if viewer == ALL else UNSET, agent=note.agent or UNSET,
            auto=note.auto or UNSET, seconds=note.seconds or UNSET,
        )  # fmt: skip
        if self.open_book:  # thoughts may tell what an agent has in hand
            entry.nodes, entry.visits, entry.depth = note.nodes or UNSET, note.visits or UNSET, note.depth or UNSET
            entry.values, entry.why, entry.scale = note.values or UNSET, note.why or UNSET, note.scale or UNSET
        return entry

    def _as_kept(self, viewer: int) -> int:
        return viewer if self.game.hidden else ALL

    def result(self) -> str:
        """Return in words how the game ended."""
        if not self.table.over:
            return ""
        payoff = self.table.payoff()
        best = [self.game.seat_names[seat] for seat, earned in enumerate(payoff) if earned == max(payoff)]
        if len(best) == 1:
            return f"{best[0]} wins"
        by = self.table.drawn_by()
        return f"a draw{by and f' by {by}'}" if len(best) == len(payoff) else f"{' and '.join(best)} share the win"

    def state(self, connection: "Connection") -> StateMessage:
        """Return all that a connection may know now, the log from where it knows it."""
        viewer, hand_over = connection.viewer(), connection.hand_over()
        table, game = self.table, self.game
        may_move, last = connection.may_move(), self.last(self.ply, viewer)
        moves = viewpoint.known_moves(table, viewer, self.open_book)
        view = self._views[self._as_kept(viewer)]
        drawn = game.scene(view, moves)
        if moves:
            self._lit[viewer] = self.ply, viewpoint.touched(drawn)
        playable = table.moves() if may_move else []
        return StateMessage(
            table=self.id, protocol=PROTOCOL, version=__version__, game=self.lobby.offer.label(game),
            game_text=self.lobby.offer.shown(game, self.open_book), name=self.data.name, ply=self.ply,
            turn=None if table.over else table.turn, seat_names=list(game.seat_names), seats=self._seats(connection),
            you=sorted(connection.seats), bench=self.bench, owner=connection.owner, read_only=self.read_only,
            playing_on=self.data.playing_on, while_watched=self.goes_on_while_watched, hidden=game.hidden,
            sees=eyes(viewer), hand_over=hand_over, over=table.over, payoff=table.payoff() if table.over else None,
            result=self.result(), scene=viewpoint.shown_scene(drawn),
            legal=viewpoint.legal_moves(game, self._mover_view(), playable) if playable else [],
            prompt=drawn.prompt if may_move else "", last=last,
            since=self.since(connection.seats, viewer) if len(connection.seats) == 1 else None,
            log_from=connection.known, log=self.log(connection.known, viewer), thinking=self.thinking(),
            trouble=self._trouble, caution=self._caution(), undo_asked_by=self._undo_asked_by(),
            rematch=self.data.rematch, branch_of=self.data.branch_of, position_text=self._position_text(),
        )  # fmt: skip

    def _position_text(self) -> str | UnsetType:
        """Return the position as a text where everything is open and the game can write it."""
        if self.open_book:
            with suppress(BadValue):
                return self.game.position_text(self._views[ALL])
        return UNSET

    def _caution(self) -> str:
        """Return what those who play must know where programs could find out what is hidden; else nothing."""
        if not self.has_secrets or self.table.over:
            return ""
        offer, texts = (
            self.lobby.offer,
            tuple(dict.fromkeys(holder.text for holder in self.holders if holder.who == AGENT)),
        )
        if texts not in self._cautions:
            loose = [text for text in texts if around_no_walls(self.game, [offer.meant(text)], Limits())]
            self._cautions[texts] = without_walls(list(map(offer.shown_agent, loose))) if loose else ""
        return self._cautions[texts]

    def _mover_view(self) -> np.ndarray:
        return self._views[self._as_kept(self.table.turn)]

    def _seats(self, connection: "Connection") -> list[ShownSeat]:
        present = {seat for other in self.connections for seat in other.seats}
        return [
            ShownSeat(
                who=holder.who, label=holder.label, agent=self.lobby.offer.shown_agent(holder.text)
                if holder.text and not self.read_only else holder.text, you=seat in connection.seats,
                connected=seat in present,
            )
            for seat, holder in enumerate(self.holders)
        ]  # fmt: skip

    def thinking(self) -> Thinking | None:
        """Return who is thinking, and for how long."""
        return None if self._thinking is None else replace(self._thinking, since_s=self._thinking_seconds())

    def _thinking_seconds(self) -> float:
        return round(monotonic() - self._thinking_since, 1)

    def position(self, connection: "Connection", world: World, ply: int, viewer: int) -> PositionMessage:
        """Return a position to look at; at a test bench with what can be played there."""
        moves = viewpoint.known_moves(world, viewer, self.open_book)
        view = viewpoint.seen(self.game, world, viewer)
        playable = moves if self.bench and connection.takes_part else []
        return PositionMessage(
            ply=ply, scene=viewpoint.shown_scene(self.game.scene(view, moves)), turn=None if world.over else world.turn,
            sees=eyes(viewer),
            legal=viewpoint.legal_moves(self.game, world.view(world.turn), playable) if playable else UNSET,
        )  # fmt: skip

    def publish(self) -> None:
        """Send everybody what they may know now; who knows the same gets the same bytes."""
        self._news_waiting = self._unsettled
        if self._unsettled:
            return
        made: dict[Sight, bytes] = {}
        for connection in sorted(self.connections, key=lambda one: one.watches):  # who plays comes first
            connection.show(made)

    def record(self) -> Record:
        """Return the game as a record."""
        if not self.open_book:
            raise RequestRefused("the record of a game with secrets can be had when the game is over")
        names = [holder.text or HUMAN for holder in self.holders]
        if not self.read_only:
            names = [HUMAN if name == HUMAN else self.lobby.offer.shown_agent(name) for name in names]
        found = record_of(self.table, names)
        label = self.lobby.offer.label(self.game)
        return found if label == found.game else Record(**{**vars(found), "game": f"./{label}"})

    def strongest(self) -> str:
        """Return the agent that makes a move where nobody says which agent should."""
        return self.lobby.offer.level(STRONG, self.game)


def _note(agent: str, found: AgentMove) -> MoveNote:
    """Return what is kept of how an agent came to a move."""
    return MoveNote(
        agent=agent, seconds=found.seconds, nodes=found.nodes, visits=found.visits, depth=found.depth,
        values=found.values, why=found.why, scale=found.scale,
    )  # fmt: skip
