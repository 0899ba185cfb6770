"""Tournaments: the runs of ledgers as a browser sees them, also while they are played."""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.results.annotations import ended, moves_in
from kibitz.arena.results.ledger import Ledger, open_ledger
from kibitz.arena.results.tournament_result import standings
from kibitz.core.errors import KibitzError
from kibitz.core.record import read_line
from kibitz.web.messages import RequestRefused

if TYPE_CHECKING:
    from kibitz.web.lobby import Lobby
    from kibitz.web.table_session import TableSession

A_PAGE = 100  # games
VOID = "{:,} games are of void blocks, which do not count; the report of the run says why."
_LOG = logging.getLogger(__name__)


class Tournaments:
    """The runs in some ledgers."""

    def __init__(self, ledgers: list[Path]):
        self.ledgers = ledgers
        self._lock = Lock()
        self._found: dict[str, tuple[Any, dict[str, Any]]] = {}  # standings by run, as of a state of its file
        self._laid_out: dict[tuple[str, int], str] = {}  # tables by run and game

    def runs(self) -> list[dict[str, Any]]:
        """Return all runs, the newest first."""
        return [
            {
                "name": name, "run": run["name"], "game": json.loads(run["plan"])["game"], "planned": run["planned"],
                "played": played, "begun": run["begun"], "agents": json.loads(run["plan"])["agents"],
            }
            for name, run, played in reversed(self._runs())
        ]  # fmt: skip

    def _runs(self) -> list[tuple[str, dict[str, Any], int]]:
        found = []
        for path in self.ledgers:
            try:
                with open_ledger(path) as ledger:
                    runs = [(run, len(ledger.numbers(run["id"]))) for run in ledger.runs()]
            except KibitzError:  # not there yet, or being made
                continue
            found += [(self._name(path, run["name"]), run, played) for run, played in runs]
        return found

    def _name(self, path: Path, run: str) -> str:
        return run if len(self.ledgers) == 1 else f"{path.stem}-{run}"

    def _find(self, name: str) -> tuple[Path, str]:
        for path in self.ledgers:
            with _opened(path) as ledger:
                for run in ledger.runs():
                    if self._name(path, run["name"]) == name:
                        return path, run["name"]
        raise RequestRefused(f"there is no tournament {name!r:.80}")

    def standing(self, name: str, page: int) -> dict[str, Any]:
        """Return standings with ratings and intervals, progress, and a page of games."""
        path, run_name = self._find(name)
        with self._lock, _opened(path) as ledger:
            run = ledger.find(run_name)
            plan = json.loads(run["plan"])
            games = ledger.games(run["id"])
            state = (len(games.numbers), run["planned"], run["verdict"])
            if self._found.get(name, (None,))[0] != state:
                counted = games.counted()
                found = standings(counted, json.loads(run["verdict"]) is not None)
                void = len(games.numbers) - len(counted.numbers)
                notes = [*ledger.remarks(run["id"]), *found.notes, *([VOID.format(void)] if void else [])]
                self._found[name] = state, {"standings": [_row(row) for row in found.rows], "notes": notes}
            first = page * A_PAGE
            listed = [_game(games, at) for at in range(first, min(first + A_PAGE, len(games.numbers)))]
            return {
                "name": name, "run": run_name, "game": plan["game"], "agents": list(games.shown),
                "begun": run["begun"], "planned": run["planned"], "played": len(games.numbers), "seconds": run["wall"],
                "done": len(games.numbers) >= run["planned"], "verdict": json.loads(run["verdict"]),
                "page": page, "pages": -(-len(games.numbers) // A_PAGE), "games": listed, **self._found[name][1],
            }  # fmt: skip

    async def session(self, lobby: "Lobby", name: str, number: int) -> "TableSession":
        """Return a table on which a game is laid out, with the thoughts that its agents left."""
        key = name, number
        if key in self._laid_out:
            return await lobby.session(self._laid_out[key])
        record, notes = await asyncio.to_thread(self._game_of, name, number)
        session = await lobby.lay_out(record, notes, f"{name}, game {number + 1}")
        self._laid_out[key] = session.id
        return session

    def _game_of(self, name: str, number: int) -> tuple[Any, list[dict[str, Any]]]:
        path, run_name = self._find(name)
        with _opened(path) as ledger:
            run = ledger.find(run_name)["id"]
            record = _record(ledger, run, number)
            return record, _thoughts(ledger, run, number, len(record.moves))


@contextmanager
def _opened(path: Path) -> Iterator[Ledger]:
    """Open a ledger to read; where it lies, and what is wrong with it, is for the log and not for visitors."""
    try:
        with open_ledger(path) as ledger:
            yield ledger
    except KibitzError as error:
        _LOG.warning("%s", error)
        raise RequestRefused("the ledger cannot be read; it is logged why") from None


def _record(ledger: Ledger, run: int, number: int) -> Any:
    for at, line in zip(sorted(ledger.numbers(run)), ledger.records(run), strict=False):
        if at == number:
            return read_line(line)
    raise RequestRefused(f"game {number + 1} has not been played")


def _thoughts(ledger: Ledger, run: int, number: int, plies: int) -> list[dict[str, Any]]:
    """Return what agents thought, a note for each move; the moves of the opening nobody has thought about."""
    for at, _, thoughts in ledger.notes(run):
        data = moves_in(thoughts) if at == number else None
        if data is not None:
            notes = [
                {"seconds": seconds, "values": values}
                for seconds, values in zip(data["seconds"], data["values"], strict=True)
            ]
            return [*[{}] * max(0, plies - len(notes)), *notes]
    return []


def _row(row: Any) -> dict[str, Any]:
    shown = ("win_rate", "win_interval", "mean_place", "mean_payoff", "rating", "interval", "seconds_per_move")
    counts = {
        "agent": row.name or row.agent,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
    }
    return {**counts, **{name: np.array(getattr(row, name), dtype=float).tolist() for name in shown}}


def _game(games: Any, at: int) -> dict[str, Any]:
    return {
        "number": int(games.numbers[at]), "seating": games.seatings[at].tolist(), "plies": int(games.plies[at]),
        "payoff": games.payoffs[at].tolist(), "reason": ended(str(games.reasons[at]), games.drawn_by[at]),
    }  # fmt: skip
