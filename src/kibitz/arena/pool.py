"""The pool plays fixtures on all cores and hands the results back in the order of the plan.

Agents that are nothing but policies are played by compiled code, a batch at a time, on threads; all others by worker
processes. Both lanes give the same games.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.arena.fixture import Fixture
from kibitz.arena.referee import play_fixture
from kibitz.core.dice import dice_all
from kibitz.core.game import Game, option_values
from kibitz.core.knowledge import Ready
from kibitz.core.playout import policy_games
from kibitz.core.record import Record

COMPILED_BATCH = 2048
GAMES_A_TASK = 4  # what a worker process is given at a time
USUAL_LENGTH = 256  # moves kept of a game before it is known to be longer
IN_FLIGHT = 3  # batches given out per worker


@dataclass(frozen=True)
class Batch:
    """Fixtures played: one row a game."""

    seatings: np.ndarray
    payoffs: np.ndarray
    plies: np.ndarray
    seconds: np.ndarray  # by game and seat
    moves: np.ndarray  # by game and seat
    records: list[str]  # lines, where they were asked for


def play_all(
    game: Game, agents: Sequence[str], fixtures: Iterable[Fixture], jobs: int, keep_records: bool
) -> Iterator[Batch]:
    """Play fixtures with so many workers; batches come back in order."""
    policies = [build(agent, game, 0).policy for agent in agents]
    if all(policy is not None for policy in policies):
        ready = [policy for policy in policies if policy is not None]
        chunks = _chunks(fixtures, COMPILED_BATCH)
        with ThreadPoolExecutor(jobs) as pool:
            yield from _in_order(pool, jobs, _play_compiled, ((game, agents, ready, c, keep_records) for c in chunks))
    elif jobs == 1:
        for chunk in _chunks(fixtures, 1):
            yield _play_here(game, agents, chunk, keep_records)
    else:
        with _workers(jobs) as pool:
            tasks = ((str(game), agents, chunk, keep_records) for chunk in _chunks(fixtures, GAMES_A_TASK))
            yield from _in_order(pool, jobs, _play_there, tasks)


def _chunks(fixtures: Iterable[Fixture], size: int) -> Iterator[list[Fixture]]:
    source = iter(fixtures)
    while chunk := list(islice(source, size)):
        yield chunk


def _in_order(
    pool: Executor, jobs: int, work: Callable[..., Batch], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[Batch]:
    """Keep every worker busy without planning far ahead."""
    waiting: deque[Future[Batch]] = deque()
    try:
        for task in tasks:
            waiting.append(pool.submit(work, *task))
            if len(waiting) >= IN_FLIGHT * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _workers(jobs: int) -> Iterator[Executor]:
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_start_worker) as pool:
        try:
            yield pool
        except BaseException:
            for worker in list((pool._processes or {}).values()):  # or they would play their games to the end
                worker.terminate()
            raise


def _start_worker() -> None:
    os.environ["KIBITZ_THREADS"] = "1"  # the workers share the cores among themselves


def _play_there(game_text: str, agents: Sequence[str], chunk: list[Fixture], keep_records: bool) -> Batch:
    from kibitz.games import find

    return _play_here(find(game_text), agents, chunk, keep_records)


def _play_here(game: Game, agents: Sequence[str], chunk: list[Fixture], keep_records: bool) -> Batch:
    results = [play_fixture(game, agents, fixture) for fixture in chunk]
    return Batch(
        np.array([result.fixture.seating for result in results]),
        np.array([result.record.payoff for result in results]),
        np.array([len(result.record.moves) for result in results]),
        np.array([result.seconds for result in results]),
        np.array([result.moves for result in results]),
        [result.record.line() for result in results] if keep_records else [],
    )


def _play_compiled(
    game: Game, agents: Sequence[str], policies: Sequence[Ready], chunk: list[Fixture], keep_records: bool
) -> Batch:
    games, seats = len(chunk), game.seats
    seatings = np.array([fixture.seating for fixture in chunk])
    deals = dice_all(np.array([fixture.deal_seed for fixture in chunk], dtype=np.uint64))
    minds = dice_all(np.array([fixture.agent_seeds for fixture in chunk], dtype=np.uint64))
    handles = _handles([policies[agent] for agent in seatings.ravel()])
    width = max(len(policy.weights) for policy in policies)
    padded = np.array([np.pad(policy.weights, (0, width - len(policy.weights))) for policy in policies])
    weights = padded[seatings.ravel()].ravel()
    payoffs, plies = np.zeros((games, seats)), np.zeros(games, dtype=np.int64)
    moves, length = np.zeros((games, seats), dtype=np.int64), USUAL_LENGTH if keep_records else 0
    state, sight = np.zeros((2, game.size), dtype=np.int64)
    room = np.empty(game.most_moves, dtype=np.int64)
    begun = perf_counter()
    while True:
        kept = np.zeros((games, length), dtype=np.int64)
        moves[:] = 0
        policy_games(
            game.rules, game.encoded_options, handles, weights, deals.copy(), minds.flatten(), state, sight, room,
            payoffs.reshape(-1), plies, moves.reshape(-1), kept,
        )  # fmt: skip
        if not keep_records or plies.max() <= length:
            break
        length = int(plies.max())
    spent = (perf_counter() - begun) / max(1, int(plies.sum()))  # by move, the same for all: they share one loop
    records = []
    for row, fixture in enumerate(chunk if keep_records else []):
        names = [agents[agent] for agent in fixture.seating]
        made = kept[row, : plies[row]].tolist()
        record = Record(
            game.name,
            game.version,
            option_values(game),
            fixture.deal_seed,
            names,
            list(fixture.agent_seeds),
            made,
            payoffs[row].tolist(),
        )
        records.append(record.line())
    return Batch(seatings, payoffs, plies, moves * spent, moves, records)


def _handles(policies: Sequence[Ready]) -> np.ndarray:
    """Return addresses, or plain functions where nothing is compiled."""
    handles = np.array([policy.handle for policy in policies])
    return handles if handles.dtype == object else handles.astype(np.int64)
