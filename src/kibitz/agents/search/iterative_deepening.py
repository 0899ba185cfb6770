"""Iterative deepening drives every tree search: it deepens, keeps to the budget, guesses worlds and lets them vote.

Its engine searches one world to one depth. An agent chooses the engine and its options.
"""

from dataclasses import replace
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from kibitz.agents.agent import (
    DEPTH,
    MEMORY,
    NODES,
    ONLY_MOVE,
    SECONDS,
    SOLVED,
    Agent,
    Decision,
    ValueScale,
    as_decision,
)
from kibitz.agents.search.control import MOVES, NO_NODE_LIMIT, Control
from kibitz.agents.search.determinization import agree, guess_worlds
from kibitz.agents.search.evaluation import evaluate_position, look_ahead
from kibitz.agents.search.filters import as_cells, filter_dice, filter_moves, unrepeated
from kibitz.agents.search.further import one_more
from kibitz.agents.search.search_budget import SearchBudget, clock
from kibitz.agents.search.settings import Settings
from kibitz.core.dice import derive, dice, shuffle_array
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.playout import legal_moves, progress_of, who

NEAR_END = 8  # turns: this close to the end of the game, a search tries to reach it at once
EARLY = 1 / 8  # of the budget: once more is used, it no longer tries that
TO_THE_END = 3 / 4  # of the remaining budget; with half, Quarto is solved less often with five pieces placed


