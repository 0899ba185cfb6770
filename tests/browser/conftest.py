"""What browser tests share: one browser, one server with a tournament and with games and agents by path.

They end with the last test here: while Playwright runs, no other test of the process can have an event loop.
"""

import pytest

from tests.browser.chromium import ARGUMENTS, MISSING, chromium
from tests.browser.person import PATIENCE, Person
from tests.browser.serving import ROOT, running

FAILING = """from kibitz import Agent


class FailingAgent(Agent):
    def decide(self, view):
        raise RuntimeError("no idea")
"""


def pytest_collection_modifyitems(items):
    """Let a test wait for several things on a busy machine, one after the other."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.timeout(4 * PATIENCE))


@pytest.fixture(scope="package")
def browser():
    """Chromium, driven by Playwright."""
    path = chromium()
    if path is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def server(browser, tmp_path_factory):
    """A server that all tests share."""
    from kibitz.arena.plan.plan import Plan
    from kibitz.arena.tournament import play_tournament
    from kibitz.cli.new_command import start_agent, start_game
    from kibitz.games import find

    folder = tmp_path_factory.mktemp("server")
    play_tournament(Plan.make(find("quarto"), ["novice", "random"], games=8), folder / "results.db", 1)
    start_game("stones", folder)
    start_agent("mine_agent", folder)
    (folder / "failing_agent.py").write_text(FAILING)
    paths = [
        ROOT / "tests" / "kuhn",
        ROOT / "tests" / "frogs",
        ROOT / "tests" / "pig",
        folder / "stones",
        folder / "mine_agent.py",
        folder / "failing_agent.py",
    ]
    with running(folder / "tables.db", [folder / "results.db"], paths) as started:
        yield started


@pytest.fixture
def person(browser, server):
    """Return somebody with a browser of their own; a complaint of any console fails the test."""
    people = []

    def come(**options):
        people.append(Person(browser, options.pop("server", server), **options))
        return people[-1]

    yield come
    for one in people:
        one.context.close()
    assert [one.errors for one in people if one.errors] == []
