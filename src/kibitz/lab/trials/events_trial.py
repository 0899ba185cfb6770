"""Events of an experiment: what happens to early and late seats, and to winners, counted in records of games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import mean_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.arena.session import play_plan
from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.lab.finding import Finding, Interval
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import Count, Seed, Text, list_of, one_of, table, text

MORE = {"early": 1, "late": -1}
_COUNT = {"event": text, "per": text, "more": one_of("part of the seats", MORE)}
GAME = "game"  # what events are counted by unless it is said


@dataclass(frozen=True)
class EventsTrial(Trial):
    """Games of one agent against copies of itself, and which seats a document expects to see more of an event."""

    game: Text
    agent: Text
    # An event, perhaps by another, and whether early or late seats see more of it.
    counts: Annotated[Sequence[Mapping[str, str]], list_of(table("key of a count", _COUNT, ["event"]), 1)]
    play: Count = 1000  # games
    seed: Seed = 1
    why: Text = ""

    @property
    def games(self) -> int:
        """How many games there are at the document's own size."""
        return self.play

    def check(self) -> None:
        """Refuse events that the game does not have."""
        known = self.plan(1.0).game.events
        for entry in self.counts:
            for event, allowed in ((entry["event"], [*known]), (entry.get("per", GAME), [*known, GAME])):
                if event not in allowed:
                    raise UnknownName(f"event of {self.game}", event, allowed)

    def plan(self, scale: float) -> Plan:
        """Return what is played at a scale."""
        games = TrialSetup(scale).games(self.play)
        return Plan.make(self.game, [self.agent], scheme="self-play", games=games, seed=self.seed)

    def run(self, bench: TrialSetup) -> list[Finding]:
        """Play the games and count what happens in them."""
        plan = self.plan(bench.scale)

        def collect(run: Run) -> list[Finding]:
            counted = [_counted(plan.game, line) for line in run.records()]
            return [finding for entry in self.counts for finding in self._findings(plan.game, entry, counted, run)]

        return play_plan(plan, collect, bench.db, bench.jobs, bench.progress)

    def _findings(
        self, game: Game, entry: Mapping[str, str], counted: Sequence[Mapping[str, np.ndarray]], run: Run
    ) -> Iterator[Finding]:
        event, per = entry["event"], entry.get("per", GAME)
        amounts, units = (np.array([one[key] for one in counted]) for key in (event, per))
        what = f"{self.what}: {game.events[event]} a {per}"
        yield Finding(f"{what}, by seat", None, _listed(amounts.sum(axis=0) / units.sum(axis=0)))
        won = outcomes(run.games().payoffs)[0] > 0
        difference, interval = _difference(amounts, units, won, ~won)
        yield Finding(f"{what}, winners less others", None, difference, interval)
        if "more" in entry:
            yield self._hypothesis(what, entry["more"], amounts, units)

    def _hypothesis(self, what: str, more: str, amounts: np.ndarray, units: np.ndarray) -> Finding:
        early = np.broadcast_to(np.arange(amounts.shape[1]) < amounts.shape[1] / 2, amounts.shape)
        difference, interval = _difference(amounts, units, early, ~early)
        holds = difference * MORE[more] > 0
        against = interval is not None and (interval[1] < 0 if more == "early" else interval[0] > 0)
        why = "" if holds else self.why
        what = f"{what}, early seats less late"
        return Finding(what, f"{more} more", difference, interval, holds, not against, "", why)


def _difference(
    amounts: np.ndarray, units: np.ndarray, one: np.ndarray, other: np.ndarray
) -> tuple[float, Interval | None]:
    """Return how much more of it by unit some see than others, with its interval from how games differ."""
    (first, apart), (second, away) = (
        _rate((amounts * these).sum(axis=1), (units * these).sum(axis=1)) for these in (one, other)
    )
    found = mean_of_blocks(first - second + apart - away, np.ones(len(apart)))
    return round(first - second, 3), found and (round(found[0], 3), round(found[1], 3))


def _rate(amounts: np.ndarray, units: np.ndarray) -> tuple[float, np.ndarray]:
    """Return amounts by unit, and how far each game draws that from the mean."""
    rate = float(amounts.sum() / max(1, units.sum()))
    return rate, (amounts - rate * units) / max(units.mean(), 1e-9)


def _counted(game: Game, line: str) -> dict[str, np.ndarray]:
    """Return how much of every event each seat saw in one game."""
    record = read_line(line)
    table = Table(game, record.seed)
    found: dict[str, Any] = {event: np.zeros(game.seats) for event in game.events}
    before = table.copy_of_truth()
    for move in record.moves:
        table.play(move)
        after = table.copy_of_truth()
        for event, seat, amount in game.events_of(before, move, after):
            found[event][seat] += amount
        before = after
    return found | {GAME: np.ones(game.seats)}


def _listed(numbers: np.ndarray) -> str:
    return " ".join(f"{number:.2f}" for number in numbers)
