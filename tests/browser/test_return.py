"""Coming back: after a refresh, a lost connection and a killed server, the table is as it was."""

from tests.browser.person import begin
from tests.browser.serving import running

ME = {"kind": "me"}


def test_a_refresh_in_mid_game_shows_the_same_table(person, server):
    me = person()
    me.sit(begin(server, "cartagena", [ME, *[{"kind": "agent", "text": "greedy"}] * 2]))
    me.play(8)
    before = {part: me.text(part) for part in (".asked", ".log", ".where-ply")}
    targets = me.count(".board .target.highlighted")
    me.page.reload()
    me.until_yours()
    assert {part: me.text(part) for part in before} == before
    assert me.count(".board .target.highlighted") == targets
    me.play(me.ply() + 1)


def test_a_server_that_is_killed_and_started_again_goes_on(person, tmp_path, browser):
    with running(tmp_path / "tables.db") as own:
        me = person(server=own)
        me.expected = ("WebSocket", "ERR_CONNECTION_REFUSED")
        me.sit(begin(own, "quarto", [ME, {"kind": "agent", "text": "novice"}]))
        me.play(5)
        before = me.ply()
        own.end(kill=True)
        me.until("() => !document.querySelector('.banner').hidden")
        assert "Nothing of the game is lost" in me.text(".banner")
        own.start()
        me.page.evaluate("() => document.querySelector('.banner button').click()")  # hidden if the page was sooner
        me.until("() => document.querySelector('.banner').textContent.startsWith('Connected again')")
        me.until_yours()
        assert me.ply() == before
        me.play()
        assert me.count(".payoff") == 2
