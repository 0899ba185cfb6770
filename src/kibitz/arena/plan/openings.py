"""Openings: random moves at the start of a game, where games would otherwise all be alike."""

import numpy as np

from kibitz.core.dice import derive, dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.playout import deal_table, random_opening
from kibitz.core.seeds import DEAL, OPENING, POSITION, derive_seed
from kibitz.core.table import Table

ENOUGH_OPENINGS = 10_000  # different openings that `auto` makes sure of
LONGEST_OPENING = 1000  # plies that may be asked for
FIRST_TRIES = 100  # to see whether games last as long as the opening that is asked for
MOST_TRIES = 10_000  # to find an opening that does not end the game, where such have been seen


class Opener:
    """Begins games with a given number of random moves."""

    def __init__(self, game: Game, plies: int):
        self.game, self.plies = game, plies
        self._state, self._made = game.new_state(), np.zeros(plies, dtype=np.int64)
        self._room = game.new_moves()

    def open(self, deal_seed: int, seed: int, tries: int = MOST_TRIES) -> tuple[int, ...]:
        """Return moves that do not end the game; if every try ends it, that is a BadValue."""
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
    Opener(game, plies).open(derive_seed(seed, DEAL, 0), derive_seed(seed, OPENING, 0), FIRST_TRIES)


def usual_opening(game: Game, seed: int) -> int:
    """Return how many random plies make games differ: none where deals do, else enough for many openings.

    Where the game ends before, they are the whole rounds that leave something to play.
    """
    if game.position or _deals_differ(game):
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
