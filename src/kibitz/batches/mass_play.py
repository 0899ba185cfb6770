"""Mass play: games of a policy against itself, of which only sums are kept.

A launch plays many games side by side, on processors or on a card, and adds them up there: how often there was each
outcome and each length. What comes back is short, however many games there were.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.batches.mass_play_rows import FAILED, NOT_DONE, PLAYED
from kibitz.core.arrays import Int64s, UInt64s
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.stream_seeds import streams_of

NONE = np.zeros(0, dtype=np.int64)
HASHES_KEPT = 1 << 20  # of games, by which different ones are counted; beyond it, a sample tells how many there are


class OutcomeCount(NamedTuple):
    """How often games ended in a way."""

    payoffs: tuple[float, ...]  # by seat; zeros where a seat failed
    failed: int  # the seat that picked an illegal move, or -1
    games: int


class Launch(NamedTuple):
    """The sums of some games."""

    outcomes: list[OutcomeCount]
    plies: Int64s  # [length]: the different lengths of games
    games: Int64s  # [length]: how many games were so long
    undone: int | None  # the number of a game that a rule broke off; nothing else is told then
    drawn: list[int]  # the numbers of the first games that nobody won
    failed: list[int]  # the numbers of the first games in which a seat failed


class DifferentGames:
    """Counts different games by their hashes: exactly up to HASHES_KEPT, then by a sample of the hashes."""

    def __init__(self) -> None:
        self._hashes, self._bits = np.zeros(0, dtype=np.uint64), 0
        self._fresh: list[UInt64s] = []  # hashes that are not among the others yet

    @property
    def mask(self) -> np.uint64:
        """The bits of a hash that must be 0 to be in the sample."""
        return np.uint64((1 << self._bits) - 1)

    @property
    def is_exact(self) -> bool:
        """Whether the number is exact."""
        self._merge()
        return self._bits == 0

    def __int__(self) -> int:
        self._merge()
        return len(self._hashes) << self._bits

    def add(self, hashes: UInt64s) -> None:
        """Take hashes of the sample."""
        self._fresh.append(hashes)
        if sum(map(len, self._fresh)) > HASHES_KEPT:
            self._merge()

    def _merge(self) -> None:
        self._hashes = np.unique(np.concatenate([self._hashes, *self._fresh]))
        self._fresh.clear()
        while len(self._hashes) > HASHES_KEPT:
            self._bits += 1
            self._hashes = self._hashes[(self._hashes & self.mask) == 0]


class MassPlay:
    """Plays games of a policy against itself on a device; each follows from the seed of the whole and its number."""

    def __init__(self, game: Game, policy: BoundHeuristic, by_index: bool, seed: int, opening: int, device: Any):
        self.game, self.policy, self.by_index, self.opening, self.device = game, policy, by_index, opening, device
        self.different = DifferentGames()
        self._streams = device.array(streams_of(seed))
        self._options = device.array(game.encoded_options)
        self._known: dict[int, tuple[tuple[float, ...], int]] = {}  # payoffs and end by their code

    def play(self, number: int, games: int, most_drawn: int, most_failed: int) -> Launch:
        """Play the games from `number` on; tell the numbers of so many that nobody won, and in which a seat failed."""
        xp = self.device.arrays
        payoffs = xp.zeros((games, self.game.seats), dtype=np.int64)
        codes, hashes = (xp.zeros(games, dtype=np.uint64) for _ in range(2))
        plies, ends = xp.zeros(games, dtype=np.int64), xp.full(games, NOT_DONE, dtype=np.int64)
        self.device.play_by_itself(
            self.policy, self.by_index, games, self._options, self._streams, self.opening, number,
            payoffs.reshape(-1), codes, plies, ends, hashes,
        )  # fmt: skip
        if int(ends.min()) == NOT_DONE:
            return Launch([], NONE, NONE, number + int(xp.argmin(ends)), [], [])
        self.different.add(_here(hashes[(hashes & self.different.mask) == 0]))
        counts = self._counted(codes, payoffs, ends)
        lengths, games_of_length = map(_here, xp.unique(plies, return_counts=True))
        drawn = [code for code, (earned, end) in self._known.items() if end == PLAYED and _is_drawn(earned)]
        failed = [code for code, (_, end) in self._known.items() if end >= FAILED]
        told = (self._first(codes, drawn, most_drawn), self._first(codes, failed, most_failed))
        return Launch(counts, lengths, games_of_length, None, *((number + rows).tolist() for rows in told))

    def _counted(self, codes: Any, payoffs: Any, ends: Any) -> list[OutcomeCount]:
        """Return how often there was each outcome."""
        xp = self.device.arrays
        values, counts = map(_here, xp.unique(codes, return_counts=True))
        if any(code not in self._known for code in values.tolist()):
            _, first = xp.unique(codes, return_index=True)
            rows = _here(payoffs[first]).view(np.float64).tolist()
            for code, earned, end in zip(values.tolist(), rows, _here(ends[first]).tolist(), strict=True):
                self._known[code] = tuple(earned), end
        found = []
        for code, count in zip(values.tolist(), counts.tolist(), strict=True):
            earned, end = self._known[code]
            found.append(OutcomeCount(earned, end - FAILED if end >= FAILED else -1, count))
        return found

    def _first(self, codes: Any, wanted: Sequence[int], most: int) -> Int64s:
        """Return the rows of the first games with some codes."""
        xp = self.device.arrays
        if not wanted or not most:
            return NONE
        among = xp.isin(codes, self.device.array(np.array(wanted, dtype=np.uint64)))
        return _here(xp.flatnonzero(among)[:most])


def _is_drawn(payoffs: Sequence[float]) -> bool:
    return payoffs.count(max(payoffs)) > 1


def _here(array: Any) -> Any:
    """Return an array of the device as one of NumPy."""
    return np.asarray(array.get() if hasattr(array, "get") else array)
