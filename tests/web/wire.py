"""All that goes over the wire in a game of Kuhn poker, as it is kept: python -m tests.web.wire writes it."""

import asyncio
import itertools
import json
from pathlib import Path
from unittest.mock import patch

from kibitz.web import lobby as lobby_module
from tests.web.browsers import INVITED, PERSON, Browser, new_table, open_lobby

KUHN = str(Path(__file__).resolve().parents[1] / "kuhn")
KEPT = Path(__file__).with_name("kuhn_wire.txt")
VARYING = {"seconds": 0, "since_s": 0, "version": "…"}  # what differs from run to run


def transcript():
    """Return the messages that two players and a spectator send and get in a whole game, a line each."""
    numbers = itertools.count()
    with (
        patch("secrets.token_urlsafe", lambda size: f"token{next(numbers)}"),
        patch.object(lobby_module, "secret_seed", lambda: 7),
    ):
        return asyncio.run(_play())


async def _play():
    said = []

    async def send(who, kind, **fields):
        said.append(f"{who} > {json.dumps({'type': kind, **fields})}")
        hear(*await people[who].send(kind, **fields), who=who)
        for other, browser in people.items():
            hear(*browser.take(), who=other)

    def hear(*messages, who):
        said.extend(f"{who} < {json.dumps(_plain(message), sort_keys=True)}" for message in messages)

    async with open_lobby(games=[KUHN]) as lobby:
        made = await new_table(lobby, "kuhn", [PERSON, INVITED])
        claimed = await lobby.claim(made["id"], made["invites"]["1"])
        people = {who: Browser(lobby) for who in ("one", "two", "spectator")}
        tokens = {"one": [made["owner"]], "two": [claimed.token], "spectator": []}
        session = lobby.sessions[made["id"]]
        for who in people:
            await send(who, "join", table=made["id"], tokens=tokens[who], protocol=1)
        await send("spectator", "move", ply=0, move=0)
        while not session.table.over:
            who = ("one", "two")[session.table.turn]
            await send(who, "look", ply=session.ply)
            await send(who, "move", ply=session.ply, move=session.table.moves()[-1])
        for ply in range(session.ply + 1):
            await send("spectator", "look", ply=ply, all=True)
        await send("spectator", "preview", ply=0, moves=session.table.moves_made[:1])
        await send("one", "analyse", on=True, ply=0, agent="random")
        while '"type": "analysis"' not in said[-1]:
            await asyncio.sleep(0.001)
            hear(*people["one"].take(), who="one")
        await send("one", "undo")
        await send("one", "rematch")
    return [line.replace(KUHN, "kuhn") for line in said]


def _plain(message):
    """Return a message without what differs from run to run."""
    if isinstance(message, dict):
        return {name: VARYING.get(name, _plain(value)) for name, value in message.items()}
    return [_plain(value) for value in message] if isinstance(message, list) else message


def text():
    """Return the transcript as it is kept."""
    return "\n".join(transcript()) + "\n"


if __name__ == "__main__":
    KEPT.write_text(text())
