"""The registry of a battleground: who owns which name, and every game, in a ledger that one thread writes."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, ParamSpec, TypeVar

import numpy as np

from kibitz import __version__
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.batch import batch_of
from kibitz.arena.play.referee import GameResult
from kibitz.arena.results.ledger import Ledger, LedgerEntry, code_version, open_ledger
from kibitz.core.dice import dice_all
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.playout import hash_deals
from kibitz.core.seeds import secret_seed
from kibitz.plugins.battleground.battleground_messages import LadderEntry
from kibitz.plugins.battleground.ladder import Ladder
from kibitz.plugins.battleground.lobby_messages import OPEN, Refusal

SCHEME = "battleground"  # of the runs that a battleground keeps
TOKEN_BYTES = 18
CHANNEL_DIGITS = 16  # of the hash of a channel
NO_TOKEN = ""  # in place of a hash: names of the course's players, who know no tokens
_NAMES = "CREATE TABLE IF NOT EXISTS names (name TEXT PRIMARY KEY, token TEXT NOT NULL) -- a hash of the token"
Found = TypeVar("Found")
Given = ParamSpec("Given")


class _ChannelRun:
    """The games that are played of one game in one channel."""

    def __init__(self, game: Game, name: str):
        self.game, self.name = game, name
        self.agents: list[str] = []
        self.begun = 0  # games
        self.ladder = Ladder(game.scoring)


class Registry:
    """The ledger of a battleground; one thread does all reading and writing."""

    def __init__(self, path: Path, limits: Limits):
        self.path, self.limits = path, limits
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="books")
        self._open = ExitStack()
        self._runs: dict[str, _ChannelRun] = {}
        try:
            self._ledger: Ledger = self._do(self._enter)
        except BaseException:
            self._thread.shutdown()
            raise

    def _enter(self) -> Ledger:
        ledger = self._open.enter_context(open_ledger(self.path, write=True))
        self._names = ledger.beside(_NAMES)
        self._found = {run["name"] for run in ledger.runs()}  # of earlier servers, not read yet; nobody else writes
        return ledger

    def _do(self, deed: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
        """Call a function in the thread that owns the ledger."""
        return self._thread.submit(deed, *given, **named).result()

    def close(self) -> None:
        """Close the ledger; all games are in it already."""
        self._do(self._open.close)
        self._thread.shutdown()

    def claim(self, name: str, token: str) -> str:
        """Return the token of a name: a new one if the name is free, else the one given, if it is right."""
        return self._do(self._claim, name, token)

    def _claim(self, name: str, token: str) -> str:
        row = self._names.execute("SELECT name, token FROM names WHERE lower(name) = lower(?)", (name,)).fetchone()
        if row is None:
            token = token_urlsafe(TOKEN_BYTES)
            self._names.execute("INSERT INTO names VALUES (?, ?)", (name, _hashed(token)))
            return token
        if row[0] != name or not compare_digest(row[1], _hashed(token)):
            given = "the token is not its own" if token else "its token is missing"
            raise Refusal(f"the name {row[0]} is taken, and {given}; choose another name")
        return token

    def lend(self, name: str) -> None:
        """Let a player without a token use a name that nobody has claimed."""
        self._do(self._lend, name)

    def _lend(self, name: str) -> None:
        row = self._names.execute("SELECT name, token FROM names WHERE lower(name) = lower(?)", (name,)).fetchone()
        if row is None:
            self._names.execute("INSERT INTO names VALUES (?, ?)", (name, NO_TOKEN))
        elif row != (name, NO_TOKEN):
            raise Refusal(f"the name {row[0]} is taken; choose another name")

    def fixture(self, game: Game, channel: str, names: Sequence[str]) -> tuple[Fixture, list[str]]:
        """Return a game to be played by these names, seat by seat, on a deal that nobody can predict; and all names."""
        return self._do(self._fixture, game, channel, names)

    def _fixture(self, game: Game, channel: str, names: Sequence[str]) -> tuple[Fixture, list[str]]:
        run = self._run(game, channel)
        run.agents += [name for name in names if name not in run.agents]
        number = run.begun
        run.begun += 1
        seeds = tuple(secret_seed() for _ in range(game.seats))
        seating = tuple(run.agents.index(name) for name in names)
        return Fixture(number, number, seating, secret_seed(), seeds), list(run.agents)

    def add(self, game: Game, channel: str, result: GameResult, seconds: float) -> list[float]:
        """Keep a game, and return the skills of those who played, seat by seat."""
        return self._do(self._add, game, channel, result, seconds)

    def _add(self, game: Game, channel: str, result: GameResult, seconds: float) -> list[float]:
        run = self._run(game, channel)
        number = self._ledger.enter(run.name, self._plan(run), run.begun, 1, __version__)
        self._ledger.add(
            number, batch_of([result], True), _deal(game, result.fixture.deal_seed), code_version(), seconds
        )
        run.ladder.add(result.record.agents, result.payoff)
        return [run.ladder.skill(name) for name in result.record.agents]

    def rungs(self, game: Game, channel: str) -> list[LadderEntry]:
        """Return the ladder of a game in a channel, the best first."""
        return self._do(self._rungs, game, channel)

    def _rungs(self, game: Game, channel: str) -> list[LadderEntry]:
        run = self._kept(game, _run_name(game, channel))
        return [] if run is None else [rung.entry() for rung in run.ladder.rungs()]

    def _run(self, game: Game, channel: str) -> _ChannelRun:
        """Return the run of a game in a channel, with what earlier servers have kept."""
        name = _run_name(game, channel)
        run = self._kept(game, name)
        if run is None:
            run = self._runs[name] = _ChannelRun(game, name)
        return run

    def _kept(self, game: Game, name: str) -> _ChannelRun | None:
        """Return a run that we have begun or found in the ledger."""
        if name in self._found:
            self._found.remove(name)
            row = self._ledger.find(name)
            run = self._runs[name] = _ChannelRun(game, name)
            run.agents = json.loads(row["plan"])["agents"]
            run.begun = max(self._ledger.numbers(row["id"]), default=-1) + 1
            run.ladder = _ladder(self._ledger, row)
        return self._runs.get(name)

    def _plan(self, run: _ChannelRun) -> dict[str, Any]:
        """Return the data of a plan for a run without a plan."""
        return {
            "game": str(run.game), "seats": list(run.game.seat_names), "agents": run.agents, "scheme": SCHEME,
            "hero": None, "games": run.begun, "seed": 0, "openings": 0, "stop": None,
            "limits": {name: limit for name, limit in asdict(self.limits).items() if name != "isolate"}, "hooks": [],
        }  # fmt: skip


@contextmanager
def keep_books(path: Path, limits: Limits) -> Iterator[Registry]:
    """Open the registry of a battleground, to continue it."""
    books = Registry(path, limits)
    try:
        yield books
    finally:
        books.close()


def ladders(path: Path, channel: str = OPEN) -> dict[str, Ladder]:
    """Return the ladders of a channel in a ledger, by game."""
    found = {}
    with open_ledger(path) as ledger:
        for run in ledger.runs():
            plan = json.loads(run["plan"])
            if plan["scheme"] == SCHEME and run["name"] == _run_name(plan["game"], channel):
                found[plan["game"]] = _ladder(ledger, run)
    if not found:
        raise BadValue(f"{path} holds no games of a battleground in the channel {channel!r}; there may be others")
    return found


def _ladder(ledger: Ledger, run: LedgerEntry) -> Ladder:
    """Return the ladder of a run, computed in the order in which its games were kept, as the server does."""
    games = ledger.games(run["id"])
    ladder = Ladder(games.scoring)
    ladder.add_all(json.loads(run["plan"])["agents"], games, ledger.added(run["id"]))
    return ladder


def _run_name(game: Game | str, channel: str) -> str:
    """Return the name of a run, which does not tell the name of the channel."""
    return f"battleground-{game}" + ("" if channel == OPEN else f"-{_hashed(channel)[:CHANNEL_DIGITS]}")


def _hashed(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()


def _deal(game: Game, seed: int) -> np.ndarray:
    """Return a hash of what a seed deals."""
    found, dice = np.empty(1, dtype=np.int64), dice_all(np.array([seed], dtype=np.uint64))
    hash_deals(game.rules, game.encoded_options, dice, game.new_state(), found)
    return found
