"""A run: the results of a plan while it is played, kept in a ledger or in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.ledger_run import LedgerRun
from kibitz.arena.results.memory_run import MemoryRun
from kibitz.arena.results.secret_deals import Dealt


class Run(Protocol):
    """The results of a plan; games beyond what is planned, or cut off by the stop rule, are left out."""

    @property
    def name(self) -> str: ...
    @property
    def seed(self) -> int: ...  # of this session
    @property
    def planned(self) -> int: ...
    @property
    def verdict(self) -> dict[str, Any] | None: ...
    @property
    def seconds(self) -> float: ...
    def numbers(self) -> set[int]:
        """Return which games have been played."""

    def add(self, batch: Batch, seconds: float) -> None:
        """Keep games that took this many seconds by the clock on the wall."""

    def reveal(self) -> None:
        """End the session: what its secret seed dealt is played, or will never be."""

    def dealt(self) -> tuple[Dealt, ...]:
        """Return from which secret seeds blocks were dealt; nothing where the plan names the seed."""

    @property
    def dropped(self) -> int: ...  # games played that will not be kept, as their secret block is not finished

    def cut(self, planned: int, verdict: dict[str, Any]) -> None:
        """End the run after so many games, by the stop rule."""

    def games(self) -> GameColumns:
        """Return the games that count, in the order of the plan."""

    def played(self) -> GameColumns:
        """Return the games played, those of void blocks included, in the order of the plan."""

    def records(self) -> Iterator[str]:
        """Yield the records of the games, in the order of the plan."""

    def move_stats(self) -> Iterator[dict[str, list[Any]] | None]:
        """Yield seats, seconds, values, nodes and depths of the moves of each game; None where they are not known."""

    def faults(self) -> list[str]:
        """Return how agents failed, in the order of the plan."""

    def killed(self) -> list[str]:
        """Return how processes were killed whose games were played again."""

    def voids(self) -> list[str]:
        """Return why games are void, and their blocks with them."""

    def distinct(self) -> int:
        """Count the games that differ in what was dealt or in their moves."""

    def programs(self) -> int:
        """Count the states of Kibitz's own code that played the games."""

    def unsound(self) -> list[Any]:
        """Return which games were found to be changed or damaged when the run was opened."""

    def digest(self) -> str:
        """Return a hash over all results in the order of the plan."""

    def remark(self, sentence: str) -> None:
        """Keep what a reader must know of how games were played, once."""

    def remarks(self) -> list[str]:
        """Return what a reader must know of how games were played."""


def void_games(run: Run) -> int:
    """Count the games of void blocks, which are not to be played any more."""
    return len(run.played().numbers) - len(run.games().numbers)


@contextmanager
def open_run(plan: Plan, db: Path | None) -> Iterator[Run]:
    """Open the run of a plan in a ledger, to continue it; without a ledger, begin one in memory."""
    if db is None:
        yield MemoryRun(plan)
        return
    with open_ledger(db, write=True) as ledger:
        yield LedgerRun(ledger, plan)
        ledger.check()
