"""Minimax for two seats: alpha-beta with a transposition table, deepening turn by turn."""

import threading
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search import alphabeta
from kibitz.agents.search.judge import DECIDED
from kibitz.agents.search.transpositions import remembered_move, slots_for
from kibitz.core.dice import mix_up
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import play_legal, progress_of, who
from kibitz.core.rules import OVER
from kibitz.core.spec import Spec, parse

MOST_LEVELS = 64  # moves, not turns; deeper than this the value judges
NO_LIMIT = 2**62
WON = DECIDED / 2  # scores beyond this are decided games


class Minimax(Agent):
    """Search two-seat games without secrets by alpha-beta, perfectly where the rest of the game fits the budget."""

    OPTIONS = {
        "depth": Option(3, "turns to look ahead; 0 for no limit", least=0, most=1000),
        "value": Option(None, "what judges positions at the horizon; the game's usual one if not named", kind="value"),
        "seconds": Option(None, "time for a move; no limit if not named", least=0.001, most=86_400, kind="float"),
        "nodes": Option(None, "positions to search for a move; no limit if not named", least=1, kind="int"),
        "opening": Option(
            None, "the agent that plays the opening, or none; the game's usual if not named", kind="agent"
        ),
        "until": Option(
            None, "the progress at which the opening ends; the game's usual if not named", least=0, kind="int"
        ),
        "memory": Option(64, "megabytes for the transposition table", least=1, most=65_536),
    }

    def prepare(
        self, depth: int, value: Spec | None, seconds: float | None, nodes: int | None, opening: Spec | None,
        until: int | None, memory: int, **_: Any,
    ) -> None:  # fmt: skip
        """Find the value and the opening agent."""
        from kibitz.agents import build  # the opening is itself an agent

        game = self.game
        if game.seats != 2:
            raise BadValue(f"minimax is for two seats, and {game} has {game.seats}")
        if game.hidden:
            raise BadValue(f"minimax needs a game without secrets, and {game} has some")
        if not depth and seconds is None and nodes is None:
            raise BadValue("minimax: depth=0 means no limit, so it needs seconds=… or nodes=…")
        usual = game.usual_opening
        if opening is None and usual is not None:
            opening = parse(usual.agent)
        if until is None and usual is not None:
            until = usual.until
        self.opening = None
        if opening is not None and str(opening) != "none":
            if not game.has("progress") or until is None:
                raise BadValue(f"minimax: opening={opening} needs until=…, and a game that counts progress")
            self.opening = build(opening, game, self.seed)
        self.depth, self.seconds, self.nodes, self.until = depth or 1000, seconds, nodes, until
        self.value = game.value(value or game.usual_value)
        slots = slots_for(memory)
        levels = MOST_LEVELS + 1
        self._arrays = alphabeta.Search(
            rules=game.rules, value=self.value.handle, weights=self.value.weights,
            control=np.zeros(alphabeta.CONTROL_CELLS, dtype=np.int64),
            states=np.empty(levels * game.most_moves * game.size, dtype=np.int64),
            listed=np.empty(levels * game.most_moves, dtype=np.int64),
            order=np.empty(levels * game.most_moves), worth=np.empty(2),
            history=np.zeros(alphabeta.HISTORY_CELLS),
            keys=np.zeros(slots, dtype=np.int64), scores=np.zeros(slots), notes=np.zeros(slots, dtype=np.int64),
            itself=alphabeta.negamax.handle,
        )  # fmt: skip

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move found within the budget."""
        if self.opening is not None and progress_of(self.game.rules, view) < (self.until or 0):
            return self.opening.decide(view)
        control = self._arrays.control
        control[:] = 0
        control[alphabeta.NODE_LIMIT] = NO_LIMIT if self.nodes is None else self.nodes
        control[alphabeta.MOST_LEVELS] = MOST_LEVELS
        control[alphabeta.SLOT_MASK] = len(self._arrays.keys) - 1
        if self.seconds is None:
            return self._deepen(view, control)
        control[alphabeta.STOP] = 1
        self._deepen(view, control)  # stops at once, but compiles what is not compiled yet: that is not thinking time
        control[[alphabeta.STOP, alphabeta.NODES]] = 0
        timer = threading.Timer(self.seconds, self._stop)
        timer.daemon = True
        timer.start()
        try:
            return self._deepen(view, control)
        finally:
            timer.cancel()

    def _stop(self) -> None:
        self._arrays.control[alphabeta.STOP] = 1

    def _deepen(self, view: np.ndarray, control: np.ndarray) -> Decision:
        tried = np.array(self.legal(view), dtype=np.int64)
        mix_up(self.rng, tried)
        chosen, score, reached, exact = int(tried[0]), 0.0, 0, False
        considered: dict[int, float] = {}
        for depth in range(1, self.depth + 1):
            scores = np.full(len(tried), -alphabeta.INFINITE)
            control[alphabeta.HORIZON] = 0
            best = int(alphabeta.search_root(self._arrays, view, depth, tried, scores))
            stopped = bool(control[alphabeta.STOP])
            if best < 0:
                break
            lost = not stopped and scores[best] < -WON
            if not lost or depth == 1:  # when all is lost, keep the move that seemed good the longest
                chosen = int(tried[best])
            score = float(scores[best])
            if stopped:
                break
            considered = dict(zip(tried.tolist(), scores.tolist(), strict=True))
            reached = depth
            exact = bool(control[alphabeta.HORIZON] == 0)
            if exact or abs(score) > WON:
                exact = True
                break
            tried = tried[np.argsort(-scores, kind="stable")]
        seat = int(who(self.game.rules, view))
        values = [score / 2 if s == seat else -score / 2 for s in range(2)]
        return Decision(
            chosen, values, self._line(view, chosen), considered, nodes=int(control[alphabeta.NODES]),
            cutoffs=int(control[alphabeta.CUTOFFS]), depth=reached, exact=exact,
        )  # fmt: skip

    def _line(self, view: np.ndarray, first: int) -> list[int]:
        """Follow the moves that the table remembers."""
        rules, arrays = self.game.rules, self._arrays
        state, line = view.copy(), [first]
        room = np.empty(self.game.most_moves, dtype=np.int64)
        play_legal(rules, state, first, room)
        while who(rules, state) != OVER and len(line) < MOST_LEVELS:
            move = int(remembered_move(rules, arrays.keys, arrays.notes, state))
            if not play_legal(rules, state, move, room):
                break
            line.append(move)
        return line
