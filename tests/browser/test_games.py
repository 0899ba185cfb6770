"""Whole games in a real browser, by clicking what is highlighted, by keys, by taps, and by typing."""

import json

import pytest

from tests.browser.person import begin

ME, INVITED = {"kind": "me"}, {"kind": "invite"}


def agents(text, n):
    return [{"kind": "agent", "text": text}] * n


@pytest.mark.parametrize(
    ("game", "others"),
    [("quarto", agents("novice", 1)), ("chexers", agents("policy(greedy)", 2)), ("cartagena", agents("greedy", 2)),
     ("colonizers", agents("heuristic", 3))],
)  # fmt: skip
def test_a_whole_game_is_played_by_clicking_lit_targets(person, server, game, others):
    me = person()
    me.sit(begin(server, game, [ME, *others]))
    assert me.play() > 3
    assert me.text(".asked")
    assert me.count(".payoff") == len(others) + 1
    assert me.count(".log > li") == me.ply()
    assert me.count(".target.highlighted") == 0


CLICK_ALL = """() => document.querySelectorAll(".target, .bare button").forEach((node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  const middle = { clientX: left + width / 2, clientY: top + height / 2 };
  node.dispatchEvent(new MouseEvent("click", { bubbles: true, ...middle }));
})"""


@pytest.mark.parametrize(("game", "others"), [("quarto", 1), ("chexers", 2), ("cartagena", 2), ("colonizers", 3)])
def test_a_move_on_its_way_is_neither_chosen_nor_sent_again(person, server, game, others):
    me, held = person(), []

    def hold_moves(page_side):
        server_side = page_side.connect_to_server()

        def pass_on(message):
            if json.loads(message)["type"] == "move":
                held.append(lambda: server_side.send(message))
            else:
                server_side.send(message)

        page_side.on_message(pass_on)

    me.page.route_web_socket("**/ws", hold_moves)
    me.sit(begin(server, game, [ME, *agents("random", others)]))
    me.until_yours()
    me.move(me.page.mouse.click)
    assert me.count(".target.highlighted, .target.hint, .bare button") == 0
    assert me.count(".prompt.yours") == 0
    me.page.evaluate(CLICK_ALL)
    held[0]()
    me.until_ply(1)
    assert len(held) == 1
    assert me.text(".refusal") == ""


def test_mouse_clicks_place_and_hand_over_a_piece(person, server):
    me = person(reduced_motion="no-preference")
    me.sit(begin(server, "quarto", [ME, ME]))
    me.page.locator("svg[data-name=pool] .target.highlighted").nth(3).click()
    me.until_ply(1)
    me.page.locator("svg[data-name=board] .target.highlighted").nth(5).click()
    me.until_ply(2)
    me.until("() => document.querySelectorAll('.last').length === 1")
    me.until("() => !document.querySelector('.flying')")  # a click at a piece in flight misses it
    me.page.locator("svg[data-name=board] g", has_text="b2: ").click(force=True)
    refusal = me.until("() => document.querySelector('.refusal').textContent")
    assert "“b2: black" in refusal
    assert "cannot be chosen now" in refusal


def test_all_that_others_did_since_ones_turn_is_marked_and_told(person, server):
    me = person()
    me.sit(begin(server, "chexers", [ME, *agents("random", 2)]))
    me.until_yours()
    assert me.text(".since-words") == ""
    me.play(3)
    told = me.text(".since-words")
    assert told.startswith("Since your turn:")
    assert me.count(".log > .new") == 2
    assert me.count(".since") == 2  # where green came from and went to; blue's move is the last
    assert me.count(".last") >= 2


def test_a_guest_who_has_not_come_is_waited_for(person, server):
    made = begin(server, "quarto", [INVITED, ME])
    me = person()
    me.sit(made)
    assert "Waiting for somebody" in me.text(".asked")
    me.page.locator("svg[data-name=pool] g").first.click(force=True)
    assert "It is Seat 1's turn" in me.until("() => document.querySelector('.refusal').textContent")


