"""A batch on a graphics card: CuPy holds the arrays and starts the kernels."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from kibitz.batches.card_room import room_of
from kibitz.core.address import Native
from kibitz.core.arrays import Floats
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM, BoundHeuristic
from kibitz.networks.encoding import Encoding

EXTRA = "kibitz[gpu]"
ROOM_PART = 4  # threads together take at most one part in so many of the memory that is free
WAVES = 64  # blocks for each multiprocessor; more rows than that give a thread several
THREADS_A_BLOCK = 128
BLOCKS_AT_ONCE = 8  # of each multiprocessor; more hide more waiting, but have fewer registers and less cache each
RUN, IN_PLACE = "run", "run_in_place"
TRIED = ((RUN, 2), (RUN, 4), (RUN, 8), (RUN, 12), (IN_PLACE, 4), (IN_PLACE, 8))  # kernels, with their blocks at once
MEASURED_ROWS, MEASURED_MOVES, TRIALS = 1 << 18, 256, 2  # of a trial; with fewer rows none is made
LASTING = (RUN, IN_PLACE)  # kernels whose threads take rows until there are none: no more threads than run at once


def load_cupy() -> Any:
    """Return CuPy with a card that works; a BadValue says what is missing."""
    if find_spec("cupy") is None:
        raise BadValue(f"games on a graphics card need one more library: pip install '{EXTRA}'")
    import cupy

    try:
        cards = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise BadValue(f'no graphics card can be used here: {_plain(error)}; device="cpu" always can') from error
    if cards == 0:
        raise BadValue('this machine has no graphics card that CUDA can use; device="cpu" always can')
    return cupy


def _plain(error: Exception) -> str:
    """Return the message of CUDA without the name of its number."""
    return str(error).partition(": ")[2] or str(error)


@lru_cache(maxsize=256)
def _function_of(code: str, card: int) -> Any:
    """Return the kernel of some PTX on the current card, by its number; loading takes the driver up to seconds."""
    import cupy

    from kibitz.batches.card_compiler import ENTRY

    module = cupy.cuda.Module()
    module.load(code.encode())
    return module.get_function(ENTRY)


class GraphicsCard:
    """Runs the kernels of a game's batches on the current card."""

    name = "gpu"
    most_rows = 1 << 23  # of which sums are made at a time

    def __init__(self, game: Game):
        self.game, self.arrays = game, load_cupy()
        device = self.arrays.cuda.Device()
        self._capability = divmod(int(device.compute_capability), 10)
        self._multiprocessors = device.attributes["MultiProcessorCount"]
        self._most_room = device.mem_info[0] // ROOM_PART // np.dtype(np.int64).itemsize
        self._begin()

    def _begin(self) -> None:
        self.options = self.array(self.game.encoded_options)
        self._failed = self.array(np.zeros(1, dtype=np.int64))
        self._kernels: dict[tuple[str, tuple[Native, ...]], Callable[..., None]] = {}
        self._measured: set[tuple[Native, ...]] = set()  # what `run` has been measured with

    def array(self, given: Any) -> Any:
        """Return an array of NumPy on the card."""
        return self.arrays.asarray(given)

    def run(self, what: str, rows: int, *given: Any, asked: tuple[Native, ...] = ()) -> None:
        """Run one of the kernels over all rows; `asked` is what it calls, and what that calls."""
        if (what, asked) not in self._kernels:
            self._kernels[what, asked] = self._loaded(what, asked)
        self._kernels[what, asked](rows, *given)

    def _loaded(self, what: str, asked: tuple[Native, ...], at_once: int = BLOCKS_AT_ONCE) -> Callable[..., None]:
        """Return what starts a kernel of which each multiprocessor runs so many blocks at once."""
        from kibitz.batches.card_compiler import kernel_ptx, shaped

        code = shaped(kernel_ptx(self.game, what, self._capability, asked), THREADS_A_BLOCK, at_once)
        function, cells = _function_of(code, int(self.arrays.cuda.Device().id)), room_of(code)
        most = self._multiprocessors * (at_once if what in LASTING else WAVES)
        if cells:
            most = min(most, max(1, self._most_room // (cells * THREADS_A_BLOCK)))

        def start(rows: int, *given: Any) -> None:
            blocks = min((rows + THREADS_A_BLOCK - 1) // THREADS_A_BLOCK, most)
            room = self.arrays.empty(cells * blocks * THREADS_A_BLOCK, dtype=np.int64) if cells else self._failed
            function((blocks,), (THREADS_A_BLOCK,), (rows, *given, self._failed, room))

        return start

    def play_on(self, policy: BoundHeuristic, rows: int, most: int, *given: Any) -> None:
        """Play on in all rows by a policy, at most `most` moves."""
        asked, weights = self._asked(policy)
        if rows >= MEASURED_ROWS and asked not in self._measured:
            self._kernels[RUN, asked] = self._fastest(asked, rows, weights, min(most, MEASURED_MOVES), *given)
            self._measured.add(asked)
        self.run(RUN, rows, weights, most, *given, self.arrays.zeros(1, dtype=np.int64), asked=asked)

    def _fastest(self, asked: tuple[Native, ...], rows: int, *given: Any) -> Callable[..., None]:
        """Return what starts the way to run on that is fastest in a short trial on copies."""
        times, event = {}, self.arrays.cuda.Event
        for what, blocks in TRIED:
            start, taken = self._loaded(what, asked, blocks), []
            for _ in range(TRIALS):
                copies = [_of_first_rows(one, rows) for one in given]
                begun, done = event(), event()
                begun.record()
                start(MEASURED_ROWS, *copies, self.arrays.zeros(1, dtype=np.int64))
                done.record()
                done.synchronize()
                taken.append(self.arrays.cuda.get_elapsed_time(begun, done))
            times[min(taken)] = start
        self._failed[:] = 0
        return times[min(times)]

    def evaluate(self, value: BoundHeuristic, rows: int, *given: Any) -> None:
        """Write the value of each row."""
        asked, weights = self._asked(value)
        self.run("value", rows, weights, *given, asked=asked)

    def play_by_itself(self, policy: BoundHeuristic, by_index: bool, rows: int, *given: Any) -> None:
        """Play games of a policy against itself."""
        asked, weights = self._asked(policy)
        self.run("mass_play", rows, int(by_index), weights, *given, asked=asked)

    def play_out(self, policy: BoundHeuristic, rows: int, *given: Any) -> None:
        """Play playouts by a policy."""
        asked, weights = self._asked(policy)
        self.run("playouts", rows, weights, *given, asked=asked)

    def encode(self, encoding: Encoding, rows: int, *given: Any) -> None:
        """Write the inputs of networks for each row."""
        self.run("features", rows, *given, asked=(encoding,))

    def failed(self) -> bool:
        """Return whether a rule has failed since this was asked last, and nothing was raised."""
        failed = bool(self._failed[0])
        if failed:
            self._failed[0] = 0
        return failed

    def numbered(self, bound: Sequence[BoundHeuristic]) -> tuple[tuple[Native, ...], list[int], list[Floats]]:
        """Return the functions of policies or values, with those that they call, their numbers, and their weights."""
        from kibitz.batches.card_compiler import numbers_of

        for one in bound:
            if one is not RANDOM and one.native is None:
                raise BadValue(f"{one.text} does not run on a graphics card, as its function is not known")
        asked = tuple(native for one in bound if one.native for native in (one.native, *one.calls.values()))
        number = dict(zip(asked, numbers_of(self.game, asked), strict=True))
        weights = [one.weights.copy() for one in bound]
        for one, own in zip(bound, weights, strict=True):
            own[list(one.calls)] = [number[native] for native in one.calls.values()]
        return asked, [number[one.native] if one.native else 0 for one in bound], weights

    def _asked(self, bound: BoundHeuristic) -> tuple[tuple[Native, ...], Any]:
        """Return the function of a policy or value with those that it calls, and its weights, on the card."""
        asked, _, (weights,) = self.numbered([bound])
        return asked, self.array(weights)


def _of_first_rows(given: Any, rows: int) -> Any:
    """Return a copy of what an array holds of the rows of a trial; what has no rows, as it is."""
    size = getattr(given, "size", 0)
    return given[: size // rows * MEASURED_ROWS].copy() if size >= rows else given
