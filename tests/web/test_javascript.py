"""The JavaScript of all pages is checked by TypeScript: messages are used as they are declared."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.typescript import MISSING, tsc

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "src" / "kibitz" / "web" / "static" / "js"
WRONG = """
/** @param {import("MESSAGES").StateMessage} state */
export const misspelt = (state) => state.seatnames;

/** @param {import("TABLE").GameTable} table */
export const unknown = (table) => table.send({ type: "resign" });

/** @param {import("TABLE").GameTable} table */
export const heard = (table) => table.on("analysis", (message) => message.line);
"""


def complaints(project):
    """Return what the compiler says about a project; without a compiler the test is skipped."""
    command = tsc()
    if command is None:
        pytest.skip(MISSING)
    done = subprocess.run([*command, "-p", str(project)], capture_output=True, text=True, timeout=300, check=False)
    return done.stdout.splitlines()


def test_the_javascript_uses_messages_as_they_are_declared():
    assert complaints(ROOT) == []


def test_a_message_that_is_not_used_as_declared_is_found(tmp_path):
    script = WRONG.replace("MESSAGES", f"{SCRIPTS}/messages.js").replace("TABLE", f"{SCRIPTS}/table/game_table.js")
    (tmp_path / "wrong.js").write_text(script)
    project = {"extends": str(ROOT / "tsconfig.json"), "include": [str(tmp_path / "wrong.js")]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    found = complaints(tmp_path)
    assert [words for words in ("seatnames", '"resign"', "'line'") if not any(words in line for line in found)] == []
    assert sum("wrong.js" in line for line in found) == len(found) - sum(line.startswith(" ") for line in found) == 3