class Engine(Protocol):
    """Searches one world to one depth."""

    deepens: bool  # whether iterative deepening makes it faster
    all_exact: bool  # whether the scores of all moves are exact, and not only that of the best
    control: Control

    def begin(self, seat: int) -> None:
        """Begin a new decision of a seat."""

    def enter(self, world: np.ndarray) -> None:
        """Begin with a world."""

    def search(self, world: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> int:
        """Search to one depth and write scores; return the index of the best move, or -1 if the budget ran out."""

    def line(self, world: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the principal variation after a move, by the search with this depth and score."""

    def values(self, seat: int, score: float, best: int) -> list[float] | None:
        """Return the values of the position; None where the search does not know them."""

    def values_at_end(self, seat: int, score: float) -> list[float] | None:
        """Return the values at the end of the last line, if the score rests on it."""


class IterativeDeepening:
    """Decides by an engine: deepens until the budget is used up; in games with secrets, searches several worlds."""

    def __init__(self, settings: Settings, engine: Engine, in_order: bool = False):
        self.settings, self.engine = settings, engine
        self.in_order = in_order  # whether the first of equal moves is taken, not a random one
        self.rng = dice(settings.seed)
        self._moves = settings.game.new_moves()
        self._decisions = 0
        self.reached = 0  # the depth that was completed last
        self._budget = SearchBudget(engine.control, None)
        self._partial = False  # whether the last choice comes from an unfinished depth

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move."""
        return self.deepen(view)

    def deepen(self, view: np.ndarray) -> Decision:
        """Return the move that the worlds agree on, or that of the agent for the opening."""
        opening = self._opening(view)
        if opening is not None:
            return as_decision(opening.decide(view))
        tried = self._legal(view)
        if len(tried) == 1:
            return Decision(int(tried[0]), line=tried.tolist(), ended=ONLY_MOVE)
        if not self.in_order:
            shuffle_array(self.rng, tried)
        return self._search_new(view, tried) if self.settings.avoid else self._search(view, tried)

    def progress(self) -> dict[str, int]:
        """Return the depth that was completed last, and the positions searched so far."""
        return {"depth": self.reached, "nodes": self.engine.control.nodes}

    def warm_up(self, view: np.ndarray) -> None:
        """Search for two nodes only, to load or compile the code that a search needs."""
        if self.settings.opening is not None:
            self.settings.opening.warm_up(view)
        self._opening(view)
        seat, tried = int(who(self.settings.game.rules, view)), self._legal(view)
        shuffle_array(dice(0), tried)
        self.engine.begin(seat)
        self.engine.control.allow(2)
        world = self._enter_world(view, seat, 0)
        self._deepen(world, seat, self._narrow(world, seat, tried), self.settings.depth)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each searched alone: all in the same worlds, to one depth."""
        opening = self._opening(view)
        if opening is not None:
            return opening.consider(view, top)
        first = self.deepen(view)
        if not first.considered:
            return [first]
        # A score may be only an upper bound, and a move without a score may have any value.
        bounds = {
            move: first.considered.get(move, np.inf) for move in self._candidates(view, first) if move != first.move
        }
        found: list[Decision] = []
        for move in sorted(bounds, key=lambda move: -bounds[move]):
            scores = sorted((one.considered[one.move] for one in found), reverse=True)
            timed = self.settings.seconds is not None
            if len(found) >= top - 1 and (top == 1 or timed or bounds[move] <= scores[top - 2]):
                break
            found += self._searched_alone(view, move, first)
        found.sort(key=lambda one: -one.considered[one.move])
        chosen = next(iter(self._searched_alone(view, first.move, first)), first)
        first = replace(first, values=chosen.values, line=chosen.line, considered=chosen.considered)
        return [first, *found[: top - 1]]

    def _searched_alone(self, view: np.ndarray, move: int, first: Decision) -> list[Decision]:
        """Return a search of one move in the worlds and to the depth of a decision; none if it exceeds the budget."""
        self._decisions -= 1  # the worlds are guessed by number
        depth = self.settings.depth if first.short else first.depth
        found = self._search(view, np.array([move], dtype=np.int64), depth)
        return [found] if found.considered and (found.exact or found.short or found.depth == depth) else []

    def _opening(self, view: np.ndarray) -> Agent | None:
        """Return the agent that plays the opening; None once it is over."""
        settings = self.settings
        return settings.opening if progress_of(settings.game.rules, view) < settings.until else None

    def _legal(self, view: np.ndarray) -> np.ndarray:
        return self._moves[: legal_moves(self.settings.game.rules, view, self._moves)].copy()

    def _candidates(self, view: np.ndarray, first: Decision) -> list[int]:
        """Return the moves among which a decision was made; those considered if filter or width depend on the world."""
        settings = self.settings
        if self._partial or (settings.game.hidden and (settings.filters or settings.width)):
            return list(first.considered)
        return self._narrow(view, int(who(settings.game.rules, view)), self._legal(view)).tolist()

    def _search_new(self, view: np.ndarray, tried: np.ndarray) -> Decision:
        """Search the moves to positions that have not occurred yet; all moves, if there are none or those lose."""
        new = np.array(unrepeated(self.settings.game, view, tried.tolist()), dtype=np.int64)
        if len(new) == len(tried):
            return self._search(view, tried)
        found = self._search(view, new)
        return found if found.considered.get(found.move, 0.0) > -self.settings.decided else self._search(view, tried)

    def _search(self, view: np.ndarray, tried: np.ndarray, depth: int | None = None) -> Decision:
        """Search some of the moves in every world, to a depth if one is given."""
        if depth is None:
            depth = self.settings.depth + one_more(self.settings.deeper, self.settings.seed, self._decisions)
        self._decisions += 1
        self.reached = 0
        control, seat = self.engine.control, int(who(self.settings.game.rules, view))
        self.engine.begin(seat)
        if self.settings.seconds is not None:
            control.stop()  # a search that stops at once compiles what is not compiled yet, outside the time limit
            self._search_world(view, seat, 0, tried, depth)
            self.engine.begin(seat)
        found = self._search_worlds(view, seat, tried, depth)
        best = self._agreed(found)
        return replace(best, nodes=control.nodes, cutoffs=control.cutoffs, ended=self._ended(best))

    def _agreed(self, found: "list[WorldResult]") -> Decision:
        """Return the decision of one world, or that of several, which compare the depths that they completed."""
        thought = [one for one in found if one.finished] or found[:1]
        self._partial = len(thought) == 1 and thought[0].decision.considered != thought[0].finished
        if len(thought) == 1:
            return thought[0].decision
        return agree([replace(one.decision, considered=one.finished) for one in thought], self.settings.how)

    def _ended(self, decision: Decision) -> str:
        """Return what ended the last search."""
        control, settings = self.engine.control, self.settings
        if control.stopped:
            return NODES if settings.nodes is not None and control.nodes >= settings.nodes else SECONDS
        return SOLVED if decision.exact else MEMORY if decision.short else DEPTH

    def _search_worlds(self, view: np.ndarray, seat: int, tried: np.ndarray, depth: int) -> "list[WorldResult]":
        """Search one world after the other, each with an equal share of the remaining time and nodes."""
        settings, control = self.settings, self.engine.control
        found: list[WorldResult] = []
        begun = perf_counter()
        for number in range(settings.worlds):
            worlds_left = settings.worlds - number
            nodes_left = (settings.nodes or NO_NODE_LIMIT) - control.nodes
            seconds_left = None if settings.seconds is None else settings.seconds - (perf_counter() - begun)
            if found and (nodes_left <= 0 or (seconds_left is not None and seconds_left <= 0)):
                break
            seconds = None if seconds_left is None else seconds_left / worlds_left
            control.allow(max(nodes_left // worlds_left, 1))
            self._budget = SearchBudget(control, seconds)
            with clock(seconds, control.stop):
                found.append(self._search_world(view, seat, number, tried, depth))
        return found

    def _enter_world(self, view: np.ndarray, seat: int, number: int) -> np.ndarray:
        """Guess a world and begin with it."""
        settings = self.settings
        (world,) = guess_worlds(settings.game, view, seat, dice(derive(settings.seed, self._decisions, number)), 1)
        settings.value.prepare(world, seat)
        self.engine.enter(world)
        self.engine.control.set_draws(self._values_of(world))
        return world

    def _values_of(self, world: np.ndarray) -> np.ndarray:
        game, value = self.settings.game, self.settings.value
        values = np.empty(game.seats)
        evaluate_position(game.rules, value.handle, value.weights, self.engine.control.cells, world, values)
        value.refuse_nan(values)
        return values

    def _search_world(self, view: np.ndarray, seat: int, number: int, tried: np.ndarray, depth: int) -> "WorldResult":
        settings, world = self.settings, self._enter_world(view, seat, number)
        tried = self._narrow(world, seat, tried)
        deepens = self.engine.deepens and settings.deepen
        if deepens or settings.seconds is not None or settings.nodes is not None:
            return self._deepen(world, seat, tried, depth)
        return self._search_at_once(world, seat, tried, depth)

    def _narrow(self, world: np.ndarray, seat: int, tried: np.ndarray) -> np.ndarray:
        """Keep the moves that the filter keeps, and of those the `width` best by the mover's value."""
        settings, rules = self.settings, self.settings.game.rules
        if settings.filters:
            n = filter_moves(rules, as_cells(settings.filters), seat, world, filter_dice(settings.seed), self._moves)
            kept = tried[np.isin(tried, self._moves[:n])]
            tried = kept if len(kept) else tried
        if not settings.width or settings.width >= len(tried):
            return tried
        legal, values = look_ahead(settings.game, settings.value, world, seat)
        kept = np.flatnonzero(np.isin(legal, tried))
        best = legal[kept[np.argsort(-values[kept, seat], kind="stable")[: settings.width]]]
        return tried[np.isin(tried, best)]

    def _search_at_once(self, world: np.ndarray, seat: int, tried: np.ndarray, depth: int) -> "WorldResult":
        """Search to the full depth, for an engine that iterative deepening does not help."""
        scores, control = np.full(len(tried), np.nan), self.engine.control
        best = self.engine.search(world, depth, tried, scores)
        level = _Level(depth, _by_move(tried, scores), self._move_values(seat, tried, scores, best), control.short)
        return self._result(world, seat, int(tried[best]), level, level, control.complete)

    def _deepen(self, world: np.ndarray, seat: int, tried: np.ndarray, most: int) -> "WorldResult":
        """Search one turn deeper each time, until the budget is used up or the position is solved.

        A depth that the budget cuts short may replace the choice; the reported results then come from that depth.
        """
        control = self.engine.control
        move, known, finished = int(tried[0]), False, _Level()
        reported = finished
        end, depth = self._end_within(world, most), 0
        while depth < most:
            before, scores = depth, np.full(len(tried), np.nan)
            best, depth = self._search_deeper(world, depth, end, tried, scores)
            if best < 0:
                break
            score, complete = float(scores[best]), control.complete
            unsearched = np.flatnonzero(np.isnan(scores))
            if control.stopped and score <= -self.settings.decided and len(unsearched):
                move = int(tried[unsearched[0]])  # anything but a move that has just been refuted
                reported = finished.of(move)
                break
            level = _Level(depth, _by_move(tried, scores), self._move_values(seat, tried, scores, best), control.short)
            if control.stopped:
                reported = finished if int(tried[best]) == move and finished.scores else level
                move = int(tried[best])
                break
            if depth == 1 or score > -self.settings.decided:  # when all is lost, keep what seemed good the longest
                move = int(tried[best])
            reported = finished = level
            self.reached = depth
            known = complete or abs(score) > self.settings.decided
            if known or level.short:
                break
            tried = tried[np.argsort(-scores, kind="stable")]
        if known and finished.depth > before + 1 and finished.scores[move] <= -self.settings.decided:
            move = self._longest_resistance(world, tried, move, range(before + 1, finished.depth))
        return self._result(world, seat, move, reported, finished, known)

    def _end_within(self, world: np.ndarray, most: int) -> int:
        """Return the depth that reaches the end of the game, 0 if that is not known or too deep."""
        end = self.settings.turns_left(world) if self.engine.deepens else 0
        return end if end <= most else 0

    def _search_deeper(
        self, world: np.ndarray, depth: int, end: int, tried: np.ndarray, scores: np.ndarray
    ) -> tuple[int, int]:
        """Search a turn deeper, or to the end of the game if that is near; return the index of the best, and the depth.

        Going to the end may take most of the remaining budget; the rest then goes to one more turn.
        """
        engine, budget = self.engine, self._budget
        if 0 < depth < end <= depth + NEAR_END and budget.used <= EARLY:
            with budget.part(TO_THE_END):
                best = engine.search(world, end, tried, scores)
            if not engine.control.stopped:
                return best, end
            engine.control.resume()
            scores[:] = np.nan
        return engine.search(world, depth + 1, tried, scores), depth + 1

    def _longest_resistance(self, world: np.ndarray, tried: np.ndarray, move: int, depths: range) -> int:
        """Return, where all moves lose, the one that looks good the longest, by shallower searches."""
        for depth in depths:
            scores = np.full(len(tried), np.nan)
            best = self.engine.search(world, depth, tried, scores)
            if self.engine.control.stopped or scores[best] <= -self.settings.decided:
                break
            move = int(tried[best])
            tried = tried[np.argsort(-scores, kind="stable")]
        return move

    def _move_values(self, seat: int, tried: np.ndarray, scores: np.ndarray, best: int) -> dict[int, list[float]]:
        """Return the values of moves in the last search: of all moves, or of the best where the rest have bounds."""
        known = np.flatnonzero(~np.isnan(scores)).tolist() if self.engine.all_exact else [best]
        found = {int(tried[at]): self.engine.values(seat, float(scores[at]), at) for at in known}
        return {move: values for move, values in found.items() if values is not None}

    def _result(
        self, world: np.ndarray, seat: int, move: int, reported: "_Level", finished: "_Level", known: bool
    ) -> "WorldResult":
        """Return a choice with the results of one depth."""
        engine, score = self.engine, reported.scores.get(move)
        line = engine.line(world, move, 0 if score is None else reported.depth, score or 0.0)
        values = reported.move_values.get(move)
        if score is not None and (values is None or self.settings.value.properties.total):
            values = engine.values_at_end(seat, score) or values
        move_values = reported.move_values if engine.all_exact else {}
        return WorldResult(
            Decision(
                move, values, line, reported.scores, move_values, depth=reported.depth - reported.short, exact=known,
                short=reported.short > 0,
            ),
            finished.scores,
        )  # fmt: skip


class _Level(NamedTuple):
    """The result of the search to one depth: scores and values by move."""

    depth: int = 0
    scores: dict[int, float] = {}
    move_values: dict[int, list[float]] = {}
    short: int = 0  # the depth left where the levels ran out

    def of(self, move: int) -> "_Level":
        """Return the results for one move."""
        return self._replace(
            scores={one: score for one, score in self.scores.items() if one == move},
            move_values={one: values for one, values in self.move_values.items() if one == move},
        )


class WorldResult(NamedTuple):
    """The decision in one world, and the scores of the last completed depth."""

    decision: Decision
    finished: dict[int, float]


def _by_move(tried: np.ndarray, scores: np.ndarray) -> dict[int, float]:
    """Return the scores by move; moves after a certain win are not searched."""
    searched = ~np.isnan(scores)
    return dict(zip(tried[searched].tolist(), scores[searched].tolist(), strict=True))


class TreeSearch(Agent):
    """An agent that decides by a driver, which it sets when it is prepared."""

    driver: IterativeDeepening

    @property
    def value(self) -> BoundHeuristic:
        """The value in whose units its decisions are."""
        return self.driver.settings.value

    def scale(self) -> ValueScale:
        """Return what the numbers in its decisions are, and what a depth counts."""
        found = super().scale()
        return replace(found, depth="move") if self.driver.settings.unit == MOVES else found

    def decide(self, view: np.ndarray) -> Decision:
        """Return what the driver decides."""
        return self.driver.decide(view)

    def progress(self) -> dict[str, int]:
        """Return the counters of the driver."""
        return self.driver.progress()

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        self.driver.warm_up(view)

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each searched alone."""
        return self.driver.consider(view, top)
