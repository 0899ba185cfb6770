"""Laws on what people and programs read: the texts of moves and positions, scenes, and the fields of views."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from math import isfinite

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadMove
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, law, plainly, some_of
from kibitz.core.laws.walk import fresh_table, guesses, played_out, walk
from kibitz.core.playout import look
from kibitz.core.scene import TEXT_WIDTH, Scene, parts_of, svg
from kibitz.core.table import Table
from kibitz.core.user_files import explained

NONSENSE = "nonsense"
MOST_ALIKE = 5  # moves with one text that are named
PLACES = ("d", "points", "transform")  # attributes that are numbers in a text
MOST_WORDS = 60  # characters in the cause of a draw
SCENE_EVERY = 10  # plies between positions whose scenes are checked for every seat
NO_NUMBER = re.compile("nan|inf", re.IGNORECASE)
_PLAIN = (str, int, float, bool, type(None))


@law
def the_text_of_a_move_reads_back(game: Game, seed: int) -> None:
    """The text of a move reads back as that move, in upper and lower case; no two moves have the same text."""
    for table in walk(game, seed):
        texts = {table.write(move): move for move in table.moves()}
        if len(texts) < len(table.moves()):
            raise Broken(alike_in_words(table.moves(), list(map(table.write, table.moves()))), table)
        for text, move in texts.items():
            for typed in (f"  {text.upper()} ", text.lower()):
                if _read(table, typed) != move:
                    raise Broken(f"{typed!r} does not read back as the move {move}", table)


def alike_in_words(moves: list[int], texts: list[str]) -> str:
    """Return in a sentence that some moves have the same text."""
    text, number = Counter(texts).most_common(1)[0]
    same = [move for move, its in zip(moves, texts, strict=True) if its == text]
    more = f" and {number - MOST_ALIKE} more" if number > MOST_ALIKE else ""
    return f"the moves {', '.join(map(str, same[:MOST_ALIKE]))}{more} have the same text {text!r}"


def _read(table: Table, typed: str) -> int | None:
    try:
        return table.read(typed)
    except BadMove:
        return None


@law
def nonsense_is_refused_with_the_choices(game: Game, seed: int) -> None:
    """A text that is not a move is refused, and the refusal lists the moves."""
    table = fresh_table(game, seed)
    if table.over:
        raise DoesNotApply("the game is over before any seat has moved")
    first = table.write(table.moves()[0])
    try:
        table.read(NONSENSE)
    except BadMove as error:
        if "the moves are" not in str(error) or first not in str(error):
            raise Broken(f"the refusal {str(error)!r} does not list the moves", table) from error
    else:
        raise Broken(f"{NONSENSE!r} is read as a move", table)


@law
def scenes_offer_legal_moves_only(game: Game, seed: int) -> None:
    """The shapes of a scene offer no moves but legal ones, and its text says something."""
    for table in walk(game, seed):
        legal = table.moves()
        offered = {move for shape in _scene(table).shapes() for move in shape.moves}
        if not offered <= set(legal):
            odd = sorted(offered - set(legal))
            raise Broken(f"the scene offers the moves {some_of(odd)} which are not legal", table)
        if not game.text(table.view(table.turn)).strip():
            raise Broken("the text of the position is empty", table)


def _scene(table: Table) -> Scene:
    """Return the scene of a position as the seat to move sees it."""
    return table.game.scene(table.view(table.turn), table.moves())


@law
def scenes_can_be_drawn_for_everyone(game: Game, seed: int) -> None:
    """A scene can be drawn from the view of every seat, from the true state, and from the public view."""
    for table in chain(_some_positions(game, seed), (played_out(game, seed),)):
        for whose, view, legal in _views(table):
            try:
                svg(game.scene(view, legal))
            except Exception as error:
                what = f"the scene of {whose} cannot be drawn: {explained(error)}"
                raise Broken(what, table) from error


def _some_positions(game: Game, seed: int) -> Iterator[Table]:
    return (table for table in walk(game, seed) if table.ply % SCENE_EVERY == seed % SCENE_EVERY)


def _views(table: Table) -> Iterator[tuple[str, Int64s, list[int]]]:
    """Yield for everyone who may be shown a position: who it is, the view, and the moves on offer."""
    legal = [] if table.over else table.moves()
    seen = [table.view(seat) for seat in range(table.game.seats)]
    for seat, view in enumerate(seen):
        yield f"seat {seat + 1}", view, legal if seat == table.turn else []
    truth = table.copy_of_truth()[: table.game.size]
    yield "the truth", truth, legal
    yield "a watcher", np.where((np.array(seen) == UNKNOWN).any(axis=0), UNKNOWN, truth), []


@law
def targets_have_titles(game: Game, seed: int) -> None:
    """A shape that may be clicked has a title."""
    for table in _some_positions(game, seed):
        for shape in _scene(table).shapes():
            if shape.moves and not shape.title:
                raise Broken(f"a {shape.tag} for the moves {some_of(shape.moves)} has no title", table)


@law
def targets_lie_apart(game: Game, seed: int) -> None:
    """A shape that may be clicked lies inside no other that may be clicked."""
    for table in _some_positions(game, seed):
        for target in (shape for shape in _scene(table).shapes() if shape.moves):
            inner = next((part for part in parts_of(target) if part.moves), None)
            if inner:
                raise Broken(f"{inner.title!r} is inside {target.title!r}, and both have moves", table)


@law
def panels_have_names_of_their_own(game: Game, seed: int) -> None:
    """No two panels of a scene have the same name."""
    for table in _some_positions(game, seed):
        names = [panel.name for panel in _scene(table).panels]
        if len(set(names)) < len(names):
            raise Broken(f"the panels of the scene are called {names}", table)


@law
def shapes_have_plain_finite_numbers(game: Game, seed: int) -> None:
    """The attributes of a shape are Python texts and finite Python numbers, its moves Python integers."""
    for table in _some_positions(game, seed):
        for shape in _scene(table).shapes():
            odd = next((item for item in shape.at.items() if not _is_plain(*item)), None)
            if odd:
                raise Broken(f"a {shape.tag} has {odd[0]} {plainly(odd[1])}, a {type(odd[1]).__name__}", table)
            if any(type(move) is not int for move in shape.moves):
                raise Broken(
                    f"a {shape.tag} has the moves {some_of(shape.moves)}, which must be integers of Python", table
                )


def _is_plain(name: str, value: float | str) -> bool:
    if isinstance(value, str):
        return name not in PLACES or not NO_NUMBER.search(value)
    return type(value) in (int, float) and isfinite(value)


@law
def everyone_hears_the_same_of_a_draw(game: Game, seed: int) -> None:
    """The cause of a draw is a few words on one line, the same from every view and from the true state."""
    if not game.tells_draws:
        raise DoesNotApply("it does not tell the cause of a draw")
    table = played_out(game, seed)
    if not table.over or table.payoff().count(max(table.payoff())) == 1:
        return
    said = game.drawn_by(table.copy_of_truth()[: game.size])
    if len(said) > MOST_WORDS or not said.isprintable() or said != said.strip(" ."):
        raise Broken(f"drawn_by says {said!r}; a few words are wanted, as in: fourfold repetition", table)
    for seat in range(game.seats):
        if game.drawn_by(table.view(seat)) != said:
            raise Broken(f"seat {seat + 1} hears another cause of the draw than {said!r}", table)


@law
def lines_of_text_fit_a_terminal(game: Game, seed: int) -> None:
    """No line of a position's text is longer than a terminal of 80 columns."""
    for table in chain(walk(game, seed), (played_out(game, seed),)):
        for seat in range(game.seats):
            for line in game.text(table.view(seat)).split("\n"):
                if len(line) > TEXT_WIDTH:
                    raise Broken(f"a line of text has {len(line)} characters: {line!r}", table)


