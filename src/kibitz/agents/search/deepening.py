"""What tree searches have in common: options, budgets, worlds, and deepening turn by turn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.budget import clock
from kibitz.agents.search.judge import DECIDED
from kibitz.agents.search.lookahead import look_ahead
from kibitz.agents.search.sifting import mark_repeats, sift_root
from kibitz.agents.search.worlds import HOW, agree
from kibitz.core.dice import derive, dice, mix_up
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import guess_world, progress_of, who
from kibitz.core.spec import Spec, parse

MOST_LEVELS = 200  # moves, not turns; fewer where the memory ends before. Deeper than this the value judges
NO_DEPTH_LIMIT = 1000
NO_NODE_LIMIT = 2**62
WON = DECIDED / 4  # scores beyond this are decided games: with many seats a win is nearly DECIDED, a loss a share of it


class TreeSearch(Agent):
    """Deepen until the budget is used up; in hidden games, search several worlds and let them vote."""

    avoid = False  # whether moves that repeat a position are searched only if need be
    share = 1.0  # of the memory: the rest is for other searches of the same agent
    COMMON: ClassVar[Mapping[str, Option]] = {
        "depth": Option(3, "how far to look ahead; 0 for no limit", least=0, most=NO_DEPTH_LIMIT),
        "unit": Option("turns", "what depth counts", choices=("turns", "moves")),
        "value": Option(None, "what judges positions at the horizon; the game's usual one if not named", kind="value"),
        "width": Option(None, "keep this many moves at every position, the best by the mover's value, or 0 for all; the"
                        " game's usual if not named", least=0, kind="int"),
        "filter": Option(None, "what leaves out moves at every position; nothing if not named", kind="filter"),
        "worlds": Option(10, "in hidden games: guesses at what is hidden, each searched", least=1, most=100_000),
        "agree": Option("vote", "in hidden games: how worlds agree on a move", choices=HOW),
        "seconds": Option(None, "time for a move; no limit if not named", least=0.001, most=86_400, kind="float"),
        "nodes": Option(None, "positions to search for a move; no limit if not named", 1, 1e15, kind="int"),
        "opening": Option(None, "who plays the opening, or none; the game's usual if not named", kind="agent"),
        "until": Option(None, "the progress that ends the opening; the game's usual if not named", least=0, kind="int"),
        "memory": Option(256, "megabytes for all that the search works on; with few it looks less far", 1, 65_536),
    }  # fmt: skip

    def take(self, options: Mapping[str, Any]) -> None:
        """Take the common options."""
        game = self.game
        if not options["depth"] and options["seconds"] is None and options["nodes"] is None:
            raise BadValue(f"{self.name}: depth=0 means no limit, so it needs seconds=… or nodes=…")
        self.depth = options["depth"] or NO_DEPTH_LIMIT
        self.by_moves = options["unit"] == "moves"
        self.width = game.usual_width if options["width"] is None else options["width"]
        self.memory = options["memory"]
        self.limit = int(self.memory * 2**20 * self.share)
        self.seconds, self.nodes = options["seconds"], options["nodes"]
        self.worlds, self.how = options["worlds"] if game.hidden else 1, options["agree"]
        self.value = game.value(options["value"] or game.usual_value)
        sieve = options["filter"]
        self.sieve = game.filter(sieve).handle if sieve is not None and str(sieve) != "none" else 0
        self._take_opening(options["opening"], options["until"])
        self._decisions = 0

    def levels_within(self, limit: int, needed: Callable[[int], int]) -> int:
        """Return how many moves deep the memory lets the search go; `needed` tells the bytes for so many levels."""
        for levels in range(MOST_LEVELS, 1, -1):
            if needed(levels) <= limit:
                return levels
        if needed(1) > self.limit:
            least = -(-needed(1) // 2**20)
            raise BadValue(f"{self.name}: memory={self.memory} is too little for {self.game}; it takes {least}")
        return 1

    def _take_opening(self, opening: Spec | None, until: int | None) -> None:
        from kibitz.agents import build  # the opening is itself an agent

        usual = self.game.usual_opening
        if opening is None and usual is not None:
            opening = parse(usual.agent)
        if until is None and usual is not None:
            until = usual.until
        self.opening: Agent | None = None
        self.until = until or 0
        if opening is not None and str(opening) != "none":
            if not self.game.has("progress") or until is None:
                raise BadValue(f"{self.name}: opening={opening} needs until=…, and a game that counts progress")
            self.opening = build(opening, self.game, self.seed)

    @property
    def name(self) -> str:
        """The agent's name."""
        return type(self).__module__.rsplit(".", 1)[-1]

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each with a search of its own."""
        if self.opening is not None and progress_of(self.game.rules, view) < self.until:
            return self.opening.consider(view, top)
        first = self.decide(view)
        # What was considered may be no more than a bound above, and of a move that was not, all is possible.
        bounds = {
            move: first.considered.get(move, np.inf) for move in self._candidates(view, first) if move != first.move
        }
        found: list[Decision] = []
        for move in sorted(bounds, key=lambda move: -bounds[move]):
            worths = sorted((one.considered.get(one.move, -WON) for one in found), reverse=True)
            if len(found) >= top - 1 and (top == 1 or self.seconds is not None or bounds[move] <= worths[top - 2]):
                break
            found.append(self._search(view, np.array([move], dtype=np.int64)))
        found.sort(key=lambda one: -one.considered.get(one.move, -WON))
        return [first, *found[: top - 1]]

    def _candidates(self, view: np.ndarray, first: Decision) -> list[int]:
        """Return the moves among which a decision was made; where filter or width differ by world, those considered."""
        if self.game.hidden and (self.sieve or self.width):
            return list(first.considered)
        return self._narrow(view, int(who(self.game.rules, view)), np.array(self.legal(view))).tolist()

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move that the worlds agree on."""
        if self.opening is not None and progress_of(self.game.rules, view) < self.until:
            return self.opening.decide(view)
        tried = np.array(self.legal(view), dtype=np.int64)
        mix_up(self.rng, tried)
        return self._search_new(view, tried) if self.avoid else self._search(view, tried)

    def _search_new(self, view: np.ndarray, tried: np.ndarray) -> Decision:
        """Search the moves to positions that have not occurred yet; all of them, if there are none or those lose."""
        times = np.zeros(len(tried), dtype=np.int64)
        mark_repeats(self.game.rules, view, tried, self.game.new_state(), times)
        new = tried[times == 0]
        if len(new) in (0, len(tried)):
            return self._search(view, tried)
        found = self._search(view, new)
        return found if found.considered.get(found.move, 0.0) > -WON else self._search(view, tried)

    def _search(self, view: np.ndarray, tried: np.ndarray) -> Decision:
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        self.reset(seat)
        if self.seconds is not None:
            self.stop()  # a search that stops at once compiles what is not compiled yet: that is not thinking time
            self._search_world(view, seat, 0, tried)
            self.reset(seat)
        found = self._search_worlds(view, seat, tried)
        thought = [decision for decision in found if decision.considered] or found[:1]
        return replace(agree(thought, self.how), **self.counts())

    def _search_worlds(self, view: np.ndarray, seat: int, tried: np.ndarray) -> list[Decision]:
        """Search one world after the other, each with an equal share of what is left of time and nodes."""
        found: list[Decision] = []
        begun = perf_counter()
        for number in range(self.worlds):
            worlds_left = self.worlds - number
            nodes_left = (self.nodes or NO_NODE_LIMIT) - self.counts()["nodes"]
            seconds_left = None if self.seconds is None else self.seconds - (perf_counter() - begun)
            if found and (nodes_left <= 0 or (seconds_left is not None and seconds_left <= 0)):
                break
            self.allow(max(nodes_left // worlds_left, 1))
            with clock(None if seconds_left is None else seconds_left / worlds_left, self.stop):
                found.append(self._search_world(view, seat, number, tried))
        return found

    def _search_world(self, view: np.ndarray, seat: int, number: int, tried: np.ndarray) -> Decision:
        world = view.copy()
        guess_world(self.game.rules, world, seat, dice(derive(self.seed, self._decisions, number)))
        self.value.prepare(world, seat)
        return self.deepen(world, seat, tried)

    def _narrow(self, state: np.ndarray, seat: int, tried: np.ndarray) -> np.ndarray:
        """Keep the moves that the filter keeps; of those as many as the width allows, the best by the mover's value."""
        if self.sieve:
            n = sift_root(self.game.rules, self.sieve, seat, state, dice(0), self._room)
            kept = tried[np.isin(tried, self._room[:n])]
            tried = kept if len(kept) else tried
        if not self.width or self.width >= len(tried):
            return tried
        legal = len(self.legal(state))
        worth = np.zeros((legal, self.game.seats))
        scratch, rest = self.game.new_state(), np.empty(self.game.seats)
        value = self.value
        look_ahead(
            self.game.rules, value.handle, value.weights, state, seat, 0, self._room, dice(0), scratch, rest, worth
        )
        kept = np.flatnonzero(np.isin(self._room[:legal], tried))
        best = self._room[kept[np.argsort(-worth[kept, seat], kind="stable")[: self.width]]]
        return tried[np.isin(tried, best)]

    def deepen(self, state: np.ndarray, seat: int, tried: np.ndarray) -> Decision:
        """Search one world, one turn deeper each time, until the budget is used up or all is known."""
        tried = self._narrow(state, seat, tried)
        move, values, considered, reached, known, short = int(tried[0]), None, {}, 0, False, 0
        for depth in range(1, self.depth + 1):
            scores = np.full(len(tried), np.nan)
            best, exact = self.search(state, depth, tried, scores)
            if best < 0:
                break
            score, stopped = float(scores[best]), self.stopped()
            unknown = np.flatnonzero(np.isnan(scores))
            if stopped and score <= -WON and len(unknown):
                move, values = int(tried[unknown[0]]), None  # anything but a move that has just been refuted
                break
            if depth == 1 or stopped or score > -WON:  # when all is lost, keep the move that seemed good the longest
                move = int(tried[best])
            values = self.values(state, seat, score, best)
            if stopped:
                break
            judged = ~np.isnan(scores)  # a sure win leaves the others unsearched
            considered = dict(zip(tried[judged].tolist(), scores[judged].tolist(), strict=True))
            reached, known = depth, exact or abs(score) > WON
            short = self.short()
            if known or short:
                break
            tried = tried[np.argsort(-scores, kind="stable")]
        line = self.line(state, move, reached if move in considered else 0, considered.get(move, 0.0))
        if values is None and move in considered:
            values = self.values_at_end(seat, considered[move])
        return Decision(move, values, line, considered, depth=reached - short, exact=known, short=short > 0)

    def reset(self, seat: int) -> None:
        """Begin a new decision."""
        raise TypeError("every tree search begins in its own way")

    def search(self, state: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> tuple[int, bool]:
        """Search to one depth; write scores; return the place of the best move and whether no horizon was touched."""
        raise TypeError("every tree search searches in its own way")

    def values(self, state: np.ndarray, seat: int, score: float, best: int) -> list[float] | None:
        """Return what the position is worth to each seat, where the search knows."""
        return None

    def values_at_end(self, seat: int, score: float) -> list[float] | None:
        """Return what the end of the last line is worth to each seat, if that is what the score rests on."""
        return None

    def line(self, state: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the play that a search of this depth and score expects after a move."""
        return [first]

    def allow(self, nodes: int) -> None:
        """Let the search go on for so many more positions."""
        raise TypeError("every tree search counts in its own way")

    def stop(self) -> None:
        """Make the search end as soon as it can."""
        raise TypeError("every tree search stops in its own way")

    def stopped(self) -> bool:
        """Tell whether the budget is used up."""
        raise TypeError("every tree search knows whether it was stopped")

    def short(self) -> int:
        """Return how much of the depth of the last search was left where the memory ended it."""
        raise TypeError("every tree search knows whether it was too deep for its memory")

    def counts(self) -> dict[str, Any]:
        """Return what was counted since the last reset."""
        return {}
