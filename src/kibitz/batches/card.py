"""A batch on a graphics card: CuPy holds the arrays and starts the kernels."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from kibitz.core.address import Native
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import RANDOM, BoundHeuristic
from kibitz.core.spec import parse

EXTRA = "kibitz[gpu]"
THREADS_A_BLOCK = 128
WAVES = 64  # blocks for each multiprocessor; more rows than that give a thread several


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


class GraphicsCard:
    """Runs the kernels of a game's batches on the current card."""

    name = "gpu"

    def __init__(self, game: Game):
        self.game, self.arrays = game, load_cupy()
        self.options = self.arrays.asarray(game.encoded_options)
        device = self.arrays.cuda.Device()
        self._capability = divmod(int(device.compute_capability), 10)
        self._most_blocks = WAVES * device.attributes["MultiProcessorCount"]
        self._kernels: dict[tuple[str, str], Callable[..., None]] = {}

    def array(self, given: Any) -> Any:
        """Return an array of NumPy on the card."""
        return self.arrays.asarray(given)

    def run(self, what: str, rows: int, *given: Any, asked: Native | None = None) -> None:
        """Run one of the kernels over all rows."""
        blocks = min((rows + THREADS_A_BLOCK - 1) // THREADS_A_BLOCK, self._most_blocks)
        self._kernel(what, asked)((blocks,), (THREADS_A_BLOCK,), (rows, *given))

    def _kernel(self, what: str, asked: Native | None) -> Callable[..., None]:
        known = what, "" if asked is None else f"{asked.__module__}.{asked.__name__}"
        if known not in self._kernels:
            from kibitz.batches.card_compiler import ENTRY, kernel_ptx

            code = kernel_ptx(self.game, what, self._capability, asked)
            module = self.arrays.cuda.Module()
            module.load(code.encode())
            self._kernels[known] = module.get_function(ENTRY)
        return self._kernels[known]

    def play_on(self, policy: BoundHeuristic, rows: int, most: int, *given: Any) -> None:
        """Play on in all rows by a policy, at most `most` moves."""
        asked = None if policy is RANDOM else self._native(policy, self.game.policies, "policy")
        self.run("run", rows, self.array(policy.weights), most, *given, asked=asked)

    def evaluate(self, value: BoundHeuristic, rows: int, *given: Any) -> None:
        """Write the value of each row."""
        asked = self._native(value, self.game.values, "value")
        self.run("value", rows, self.array(value.weights), *given, asked=asked)

    def _native(self, bound: BoundHeuristic, known: Any, what: str) -> Native:
        """Return the function of a policy or value."""
        name = parse(bound.text).name
        if name not in known:
            listed = ", ".join(known) or "none"
            raise BadValue(f"the {what} {bound.text} does not run on a graphics card; those of the game do: {listed}")
        found: Native = known[name]
        return found
