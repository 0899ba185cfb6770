"""A table session: one table online, with its seats and those who are connected.

Whatever changes a table happens while its lock is held, and is in the store before anybody is shown it.
"""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from kibitz.core.game import Game
from kibitz.core.level import STRONG
from kibitz.core.record import Record, record_of
from kibitz.web.agent_turn import AgentTurn
from kibitz.web.game_history import GameHistory
from kibitz.web.messages import RequestRefused
from kibitz.web.table_data import MoveNote, NotedMove, TableData, UndoRequest
from kibitz.web.table_seat import AGENT, FREE, PERSON, begins_known
from kibitz.web.table_store import Statement, cut_moves, saved_move, saved_table, touched_table

if TYPE_CHECKING:
    from kibitz.web.connection import Connection, StateKey
    from kibitz.web.grading import Grading
    from kibitz.web.live_analysis import AnalysisKey, LiveAnalysis
    from kibitz.web.lobby import Lobby

HUMAN = "human"  # a person, in a record


class TableSession:
    """One table online."""

    def __init__(self, lobby: "Lobby", name: str, data: TableData, game: Game):
        self.lobby, self.id, self.game = lobby, name, game
        self.data, self.seats = data, data.seats
        self.history = GameHistory(game, data.seed)
        self.table = self.history.table
        self.turn = AgentTurn(self)
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.analyses: dict[AnalysisKey, LiveAnalysis] = {}
        self.grading: Grading | None = None
        self.touched = monotonic()
        self.address = ""  # on whose behalf agents think here: whoever loaded the table
        self._saving = False  # something has changed here that is not on the disk yet
        self._unpublished = False  # it is to be shown when it is on the disk

    # What it is

    @property
    def editor(self) -> bool:
        """Whether it is an editor, where everything is seen and anything may be done."""
        return self.data.bench

    @property
    def read_only(self) -> bool:
        """Whether it is a record to look at."""
        return self.data.read_only

    @property
    def revealed(self) -> bool:
        """Whether anybody may see everything."""
        return not self.has_secrets or self.table.over

    @property
    def has_secrets(self) -> bool:
        """Whether those who play see different things until the end."""
        return self.game.hidden and not self.editor and not self.read_only

    @property
    def seed_is_secret(self) -> bool:
        """Whether the seed of the game would tell what nobody may know yet, such as the next roll."""
        return self.game.secret and not self.editor and not self.read_only and not self.table.over

    @property
    def foreseen(self) -> bool:
        """Whether somebody may know more of what is hidden than a seat does, so that no guest can come any more.

        Once the game was over or a move was taken back, it stays so: cards that come again are known then.
        """
        return self.has_secrets and (
            self.table.over or self.data.foreseen or begins_known(self.game, self.data.branch_of is not None)
        )

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return self.table.ply

    @property
    def awake(self) -> bool:
        """Whether agents move: only while somebody is connected, or in an editor where they are to play on."""
        return bool(self.connections) or (self.editor and self.data.playing_on)

    @property
    def paused(self) -> bool:
        """Whether an agent is to move and waits until somebody watches."""
        if self.table.over or self.read_only or self.awake or self.editor:
            return False
        return self.seats[self.table.turn].who == AGENT

    @property
    def goes_on_while_watched(self) -> bool:
        """Whether only agents play here, which pause when nobody is connected any more."""
        return not self.editor and not self.read_only and all(seat.who == AGENT for seat in self.seats)

    def persons(self) -> list[int]:
        """Return the seats of people."""
        return [number for number, seat in enumerate(self.seats) if seat.who == PERSON]

    def guests_to_come(self) -> bool:
        """Return whether a seat is free for somebody who was invited."""
        return any(seat.who == FREE for seat in self.seats)

    def shown_agent(self, text: str) -> str:
        """Return the text of a seat's agent as browsers see it; a record shows its own."""
        return self.lobby.allowlist.shown_agent(text) if text and not self.read_only else text

    def strongest(self) -> str:
        """Return the agent that makes a move where nobody says which agent should."""
        return self.lobby.allowlist.level(STRONG, self.game)

    def result(self, yours: bool = False) -> str:
        """Return in words how the game ended, for somebody with a seat or without one."""
        if not self.table.over:
            return ""
        payoff, scoring = self.table.payoff(), self.game.scoring
        if scoring.shared:
            return f"{'you' if yours else 'they'} scored {scoring.together_text(payoff[0])} together"
        if not scoring.by_wins:
            return scoring.result_text(payoff, self.game.seat_names)
        best = [self.game.seat_names[seat] for seat, earned in enumerate(payoff) if earned == max(payoff)]
        if len(best) == 1:
            return f"{best[0]} wins"
        by = self.table.drawn_by()
        return f"a draw{by and f' by {by}'}" if len(best) == len(payoff) else f"{' and '.join(best)} share the win"

    def record(self) -> Record:
        """Return the game as a record."""
        if not self.revealed or self.seed_is_secret:
            raise RequestRefused("the record of a game with secrets can be had when the game is over")
        found = record_of(self.table, [self.shown_agent(seat.text) or HUMAN for seat in self.seats])
        label = self.lobby.allowlist.label(self.game)
        return found if label == found.game else Record(**{**vars(found), "game": f"./{label}"})

    # Who is connected

    def enter(self, connection: "Connection") -> None:
        """Let somebody watch or play; agents that waited for that go on."""
        first = not self.connections
        self.connections.add(connection)
        self.address = self.address or connection.address
        connection.watches = not connection.takes_part
        if first and self.turn.idle:
            self.turn.go_on()
        elif first:
            self.turn.set_watched(True)
        if connection.seats:
            self.publish()  # the others see that somebody has come
        else:
            connection.show({})

    def leave(self, connection: "Connection", tell: bool) -> None:
        """Let somebody go; if nobody is left, what agents think about here comes last."""
        self.connections.discard(connection)
        if not self.connections:
            self.turn.set_watched(False)
        if tell:
            self.publish()

    def publish(self) -> None:
        """Send everybody what they may know now; who knows the same gets the same bytes."""
        self._unpublished = self._saving
        if self._saving:
            return
        made: dict[StateKey, bytes] = {}
        for connection in sorted(self.connections, key=lambda one: one.watches):  # who plays comes first
            connection.show(made)

    # What changes it

    def replay(self, moves: list[NotedMove]) -> None:
        """Make moves that are kept already."""
        for move, note in moves:
            self.history.push(move, note)

    async def play(self, move: int, note: MoveNote) -> None:
        """Make a move, keep it, and show it to everybody."""
        if move not in self.table.moves():
            self.table.play(move)  # says what is wrong with it
        ply, self._saving = self.ply, True
        try:
            self.history.push(move, note)
            await self._save(self._noted(), saved_move(self.id, ply, move, note))
        except BaseException:
            self.history.cut(ply)
            raise
        finally:
            self._saved()
        self._changed()

    async def take_back(self, ply: int) -> None:
        """Take back all moves from a ply on; programs that have seen them decide no more here."""
        self._saving = True
        self.turn.dismiss()
        try:
            await self._save(self._noted(taken_back=True), cut_moves(self.id, ply))
            await asyncio.to_thread(self.history.cut, ply)
            for connection in self.connections:
                connection.known = min(connection.known, ply)
        finally:
            self._saved()
        self._changed()

    async def keep(self) -> None:
        """Keep what the table is, and show it."""
        self.data.undo = None
        await self._save(saved_table(self.id, self.data, self.table.over))
        self._changed()

    async def keep_undo(self, asked: UndoRequest | None) -> None:
        """Keep who asks to take back a move, and who has agreed."""
        before, self.data.undo = self.data.undo, asked
        try:
            await self._save(saved_table(self.id, self.data, self.table.over))
        except BaseException:
            self.data.undo = before
            raise
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

    def _saved(self) -> None:
        self._saving = False
        if self._unpublished:
            self.publish()

    def _changed(self) -> None:
        self.touched = monotonic()
        if self.table.over:
            self.turn.dismiss()
        self.turn.trouble = ""
        self.turn.go_on()
        self.publish()
