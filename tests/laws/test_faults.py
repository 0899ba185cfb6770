"""Every law is broken by a game that is made to break it: none is empty words."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.laws import LAWS, ONCE
from tests.laws.faults import FAULTS


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What each law finds in the game that is made to break it, interpreted, in a process of its own."""
    words = [sys.executable, "-m", "tests.laws.faults", str(tmp_path_factory.mktemp("faults"))]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    root = Path(__file__).parents[2]
    run = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_there_is_a_fault_for_every_law():
    assert set(FAULTS) == {law.__name__ for law in LAWS if law not in ONCE}


@pytest.mark.parametrize("law", FAULTS)
def test_a_law_finds_its_fault(law, found):
    assert found[law] != "nothing"
    assert "not Broken" not in found[law]
