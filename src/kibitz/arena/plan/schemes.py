"""Schemes: which seatings of the agents a plan plays, each of them equally often."""

from collections.abc import Callable, Iterator
from itertools import combinations, islice, permutations, product

from kibitz.core.errors import BadValue, UnknownName

Seating = tuple[int, ...]
MOST_SEATINGS = 100_000


def round_robin(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """All agents meet in every seating; with fewer agents than seats, all seatings in which every agent takes part."""
    if agents < 2:
        raise BadValue("a round robin needs at least 2 agents; use the scheme self-play for one")
    if agents < seats:
        return _with_all(agents, seats)
    return (table for group in combinations(range(agents), seats) for table in permutations(group))


def rotation(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """One agent in each seat, moving on by one seat from game to game; with fewer agents, as a round robin."""
    if agents > seats or agents < min(2, seats):
        allowed = f"2 to {seats}" if seats > 2 else str(seats)
        raise BadValue(f"a match in {seats} seats is between {allowed} agents, not {agents}")
    if agents < seats:
        return _with_all(agents, seats)
    return (tuple((seat + shift) % seats for seat in range(seats)) for shift in range(seats))


# By number of seats, Golomb rulers: agents at these places in the list meet, and no two distances are equal.
RULERS = {2: (0, 1), 3: (0, 1, 3), 4: (0, 1, 4, 6), 5: (0, 1, 4, 9, 11), 6: (0, 1, 4, 10, 12, 17)}


def circle(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """Few tables for many agents: each meets some others equally often, and each table is played in all rotations."""
    if seats not in RULERS:
        raise BadValue(f"a circle needs 2 to {max(RULERS)} seats, not {seats}")
    ruler = RULERS[seats]
    if agents <= ruler[-1]:
        raise BadValue(
            f"a circle in {seats} seats needs at least {ruler[-1] + 1} agents, not {agents}; use round-robin"
        )
    for first in range(agents):
        table = tuple((first + apart) % agents for apart in ruler)
        yield from (table[turn:] + table[:turn] for turn in range(seats))


def gauntlet(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """The hero (the first agent by default) meets the field in every seat; the others meet only at its tables."""
    if agents < 2:
        raise BadValue("a gauntlet needs at least 2 agents: one, and a field to meet")
    one = hero or 0
    if agents < seats:
        return (table for table in _with_all(agents, seats) if table.count(one) == 1)
    return (table for table in round_robin(agents, seats, None) if one in table)


def one_against_copies(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """One agent, in every seat, against copies of another: the hero against all others, or each against each."""
    if agents < 2:
        raise BadValue("one-against-copies needs at least 2 agents")
    for one in range(agents) if hero is None else (hero,):
        for other in range(agents):
            if other != one:
                yield from (tuple(one if at == seat else other for at in range(seats)) for seat in range(seats))


def fixed(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """The agents keep the seats in which they are listed."""
    if agents != seats:
        raise BadValue(f"a fixed seating names an agent for each of the {seats} seats, not {agents}")
    yield tuple(range(seats))


def self_play(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """Every agent plays against copies of itself, which shows what the seats are worth."""
    return ((agent,) * seats for agent in range(agents))


def cross_play(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """Everyone with everyone, for games in which all earn the same: copies of each agent, and one among another's."""
    yield from self_play(agents, seats, hero)
    for one in range(agents):
        for other in range(agents):
            if other != one and seats > 1:
                places = range(seats) if seats > 2 else (0,)  # of two seats, `other` and `one` are a pair of their own
                yield from (tuple(one if at == seat else other for at in range(seats)) for seat in places)


def equal_shares(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """Every agent has as many seats as any other, in every seating: for example two each in four seats."""
    if agents < 2 or seats % agents:
        raise BadValue(f"{seats} seats cannot be shared equally by {agents} agent{'' if agents == 1 else 's'}")
    share = seats // agents
    return (
        table for table in product(range(agents), repeat=seats) if all(table.count(i) == share for i in range(agents))
    )


SCHEMES: dict[str, Callable[[int, int, int | None], Iterator[Seating]]] = {
    "round-robin": round_robin,
    "rotation": rotation,
    "circle": circle,
    "gauntlet": gauntlet,
    "one-against-copies": one_against_copies,
    "fixed": fixed,
    "self-play": self_play,
    "equal-shares": equal_shares,
    "cross-play": cross_play,
}
ONE_AGENT_TWICE = ("fixed", "rotation")  # schemes in which an agent may be listed more than once


def seatings(scheme: str, agents: int, seats: int, hero: int | None) -> list[Seating]:
    """Return the seatings of a scheme, which are one block of games on the same deal."""
    if scheme not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES)
    found = list(islice(SCHEMES[scheme](agents, seats, hero), MOST_SEATINGS + 1))
    if len(found) > MOST_SEATINGS:
        raise BadValue(f"{agents} agents in {seats} seats have more than {MOST_SEATINGS:,} seatings; name fewer agents")
    return found


def _with_all(agents: int, seats: int) -> Iterator[Seating]:
    """Yield the seatings in which every agent takes part."""
    return (table for table in product(range(agents), repeat=seats) if len(set(table)) == agents)
