"""The position that `kibitz analyse` is asked about: of a game that was kept in a file, or of a random one."""

from pathlib import Path

from kibitz.cli.chosen_record import chosen_record, replayed
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadRecord, BadValue
from kibitz.core.streams import POSITION, stream
from kibitz.core.table import Table
from kibitz.games import find


def analysed_position(
    what: str, ply: int | None, number: int | None, run: str | None, seed: int, trusted: bool
) -> Table:
    """Return the table after so many plies of a game that was kept in a file, or of a random game."""
    if ply is not None and ply < 0:
        raise BadValue(f"--ply must be at least 0, not {ply}")
    if Path(what).is_file():
        table = replayed(chosen_record(Path(what), number, trusted, run), ply)
    else:
        table, rng = Table(find(what), seed), dice(stream(seed, POSITION))
        while not table.over and table.ply < (ply or 0):
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])
    if table.over:
        raise BadRecord(f"the game is over at ply {table.ply}; there is no move to choose")
    return table
