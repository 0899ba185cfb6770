"""Tables in the terminal: they fit 80 columns, and no name is broken."""

from io import StringIO

import pytest
from rich.console import Console

from kibitz import games
from kibitz.arena.balance import play_balance
from kibitz.arena.match import play_match
from kibitz.arena.show.balance_table import balance_table
from kibitz.arena.show.match_table import match_table
from kibitz.arena.show.parts import short_names

COLUMNS = 80


def printed(parts):
    """Return what a terminal of 80 columns shows."""
    out = Console(file=StringIO(), width=COLUMNS, highlight=False)
    for part in parts:
        out.print(part)
    return out.file.getvalue()


def test_long_names_are_numbered_and_told_above_the_table():
    labels, legend = short_names(["novice", "flat(playouts=9)", "random"])
    assert labels == ["novice", "agent 2", "random"]
    assert legend == ["agent 2: flat(playouts=9)"]


@pytest.mark.parametrize(
    ("game", "agents"),
    [("quarto", ["novice", "random"]), ("colonizers", ["heuristic", "random", "heuristic(rule5=hand)", "random"])],
)
def test_a_match_fits_80_columns_and_breaks_no_name(game, agents):
    shown = printed(match_table(play_match(games.find(game), agents, games=400)))
    assert max(map(len, shown.splitlines())) <= COLUMNS
    for name in ("novice", "random") if game == "quarto" else ("heuristic", "agent 3"):
        assert f"│ {name} " in shown
    assert "won / drawn / lost" in shown
    assert "…" not in shown


def test_a_look_at_the_balance_fits_80_columns():
    shown = printed(balance_table(play_balance(games.find("colonizers"), "heuristic", games=400)))
    assert max(map(len, shown.splitlines())) <= COLUMNS
    assert "…" not in shown.replace(" … ", "")
