"""An agent's turn: while somebody watches, moves of agents, and of people without a choice, are made automatically."""

import asyncio
from collections.abc import Coroutine
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kibitz import agents
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.seeds import MIND, derive_seed
from kibitz.core.spec import parse
from kibitz.web import messages
from kibitz.web.server_messages import Thinking, ThinkingMessage
from kibitz.web.table_data import MoveNote, NotedMove
from kibitz.web.table_seat import AGENT, PERSON
from kibitz.web.thinking_pool import MOVE, UNWATCHED, NoAnswer
from kibitz.web.thinking_questions import DecideMove
from kibitz.web.thinking_worker import COMPILING, PROGRESS

if TYPE_CHECKING:
    from kibitz.web.table_session import TableSession

PREPARING = "compiling for this machine (once): {number:.0f} of {of:.0f}, about {seconds_left:.0f} s left"
PROGRESS_WORDS = {"depth": "depth {}", "nodes": "{:,} positions", "visits": "{:,} playouts"}


class AgentTurn:
    """The next automatic move of a table: who makes it, and its progress."""

    def __init__(self, session: "TableSession"):
        self.session = session
        self.trouble = ""  # why no move comes
        self._task: asyncio.Task[None] | None = None
        self._of: tuple[int, str] | None = None  # the ply and the agent of the task
        self._thinking: Thinking | None = None
        self._since = 0.0
        self._question: DecideMove | None = None  # the last one
        self._dismissals = 0

    @property
    def idle(self) -> bool:
        """Whether no automatic move is due."""
        return self._task is None

    def go_on(self) -> None:
        """Let an agent, or a person without a choice, make the next move, if anybody watches."""
        session = self.session
        resting = session.table.over or session.read_only or not session.awake
        seat = None if resting else session.seats[session.table.turn]
        if seat is not None and seat.who == AGENT and (not session.editor or session.data.playing_on):
            self.think(seat.text)
            return
        self.stop()
        if seat is not None and seat.who == PERSON and self._has_no_choice():
            self._start(self._play_only_move(session.table.moves()[0]))

    def think(self, agent: str) -> None:
        """Let an agent make the next move; if it thinks about that already, it goes on."""
        session = self.session
        if self._task is not None and self._of == (session.ply, agent):
            return
        self.stop()
        self.trouble = ""
        self._of = session.ply, agent
        self._thinking = Thinking(session.table.turn, _budget(agent, session.game), "", 0.0)
        self._since = monotonic()
        self._start(self._play_move_of(agent))

    def _start(self, turn: Coroutine[object, object, None]) -> None:
        self._task = asyncio.get_running_loop().create_task(turn)

    def stop(self) -> None:
        """Let nobody think about the next move any more."""
        task, self._task, self._thinking, self._of = self._task, None, None, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    def set_watched(self, watched: bool) -> None:
        """Let what an agent is asked come earlier or later."""
        self.session.lobby.pool.set_urgency(self._question, MOVE if watched else UNWATCHED)

    def dismiss(self) -> None:
        """End the processes that play at this table; the next move starts others."""
        self.session.lobby.pool.dismiss(self._table_name)
        self._dismissals += 1

    @property
    def _table_name(self) -> str:
        """The name of the table for the processes that play here now."""
        return f"{self.session.id} {self._dismissals}"

    def _has_no_choice(self) -> bool:
        """Return whether a person moves without being asked; not where another could read secrets from it."""
        session = self.session
        others = len(session.persons()) > 1 or session.guests_to_come()
        if session.editor or not session.data.auto or (session.game.hidden and others):
            return False
        return len(session.table.moves()) == 1

    async def _play_only_move(self, move: int) -> None:
        await asyncio.sleep(self.session.lobby.pause_before_only_move)
        async with self.session.lock:
            await self.session.play(move, MoveNote(auto=True))

    async def _play_move_of(self, agent: str) -> None:
        session, allowlist = self.session, self.session.lobby.allowlist
        if allowlist.is_loose(agent, session.game):  # it took its seat when nobody else could reach this server
            self._give_up(agent, " where others can reach this server: no walls keep secrets from it")
            return
        seat, ply = session.table.turn, session.ply
        self._question = DecideMove(
            game=str(session.game), view=session.table.view(seat).tobytes(), agent=allowlist.meant(agent),
            seed=derive_seed(session.table.seed, MIND, seat, ply), seat=seat, table=self._table_name,
            events=session.history.events(seat) if allowlist.is_program(agent) else [],
        )  # fmt: skip
        try:
            move, note = await self._ask_patiently(self._question)
            if session.connections:
                await asyncio.sleep(max(0.0, session.touched + session.lobby.pace - monotonic()))
            async with session.lock:
                self._thinking = None
                await session.play(move, replace(note, agent=allowlist.shown_agent(agent)))
        except KibitzError as error:
            self._give_up(agent, f": {error}" if session.revealed else "")
        except Exception:
            self._give_up(agent, "")
            raise

    def _give_up(self, agent: str, why: str) -> None:
        self._task, self._thinking = None, None
        self.trouble = f"{self.session.lobby.allowlist.shown_agent(agent)} makes no move{why}"
        self.session.publish()

    async def _ask_patiently(self, question: DecideMove) -> NotedMove:
        """Ask a second time if a process died."""
        try:
            return await self._ask(question)
        except NoAnswer as error:
            if "died" not in str(error):
                raise
            return await self._ask(question)

    async def _ask(self, question: DecideMove) -> NotedMove:
        urgency = MOVE if self.session.connections else UNWATCHED
        return await self.session.lobby.pool.ask(question, urgency, self._tell, whose=self.session.address)

    def _tell(self, what: str, found: dict[str, float]) -> None:
        """Hear how far a worker is."""
        if self._thinking is None:
            return
        if what == PROGRESS:
            self._show_progress(self._thinking, found)
            return
        self._thinking.note = PREPARING.format(**found) if what == COMPILING else ""
        self._since = monotonic()
        if what == COMPILING:
            self.session.publish()

    def _show_progress(self, thinking: Thinking, found: dict[str, float]) -> None:
        """Show how far an agent is, where that tells nothing of its hand."""
        if not self.session.revealed:
            return
        thinking.note = ", ".join(PROGRESS_WORDS[name].format(found[name]) for name in found if found[name])
        message = messages.write(ThinkingMessage(thinking.seat, thinking.budget_s, thinking.note, self._seconds()))
        for connection in self.session.connections:
            connection.send(message)

    def thinking(self) -> Thinking | None:
        """Return who is thinking, and for how long."""
        return None if self._thinking is None else replace(self._thinking, since_s=self._seconds())

    def _seconds(self) -> float:
        return round(monotonic() - self._since, 1)


def _budget(agent: str, game: Game) -> float | None:
    """Return for how many seconds an agent is going to think, if its text says so."""
    spec = parse(agent)
    spec = parse(game.agents[spec.name]) if spec.name in game.agents else spec
    given = spec.args.get("seconds")
    try:
        return None if given is None or spec.name not in agents.names() else float(given.name)
    except ValueError:
        return None
