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


def test_the_page_of_results_belongs_to_the_files():
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    made = dict(re.findall(r"^file ([\w-]+)\.toml, (\w+);", text, re.MULTILINE))
    found = {name: experiment.outline(name) for name in experiment.names()}
    wanted = {name: entry.data for name, entry in found.items() if not entry.aside or name in made}
    changed = sorted(name for name in {*made, *wanted} if made.get(name) != wanted.get(name))
    assert not changed, "run these again, then: kibitz experiment report --out pages; cp pages/results.md docs/"


def test_the_hash_of_a_file_changes_with_its_data_and_not_with_its_layout(tmp_path):
    path = tmp_path / "x.toml"
    text = "title = 'x'\n[[trial]]\nkind = 'fit'\nwhat = 'w'\ncounts = [5, 5]\n"
    hashes = []
    for entry in (text, text.replace("\n", "\r\n") + "# more\n", text.replace("5]", "6]"), text.replace("'x'", "'y'")):
        path.write_text(entry, newline="")
        hashes.append(experiment.outline(str(path)).data)
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


def test_the_citation_names_this_version():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in ("cff-version: 1.2.0", f"version: {__version__}", "license: MIT", '  - name: "The Kibitz authors"'):
        assert line in cited.splitlines()
    assert {"message", "title", "type"} <= {line.partition(":")[0] for line in cited.splitlines()}