def test_a_piece_is_dragged_to_where_it_goes(person, server):
    me = person()
    me.sit(begin(server, "chexers", [ME, *agents("random", 2)]))
    me.until_yours()
    piece = me.page.locator("svg[data-name=board] .target.highlighted > circle").first.bounding_box()
    me.page.mouse.move(piece["x"] + piece["width"] / 2, piece["y"] + piece["height"] / 2)
    me.page.mouse.down()
    me.page.mouse.move(piece["x"] + 60, piece["y"] + 20, steps=3)
    goal = me.until("""() => {
      const box = document.querySelector(".target.highlighted:not(.chosen) > polygon")?.getBoundingClientRect();
      return box && [box.left + box.width / 2, box.top + box.height / 2];
    }""")
    me.page.mouse.move(*goal, steps=3)
    me.page.mouse.up()
    me.until_ply(1)


def test_only_what_begins_a_move_is_lit_before_the_first_click(person, server):
    me = person()
    me.sit(begin(server, "chexers", [ME, *agents("random", 2)]))
    me.until_yours()
    targets = me.page.evaluate(
        "() => [...document.querySelectorAll('.target.highlighted')]"
        ".map((node) => node.querySelector('title').textContent)"
    )
    assert targets
    assert all("red" in words for words in targets), targets
    assert me.count(".target.hint") > 0
    me.page.evaluate(
        "() => document.querySelector('.target.highlighted').dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )
    assert me.count(".target.chosen") > 0
    assert me.count(".target.hint") == 0
    me.page.keyboard.press("Escape")
    assert me.count(".target.chosen") == 0


def test_one_click_builds_one_of_two_like_cards(person, server):
    me = person()
    rich = "round 1; 1: 9 / / quarry, quarry; 2: 0 / /; 3: 0 / /; 4: 0 / /"
    me.sit(begin(server, "colonizers", [ME] * 4, bench=True, position=rich))
    while not me.text(".asked").startswith("Seat 1: build"):
        me.play(me.ply() + 1)
    before = me.ply()
    me.page.locator("svg[data-name='seat 1'] .target.highlighted", has_text="quarry").first.click()
    me.until_ply(before + 1)
    assert "build quarry" in me.text(".log > li:last-child")


def test_a_whole_game_of_quarto_by_keyboard_alone(person, server):
    me = person()
    me.sit(begin(server, "quarto", [ME, *agents("novice", 1)]))
    me.page.evaluate("() => document.activeElement.blur()")
    for _ in range(60):  # to the first target
        me.page.keyboard.press("Tab")
        if me.page.evaluate("() => document.activeElement.classList.contains('target')"):
            break
    arrows = ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp"]
    for turn in range(40):
        me.until("() => document.querySelector('.payoff') || document.activeElement?.classList.contains('highlighted')")
        if me.count(".payoff"):
            break
        before = me.ply()
        me.page.keyboard.press(arrows[turn % len(arrows)])
        me.page.keyboard.press("Enter")
        me.until_ply(before + 1)
    assert me.count(".payoff") == 2


def test_a_move_is_typed_and_a_wrong_one_is_explained(person, server):
    me = person()
    me.sit(begin(server, "quarto", [ME, ME]))
    me.page.keyboard.press("/")
    me.page.keyboard.type("z9")
    me.page.keyboard.press("Enter")
    assert "z9" in me.until("() => document.querySelector('.refusal').textContent")
    assert me.ply() == 0
    me.page.keyboard.type("btrs")
    me.page.keyboard.press("Enter")
    me.until_ply(1)


@pytest.mark.parametrize("game", ["quarto", "colonizers", "cartagena", "chexers", "rolit", "focus", "chinese_checkers"])
def test_a_phone_shows_everything_without_scrolling_sideways(person, server, game):
    seats = {"quarto": 1, "chexers": 2, "cartagena": 2, "colonizers": 3, "rolit": 3, "focus": 3, "chinese_checkers": 2}[
        game
    ]
    me = person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    me.sit(begin(server, game, [ME, *agents("random", seats)]))
    me.until_yours()
    before = me.ply()
    me.move(me.page.touchscreen.tap)
    me.until_ply(before + 1)
    assert me.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert me.page.locator("#move-box").count() == 1
    if game == "quarto":  # the pool lies above the fold
        assert me.page.evaluate(
            "() => document.querySelector('[data-name=pool]').getBoundingClientRect().bottom <= innerHeight"
        )


def test_only_who_has_chosen_can_take_back(person, server):
    me = person()
    me.sit(begin(server, "quarto", [*agents("novice", 1), ME]))
    me.until_ply(1)
    me.until_yours()
    assert not me.page.is_visible("text=Take back")
    assert me.page.locator(".since-words strong").inner_text().startswith("So far")
    me.play(2)
    me.until("() => document.querySelector('.acts button').checkVisibility()")


def test_taking_back_and_a_rematch(person, server):
    me = person()
    me.sit(begin(server, "quarto", [ME, *agents("novice", 1)]))
    me.play(3)
    me.page.click("text=Take back")
    me.until("() => document.querySelector('.where-ply').textContent.endsWith('/ 0')")
    me.play()
    old = me.page.evaluate("() => location.pathname")
    me.page.click("text=Rematch")
    me.until("(old) => location.pathname !== old && document.querySelector('.where-ply')", old)
    assert me.count(".payoff") == 0


@pytest.mark.parametrize(("game", "other"), [("stones", "mine_agent"), ("kuhn", "random")])
def test_games_and_agents_by_path_need_no_change_in_the_browser(person, server, game, other):
    me = person()
    me.sit(begin(server, game, [ME, *agents(other, 1)]))
    me.play()
    assert me.count(".payoff") == 2
    me.go()
    picture = (
        "(name) => document.querySelector(`[aria-label='Rules of ${name}']`)?.closest('.card').querySelector('svg')"
    )
    me.until(picture, game.capitalize())


def test_long_names_of_agents_are_cut_and_widen_nothing(person, server):
    me = person()
    me.sit(begin(server, "colonizers", [ME, *agents("ismcts(iterations=300, seconds=10)", 3)]))
    assert me.page.evaluate("""() => {
      const parts = [".side", ".seats"].map((part) => document.querySelector(part));
      const heights = [...document.querySelectorAll(".seat-words > strong")].map((name) => name.offsetHeight);
      return parts.every((part) => part.scrollWidth === part.clientWidth) && new Set(heights).size === 1;
    }""")
    assert me.page.get_attribute(".seat:last-child .label", "title") == "ismcts(iterations=300, seconds=10)"


@pytest.mark.parametrize("bench", [False, True])
def test_an_agent_that_fails_is_tried_again_and_replaced_where_the_table_allows_it(person, server, bench):
    me = person()
    me.sit(begin(server, "quarto", [*agents("failing_agent", 1), ME], bench=bench))
    if bench:
        me.page.click("#tab-editor")
        me.page.check("#play-on")
    failed = "() => document.querySelector('.asked').textContent.startsWith('The agent of Seat 1 has failed')"
    me.until(failed)
    assert "failing_agent makes no move" in me.text(".refusal")
    assert me.count(".answer button") == 1 + bench
    me.page.evaluate("() => { document.querySelector('.asked').textContent = ''; }")
    me.page.click("text=Try again")
    me.until(failed)  # it was asked again
    if bench:
        me.page.click("text=Give the seat to…")
        me.page.select_option("dialog .seat-field > select", "agent")
        me.page.fill("dialog .agent-form > input", "novice")
        me.page.click("dialog >> text=Seat it")
        me.until_ply(1)
