"""Generating data: an agent plays games, or annotates games that others played, and its targets are kept.

A game depends only on the seed and its number: a killed run resumes from its file, and any number of workers gives
the same data.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, decide_at
from kibitz.agents.seated_agents import SeatedAgents
from kibitz.core.code_on_disk import forecast
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadMove, BadValue, UnknownName
from kibitz.core.game import Game, option_values
from kibitz.core.laws.walk import roomy
from kibitz.core.native import halted
from kibitz.core.record import Record
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.table import Table
from kibitz.core.user_files import check_writable, write_bytes
from kibitz.learn.data_file import Data, DataAbout, concatenated_data, read_data
from kibitz.learn.exploration import explores
from kibitz.learn.fit_options import check_ranges
from kibitz.learn.samples import NONE
from kibitz.learn.search_targets import chances_of, shares_of, shares_of_payoff
from kibitz.learn.training_settings import sides_of
from kibitz.networks.encoding_laws import encoded, try_encoding
from kibitz.networks.net import encodings, numberings
from kibitz.networks.network_file import EACH

SAVE_EVERY = 30.0  # seconds
_DEAL, _MIND, _EXPLORATION = range(10, 13)  # numbers of random streams


@dataclass(frozen=True)
class DataOptions:
    """How data is generated; equal options give equal data."""

    encoding: str
    agent: str = ""  # who searches; empty: the moves that were made are the targets
    openings: int = 6  # games begin with 0 to `openings` random moves, whose positions are not kept
    epsilon: float = 0.05  # the probability of a random move
    temperature: float | None = None  # see search_targets.py
    longest: int = 1000  # games are cut off after this many moves, and then have no result
    seed: int = 1

    def __post_init__(self) -> None:
        check_ranges(self, openings=(0, 1000), epsilon=(0, 1), longest=(1, 1_000_000))
        if self.temperature is not None:
            check_ranges(self, temperature=(1e-6, 1e6))


@dataclass(frozen=True)
class DataProgress:
    """How far a run has come."""

    games: int
    of: int
    positions: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.games:,} of {self.of:,} games, {self.positions:,} positions, {self.seconds:.0f} s"


@dataclass(frozen=True)
class _Sample:
    """A position from the side of one seat."""

    seat: int
    shown: np.ndarray
    values: np.ndarray | None
    moves: list[int]  # empty if the seat is not to move
    shares: np.ndarray


def default_data_options(game: Game, **changes: Any) -> DataOptions:
    """Return the default options for a game, with changes; None changes nothing."""
    game.scoring.refuse_shared("networks learn which share of the payoff each seat gets")
    if not encodings(game):
        raise BadValue(f"{game.name} has no features.py with an encoding, so there is nothing to show a network")
    given = {name: value for name, value in changes.items() if value is not None}
    found = DataOptions(**{"encoding": next(iter(encodings(game))), **given})
    if found.encoding not in encodings(game):
        raise UnknownName(f"encoding of {game.name}", found.encoding, encodings(game))
    try_encoding(game, found.encoding)
    if found.agent:
        build(found.agent, game, 1)  # refuses an agent that cannot play the game
    return found


def generate(game: Game, how: DataOptions, games: int, out: Path | None = None, jobs: int = 1) -> "DataRun":
    """Return a run in which an agent plays `games` games against itself; `out` keeps the data."""
    if not how.agent:
        raise BadValue("data needs an agent that plays, or games that were played")
    about = about_data(game, how, {})
    return DataRun(about, [partial(_positions_of_game, game, how, about, number) for number in range(games)], out, jobs)


def generate_from_records(
    game: Game, how: DataOptions, records: Iterable[Record], source: str, out: Path | None = None, jobs: int = 1
) -> "DataRun":
    """Return a run over games that others played; with an agent, its search gives the targets."""
    found = list(records)
    about = about_data(game, how, {"records": source, "games": len(found)})
    work = [partial(annotate_game, game, how, about, number, record) for number, record in enumerate(found)]
    return DataRun(about, work, out, jobs)


def about_data(game: Game, how: DataOptions, more: dict[str, Any]) -> DataAbout:
    """Return the description of data of a game."""
    encoding = encodings(game)[how.encoding]
    made = {name: value for name, value in asdict(how).items() if name not in ("agent", "encoding")}
    return DataAbout(
        Path(game.name).name, game.version, option_values(game), game.seats, how.encoding, encoding.length,
        bool(encoding.most), sides_of(game), game.moves_below or 0, how.agent, {**made, **more},
        next(iter(numberings(game)), ""),
    )  # fmt: skip


class DataRun:
    """Games to generate data from, and the file that keeps it; iterate to play the games that are missing."""

    def __init__(self, about: DataAbout, work: Sequence[Callable[[], Data]], out: Path | None, jobs: int):
        self.about, self.work, self.out, self.jobs = about, work, out, jobs
        self.data = self._begun()

    def _begun(self) -> Data | None:
        """Return the data of an earlier run; None if there is no file."""
        if self.out is None:
            return None
        if not self.out.exists():
            check_writable(self.out)
            return None
        found = read_data(self.out)
        if found.about != self.about:
            names = [name for name, own in asdict(self.about).items() if own != asdict(found.about)[name]]
            raise BadValue(
                f"{self.out} exists already, and its {names[0]} is {asdict(found.about)[names[0]]!r:.200}, not "
                f"{asdict(self.about)[names[0]]!r:.200}; choose another name, or remove it first"
            )
        return found

    def __iter__(self) -> Iterator[DataProgress]:
        """Play the missing games and yield progress after each; if interrupted, the file keeps all finished games."""
        begun, saved, parts = forecast.clock(), perf_counter(), [self.data] if self.data else []
        done, positions = self._done, sum(map(len, parts))
        left = self.work[done:]
        pool = ThreadPoolExecutor(self.jobs)
        try:
            for part in pool.map(lambda job: job(), left) if self.jobs > 1 else (job() for job in left):
                parts.append(part)
                done, positions = done + 1, positions + len(part)
                if done == len(self.work) or perf_counter() - saved > SAVE_EVERY:
                    parts, saved = [self._saved(parts)], perf_counter()
                yield DataProgress(done, len(self.work), positions, forecast.clock() - begun)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            if parts and parts[-1] is not self.data:
                self._saved(parts)
            raise
        finally:
            with halted():
                pool.shutdown(cancel_futures=True)

    @property
    def _done(self) -> int:
        return self.data.done if self.data else 0

    def _saved(self, parts: list[Data]) -> Data:
        """Return all games so far as one piece, and write it to the file."""
        self.data = concatenated_data(parts, self.about, sum(part.done for part in parts))
        if self.out is not None:
            write_bytes(self.out, self.data.as_bytes())
        return self.data


def _positions_of_game(game: Game, how: DataOptions, about: DataAbout, number: int) -> Data:
    return play_game(game, how, about, number)[0]


def play_game(game: Game, how: DataOptions, about: DataAbout, number: int) -> tuple[Data, Table]:
    """Let an agent play one game against itself; return its data and the table."""
    rng = dice(derive_seed(how.seed, LEARN, _EXPLORATION, number))
    agent = build(how.agent, game, derive_seed(how.seed, LEARN, _MIND, number))
    table, kept = Table(game, derive_seed(how.seed, LEARN, _DEAL, number)), list[_Sample]()
    seated = SeatedAgents(table, dict.fromkeys(range(game.seats), agent))
    opening = int(roll(rng, how.openings + 1))
    while not table.over and table.ply < how.longest:
        legal = table.moves()
        move = legal[int(roll(rng, len(legal)))]
        if table.ply >= opening:
            found = _asked(game, how, about, table, agent)
            kept += found[1]
            if not explores(rng, how.epsilon):
                move = found[0]
        table.play(move)
    seated.end()
    return _data(about, number, kept, table), table


def annotate_game(game: Game, how: DataOptions, about: DataAbout, number: int, record: Record) -> Data:
    """Return the data of a recorded game; the targets come from an agent or, without one, from the moves made."""
    agent = build(how.agent, game, derive_seed(how.seed, LEARN, _MIND, number)) if how.agent else None
    table, kept = Table(game, record.seed), list[_Sample]()
    seated = SeatedAgents(table, dict.fromkeys(range(game.seats), agent) if agent is not None else {})
    while table.ply < len(record.moves):
        move = record.moves[table.ply]
        if agent is not None:
            kept += _asked(game, how, about, table, agent)[1]
        else:
            legal = table.moves()
            if move in legal:
                kept += _sides(game, about, table, None, legal, np.array([float(one == move) for one in legal]))
        try:
            table.play(move)
        except BadMove as error:
            raise BadValue(f"game {number + 1} cannot be played: {error}") from None
    seated.end()
    return _data(about, number, kept, table)


def _asked(game: Game, how: DataOptions, about: DataAbout, table: Table, agent: Agent) -> tuple[int, list[_Sample]]:
    """Return the move of an agent, and the position with its targets."""
    legal = table.moves()
    decision = decide_at(table, agent)
    shares = shares_of(decision, legal, table.turn, how.temperature)
    return decision.move, _sides(game, about, table, chances_of(decision.values, decision.exact), legal, shares)


def _sides(
    game: Game, about: DataAbout, table: Table, values: np.ndarray | None, legal: list[int], shares: np.ndarray
) -> list[_Sample]:
    """Return a position from the side of the seat to move and, with hidden information, from those of all others."""
    encoding, kept = encodings(game)[about.encoding], list[_Sample]()
    for k in range(game.seats if about.sides == EACH else 1):
        seat = (table.turn + k) % game.seats
        shown = encoded(encoding, roomy(game, table.view(seat)), seat)
        chosen = k == 0 and len(legal) > 1 and game.moves_below is not None
        moves = _numbered(game, about, legal, seat) if chosen else []
        kept.append(_Sample(seat, shown, values, moves, shares if chosen else shares[:0]))
    return kept


def _numbered(game: Game, about: DataAbout, moves: list[int], seat: int) -> list[int]:
    """Return moves in the numbering of the data, which may depend on the seat."""
    return [int(numberings(game)[about.numbering](move, seat)) for move in moves] if about.numbering else moves


def _data(about: DataAbout, number: int, kept: list[_Sample], table: Table) -> Data:
    """Return the samples of a game as arrays."""
    n, seats, listed = len(kept), about.seats, about.listed
    result = shares_of_payoff(table.game.scoring.as_parts(table.payoff())) if table.over else np.zeros(seats)
    wide = max((len(one.moves) for one in kept), default=0)
    most = max((len(one.shown) for one in kept), default=0) if listed else about.length
    inputs = np.full((n, most), NONE, dtype=np.int32) if listed else np.zeros((n, most), dtype=np.float32)
    values, results = np.zeros((n, seats), dtype=np.float32), np.zeros((n, seats), dtype=np.float32)
    moves, shares = np.full((n, wide), NONE, dtype=np.int32), np.zeros((n, wide), dtype=np.float32)
    for at, one in enumerate(kept):
        inputs[at, : len(one.shown)] = one.shown
        moves[at, : len(one.moves)], shares[at, : len(one.moves)] = one.moves, one.shares
        results[at] = np.roll(result, -one.seat)
        if one.values is not None:
            values[at] = np.roll(one.values, -one.seat)
    return Data(about, inputs, values, results, moves, shares, np.full(n, number, dtype=np.int32), 1)
