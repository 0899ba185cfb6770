"""Accessibility by axe-core: no serious or critical finding on any page, light or dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.person import begin

ME = {"kind": "me"}
SEATS = {"quarto": ("novice", 1), "chexers": ("random", 2), "cartagena": ("greedy", 2), "colonizers": ("heuristic", 3)}
GRAVE = ("serious", "critical")


def findings(me):
    """Return what axe-core finds fault with, and where."""
    found = Axe().run(me.page).response["violations"]
    return [
        (fault["id"], fault["impact"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in found
        if fault["impact"] in GRAVE
    ]


@pytest.fixture(params=["light", "dark"])
def me(request, person):
    """Somebody with a light or dark theme."""
    return person(color_scheme=request.param)


def test_the_start_page_its_dialogs_and_tournaments(me):
    me.go()
    me.until("() => document.querySelectorAll('.card-picture svg').length >= 4")
    assert findings(me) == []
    me.page.click("[aria-label='Set up Cartagena']")
    assert findings(me) == []
    me.page.keyboard.press("Escape")
    me.page.click("[aria-label='Rules of Colonizers']")
    me.until("() => document.querySelector('dialog.rules figure svg')")
    assert findings(me) == []
    me.go("tournaments")
    me.until("() => document.querySelector('.rows a')")
    assert findings(me) == []
    me.page.click(".rows a")
    me.until("() => document.querySelector('.standings')")
    assert findings(me) == []


@pytest.mark.parametrize("game", SEATS)
def test_a_table_in_play_in_analysis_and_in_replay(me, server, game):
    agent, others = SEATS[game]
    me.sit(begin(server, game, [ME, *[{"kind": "agent", "text": agent}] * others]))
    me.play(7)
    assert findings(me) == []
    me.page.click("#tab-analysis")
    me.page.click("#panel-analysis button.main")
    me.until("() => document.querySelector('.lines .line')")
    assert findings(me) == []
    me.page.click("#panel-analysis button.main")
    me.page.click("[aria-label='One move back']")
    me.until("() => document.querySelector('.asked').textContent.startsWith('After')")
    assert findings(me) == []
