"""Tables in the terminal: they fit 80 columns, and no name is broken."""

from io import StringIO

import pytest
from rich.console import Console

from kibitz import games
from kibitz.arena.balance import play_balance, play_variants
from kibitz.arena.match import play_match
from kibitz.arena.show.balance_table import balance_table, comparison_table
from kibitz.arena.show.match_table import match_table
from kibitz.arena.show.table_parts import short_names

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


def test_agents_have_the_numbers_of_the_plan_as_bots_have():
    first, second, bot = "mcts(iterations=100)", "flat(playouts=9)", "bot(cmd='./bot')"
    labels, _ = short_names([second, bot, first], ["", "runner (bot 3)", ""], [first, second, bot])
    assert labels == ["agent 2", "runner (bot 3)", "agent 1"]


def test_files_go_by_their_names_unless_two_are_alike():
    assert short_names(["./mybot.py", "random"]) == (["mybot", "random"], [])
    assert short_names(["bots/my_minimax_bot.py"]) == (["my_minimax_bot"], ["my_minimax_bot: bots/my_minimax_bot.py"])
    labels, legend = short_names(["old/mybot.py", "./mybot.py"])
    assert (labels, legend) == (["agent 1", "./mybot.py"], ["agent 1: old/mybot.py"])


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


def test_columns_are_left_out_before_names_are_broken(tmp_path):
    (tmp_path / "my_minimax_bot.py").write_text(
        "from kibitz import Agent\n\n\nclass Bot(Agent):\n    def decide(self, view):\n"
        "        return self.legal(view)[0]\n"
    )
    agents = [f"{tmp_path}/my_minimax_bot.py", "random", "random", "random"]
    shown = printed(match_table(play_match(games.find("colonizers"), agents, games=40, jobs=1, isolate=False)))
    assert "│ my_minimax_bot │" in shown
    assert "won / drawn / lost" in shown
    assert "…" not in shown


def test_variants_side_by_side_fit_80_columns():
    variants = ["colonizers", "colonizers(bonus=flat)"]
    shown = printed(comparison_table(play_variants(variants, "heuristic", 200)))
    assert max(map(len, shown.splitlines())) <= COLUMNS
    assert "┃ seat 4 ┃" in shown
    assert "…" not in shown


def test_a_corrected_p_value_is_no_frequency():
    shown = " ".join(printed(match_table(play_match(games.find("quarto"), ["novice", "random"], games=400))).split())
    assert "corrected for 2 agents" in shown
    assert "such runs would" not in shown


def test_a_look_at_the_balance_fits_80_columns():
    shown = printed(balance_table(play_balance(games.find("colonizers"), "heuristic", games=400)))
    assert max(map(len, shown.splitlines())) <= COLUMNS
    assert "…" not in shown.replace(" … ", "")


def test_on_a_narrow_terminal_columns_are_left_out_too():
    out = Console(file=StringIO(), width=40, highlight=False)
    for part in match_table(play_match(games.find("quarto"), ["novice", "random"], games=40)):
        out.print(part)
    shown = out.file.getvalue()
    assert "│ novice │" in shown
    assert "┃ win rate ┃" in shown
    assert max(map(len, shown.splitlines())) <= 40
