"""A schedule: the fixtures of a plan, every seating equally often and on the same deals."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.openings import Opener
from kibitz.arena.plan.schemes import Seating
from kibitz.core.dice import dice_all
from kibitz.core.game import Game
from kibitz.core.playout import hash_deals
from kibitz.core.seeds import DEAL, MIND, OPENING, derive_seed

STRIPE = 20  # blocks whose games are mixed where games on one deal are to lie apart
MOST_MIXED = 200  # games of them, which are lost together if the command is killed


def schedule(game: Game, agents: int, tables: list[Seating], games: int, seed: int, plies: int) -> Iterator[Fixture]:
    """Yield fixtures block after block, each block with all seatings on one deal and opening."""
    opener, minds = Opener(game, plies), [mind_numbers(table, agents) for table in tables]
    for block in range(games // len(tables)):
        deal = derive_seed(seed, DEAL, block)
        opening = opener.open(deal, derive_seed(seed, OPENING, block))
        for number, (table, numbers) in enumerate(zip(tables, minds, strict=True), block * len(tables)):
            seeds = tuple(derive_seed(seed, MIND, number, mind) for mind in numbers)
            yield Fixture(number, block, table, deal, seeds, opening)


def striped(fixtures: Iterable[Fixture], seatings: int) -> Iterator[Fixture]:
    """Yield the same fixtures so that games on one deal lie apart: the first ones of many blocks, then the second."""
    waiting = iter(fixtures)
    blocks = max(1, min(STRIPE, MOST_MIXED // seatings))
    while stripe := list(islice(waiting, blocks * seatings)):
        yield from sorted(stripe, key=lambda fixture: (fixture.number % seatings, fixture.block))


def mind_numbers(seating: Sequence[int], agents: int) -> list[int]:
    """Return a number for every mind at a table: its agent's, and others for copies, which get dice of their own."""
    return [agent + agents * list(seating[:seat]).count(agent) for seat, agent in enumerate(seating)]


def deal_hashes(game: Game, seed: int, blocks: np.ndarray) -> np.ndarray:
    """Return a hash of the deal of each block: equal ones are the same table, whatever its seed."""
    different, which = np.unique(blocks, return_inverse=True)
    found, state = np.empty(len(different), dtype=np.int64), game.new_state()
    rngs = dice_all(np.array([derive_seed(seed, DEAL, block) for block in different.tolist()], dtype=np.uint64))
    hash_deals(game.rules, game.encoded_options, rngs, state, found)
    return found[which]
