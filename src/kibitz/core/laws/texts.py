"""Laws on what people read: the texts of moves and positions, and scenes."""

from itertools import chain

from kibitz.core.errors import BadMove
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, Position, law
from kibitz.core.laws.walk import fresh_table, played_out, walk
from kibitz.core.scene import TEXT_WIDTH
from kibitz.core.table import Table

NONSENSE = "nonsense"


@law
def the_text_of_a_move_reads_back(game: Game, seed: int) -> None:
    """The text of a move reads back as that move, in upper and lower case; no two moves have the same text."""
    for table in walk(game, seed):
        texts = {table.write(move): move for move in table.moves()}
        if len(texts) < len(table.moves()):
            raise Broken(f"two of the moves {table.moves()} have the same text", Position.of(table))
        for text, move in texts.items():
            for typed in (f"  {text.upper()} ", text.lower()):
                if _read(table, typed) != move:
                    raise Broken(f"{typed!r} does not read back as the move {move}", Position.of(table))


def _read(table: Table, typed: str) -> int | None:
    try:
        return table.read(typed)
    except BadMove:
        return None


@law
def nonsense_is_refused_with_the_choices(game: Game, seed: int) -> None:
    """What is no move is refused with the moves there are."""
    table = fresh_table(game, seed)
    first = table.write(table.moves()[0])
    try:
        table.read(NONSENSE)
    except BadMove as error:
        if "the moves are" not in str(error) or first not in str(error):
            raise Broken(f"the refusal {str(error)!r} does not list the moves", Position.of(table)) from error
    else:
        raise Broken(f"{NONSENSE!r} is read as a move", Position.of(table))


@law
def scenes_offer_legal_moves_only(game: Game, seed: int) -> None:
    """The shapes of a scene offer no moves but legal ones, and its text says something."""
    for table in walk(game, seed):
        legal, view = table.moves(), table.view(table.turn)
        offered = {move for shape in game.scene(view, legal).shapes() for move in shape.moves}
        if not offered <= set(legal):
            odd = sorted(offered - set(legal))
            raise Broken(f"the scene offers the moves {odd}, which are not legal", Position.of(table))
        if not game.text(view).strip():
            raise Broken("the text of the position is empty", Position.of(table))


@law
def lines_of_text_fit_a_terminal(game: Game, seed: int) -> None:
    """No line of a position's text is longer than a terminal of 80 columns."""
    for table in chain(walk(game, seed), (played_out(game, seed),)):
        for seat in range(game.seats):
            for line in game.text(table.view(seat)).split("\n"):
                if len(line) > TEXT_WIDTH:
                    raise Broken(f"a line of text has {len(line)} characters: {line!r}", Position.of(table))
