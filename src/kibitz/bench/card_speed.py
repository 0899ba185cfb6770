"""Speed of batches on a graphics card, beside one core of the processor, and beside pgx where that is installed."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kibitz.batches.card import load_cupy
from kibitz.batches.game_batch import ENDLESS, GameBatch, device_of
from kibitz.batches.rows import BEHIND
from kibitz.bench.legality_cost import speeds
from kibitz.core.dice import dice
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.playout import random_games
from kibitz.games import find, names

KNOWN_GAMES = {name: Path(__file__).with_name("known_games") / name for name in ("connect_four", "tic_tac_toe")}
MOST_GAMES, MOST_BYTES = 1 << 22, 1 << 34  # of a batch
STEPPED_GAMES = 1 << 20  # of a batch that is compared with pgx
ROUNDS = 5
ROUNDS_OF_CORE, SECONDS_OF_CORE = 5, 0.1
CORE_GAMES = 16  # whose time shows how many fill a round
SEED = 1


class Measured(NamedTuple):
    """A row of the table."""

    name: str
    unit: str
    value: float
    yardstick: float | None = None


def has_card() -> bool:
    """Return whether there is a card that can be measured."""
    try:
        load_cupy()
    except BadValue:
        return False
    return True


def measure(texts: tuple[str, ...] = ()) -> Iterator[Measured]:
    """Yield the rows of some games; without any, of all that are shipped and of those that pgx has, too."""
    for text in texts or (*names(), *map(str, KNOWN_GAMES.values())):
        game = find(text)
        yield from game_rows(game, Path(str(game)).name)
    if not texts:
        for name, path in KNOWN_GAMES.items():
            yield stepping_row(find(str(path)), name)


def game_rows(game: Game, label: str) -> Iterator[Measured]:
    """Yield the rows of a game: random games, those of its policies, and the memory of one."""
    batch = _batch(game, MOST_GAMES)
    core_games, core_moves = _random_on_core(game)
    seconds, moves = _played(batch, "random")
    yield Measured(f"gpu/{label}-random-games", "games/s", batch.games / seconds, core_games)
    yield Measured(f"gpu/{label}-random-moves", "moves/s", moves / seconds, core_moves)
    for policy in game.policies:
        seconds, _ = _played(batch, policy)
        core, _ = speeds(game, game.policy(policy), ROUNDS_OF_CORE, SECONDS_OF_CORE)
        yield Measured(f"gpu/{label}-{policy}-games", "games/s", batch.games / seconds, core)
    yield Measured(f"gpu/{label}-bytes-a-game", "bytes", _bytes(batch) / batch.games)


def stepping_row(game: Game, name: str) -> Measured:
    """Return how fast a batch goes step by step, with the inputs of a network at each, beside pgx with its own."""
    batch = _batch(game, STEPPED_GAMES)

    def play() -> int:
        batch.reset()
        while bool((batch.turn >= 0).any()):
            batch.features()
            batch.play(batch.sample())
        return int(batch.plies.sum())

    moves = play()
    seconds = _median(lambda: _seconds(batch.device, play))
    pgx = _pgx_moves_a_second(name) if find_spec("pgx") and find_spec("jax") else None
    return Measured(f"gpu/{name}-steps-with-inputs", "moves/s", moves / seconds, pgx)


def _batch(game: Game, most: int) -> GameBatch:
    """Return a batch that fits into the memory that it may take."""
    cells = game.size + BEHIND
    games = min(most, MOST_BYTES // (8 * cells))
    return GameBatch(game, games, device_of(game, "gpu"), SEED)


def _played(batch: GameBatch, policy: str) -> tuple[float, int]:
    """Return the seconds in which new games are dealt and played to the end, and how many moves that are."""

    def play() -> None:
        batch.deal_again()
        batch.run(policy, ENDLESS)

    play()  # compiles
    return _median(lambda: _seconds(batch.device, play)), int(batch.plies.sum())


def _median(measured: Callable[[], float]) -> float:
    return float(np.median([measured() for _ in range(ROUNDS)]))


def _seconds(device: Any, work: Callable[[], Any]) -> float:
    """Return the seconds of some work, as the card measures them."""
    if device.arrays is np:
        begun = perf_counter()
        work()
        return perf_counter() - begun
    first, last = (device.arrays.cuda.Event() for _ in range(2))
    first.record()
    work()
    last.record()
    last.synchronize()
    return float(device.arrays.cuda.get_elapsed_time(first, last)) / 1000


def _random_on_core(game: Game) -> tuple[float, float]:
    """Return the random games and moves a second of one core."""
    state, room = game.new_state(), game.new_moves()

    def play(games: int) -> tuple[float, int]:
        begun = perf_counter()
        moves = int(random_games(game.rules, game.encoded_options, games, dice(SEED), state, room))
        return perf_counter() - begun, moves

    play(1)  # compiles
    games = max(CORE_GAMES, int(CORE_GAMES * SECONDS_OF_CORE / play(CORE_GAMES)[0]))
    seconds, moves = min(play(games) for _ in range(ROUNDS_OF_CORE))
    return games / seconds, moves / seconds


def _bytes(batch: GameBatch) -> int:
    arrays = (one for one in vars(batch).values() if hasattr(one, "nbytes"))
    return sum(int(one.nbytes) for one in arrays)


def _pgx_moves_a_second(name: str) -> float:
    """Return the moves a second of random games of pgx, whose steps write what a network is shown."""
    import jax
    import pgx

    environment = pgx.make(name)
    begin, step = jax.vmap(environment.init), jax.vmap(environment.step)

    def play(_: int, carried: Any) -> Any:
        state, key, made = carried
        key, drawn = jax.random.split(key)
        chances = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(drawn, chances, axis=-1)
        return step(state, actions), key, made + (~state.terminated).sum(dtype=jax.numpy.int32)

    def games(key: Any) -> Any:
        states = begin(jax.random.split(key, STEPPED_GAMES))
        longest = states.legal_action_mask.shape[-1] * (6 if name == "connect_four" else 1)
        state, _, made = jax.lax.fori_loop(0, longest, play, (states, key, jax.numpy.int32(0)))
        return state.observation.sum(), state.terminated.all(), made

    compiled, key = jax.jit(games), jax.random.PRNGKey(SEED)
    _, over, made = compiled(key)
    if not bool(over):
        raise AssertionError(f"games of pgx's {name} are not over")

    def timed() -> float:
        begun = perf_counter()
        jax.block_until_ready(compiled(key))
        return perf_counter() - begun

    return int(made) / _median(timed)
