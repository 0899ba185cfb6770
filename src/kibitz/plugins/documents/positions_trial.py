"""Positions in an experiment: several agents decide in the same ones; what that costs, and how often they agree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose, nan
from time import process_time
from typing import Annotated, Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, decide_at
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.seeds import DEAL, MIND, derive_seed
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.lab.fact import Fact, exact, ratio, rounding_of
from kibitz.lab.judging import TrialRun
from kibitz.lab.trials.effort_trial import MARGIN
from kibitz.lab.trials.published_games import ASSUMED, PublishedGames
from kibitz.lab.trials.published_games import KEY as GAMES
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import SIGNS, Agents, Count, Order, Text, any_value, number, one_of, table_of
from kibitz.plugins.documents.published_share import beside_published, per_cent_or_bound

CPU, NODES, CHOICES, VALUES = "cpu", "nodes", "choices", "values"
OF = {CPU: "CPU time", NODES: "nodes", CHOICES: "choices", VALUES: "values"}
COMPARED = (CHOICES, VALUES)  # with those of the first agent, and not as ratios
NEAR = 1e-9  # values that are closer are equal
MILLI = 1000.0
DIGITS = 3


@dataclass(frozen=True)
class PositionsTrial(Trial):
    """Positions at the beginning of turns in games of a walker with itself, in which all agents decide.

    The others are compared with the first agent: CPU time or nodes as ratios, how often they choose the same line, or
    in how many positions they find another value for the seat to move, which theory says of none.
    """

    game: Text
    agents: Agents
    walker: Text
    of: Annotated[str, one_of("what is compared", OF)] = CPU
    play: Count = 10  # games
    every: Count = 1  # turns: one of so many is looked at
    published: Annotated[Mapping[str, Any], table_of(any_value)] = field(default_factory=dict)  # ratios, or per cent
    order: Order = ()  # whose effort is less, more or as much by the document

    @property
    def size(self) -> dict[str, int]:
        """The games from which positions are taken."""
        return {"games": self.play * self.streams}

    def check(self) -> None:
        """Refuse unknown names, and agents that cannot be built."""
        said_of = [name for name in self.published if name != GAMES]
        for name in (*said_of, *(name for one, _, other in self.order for name in (one, other))):
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        if self.order and self.of in COMPARED:
            raise BadValue(f"order is about effort: it takes of = cpu or nodes, not {self.of}")
        if any(self.published.get(name) for name in said_of) and self.of == VALUES:
            raise BadValue("of = values asks whether any value differs, so what is published of an agent is 0")
        form = per_cent_or_bound if self.of == CHOICES else number(0, above=self.of != VALUES)
        table_of(form)("published", self.published)
        for text in (self.walker, *self.agents.values()):
            build(text, find(self.game), 1)

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Let all agents decide; the positions of a game are a block."""
        return list(self.run(setup).facts)

    def run(self, setup: TrialSetup) -> TrialRun:
        """Let all agents decide in the positions of every seed; the positions of a game are a block."""
        seeds, games = setup.seeds(self), setup.games(self.play)
        asked = [[np.array([*self._asked(seed, game)]) for game in range(games)] for seed in seeds]
        untimed = "rows show that of each decision" if self.of == CPU else f"{self.of} are counted here"
        games_in_all = games * len(seeds)
        about = self.about(games=games_in_all, blocks=games_in_all, seeds=tuple(seeds), untimed=untimed)
        alone = [self._found(one) for one in asked] if len(seeds) > 1 else []
        return TrialRun(about, self._found([game for one in asked for game in one]), alone, self.why)

    def _found(self, asked: Sequence[np.ndarray]) -> list[Fact]:
        sums = dict(zip(self.agents, np.array([game.sum(axis=0) for game in asked]).T, strict=True))
        counts = np.array([len(game) for game in asked], dtype=float)
        first, *others = self.agents
        if self.of == VALUES:
            return [self._equality(name, first, sums[name], counts) for name in others]
        if self.of == CHOICES:
            return [self._agreement(name, first, sums[name], counts) for name in others]
        found = [self._mean(first, sums[first], counts), *(self._ratio(name, first, sums) for name in others)]
        return found + [self._order(one, sign, other, sums) for one, sign, other in self.order]

    def _asked(self, seed: int, number: int) -> Iterator[list[float]]:
        """Yield, for each position of a game, what every agent spends there or whether it agrees with the first."""
        game = find(self.game)
        table = Table(game, derive_seed(seed, DEAL, number))
        walker, *minds = (
            build(text, game, derive_seed(seed, MIND, number)) for text in (self.walker, *self.agents.values())
        )
        for mind in minds:
            mind.warm_up(table.view(table.turn))
        turns, last = number, None  # every game begins at another turn
        while not table.over:
            if table.turn != last:
                turns, last = turns + 1, table.turn
                if turns % self.every == 0 and len(table.moves()) > 1:
                    yield self._counts(table, minds)
            table.play(decide_at(table, walker).move)

    def _counts(self, table: Table, minds: list[Agent]) -> list[float]:
        if self.of == CPU:
            return [_seconds(table, mind) for mind in minds]
        found = [decide_at(table, mind) for mind in minds]
        if self.of == NODES:
            return [float(decision.nodes) for decision in found]
        if self.of == VALUES:
            own = [decision.values[table.turn] if decision.values else nan for decision in found]
            return [float(not isclose(value, own[0], rel_tol=NEAR)) for value in own]
        return [float((decision.line or [decision.move]) == found[0].line) for decision in found]

    def _mean(self, name: str, sums: np.ndarray, counts: np.ndarray) -> Fact:
        unit, what = (MILLI, "CPU time, ms") if self.of == CPU else (1.0, "nodes")
        return ratio(f"{name}, {what} a turn", unit * sums, counts, digits=DIGITS)

    def _ratio(self, name: str, first: str, sums: Mapping[str, np.ndarray]) -> Fact:
        published = self.published.get(name)
        rounding, margin = 0.0 if published is None else rounding_of(published), self.margin_of(MARGIN[self.of])
        what = f"{name}, {OF[self.of]} as a ratio to {first}"
        games = PublishedGames.of(self.published, self.assumed_games, ASSUMED)
        return ratio(
            what, sums[name], sums[first], published, margin, rounding, "x", DIGITS,
            times=games.times(len(sums[first])), assumed_games=games.assumed,
        )  # fmt: skip

    def _order(self, one: str, sign: Any, other: str, sums: Mapping[str, np.ndarray]) -> Fact:
        what, margin = f"{OF[self.of]} of {one} as a ratio to {other}", self.margin_of(MARGIN[self.of])
        return ratio(what, sums[one], sums[other], None, margin, 0.0, "x", DIGITS, sign, SIGNS[sign])

    def _equality(self, name: str, first: str, others: np.ndarray, counts: np.ndarray) -> Fact:
        """Return in how many positions an agent finds another value than the first."""
        what, differ = f"positions in which {name} finds another value than {first}", int(others.sum())
        told = f"{differ:,} of {counts.sum():,.0f}"
        return Fact(what, told) if name not in self.published else exact(what, "none", told, differ == 0)

    def _agreement(self, name: str, first: str, sums: np.ndarray, counts: np.ndarray) -> Fact:
        return beside_published(self, f"{name} chooses as {first} does", sums, counts, self.published.get(name))


def _seconds(table: Table, mind: Agent) -> float:
    """Return the CPU time in which an agent decides; decisions that end sooner than the clock ticks are 0."""
    begun = process_time()
    decide_at(table, mind)
    return process_time() - begun
