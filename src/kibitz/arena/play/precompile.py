"""Machine code before the first move: what a game and its agents need is compiled at once, behind one line."""

from collections.abc import Iterable

import numpy as np

from kibitz.agents import build
from kibitz.core.dice import dice, roll
from kibitz.core.game import Game
from kibitz.core.seeds import DEAL, POSITION, WARM_UP, derive_seed
from kibitz.core.table import Table
from kibitz.core.user_files import printing_on_stderr

_FAR = 40  # plies into a game, for the code that only later positions need
_END = 2000  # plies, within which most games end by chance


def rehearse(game: Game, agents: Iterable[str]) -> None:
    """Let a copy of each agent rehearse at the beginning of a game and further on, in a deal of no other use."""
    for agent in sorted(set(agents)):
        try:
            with printing_on_stderr():
                _rehearse(game, agent)
        except Exception:  # what is wrong with an agent shows when it plays
            continue


def rehearse_table(game: Game) -> None:
    """Play to the end and show what people at a table are shown, which needs code that no agent does."""
    table, rng = _table_and_dice(game)
    last = game.seats - 1
    while not table.over and table.ply < _END:
        moves, before = table.moves(), table.view(last)
        move = moves[roll(rng, len(moves))]
        if table.ply < _FAR:
            table.told(move, last)
            game.text(before)
        table.play(move)
        if table.ply < _FAR:
            game.changes(before, table.view(last))
    if table.over:
        table.payoff()


def _table_and_dice(game: Game) -> tuple[Table, np.ndarray]:
    seed = derive_seed(0, WARM_UP)
    return Table(game, derive_seed(seed, DEAL)), dice(derive_seed(seed, POSITION))


def _rehearse(game: Game, agent: str) -> None:
    table, rng = _table_and_dice(game)
    mind, view = build(agent, game, 0), table.view(table.turn)
    mind.rehearse(view)
    table.told(table.moves()[0], game.seats - 1)
    while not table.over and table.ply < _FAR:
        moves, view = table.moves(), table.view(table.turn)
        table.play(moves[roll(rng, len(moves))])
    mind.rehearse(view)
