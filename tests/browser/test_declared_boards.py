"""Scenes declared as data, in the browser: pieces are dragged, rolls are marked, nothing is wider than a phone."""

from tests.browser.person import begin

SEATS = [{"kind": "me"}, {"kind": "agent", "text": "random"}]
ENDS = """() => [".target.highlighted", ".target.hint"].map((one) => {
  const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_frog_is_dragged_to_a_free_neighbour(person, server):
    me = person()
    me.sit(begin(server, "frogs", SEATS))
    me.until_yours()
    (x, y), _ = me.page.evaluate(ENDS)
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 10, y + 10, steps=3)
    _, (to_x, to_y) = me.page.evaluate(ENDS.replace(".target.hint", ".target.highlighted:not(.dragged)"))
    me.page.mouse.move(to_x, to_y, steps=5)
    me.page.mouse.up()
    me.until_ply(1)


def test_a_declared_board_fits_a_small_phone_and_is_played_by_taps(person, server):
    me = person(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    me.sit(begin(server, "frogs", SEATS))
    me.until_yours()
    me.move(me.page.touchscreen.tap)
    me.until_ply(1)
    assert me.page.evaluate(OVERFLOW) == 0


def test_rolls_stand_in_the_list_of_moves_as_those_of_chance(person, server):
    me = person()
    me.sit(begin(server, "pig", SEATS))
    me.play(plies=1)
    rows = me.page.evaluate("""() => [...document.querySelectorAll(".log > li")].map(
      (row) => [row.querySelector(".seat-mark.chance") !== null, row.querySelector(".ply").innerText])""")
    assert {"rolls" in words for chance, words in rows if chance} == {True}
    assert {"rolls" in words for chance, words in rows if not chance} == {False}
    assert not any("the only move" in words for chance, words in rows if chance)
