"""A person at a browser of their own: what they do, and everything that their browser was sent."""

import json
import time
from pathlib import Path
from urllib.request import Request, urlopen

from playwright.sync_api import Error

PLAYER = (Path(__file__).parent / "player.js").read_text()
PATIENCE = 600.0  # seconds, on a busy machine that compiles everything first
TELL = """const real = fetch; window.fetch = async (...asked) => {
  const answer = await real(...asked);
  console.debug(`${answer.url} ${await answer.clone().text()}`);
  return answer;
};"""  # all answers go to the console, where a test hears them
CHOICES = """() => {
  const parts = document.querySelectorAll(".target, .bare button, .prompt, .where-ply");
  return [...parts].map((node) => `${node.getAttribute("class")} ${node.textContent}`).join();
}"""  # differs after every press on something highlighted
HIGHLIGHTED = """() => {
  const node = document.querySelector(".target.highlighted, .bare button");
  node.scrollIntoView({ block: "center" });
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
GLANCE = 0.05  # seconds between two looks


def begin(server, game, seats, **more):
    """Begin a table over HTTP; return what the server answers."""
    body = json.dumps({"game": game, "seats": seats, **more}).encode()
    request = Request(f"{server.address}/api/tables", body, {"content-type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


class Person:
    """One browser; `frames` and `responses` are all that it received, `errors` what its console complained about.

    What it receives is kept where somebody `listens`, which costs time.
    """

    def __init__(self, browser, server, listens=False, **options):
        usual = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
        self.server = server
        self.context = browser.new_context(**{**usual, **options})
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self.frames, self.responses, self.errors = [], [], []
        self.expected = ()  # parts of complaints that the test provokes
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        if listens:
            self.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self._keep(frame)))
            self.page.add_init_script(TELL)

    def _keep(self, frame):
        self.frames.append(frame)

    def _hear(self, message):
        if message.type == "debug":
            self.responses.append(message.text)
        if message.type == "error" and not any(part in message.text for part in self.expected):
            self.errors.append(message.text)

    def states(self):
        """Return the states that came, in order."""
        found = [json.loads(frame) for frame in self.frames]
        return [message for message in found if message["type"] == "state"]

    def go(self, path=""):
        """Open a page."""
        self.page.goto(f"{self.server.address}/{path}")

    def sit(self, made, tokens=None):
        """Go to a table with the tokens of whoever began it."""
        self.go("health")
        keep = """([id, tokens]) => {
          const all = JSON.parse(localStorage.getItem("kibitz.tables") || "{}");
          localStorage.setItem("kibitz.tables", JSON.stringify({ ...all, [id]: { tokens, invites: {} } }));
        }"""
        self.page.evaluate(keep, [made["id"], made["tokens"] or {"owner": made["owner"]} if tokens is None else tokens])
        self.watch(made)

    def watch(self, made):
        """Go to a table."""
        self.go(f"t/{made['id']}")
        self.until("() => document.querySelector('.board svg') && document.querySelector('.where-ply').textContent")

    def until(self, condition, *given):
        """Wait until a function of the page returns something, and return it."""
        end = time.monotonic() + PATIENCE
        while not (found := self._ask(condition, *given)):
            assert time.monotonic() < end, f"waited in vain for {condition}; the page says {self.text('body')[:2000]}"
            time.sleep(GLANCE)
        return found

    def _ask(self, condition, *given):
        try:
            return self.page.evaluate(condition, *given)
        except Error as error:
            if "navigation" not in str(error):
                raise
            return None  # between two pages

    def text(self, selector):
        """Return the words of an element."""
        return self.page.inner_text(selector)

    def count(self, selector):
        """Return how many elements there are."""
        return self.page.evaluate("(selector) => document.querySelectorAll(selector).length", selector)

    def play(self, plies=10_000, wait=True):
        """Click highlighted targets until `plies` moves have been made, or to the end; return the clicks.

        Who waits goes on when it is their turn again.
        """
        clicks = self.page.evaluate(f"(plies) => {{ {PLAYER}; return playUntil(plies); }}", plies)
        if wait:
            self.until("() => document.querySelector('.prompt.yours, .payoff')")
        return clicks

    def move(self, press):
        """Press what is highlighted, by the page's mouse.click or touchscreen.tap, until a move is on its way."""
        ply = self.ply()
        while self.count(".prompt.yours") and self.ply() == ply:
            before = self.page.evaluate(CHOICES)
            press(*self.page.evaluate(HIGHLIGHTED))
            self.until(f"(before) => ({CHOICES})() !== before", before)

    def ply(self):
        """Return how many moves have been made."""
        return int(self.text(".where-ply").split("/")[1])

    def until_ply(self, ply):
        """Wait until `ply` moves have been made."""
        made = "(ply) => Number(document.querySelector('.where-ply').textContent.split('/')[1]) >= ply"
        self.until(made, ply)

    def until_yours(self):
        """Wait until it is this person's turn."""
        self.until("() => document.querySelector('.prompt.yours')")
