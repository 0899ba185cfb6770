"""A fixture: a game to be played, as plain data; and a fair schedule of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.core.dice import derive_all

FIXTURES_AT_ONCE = 1024  # whose seeds are drawn together
DEALS, MINDS = 1, 2  # the branches of seeds that grow from the seed of a match or tournament


@dataclass(frozen=True)
class Fixture:
    """Which agent sits where, on which deal; agents are numbers into the list of those who take part."""

    number: int  # in the order of the plan
    block: int  # fixtures of one block are played on the same deal and from the same opening
    seating: tuple[int, ...]  # seating[seat] is the agent
    deal_seed: int
    agent_seeds: tuple[int, ...]  # by seat
    opening: tuple[int, ...] = ()  # moves made before the agents take over


def mind_numbers(seating: Sequence[int], agents: int) -> list[int]:
    """Return a number for every mind at a table: its agent's, and others for copies, which get dice of their own."""
    return [agent + agents * list(seating[:seat]).count(agent) for seat, agent in enumerate(seating)]


def rotation(number: int, seats: int) -> tuple[int, ...]:
    """Return the seating of game `number`: in each block of `seats` games every agent has every seat once."""
    shift = number % seats
    return tuple((seat + shift) % seats for seat in range(seats))


def rotations(games: int, seats: int, seed: int) -> Iterator[Fixture]:
    """Plan a match: the games of a block are played on the same deal."""
    tables = np.array([rotation(number, seats) for number in range(seats)])
    for start in range(0, games, FIXTURES_AT_ONCE * seats):
        numbers = np.arange(start, min(start + FIXTURES_AT_ONCE * seats, games))
        seatings = tables[numbers % seats]
        minds = derive_all(seed, numbers[:, None], MINDS, seatings).tolist()
        deals = derive_all(seed, numbers // seats, DEALS).tolist()
        for number, seating, deal, dice in zip(numbers.tolist(), seatings.tolist(), deals, minds, strict=True):
            yield Fixture(number, number // seats, tuple(seating), deal, tuple(dice))
