"""The effort of agents: how many positions they search, and how long, in games between them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import mean_of_blocks
from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.finding import Finding, Interval, amount, rounded
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup
from kibitz.lab.validation import SIGNS, Agents, Count, Numbers, Openings, Order, Part, one_of

OF = ("nodes", "seconds")
PER = ("move", "turn")


@dataclass(frozen=True, kw_only=True)
class EffortTrial(PlayedTrial):
    """Games between named agents, and the published mean of nodes or seconds of each, by move or by turn.

    Seconds were measured on another machine, so they are compared as ratios to those of the first agent.
    """

    agents: Agents
    published: Numbers = field(default_factory=dict)
    of: Annotated[str, one_of("effort", OF)] = "nodes"
    per: Annotated[str, one_of("unit of effort", PER)] = "move"
    play: Count = 10
    openings: Openings = "auto"
    within: Part = 0.1  # the relative tolerance of a number without error bars
    order: Order = ()  # who takes less, more or as much by the document, such as [["Lazy", "<", "Eager"]]

    def check(self) -> None:
        """Refuse numbers of unknown agents, and ratios to a number that is not published."""
        for name in (*self.published, *(name for one, _, other in self.order for name in (one, other))):
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        first = next(iter(self.agents))
        if self.of == "seconds" and self.published and first not in self.published:
            raise BadValue(f"published seconds are compared as ratios to those of {first}, which are missing")
        self.plan(1.0)

    def plan(self, scale: float) -> Plan:
        """Return what is played at a scale."""
        texts = list(dict.fromkeys(self.agents.values()))
        plan = Plan.make(
            self.game, texts, scheme="rotation", games=TrialSetup(scale).games(self.play), seed=self.seed,
            openings=self.openings,
        )  # fmt: skip
        return replace(plan, games=max(plan.games, len(plan.seatings)))

    def _findings(self, run: Run) -> list[Finding]:
        games = run.games()
        texts = list(dict.fromkeys(self.agents.values()))
        sums, counts = (np.zeros((len(texts), int(games.blocks.max()) + 1)) for _ in range(2))  # by agent and block
        for seating, block, thoughts in zip(games.seatings, games.blocks, run.move_stats(), strict=True):
            for seat, effort in self._parts(thoughts["seats"], thoughts[self.of]) if thoughts else ():
                sums[seating[seat], block] += effort
                counts[seating[seat], block] += 1
        means = {
            name: _mean(name, sums[texts.index(text)], counts[texts.index(text)]) for name, text in self.agents.items()
        }
        first, *others = self.agents
        shown = [first, *others] if self.of == "nodes" else others  # the first compared to itself says nothing
        found = [self._finding(name, *means[name], means[first][0]) for name in shown]
        found += [self._order(one, sign, other, means) for one, sign, other in self.order]
        return [replace(entry, why=self.why if entry.compatible is False else "") for entry in found]

    def _parts(self, seats: list[int], efforts: list[float]) -> Iterable[tuple[int, float]]:
        """Return seat and effort of each move or turn."""
        return zip(seats, efforts, strict=True) if self.per == "move" else efforts_by_turn(seats, efforts)

    def _order(self, one: str, sign: str, other: str, means: Mapping[str, tuple[float, Any]]) -> Finding:
        """Return the finding of the ratio of the efforts of two agents; `=` means equal within `within`."""
        ratio = means[one][0] / means[other][0]
        holds = {"<": ratio < 1, ">": ratio > 1, "=": abs(ratio - 1) <= self.within}[sign]
        what = f"{self.what}: {self.of} of {one} as a ratio to {other}"
        return Finding(what, SIGNS[sign], round(ratio, 3), None, holds, holds, "x")

    def _finding(self, name: str, mean: float, interval: Interval | None, first: float) -> Finding:
        published = self.published.get(name)
        if self.of == "nodes":
            what, shown = f"{self.what}: {name}, nodes a {self.per}", rounded(interval, 1)
            return amount(what, round(mean, 1), shown, published, self.within, "")
        theirs = self.published.get(next(iter(self.agents)))
        ratio = None if published is None or not theirs else round(published / theirs, 3)
        shown = rounded(interval, 3, first)
        what = f"{self.what}: {name}, time a {self.per} as a ratio to {next(iter(self.agents))}"
        return amount(what, round(mean / first, 3), shown, ratio, self.within, "x")


def efforts_by_turn(seats: list[int], efforts: list[float], unit: float = 1.0) -> list[tuple[int, float]]:
    """Return seat and effort of each turn, given those of each move."""
    turns: list[tuple[int, float]] = []
    for seat, effort in zip(seats, efforts, strict=True):
        if turns and turns[-1][0] == seat:
            turns[-1] = (seat, turns[-1][1] + effort * unit)
        else:
            turns.append((seat, effort * unit))
    return turns


def _mean(name: str, sums: np.ndarray, counts: np.ndarray) -> tuple[float, Interval | None]:
    """Return the mean effort of an agent with its interval, from how blocks of games differ."""
    if not sums.sum():
        raise BadValue(f"nothing is known of what {name} searched: it does not search, or compiled code plays it")
    return float(sums.sum() / counts.sum()), mean_of_blocks(sums[counts > 0], counts[counts > 0])
