"""Live analysis: a position is analysed again and again with growing budgets, and every result is sent at once."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from kibitz import agents
from kibitz.agents.agent import ONLY_MOVE
from kibitz.core.contract import CHANCE
from kibitz.core.errors import SERVER_FAILED, KibitzError
from kibitz.core.game import Game
from kibitz.core.level import STRONG
from kibitz.core.options import as_text
from kibitz.core.seeds import ANALYSIS as DICE
from kibitz.core.seeds import derive_seed
from kibitz.core.spec import Spec, parse
from kibitz.core.world import World
from kibitz.web import messages
from kibitz.web.messages import RequestRefused
from kibitz.web.server_messages import AnalysisMessage, PositionAnalysis
from kibitz.web.thinking_pool import ANALYSIS
from kibitz.web.thinking_questions import ConsiderPosition

if TYPE_CHECKING:
    from kibitz.web.connection import Connection
    from kibitz.web.table_session import TableSession

BUDGETS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)  # seconds
ONCE = (0.5,)  # for a branch of the tree
TOP = 8  # moves that are shown
KEPT = 16  # analyses of a table, the newest
SAMPLING = ("mcts", "ismcts")  # agents that count playouts, or what networks say in their place
AnalysisKey = tuple[int, tuple[int, ...], tuple[int, ...], str, bool]  # ply, moves before and after it, agent, once
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class AnalysedPosition:
    """Which position of a table is analysed, and by whom, as browsers are told it."""

    ply: int
    moves_before: list[int]
    seat: int
    agent: str


class Broadcast(ABC):
    """Work in the background that goes on while browsers listen; what it finds is sent to all of them."""

    def __init__(self) -> None:
        self.listeners: set[Connection] = set()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    def found(self) -> bytes:
        """Return what is known already, as a message; empty for nothing."""

    @abstractmethod
    async def work(self) -> None:
        """Do what is left to do."""

    def add(self, listener: "Connection") -> None:
        """Send a browser what is known already, and all that comes."""
        self.listeners.add(listener)
        if known := self.found():
            listener.send(known)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self.work())

    def remove(self, listener: "Connection") -> None:
        """Send a browser nothing more; without anybody left, stop."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.stop()

    def stop(self) -> None:
        """Find nothing more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def send(self, message: bytes) -> None:
        """Send a message to everybody who listens."""
        for listener in self.listeners:
            listener.send(message)


class LiveAnalysis(Broadcast):
    """The analysis of one position from one view, for everybody who asked for the same."""

    def __init__(
        self, session: "TableSession", question: ConsiderPosition, about: AnalysedPosition,
        budgets: Sequence[float | None],
    ):  # fmt: skip
        super().__init__()
        self.session, self.question, self.about, self.budgets = session, question, about, list(budgets)
        self._last = b""

    def found(self) -> bytes:
        """Return the latest analysis."""
        return self._last

    async def work(self) -> None:
        """Analyse with one budget after the other, until the result is certain."""
        try:
            while self.budgets:
                question = replace(self.question, agent=with_seconds(self.question.agent, self.budgets[0]))
                found = await self.session.lobby.pool.ask(question, ANALYSIS, whose=self.session.address)
                self.budgets.pop(0)
                if found.analysis.exact or found.analysis.ended == ONLY_MOVE:
                    self.budgets.clear()
                self._tell(found.analysis)
        except KibitzError as error:
            self._end(str(error))
        except Exception:
            _LOG.exception("an analysis failed")
            self._end(SERVER_FAILED)

    def _end(self, why: str) -> None:
        self.budgets.clear()
        self.send(messages.refusal("analyse", f"the analysis ended: {why}"))

    def _tell(self, found: PositionAnalysis) -> None:
        message = AnalysisMessage(**asdict(found), **vars(self.about), done=not self.budgets)
        self._last = messages.write(message)
        self.send(self._last)


def analysed(
    session: "TableSession", viewer: int, ply: int, moves: list[int], agent: str | None, once: bool = False
) -> LiveAnalysis:
    """Return the analysis of a position; in a running game with secrets a viewer may have it on their turn only."""
    world = session.history.at(ply)
    for move in moves:
        world.play(move)
    if world.over:
        raise RequestRefused("the game is over there, so that there is no move to analyse")
    if world.turn == CHANCE:
        raise RequestRefused("chance moves there, so that there is no move to analyse")
    if not session.revealed and (viewer != world.turn or ply != session.ply):
        raise RequestRefused("in a game with secrets the analysis is for your own turn, until the game is over")
    text = agent or analyst(session.game)
    if session.lobby.allowlist.is_program(text):
        raise RequestRefused(f"{text} is a program, which plays but does not analyse")
    key = (ply, tuple(session.table.moves_made[:ply]), tuple(moves), text, once)
    if key not in session.analyses:
        while len(session.analyses) >= KEPT:
            session.analyses.pop(next(iter(session.analyses)))
        question = position_question(session, world, ply, session.lobby.allowlist.meant(text), TOP)
        about = AnalysedPosition(ply, moves, world.turn, session.lobby.allowlist.shown_agent(text))
        session.analyses[key] = LiveAnalysis(session, question, about, _budgets(text, session.game, once))
    return session.analyses[key]


def position_question(session: "TableSession", world: World, ply: int, agent: str, top: int) -> ConsiderPosition:
    """Return the question which moves of a position are the best."""
    if world.turn == CHANCE:
        raise RequestRefused("chance moves there")
    seed = derive_seed(session.table.seed, DICE, ply)
    view = world.view(world.turn).tobytes()
    return ConsiderPosition(game=str(session.game), view=view, agent=agent, top=top, seed=seed)


def analyst(game: Game) -> str:
    """Return the agent that analyses a game if none is named: one that counts playouts, so that values are payoffs.

    That is the strongest agent where it does so.
    """
    strongest = game.levels.get(STRONG, "")
    if parse(game.agents.get(strongest, "random")).name in SAMPLING:
        return strongest
    policy = f"policy={next(iter(game.policies))}" if game.policies else "policy=random"
    return f"ismcts({policy})" if game.hidden else f"mcts({policy})"


def with_seconds(text: str, seconds: float | None) -> str:
    """Return an agent that thinks for `seconds`."""
    if seconds is None:
        return text
    spec = parse(text)
    return str(Spec(spec.name, {**spec.args, "seconds": Spec(as_text(seconds))}))


def _budgets(text: str, game: Game, once: bool) -> Sequence[float | None]:
    """Return the budgets in seconds; None keeps that of an agent whose text names one, or that takes no seconds."""
    spec = parse(text)
    name = parse(game.agents[spec.name]).name if spec.name in game.agents else spec.name
    timed = name in agents.names() and "seconds" in agents.declared(name)
    if not timed or {"seconds", "depth", "nodes", "iterations"} & set(spec.args):
        return (None,)
    return ONCE if once else BUDGETS
