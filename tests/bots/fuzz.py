"""Mutated lines of bots, judged by a separate reader: python -m tests.bots.fuzz 200000 tries 200,000 lines."""

import json
import sys
from collections import Counter
from random import Random

from kibitz.agents import build
from kibitz.bots.bot_fault import ILLEGAL, KINDS, PROTOCOL, BotFault
from kibitz.bots.protocol import LineBuffer
from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.core.table import Table
from kibitz.games import find

PROPER = [
    '{"type": "move", "id": ID, "move": MOVE}',
    '{"type": "move", "id": ID, "text": "TEXT", "values": [0.5, 0.5], "line": [1, 2], "nodes": 7, "note": "so"}',
    '{"id": ID, "move": MOVE, "type": "move", "extra": {"deep": [1, [2, {"x": null}]]}}',
    '{"type": "guess", "count": 3}',
    '{"type": "guess"}\n{"type": "simulate", "runs": [{"world": 0, "line": [MOVE], "keep": true}]}',
    '{"type": "guess"}\n{"type": "playout", "runs": [{"world": 0, "line": [], "count": 2, "policy": "random"}]}',
    '{"type": "ready", "id": ID, "name": "x", "wants": ["moves"]}',
    '{"type": "ok", "id": ID}',
    "I am thinking",
    "",
]
PIECES = [
    b"{", b"}", b"[", b"]", b'"', b":", b",", b"\n", b"\r", b"\x00", b"\xff", b"\\u0000", b"1e999", b"-1", b"NaN",
    b"null", b"true", b"9" * 400, b"[" * 2000, b'"type"', b'"id"', b'"move"', b"\xc3\x28", b"0.5", b"{}",
    b'"worlds"', b" " * 50,
]  # fmt: skip


class FakeWire:
    """A wire without a process: it delivers what it was given."""

    killed = perhaps_killed = False

    def __init__(self):
        self.lines, self.chatter, self.sent = LineBuffer(), [], []
        self.answer = b""  # to the first line that is sent

    def begin_game(self):
        """Count anew."""
        self.lines.new_game()

    def send(self, line, until):
        """Keep the line, and let the answer come."""
        self.sent.append(line)
        answer, self.answer = self.answer, b""
        if answer:
            self.lines.feed(answer)

    def receive(self, until):
        """Return the next line; there is no waiting here."""
        line = self.lines.next()
        if line is None:
            raise BotFault("time", "no complete line came")
        return line

    def tail(self):
        """Say nothing."""
        return ""

    def end(self, politely=True):
        """Be gone."""


def mutated(rng, line):
    """Return a line with a few things changed."""
    data = bytearray(line)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                data[at:at] = rng.choice(PIECES)
            case 1:
                del data[at : at + rng.randrange(1, 9)]
            case 2:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 3:
                data[at:at] = data[rng.randrange(len(data) + 1) :][: rng.randrange(40)]
            case 4:
                del data[at:]
    return bytes(data)


def verdict(data, number, legal, texts):
    """Return what must come of lines, judged by the standard library: a move, a kind of fault, or None if unsure."""
    for line in data.split(b"\n"):
        if line.strip()[:1] != b"{":
            continue
        try:
            message = json.loads(line.decode())
        except UnicodeDecodeError:
            return None  # in a key that nobody knows it does not matter
        except (ValueError, RecursionError):
            return PROTOCOL
        if message.get("type") != "move" or set(message) - {"type", "id", "move", "text"}:
            return None
        if message.get("id") != number or not all(type(message.get(key, 0)) is int for key in ("id", "move")):
            return None
        if len(json.loads(line.decode(), object_pairs_hook=list)) != len(message):
            return None  # a key stands there twice
        if "move" in message:
            return message["move"] if message["move"] in legal else ILLEGAL
        return None
    return "chatter"


def fuzz(tries, seed):
    """Try `tries` mutated lines; return how often each outcome occurred."""
    rng, game = Random(seed), find("colonizers")
    table = Table(game, 1)
    for _ in range(9):
        table.play(table.moves()[0])
    view, legal = table.view(table.turn), table.moves()
    texts = game.texts(view, legal)
    outcomes = Counter()
    mind = build(f"bot(cmd='{sys.executable} none', walls=limits)", game, 1)
    for _ in range(tries):
        wire = FakeWire()
        mind._driver, mind._seat = ProtocolDriver(wire), table.turn
        mind._driver.wants = frozenset(["moves"])
        mind._driver._id = number = rng.randrange(1, 500)
        move, text = rng.choice(legal), rng.choice(texts)
        proper = rng.choice(PROPER).replace("ID", str(number + 1)).replace("MOVE", str(move)).replace("TEXT", text)
        data = mutated(rng, proper.encode()) + b"\n"
        last = json.dumps({"type": "move", "id": number + 1, "move": legal[-1]}).encode() + b"\n"
        must = verdict(data, number + 1, legal, texts)
        outcome = _outcome(mind, wire, view, data + last)
        assert outcome in legal or outcome in KINDS, (data, outcome)
        assert must is None or outcome == (legal[-1] if must == "chatter" else must), (data, outcome, must)
        outcomes["a move" if outcome in legal else outcome] += 1
    return outcomes


def _outcome(mind, wire, view, data):
    try:
        wire.answer = data
        return mind.decide(view).move
    except BotFault as fault:
        return fault.kind


if __name__ == "__main__":
    print(dict(fuzz(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
