"""Two browsers with hidden hands: everything that each received is searched for what only the other may know."""

import json
import re

import pytest

from kibitz.games.cartagena.passage import SIGN_NAMES
from kibitz.games.colonizers.cells import COLONIST_NAMES
from tests.browser.person import begin

ME, INVITED = {"kind": "me"}, {"kind": "invite"}


def two_people(person, server, game, others):
    """Return two people at a table, the second by an invitation, and the secrets of both by which they are known."""
    made = begin(server, game, [ME, INVITED, *others])
    one, two = person(listens=True), person(listens=True)
    one.sit(made)
    two.go(f"t/{made['id']}#invite={made['invites']['1']}")
    two.until("() => document.querySelector('.board svg')")
    assert "invite" not in two.page.url
    return one, two


def take_turns(one, two, plies):
    """Let both play until `plies` moves have been made."""
    while one.ply() < plies:
        for who in (one, two):
            who.until("() => document.querySelector('.where-ply')")
            if who.count(".prompt.yours"):
                who.play(who.ply() + 1, wait=False)
    for who in (one, two):
        who.page.reload()  # a refresh sends everything again
        who.until("() => document.querySelector('.where-ply')?.textContent")


def everything(who):
    """Return all that a browser received of tables, as text; the examples of games are nobody's secret."""
    answers = [answer for answer in who.responses if "/api/games " not in answer[:100]]
    return "\n".join([*map(str, who.frames), *answers])


def tokens(who):
    return re.findall(r"[\w-]{32}", who.page.evaluate("() => localStorage.getItem('kibitz.tables')"))


def check_tokens(one, two):
    for mine, other in ((one, two), (two, one)):
        assert tokens(mine)
        assert not any(token in everything(other) for token in tokens(mine))


def test_nobody_receives_the_cards_of_another_in_jamaica(person, server):
    one, two = two_people(person, server, "cartagena(version=jamaica)", [{"kind": "agent", "text": "greedy"}])
    take_turns(one, two, 12)
    check_tokens(one, two)
    names = one.states()[0]["seat_names"]
    for who, own in ((one, 0), (two, 1)):
        found = everything(who)
        for seat, name in enumerate(names):
            told = re.search(rf"{name} (holds|draws) \d+ ({'|'.join(SIGN_NAMES)})", found)
            assert bool(told) == (seat == own), told


def test_nobody_receives_the_colonist_or_the_cards_of_another_in_colonizers(person, server):
    one, two = two_people(person, server, "colonizers", [{"kind": "agent", "text": "heuristic"}] * 2)
    take_turns(one, two, 14)
    check_tokens(one, two)
    for mine, other, seat in ((one, two, 0), (two, one, 1)):
        texts = [{entry["ply"]: entry for state in who.states() for entry in state["log"]} for who in (mine, other)]
        own = [ply for ply, entry in texts[0].items() if entry["seat"] == seat]
        assert own
        for before, ply in zip([None, *own], own, strict=False):
            secret = texts[0][ply]["text"] in COLONIST_NAMES
            secret |= before is not None and texts[0][before]["text"] == "modules"
            assert texts[0][ply]["text"] is not None
            assert not secret or texts[1][ply]["text"] is None, texts[0][ply]
        check_hand(other, seat)


def check_hand(who, seat):
    """Check that no card in the hand of a seat was drawn, unless the hands of both had been swapped."""
    for state in who.states():
        if any("swap hands" in news for entry in state["log"] for news in entry["news"]):
            return
        panel = next(panel for panel in state["scene"]["panels"] if panel.get("seat") == seat)
        built = int(re.search(r"(\d) of 8 modules", panel["title"])[1])
        assert len(re.findall(r"cost \d+, value", json.dumps(panel["shapes"]))) == built


@pytest.mark.parametrize("path", ["record", "picture?seat=0"])
def test_a_guessed_token_opens_nothing(person, server, path):
    made = begin(server, "colonizers", [ME, *[{"kind": "agent", "text": "random"}] * 3])
    stranger = person(listens=True)
    stranger.expected = ("400",)
    stranger.sit(made, tokens={"0": "a" * 32})
    assert stranger.states()[-1]["you"] == []
    answer = stranger.page.evaluate(
        "async (path) => (await fetch(path, { headers: { 'X-Kibitz-Token': 'guess' } })).status",
        f"/api/tables/{made['id']}/{path}",
    )
    assert answer == 400
