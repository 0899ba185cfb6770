"""Accessibility by axe-core: no serious or critical finding on any page, light or dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.person import begin

ME = {"kind": "me"}
SEATS = {"quarto": ("novice", 1), "chexers": ("random", 2), "cartagena": ("greedy", 2), "colonizers": ("heuristic", 3)}
GRAVE = ("serious", "critical")


def findings(me, theme):
    """Return what axe-core finds fault with in a theme, and where."""
    me.page.emulate_media(color_scheme=theme)
    found = Axe().run(me.page).response["violations"]
    return [
        (fault["id"], fault["impact"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in found
        if fault["impact"] in GRAVE
    ]


def test_the_start_page_its_dialogs_and_tournaments(person):
    me = person()
    me.go()
    me.until("() => document.querySelectorAll('.card-picture svg').length >= 4")
    assert findings(me, "light") == []
    assert findings(me, "dark") == []
    me.page.click("[aria-label='Set up Cartagena']")
    assert findings(me, "light") == []
    me.page.keyboard.press("Escape")
    me.page.click("[aria-label='Rules of Colonizers']")
    me.until("() => document.querySelector('dialog.rules figure svg')")
    assert findings(me, "dark") == []
    me.go("tournaments")
    me.until("() => document.querySelector('.rows a')")
    me.page.click(".rows a")
    me.until("() => document.querySelector('.standings')")
    assert findings(me, "light") == []
    assert findings(me, "dark") == []


@pytest.mark.parametrize("game", SEATS)
def test_a_table_in_play_and_in_replay(person, server, game):
    agent, others = SEATS[game]
    me = person()
    me.sit(begin(server, game, [ME, *[{"kind": "agent", "text": agent}] * others]))
    me.play(5)
    assert findings(me, "light") == []
    me.page.click("[aria-label='One move back']")
    me.until("() => document.querySelector('.asked').textContent.startsWith('After')")
    assert findings(me, "dark") == []


def test_the_analysis(person, server):
    me = person()
    me.sit(begin(server, "quarto", [ME, {"kind": "agent", "text": "novice"}]))
    me.play(5)
    me.page.click("#tab-analysis")
    me.page.click("#panel-analysis button.main")
    me.until("() => document.querySelector('.lines .line')")
    assert findings(me, "light") == []
    assert findings(me, "dark") == []
