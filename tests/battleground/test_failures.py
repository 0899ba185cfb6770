"""A battleground that fails says so to its log, and tells bots no more than that."""

import json
from contextlib import suppress
from threading import Thread

import pytest

from kibitz.bots.protocol_driver import ProtocolDriver
from kibitz.core.errors import SERVER_FAILED, BadValue
from kibitz.plugins.battleground import channels
from kibitz.plugins.battleground.channels import Channels
from kibitz.plugins.battleground.registry import Registry
from tests.battleground.arenas import PATIENCE, Hand, ground

SECRET = "/home/somebody/secret.db"
PLACES = [
    (Registry, "claim"), (Registry, "lend"), (Registry, "fixture"), (Registry, "add"), (Channels, "_game"),
    (ProtocolDriver, "hello"), (channels, "play_fixture"), (channels, "seated"), (channels, "_told"),
]  # fmt: skip
ERRORS = [KeyError(SECRET), BadValue(f"cannot write {SECRET}"), OSError(28, SECRET)]


class Listener(Thread):
    """Plays the first legal move, and keeps every line that a bot is sent until it is let go."""

    def __init__(self, hand):
        super().__init__(daemon=True)
        self.hand, self.heard = hand, []
        self.start()

    def run(self):
        with suppress(OSError, ValueError):  # the test has closed it
            while (said := self.hand.answer()) is not None:
                self.heard.append(said)
            self.hand.close()


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=lambda given: getattr(given, "__name__", given))
def test_no_bot_is_sent_the_text_of_an_exception(tmp_path, monkeypatch, caplog, owner, name):
    def failing(*given):
        raise ERRORS[PLACES.index((owner, name)) % len(ERRORS)]

    with (
        ground(tmp_path / "ground.db", "quarto", "chexers") as served,
        Hand(served.port) as one,
        Hand(served.port) as two,
    ):
        one.seek("one")
        first = Listener(one)
        monkeypatch.setattr(owner, name, failing)
        if name == "lend":
            two.say(mtype="PLAY", name="two", channel="")
            heard = [two.hear()]
        else:
            two.say(type="seek", name="two", channel="open", game="quarto")
            second = Listener(two)
            second.join(PATIENCE)
            heard = second.heard
        monkeypatch.undo()
    first.join(PATIENCE)
    said = json.dumps(heard + first.heard)
    assert SECRET not in said
    assert SERVER_FAILED in json.dumps(heard)
    assert SECRET in caplog.text
    assert "Traceback" in caplog.text


def test_a_channel_goes_on_after_a_failure(tmp_path, monkeypatch):
    with ground(tmp_path / "ground.db") as served:
        monkeypatch.setattr(channels, "play_fixture", lambda *given: {}["nothing"])
        tokens = {}
        with Hand(served.port) as one, Hand(served.port) as two:
            for hand, name in ((one, "one"), (two, "two")):
                tokens[name] = hand.seek(name)["token"]
            for listener in [Listener(one), Listener(two)]:
                listener.join(PATIENCE)
                assert SERVER_FAILED in listener.heard[-1]["sentence"]
        monkeypatch.undo()
        with Hand(served.port) as one, Hand(served.port) as two:
            for hand, name in ((one, "one"), (two, "two")):
                assert hand.seek(name, token=tokens[name])["type"] == "welcome"
            other = Thread(target=two.play, args=(1,), daemon=True)
            other.start()
            assert one.play(1)[-1]["reason"] in ("won", "drawn")
            other.join(PATIENCE)