@law
def fields_are_plain_data(game: Game, seed: int) -> None:
    """The fields of a view are lists, dictionaries, texts, numbers, booleans and None; none of them is UNKNOWN."""
    for table in walk(game, seed):
        for seat in range(game.seats):
            found = game.fields(table.view(seat), seat)
            odd = _odd(found)
            if odd:
                raise Broken(f"the fields of seat {seat + 1} hold {odd}", table)
            if json.loads(json.dumps(found)) != found:
                raise Broken(f"the fields of seat {seat + 1} change when they are written as JSON", table)


def _odd(data: object) -> str:
    """Return in words what is not plain data; empty if everything is."""
    if isinstance(data, dict):
        wrong = [key for key in data if not isinstance(key, str)]
        return f"the key {wrong[0]!r}" if wrong else next(filter(None, map(_odd, data.values())), "")
    if isinstance(data, list):
        return next(filter(None, map(_odd, data)), "")
    if type(data) not in _PLAIN:
        made = "; int(…), float(…) or bool(…) makes it plain" if isinstance(data, np.generic) else ""
        return f"{plainly(data)}, a {type(data).__name__}{made}"
    return "the number that stands for UNKNOWN" if data == UNKNOWN else ""


@law
def fields_tell_nothing_but_the_view(game: Game, seed: int) -> None:
    """Two truths that a seat cannot tell apart give it the same fields, and so do two looks at one view."""
    again = game.new_state()
    for table, seat, view, world in guesses(game, seed):
        before, found = view.copy(), game.fields(view, seat)
        again[: game.size] = 0
        look(game.rules, world, seat, again)
        if game.fields(again[: game.size].copy(), seat) != found:
            raise Broken(f"seat {seat + 1} finds other fields in a world that looks the same", table)
        if np.any(view != before):
            raise Broken(f"the fields of seat {seat + 1} change its view", table)


@law
def texts_in_bulk_are_the_texts(game: Game, seed: int) -> None:
    """The texts of all moves at once are those of the moves one by one."""
    for table in walk(game, seed):
        view, legal = table.view(table.turn), table.moves()
        if game.texts(view, legal) != [game.write(view, move) for move in legal]:
            raise Broken("the texts of the moves differ from those written one by one", table)
