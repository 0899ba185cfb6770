"""All doors: what is missing is named, and what the page on them shows is true."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "bridges.md"


@pytest.mark.parametrize(("door", "module"), [
    ("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel"),
])  # fmt: skip
def test_a_door_without_its_library_says_what_to_install(door, module):
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        f"try:\n    import kibitz.{door}\nexcept ImportError as error:\n    print(type(error).__name__, error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("MissingLibrary")
    assert f"pip install 'kibitz[{door}]'" in run.stdout


def test_an_agent_without_its_library_is_refused_in_a_sentence():
    code = (
        "import sys; sys.modules['pyspiel'] = None\n"
        "import kibitz\n"
        "try:\n    kibitz.agent('openspiel', kibitz.game('quarto'))\n"
        "except kibitz.BadValue as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'kibitz[openspiel]'" in run.stdout


def test_the_page_on_doors_is_true(monkeypatch):
    for library in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(library, reason=f"{library} is not installed: the page on doors is NOT TESTED")
    monkeypatch.chdir(ROOT)
    failures, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried >= 15
    assert failures == 0
