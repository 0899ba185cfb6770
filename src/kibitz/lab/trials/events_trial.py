"""Events: how often they happen to early and late seats, and to winners, counted in records of games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import mean_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.lab.finding import Finding, Interval, rounded
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup
from kibitz.lab.validation import Text, list_of, one_of, table, text

MORE = {"early": 1, "late": -1}
_COUNT = {"event": text, "per": text, "more": one_of("part of the seats", MORE)}
GAME = "game"  # the default unit that events are counted by


@dataclass(frozen=True, kw_only=True)
class EventsTrial(PlayedTrial):
    """Games of one agent against copies of itself, and which seats a document expects to see more of an event."""

    agent: Text
    # An event, perhaps by another, and whether early or late seats see more of it.
    counts: Annotated[Sequence[Mapping[str, str]], list_of(table("key of a count", _COUNT, ["event"]), 1)]

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

    def _findings(self, run: Run) -> list[Finding]:
        game = self.plan(1.0).game
        counted = [_counted(game, line) for line in run.records()]
        return [finding for entry in self.counts for finding in self._of_event(game, entry, counted, run)]

    def _of_event(
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
    """Return the difference between two groups of seats in amounts by unit, with its interval over games."""
    (first, apart), (second, away) = (
        _rate((amounts * these).sum(axis=1), (units * these).sum(axis=1)) for these in (one, other)
    )
    found = mean_of_blocks(first - second + apart - away, np.ones(len(apart)))
    return round(first - second, 3), rounded(found, 3)


def _rate(amounts: np.ndarray, units: np.ndarray) -> tuple[float, np.ndarray]:
    """Return amounts by unit, and the influence of each game on that ratio."""
    rate = float(amounts.sum() / max(1, units.sum()))
    return rate, (amounts - rate * units) / max(units.mean(), 1e-9)


def _counted(game: Game, line: str) -> dict[str, np.ndarray]:
    """Return how often every event happened to each seat in one game."""
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
