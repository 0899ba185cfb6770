"""After a restart every table is as it was; the server ends without leaving anything behind."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import connect

from kibitz.core.errors import BadValue
from kibitz.web.table_store import TableStore
from tests.web.browsers import INVITED, PERSON, agent, new_table, open_lobby, sit_down

SERVER = """
import sys
from kibitz.web import app
from kibitz.web.lobby import Lobby
from kibitz.web.web_server import listen, serve
from kibitz.web.allowlist import Allowlist
from kibitz.web.table_store import TableStore

if __name__ == "__main__":
    app.WebCatalogue.prepare = lambda self: app.asyncio.sleep(0)  # what nobody plays here need not be loaded
    listener = listen("127.0.0.1", 0)
    tell = lambda: print(listener.getsockname()[1], flush=True)
    serve(Lobby(TableStore(sys.argv[1]), Allowlist()), listener, "127.0.0.1", [], tell)
"""


def test_a_table_that_was_left_in_the_middle_is_as_it_was(tmp_path):
    path = tmp_path / "tables.db"

    async def before():
        async with open_lobby(path) as lobby:
            made = await new_table(lobby, "quarto", [PERSON, agent("random")])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            await browser.send("move", ply=0, move=3)
            state = await browser.until(lambda message: message["type"] == "state" and message["ply"] == 3)
            return made, state

    async def after(made):
        async with open_lobby(path) as lobby:
            _, state = await sit_down(lobby, made["id"], made["owner"])
            return state

    made, left = asyncio.run(before())
    found = asyncio.run(after(made))
    for name in ("ply", "turn", "scene", "legal", "seats", "you", "game_text", "owner"):
        assert found[name] == left[name], name
    assert found["log"][-1] == left["log"][-1]


def test_agents_that_play_on_in_an_editor_go_on_without_anybody_watching(tmp_path):
    path = tmp_path / "tables.db"

    async def before():
        async with open_lobby(path) as lobby:
            lobby.pool.fails = "not today"
            made = await new_table(lobby, "quarto", [agent("random"), agent("random")], bench=True)
            editor, _ = await sit_down(lobby, made["id"], made["owner"])
            await editor.send("play_on", on=True)
            return made["id"]

    async def after(table):
        async with open_lobby(path) as lobby:
            await asyncio.sleep(0)
            while table not in lobby.sessions or not lobby.sessions[table].table.over:
                await asyncio.sleep(0.005)

    asyncio.run(after(asyncio.run(before())))


def test_who_asked_to_take_back_a_move_still_asks_after_a_restart(tmp_path):
    path = tmp_path / "tables.db"

    async def before():
        async with open_lobby(path) as lobby:
            made = await new_table(lobby, "quarto", [PERSON, INVITED])
            claimed = await lobby.claim(made["id"], made["invites"]["1"])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            await browser.send("move", ply=0, move=3)
            await browser.send("undo")
            return made["id"], claimed.token

    async def after(table, token):
        async with open_lobby(path) as lobby:
            browser, state = await sit_down(lobby, table, token)
            assert state["undo_asked_by"] == 0
            assert (await browser.send("answer", yes=True))[-1]["ply"] == 0

    asyncio.run(after(*asyncio.run(before())))


def test_two_servers_cannot_share_a_file(tmp_path):
    store = TableStore(tmp_path / "tables.db")
    with pytest.raises(BadValue, match="another server"):
        TableStore(tmp_path / "tables.db")
    store.close()
    with pytest.raises(BadValue, match="cannot keep tables"):
        TableStore(tmp_path / "nowhere" / "tables.db")
    (tmp_path / "text.db").write_text("this is no database, but a text of some length" * 50)
    with pytest.raises(BadValue, match="cannot keep tables"):
        TableStore(tmp_path / "text.db")


def _start(script, db):
    process = subprocess.Popen([sys.executable, str(script), str(db)], stdout=subprocess.PIPE, text=True)
    return process, f"http://127.0.0.1:{int(process.stdout.readline())}"


def _children(pid):
    found = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in re.findall(r"^\s*\d+\s+\d+$", found, re.MULTILINE)]
    below, new = set(), {pid}
    while new:
        below |= new
        new = {child for child, parent in pairs if parent in below} - below
    return below - {pid}


def _runs(pid):
    """Return whether a process runs; one that has ended may stay listed until its parent looks."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _all_gone(pids):
    for _ in range(3000):
        if not any(map(_runs, pids)):
            return True
        time.sleep(0.02)
    return False


def _post(address, path, data):
    request = Request(f"{address}{path}", json.dumps(data).encode(), {"content-type": "application/json"})
    with urlopen(request, timeout=300) as answer:
        return json.load(answer)


@contextmanager
def _playing_on(address, made):
    """Let the agents of an editor play, and watch them, so that they take their time."""
    with connect(f"{address.replace('http', 'ws')}/ws") as socket:
        for message in (
            {"type": "join", "table": made["id"], "tokens": [made["owner"]], "protocol": 1},
            {"type": "play_on", "on": True},
        ):
            socket.send(json.dumps(message))
            socket.recv(timeout=300)
        yield


def _ply(address, table):
    with urlopen(f"{address}/api/tables", timeout=60) as answer:
        return next((entry["ply"] for entry in json.load(answer) if entry["id"] == table), -1)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_server_that_is_killed_loses_nothing_and_leaves_no_process(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    process, address = _start(script, tmp_path / "tables.db")
    robot = {"kind": "agent", "text": "random"}
    made = _post(address, "/api/tables", {"game": "quarto", "seats": [robot, robot], "bench": True})
    with _playing_on(address, made):
        while (reached := _ply(address, made["id"])) < 3:
            time.sleep(0.05)
        below = _children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert below
    assert _all_gone(below)

    process, address = _start(script, tmp_path / "tables.db")
    below = _children(process.pid)
    while _ply(address, made["id"]) <= reached:  # it was there, and it goes on
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(60) == 0
    process.stdout.close()
    assert _all_gone(below)
