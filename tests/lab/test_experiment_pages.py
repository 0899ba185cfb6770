"""Pages about experiments: they name every kind and key, their examples run, and results belong to their files."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from kibitz import __version__
from kibitz.lab import experiment
from kibitz.lab.experiment_outcome import COUNTS
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, SAME, UNDECIDED
from kibitz.lab.trials import kinds
from kibitz.lab.trials.match_trial import PUBLISHED
from kibitz.lab.trials.trial import HEADLINE_SEEDS, MARGINS, Trial

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("word", [
    *kinds(), *PUBLISHED, *experiment.TEXTS[3:], *experiment.OF_TRIALS, *(entry.name for entry in fields(Trial)),
    *(f"{{{name}}}" for name in COUNTS),
])  # fmt: skip
def test_the_page_names_every_kind_and_key(word):
    assert f"`{word}" in PAGE


@pytest.mark.parametrize("verdict", [AGREES, OPEN, CONTRADICTS, SAME, UNDECIDED, DIFFERENT])
def test_the_page_explains_every_verdict(verdict):
    assert f"| {verdict} |" in PAGE or f"*{verdict}*" in PAGE


def test_the_page_tells_the_margins_and_seeds():
    listed = ", ".join(f"{kind} = {margin}" for kind, margin in MARGINS.items())
    assert f"`{{{listed}}}`" in PAGE
    assert HEADLINE_SEEDS == 3
    assert "with each of three seeds" in PAGE


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_the_page_can_be_read(tmp_path, text):
    path = tmp_path / "example.toml"
    path.write_text(text, encoding="utf-8")
    assert experiment.read(path).trials


def test_the_citation_names_this_version():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in ("cff-version: 1.2.0", f"version: {__version__}", "license: MIT", '  - name: "The Kibitz authors"'):
        assert line in cited.splitlines()
    assert {"message", "title", "type"} <= {line.partition(":")[0] for line in cited.splitlines()}
