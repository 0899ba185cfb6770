"""Live analysis: a position is considered again and again with growing budgets, and every look is sent at once."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kibitz import agents
from kibitz.agents.agent import ONLY_MOVE
from kibitz.core.errors import SERVER_FAILED, KibitzError
from kibitz.core.game import Game
from kibitz.core.level import STRONG
from kibitz.core.options import as_text
from kibitz.core.seeds import ANALYSIS as DICE
from kibitz.core.seeds import derive_seed
from kibitz.core.spec import Spec, parse
from kibitz.web import messages
from kibitz.web.messages import RequestRefused
from kibitz.web.server_messages import AnalysisMessage
from kibitz.web.thinking_pool import ANALYSIS
from kibitz.web.thinking_questions import Consideration, ConsiderPosition

if TYPE_CHECKING:
    from kibitz.web.connection import Connection
    from kibitz.web.table_session import TableSession

BUDGETS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)  # seconds
ONCE = (0.5,)  # for a branch of the tree
TOP = 8  # moves that are shown
KEPT = 16  # analyses of a room, the newest
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


class LiveAnalysis:
    """The analysis of one position from one view, for everybody who asked for the same."""

    def __init__(
        self, session: "TableSession", question: ConsiderPosition, about: AnalysedPosition,
        budgets: Sequence[float | None],
    ):  # fmt: skip
        self.session, self.question, self.about, self.budgets = session, question, about, list(budgets)
        self.listeners: set[Connection] = set()
        self._last: bytes | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, listener: "Connection") -> None:
        """Let a browser have all that comes; what is known already comes at once."""
        self.listeners.add(listener)
        if self._last is not None:
            listener.send(self._last)
        if self.budgets and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def remove(self, listener: "Connection") -> None:
        """Send a browser nothing more; without anybody left, stop thinking."""
        self.listeners.discard(listener)
        if not self.listeners and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        try:
            while self.budgets:
                question = replace(self.question, agent=with_seconds(self.question.agent, self.budgets[0]))
                found = await self.session.lobby.pool.ask(question, ANALYSIS, whose=self.session.address)
                self.budgets.pop(0)
                if found.exact or found.ended == ONLY_MOVE:
                    self.budgets.clear()
                self._tell(found)
        except KibitzError as error:
            self._end(str(error))
        except Exception:
            _LOG.exception("an analysis failed")
            self._end(SERVER_FAILED)
        self._task = None

    def _end(self, why: str) -> None:
        self.budgets.clear()
        for listener in self.listeners:
            listener.send(messages.refusal("analyse", f"the analysis ended: {why}"))

    def _tell(self, found: Consideration) -> None:
        self._last = messages.write(AnalysisMessage(
            ply=self.about.ply, moves_before=self.about.moves_before, seat=self.about.seat, agent=self.about.agent,
            seconds=found.seconds, why=found.why, seat_values=found.seat_values, exact=found.exact, ended=found.ended,
            nodes=found.nodes, visits=found.visits, scale=found.scale, unit=found.unit, per_unit=found.per_unit,
            lines=found.lines, done=not self.budgets,
        ))  # fmt: skip
        for listener in self.listeners:
            listener.send(self._last)


def analysed(
    session: "TableSession", viewer: int, ply: int, moves: list[int], agent: str | None, once: bool = False
) -> LiveAnalysis:
    """Return the analysis of a position as a viewer may have it; in a running game with secrets, on one's turn only."""
    world = session.at(ply)
    for move in moves:
        world.play(move)
    if world.over:
        raise RequestRefused("the game is over there, so that there is no move to analyse")
    if not session.open_book and (viewer != world.turn or ply != session.ply):
        raise RequestRefused("in a game with secrets the analysis is for your own turn, until the game is over")
    text = agent or analyst(session.game)
    if session.lobby.offer.is_program(text):
        raise RequestRefused(f"{text} is a program, which plays but does not analyse")
    key = (ply, tuple(session.table.moves_made[:ply]), tuple(moves), text, once)
    if key not in session.analyses:
        while len(session.analyses) >= KEPT:
            session.analyses.pop(next(iter(session.analyses)))
        view = world.view(world.turn)
        question = ConsiderPosition(
            game=str(session.game), view=view.tobytes(), agent=session.lobby.offer.meant(text), top=TOP,
            seed=derive_seed(session.table.seed, DICE, ply),
        )  # fmt: skip
        about = AnalysedPosition(ply, moves, world.turn, session.lobby.offer.shown_agent(text))
        session.analyses[key] = LiveAnalysis(session, question, about, _budgets(text, session.game, once))
    return session.analyses[key]


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
    """Return an agent that thinks for so long."""
    if seconds is None:
        return text
    spec = parse(text)
    return str(Spec(spec.name, {**spec.args, "seconds": Spec(as_text(seconds))}))


def _budgets(text: str, game: Game, once: bool) -> Sequence[float | None]:
    """Return the budgets; one that is named in the agent's text, or that it has no option for, is kept."""
    spec = parse(text)
    name = parse(game.agents[spec.name]).name if spec.name in game.agents else spec.name
    timed = name in agents.names() and "seconds" in agents.declared(name)
    if not timed or {"seconds", "depth", "nodes", "iterations"} & set(spec.args):
        return (None,)
    return ONCE if once else BUDGETS
