"""The alpha-beta engine: the root seat against all others."""

from functools import cached_property
from math import isclose

import numpy as np

from kibitz.agents.search.alphabeta import alphabeta_arrays as cells
from kibitz.agents.search.alphabeta.alphabeta_arrays import NO_RIVAL, AlphaBetaArrays
from kibitz.agents.search.alphabeta.alphabeta_kernel import negamax, search_root
from kibitz.agents.search.alphabeta.principal_variation import find_pv
from kibitz.agents.search.control import CHOICES, LEVELS, PROGRESS, ROOT, SLOT_MASK, SLOTS, Control
from kibitz.agents.search.evaluation import DECIDED, WON, evaluate_position
from kibitz.agents.search.expectation import expectation_buffers, expectation_cells
from kibitz.agents.search.filters import as_cells, filter_dice
from kibitz.agents.search.settings import Settings
from kibitz.agents.search.transpositions import CELL_BYTES, FIRST_SLOTS, NO_TABLE, empty_table, slots_within
from kibitz.core.contract import CHANCE, GUARD
from kibitz.core.dice import derive
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import play_legal, who
from kibitz.core.spec import Spec
from kibitz.networks.net import NET

ORDER = {"order": Option(None, "which moves to try first, before those that cut off elsewhere", kind="order")}
REUSE = {
    "deepen": Option(True, "search turn by turn, which tells what to try first; false: at once to the full depth, if no"
                     " other budget is named"),
    "table": Option(True, "remember positions, which may be reached in several ways, in a transposition table"),
}  # fmt: skip
NO_MOVE_LIMIT = 2**30
LONGEST_LINE = 32
SMALL = 64  # cells of all the small arrays together
CLOSE = 1e-9
SOONER = 1e-3  # a later win counts slightly less than an immediate one


