"""How fast a card plays random games, by how its threads are arranged: `python -m tests.batches.kernel_speed [GAME …]`.

It needs a card. The first games of each arrangement must be those of processors.
"""

import sys
from collections.abc import Iterator

import numpy as np

import kibitz
from kibitz.batches import card, card_compiler, card_runs
from kibitz.core.errors import KibitzError

GAMES = {"quarto": 1 << 23, "chexers": 1 << 20, "cartagena": 1 << 20, "colonizers": 1 << 20, "./tests/fours": 1 << 22}
OTHER_GAMES = 1 << 20
ARRANGEMENTS = (  # blocks at once, moves of a slice, whether the rows are played in place
    (8, 32, False), (2, 32, False), (3, 32, False), (4, 32, False), (2, 32, True), (4, 32, True), (8, 32, True),
    (10, 32, True),
)  # fmt: skip
CHECKED = 2000
ROUNDS = 5
SEED = 3


def main(names: list[str]) -> None:
    """Print a row for each game and arrangement."""
    arrays = card.load_cupy()
    print(f"{'game':16} {'games':>9} {'blocks':>6} {'slice':>5} place {'ms':>9} {'games/s':>10} {'moves/s':>10}")
    for name in names or GAMES:
        games = GAMES.get(name, OTHER_GAMES)
        here = kibitz.batch(name, CHECKED, seed=SEED)
        here.run()
        for blocks, moves, in_place in _arrangements():
            there = kibitz.batch(name, games, "gpu", SEED)
            seconds = _seconds(arrays, there)
            played = int(there.plies.sum())
            _check(here, there)
            print(
                f"{name:16} {games:9,} {blocks:6} {moves:5} {in_place!s:5} {1000 * seconds:9.3f} "
                f"{games / seconds:10.3g} {played / seconds:10.3g}",
                flush=True,
            )


def _arrangements() -> Iterator[tuple[int, int, bool]]:
    """Set how threads are arranged, in one way after the other."""
    for blocks, moves, in_place in ARRANGEMENTS:
        card.TRIED, card_runs.SLICE = ((card.IN_PLACE if in_place else card.RUN, blocks),), moves
        card_compiler._device_code.cache_clear()
        yield blocks, moves, in_place


def _seconds(arrays, batch) -> float:
    """Return in how many seconds a batch is played to the end, as the card measures it: the median of some rounds."""
    changed, taken = (batch._states, batch._plies, batch._dice), []
    begin = [array.copy() for array in changed]
    for _ in range(ROUNDS):
        for array, kept in zip(changed, begin, strict=True):
            array[...] = kept
        begun, done = arrays.cuda.Event(), arrays.cuda.Event()
        begun.record()
        batch.run()
        done.record()
        done.synchronize()
        taken.append(arrays.cuda.get_elapsed_time(begun, done) / 1000)
    return sorted(taken)[ROUNDS // 2]


def _check(here, there) -> None:
    same = np.array_equal(there.states[:CHECKED].get(), here.states) and np.array_equal(
        there.plies[:CHECKED].get(), here.plies
    )
    if not same:
        raise AssertionError(f"{here.game}: games on the card differ from those on processors")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KibitzError as error:
        sys.exit(f"kernel_speed: {error}")
