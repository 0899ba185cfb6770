"""A run whose results are kept in memory."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch, joined
from kibitz.arena.results.annotations import moves_in, names_of
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.incidents import Said, faults, killed, voids
from kibitz.arena.results.ledger import digest
from kibitz.arena.results.secret_deals import Dealt, dealt
from kibitz.core.seeds import DEAL, derive_seed


class MemoryRun:
    """A run whose results are kept in memory, as long as the program runs."""

    def __init__(self, plan: Plan):
        self.name, self.planned, self._plan = plan.run, plan.planned, plan
        self.seed, self.dropped = plan.session_seed(), 0
        self.verdict: dict[str, Any] | None = None
        self.seconds = 0.0
        self._batches: list[Batch] = []
        self._remarks: dict[str, None] = {}
        self._ordered = True  # there is at most one batch, in the order of the plan

    def numbers(self) -> set[int]:
        """Return which games have been played."""
        return {number for batch in self._batches for number in batch.numbers.tolist()}

    def add(self, batch: Batch, seconds: float) -> None:
        """Keep games."""
        self._batches.append(batch)
        self._ordered = False
        self.seconds += seconds

    def reveal(self) -> None:
        """Do nothing: what is in memory is nobody else's."""

    def dealt(self) -> tuple[Dealt, ...]:
        """Return the secret from which all blocks were dealt."""
        blocks = self.games().blocks.tolist() if self._plan.seed is None else ()
        return dealt({block: derive_seed(self.seed, DEAL, block) for block in blocks}, [self.seed])

    def cut(self, planned: int, verdict: dict[str, Any]) -> None:
        """End the run after so many games."""
        self.planned, self.verdict = planned, verdict

    def games(self) -> GameColumns:
        """Return the games that count."""
        return self.played().counted()

    def played(self) -> GameColumns:
        """Return the games played, those of void blocks included."""
        who = self._plan.who
        if not self._batches:
            none, by_seat = np.zeros(0, dtype=np.int64), np.zeros((0, self._plan.game.seats), dtype=np.int64)
            return GameColumns(who.agents, none, none, by_seat, by_seat * 0.0, none, [], none, by_seat * 0.0, by_seat,
                         [], ("",) * len(who.agents))  # fmt: skip
        kept = self._kept()
        blocks, seatings = kept.numbers // len(self._plan.seatings), who.number[kept.seatings]
        said = [json.loads(line) if line else {} for line in kept.move_stats]
        return GameColumns(
            who.agents, kept.numbers, blocks, seatings, kept.payoffs, kept.plies, kept.reasons, kept.offenders,
            kept.seconds, kept.moves, [about.get("drawn_by", "") for about in said],
            names_of(who.agents, zip(seatings, (about.get("called", ()) for about in said), strict=True)),
        )  # fmt: skip

    def records(self) -> Iterator[str]:
        """Yield the records of the games that count, where they were kept."""
        return self._beside(self._kept().records if self._batches else [])

    def move_stats(self) -> Iterator[dict[str, list[Any]] | None]:
        """Yield what is known of the moves of each game, where it was kept."""
        lines = self._beside(self._kept().move_stats if self._batches else [])
        return map(moves_in, lines)

    def _beside(self, lines: list[str]) -> Iterator[str]:
        return self.played().beside(lines) if lines else iter(())

    def faults(self) -> list[str]:
        """Return how agents failed."""
        return faults(self._said())

    def killed(self) -> list[str]:
        """Return how processes were killed whose games were played again."""
        return killed(self._said())

    def voids(self) -> list[str]:
        """Return why games are void."""
        return voids(self._said())

    def _said(self) -> list[Said]:
        if not self._batches:
            return []
        kept = self._kept()
        said = zip(kept.reasons, kept.offenders.tolist(), kept.faults, strict=True)
        return [(reason, offender, fault) for reason, offender, fault in said if fault]

    def distinct(self) -> int:
        """Count different games."""
        if not self._batches:
            return 0
        kept = self._kept()
        kept = kept.taken(np.flatnonzero(np.isin(kept.numbers, self.games().numbers)))
        return len(np.unique(np.stack([self._plan.deals(kept.numbers, self.seed), kept.move_hashes]), axis=1).T)

    def programs(self) -> int:
        """Count the states of Kibitz's own code that played the games."""
        return 1

    def unsound(self) -> list[Any]:
        """Return no games: nothing changes in memory."""
        return []

    def digest(self) -> str:
        """Return a hash over all results; their records must have been kept."""
        if not self._batches:
            return digest([])
        kept = self._kept()
        return digest(
            zip(
                kept.numbers.tolist(), kept.seatings.tolist(), kept.payoffs.tolist(), kept.plies.tolist(), kept.reasons,
                kept.offenders.tolist(), kept.records, strict=True,
            )
        )  # fmt: skip

    def remark(self, sentence: str) -> None:
        """Keep what a reader must know of how games were played, once."""
        self._remarks[sentence] = None

    def remarks(self) -> list[str]:
        """Return what a reader must know of how games were played."""
        return list(self._remarks)

    def _kept(self) -> Batch:
        """Return all games in the order of the plan, as one batch."""
        if not self._ordered:
            self._batches, self._ordered = [joined(self._batches).ordered()], True
        (whole,) = self._batches
        return whole.first(int(np.searchsorted(whole.numbers, self.planned)))
