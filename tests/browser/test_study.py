"""Kibitzing: analysis that deepens, replay, the editor, records, tournaments, and playing on."""

import pytest

from tests.browser.person import begin

ME = {"kind": "me"}
SCRUB = """(ply) => {
  const slider = document.querySelector(".replay input[type=range]");
  for (let at = Number(slider.value); at !== ply; at += Math.sign(ply - at)) {
    slider.value = at;
    slider.dispatchEvent(new Event("input"));
  }
  slider.value = ply;
  slider.dispatchEvent(new Event("input"));
}"""
VISITS = """() => {
  const found = /([\\d,]+) visits/.exec(document.querySelector(".note").textContent);
  return found ? Number(found[1].replaceAll(",", "")) : 0;
}"""


def novices(n=2):
    return [{"kind": "agent", "text": "novice"}] * n


@pytest.fixture(scope="module")
def over(server):
    """A game that two agents played to its end."""
    return begin(server, "quarto", novices())


@pytest.fixture
def me(person, over):
    """Somebody who looks at that game."""
    me = person(listens=True)
    me.watch(over)
    me.until("() => document.querySelector('.payoff')")
    return me


def test_analysis_appears_deepens_and_is_marked_on_the_board(person, server):
    me = person()
    me.sit(begin(server, "quarto", [ME, *novices(1)]))
    me.play(5)
    me.page.click("#tab-analysis")
    me.page.click("#panel-analysis button.main")
    first = me.until(VISITS)
    me.until(f"(first) => ({VISITS})() > first", first)
    assert me.count(".bars li") == 2
    assert me.count(".lines li") > 1
    assert me.count(".shares g") > 0
    me.page.hover(".step.first")
    me.until("() => document.querySelector('.pointed')")
    me.page.click(".toggle")
    me.until("() => document.querySelector('.lines .lines .line')")
    assert me.text(".lines .whose").startswith("Worth to seat ")
    me.page.click("#panel-analysis button.main")
    assert me.count(".shares g") == 0


def test_a_dragged_slider_is_never_refused_and_ends_where_it_was_let_go(me):
    end = me.ply()
    for ply in (0, end, 0, end, 0, end, 3):
        me.page.evaluate(SCRUB, ply)
    me.until("() => document.querySelector('.asked').textContent.startsWith('After 3 of')")
    assert me.text(".refusal") == ""
    assert not any('"refusal"' in frame for frame in me.frames)
    me.page.click("[aria-label='One move back']")
    me.page.keyboard.press("ArrowRight")
    me.until("() => document.querySelector('.asked').textContent.startsWith('After 3 of')")
    me.page.focus(".log-panel .here button")
    me.page.keyboard.press("ArrowRight")
    me.until("() => document.querySelector('.asked').textContent.startsWith('After 4 of')")
    me.page.keyboard.press("Home")
    me.until("() => document.querySelector('.asked').textContent.startsWith('After 0 of')")
    me.go(f"t/{me.page.url.split('/')[-1]}?ply=2")
    me.until("() => document.querySelector('.asked')?.textContent.startsWith('After 2 of')")


def test_a_game_is_played_on_from_an_earlier_position(me):
    me.page.evaluate(SCRUB, 3)
    me.until("() => document.querySelector('.asked').textContent.startsWith('After 3 of')")
    me.page.click("text=Play on from here")
    me.until("() => document.querySelector('.prompt.yours')")
    assert me.ply() == 3


def test_moves_are_marked_in_replay_and_graded_after_the_game(me):
    me.page.evaluate(SCRUB, 4)
    me.until("() => document.querySelector('.where-ply').textContent.startsWith('4 /')")
    me.page.click("#tab-analysis")
    me.page.click("#panel-analysis button.main")
    me.until("() => document.querySelector('.shares g')")
    me.page.click("#panel-analysis button.main")
    me.page.click("text=Grade every move")
    me.until("() => document.querySelector('.counts')")
    assert me.count(".counts tbody tr") == 2
    assert not me.page.locator(".graph").is_hidden()


