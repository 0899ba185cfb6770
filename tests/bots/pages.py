"""What the pages about bots show, made anew: python -m tests.bots.pages writes it."""

import json
import re
from pathlib import Path

from kibitz.agents import build
from kibitz.bots.driver import Driver
from kibitz.bots.protocol import Lines
from kibitz.bots.schema import schema
from kibitz.core.table import Table
from kibitz.games import find

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, SCHEMA = DOCS / "bots.md", DOCS / "bot-protocol.schema.json"
GAMES = ("quarto", "chexers", "cartagena(version=jamaica)", "colonizers")
SHOWN = 2  # decisions of each transcript
SEAT = 1  # that of the bot


class FirstMove:
    """A wire to a bot that always plays the first legal move, without a process."""

    def __init__(self):
        self.lines, self.chatter = Lines(), []

    def begin_game(self):
        """Nothing is counted."""

    def send(self, line, until):
        """Answer at once."""
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
        return self.lines.next()

    def tail(self):
        """Say nothing."""
        return ""

    def end(self, politely=True):
        """Be gone."""


def transcript(text):
    """Return the lines of a game with the first decisions of a bot, and its end."""
    game, said = find(text), []
    driver = Driver(FirstMove(), lambda who, line: said.append(f"{'>' if who == 'referee' else '<'} {line.decode()}"))
    driver.hello(game.name, 1)
    mind = build("bot(cmd='python3 first.py')", game, 1)
    mind.start = lambda: driver
    others, table = [build("random", game, seat) for seat in range(game.seats)], Table(game, 1)
    mind.sit(SEAT, 2.0, None, 0.0)
    decisions = 0
    while not table.over:
        turn = table.turn
        minds = mind if turn == SEAT else others[turn]
        mind.allow(2.0, [None] * game.seats)
        move = minds.decide(table.view(turn)).move
        decisions += turn == SEAT
        heard = table.write(move) if turn == SEAT else table.told(move, SEAT)
        mind.hear(table.ply, turn, None if heard is None else move, heard)
        table.play(move)
        if decisions == SHOWN:
            driver.note, kept = None, said
    driver.note = lambda who, line: kept.append(f"{'>' if who == 'referee' else '<'} {line.decode()}")
    kept.append("…\n")
    driver.end_game(SEAT, table.payoff(), "won")
    kept.append('> {"type":"quit"}\n')
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in kept)


def page(text):
    """Return the page with its transcripts made anew."""
    for game in GAMES:
        made = f"<!-- {game} -->\n```text\n{transcript(game)}```\n"
        text = re.sub(
            rf"<!-- {re.escape(game)} -->\n```text\n.*?```\n", lambda _, made=made: made, text, flags=re.DOTALL
        )
    return text


def schema_text():
    """Return the schema as it is kept."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text())
    PAGE.write_text(page(PAGE.read_text()))
