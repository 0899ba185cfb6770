"""The position that `kibitz analyse` is asked about: of a game in a file, or of a random one."""

from pathlib import Path

from kibitz.arena.kept_games import chosen_record, replayed
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadRecord, BadValue
from kibitz.core.seeds import POSITION, derive_seed
from kibitz.core.table import Table
from kibitz.games import find


def analysed_position(
    what: str, ply: int | None, number: int | None, run: str | None, seed: int, trusted: bool
) -> Table:
    """Return the table after `ply` plies of a game in a file, or of a random game.

    Without `ply` it is the last position of the game with a choice, or the first position of a random game.
    """
    if ply is not None and ply < 0:
        raise BadValue(f"--ply must be at least 0, not {ply}")
    if Path(what).is_file():
        record = chosen_record(Path(what), number, trusted, run)
        table = replayed(record, ply)
        if table.over:
            last = _last_choice(table)
            if ply is not None:
                raise BadRecord(f"the game is over at ply {ply}; the last choice was at --ply {last}")
            table = replayed(record, last)
    else:
        table, rng = Table(find(what), seed), dice(derive_seed(seed, POSITION))
        while not table.over and table.ply < (ply or 0):
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])
    if table.over:
        raise BadRecord(f"the game is over at ply {table.ply}; there is no move to choose")
    return table


def _last_choice(table: Table) -> int:
    """Return the last ply at which there was more than one move; if there was none, the last ply."""
    again = Table(table.game, table.seed)
    choices = []
    while again.ply < table.ply:
        if len(again.moves()) > 1:
            choices.append(again.ply)
        again.play(table.moves_made[again.ply])
    return max(choices, default=max(0, table.ply - 1))
