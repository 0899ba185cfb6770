"""The driver of every tree search: it deepens, keeps the budget, guesses worlds and lets them vote.

It holds an engine, which searches one world to one depth. An agent declares which engine, with which options.
"""

from dataclasses import replace
from time import perf_counter
from typing import Protocol

import numpy as np

from kibitz.agents.agent import DEPTH, MEMORY, NODES, ONLY_MOVE, SECONDS, SOLVED, Agent, Decision, as_decision
from kibitz.agents.search.budget import clock
from kibitz.agents.search.control import NO_NODE_LIMIT, Control
from kibitz.agents.search.filters import count_repeats, filter_moves
from kibitz.agents.search.judge import WON
from kibitz.agents.search.lookahead import look_ahead
from kibitz.agents.search.settings import Settings
from kibitz.agents.search.worlds import agree, guess_worlds
from kibitz.core.dice import derive, dice, mix_up
from kibitz.core.knowledge import Ready
from kibitz.core.playout import legal_moves, progress_of, who


class Engine(Protocol):
    """Searches one world to one depth."""

    deepens: bool  # whether a shallower search makes the next one faster
    control: Control

    def begin(self, seat: int) -> None:
        """Begin a new decision of a seat."""

    def enter(self, world: np.ndarray) -> None:
        """Begin with a world."""

    def search(self, world: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> int:
        """Search to one depth and write scores; return the place of the best move, or -1 if the budget ran out."""

    def line(self, world: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the play that a search of this depth and score expects after a move."""

    def values(self, seat: int, score: float, best: int) -> list[float] | None:
        """Return what the position is worth to each seat, where the search knows."""

    def values_at_end(self, seat: int, score: float) -> list[float] | None:
        """Return what the end of the last line is worth to each seat, if the score rests on it."""


class Driver:
    """Decides by an engine: deepens until the budget is used up; in games with secrets, asks several worlds."""

    def __init__(self, settings: Settings, engine: Engine, avoid: bool = False):
        self.settings, self.engine = settings, engine
        self.avoid = avoid  # whether moves that repeat a position are searched only if need be
        self.rng = dice(settings.seed)
        self._room = settings.game.new_moves()
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move that the worlds agree on."""
        opening = self._opening(view)
        if opening is not None:
            return as_decision(opening.decide(view))
        tried = self._legal(view)
        if len(tried) == 1:
            return Decision(int(tried[0]), line=tried.tolist(), ended=ONLY_MOVE)
        mix_up(self.rng, tried)
        return self._search_new(view, tried) if self.avoid else self._search(view, tried)

    def rehearse(self, view: np.ndarray) -> None:
        """Search without going anywhere, which loads or compiles all the code that a search needs."""
        if self.settings.opening is not None:
            self.settings.opening.rehearse(view)
        self._opening(view)
        seat, tried = int(who(self.settings.game.rules, view)), self._legal(view)
        mix_up(dice(0), tried)
        self.engine.begin(seat)
        self.engine.control.allow(2)
        world = self._enter_world(view, seat, 0)
        self._deepen(world, seat, self._narrow(world, seat, tried))

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each with a search of its own."""
        opening = self._opening(view)
        if opening is not None:
            return opening.consider(view, top)
        first = self.decide(view)
        # What was considered may be no more than a bound above, and of a move that was not, all is possible.
        bounds = {
            move: first.considered.get(move, np.inf) for move in self._candidates(view, first) if move != first.move
        }
        found: list[Decision] = []
        for move in sorted(bounds, key=lambda move: -bounds[move]):
            worths = sorted((one.considered.get(one.move, -WON) for one in found), reverse=True)
            timed = self.settings.seconds is not None
            if len(found) >= top - 1 and (top == 1 or timed or bounds[move] <= worths[top - 2]):
                break
            found.append(self._search(view, np.array([move], dtype=np.int64)))
        found.sort(key=lambda one: -one.considered.get(one.move, -WON))
        return [first, *found[: top - 1]]

    def _opening(self, view: np.ndarray) -> Agent | None:
        """Return the agent that plays the opening, as long as that lasts."""
        settings = self.settings
        return settings.opening if progress_of(settings.game.rules, view) < settings.until else None

    def _legal(self, view: np.ndarray) -> np.ndarray:
        return self._room[: legal_moves(self.settings.game.rules, view, self._room)].copy()

    def _candidates(self, view: np.ndarray, first: Decision) -> list[int]:
        """Return the moves among which a decision was made; where filter or width differ by world, those considered."""
        settings = self.settings
        if settings.game.hidden and (settings.move_filter or settings.width):
            return list(first.considered)
        return self._narrow(view, int(who(settings.game.rules, view)), self._legal(view)).tolist()

    def _search_new(self, view: np.ndarray, tried: np.ndarray) -> Decision:
        """Search the moves to positions that have not occurred yet; all of them, if there are none or those lose."""
        game, times = self.settings.game, np.zeros(len(tried), dtype=np.int64)
        count_repeats(game.rules, view, tried, game.new_state(), times)
        new = tried[times == 0]
        if len(new) in (0, len(tried)):
            return self._search(view, tried)
        found = self._search(view, new)
        return found if found.considered.get(found.move, 0.0) > -WON else self._search(view, tried)

    def _search(self, view: np.ndarray, tried: np.ndarray) -> Decision:
        """Search some of the moves in every world."""
        self._decisions += 1
        control, seat = self.engine.control, int(who(self.settings.game.rules, view))
        self.engine.begin(seat)
        if self.settings.seconds is not None:
            control.stop()  # a search that stops at once compiles what is not compiled yet: that is not thinking time
            self._search_world(view, seat, 0, tried)
            self.engine.begin(seat)
        found = self._search_worlds(view, seat, tried)
        thought = [decision for decision in found if decision.considered] or found[:1]
        found_best = agree(thought, self.settings.how)
        return replace(found_best, nodes=control.nodes, cutoffs=control.cutoffs, ended=self._ended(found_best))

    def _ended(self, decision: Decision) -> str:
        """Return what ended the last search."""
        control, settings = self.engine.control, self.settings
        if control.stopped:
            return NODES if settings.nodes is not None and control.nodes >= settings.nodes else SECONDS
        return SOLVED if decision.exact else MEMORY if decision.short else DEPTH

    def _search_worlds(self, view: np.ndarray, seat: int, tried: np.ndarray) -> list[Decision]:
        """Search one world after the other, each with an equal share of what is left of time and nodes."""
        settings, control = self.settings, self.engine.control
        found: list[Decision] = []
        begun = perf_counter()
        for number in range(settings.worlds):
            worlds_left = settings.worlds - number
            nodes_left = (settings.nodes or NO_NODE_LIMIT) - control.nodes
            seconds_left = None if settings.seconds is None else settings.seconds - (perf_counter() - begun)
            if found and (nodes_left <= 0 or (seconds_left is not None and seconds_left <= 0)):
                break
            control.allow(max(nodes_left // worlds_left, 1))
            with clock(None if seconds_left is None else seconds_left / worlds_left, control.stop):
                found.append(self._search_world(view, seat, number, tried))
        return found

    def _enter_world(self, view: np.ndarray, seat: int, number: int) -> np.ndarray:
        """Guess a world and begin with it."""
        settings = self.settings
        (world,) = guess_worlds(settings.game, view, seat, dice(derive(settings.seed, self._decisions, number)), 1)
        settings.value.prepare(world, seat)
        self.engine.enter(world)
        return world

    def _search_world(self, view: np.ndarray, seat: int, number: int, tried: np.ndarray) -> Decision:
        settings, world = self.settings, self._enter_world(view, seat, number)
        tried = self._narrow(world, seat, tried)
        if self.engine.deepens or settings.seconds is not None or settings.nodes is not None:
            return self._deepen(world, seat, tried)
        return self._search_at_once(world, seat, tried)

    def _narrow(self, world: np.ndarray, seat: int, tried: np.ndarray) -> np.ndarray:
        """Keep the moves that the filter keeps; of those as many as the width allows, the best by the mover's value."""
        settings, rules = self.settings, self.settings.game.rules
        if settings.move_filter:
            n = filter_moves(rules, settings.move_filter, seat, world, dice(0), self._room)
            kept = tried[np.isin(tried, self._room[:n])]
            tried = kept if len(kept) else tried
        if not settings.width or settings.width >= len(tried):
            return tried
        legal, worth = look_ahead(settings.game, settings.value, world, seat)
        kept = np.flatnonzero(np.isin(legal, tried))
        best = legal[kept[np.argsort(-worth[kept, seat], kind="stable")[: settings.width]]]
        return tried[np.isin(tried, best)]

    def _search_at_once(self, world: np.ndarray, seat: int, tried: np.ndarray) -> Decision:
        """Search to the full depth; for an engine that shallower searches would not help."""
        engine, depth, scores = self.engine, self.settings.depth, np.full(len(tried), np.nan)
        best = engine.search(world, depth, tried, scores)
        short, complete = engine.control.short, engine.control.complete
        searched = np.flatnonzero(~np.isnan(scores)).tolist()
        values = {int(tried[at]): engine.values(seat, float(scores[at]), at) for at in searched}
        worths = {move: worth for move, worth in values.items() if worth is not None}
        move = int(tried[best])
        line = engine.line(world, move, depth, float(scores[best]))
        return Decision(
            move, values[move], line, _by_move(tried, scores), worths, depth=depth - short, exact=complete,
            short=short > 0,
        )  # fmt: skip

    def _deepen(self, world: np.ndarray, seat: int, tried: np.ndarray) -> Decision:
        """Search one turn deeper each time, until the budget is used up or all is known."""
        engine, control = self.engine, self.engine.control
        move, values, considered, reached, known, short = int(tried[0]), None, {}, 0, False, 0
        for depth in range(1, self.settings.depth + 1):
            scores = np.full(len(tried), np.nan)
            best = engine.search(world, depth, tried, scores)
            if best < 0:
                break
            score, complete = float(scores[best]), control.complete
            unsearched = np.flatnonzero(np.isnan(scores))
            if control.stopped and score <= -WON and len(unsearched):
                move, values = int(tried[unsearched[0]]), None  # anything but a move that has just been refuted
                break
            if depth == 1 or control.stopped or score > -WON:  # when all is lost, keep what seemed good the longest
                move = int(tried[best])
            values = engine.values(seat, score, best)
            if control.stopped:
                break
            considered = _by_move(tried, scores)
            reached, known, short = depth, complete or abs(score) > WON, control.short
            if known or short:
                break
            tried = tried[np.argsort(-scores, kind="stable")]
        line = engine.line(world, move, reached if move in considered else 0, considered.get(move, 0.0))
        if values is None and move in considered:
            values = engine.values_at_end(seat, considered[move])
        return Decision(move, values, line, considered, depth=reached - short, exact=known, short=short > 0)


def _by_move(tried: np.ndarray, scores: np.ndarray) -> dict[int, float]:
    """Return the scores by move; a sure win leaves other moves unsearched."""
    searched = ~np.isnan(scores)
    return dict(zip(tried[searched].tolist(), scores[searched].tolist(), strict=True))


class TreeSearch(Agent):
    """An agent that decides by a driver, which it sets when it is prepared."""

    driver: Driver

    @property
    def value(self) -> Ready:
        """The value in whose units its decisions are."""
        return self.driver.settings.value

    def decide(self, view: np.ndarray) -> Decision:
        """Return what the driver decides."""
        return self.driver.decide(view)

    def rehearse(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        self.driver.rehearse(view)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each with a search of its own."""
        return self.driver.consider(view, top)
