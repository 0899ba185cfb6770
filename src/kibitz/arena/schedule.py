"""A schedule: which seatings of the agents a tournament plays, each equally often and on the same deals."""

from collections.abc import Callable, Iterator
from itertools import combinations, islice, permutations, product

import numpy as np

from kibitz.arena.fixture import DEALS, FIXTURES_AT_ONCE, MINDS, Fixture, mind_numbers
from kibitz.core.dice import derive, derive_all, dice, dice_all, roll
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.playout import deal_table, hash_deals, random_opening
from kibitz.core.table import Table

Seating = tuple[int, ...]
MOST_SEATINGS = 100_000
ENOUGH_OPENINGS = 10_000  # as many different openings as `openings = "auto"` makes sure of
LONGEST_OPENING = 1000  # plies that may be asked for
FIRST_TRIES = 100  # to see whether games last as long as the opening that is asked for
MOST_TRIES = 10_000  # to find an opening that does not end the game, where such have been seen
_OPENINGS = 3  # a branch of seeds, beside those of fixture.py


def round_robin(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """All agents meet in every seating; with fewer agents than seats, all seatings in which every agent takes part."""
    if agents < 2:
        raise BadValue("a round robin needs at least 2 agents; use the scheme self-play for one")
    if agents < seats:
        return (table for table in product(range(agents), repeat=seats) if len(set(table)) == agents)
    return (table for group in combinations(range(agents), seats) for table in permutations(group))


def gauntlet(agents: int, seats: int, hero: int | None) -> Iterator[Seating]:
    """The hero (the first agent if none is named) meets the field in every seat; the others meet only beside it."""
    if agents < 2:
        raise BadValue("a gauntlet needs at least 2 agents: one, and a field to meet")
    one = hero or 0
    if agents < seats:
        every = product(range(agents), repeat=seats)
        return (table for table in every if len(set(table)) == agents and table.count(one) == 1)
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
    """Every agent plays against copies of itself, to see what the seats are worth."""
    return ((agent,) * seats for agent in range(agents))


SCHEMES: dict[str, Callable[[int, int, int | None], Iterator[Seating]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "one-against-copies": one_against_copies,
    "fixed": fixed,
    "self-play": self_play,
}


def seatings(scheme: str, agents: int, seats: int, hero: int | None) -> list[Seating]:
    """Return the seatings of a scheme, which are one block of games on the same deal."""
    if scheme not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES)
    found = list(islice(SCHEMES[scheme](agents, seats, hero), MOST_SEATINGS + 1))
    if len(found) > MOST_SEATINGS:
        raise BadValue(f"{agents} agents in {seats} seats have more than {MOST_SEATINGS:,} seatings; name fewer agents")
    return found


def schedule(game: Game, agents: int, tables: list[Seating], games: int, seed: int, plies: int) -> Iterator[Fixture]:
    """Yield the fixtures of a tournament: block after block, each with all seatings on one deal and opening."""
    opener, minds = Opener(game, plies), np.array([mind_numbers(table, agents) for table in tables])
    at_once, blocks = max(1, FIXTURES_AT_ONCE // len(tables)), games // len(tables)
    for start in range(0, blocks, at_once):
        some = np.arange(start, min(start + at_once, blocks))
        numbers = some[:, None] * len(tables) + np.arange(len(tables))
        seeds = derive_all(seed, numbers[:, :, None], MINDS, minds).tolist()
        deals, chances = (derive_all(seed, some, branch).tolist() for branch in (DEALS, _OPENINGS))
        for place, block in enumerate(some.tolist()):
            opening = opener.open(deals[place], chances[place])
            first = block * len(tables)
            for at, table in enumerate(tables):
                yield Fixture(first + at, block, table, deals[place], tuple(seeds[place][at]), opening)


def deal_hashes(game: Game, seed: int, blocks: np.ndarray) -> np.ndarray:
    """Return a hash of the deal of each block: equal ones are the same table, whatever its seed."""
    different, which = np.unique(blocks, return_inverse=True)
    found, state = np.empty(len(different), dtype=np.int64), game.new_state()
    rngs = dice_all(derive_all(seed, different, DEALS))
    hash_deals(game.rules, game.encoded_options, rngs, state, found)
    return found[which]


class Opener:
    """Begins games with so many random moves."""

    def __init__(self, game: Game, plies: int):
        self.game, self.plies = game, plies
        self._state, self._made = game.new_state(), np.zeros(plies, dtype=np.int64)
        self._room = game.new_moves()

    def open(self, deal_seed: int, seed: int, tries: int = MOST_TRIES) -> tuple[int, ...]:
        """Return moves that do not end the game; if every try does, that is a BadValue."""
        if self.plies == 0:
            return ()
        game, longest = self.game, 0
        for attempt in range(tries):
            deal_table(game.rules, self._state, game.encoded_options, dice(deal_seed))
            n = random_opening(game.rules, self._state, dice(derive(seed, attempt)), self._made, self._room)
            if n == self.plies:
                return tuple(self._made.tolist())
            longest = max(longest, n + 1)
        raise BadValue(
            f"openings = {self.plies}, but {tries:,} random games of {game} were over by then, the longest after "
            f"{longest} plies"
        )


def check_opening(game: Game, plies: int, seed: int) -> None:
    """Refuse openings that are longer than games."""
    if not 0 <= plies <= LONGEST_OPENING:
        raise BadValue(f"openings must be a whole number from 0 to {LONGEST_OPENING}, not {plies}")
    Opener(game, plies).open(derive(seed, 0, DEALS), derive(seed, 0, _OPENINGS), FIRST_TRIES)


def usual_opening(game: Game, seed: int) -> int:
    """Return how many random plies make games differ: none where deals do, else enough for many openings.

    Where the game ends before, they are the whole rounds that leave something to play.
    """
    if _deals_differ(game):
        return 0
    table, rng, openings = Table(game, seed), dice(seed), 1
    while not table.over and (openings < ENOUGH_OPENINGS or table.ply % game.seats):
        moves = table.moves()
        openings *= len(moves)
        table.play(moves[roll(rng, len(moves))])
    return (table.ply - 1) // game.seats * game.seats if table.over else table.ply


def _deals_differ(game: Game) -> bool:
    deals = np.stack([game.new_state(), game.new_state()])
    for seed, state in enumerate(deals):
        deal_table(game.rules, state, game.encoded_options, dice(seed))
    return bool((deals[0] != deals[1]).any())
