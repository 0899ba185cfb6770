"""What authors are told about their mistakes: the place, the rule, the cell or value, and what would be right."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
