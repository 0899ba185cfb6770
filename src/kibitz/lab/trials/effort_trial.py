"""The effort of agents: how many positions they search, and how long, in games between them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.fact import Fact, linear, ratio, rounding_of
from kibitz.lab.trials.published_games import ASSUMED, PublishedGames
from kibitz.lab.trials.published_games import KEY as GAMES
from kibitz.lab.trials.sample import Sample
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup, written_in_full
from kibitz.lab.validation import SIGNS, Agents, Count, Numbers, Openings, Order, one_of

OF = {"nodes": "nodes", "seconds": "time by the clock", "cpu": "CPU time"}
MARGIN = {"nodes": "count", "seconds": "time", "cpu": "time"}
PER = ("move", "turn")


@dataclass(frozen=True, kw_only=True)
class EffortTrial(PlayedTrial):
    """Games between named agents, and the published mean of nodes or seconds of each, by move or by turn.

    Seconds were measured on another machine, so they are compared as ratios to those of the first agent. `cpu` counts
    those of all threads, and `seconds` those on the clock, which other programs lengthen.
    """

    MOVES: ClassVar[bool] = True

    agents: Agents
    published: Numbers = field(default_factory=dict)  # by agent; `games` is of how many
    of: Annotated[str, one_of("effort", OF)] = "nodes"
    per: Annotated[str, one_of("unit of effort", PER)] = "move"
    play: Count = 10
    openings: Openings = "auto"
    order: Order = ()  # who takes less, more or as much by the document, such as [["Lazy", "<", "Eager"]]

    def check(self) -> None:
        """Refuse numbers of unknown agents, and ratios to a number that is not published."""
        if GAMES in self.agents:
            raise BadValue(f"an agent cannot be named {GAMES}: published.{GAMES} is a number of games")
        said_of = [name for name in self.published if name != GAMES]
        for name in (*said_of, *(name for one, _, other in self.order for name in (one, other))):
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        first = next(iter(self.agents))
        if self.of != "nodes" and said_of and first not in self.published:
            raise BadValue(f"published seconds are compared as ratios to those of {first}, which are missing")
        self.plan()

    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played at a scale, with a seed."""
        texts = list(dict.fromkeys(written_in_full(self.agents).values()))
        plan = Plan.make(
            self.game, texts, scheme="rotation", games=TrialSetup(scale).games(self.play), seed=seed,
            openings=self.openings,
        )  # fmt: skip
        return replace(plan, games=max(plan.games, len(plan.seatings)))

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return the effort of each agent, and how efforts compare."""
        efforts, games = self._efforts(sample), len(sample.games.numbers)
        first, *others = self.agents
        if self.of == "nodes":
            found = [self._nodes(name, efforts[name], games) for name in self.agents]
        else:  # the first compared to itself says nothing
            found = [self._time(name, first, efforts, games) for name in others]
        return found + [self._order(one, sign, other, efforts) for one, sign, other in self.order]

    def _efforts(self, sample: Sample) -> dict[str, "Effort"]:
        """Return the effort of every agent by block of games."""
        games = sample.games
        sums, counts = (np.zeros((len(games.agents), int(games.blocks.max()) + 1)) for _ in range(2))
        for seating, block, thoughts in zip(games.seatings, games.blocks, sample.moves, strict=True):
            if thoughts and self.of not in thoughts:
                raise BadValue(f"{self.what}: an earlier version of Kibitz played these games and kept no CPU time")
            for seat, effort in self._parts(thoughts["seats"], thoughts[self.of]) if thoughts else ():
                sums[seating[seat], block] += effort
                counts[seating[seat], block] += 1
        numbers = {name: games.agents.index(text) for name, text in written_in_full(self.agents).items()}
        return {name: Effort.of(name, sums[at], counts[at]) for name, at in numbers.items()}

    def _parts(self, seats: list[int], efforts: list[float]) -> Iterable[tuple[int, float]]:
        """Return seat and effort of each move or turn."""
        return zip(seats, efforts, strict=True) if self.per == "move" else efforts_by_turn(seats, efforts)

    def _of_games(self, games: int) -> dict[str, Any]:
        """Return how many times the published games are played here, and how many games are assumed."""
        of = PublishedGames.of(self.published, self.assumed_games, ASSUMED)
        return {"times": of.times(games), "assumed_games": of.assumed}

    def _nodes(self, name: str, effort: "Effort", games: int) -> Fact:
        published = self.published.get(name)
        rounding = 0.0 if published is None else rounding_of(published)
        what, margin = f"{name}, nodes a {self.per}", self.margin_of("count")
        return ratio(what, effort.sums, effort.counts, published, margin, rounding, **self._of_games(games))

    def _time(self, name: str, first: str, efforts: Mapping[str, "Effort"], games: int) -> Fact:
        published, rounding = None, 0.0
        if name in self.published:
            mine, theirs = self.published[name], self.published[first]
            published = round(mine / theirs, 3)
            rounding = published * (rounding_of(mine) / mine + rounding_of(theirs) / theirs)
        what = f"{name}, {OF[self.of]} a {self.per} as a ratio to {first}"
        sums, bases = compared(efforts[name], efforts[first])
        return ratio(what, sums, bases, published, self.margin_of("time"), rounding, "x", 3, **self._of_games(games))

    def _order(self, one: str, sign: Any, other: str, efforts: Mapping[str, "Effort"]) -> Fact:
        """Return the ratio of the efforts of two agents; `=` means equal within the margin."""
        what = f"{OF[self.of]} of {one} as a ratio to {other}"
        margin = self.margin_of(MARGIN[self.of])
        sums, bases = compared(efforts[one], efforts[other])
        return ratio(what, sums, bases, None, margin, 0.0, "x", 3, sign, SIGNS[sign])


@dataclass(frozen=True)
class Effort:
    """The effort of an agent, and in how many moves or turns, by block of games."""

    sums: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, name: str, sums: np.ndarray, counts: np.ndarray) -> "Effort":
        """Return an effort that was measured."""
        if not sums.sum():
            raise BadValue(f"nothing is known of what {name} searched: it does not search, or compiled code plays it")
        return cls(sums, counts)

    @property
    def mean(self) -> float:
        """By move or turn."""
        return float(self.sums.sum() / self.counts.sum())

    @property
    def influence(self) -> np.ndarray:
        """What each block adds to the logarithm of the mean, to the first order."""
        influence: np.ndarray = self.sums / self.sums.sum() - self.counts / self.counts.sum()
        return influence


def compared(one: Effort, other: Effort) -> tuple[np.ndarray, np.ndarray]:
    """Return sums and bases whose ratio is that of two means; what a deal does to both of them cancels."""
    there = (one.counts > 0) | (other.counts > 0)
    return linear(one.mean / other.mean, (one.influence - other.influence)[there])


def efforts_by_turn(seats: list[int], efforts: list[float], unit: float = 1.0) -> list[tuple[int, float]]:
    """Return seat and effort of each turn, given those of each move."""
    turns: list[tuple[int, float]] = []
    for seat, effort in zip(seats, efforts, strict=True):
        if turns and turns[-1][0] == seat:
            turns[-1] = (seat, turns[-1][1] + effort * unit)
        else:
            turns.append((seat, effort * unit))
    return turns
