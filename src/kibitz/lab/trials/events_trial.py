"""Events: how often they happen to early and late seats, and to winners, counted in records of games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.lab.fact import Claim, Fact, difference
from kibitz.lab.trials.sample import Sample
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup
from kibitz.lab.validation import Text, list_of, one_of, table, text

MORE: dict[str, Claim] = {"early": ">", "late": "<"}
_COUNT = {"event": text, "per": text, "more": one_of("part of the seats", MORE)}
GAME = "game"  # the default unit that events are counted by


@dataclass(frozen=True, kw_only=True)
class EventsTrial(PlayedTrial):
    """Games of one agent against copies of itself, and which seats a document expects to see more of an event."""

    RECORDS: ClassVar[bool] = True

    agent: Text
    # An event, perhaps by another, and whether early or late seats see more of it.
    counts: Annotated[Sequence[Mapping[str, str]], list_of(table("key of a count", _COUNT, ["event"]), 1)]

    def check(self) -> None:
        """Refuse events that the game does not have."""
        known = self.plan().game.events
        for entry in self.counts:
            for event, allowed in ((entry["event"], [*known]), (entry.get("per", GAME), [*known, GAME])):
                if event not in allowed:
                    raise UnknownName(f"event of {self.game}", event, allowed)

    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played at a scale, with a seed."""
        games = TrialSetup(scale).games(self.play)
        return Plan.make(self.game, [self.agent], scheme="self-play", games=games, seed=seed)

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return how often events happened, and to whom."""
        game = self.plan().game
        counted = [_counted(game, line) for line in sample.records]
        return [fact for entry in self.counts for fact in self._of_event(game, entry, counted, sample)]

    def _of_event(
        self, game: Game, entry: Mapping[str, str], counted: Sequence[Mapping[str, np.ndarray]], sample: Sample
    ) -> Iterator[Fact]:
        event, per = entry["event"], entry.get("per", GAME)
        amounts, units = (np.array([one[key] for one in counted]) for key in (event, per))
        what = f"{game.events[event]} a {per}"
        yield Fact(f"{what}, by seat", _listed(amounts.sum(axis=0) / units.sum(axis=0)))
        won = outcomes(sample.games.payoffs)[0] > 0
        yield difference(f"{what}, winners less others", _by_game(amounts, units, won, ~won))
        if "more" in entry:
            early = np.broadcast_to(np.arange(amounts.shape[1]) < amounts.shape[1] / 2, amounts.shape)
            values = _by_game(amounts, units, early, ~early)
            claim, more = MORE[entry["more"]], f"{entry['more']} more"
            yield difference(f"{what}, early seats less late", values, claim, more)


def _by_game(amounts: np.ndarray, units: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return a value for each game; their mean is the difference between two groups of seats in amounts by unit.

    How the values differ is how that difference would differ from run to run, to the first order.
    """
    (first, apart), (second, away) = (
        _rate((amounts * these).sum(axis=1), (units * these).sum(axis=1)) for these in (one, other)
    )
    values: np.ndarray = first - second + apart - away
    return values


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
    while table.ply < len(record.moves):
        move = record.moves[table.ply]
        table.play(move)
        after = table.copy_of_truth()  # what chance did after the move belongs to it
        for event, seat, amount in game.events_of(before, move, after):
            found[event][seat] += amount
        before = after
    return found | {GAME: np.ones(game.seats)}


def _listed(numbers: np.ndarray) -> str:
    return " ".join(f"{number:.2f}" for number in numbers)
