"""The max^n engine: every seat for itself."""

import numpy as np

from kibitz.agents.search.control import CHOICES, FILLED, LEVELS, ROOT, SLOT_MASK, SLOTS, Control
from kibitz.agents.search.expectation import expectation_buffers, expectation_cells
from kibitz.agents.search.filters import as_cells, filter_dice
from kibitz.agents.search.maxn import maxn_arrays as cells
from kibitz.agents.search.maxn.maxn_arrays import LEFTMOST, NOT, PLAIN, RANDOM, SHALLOW, MaxnArrays
from kibitz.agents.search.maxn.maxn_kernel import maxn, search_root
from kibitz.agents.search.maxn.speculative import search_speculatively, speculate
from kibitz.agents.search.settings import Settings
from kibitz.agents.search.transpositions import CELL_BYTES, FIRST_SLOTS, NO_TABLE, NUMBER, empty_table, slots_within
from kibitz.core.contract import GUARD
from kibitz.core.dice import derive, dice
from kibitz.core.playout import legal_moves, value_of

LEADER = -2  # as a target: the opponent with the highest value
NOBODY = -1


class MaxnEngine:
    """Searches for the seat to move, with every seat choosing what is best for itself.

    `total` is the sum of all seats' values, 0 if it is not known; `ties`, `leaf` and `prune` are kinds that
    the kernel knows. With `lazy`, leaves are evaluated for the mover first. With `lexicographic`, the root seat
    compares the values of all seats. With a `target`, it harms that seat. With `speculative`, it prunes speculatively.
    `influence` is how much other seats count in the evaluations of Not-So-Paranoid.
    """

    deepens = False  # a shallower search does not make the next one faster
    all_exact = True

    def __init__(
        self, settings: Settings, total: float = 0.0, ties: int = LEFTMOST, leaf: int = PLAIN, prune: int = NOT,
        lazy: bool = False, lexicographic: bool = False, target: int = NOBODY, speculative: bool = False,
        influence: float = 1.0,
    ):  # fmt: skip
        self.settings, self.target, self.speculative = settings, target, speculative
        game, value = settings.game, settings.value
        self.levels = settings.levels_within(settings.limit // 2, self._bytes_for)
        # A table helps where positions recur with the same values. Long states hold the history of the game, so they
        # do not recur; random ties and bounds of several seats change the values.
        recurs = game.has("key") or not game.has("extent")
        has_table = recurs and prune in (NOT, SHALLOW) and ties != RANDOM
        slots = self._slots_within(settings.limit - self._bytes_for(self.levels)) if has_table else NO_TABLE
        self.control = Control(cells.CONTROL_CELLS, {
            **settings.parameters, LEVELS: self.levels, CHOICES: game.most_moves, SLOTS: slots, cells.TIES: ties,
            cells.TARGET: NOBODY, cells.LEAF: leaf, cells.PRUNE: prune, cells.LEXICOGRAPHIC: int(lexicographic),
            cells.LAZY: int(lazy),
        }, game.seats)  # fmt: skip
        table, numbers = empty_table(slots, NUMBER + game.seats)
        places, rows = self.levels * game.most_moves, self.levels + 2
        self.arrays = MaxnArrays(
            rules=game.rules, value_function=value.handle, value_weights=value.weights, control=self.control.cells,
            total=np.array([total, influence]), states=np.empty((self.levels + 1) * game.size + GUARD, dtype=np.int64),
            listed=np.empty(places + GUARD, dtype=np.int64), order=np.empty(places),
            nexts=np.empty(places + GUARD, dtype=np.int64), values=np.zeros(rows * game.seats),
            bounds=np.zeros(rows * game.seats),
            stage=np.zeros(2 * rows, dtype=np.int64), pv=np.full(rows * rows, -1, dtype=np.int64), cells=table,
            numbers=numbers, expectation=expectation_buffers(game, value), rng=dice(derive(settings.seed, 1)),
            filters=as_cells(settings.filters),
            dice=filter_dice(settings.seed), itself=maxn.handle,
        )  # fmt: skip
        self.move_values = np.zeros((game.most_moves, game.seats))  # of the moves tried in the last search
        self._lines: dict[int, list[int]] = {}  # by depth, in the world that was entered last

    def _bytes_for(self, levels: int) -> int:
        """Return the bytes that all arrays but the table take."""
        game, rows = self.settings.game, levels + 2
        by_level = (levels + 1) * game.size + 3 * levels * game.most_moves + rows * (2 * game.seats + 2 + rows)
        fixed = (game.most_moves + 1) * game.seats + cells.CONTROL_CELLS + expectation_cells(game)
        return CELL_BYTES * (fixed + by_level + self.settings.lists_of_moves + 2 * GUARD)

    def _slots_within(self, limit: int) -> int:
        """Return how many entries of the table fit; NO_TABLE if they are too few to help."""
        slots = slots_within(limit, NUMBER + self.settings.game.seats)
        return slots if slots >= FIRST_SLOTS else NO_TABLE

    def begin(self, seat: int) -> None:
        """Begin a new decision."""
        self.control.begin(seat)

    def enter(self, world: np.ndarray) -> None:
        """Begin with a position: find the target in it."""
        seat = int(self.control.cells[ROOT])
        target = self._leader(world, seat) if self.target == LEADER else self.target
        self.control.cells[cells.TARGET] = target if target != seat else NOBODY
        self._lines.clear()

    def _leader(self, world: np.ndarray, without: int) -> int:
        """Return the seat with the highest value, one seat excepted."""
        values, value = np.zeros(self.settings.game.seats), self.settings.value
        value_of(self.settings.game.rules, value.handle, value.weights, world, values)
        values[without] = -np.inf
        return int(values.argmax())

    def search(self, world: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> int:
        """Search to one depth and write scores; return the index of the best move, or -1 if the budget ran out."""
        self.control.begin_depth()
        if self.speculative and len(tried) == self._count_moves(world):
            best = self._search_speculatively(world, depth, tried, scores)
        else:
            self._empty_table()
            best = int(search_root(self.arrays, world, depth, tried, scores, self.move_values))
        line = self.arrays.pv[: self.levels + 1].tolist()
        self._lines[depth] = line[: [*line, -1].index(-1)]
        return best

    def _count_moves(self, world: np.ndarray) -> int:
        return int(legal_moves(self.settings.game.rules, world, self.settings.game.new_moves()))

    def _empty_table(self) -> None:
        """Forget the results of a search to another depth: they hold for that depth only."""
        control = self.control.cells
        self.arrays.cells[: (control[SLOT_MASK] + 1) * (NUMBER + self.settings.game.seats)] = 0
        control[FILLED], control[SLOT_MASK] = 0, FIRST_SLOTS - 1

    def _search_speculatively(self, world: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> int:
        """Search all moves from the left; only the score of the best move is known afterwards."""
        arrays = self.arrays._replace(itself=speculate.handle)
        if not search_speculatively(arrays, world, depth):
            return -1
        best = int(np.flatnonzero(tried == arrays.pv[0])[0])
        self.move_values[best] = arrays.values[: self.settings.game.seats]
        scores[best] = arrays.values[int(self.control.cells[ROOT])]
        return best

    def line(self, world: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the principal variation of the search to this depth, if it begins with that move."""
        line = self._lines.get(depth, [])
        return line if line[:1] == [first] else [first]

    def values(self, seat: int, score: float, best: int) -> list[float]:
        """Return what the last search backed up."""
        return self.move_values[best].tolist()

    def values_at_end(self, seat: int, score: float) -> list[float] | None:
        """Return None: `values` has what the search backs up."""
        return None
