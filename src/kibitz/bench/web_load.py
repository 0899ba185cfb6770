"""Load on the web server: how soon a person's move is shown while agents think, and the cost of spectators."""

import asyncio
import gc
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from kibitz.games import names
from kibitz.web.app import READY_HEADER
from kibitz.web.web_server import raise_limit_of_files

TABLES = 200
SECONDS = 30.0
WATCHERS = 1000
LOOKING = (1.0, 9.0)  # seconds that a person looks at the board before moving
STARTING = 120.0  # seconds
BROWSERS_AT_ONCE = 20
_LARGEST = 8 << 20


def measure() -> Iterator[tuple[str, str, float]]:
    """Yield name, unit and value of every row."""
    raise_limit_of_files()
    gc.disable()  # this process stands for people, who do not pause to collect garbage
    with tempfile.TemporaryDirectory(prefix="kibitz-web-") as folder, _server(Path(folder)) as (address, process):
        _wait_until_ready(address)
        times, moves = asyncio.run(_click(address))
        yield "web/click-p50-ms", "ms", 1000 * float(np.quantile(times, 0.5))
        yield "web/click-p95-ms", "ms", 1000 * float(np.quantile(times, 0.95))
        yield "web/clicks", "clicks/s", len(times) / SECONDS
        yield "web/agent-moves", "moves/s", moves / SECONDS
    with tempfile.TemporaryDirectory(prefix="kibitz-web-") as folder, _server(Path(folder)) as (address, process):
        told, seconds, megabytes = asyncio.run(_watch(address, process))
        yield "web/watchers", "watchers", told
        yield "web/watchers-told-ms", "ms", 1000 * seconds
        yield "web/watchers-mb", "MB", megabytes


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, int]]:
    """Start a server; yield its address and its process."""
    command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--no-open", "--db", str(folder / "tables.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+:\d+", process.stdout.readline())
        if found is None:
            raise AssertionError("the server did not start")
        yield found[0], process.pid
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]


def _wait_until_ready(address: str) -> None:
    """Wait until the server has compiled all games and agents."""
    while True:
        with urlopen(f"{address}/health", timeout=STARTING) as answer:
            if answer.headers[READY_HEADER] == "yes":
                return
        sleep(0.2)


def _post(address: str, data: dict[str, Any]) -> dict[str, Any]:
    request = Request(f"{address}/api/tables", json.dumps(data).encode(), {"content-type": "application/json"})
    with urlopen(request, timeout=STARTING) as answer:
        return json.load(answer)


async def _click(address: str) -> tuple[list[float], int]:
    """Let people play against agents at many tables; return the times of clicks and the number of agents' moves."""
    times: list[float] = []
    moves = [0]
    gate = asyncio.Semaphore(BROWSERS_AT_ONCE)
    people = await asyncio.gather(*(_sit_down(address, number, gate) for number in range(TABLES)))
    end = perf_counter() + SECONDS
    await asyncio.gather(*(_play(socket, rng, end, times, moves) for socket, rng in people))
    return times, moves[0]


async def _sit_down(address: str, number: int, gate: asyncio.Semaphore) -> tuple[Any, Random]:
    """Seat a person at a new table; return a socket and dice."""
    from websockets.asyncio.client import connect

    async with gate:
        made = await asyncio.to_thread(_post, address, {"game": names()[number % len(names())]})
        socket = await connect(f"{address.replace('http', 'ws', 1)}/ws", max_size=_LARGEST, compression=None)
        await socket.send(json.dumps({"type": "join", "table": made["id"], "tokens": [made["owner"]], "protocol": 1}))
    return socket, Random(number)


async def _play(socket: Any, rng: Random, end: float, times: list[float], moves: list[int]) -> None:
    """Make random legal moves until the end."""
    async with socket:
        await asyncio.sleep(rng.uniform(0, LOOKING[1]))
        ply, clicked = -1, 0.0
        while perf_counter() < end:
            state = await _next_state(socket, end)
            if state is None or state["over"]:
                return
            if clicked and state["ply"] > ply:
                times.append(perf_counter() - clicked)
                clicked = 0.0
            elif state["log"]:
                moves[0] += 1
            if state["legal"] and state["ply"] != ply:
                ply = state["ply"]
                await asyncio.sleep(rng.uniform(*LOOKING))
                clicked = perf_counter()
                move = rng.choice(state["legal"])["move"]
                await socket.send(json.dumps({"type": "move", "ply": ply, "move": move}))


async def _next_state(socket: Any, end: float) -> dict[str, Any] | None:
    try:
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), max(0.01, end - perf_counter())))
            if message["type"] == "state":
                return message
    except TimeoutError:
        return None


async def _watch(address: str, process: int) -> tuple[int, float, float]:
    """Let many watch one table; return how many see a move, how soon, and the memory that they cost."""
    from websockets.asyncio.client import connect

    made = _post(address, {"game": "quarto", "seats": [{"kind": "me"}, {"kind": "me"}]})
    before = _megabytes(process)
    join = {"type": "join", "table": made["id"], "tokens": [], "protocol": 1}

    async def sit() -> Any:
        socket = await connect(f"{address.replace('http', 'ws', 1)}/ws", max_size=_LARGEST, compression=None)
        await socket.send(json.dumps(join))
        await socket.recv()
        return socket

    sockets = []
    for first in range(0, WATCHERS, BROWSERS_AT_ONCE):
        wanted = min(BROWSERS_AT_ONCE, WATCHERS - first)
        sockets += await asyncio.gather(*(sit() for _ in range(wanted)))
    player = await connect(f"{address.replace('http', 'ws', 1)}/ws", max_size=_LARGEST, compression=None)
    await player.send(json.dumps({**join, "tokens": [made["owner"]]}))
    begun = perf_counter()
    await player.send(json.dumps({"type": "move", "ply": 0, "move": 3}))
    told = await asyncio.gather(*(_hears(socket) for socket in sockets))
    seconds, after = perf_counter() - begun, _megabytes(process)
    await asyncio.gather(*(socket.close() for socket in [*sockets, player]))
    return sum(told), seconds, after - before


async def _hears(socket: Any) -> bool:
    state = await _next_state(socket, perf_counter() + SECONDS)
    while state is not None and state["ply"] == 0:
        state = await _next_state(socket, perf_counter() + SECONDS)
    return state is not None


def _megabytes(process: int) -> float:
    """Return the memory of a process; 0 where the system does not tell it."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0
