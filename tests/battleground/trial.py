"""A trial of a battleground: many bots in many channels, and a server that is killed and started again."""

import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import monotonic

from kibitz.arena.results.ledger import open_ledger
from kibitz.core.errors import KibitzError
from kibitz.core.record import read_line
from kibitz.core.seeds import seed_for_program
from kibitz.plugins.battleground.battleground_client import Address, BattlegroundClient
from kibitz.plugins.battleground.lobby_messages import Seek

GRACE = 300.0  # seconds for which bots try to return
PATIENCE = 120.0  # seconds for a server to start, and for games to be finished


@dataclass
class Told:
    """What all bots together were told."""

    ends: set[int] = field(default_factory=set)  # seeds of bots whose game they were told the result of
    complaints: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)


class FirstMoves:
    """A player that makes one of its legal moves, and notes what it is told."""

    def __init__(self, told):
        self.told, self.seed = told, 0

    def take(self, line, send):
        """Answer a line."""
        said = json.loads(line)
        answer = {"type": "ok", "id": said.get("id")}
        match said["type"]:
            case "hello":
                answer |= {"type": "ready", "wants": ["moves"]}
            case "new":
                self.seed = said["seed"]
            case "decide":
                answer |= {"type": "move", "move": said["moves"][(self.seed + said["ply"]) % len(said["moves"])]}
            case "end":
                with self.told.lock:
                    self.told.ends.add(self.seed)
            case kind:
                with self.told.lock:
                    self.told.complaints.append(f"{kind}: {said}")
                return
        send(json.dumps(answer).encode() + b"\n")

    def end(self):
        """End nothing."""


class Server:
    """A battleground in a process of its own, always at the same port."""

    def __init__(self, db, game):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.words = [
            sys.executable, "-m", "kibitz", "battleground", "serve", "--port", str(self.port), "--db", str(db),
            "--game", game, "--rest", "0", "--grace", str(GRACE), "--move-seconds", "60",
        ]  # fmt: skip
        self.start()

    def start(self):
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen(self.words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert "The battleground is at" in self.process.stdout.readline()
        self.games, self.heard = 0, []
        self._reader = Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, lines):
        for line in lines:
            self.heard.append(line)
            self.games += 1

    def wait_for(self, games, seconds=PATIENCE):
        """Wait until this process has finished `games` games."""
        until = monotonic() + seconds
        pause = Event()
        while self.games < games and monotonic() < until and self.process.poll() is None:
            pause.wait(0.01)
        assert self.games >= games, self.heard[-3:]

    def end(self, number):
        """End it by a signal."""
        os.kill(self.process.pid, number)
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()


def trial(db, channels, bots, lives, game="quarto"):
    """Let bots play while a server is restarted after each number of games in `lives`; return the outcome."""
    told, server = Told(), Server(db, game)
    clients, threads = [], []
    try:
        for channel in range(channels):
            for bot in range(bots):
                seek = Seek(name=f"bot-{channel}-{bot}", channel=f"channel {channel}", game=game)
                client = BattlegroundClient(
                    Address("127.0.0.1", server.port), seek, FirstMoves(told), lambda sentence: None
                )
                clients.append(client)
                threads.append(Thread(target=_run, args=(client, told), daemon=True))
                threads[-1].start()
        for games in lives[:-1]:
            server.wait_for(games)
            server.end(signal.SIGKILL)
            server.start()
        server.wait_for(lives[-1])
    finally:
        server.end(signal.SIGTERM)  # which, unlike SIGINT, is heeded in the background too
    for thread in threads:
        thread.join(PATIENCE)
    return told, _books(db, channels)


def _run(client, told):
    try:
        client.run()
    except KibitzError as error:
        if "the battleground is closing" not in str(error):
            with told.lock:
                told.complaints.append(str(error))


def _books(db, channels):
    """Return the records of every game that is kept, the reasons, and how many rows are unsound."""
    records, reasons, unsound = [], [], 0
    with open_ledger(db) as ledger:
        runs = ledger.runs()
        assert len(runs) == channels
        for run in runs:
            records += [read_line(line) for line in ledger.records(run["id"])]
            reasons += ledger.games(run["id"]).reasons
            unsound += len(ledger.unsound(run["id"]))
    return records, reasons, unsound


def findings(told, books):
    """Return how many games were played, lost, duplicated and unsound, and how many bots were wronged, in numbers."""
    records, reasons, unsound = books
    seeds = [seed_for_program(seed) for record in records for seed in record.agent_seeds]
    return {
        "played": len(records), "lost": len(told.ends - set(seeds)), "duplicated": len(seeds) - len(set(seeds)),
        "unsound": unsound, "wrongly lost": sum(str(reason) not in ("won", "drawn") for reason in reasons),
        "thrown out": len(told.complaints),
    }  # fmt: skip
