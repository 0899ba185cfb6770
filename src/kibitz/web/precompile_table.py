"""The warm-up of a table: a short game in which all its code runs, so that it is compiled."""

from contextlib import suppress

from kibitz.core.address import compile_expected
from kibitz.core.code_on_disk import forecast
from kibitz.core.compile_forecast import purpose_of
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.seeds import POSITION, derive_seed
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.web.viewpoint import news, seen, told, viewers

WARM_UP_PLIES = 40  # plies
BROWSER = "browser"  # a purpose of machine code, as agents are


def warm_up_table(game: Game) -> None:
    """Load or compile the code that a table and its pictures need."""
    forecast.announce(str(game), BROWSER, game.rule_names)
    with forecast.needed_for(purpose_of(str(game), BROWSER)):
        compile_expected()
        _play_and_show(game)


def _play_and_show(game: Game) -> None:
    table, rng = Table(game, 1), dice(derive_seed(1, POSITION))
    while not table.over and table.ply < WARM_UP_PLIES:
        moves = table.moves()
        move = moves[roll(rng, len(moves))]
        before = {viewer: seen(game, table, viewer) for viewer in viewers(game)}
        for view in before.values():
            game.scene(view, moves)
        told(table, move)
        World.of(table).play(move)
        table.play(move)
        news(game, before, {viewer: seen(game, table, viewer) for viewer in before})
        with suppress(BadValue):
            game.position_text(table.copy_of_truth())
    table.undo(1)
