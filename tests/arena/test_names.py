"""Names: a bot goes by the name that it gives itself, and can pass for nobody else."""

import json
import sys

import pytest
from click.testing import CliRunner

from kibitz.arena.results.game_columns import LONGEST_NAME, names_of
from kibitz.cli import main

BOT = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    answer = {"type": "ok", "id": said.get("id")}
    if said["type"] == "hello":
        answer |= {"type": "ready", "name": %r, "wants": ["moves"]}
    elif said["type"] == "decide":
        answer |= {"type": "move", "move": said["moves"][0]}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def bot(tmp_path):
    """Write a bot that calls itself something, and return it as an agent."""

    def written(file, name):
        (tmp_path / file).write_text(BOT % name, encoding="utf-8")
        return f"bot(cmd='{sys.executable} {tmp_path / file}', walls=none)"

    return written


def test_a_bot_stands_in_tables_reports_and_data_by_the_name_it_gives_itself(bot, tmp_path):
    alice, db = bot("alice.py", "alice-ismcts"), tmp_path / "results.db"
    found = CliRunner().invoke(main, ["match", "quarto", "random", alice, "--games", "2", "--db", str(db)])
    assert found.exit_code == 0, found.output
    assert "\u2502 alice-ismcts (bot 2) " in found.stdout
    assert "alice-ismcts (bot 2): bot(cmd=" in found.stdout
    data = json.loads(CliRunner().invoke(main, ["report", str(db), "--json"]).stdout)
    named = {row["agent"]: row["name"] for row in data["standings"]}
    assert named == {"random": "", alice: "alice-ismcts (bot 2)"}
    (pair,) = data["encounters"]
    assert {pair["name"], pair["other_name"]} == {"", "alice-ismcts (bot 2)"}
    out = tmp_path / "page.html"
    assert (
        CliRunner().invoke(main, ["report", str(db), "--out", str(out), "--csv", str(tmp_path / "rows.csv")]).exit_code
        == 0
    )
    assert "alice-ismcts (bot 2)</span>" in out.read_text(encoding="utf-8")
    assert "alice-ismcts (bot 2)" in (tmp_path / "rows.csv").read_text(encoding="utf-8")


def test_a_match_that_keeps_nothing_knows_names_too(bot):
    agents = [bot("one.py", "alice"), bot("two.py", "alice")]
    found = json.loads(CliRunner().invoke(main, ["match", "quarto", *agents, "--games", "2", "--json"]).stdout)
    assert [row["name"] for row in found["agents"]] == ["alice (bot 1)", "alice (bot 2)"]
    assert [row["agent"] for row in found["agents"]] == agents


def test_a_name_that_is_that_of_another_agent_is_seen_to_be_a_bot_s(bot, tmp_path):
    agents = ["random", bot("one.py", "random (bot 1)")]
    found = json.loads(CliRunner().invoke(main, ["match", "quarto", *agents, "--games", "2", "--json"]).stdout)
    assert [row["name"] for row in found["agents"]] == ["", "random (bot 1) (bot 2)"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred (bot 1)"),
        ("a\nb\tc", "a b c (bot 1)"),
        ("\u202eevil", "\\u202eevil (bot 1)"),
        ("x" * 99, "x" * (LONGEST_NAME - 1) + "\u2026 (bot 1)"),
        ("  ", ""),
        ("", ""),
    ],
)
def test_a_name_is_short_and_steers_no_terminal(name, shown):
    assert names_of(["bot(cmd=x)"], [([0], [name])]) == (shown,)


def test_markup_in_a_name_is_shown_as_text(bot, tmp_path):
    db, out = tmp_path / "results.db", tmp_path / "page.html"
    spoof = bot("spoof.py", "<b>[red]x[/red]")
    found = CliRunner().invoke(main, ["match", "quarto", spoof, "random", "--games", "2", "--db", str(db)])
    assert "<b>[red]x[/red] (bot 1)" in found.stdout
    CliRunner().invoke(main, ["report", str(db), "--out", str(out)])
    assert "&lt;b&gt;[red]x[/red] (bot 1)" in out.read_text(encoding="utf-8")


def test_a_name_that_ends_markup_does_not_end_the_command(bot):
    found = CliRunner().invoke(main, ["match", "quarto", bot("spoof.py", "[/b]"), "random", "--games", "2"])
    assert found.exit_code == 0, found.exception
    assert found.stdout.startswith("[/b] (bot 1): bot(cmd=")
    assert "\u2502 [/b] (bot 1) " in found.stdout


def test_the_first_name_counts_and_later_ones_change_nothing():
    games = [([0, 1], ["", "bob"]), ([1, 0], ["mallory", "alice"])]
    assert names_of(["bot(cmd=a)", "bot(cmd=b)"], games) == ("alice (bot 1)", "bob (bot 2)")
