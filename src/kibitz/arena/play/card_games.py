"""Games between policies on a graphics card: the same batches as compiled loops make on processors."""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schedule import ChunkSize
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.compiled import CompiledGames
from kibitz.batches.game_batch import CPU, GPU, check_device, device_of
from kibitz.core.errors import BadValue
from kibitz.core.heuristics import BoundHeuristic

SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH = 0.5, 4096, 1 << 16
NOT_PLAYED = -2  # plies of a game that a rule has broken off


class CardGames:
    """Plays games between policies by the kernel for that; arrays come and go with each call."""

    def __init__(self, device: Any, policies: Sequence[BoundHeuristic]):
        self._device = device
        self._asked, numbers, weights = device.numbered(policies)
        self._width = max(map(len, weights))
        table = np.concatenate([np.pad(own, (0, self._width - len(own))) for own in weights])
        self._numbers, self._weights = device.array(np.array(numbers, dtype=np.int64)), device.array(table)

    def play(
        self, by_index: np.ndarray, seated: np.ndarray, deals: np.ndarray, keys: np.ndarray, dice: np.ndarray,
        openings: np.ndarray, longest: int, payoffs: np.ndarray, plies: np.ndarray, moved: np.ndarray,
        kept: np.ndarray, most: int, offenders: np.ndarray, refused: np.ndarray,
    ) -> None:  # fmt: skip
        """Do what `policy_games` of core/policy_games.py does; a game that a rule breaks off has NOT_PLAYED plies."""
        put = self._device.array
        plies[:] = NOT_PLAYED
        results = (payoffs, plies, moved, kept, offenders, refused)
        there = [put(array) for array in results]
        self._device.run(
            "policy_games", len(deals), self._device.options, self._numbers, put(by_index), self._weights, self._width,
            put(seated), put(deals), put(keys), put(dice), put(openings), longest, *there[:4], most, *there[4:],
            asked=self._asked,
        )  # fmt: skip
        for array, found in zip(results, there, strict=True):
            array[:] = found.get() if hasattr(found, "get") else found


def check_plan(name: str, plan: Plan) -> None:
    """Refuse a device that does not exist, and for a graphics card, a plan that cannot be played there."""
    check_device(name)
    if name == CPU:
        return
    for text, policy in zip(plan.agents, plan.policies, strict=True):
        if policy is None:
            raise BadValue(_no_policy(plan, text))
    if plan.limits.watched:
        raise BadValue("limits of time and memory cannot be watched on a graphics card; device=cpu can")


def _no_policy(plan: Plan, agent: str) -> str:
    """Return what is wrong with an agent that is no policy, and what would be right."""
    what = f"agent {agent} cannot play on a graphics card, where games are between policies of the game"
    if agent in plan.game.policies:
        return f"{what}; write policy({agent}) for the policy of that name"
    return f"{what}: {', '.join(['random', *plan.game.policies])}"


def card_player(plan: Plan) -> Callable[..., Generator[Batch, None, None]]:
    """Return what plays fixtures of a plan between policies on a graphics card; batches come in their order."""
    check_plan(GPU, plan)
    policies = [policy for policy in plan.policies if policy is not None]
    card = CardGames(device_of(plan.game, GPU), policies)

    def play(
        plan: Plan, fixtures: Iterable[Fixture], jobs: int, keep_records: bool = True
    ) -> Generator[Batch, None, None]:
        compiled = CompiledGames(plan.game, plan.agents, policies, plan.limits, keep_records, card)
        waiting, chunk_size = iter(fixtures), ChunkSize(SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH)
        while chunk := chunk_size.take(waiting):
            yield compiled.play(chunk, chunk_size)

    return play
