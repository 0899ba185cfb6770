"""What tests share: every game with its options, and machine code kept in one place between runs."""

from pathlib import Path
from typing import Any

import pytest

from kibitz import games
from kibitz.arena.process.supervised_process import SupervisedProcess
from tests import typescript
from tests.batches import handing_over
from tests.bots import bubblewrap
from tests.browser import chromium
from tests.golden import variants

ROOT = Path(__file__).resolve().parents[1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `game_text` runs for every variant of every game, one that takes `game_name` for every game."""
    if "game_text" in metafunc.fixturenames:
        metafunc.parametrize("game_text", [text for name in games.names() for text in variants(name)])
    if "game_name" in metafunc.fixturenames:
        metafunc.parametrize("game_name", games.names())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tried: a browser, bubblewrap, libraries that take arrays over, JavaScript."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for missing in (chromium.MISSING, bubblewrap.MISSING, typescript.MISSING, handing_over.MISSING):
        if any(missing in words for words in skipped):
            terminalreporter.write_line(missing, red=True, bold=True)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the workers that a test starts interpret the rules: the games are the same, and a start costs half."""
    begin = SupervisedProcess.__init__

    def begin_interpreted(process: SupervisedProcess, *given: Any) -> None:
        with pytest.MonkeyPatch.context() as patch:  # only for a moment: numba reads it whenever it compiles
            patch.setenv("NUMBA_DISABLE_JIT", "1")
            begin(process, *given)

    monkeypatch.setattr(SupervisedProcess, "__init__", begin_interpreted)


@pytest.fixture
def quarto():
    """The standard game of Quarto."""
    return games.find("quarto")
