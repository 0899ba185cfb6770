"""A schedule: the fixtures of a plan, every seating equally often and on the same deals."""

from collections.abc import Iterator, Sequence

import numpy as np

from kibitz.arena.plan.fixture import DEALS, MINDS, OPENINGS, Fixture
from kibitz.arena.plan.openings import Opener
from kibitz.arena.plan.schemes import Seating
from kibitz.core.dice import derive_all, dice_all
from kibitz.core.game import Game
from kibitz.core.playout import hash_deals

FIXTURES_AT_ONCE = 1024  # whose seeds are derived together


def schedule(game: Game, agents: int, tables: list[Seating], games: int, seed: int, plies: int) -> Iterator[Fixture]:
    """Yield fixtures block after block, each block with all seatings on one deal and opening."""
    opener, minds = Opener(game, plies), np.array([mind_numbers(table, agents) for table in tables])
    at_once, blocks = max(1, FIXTURES_AT_ONCE // len(tables)), games // len(tables)
    for start in range(0, blocks, at_once):
        some = np.arange(start, min(start + at_once, blocks))
        numbers = some[:, None] * len(tables) + np.arange(len(tables))
        seeds = derive_all(seed, numbers[:, :, None], MINDS, minds).tolist()
        deals, chances = (derive_all(seed, some, branch).tolist() for branch in (DEALS, OPENINGS))
        for place, block in enumerate(some.tolist()):
            opening = opener.open(deals[place], chances[place])
            first = block * len(tables)
            for at, table in enumerate(tables):
                yield Fixture(first + at, block, table, deals[place], tuple(seeds[place][at]), opening)


def mind_numbers(seating: Sequence[int], agents: int) -> list[int]:
    """Return a number for every mind at a table: its agent's, and others for copies, which get dice of their own."""
    return [agent + agents * list(seating[:seat]).count(agent) for seat, agent in enumerate(seating)]


def deal_hashes(game: Game, seed: int, blocks: np.ndarray) -> np.ndarray:
    """Return a hash of the deal of each block: equal ones are the same table, whatever its seed."""
    different, which = np.unique(blocks, return_inverse=True)
    found, state = np.empty(len(different), dtype=np.int64), game.new_state()
    rngs = dice_all(derive_all(seed, different, DEALS))
    hash_deals(game.rules, game.encoded_options, rngs, state, found)
    return found[which]
