"""What the pages about bots show, made anew: python -m tests.bots.pages writes it."""

import json
import re
from pathlib import Path
from unittest.mock import patch

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play import referee
from kibitz.arena.play.referee import play_fixture
from kibitz.bots.protocol import LineBuffer, Quit, line_of
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.bots.schema import schema
from kibitz.core.warm_up_positions import warm_up_positions
from kibitz.games import find
from tests.bots.move_texts import move_table

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, SCHEMA = DOCS / "bots.md", DOCS / "bot-protocol.schema.json"
GAMES = ("quarto", "chexers", "cartagena(version=jamaica)", "colonizers")
SHOWN = 2  # decisions of each transcript
SEAT = 1  # that of the bot
LIMITS = Limits(move_seconds=2.0)


class FirstMove:
    """A wire to a bot that always plays the first legal move, without a process; `said` is all that goes over it."""

    killed = False

    def __init__(self):
        self.lines, self.chatter, self.said = LineBuffer(), [], []

    def begin_game(self):
        """Count nothing."""

    def send(self, line, until):
        """Answer at once."""
        self.said.append(f"> {line.decode()}")
        message = json.loads(line)
        answers = {
            "hello": {"type": "ready", "name": "first"},
            "new": {"type": "ok"},
            "decide": {"type": "move", "move": message.get("moves", [0])[0]},
            "end": {"type": "ok"},
        }
        if message["type"] in answers:
            answer = answers[message["type"]]
            self.lines.feed(json.dumps({"type": answer.pop("type"), "id": message["id"], **answer}).encode() + b"\n")

    def receive(self, until):
        """Return the answer."""
        line = self.lines.next()
        self.said.append(f"< {line.decode()}\n")
        return line

    def tail(self):
        """Say nothing."""
        return ""

    def end(self, politely=True):
        """Be gone, having been told to go."""
        self.said.append(f"> {line_of(Quit()).decode()}")


def transcript(text):
    """Return the lines of a game at the referee with the first decisions of a bot, and its end."""
    game, wire = find(text), FirstMove()

    def make(name, game, seed):
        if name == "random":
            return build("random", game, seed)
        mind, driver = build("bot(cmd='python3 first.py', fresh=true)", game, seed), ProtocolDriver(wire)
        for view in warm_up_positions(game, 0):  # so that no clock runs while code is compiled for the first time
            mind.warm_up(view)
        driver.hello(game.name, 1)
        mind.start = lambda: driver
        return mind

    seating = tuple(int(seat == SEAT) for seat in range(game.seats))
    fixture = Fixture(0, 0, seating, 1, tuple(range(game.seats)))
    with patch.object(referee, "perf_counter", lambda: 0.0):  # what is shown does not depend on the machine's speed
        play_fixture(game, ["random", "first"], fixture, LIMITS, make=make)
    said = wire.said
    moves = [at for at, line in enumerate(said) if line.startswith('< {"type": "move"')]
    end = next(at for at, line in enumerate(said) if line.startswith('> {"type":"end"'))
    return "".join([*said[: moves[SHOWN - 1] + 1], "…\n", *said[end:]])


def page(text):
    """Return the page with its transcripts and its table of moves made anew."""
    for game in GAMES:
        text = _replaced(text, game, r"```text\n.*?```\n", f"```text\n{transcript(game)}```\n")
    return _replaced(text, "moves", r"(?:\|[^\n]*\n)*", f"{move_table()}\n")


def _replaced(text, mark, old, new):
    """Return a text with what follows a mark made anew."""
    mark = f"<!-- {mark} -->\n"
    text, found = re.subn(re.escape(mark) + old, lambda _: mark + new, text, flags=re.DOTALL)
    assert found == 1, f"bots.md has {found} places for {mark}"
    return text


def schema_text():
    """Return the schema as it is kept."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text())
    PAGE.write_text(page(PAGE.read_text()))
