"""A fixture: one game to be played, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fixture:
    """Which agent sits where, on which deal; agents are numbers into the list of those who take part."""

    number: int  # in the order of the plan
    block: int  # fixtures of one block are played on the same deal and from the same opening
    seating: tuple[int, ...]  # seating[seat] is the agent
    deal_seed: int
    agent_seeds: tuple[int, ...]  # by seat
    opening: tuple[int, ...] = ()  # moves made before the agents take over
