"""Grading: after a game every move is compared with the best one, by what it lost of the expected payoff."""

from contextlib import suppress
from typing import TYPE_CHECKING

from kibitz.agents.agent import ONLY_MOVE
from kibitz.core.errors import KibitzError
from kibitz.web import messages
from kibitz.web.live_analysis import Broadcast, analyst, position_question, with_seconds
from kibitz.web.messages import RequestRefused
from kibitz.web.server_messages import GradeName, GradesMessage, MoveGrade
from kibitz.web.thinking_pool import ANALYSIS
from kibitz.web.thinking_questions import Consideration

if TYPE_CHECKING:
    from kibitz.web.table_session import TableSession

A_GAME = 30.0  # seconds of thinking, divided among its moves
LEAST, MOST = 0.1, 0.5  # seconds a move
SURE = 30  # playouts of a move after which its own average counts
GRADES: tuple[tuple[float, GradeName], ...] = (
    (0.02, "best"),
    (0.06, "good"),
    (0.12, "inaccuracy"),
    (0.25, "mistake"),
)  # the loss below which it is one
WORST: GradeName = "blunder"
TURNING_POINTS = 5


class Grading(Broadcast):
    """The grades of the moves of one table."""

    def __init__(self, session: "TableSession"):
        super().__init__()
        self.session, self.moves, self._movers = session, list(session.table.moves_made), list(session.history.movers)
        self._found: list[Consideration | None] = [None] * len(self.moves)
        self._next = 0

    @classmethod
    def of(cls, session: "TableSession") -> "Grading":
        """Return the grading of the moves made so far."""
        before = session.grading
        if before is None or before.moves != session.table.moves_made:
            if before is not None:
                before.stop()
            session.grading = before = cls(session)
        return before

    async def work(self) -> None:
        """Grade one move after the other."""
        seconds = min(MOST, max(LEAST, A_GAME / len(self.moves)))
        agent = with_seconds(analyst(self.session.game), seconds)
        while self._next < len(self.moves):
            with suppress(KibitzError, RequestRefused):  # such as where chance moved
                self._found[self._next] = await self._look(self._next, agent)
            self._next += 1
            if self._next % 4 == 0 or self._next == len(self.moves):
                self.send(self.found())

    async def _look(self, ply: int, agent: str) -> Consideration:
        question = position_question(self.session, self.session.history.at(ply), ply, agent, top=1)
        return await self.session.lobby.pool.ask(question, ANALYSIS, whose=self.session.address)

    def found(self) -> bytes:
        """Return the grades so far."""
        moves = [grade for ply in range(self._next) if (grade := self._grade(ply)) is not None]
        worst = sorted(
            (move for move in moves if move.loss / self.session.game.scoring.span > GRADES[1][0]),
            key=lambda move: -move.loss,
        )
        values = [None if found is None else found.analysis.seat_values for found in self._found]
        return messages.write(GradesMessage(
            progress=self._next / max(1, len(self.moves)), done=self._next == len(self.moves),
            values_by_ply=[*values, self._end()], moves=moves,
            turning_points=sorted(move.ply for move in worst[:TURNING_POINTS]),
        ))  # fmt: skip

    def _end(self) -> list[float] | None:
        return self.session.table.payoff() if self.session.table.over else None

    def _grade(self, ply: int) -> MoveGrade | None:
        found, move = self._found[ply], self.moves[ply]
        if found is None:
            return None
        best = found.analysis.lines[0]
        loss = 0.0 if found.analysis.ended == ONLY_MOVE or move == best.move else self._loss(ply, found, move)
        part = loss / self.session.game.scoring.span
        grade = next((name for bound, name in GRADES if part < bound), WORST)
        return MoveGrade(ply, best.move, best.text, round(loss, 3), grade)

    def _loss(self, ply: int, found: Consideration, move: int) -> float:
        """Return what a move lost; where it was hardly tried, by what the position after it turned out to be worth."""
        considered, seat, values = found.considered, self._movers[ply], found.analysis.seat_values
        best = considered.get(found.analysis.lines[0].move)
        if best is not None and found.tries.get(move, 0) >= SURE:
            return max(0.0, best - considered[move])
        after = self._values_after(ply)
        if after is not None and values is not None:
            return max(0.0, values[seat] - after[seat])
        return max(0.0, best - considered[move]) if best is not None and move in considered else 0.0

    def _values_after(self, ply: int) -> list[float] | None:
        if ply + 1 == len(self.moves):
            return self._end()
        following = self._found[ply + 1]
        return None if following is None else following.analysis.seat_values
