"""The page on tournaments names all that there is, and its example of a hook works."""

import re
from dataclasses import fields
from pathlib import Path

from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.plan_file import read_plan
from kibitz.arena.plan.schedule import ENOUGH_OPENINGS
from kibitz.arena.plan.schemes import SCHEMES
from kibitz.arena.play.reason import Reason
from kibitz.arena.tournament import play_tournament

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")


def test_every_scheme_limit_and_reason_is_explained():
    for word in (*SCHEMES, *Reason, *(limit.name for limit in fields(Limits))):
        assert f"`{word}`" in PAGE or f"`{word}`s" in PAGE, word
    assert f"{ENOUGH_OPENINGS:,} different openings" in PAGE


def test_the_hook_on_the_page_works(tmp_path):
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.S)
    hook = tmp_path / "lengths.py"
    hook.write_text(source, encoding="utf-8")
    plan = Plan.make("quarto", ["random", "novice"], games=10, hooks=[str(hook)])
    found = play_tournament(plan, tmp_path / "results.db").hooks[str(hook)]
    assert 10 < found["longest"] <= 32


def test_the_tournament_of_the_report_can_be_planned():
    plan = read_plan(ROOT / "examples" / "quarto-report.toml")
    assert len(plan.agents) == 5
    assert plan.planned == 10_000
    assert len(plan.seatings) == 2 * 10
