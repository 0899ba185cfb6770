"""Laws on the fields of views: plain data, made from the view alone."""

import json

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.laws.law import Broken, DoesNotApply, Position, law
from kibitz.core.laws.walk import dice_to_guess, roomy, walk
from kibitz.core.playout import guess_world, look

_PLAIN = (str, int, float, bool, type(None))


@law
def fields_are_plain_data(game: Game, seed: int) -> None:
    """The fields of a view are lists, names, numbers, truth values and None, and show nothing as UNKNOWN."""
    for table in walk(game, seed):
        for seat in range(game.seats):
            found = game.fields(table.view(seat), seat)
            odd = _odd(found)
            if odd:
                raise Broken(f"the fields of seat {seat} hold {odd}", Position.of(table))
            if json.loads(json.dumps(found)) != found:
                raise Broken(f"the fields of seat {seat} change when they are written as JSON", Position.of(table))


def _odd(data: object) -> str:
    """Return what is no plain data, in words; nothing if all is well."""
    if isinstance(data, dict):
        wrong = [key for key in data if not isinstance(key, str)]
        return f"the key {wrong[0]!r}" if wrong else next(filter(None, map(_odd, data.values())), "")
    if isinstance(data, list):
        return next(filter(None, map(_odd, data)), "")
    if type(data) not in _PLAIN:
        return f"{data!r}, a {type(data).__name__}"
    return "the number that stands for UNKNOWN" if data == UNKNOWN else ""


@law
def fields_tell_nothing_but_the_view(game: Game, seed: int) -> None:
    """Two truths that a seat cannot tell apart give it the same fields, and so do two looks at one view."""
    if not game.hidden:
        raise DoesNotApply("the game hides nothing")
    rng, again = dice_to_guess(seed), game.new_state()
    for table in walk(game, seed):
        for seat in range(game.seats):
            view = table.view(seat)
            before, found = view.copy(), game.fields(view, seat)
            world = roomy(game, view)
            guess_world(game.rules, world, seat, rng)
            again[: game.size] = 0
            look(game.rules, world, seat, again)
            if game.fields(again[: game.size].copy(), seat) != found:
                raise Broken(f"seat {seat} finds other fields in a world that looks the same", Position.of(table))
            if np.any(view != before):
                raise Broken(f"the fields of seat {seat} change its view", Position.of(table))


@law
def texts_in_bulk_are_the_texts(game: Game, seed: int) -> None:
    """The texts of all moves at once are those of the moves one by one."""
    for table in walk(game, seed):
        view, legal = table.view(table.turn), table.moves()
        if game.texts(view, legal) != [game.write(view, move) for move in legal]:
            raise Broken("the texts of the moves differ from those written one by one", Position.of(table))
