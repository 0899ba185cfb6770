"""Agents that the owner of a server adds: visitors choose them by name, and write no command and no path."""

import asyncio
import shlex
import sys

import pytest

from kibitz.bots import bot_pool
from kibitz.core.errors import KibitzError
from kibitz.web.allowlist import Allowlist
from kibitz.web.messages import RequestRefused
from tests.web.browsers import PERSON, agent, new_table, open_lobby, sit_down

BOT = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    kind, answer = message["type"], {"id": message.get("id")}
    if kind == "hello":
        answer |= {"type": "ready", "name": "last", "wants": ["moves", "events"]}
    elif kind == "decide":
        note = f"told of {len(message['events'])}"
        answer |= {"type": "move", "move": message["moves"][-1], "note": note}
    elif kind == "quit":
        break
    else:
        answer |= {"type": "ok"}
    print(json.dumps(answer), flush=True)
"""
OWN = '''
from kibitz import Agent

class First(Agent):
    """Plays the first move."""

    def decide(self, view):
        return self.legal(view)[0]
'''


def test_a_bot_plays_under_the_name_that_the_owner_gave_it(tmp_path):
    program = tmp_path / "last_bot.py"
    program.write_text(BOT)
    command = f"bot(cmd='{shlex.quote(sys.executable)} {program}', walls=limits)"

    async def play():
        async with open_lobby(tmp_path / "tables.db", agents=[f"lastbot={command}"]) as lobby:
            made = await new_table(lobby, "quarto", [PERSON, agent("lastbot")])
            browser, state = await sit_down(lobby, made["id"], made["owner"])
            assert (state["seats"][1]["label"], state["seats"][1]["agent"]) == ("lastbot", "lastbot")
            await browser.send("move", ply=0, move=3)
            state = await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            placed, handed = lobby.sessions[made["id"]].history.notes[1:]
            assert (placed.why, handed.why) == ("told of 1", "told of 2")
            assert state["trouble"] == ""
            for text, words in (
                ("lastbot(cmd=ls)", "takes no options"),
                (command, "browser"),
                ("pimc(lastbot)", "unknown agent"),
            ):
                with pytest.raises((RequestRefused, KibitzError), match=words):
                    await new_table(lobby, "quarto", [PERSON, agent(text)])
            (refusal,) = await browser.send("analyse", on=True, agent="lastbot")
            assert "does not analyse" in refusal["sentence"]
            assert not any(str(program).encode() in message for message in browser.received)
            assert str(program) not in str(lobby.store.find(made["id"]))

    try:
        asyncio.run(play())
    finally:
        bot_pool.end_all()


def test_why_a_bot_fails_is_for_the_owner_of_the_server_alone(tmp_path, caplog):
    missing = tmp_path / "missing.py"
    command = f"bot(cmd='{shlex.quote(sys.executable)} {missing}', walls=limits)"

    async def play():
        async with open_lobby(agents=[f"mybot={command}"]) as lobby:
            made = await new_table(lobby, "quarto", [agent("mybot"), PERSON])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            state = await browser.until(lambda message: message["type"] == "state" and message["trouble"])
            assert state["trouble"] == "mybot makes no move: it did not start"
            assert not any(b"missing" in message or b"it said" in message for message in browser.received)
            assert str(missing) in caplog.text

    try:
        asyncio.run(play())
    finally:
        bot_pool.end_all()


def test_an_agent_by_path_plays_and_its_path_is_not_told(tmp_path):
    (tmp_path / "first.py").write_text(OWN)

    async def play():
        async with open_lobby(agents=[str(tmp_path / "first.py")]) as lobby:
            assert lobby.allowlist.own_agents() == ["first"]
            made = await new_table(lobby, "quarto", [PERSON, agent("first")])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            await browser.send("move", ply=0, move=3)
            state = await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            assert {entry["agent"] for entry in state["log"] if "agent" in entry} == {"first"}
            assert not any(str(tmp_path).encode() in message for message in browser.received)
            text = lobby.allowlist.agent("pimc(first)", lobby.sessions[made["id"]].game)
            assert str(tmp_path) in text
            assert lobby.allowlist.shown_agent(text) == "pimc(first)"

    asyncio.run(play())


@pytest.mark.parametrize(
    ("text", "words"),
    [("./nothing.py", "nothing at"), ("random=flat", "already"), ("x=nobody", "unknown agent"), ("x=flat(", "missing")],
)
def test_an_agent_that_the_server_cannot_offer_is_refused_when_it_starts(text, words):
    with pytest.raises((RequestRefused, KibitzError), match=words):
        Allowlist(own_agents=[text])


def test_a_name_given_twice_is_refused():
    with pytest.raises(RequestRefused, match="already"):
        Allowlist(own_agents=["x=flat", "x=random"])
