"""A fixture: a game to be played, as plain data; and a fair schedule of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kibitz.core.dice import derive

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


def mind_seeds(seed: int, number: int, seating: Sequence[int], agents: int) -> tuple[int, ...]:
    """Return the seeds of the minds at one table; copies of an agent get dice of their own."""
    copies = [seating[:seat].count(agent) for seat, agent in enumerate(seating)]
    return tuple(
        derive(seed, number, MINDS, agent + agents * copy) for agent, copy in zip(seating, copies, strict=True)
    )


def rotation(number: int, seats: int) -> tuple[int, ...]:
    """Return the seating of game `number`: in each block of `seats` games every agent has every seat once."""
    shift = number % seats
    return tuple((seat + shift) % seats for seat in range(seats))


def rotations(games: int, seats: int, seed: int) -> Iterator[Fixture]:
    """Plan a match: the games of a block are played on the same deal."""
    for number in range(games):
        seating, block = rotation(number, seats), number // seats
        yield Fixture(number, block, seating, derive(seed, block, DEALS), mind_seeds(seed, number, seating, seats))
