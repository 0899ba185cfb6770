"""Tournaments: the runs of ledgers as a browser sees them, even while they are played."""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from kibitz.arena.results.game_columns import GameColumns, ended, moves_in
from kibitz.arena.results.ledger import Ledger, open_ledger
from kibitz.arena.results.partnership import Partnership
from kibitz.arena.results.tournament_result import StandingRow, standings
from kibitz.arena.show.table_parts import BY_THE_RULES
from kibitz.core.errors import KibitzError
from kibitz.core.record import Record, read_line
from kibitz.web.http_answers import PairScore, PlayedGame, StandingEntry, StopCall, TournamentEntry, TournamentPage
from kibitz.web.messages import RequestRefused
from kibitz.web.table_data import MoveNote

if TYPE_CHECKING:
    from kibitz.web.lobby import Lobby
    from kibitz.web.table_session import TableSession

A_PAGE = 100  # games
VOID = "{:,} games are of void blocks, which do not count; the report of the run says why."
_LOG = logging.getLogger(__name__)
_decode_verdict = msgspec.json.Decoder(StopCall | None).decode


@dataclass(frozen=True)
class _Known:
    """The standings of a run, and when they were true: games played and planned, and the verdict."""

    state: tuple[int, int, str]
    standings: list[StandingEntry]
    pairs: list[PairScore]
    notes: list[str]


class Tournaments:
    """The runs in some ledgers."""

    def __init__(self, ledgers: list[Path]):
        self.ledgers = ledgers
        self._lock = Lock()
        self._found: dict[str, _Known] = {}  # by run
        self._opened_games: dict[tuple[str, int], str] = {}  # tables by run and game

    def runs(self) -> list[TournamentEntry]:
        """Return all runs, the newest first."""
        found: list[TournamentEntry] = []
        for path in self.ledgers:
            with suppress(KibitzError):  # not there yet, or being made
                found += self._runs(path)
        return found[::-1]

    def _runs(self, path: Path) -> list[TournamentEntry]:
        with open_ledger(path) as ledger:
            return [
                TournamentEntry(
                    name=self._name(path, run["name"]), run=run["name"], game=json.loads(run["plan"])["game"],
                    planned=run["planned"], played=len(ledger.numbers(run["id"])), begun=run["begun"],
                    agents=json.loads(run["plan"])["agents"],
                )
                for run in ledger.runs()
            ]  # fmt: skip

    def _name(self, path: Path, run: str) -> str:
        return run if len(self.ledgers) == 1 else f"{path.stem}-{run}"

    def _find(self, name: str) -> tuple[Path, str]:
        for path in self.ledgers:
            with _opened(path) as ledger:
                for run in ledger.runs():
                    if self._name(path, run["name"]) == name:
                        return path, run["name"]
        raise RequestRefused(f"there is no tournament {name!r:.80}")

    def standing(self, name: str, page: int) -> TournamentPage:
        """Return standings with ratings and intervals, progress, and a page of games."""
        path, run_name = self._find(name)
        with self._lock, _opened(path) as ledger:
            run = ledger.find(run_name)
            plan = json.loads(run["plan"])
            games = ledger.games(run["id"])
            verdict = _decode_verdict(run["verdict"])
            state = (len(games.numbers), run["planned"], run["verdict"])
            if name not in self._found or self._found[name].state != state:
                counted = games.counted()
                found = standings(counted, verdict is not None)
                void = len(games.numbers) - len(counted.numbers)
                notes = [*ledger.remarks(run["id"]), *found.notes, *([VOID.format(void)] if void else [])]
                self._found[name] = _Known(
                    state, [_row(row) for row in found.rows], [_pair(pair) for pair in found.partnerships], notes
                )
            first, known = page * A_PAGE, self._found[name]
            listed = [_game(games, at) for at in range(first, min(first + A_PAGE, len(games.numbers)))]
            return TournamentPage(
                name=name, run=run_name, game=plan["game"], agents=list(games.shown), begun=run["begun"],
                planned=run["planned"], played=len(games.numbers), seconds=run["wall"],
                done=len(games.numbers) >= run["planned"], verdict=verdict, page=page,
                pages=-(-len(games.numbers) // A_PAGE), games=listed, unit=games.scoring.unit,
                shared=games.scoring.shared, standings=known.standings, pairs=known.pairs, notes=known.notes,
            )  # fmt: skip

    async def session(self, lobby: "Lobby", name: str, number: int) -> "TableSession":
        """Return a table that shows a game, with what its agents thought."""
        key = name, number
        if key in self._opened_games:
            return await lobby.session(self._opened_games[key])
        record, notes = await asyncio.to_thread(self._game_of, name, number)
        session = await lobby.open_record(record, notes, f"{name}, game {number + 1}")
        self._opened_games[key] = session.id
        return session

    def _game_of(self, name: str, number: int) -> tuple[Record, list[MoveNote]]:
        path, run_name = self._find(name)
        with _opened(path) as ledger:
            run = ledger.find(run_name)["id"]
            record = _record(ledger, run, number)
            return record, _thoughts(ledger, run, number)


@contextmanager
def _opened(path: Path) -> Iterator[Ledger]:
    """Open a ledger to read; its path, and what is wrong with it, go to the log and not to visitors."""
    try:
        with open_ledger(path) as ledger:
            yield ledger
    except KibitzError as error:
        _LOG.warning("%s", error)
        raise RequestRefused("the ledger cannot be read; the log of the server says why") from None


def _record(ledger: Ledger, run: int, number: int) -> Record:
    for at, line in zip(sorted(ledger.numbers(run)), ledger.records(run), strict=False):
        if at == number:
            return read_line(line)
    raise RequestRefused(f"game {number + 1} has not been played")


def _thoughts(ledger: Ledger, run: int, number: int) -> list[MoveNote]:
    """Return a note for each move of a seat after the opening, with what its agent thought."""
    for at, thoughts in ledger.annotations(run):
        data = moves_in(thoughts) if at == number else None
        if data is not None:
            return [
                MoveNote(seconds=seconds, values=values)
                for seconds, values in zip(data["seconds"], data["values"], strict=True)
            ]
    return []


def _row(row: StandingRow) -> StandingEntry:
    plain = json.dumps({**row.as_dict(), "agent": row.name or row.agent})  # numbers of NumPy become plain ones
    return msgspec.convert(json.loads(plain), StandingEntry)


def _pair(pair: Partnership) -> PairScore:
    return msgspec.convert(json.loads(json.dumps(pair.as_dict())), PairScore)


def _reason(games: GameColumns, at: int) -> str:
    """Return why a game ended; where payoffs count, an end by the rules needs no word."""
    reason = str(games.reasons[at])
    return "" if reason in BY_THE_RULES and not games.scoring.by_wins else ended(reason, games.drawn_by[at])


def _game(games: GameColumns, at: int) -> PlayedGame:
    return PlayedGame(
        number=int(games.numbers[at]), seating=games.seatings[at].tolist(), plies=int(games.plies[at]),
        payoff=games.payoffs[at].tolist(), reason=_reason(games, at),
    )  # fmt: skip
