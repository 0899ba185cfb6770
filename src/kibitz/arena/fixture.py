"""A fixture: a game to be played, as plain data; and a fair schedule of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.core.dice import derive

_DEALS, _MINDS = 1, 2  # the two branches of seeds that grow from a match's seed


@dataclass(frozen=True)
class Fixture:
    """Which agent sits where, on which deal; agents are numbers into the match's list."""

    number: int
    seating: tuple[int, ...]  # seating[seat] is the agent
    deal_seed: int
    agent_seeds: tuple[int, ...]  # by seat


def rotation(number: int, seats: int) -> tuple[int, ...]:
    """Return the seating of game `number`: in each block of `seats` games every agent has every seat once."""
    shift = number % seats
    return tuple((seat + shift) % seats for seat in range(seats))


def rotations(games: int, seats: int, seed: int) -> Iterator[Fixture]:
    """Plan a match: the games of a block are played on the same deal."""
    for number in range(games):
        seating = rotation(number, seats)
        minds = tuple(derive(seed, number, _MINDS, agent) for agent in seating)
        yield Fixture(number, seating, derive(seed, number // seats, _DEALS), minds)