class AlphaBeta:
    """Searches for the seat to move, with all other seats playing against it.

    `order` names what orders the moves. With `versus`, a leaf counts as the lead over the only rival left. With
    `replies` one opponent answers for all; with `wide_seats`, that many opponents a round choose among their best
    `wide` moves, the others among their best `narrow`. Without `table`, no position is remembered.
    """

    deepens = True  # a shallower search makes the next one faster

    def __init__(
        self, settings: Settings, order: Spec | None = None, versus: bool = False, replies: bool = False,
        wide_seats: int = -1, wide: int = 0, narrow: int = 0, table: bool = True,
    ):  # fmt: skip
        if settings.unit == PROGRESS:
            raise BadValue(f"{settings.name}: unit=progress is for searches by max^n")
        settings.game.scoring.refuse_shared(f"{settings.name} takes other seats for opponents")
        self.settings, self.versus = settings, versus
        self.all_exact = settings.how == "mean" and settings.game.hidden  # averaging over worlds needs exact scores
        game, value = settings.game, settings.value
        self.choices = game.most_moves * (game.seats - 1 if replies else 1)
        levels = settings.levels_within(settings.limit // 2, self._bytes_for)
        slots = slots_within(settings.limit - self._bytes_for(levels), cells.ENTRY) if table else 1
        self.control = Control(cells.CONTROL_CELLS, {
            **settings.parameters, LEVELS: levels, CHOICES: self.choices, SLOTS: slots if table else NO_TABLE,
            cells.RIVAL: NO_RIVAL, cells.REPLIES: int(replies), cells.WIDE_SEATS: wide_seats,
            cells.WIDE: wide or NO_MOVE_LIMIT,
            cells.NARROW: narrow or NO_MOVE_LIMIT, cells.SAFE: int(self._safe_cells > 1),
            cells.STAR: cells.STAR2 if table else cells.STAR1,
            cells.BY_NET: int(order is not None and order.name == NET),
        }, game.seats)  # fmt: skip
        self.control.cells[SLOT_MASK] = min(FIRST_SLOTS, slots) - 1
        chosen = game.order(order) if order is not None and str(order) != "none" else None
        entries, numbers = empty_table(slots, cells.ENTRY)
        places = levels * self.choices
        self.arrays = AlphaBetaArrays(
            rules=game.rules, value_function=value.handle, value_weights=value.weights, control=self.control.cells,
            states=np.empty((levels + 1) * game.size + GUARD, dtype=np.int64),
            listed=np.empty(places + GUARD, dtype=np.int64), movers=np.empty(places + GUARD, dtype=np.int64),
            limits=np.empty(2 * places if game.chance else 1), expectation=expectation_buffers(game, value),
            order=np.empty(places), ranks=np.zeros(places, dtype=np.int64),
            safe=np.empty(self._safe_cells, dtype=np.int64), values=np.empty(game.seats),
            history=np.zeros(game.seats * cells.HISTORY_CELLS), killers=np.zeros(levels, dtype=np.int64),
            cells=entries, numbers=numbers, pv_table=np.zeros(2 * cells.PV_SLOTS, dtype=np.int64),
            move_order=chosen.handle if chosen else 0, net=chosen.weights if chosen else np.zeros(1),
            prior=np.zeros(game.most_moves, dtype=np.float32),
            filters=as_cells(settings.filters), dice=filter_dice(settings.seed), itself=negamax.handle,
        )  # fmt: skip
        self._all_moves = not (settings.filters or settings.width or replies or wide_seats >= 0)
        self.rival: int | None = None  # the only other seat left in a game of more than two
        self._worlds = 0
        self._end = np.empty(0, dtype=np.int64)

    @cached_property
    def _safe_cells(self) -> int:
        """The cells for moves that do not lose at once; 1 where they are not asked for, as with more than two seats."""
        game = self.settings.game
        asked = game.has("safe_moves") and game.seats == 2 and not self.settings.filters
        return game.most_moves + GUARD if asked else 1

    def _bytes_for(self, levels: int) -> int:
        """Return the bytes that all arrays but the table take."""
        game = self.settings.game
        fixed = game.seats * (cells.HISTORY_CELLS + 2) + 2 * cells.PV_SLOTS + cells.CONTROL_CELLS + self._safe_cells
        fixed += game.most_moves // 2 + SMALL + expectation_cells(game)
        by_level = (levels + 1) * game.size + levels * ((6 if game.chance else 4) * self.choices + 1)
        return CELL_BYTES * (fixed + by_level + self.settings.lists_of_moves + 2 * GUARD)

    def begin(self, seat: int) -> None:
        """Begin a new decision."""
        self.control.begin(seat)
        if self.versus:
            seats, rival = self.settings.game.seats, self._rival(seat)
            self.control.cells[cells.RIVAL] = rival
            self.control.cells[cells.OUT] = (1 << seats) - 1 - (1 << seat) - (1 << rival)

    def _rival(self, seat: int) -> int:
        return 1 - seat if self.rival is None else self.rival

    def enter(self, world: np.ndarray) -> None:
        """Begin with a position; earlier results for its seat hold, unless positions are evaluated otherwise now."""
        self._worlds += 1
        lasting = not (self.settings.game.hidden or self.settings.value.root_weights)
        seat = int(self.control.cells[ROOT])
        self.control.cells[cells.SALT] = derive(seat, *(() if lasting else (self._worlds,))) >> 1

    def search(self, world: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> int:
        """Search to one depth and write scores; return the index of the best move, or -1 if the budget ran out.

        The score of the best move is exact and the others are upper bounds, unless worlds are averaged.
        """
        self.control.begin_depth()
        self._aim(world, depth)
        return int(search_root(self.arrays, world, depth, tried, self.all_exact, scores))

    def _aim(self, world: np.ndarray, depth: int) -> None:
        """Use the game's hints for a search to the end, if this is one and omits no moves."""
        game, left = self.settings.game, self.settings.turns_left(world)
        to_end = self._all_moves and 0 < left <= depth
        named = self.arrays.move_order or self.control.cells[cells.BY_NET]
        self.control.cells[cells.END_ORDER] = to_end and game.has("end_order") and not named
        self.control.cells[cells.NORMAL] = to_end and game.has("normal_key")

    def line(self, world: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the principal variation after a move, by a search of this depth and score, until a seat is skipped."""
        rules = self.settings.game.rules
        self._aim(world, depth)
        self._end, after = world.copy(), world.copy()
        made, by = np.empty(LONGEST_LINE, dtype=np.int64), np.empty(LONGEST_LINE, dtype=np.int64)
        n = int(find_pv(self.arrays, self._end, first, depth, score, made, by))
        line: list[int] = []
        scratch = self.settings.game.new_moves()
        for move, mover in zip(made[:n].tolist(), by[:n].tolist(), strict=True):
            if who(rules, after) != mover or not play_legal(rules, after, move, scratch):
                break
            line.append(move)
        return line

    def values(self, seat: int, score: float, best: int) -> list[float] | None:
        """Return the values that the score implies for two rivals; None where it implies none.

        If the value has a known total, the two seats share it; otherwise one seat's lead is the other's deficit. A
        seat that is out of the game may still get its share of a draw.
        """
        seats, total, decided = (
            self.settings.game.seats,
            self.settings.value.properties.total,
            abs(score) > self.settings.decided,
        )
        if not self.versus or (total and seats > 2 and not decided):
            return None
        half = DECIDED * (1 / 2 - 1 / seats) if decided else total / 2
        values = [-DECIDED / seats if decided else 0.0] * seats
        values[seat], values[self._rival(seat)] = half + score / 2, half - score / 2
        return self._on_scale(values)

    def values_at_end(self, seat: int, score: float) -> list[float] | None:
        """Return each seat's value at the end of the line, if the score rests on it: a clock may cut the line short."""
        values, value = np.empty(self.settings.game.seats), self.settings.value
        if who(self.settings.game.rules, self._end) == CHANCE:
            return None
        evaluate_position(self.settings.game.rules, value.handle, value.weights, self.control.cells, self._end, values)
        behind = values[self._rival(seat)] if self.versus else 0.0
        near = SOONER if abs(score) > self.settings.decided else CLOSE
        if not isclose(values[seat] - behind, score, rel_tol=near, abs_tol=CLOSE):
            return None
        return self._on_scale(values.tolist())

    def _on_scale(self, values: list[float]) -> list[float]:
        """Return the values of two rivals, as chances even in a decided game if the value gives chances."""
        if not self.versus or not self.settings.value.properties.chances or max(map(abs, values)) <= WON:
            return values
        return [min(max(one / DECIDED + 1 / len(values), 0.0), 1.0) for one in values]
