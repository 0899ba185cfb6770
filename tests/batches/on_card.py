"""A graphics card is held against the processors: python -m tests.batches.on_card [GAME …] [--games N]; make test-gpu.

All games and variants are played on both, a million random games each, and compared cell by cell; then all that a
batch answers, step by step, with every policy, value, encoding and network.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

import kibitz
from kibitz import games
from kibitz.batches.card import GraphicsCard, load_cupy
from kibitz.batches.game_batch import GameBatch
from kibitz.core.address import Native
from kibitz.core.errors import BadValue, KibitzError
from kibitz.networks.net import encodings, networks
from tests.batches.handing_over import ARRAYS, LIBRARIES, address_of, taken_over
from tests.golden import variants

OTHERS = [f"./tests/{name}" for name in ("pig", "kuhn", "tricks", "hearts", "fours", "race")]
GAMES, SIDE_BY_SIDE, ASKED = 1_000_000, 250_000, 2_000
STEPS, LATE = 6, 60
DIGITS = 1e-11  # relative: values with powers, exponentials or logarithms
NETWORK_DIGITS = 1e-6
ASKS = ("turn", "legal", "sample", "view", "guess", "payoff")


class Played(NamedTuple):
    """Random games on both devices."""

    plies: int
    card: float  # seconds
    processors: float
    differences: list[str]


class LoadingCard(GraphicsCard):
    """Loads kernels and starts none, so that many processes have room on a card."""

    def run(self, what: str, rows: int, *given: Any, asked: tuple[Native, ...] = ()) -> None:
        """Load one of the kernels."""
        if (what, asked) not in self._kernels:
            self._kernels[what, asked] = self._loaded(what, asked)
        if what in ("play", "run"):
            given[-1][:] = 0  # no faults


Card: type[GraphicsCard] = GraphicsCard


def both(text: str, count: int, seed: int) -> tuple[Any, Any]:
    """Return equal batches on the processors and on the card."""
    game = games.find(text)
    return kibitz.batch(game, count, "cpu", seed), GameBatch(game, count, Card(game), seed)


def on_host(array: Any) -> np.ndarray:
    """Return an array of either device as one of NumPy."""
    return array.get() if hasattr(array, "get") else array


def differing(what: str, here: Any, there: Any, digits: float = 0.0) -> list[str]:
    """Return `what` if two arrays differ."""
    ours, theirs = on_host(here), on_host(there)
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return [f"{what} (its shape)"]
    if digits:
        equal = np.allclose(ours, theirs, rtol=digits, atol=digits, equal_nan=True)
    else:
        equal = np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f")
    return [] if equal else [what]


def play_random_games(text: str, count: int) -> Played:
    """Play random games on both devices, some side by side, and compare cells, plies and payoffs."""
    plies, seconds, found = 0, {"cpu": 0.0, "gpu": 0.0}, list[str]()
    for seed, first in enumerate(range(0, count, SIDE_BY_SIDE)):
        here, there = both(text, min(SIDE_BY_SIDE, count - first), seed)
        found += differing("deals", here.states, there.states)
        for batch in (here, there):
            started = perf_counter()
            batch.run()
            seconds[batch.device.name] += perf_counter() - started
        found += differing("states", here.states, there.states) + differing("plies", here.plies, there.plies)
        found += differing("payoffs", here.payoff(), there.payoff())
        plies += int(here.plies.sum())
    return Played(plies, seconds["gpu"], seconds["cpu"], found)


def compare_answers(here: Any, there: Any) -> Iterator[str]:
    """Yield what two batches answer differently."""
    for ask in ASKS:
        ours, theirs = getattr(here, ask), getattr(there, ask)
        yield from differing(ask, *((ours(), theirs()) if callable(ours) else (ours, theirs)))
    for seat in range(here.game.seats):
        yield from differing(f"view({seat})", here.view(seat), there.view(seat))
    for name in encodings(here.game):
        yield from differing(f"features({name})", here.features(name), there.features(name))


def compare_steps(text: str, count: int) -> Iterator[str]:
    """Yield what differs from one move to the next, early and late in games."""
    here, there = both(text, count, 5)
    for _ in range(2):
        for _ in range(STEPS):
            yield from compare_answers(here, there)
            actions = here.sample()
            yield from differing("sample", actions, there.sample())
            here.play(actions)
            there.play(actions)
            yield from differing("play", here.states, there.states)
        for batch in (here, there):
            batch.run(moves=LATE)
    for batch in (here, there):
        batch.run()
        batch.reset_finished()
    yield from compare_answers(here, there)


def compare_heuristics(text: str, count: int) -> Iterator[str]:
    """Yield policies, values and networks that differ."""
    game = games.find(text)
    heads = [f"net({name}, temperature={heat})" for name in networks(game) for heat in (0, 1)]
    for policy in (*game.policies, *heads):
        with suppress(BadValue):  # a network that says nothing of moves, or is for other seats
            game.policy(policy)
            yield from _compare_policy(text, policy, count)
    here, there = both(text, count, 6)
    for batch in (here, there):
        batch.run(moves=LATE // 2)
    for value in game.values:
        yield from differing(f"value {value}", here.value(value), there.value(value), DIGITS)
    for value in (f"net({name})" for name in networks(game)):
        with suppress(BadValue):
            game.value(value)
            yield from differing(f"value {value}", here.value(value), there.value(value), NETWORK_DIGITS)


def _compare_policy(text: str, policy: str, count: int) -> Iterator[str]:
    here, there = both(text, count, 7)
    for batch in (here, there):
        batch.run(policy, moves=LATE)
    yield from differing(f"policy {policy}", here.states, there.states)


def compare_libraries() -> Iterator[str]:
    """Yield arrays of the card that PyTorch or JAX do not take over without a copy; print which were missing."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    batch = kibitz.batch("quarto", 100, "gpu", 1)
    for name in ("torch", "jax"):
        library = LIBRARIES[name]
        try:
            for what, ask in ARRAYS.items():
                taken, given, _ = taken_over(library, ask(batch))
                if library.address(taken) != address_of(given):
                    yield f"{name} copies {what}"
        except ImportError:
            print(f"{name} is not installed: NOT TRIED")


