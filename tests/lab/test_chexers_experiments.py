"""The experiments on two reports about Chexers: whose numbers they have, and which agents stand for whom."""

import re
import tomllib
from pathlib import Path

import pytest

from kibitz.plugins.documents import experiments

FILES = sorted(Path(experiments.__file__).parent.glob("chexers-*.toml"))
PAGE = Path(__file__).parents[2] / "docs" / "results" / "chexers.md"


def trials(name):
    """Return the trials of an experiment, each with what the head of its file says for all."""
    head = tomllib.loads(next(path for path in FILES if path.stem == name).read_text(encoding="utf-8"))
    return [head | trial for trial in head["trial"]]


def test_best_reply_search_and_paranoid_of_the_report_have_neither_table_nor_deepening():
    texts = [text for trial in trials("chexers-brs") for text in trial["agents"].values()]
    searches = [text for text in texts if text.startswith(("brs", "paranoid"))]
    assert len(searches) > 20
    assert all("table=false, deepen=false" in text for text in searches)
    assert not any("seconds" in text for text in texts)  # which would deepen


def test_numbers_of_mozi_s_program_are_not_taken_for_those_of_the_report():
    numbers = [trial for trial in trials("chexers-mozi") if trial["published"].get("games")]
    assert len(numbers) == 4
    assert {trial.get("origin") for trial in numbers} == {"program"}
    assert all("commit was not recorded" in trial["origin_note"] and trial["fitted"] for trial in numbers)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mozi_is_named_after_the_agent_that_plays(path):
    for trial in trials(path.stem):
        for name, text in trial.get("agents", {}).items():
            if text in ("mozi", "mozi-program") and trial.get("kind") != "variants":
                assert name == text, trial["what"]


def test_the_page_on_chexers_names_all_experiments_and_no_others():
    assert set(re.findall(r"`(chexers-[a-z]+)`", PAGE.read_text(encoding="utf-8"))) == {path.stem for path in FILES}
