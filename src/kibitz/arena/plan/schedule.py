"""A schedule: the fixtures of a plan. Every seating is played equally often, on the same deals and openings."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.schemes import Seating
from kibitz.core.dice import derive, dice, dice_all, roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.playout import deal_table, hash_deals, random_opening
from kibitz.core.rolls import roll_keys
from kibitz.core.seeds import DEAL, MIND, OPENING, POSITION, derive_seed
from kibitz.core.table import Table

STRIPE = 20  # blocks whose games are interleaved to keep games on one deal apart
MOST_MIXED = 200  # games interleaved at most: a command that is killed loses them together
GROWTH = 4  # a chunk grows by this factor at most: the first games may be quicker than most
ENOUGH_OPENINGS = 10_000  # different openings that `auto` aims for
LONGEST_OPENING = 1000  # plies
FIRST_TRIES = 100  # random games that show whether games last as long as the opening
MOST_TRIES = 10_000  # random games to find an opening that does not end the game


def schedule(
    game: Game, agents: int, tables: list[Seating], games: int, seed: int, plies: int, begin: int = 0
) -> Iterator[Fixture]:
    """Yield fixtures block by block, from block `begin` on; the seatings of a block share a deal and an opening."""
    opener, minds = Opener(game, plies), [_mind_numbers(table, agents) for table in tables]
    for block in range(begin, games // len(tables)):
        deal = derive_seed(seed, DEAL, block)
        opening = opener.open(deal, derive_seed(seed, OPENING, block))
        for number, (table, numbers) in enumerate(zip(tables, minds, strict=True), block * len(tables)):
            seeds = tuple(derive_seed(seed, MIND, number, mind) for mind in numbers)
            yield Fixture(number, block, table, deal, seeds, opening)


def striped(fixtures: Iterable[Fixture], seatings: int) -> Iterator[Fixture]:
    """Yield the same fixtures with games on one deal apart: the first of many blocks, then the second, and so on."""
    waiting = iter(fixtures)
    blocks = max(1, min(STRIPE, MOST_MIXED // seatings))
    while stripe := list(islice(waiting, blocks * seatings)):
        yield from sorted(stripe, key=lambda fixture: (fixture.number % seatings, fixture.block))


def deal_hashes(game: Game, seed: int, blocks: np.ndarray) -> np.ndarray:
    """Return a hash of the deal of each block, its rolls included: equal hashes are equal tables, whatever the seed."""
    different, which = np.unique(blocks, return_inverse=True)
    found, state = np.empty(len(different), dtype=np.int64), game.new_state()
    seeds = [derive_seed(seed, DEAL, block) for block in different.tolist()]
    hash_deals(game.rules, game.encoded_options, dice_all(np.array(seeds, dtype=np.uint64)), state, found)
    if game.chance:
        found ^= np.array(seeds, dtype=np.uint64).view(np.int64)
    return found[which]


class ChunkSize:
    """How many fixtures to hand out at a time, learned from the time that games take."""

    def __init__(self, seconds: float, first: int, most: int):
        self.seconds, self.games, self.most = seconds, first, most

    def learn(self, games: int, seconds: float) -> None:
        """Adapt to the time that some games took."""
        fitting = games * self.seconds / max(seconds, 1e-9)
        self.games = max(1, int(min(fitting, self.games * GROWTH, self.most)))

    def take(self, fixtures: Iterator[Fixture]) -> list[Fixture]:
        """Take the next chunk; it is empty at the end."""
        return list(islice(fixtures, self.games))


class Opener:
    """Begins games with a given number of random moves."""

    def __init__(self, game: Game, plies: int):
        self.game, self.plies = game, plies
        self._state, self._made = game.new_state(), np.zeros(plies, dtype=np.int64)
        self._room = game.new_moves()

    def open(self, deal_seed: int, seed: int, tries: int = MOST_TRIES) -> tuple[int, ...]:
        """Return moves that do not end the game; raise BadValue if every try ends it."""
        if self.plies == 0:
            return ()
        game, longest, key = self.game, 0, roll_keys([deal_seed], self.game.chance)
        for attempt in range(tries):
            deal_table(game.rules, self._state, game.encoded_options, dice(deal_seed))
            rng = dice(derive(seed, attempt))
            n = random_opening(game.rules, self._state, rng, key, dice(0), self._made, self._room)
            if n == self.plies:
                return self._with_rolls(deal_seed)
            longest = max(longest, n + 1)
        raise BadValue(
            f"openings = {self.plies}, but {tries:,} random games of {game} were over by then, the longest after "
            f"{longest} plies"
        )

    def _with_rolls(self, deal_seed: int) -> tuple[int, ...]:
        """Return the moves made, and what chance does after them: an opening ends where a seat is to move."""
        if not self.game.chance:
            return tuple(self._made.tolist())
        table = Table(self.game, deal_seed)
        table.follow(self._made.tolist())
        return tuple(table.moves_made)


def check_opening(game: Game, plies: int, seed: int) -> None:
    """Refuse openings that are longer than games."""
    Opener(game, plies).open(derive_seed(seed, DEAL, 0), derive_seed(seed, OPENING, 0), FIRST_TRIES)


def usual_opening(game: Game, seed: int) -> int:
    """Return how many random plies make games differ: 0 where deals or rolls do, else enough for many openings.

    In a game that ends earlier, it is the number of whole rounds that leaves something to play.
    """
    if game.position or game.chance or _deals_differ(game):
        return 0
    table, rng, openings = Table(game, seed), dice(derive_seed(seed, POSITION)), 1
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


def _mind_numbers(seating: Sequence[int], agents: int) -> list[int]:
    """Return a number for the agent in each seat; copies of an agent have different numbers, and so different dice."""
    return [agent + agents * list(seating[:seat]).count(agent) for seat, agent in enumerate(seating)]
