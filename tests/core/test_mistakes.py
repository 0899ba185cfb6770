"""What authors are told about their mistakes: the place, the rule, the cell or value, and what would be right."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import games
from kibitz.cli.new_command import start_game
from kibitz.core.contract import CONTRACT, OLDEST_CONTRACT, SINCE
from kibitz.core.errors import BadGame
from kibitz.core.table import Table
from tests.core.mistakes import MISTAKES


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What is said about each mistake, in a process for what runs interpreted and one for what is compiled."""
    found = {}
    for interpreted in ("1", "0"):
        words = [sys.executable, "-m", "tests.core.mistakes", str(tmp_path_factory.mktemp("mistakes"))]
        environment, root = {**os.environ, "NUMBA_DISABLE_JIT": interpreted}, Path(__file__).parents[2]
        run = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=True)
        found |= json.loads(run.stdout)
    return found


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_author_is_told_of_a_mistake(mistake, said):
    assert re.search(MISTAKES[mistake][2], said[mistake]), said[mistake]
    assert "Traceback" not in said[mistake]
    assert "np.int64(" not in said[mistake]


IN_OTHER_FILES = {  # a file, its text, what is asked of the game, and what is said
    "scene": ("def text(view):\n    return view['LOW']\n", lambda table: table.game.text(table.view(0)),
        r"scene.py fails: .*scene.py, line 2: IndexError"),
    "notation": ("def write(view, move):\n    return 'ab'[move + 9]\n\n\ndef fold(text):\n    return text\n",
        lambda table: table.write(1), r"notation.py fails: .*notation.py, line 2: IndexError"),
    "fields": ("def fields(view, seat):\n    return {'x': 1 // 0}\n",
        lambda table: table.game.fields(table.view(0), 0), r"fields.py fails: .*fields.py, line 2: ZeroDivisionError"),
    "policies": ("AGENTS = ['mcts']\n", lambda table: table.game.agents,
        r"AGENTS of policies.py is \['mcts'\]; it must be a dictionary of texts"),
}  # fmt: skip


@pytest.mark.parametrize("file", IN_OTHER_FILES)
def test_an_error_in_another_file_is_a_sentence_with_its_line(file, tmp_path):
    text, ask, sentence = IN_OTHER_FILES[file]
    start_game(f"with_{file}", tmp_path)
    (tmp_path / f"with_{file}" / f"{file}.py").write_text(text)
    table = Table(games.find(str(tmp_path / f"with_{file}")), 1)
    with pytest.raises(BadGame, match=sentence):
        ask(table)


def test_the_page_on_the_contract_has_a_row_for_each_and_names_what_came_later():
    page = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
    rows = {int(number): text for number, text in re.findall(r"^\| (\d+) \| (.*)$", page, re.MULTILINE)}
    assert list(rows) == list(range(CONTRACT, OLDEST_CONTRACT - 1, -1))
    assert f"CONTRACT = {CONTRACT} " in page
    for rule, contract in SINCE.items():
        assert f"`{rule}`" in rows[contract]
