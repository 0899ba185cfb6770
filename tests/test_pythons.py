"""Other Pythons: the part of the tests that is tried on each of them, and what is said of those that are not here."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OTHERS = [one for one in ("3.11", "3.12", "3.13") if one != f"{sys.version_info.major}.{sys.version_info.minor}"]
TOOLS = ("bash", "env", "dirname", "ls", "sort", "sh")


@pytest.fixture
def others(tmp_path):
    """Return a function that tries other Pythons where some versions are here, and where some wish of make fails."""

    def run(here, fails="nothing"):
        _script(tmp_path / "make", f'echo "make: $*"; case "$*" in *"{fails}"*) exit 1;; esac')
        for version in here:
            _script(tmp_path / f"python{version}", "exit 0")
        for tool in TOOLS:
            (tmp_path / tool).symlink_to(shutil.which(tool))
        command, alone = [ROOT / ".ci" / "others", sys.executable], {**os.environ, "PATH": str(tmp_path)}
        return subprocess.run(command, env=alone, capture_output=True, text=True, check=False, timeout=60)

    return run


def _script(path, text):
    path.write_text(f"#!{shutil.which('sh')}\n{text}\n")
    path.chmod(0o755)


def test_a_python_that_is_not_here_is_named_and_left_out(others):
    done = others(OTHERS[1:])
    assert f"PYTHON {OTHERS[0]} NOT TRIED: it is not here" in done.stdout
    assert f"make: --no-print-directory test-part VENV=.venv-{OTHERS[1]}" in done.stdout
    assert done.returncode == 0


def test_a_python_that_cannot_be_set_up_is_named_and_left_out(others):
    done = others(OTHERS, fails=f".venv-{OTHERS[0]}/installed-dev")
    assert f"PYTHON {OTHERS[0]} NOT TRIED: not all that the tests need can be installed for it" in done.stdout
    assert f"test-part VENV=.venv-{OTHERS[0]}" not in done.stdout
    assert f"test-part VENV=.venv-{OTHERS[1]}" in done.stdout
    assert done.returncode == 0


def test_a_part_that_fails_fails_the_run(others):
    assert others(OTHERS, fails=f"test-part VENV=.venv-{OTHERS[0]}").returncode != 0


def test_all_that_is_tried_on_other_pythons_exists():
    part = (ROOT / "Makefile").read_text().split("\nPART := ")[1].split("\n\n")[0]
    files = re.findall(r"tests/\w+(?:/\w+)*\.py", part)
    assert len(files) > 1
    assert [file for file in files if not (ROOT / file).is_file()] == []
