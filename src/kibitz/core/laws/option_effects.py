"""Options that change nothing: neither who may play what, nor what is seen, nor what is earned."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.laws.walk import dice_to_move, fresh_table, step
from kibitz.core.spec import parse
from kibitz.core.table import Table

GAMES = 100  # that are compared
MOST_PLIES = 1000  # of each


def idle_options(variants: Mapping[str, Game], seed: int) -> Iterator[tuple[str, str]]:
    """Yield each option none of whose values changes random games, with a variant that sets it.

    The first of the variants has the usual options; each of the others changes one. A number of which only one extreme
    can be played may be a limit that is never reached.
    """
    (_, usual), *others = variants.items()
    by_option: dict[str, dict[str, Game]] = {}
    for text, game in others:
        by_option.setdefault(next(iter(parse(text).args)), {})[text] = game
    for option, changed in by_option.items():
        numeric = usual.declared[option].sort in ("int", "float")
        if not (numeric and len(changed) == 1) and all(_alike(usual, game, seed) for game in changed.values()):
            yield option, next(iter(changed))


def _alike(one: Game, other: Game, seed: int) -> bool:
    """Return whether two games are the same in all cells but those that differ from the deal on."""
    if one.size != other.size or one.seats != other.seats:
        return False
    for each in range(seed, seed + GAMES):
        first, second = fresh_table(one, each), fresh_table(other, each)
        same = first.copy_of_truth() == second.copy_of_truth()
        courses = zip_longest(_course(first, each, same), _course(second, each, same))
        if any(met != found for met, found in courses):
            return False
    return True


def _course(table: Table, seed: int, compared: np.ndarray) -> Iterator[object]:
    """Yield what is compared of a random game, of the cells some: at every ply, and at its end."""
    rng, seats = dice_to_move(seed), range(table.game.seats if table.game.hidden else 0)
    while not table.over and table.ply < MOST_PLIES:
        hidden = [(table.view(seat) == UNKNOWN).tobytes() for seat in seats]
        yield table.ply, table.turn, table.moves(), table.copy_of_truth()[compared].tobytes(), hidden
        step(table, rng)
    yield table.moves_made, table.payoff() if table.over else None