def prepare(task: tuple[str, str]) -> None:
    """Compile what a part of the comparison needs and keep it on disk; nothing is compared."""
    global Card
    Card, (text, part) = LoadingCard, task
    with suppress(KibitzError):
        if part == "play":
            play_random_games(text, 2)
        else:
            list({"steps": compare_steps, "heuristics": compare_heuristics}[part](text, 2))


def prepare_all(chosen: list[str]) -> None:
    """Compile in as many processes as there are processors, the longest first."""
    shipped = set(games.names())
    tasks = [(text, part) for part in ("heuristics", "steps") for text in chosen if text in shipped]
    tasks += [(text, "play") for text in chosen if text not in shipped]
    tasks += [(text, part) for part in ("steps", "heuristics") for text in chosen if text not in shipped]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as workers:
        list(workers.map(prepare, tasks))


def report(text: str, count: int) -> bool:
    """Compare one game and print a row; return whether all was equal."""
    found, played = list[str](), Played(0, 0.0, 0.0, [])
    try:
        played = play_random_games(text, count)
        found += played.differences
        found += [*compare_steps(text, ASKED), *compare_heuristics(text, ASKED)]
    except KibitzError as error:
        found.append(str(error))
    told = "yes" if not found else f"NO: {'; '.join(dict.fromkeys(found))}"
    figures = f"{count:>9,} {played.plies:>13,} {played.card:>8.3f} {played.processors:>10.3f}"
    print(f"{text:28} {figures}  {told}", flush=True)
    return not found


def main(words: list[str]) -> int:
    """Compare, print a table, and return the exit code."""
    usual = [text for name in games.names() for text in variants(name)] + OTHERS
    parser = argparse.ArgumentParser(prog="on_card", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("game", nargs="*", help="games; without any, all variants of all that ship, and six of tests")
    parser.add_argument("--games", type=int, default=GAMES, help="random games of each")
    given = parser.parse_args(words)
    try:
        load_cupy()
    except BadValue as error:
        print(f"nothing was compared: {error}", file=sys.stderr)
        return 1
    started, chosen = perf_counter(), given.game or usual
    prepare_all(chosen)
    print(f"compiled in {perf_counter() - started:.0f} s on {os.cpu_count()} processors")
    print(f"{'game':28} {'games':>9} {'plies':>13} {'card, s':>8} {'threads, s':>10}  equal")
    equal = [report(text, given.games) for text in chosen]
    copied = [*compare_libraries()]
    print("\n".join(copied) or "arrays go to PyTorch and JAX without a copy, where they are installed")
    print(f"{perf_counter() - started:.0f} s in all")
    return 0 if all(equal) and not copied else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
