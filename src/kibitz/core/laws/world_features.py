"""What is compared between the worlds of a position: numbers that each world has, as columns with names.

A hidden cell may be a number, a bit mask, a packed list of digits, a flag, or a card. Nobody says which, so each is
tried: its number, its bits, its digits of four bits. Groups of cells are also read as sets: of bits, or of the numbers
in them, cell by cell, seat by seat, and all together. Sets are counted, cut into runs such as suits, intersected and
united with each other, and with those that the seat sees or was told. Which columns are worth computing is found in
some pilot positions: those that differ between worlds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kibitz.core.arrays import Float32s, Int64s
from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.laws.guess_samples import AHEAD, WORLDS, GuessedPositions, GuessSampler

PILOTS = 64  # positions that show how cells are used
MOST_BITS = 240  # bits of one group, chosen at random
MOST_TABLED = 80
MOST_WATCHED = 60
MOST_PAIRS = 32
HASHES = 16
MOST_ELEMENTS = 64  # cells of a group that are sets of their own
MOST_OF_A_KIND = 100  # columns of one kind and group, chosen at random
MOST_RUNS = 8  # runs that a set is cut into
DIGIT = 4  # bits
MOST_PACKED = 16  # cells of a group that may be packed lists
WORD = 63
GREAT = 1 << 20
FEW = 8  # values of a cell that are tabled
LEAST_DIFFERENT = 2  # pilot positions in which a column differs between worlds
TOLD = ("MOVES MADE", "LATEST MOVE")  # groups of cells that the law adds: what the seat was told
EVEN = (0.3, 0.7)  # how often the bits of a seed are set
SEED_BITS = 24  # a seed has at least


@dataclass(frozen=True)
class _Block:
    """Some columns with their names."""

    names: list[str]
    of: Callable[["_Worlds"], np.ndarray]  # [position, world, column]

    def only(self, kept: np.ndarray) -> "_Block":
        """Return the block with some of its columns."""
        return _Block([self.names[at] for at in kept], lambda worlds: self.of(worlds)[:, :, kept])


@dataclass(frozen=True)
class _Sets:
    """A group of cells read as sets: bit masks of `bits` bits."""

    name: str
    labels: list[str]  # of each set
    of: Callable[["_Worlds"], Int64s]  # [position, world, set]; a single world if all are alike
    bits: int
    hidden: bool


class _Worlds:
    """Positions, group by group; sets are computed once."""

    def __init__(self, positions: GuessedPositions, starts: dict[str, int], sizes: dict[str, int], secrets: Int64s):
        self.positions = positions
        self._sets: dict[int, Int64s] = {}
        cells = np.concatenate([positions.views, positions.told], axis=1)
        self.groups: dict[str, Int64s] = {}
        for name, start in starts.items():
            seen = cells[:, None, start : start + sizes[name]]
            inside = np.flatnonzero((secrets >= start) & (secrets < start + sizes[name]))
            if len(inside):
                seen = np.repeat(seen, WORLDS, axis=1)
                seen[:, :, secrets[inside] - start] = positions.now[:, :, inside]
            self.groups[name] = seen

    def sets(self, sets: _Sets) -> Int64s:
        """Return sets, computed once."""
        if id(sets) not in self._sets:
            self._sets[id(sets)] = sets.of(self)
        return self._sets[id(sets)]


class WorldFeatures:
    """The columns that are compared between the worlds of a game's positions."""

    def __init__(self, sampler: GuessSampler, chosen: np.random.Generator):
        game = sampler.game
        self._chosen, self._seats = chosen, game.seats
        self._sizes = game.cells.sizes | dict.fromkeys(TOLD, game.seats)
        self._starts = game.cells.starts | {TOLD[0]: game.size, TOLD[1]: game.size + game.seats}
        self._secrets = sampler.secrets
        sampler.watched = np.arange(game.size)
        positions = sampler.take(PILOTS)
        seeds = sampler.secrets[_seeds(positions.now)]
        self._watched = sampler.watched = _changing(positions.later, seeds, chosen)
        pilot = self._worlds(replace(positions, later=positions.later[..., self._watched]))
        self._pilot_size = len(positions)
        starts = {name: range(start, start + self._sizes[name]) for name, start in self._starts.items()}
        self._plain = {  # groups without seeds
            name: cells for name, cells in pilot.groups.items() if not set(starts[name]) & set(seeds.tolist())
        }
        self._hidden = [name for name, cells in self._plain.items() if cells.shape[1] > 1]
        known: set[bytes] = set()
        blocks = [self._new(block, pilot, known) for block in self._blocks(pilot, game)]
        self._kept = [block for block in blocks if block.names]
        self.names = [name for block in self._kept for name in block.names]

    def of(self, positions: GuessedPositions) -> Float32s:
        """Return the columns of positions: [position, world, column]."""
        worlds = self._worlds(positions)
        found = np.empty((len(positions), WORLDS, len(self.names)), dtype=np.float32)
        at = 0
        for block in self._kept:
            found[:, :, at : at + len(block.names)] = block.of(worlds)
            at += len(block.names)
        return found

    def _worlds(self, positions: GuessedPositions) -> _Worlds:
        return _Worlds(positions, self._starts, self._sizes, self._secrets)

    def _new(self, block: _Block, pilot: _Worlds, known: set[bytes]) -> _Block:
        """Return the columns that differ between worlds, without those that tell no more than known ones."""
        if not block.names:
            return block
        found = block.of(pilot).astype(np.float32)
        changes = found - found[:, :1]
        differ = np.flatnonzero((changes != 0).any(axis=1).sum(axis=0) >= LEAST_DIFFERENT)
        kept: list[int] = []
        for column in self._chosen.permutation(differ).tolist():
            change = changes[:, :, column]
            mark = (change * np.sign(change[change != 0][0]) + 0.0).tobytes()
            if mark not in known and len(kept) < MOST_OF_A_KIND:
                known.add(mark)
                kept.append(column)
        return block.only(np.sort(np.array(kept, dtype=np.int64)))

    def _blocks(self, pilot: _Worlds, game: Game) -> Iterator[_Block]:
        """Yield all columns that might be worth comparing."""
        if not self._pilot_size:
            return
        sets = [*self._sets(pilot)]
        hidden = [each for each in sets if each.hidden]
        for name in self._hidden:
            yield self._numbers(name)
            yield self._sums(name)
            yield self._digits(name)
        for each in hidden:
            yield self._bits(each, pilot)
            yield self._counts(each)
            yield from self._runs(each)
            yield from self._runs_answered(each)
            yield self._named(each, pilot)
        for a in hidden:
            for b in sets:
                if a is not b and not (b.hidden and a.name > b.name):
                    yield self._joint(a, b)
                    yield from self._runs_told(a, b)
                    yield from self._runs_shared(a, b)
        for name in self._hidden:
            for other in self._plain:
                yield self._tabled(name, other, pilot)
        yield self._pairs(pilot)
        yield from self._hashes()
        yield from self._future(game)

    def _numbers(self, name: str) -> _Block:
        return _Block(self._labels(name), lambda worlds: _number(worlds.groups[name]))

    def _sums(self, name: str) -> _Block:
        """Return the sum of a group, the sum of its squares, and how uneven its numbers are shared out."""

        def of(worlds: _Worlds) -> np.ndarray:
            cells = _number(worlds.groups[name])
            ordered = np.sort(worlds.groups[name], axis=2)
            alike = (ordered[:, :, 1:] == ordered[:, :, :-1]).sum(axis=2)
            return np.stack([cells.sum(axis=2), (cells**2).sum(axis=2), alike], axis=2)

        if self._sizes[name] == 1:
            return _Block([], of)
        return _Block([f"the sum of {name}", f"the sum of squares of {name}", f"equal numbers in {name}"], of)

    def _digits(self, name: str) -> _Block:
        """Return the digits of cells that are packed lists, and for each cell the sum of their squares."""
        wide = int(np.abs(self._plain[name]).max()) >= 1 << (2 * DIGIT)
        labels = self._labels(name) if wide and self._sizes[name] <= MOST_PACKED else []
        places = range(0, WORD, DIGIT)

        def of(worlds: _Worlds) -> np.ndarray:
            cells = worlds.groups[name][:, :, : len(labels)]
            digits = np.stack([(cells >> place) & ((1 << DIGIT) - 1) for place in places], axis=3)
            squares = (digits**2).sum(axis=3)
            together = squares.sum(axis=2, keepdims=True)
            most = digits.max(axis=3)
            return np.concatenate([digits.reshape(*cells.shape[:2], -1), squares, together, most], axis=2)

        names = [f"digit {place // DIGIT} of {label}" for label in labels for place in places]
        names += [f"the sum of squares of the digits of {label}" for label in labels]
        names += [f"the sum of squares of all digits of {name}"] * wide
        return _Block(names + [f"the greatest digit of {label}" for label in labels], of)

    def _labels(self, name: str) -> list[str]:
        size = self._sizes[name]
        return [name] if size == 1 else [f"{name}[{at}]" for at in range(size)]

    def _sets(self, pilot: _Worlds) -> Iterator[_Sets]:
        """Yield the groups that can be read as sets, in each way that makes sense."""
        for name, cells in self._plain.items():
            size, known = self._sizes[name], cells[cells != UNKNOWN]
            hidden, least, most = name in self._hidden, int(known.min(initial=0)), int(known.max(initial=0))
            labels = self._labels(name)
            if least >= 0 and most >= 3 and size <= MOST_ELEMENTS:
                yield _Sets(name, labels, _masks(name), most.bit_length(), hidden)
                if size > 1:
                    yield _Sets(name, [f"all of {name}"], _united(_masks(name), 1), most.bit_length(), hidden)
            if 0 < most < WORD:
                if 1 < size <= MOST_ELEMENTS and most > 1:
                    yield _Sets(f"{{{name}}}", [f"{{{label}}}" for label in labels], _singles(name), most + 1, hidden)
                if size > 1 and most > 1:
                    yield _Sets(f"{{{name}}}", [f"the numbers in {name}"], _united(_singles(name), 1), most + 1, hidden)
                if size > self._seats and size % self._seats == 0:
                    parts = [f"part {at} of {name}" for at in range(self._seats)]
                    yield _Sets(f"{{{name}}}", parts, _united(_singles(name), self._seats), most + 1, hidden)
                    if most == 1:
                        yield _Sets(name, parts, _flags(name, self._seats), size // self._seats, hidden)

    def _bits(self, sets: _Sets, pilot: _Worlds) -> _Block:
        found = pilot.sets(sets)
        differing = [
            (each, bit) for each in range(len(sets.labels)) for bit in range(sets.bits)
            if (np.ptp(found[:, :, each] >> bit & 1, axis=1) > 0).any()
        ]  # fmt: skip
        kept = self._some(differing, MOST_BITS)
        which, bits = (np.array([pair[i] for pair in kept], dtype=np.int64) for i in (0, 1))
        names = [f"whether {bit} is in {sets.labels[each]}" for each, bit in kept]
        return _Block(names, lambda worlds: worlds.sets(sets)[:, :, which] >> bits & 1)

    def _counts(self, sets: _Sets) -> _Block:
        """Return how many each set has, the sum of their squares, and how many are in two sets at once."""

        def of(worlds: _Worlds) -> np.ndarray:
            found = worlds.sets(sets)
            counts = np.bitwise_count(found).astype(np.int64)
            united = np.bitwise_count(np.bitwise_or.reduce(found, axis=2))
            return np.concatenate([counts, np.stack([(counts**2).sum(axis=2), united], axis=2)], axis=2)

        names = [f"how many are in {label}" for label in sets.labels]
        united = f"how many different numbers are in {sets.name}"
        return _Block([*names, f"how uneven the numbers are shared out in {sets.name}", united], of)

    def _runs(self, sets: _Sets) -> Iterator[_Block]:
        """Yield how many a set has of each run, such as a suit: of neighbours, or of every n-th."""
        for parts, way, masks in _cuts(sets.bits):

            def of(worlds: _Worlds, masks: Int64s = masks) -> np.ndarray:
                found = np.bitwise_count(worlds.sets(sets)[:, :, :, None] & masks).astype(np.int64)
                flat = found.reshape(*found.shape[:2], -1)
                return np.concatenate([flat, (flat**2).sum(axis=2, keepdims=True)], axis=2)

            names = [f"how many of {part} are in {label}" for label in sets.labels for part in parts]
            if len(names) <= MOST_BITS:
                yield _Block([*names, f"how uneven {sets.name} has of {way}"], of)

    def _runs_told(self, a: _Sets, b: _Sets) -> Iterator[_Block]:
        """Yield how many sets have of the runs that sets in view name, such as suits that a seat lacks."""
        if b.hidden or len(a.labels) != len(b.labels):
            return
        for parts, way, masks in _cuts(a.bits):
            for skipped in (0, 1):
                if b.bits - skipped != len(parts):
                    continue

                def of(worlds: _Worlds, masks: Int64s = masks, skipped: int = skipped) -> np.ndarray:
                    named = worlds.sets(b)[:, :, :, None] >> np.arange(skipped, skipped + len(masks)) & 1
                    inside = np.bitwise_or.reduce(named * masks, axis=3)
                    return np.bitwise_count(worlds.sets(a) & inside).sum(axis=2, keepdims=True, dtype=np.int64)

                yield _Block([f"how many of those {way} that are named in {b.name} are in {a.name}"], of)

    def _runs_shared(self, a: _Sets, b: _Sets) -> Iterator[_Block]:
        """Yield how many sets have of the runs of which sets in view have some, such as suits that a seat played."""
        paired = self._paired(a, b)
        if b.hidden or not paired:
            return
        for _, way, masks in _cuts(a.bits):

            def of(worlds: _Worlds, masks: Int64s = masks) -> np.ndarray:
                one, other = (
                    np.bitwise_count(worlds.sets(each)[:, :, :paired, None] & masks).astype(np.int64) for each in (a, b)
                )
                return np.stack([(one * (other > 0)).sum(axis=(2, 3)), (one * other).sum(axis=(2, 3))], axis=2)

            each = f"how many of each of {way} are in {a.name}, times those in {b.name}, added up"
            yield _Block([f"how many of those {way} of which some are in {b.name} are in {a.name}", each], of)

    def _runs_answered(self, sets: _Sets) -> Iterator[_Block]:
        """Yield how many sets of seats have of the runs in which the seats answered moves, as suits are followed."""
        seats = self._seats
        if not seats <= len(sets.labels) < 2 * seats:
            return
        for _, way, masks in _cuts(sets.bits):

            def of(worlds: _Worlds, masks: Int64s = masks) -> np.ndarray:
                answers = _answers(worlds.positions.heard, seats, masks)[:, None]
                held = np.bitwise_count(worlds.sets(sets)[:, :, :seats, None] & masks).astype(np.int64)
                return np.stack([(held * (answers > 0)).sum(axis=(2, 3)), (held * answers).sum(axis=(2, 3))], axis=2)

            each = f"how many of each of {way} are in {sets.name}, times the answers of the seat in it, added up"
            once = f"how many of those {way} in which the seat answered a move are in {sets.name}"
            yield _Block([once, each], of)

    def _named(self, sets: _Sets, pilot: _Worlds) -> _Block:
        """Return whether a set has the number that a cell in view holds, as where one card of a hand was shown."""
        cells = [
            (name, at) for name, values in self._plain.items() if values.shape[1] == 1
            for at in range(self._sizes[name]) if np.ptp(values[:, 0, at]) > 0 and 1 < values[:, 0, at].max() < WORD
        ]  # fmt: skip

        def whether(worlds: _Worlds, each: int, name: str, at: int) -> np.ndarray:
            number = worlds.groups[name][:, :, at]
            inside = (number >= 0) & (number < sets.bits)
            return np.asarray(inside & (worlds.sets(sets)[:, :, each] >> np.where(inside, number, 0) & 1 == 1))

        all_pairs = [(each, *cell) for each in range(len(sets.labels)) for cell in cells]
        differing = [pair for pair in all_pairs if (np.ptp(whether(pilot, *pair).view(np.int8), axis=1) > 0).any()]
        pairs = self._some(differing, MOST_BITS)
        names = [
            f"whether the number in {self._labels(name)[at]} is in {sets.labels[each]}" for each, name, at in pairs
        ]
        return _Block(names, lambda worlds: np.stack([whether(worlds, *pair) for pair in pairs], axis=2))

    def _paired(self, a: _Sets, b: _Sets) -> int:
        """Return how many sets of two groups belong together one by one: all, or those of the seats."""
        one, other = len(a.labels), len(b.labels)
        return (
            one if one == other else self._seats * (self._seats <= min(one, other) <= max(one, other) < 2 * self._seats)
        )

    def _joint(self, a: _Sets, b: _Sets) -> _Block:
        """Return how many sets share, set by set and all together, and how many they have together."""
        paired = self._paired(a, b)

        def of(worlds: _Worlds) -> np.ndarray:
            one, other = worlds.sets(a), worlds.sets(b)
            all_one, all_other = np.bitwise_or.reduce(one, axis=2), np.bitwise_or.reduce(other, axis=2)
            found = [np.bitwise_count(all_one & all_other), np.bitwise_count(all_one | all_other)]
            if paired > 1:
                one, other = one[:, :, :paired], other[:, :, :paired]
                found += [np.bitwise_count(one & other).sum(axis=2, dtype=np.int64)]
                found += [np.bitwise_count(one | other).sum(axis=2, dtype=np.int64)]
            return np.stack([np.broadcast_to(each, all_one.shape) for each in found], axis=2)

        both, either = (word.join(_told_apart(a, b)) for word in (" and in ", " or in "))
        names = [f"how many are in {both}", f"how many are in {either}"]
        if paired > 1:
            names += [f"how many are in {both} of the same number", f"how many are in {either} of the same number"]
        return _Block(names, of)

    def _tabled(self, name: str, other: str, pilot: _Worlds) -> _Block:
        """Return how often a cell has one value where the same cell of another group has another."""
        size = self._sizes[name]
        empty = _Block([], lambda worlds: worlds.groups[name])
        if name == other or not 1 < size == self._sizes[other] or size > MOST_ELEMENTS:
            return empty
        values = [np.unique(cells[cells != UNKNOWN]) for cells in (self._plain[name], self._plain[other])]
        if not 1 < len(values[1]) <= FEW or len(values[0]) > MOST_ELEMENTS:
            return empty
        pairs = self._some([(v, w) for v in values[0].tolist() for w in values[1].tolist()], MOST_TABLED)

        def of(worlds: _Worlds) -> np.ndarray:
            one, two = worlds.groups[name], worlds.groups[other]
            return np.stack([((one == v) & (two == w)).sum(axis=2) for v, w in pairs], axis=2)

        return _Block([f"how often {name} is {v} where {other} is {w}" for v, w in pairs], of)

    def _pairs(self, pilot: _Worlds) -> _Block:
        """Return whether a cell equals another, and whether it is less; one of them is hidden."""
        hidden = [(name, at) for name in self._hidden for at in range(self._sizes[name])]
        others = [(name, at) for name in self._plain for at in range(self._sizes[name])]
        near = [((name, at), (name, at + 1)) for name, at in hidden if at + 1 < self._sizes[name]]
        far = [(self._one(hidden), self._one(others)) for _ in range(MOST_PAIRS) if hidden]
        pairs = [*self._some(near, MOST_PAIRS), *(pair for pair in far if pair[0] != pair[1])]

        def of(worlds: _Worlds) -> np.ndarray:
            columns = []
            for (name, at), (other, there) in pairs:
                one, two = worlds.groups[name][:, :, at], worlds.groups[other][:, :, there]
                columns += [one == two, one < two]
            return np.stack(columns, axis=2)

        labels = [(self._labels(name)[at], self._labels(other)[there]) for (name, at), (other, there) in pairs]
        return _Block([f"whether {a} {how} {b}" for a, b in labels for how in ("equals", "is less than")], of)

    def _hashes(self) -> Iterator[_Block]:
        """Yield random functions of random hidden cells: sums of functions of single cells, and bits of the sums."""
        cells = [(name, at) for name in self._hidden for at in range(self._sizes[name])]
        if not cells:
            return
        salts = self._chosen.integers(1, 2**62, size=len(cells), dtype=np.int64) | 1
        shares = self._chosen.choice([0.0, 0.1, 0.5, 1.0], (HASHES, 1))
        subsets = (self._chosen.random((HASHES, len(cells))) < shares).astype(np.int64)
        subsets[np.arange(HASHES), self._chosen.integers(len(cells), size=HASHES)] = 1

        def of(worlds: _Worlds) -> np.ndarray:
            mixed = np.concatenate([worlds.groups[name] for name in self._hidden], axis=2)
            mixed = (mixed ^ salts) * salts
            mixed ^= mixed >> 29
            mixed = ((mixed * salts) >> 40) & 0xFFFF
            sums = mixed @ subsets.T
            return np.concatenate([sums, sums >> 3 & 1, sums >> 7 & 1], axis=2)

        functions = [f"random function {at} of hidden cells" for at in range(HASHES)]
        yield _Block([f"{part}{each}" for part in ("", "a bit of ", "another bit of ") for each in functions], of)

    def _future(self, game: Game) -> Iterator[_Block]:
        """Yield how many moves there are, now and later, cells some moves later, and what seats earn."""
        times = ["", *(f" {ahead} random moves later" for ahead in AHEAD)]
        counted = [f"the number of moves{when}" for when in times]
        yield _Block(counted, lambda worlds: worlds.positions.choices.transpose(0, 2, 1))
        names = [game.cells.name_of(cell) for cell in self._watched]
        at = {cell: place for place, cell in enumerate(self._secrets.tolist())}
        both = [place for place, cell in enumerate(self._watched.tolist()) if cell in at]
        places = np.array([at[self._watched[place]] for place in both], dtype=np.int64)

        def later(worlds: _Worlds) -> Int64s:
            found = worlds.positions.later.transpose(0, 2, 1, 3)
            return _number(found.reshape(*found.shape[:2], -1))

        def same(worlds: _Worlds) -> np.ndarray:
            found = worlds.positions.later[..., both] == worlds.positions.now[:, None, :, places]
            return found.transpose(0, 2, 1, 3).reshape(len(found), WORLDS, -1)

        yield _Block([f"{name}{when}" for when in times[1:] for name in names], later)
        yield _Block([f"whether {names[place]} is the same{when}" for when in times[1:] for place in both], same)
        earned = [f"what seat {seat + 1} earns by random play" for seat in range(game.seats)]
        yield _Block(earned, lambda worlds: worlds.positions.earned)

    def _some(self, found: list[Any], most: int) -> list[Any]:
        """Return some of a list, chosen at random if there are too many."""
        if len(found) <= most:
            return found
        return [found[at] for at in np.sort(self._chosen.choice(len(found), most, replace=False))]

    def _one(self, found: list[Any]) -> tuple[str, int]:
        """Return one of a list."""
        name, at = found[int(self._chosen.integers(len(found)))]
        return name, at


def _number(cells: Int64s) -> Int64s:
    """Return what cells mean as numbers: those that are too great for a number are masks, of so many bits."""
    return np.where(np.abs(cells) < GREAT, cells, np.bitwise_count(cells).astype(np.int64))


def _masks(name: str) -> Callable[[_Worlds], Int64s]:
    return lambda worlds: np.where(worlds.groups[name] < 0, 0, worlds.groups[name])


def _singles(name: str) -> Callable[[_Worlds], Int64s]:
    """Return sets of one number each, empty for a number that is none."""

    def of(worlds: _Worlds) -> Int64s:
        cells = worlds.groups[name]
        inside = (cells >= 0) & (cells < WORD)
        return np.where(inside, np.int64(1) << np.where(inside, cells, 0), 0)

    return of


def _flags(name: str, parts: int) -> Callable[[_Worlds], Int64s]:
    """Return the flags of each part as a set."""

    def of(worlds: _Worlds) -> Int64s:
        cells = worlds.groups[name]
        flags = cells.reshape(*cells.shape[:2], parts, -1) > 0
        return (flags.astype(np.int64) << np.arange(flags.shape[3])).sum(axis=3)

    return of


def _united(sets: Callable[[_Worlds], Int64s], parts: int) -> Callable[[_Worlds], Int64s]:
    """Return the unions of sets, in some parts."""

    def of(worlds: _Worlds) -> Int64s:
        found = sets(worlds)
        return np.asarray(np.bitwise_or.reduce(found.reshape(*found.shape[:2], parts, -1), axis=3))

    return of


def _cuts(bits: int) -> Iterator[tuple[list[str], str, Int64s]]:
    """Yield ways to cut a set into runs: the numbers in each, in words, those of all, and their masks."""
    for size in (bits, bits - 1, bits + 1):  # cards may count from 1, and the highest may never be seen
        for parts in range(2, MOST_RUNS + 1):
            if size <= WORD and size % parts == 0 and size // parts > 1 and (size == bits or parts > 2):
                first, width = int(size == bits - 1), size // parts
                blocks = [sum(1 << (first + part * width + at) for at in range(width)) for part in range(parts)]
                combs = [sum(1 << (first + part + at * parts) for at in range(width)) for part in range(parts)]
                runs = [f"{first + part * width} to {first + (part + 1) * width - 1}" for part in range(parts)]
                teeth = [f"{first + part}, {first + part + parts}, …" for part in range(parts)]
                yield runs, f"{parts} runs ({runs[0]}; {runs[1]}{'; …' * (parts > 2)})", np.array(blocks)
                yield teeth, f"{parts} classes ({teeth[0]}; {teeth[1]}{'; …' * (parts > 2)})", np.array(combs)


def _answers(heard: Int64s, seats: int, masks: Int64s) -> Int64s:
    """Return how often each seat made a move of a run right after another seat's move of that run, by seat and run."""
    movers, looks = heard[:, :, 0], heard[:, :, 1]
    inside = (movers > 0) & (looks >= 0) & (looks < WORD)
    known = np.where(inside, np.int64(1) << np.where(inside, looks, 0), 0)[:, :, None] & masks != 0
    alike = known[:, 1:] & known[:, :-1] & (movers[:, 1:] != movers[:, :-1])[:, :, None]
    mine = movers[:, 1:, None] == 1 + np.arange(seats)
    return np.asarray(np.einsum("pms,pmr->psr", mine.astype(np.int64), alike.astype(np.int64)))


def _told_apart(a: _Sets, b: _Sets) -> tuple[str, str]:
    one = a.labels[0] if len(a.labels) == 1 else a.name
    return one, b.labels[0] if len(b.labels) == 1 else b.name


def _changing(later: Int64s, seeds: Int64s, chosen: np.random.Generator) -> Int64s:
    """Return the cells that are worth watching: those whose future differs between worlds, but for seeds."""
    differing = (later != later[:, :, :1]).any(axis=(1, 2)).sum(axis=0)
    differing[seeds] = 0
    found = np.flatnonzero(differing >= LEAST_DIFFERENT)
    return np.sort(chosen.permutation(found)[:MOST_WATCHED])


def _seeds(now: Int64s) -> np.ndarray:
    """Return which secrets are seeds: their guesses never repeat, and their bits are those of random numbers.

    The number of a seed means nothing, so only its consequences are compared.
    """
    seeds = np.zeros(now.shape[2], dtype=bool)
    for place in range(now.shape[2]):
        hidden = np.ptp(now[:, 1:, place], axis=1) > 0
        guesses = now[hidden, 1:, place]
        if not guesses.size or len(np.unique(guesses)) < guesses.size:
            continue
        bits = guesses[:, :, None] >> np.arange(WORD) & 1
        share = bits.mean(axis=(0, 1))
        fair = (share > EVEN[0]) & (share < EVEN[1])
        used = int(np.flatnonzero(share > 0).max(initial=0)) + 1
        counts_differ = (np.ptp(np.bitwise_count(guesses), axis=1) > 0).mean() > 0.5
        seeds[place] = used >= SEED_BITS and fair[: used - 1].all() and counts_differ
    return seeds