def test_an_editor_moves_for_anybody_and_lets_the_computer_move(person, server):
    me = person()
    me.sit(begin(server, "colonizers", [ME, *[{"kind": "agent", "text": "random"}] * 3], bench=True))
    me.play(2)
    assert me.ply() == 2  # the agents wait, so that somebody has moved for them
    me.page.click("#tab-editor")
    given = "() => [...document.querySelectorAll('.give .seat-field > select')].map((field) => field.value)"
    assert me.page.evaluate(given) == ["me", "agent", "agent", "agent"]
    inside = "() => document.querySelector('.seat:last-child').getBoundingClientRect().bottom <= innerHeight"
    assert me.page.evaluate(inside)
    me.page.select_option(".editor-panel .seat-field select", "agent")
    me.page.fill(".editor-panel .agent-form input.mono", "random")
    me.page.click("text=Make just this move")
    me.until_ply(3)
    me.page.click("text=Take back")
    me.until("() => document.querySelector('.where-ply').textContent.endsWith('/ 2')")
    me.page.select_option("#eyes", "2")
    me.until("() => document.querySelector('.board svg')")
    me.page.check("#play-on")
    me.until("""() => {
      const [at, ply] = document.querySelector(".where-ply").textContent.split(" / ").map(Number);
      return at === ply && ply >= 4;
    }""")  # seat 3 watches the agents go on


def test_a_record_is_downloaded_and_opened_again(me, tmp_path):
    plies = me.ply()
    me.page.click("#tab-share")
    with me.page.expect_download() as download:
        me.page.click("text=Download the record")
    record = tmp_path / "game.jsonl"
    download.value.save_as(record)
    for kind in ("SVG", "PNG"):
        with me.page.expect_download() as picture:
            me.page.click(f".share-panel >> text={kind}")
        assert picture.value.path().stat().st_size > 1000
    me.go()
    me.page.set_input_files("input[type=file]", record)
    me.until("() => document.querySelector('.payoff')")
    assert me.ply() == plies


def test_a_tournament_is_watched_and_its_games_open(person, server):
    me = person()
    me.go("tournaments")
    me.until("() => document.querySelector('.rows a')")
    me.page.click(".rows a")
    me.until("() => document.querySelectorAll('.standings tbody tr').length === 2")
    me.page.click(".games button, .games a")
    me.until("() => document.querySelector('.payoff')")


def test_the_start_page_plays_sets_up_and_explains(person, server):
    me = person()
    me.go()
    me.until("() => document.querySelectorAll('.card-picture svg').length >= 4")
    me.page.click("[aria-label='Rules of Cartagena']")
    me.until("() => document.querySelector('dialog.rules figure svg')")
    me.page.keyboard.press("Escape")
    me.page.click("[aria-label='Set up Quarto']")
    for seat in (0, 1):
        me.page.locator("dialog .seat-field select").nth(2 * seat).select_option("me")
    me.page.check("#editor")
    me.page.click("dialog button[type=submit]")
    me.until("() => document.querySelector('.prompt.yours')")
    assert "editor" in me.text("header")


def test_a_game_that_is_being_prepared_is_not_started_twice(person, server):
    me = person()
    me.expected = ("400",)
    asked = []
    me.page.route(
        "**/api/tables", lambda route: asked.append(route) if route.request.method == "POST" else route.continue_()
    )
    me.go()
    me.until("() => document.querySelectorAll('.card-picture svg').length >= 4")
    me.page.click("[aria-label='Play Quarto against the computer']")
    assert me.page.locator("[aria-label^='Preparing'], [aria-label^='Compiling']").is_disabled()
    me.page.click("[aria-label='Play Chexers against the computer']")
    me.until("() => document.querySelector('.notice.on')?.textContent.includes('being prepared already')")
    assert len(asked) == 1
    asked[0].fulfill(status=400, json={"error": "there is no room"})
    me.until("() => document.querySelector('.notice.on')?.textContent === 'there is no room'")
    assert me.page.locator("[aria-label='Play Quarto against the computer']").is_enabled()


def test_a_record_of_an_unfinished_game_says_so_and_is_played_on(person, server):
    me = person()
    made = begin(server, "quarto", [ME, ME], bench=True)
    me.sit(made)
    me.play(2)
    record = me.page.request.get(f"{server.address}/api/tables/{made['id']}/record").body()
    opened = me.page.request.post(f"{server.address}/api/records", data=record).json()
    me.watch(opened)
    assert me.text(".asked") == "Unfinished game, seat 2 to move"
    assert "watching" not in me.text("header")
    me.go()
    assert "unfinished record" in me.until(
        "(id) => document.querySelector(`[href='/t/${id}']`)?.closest('li').innerText", opened["id"]
    )
    me.watch(opened)
    me.page.click("text=Play on from here")
    me.until_yours()
    assert me.ply() == 2
