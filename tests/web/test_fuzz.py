"""Whatever a browser sends: nothing falls over, what is refused changes nothing, and no file is opened.

KIBITZ_FUZZ is how many messages are sent.
"""

import asyncio
import json
import os
import sys
from random import Random

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.web.messages import Claim, NewTable, RequestRefused, read_body
from kibitz.web.thinking_questions import CheckAgent, PrepareGame
from tests.web.browsers import INVITED, PERSON, Browser, PoolHere, agent, new_table, open_lobby

MESSAGES = int(os.environ.get("KIBITZ_FUZZ", "3000"))
BAIT = "bait"  # in every path that is sent
PATHS = [f"/tmp/{BAIT}.py", f"./{BAIT}", f"../../{BAIT}", f"..\\{BAIT}", f"'/{BAIT} x/y.py'", BAIT, f"{BAIT}.py"]
TEXTS = [
    "random", "maxn(depth=999999)", "mcts(seconds=1e9)", "policy(name={})", "{}", "pimc(agent={})",
    "minimax(opening={})", "maxn(value={})", "flat(policy={})", "mcts(((", "", "novice", "\ud800", "a" * 3000, "club",
]  # fmt: skip
ODD = [
    None, True, -1, 0, 1, 3, 2**31, 2**63, 2**70, 1.5, 1e308, "", "0", "\x00", "💥", [], {}, [[]], [0], ["x"], {"a": 1},
    {"kind": "me"}, {"kind": "agent", "text": "{}"}, {"kind": "level", "level": "{}"}, "x" * 70_000, [1] * 300,
]  # fmt: skip


class FrozenPool(PoolHere):
    """Never answer."""

    async def ask(self, question, urgency=0, tell=None, limit=0, whose=""):
        if not isinstance(question, PrepareGame | CheckAgent):
            await asyncio.Event().wait()


def templates(table, token, ply, move):
    """Return a message of each kind, as a browser might send it."""
    return [
        {"type": "join", "table": table, "tokens": [token], "protocol": 1},
        {"type": "move", "ply": ply, "move": move}, {"type": "say_move", "ply": ply, "text": "btrs"},
        {"type": "undo"}, {"type": "answer", "yes": True}, {"type": "ready", "seat": 0},
        {"type": "look", "ply": ply, "seat": None, "all": False}, {"type": "preview", "ply": ply, "moves": []},
        {"type": "analyse", "on": True, "ply": None, "agent": "random"},
        {"type": "tree", "ply": ply, "moves": [], "agent": None}, {"type": "grade"},
        {"type": "step", "agent": "random"},
        {"type": "seat", "seat": 1, "to": {"kind": "agent", "text": "random"}}, {"type": "play_on", "on": False},
        {"type": "rematch"},
    ]  # fmt: skip


BODIES = [
    {"game": "quarto", "seats": [{"kind": "me"}, {"kind": "level", "level": "club"}]},
    {"game": {"name": "quarto", "options": {"squares": True}}, "seats": []},
    {"game": "quarto", "position": "empty; seat 1 to move", "bench": True},
    {"game": "quarto", "from": {"table": "x", "ply": 3}, "moves": [1]},
    {"invite": "x"},
]


def text_of(rng):
    return rng.choice(TEXTS).replace("{}", rng.choice(PATHS))


def mutated(rng, message):
    """Return a message with something wrong with it, or not, as raw text or bytes."""
    message = json.loads(json.dumps(message))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
        key = rng.choice([*message, "extra"])
        kind = rng.randrange(4)
        if kind == 0:
            message.pop(key, None)
        elif kind == 1:
            message[key] = text_of(rng)
        elif kind == 2:
            odd = rng.choice(ODD)
            message[key] = {**odd, "text": text_of(rng)} if odd and isinstance(odd, dict) else odd
        else:
            message[rng.choice(("type", "table", "ply", "move", "seat", "tokens", "agent"))] = rng.choice(ODD)
    raw = json.dumps(message)
    kind = rng.randrange(12)
    if kind == 0:
        return raw[: rng.randrange(len(raw) + 1)]
    if kind == 1:
        data = bytearray(raw.encode())
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    if kind == 2:
        return "[" * rng.randrange(2000) + raw
    return raw


def snapshot(lobby, table):
    session = lobby.sessions[table]
    return (
        len(lobby.sessions),
        list(session.table.moves_made),
        list(session.seats),
        msgspec.json.encode(session.data),
    )


OPENED: list[str] = []
WATCHING = [False]


def _hook(event, args):
    if WATCHING[0] and event in ("open", "import", "os.listdir", "os.scandir", "subprocess.Popen", "exec"):
        OPENED.append(f"{event} {args[:1]!r:.300}")


async def _fuzz():
    rng = Random(MESSAGES)
    counts = {"refusal": 0, "other": 0}
    async with open_lobby() as lobby:
        lobby.pool = FrozenPool()
        open_table = await new_table(lobby, "quarto", [PERSON, agent("random")])
        shared = await new_table(lobby, "quarto", [PERSON, INVITED])
        editor = await new_table(lobby, "quarto", [PERSON, agent("random")], bench=True)
        hidden = await new_table(lobby, "colonizers", [PERSON, PERSON, INVITED, agent("heuristic")])
        places = [
            (made, token) for made in (open_table, shared, editor, hidden) for token in (made["owner"], "a guess")
        ]
        browsers = {}
        for number in range(MESSAGES):
            made, token = places[number % len(places)]
            browser, joined = browsers.pop((made["id"], token), (None, False))
            if browser is None or rng.random() < 0.05:
                if browser is not None:
                    browser.connection.leave_session()
                browser, joined = Browser(lobby), rng.random() < 0.9
                if joined:
                    await browser.send("join", table=made["id"], tokens=[token], protocol=1)
            browsers[made["id"], token] = browser, joined
            before = snapshot(lobby, made["id"])
            session = lobby.sessions[made["id"]]
            move = rng.choice(session.table.moves() or [0])
            raw = mutated(rng, rng.choice(templates(made["id"], token, session.ply, move)))
            answers = await browser.send_raw(raw)
            refused = [answer for answer in answers if answer["type"] == "refusal"]
            counts["refusal" if refused else "other"] += 1
            assert all(answer["sentence"] and "Traceback" not in answer["sentence"] for answer in refused)
            if refused or token == "a guess":
                assert snapshot(lobby, made["id"]) == before, raw
            if number % 10 == 0:
                await _post(lobby, mutated(rng, rng.choice(BODIES)), counts)
        return counts


async def _post(lobby, raw, counts):
    data = raw.encode(errors="replace") if isinstance(raw, str) else raw
    table = next(iter(lobby.sessions))
    before = snapshot(lobby, table)
    try:
        made = await lobby.create(read_body(NewTable, data))
        del lobby.sessions[made.id]
    except (RequestRefused, KibitzError):
        counts["refusal"] += 1
        assert snapshot(lobby, table) == before
    try:
        await lobby.claim(next(iter(lobby.sessions)), read_body(Claim, data).invite)
        raise AssertionError("an invitation was guessed")
    except (RequestRefused, KibitzError):
        pass


def test_nothing_that_a_browser_sends_does_harm():
    sys.addaudithook(_hook)
    WATCHING[0] = True
    try:
        counts = asyncio.run(_fuzz())
    finally:
        WATCHING[0] = False
    assert not [event for event in OPENED if BAIT in event]
    assert counts["refusal"] > MESSAGES // 4
    assert counts["other"] > MESSAGES // 20
    print(counts)
