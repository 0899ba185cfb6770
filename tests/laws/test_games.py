"""Laws that hold for every game and every set of options."""

import os
from pathlib import Path

import pytest

from kibitz import games
from kibitz.core.laws import LAWS, ONCE, DoesNotApply, statement
from kibitz.core.table import Table
from tests.golden import variants

KUHN = str(Path(__file__).parents[1] / "kuhn")
OF_TESTS = [str(Path(__file__).parents[1] / name) for name in ("pig", "lanterns")]  # with dice, and played together
TEXTS = [text for name in (*games.names(), KUHN) for text in variants(name)]
QUICK_LAWS = [law for law in LAWS if law not in ONCE]  # which has a file of its own
GAMES_EACH = 3 if os.environ.get("KIBITZ_LONG") else 1


@pytest.mark.parametrize("law", QUICK_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: Path(text).name)
def test_a_law_holds(law, text):
    game = games.find(text)
    first = TEXTS.index(text)  # so that the variants of a game are not all tried on the same deal
    for seed in range(first, first + GAMES_EACH):
        try:
            law(game, seed)
        except DoesNotApply:
            return


def test_a_view_is_a_copy_that_cannot_touch_the_table(game_name):
    table = Table(games.find(game_name), 1)
    before, moves = table.view(0).copy(), table.moves()
    table.view(0)[:] = 99
    assert (table.view(0) == before).all()
    assert table.moves() == moves


def test_every_law_is_stated_in_one_sentence():
    for law in LAWS:
        assert statement(law).endswith("."), law.__name__
        assert len(statement(law)) < 200, law.__name__


def test_every_law_applies_to_some_game():
    assert {law.__name__ for law in QUICK_LAWS if not any(_applies(law, text) for text in [*TEXTS, *OF_TESTS])} == set()


def _applies(law, text):
    try:
        law(games.find(text), 1)
    except DoesNotApply:
        return False
    return True
