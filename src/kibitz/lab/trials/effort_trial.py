"""The effort of an experiment: how many positions agents search, and how long, in games between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import mean_of_blocks
from kibitz.arena.session import play_plan
from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.finding import Finding, Interval, amount
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import SIGNS, Agents, Count, Numbers, Openings, Order, Part, Seed, Text, one_of

OF = ("nodes", "seconds")
PER = ("move", "turn")


@dataclass(frozen=True)
class EffortTrial(Trial):
    """Games between named agents, and the published mean of nodes or seconds of each, a move or a turn.

    Seconds of another machine are compared as ratios to those of the first agent.
    """

    game: Text
    agents: Agents
    published: Numbers = field(default_factory=dict)
    of: Annotated[str, one_of("effort", OF)] = "nodes"
    per: Annotated[str, one_of("unit of effort", PER)] = "move"
    play: Count = 10  # games
    seed: Seed = 1
    openings: Openings = "auto"
    within: Part = 0.1  # the part by which a number without error bars may be off
    order: Order = ()  # who is said to take less, more or as much, such as [["Lazy", "<", "Eager"]]
    why: Text = ""

    @property
    def games(self) -> int:
        """How many games there are at the document's own size."""
        return self.play

    def check(self) -> None:
        """Refuse numbers of nobody, and ratios to what is not published."""
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

    def run(self, bench: TrialSetup) -> list[Finding]:
        """Play the games and hold the mean effort against what was published."""
        return play_plan(self.plan(bench.scale), self._findings, bench.db, bench.jobs, bench.progress)

    def _findings(self, run: Run) -> list[Finding]:
        games = run.games()
        texts = list(dict.fromkeys(self.agents.values()))
        sums, counts = (np.zeros((len(texts), int(games.blocks.max()) + 1)) for _ in range(2))  # by agent and block
        for seating, block, thoughts in zip(games.seatings, games.blocks, run.move_stats(), strict=True):
            for seat, effort in _parts(thoughts["seats"], thoughts[self.of], self.per) if thoughts else ():
                sums[seating[seat], block] += effort
                counts[seating[seat], block] += 1
        means = {
            name: _mean(name, sums[texts.index(text)], counts[texts.index(text)]) for name, text in self.agents.items()
        }
        first, *others = self.agents
        shown = [first, *others] if self.of == "nodes" else others  # the first to itself is no figure
        found = [self._finding(name, *means[name], means[first][0]) for name in shown]
        found += [self._order(one, sign, other, means) for one, sign, other in self.order]
        return [replace(entry, why=self.why if entry.compatible is False else "") for entry in found]

    def _order(self, one: str, sign: str, other: str, means: Mapping[str, tuple[float, Any]]) -> Finding:
        """Return how much one agent takes for what the other takes; as much is within `within`."""
        ratio = means[one][0] / means[other][0]
        holds = {"<": ratio < 1, ">": ratio > 1, "=": abs(ratio - 1) <= self.within}[sign]
        what = f"{self.what}: {self.of} of {one} as a ratio to {other}"
        return Finding(what, SIGNS[sign], round(ratio, 3), None, holds, holds, "x")

    def _finding(self, name: str, mean: float, interval: Interval | None, first: float) -> Finding:
        published = self.published.get(name)
        if self.of == "nodes":
            what, shown = f"{self.what}: {name}, nodes a {self.per}", _rounded(interval, 1.0, 1)
            return amount(what, round(mean, 1), shown, published, self.within, "")
        theirs = self.published.get(next(iter(self.agents)))
        ratio = None if published is None or not theirs else round(published / theirs, 3)
        shown = _rounded(interval, first, 3)
        what = f"{self.what}: {name}, time a {self.per} as a ratio to {next(iter(self.agents))}"
        return amount(what, round(mean / first, 3), shown, ratio, self.within, "x")


def _rounded(interval: Interval | None, unit: float, digits: int) -> Interval | None:
    return None if interval is None else (round(interval[0] / unit, digits), round(interval[1] / unit, digits))


def _parts(seats: list[int], efforts: list[float], per: str) -> list[tuple[int, float]]:
    """Return who spent how much, move by move or turn by turn."""
    if per == "move":
        return list(zip(seats, efforts, strict=True))
    turns: list[tuple[int, float]] = []
    for seat, effort in zip(seats, efforts, strict=True):
        if turns and turns[-1][0] == seat:
            turns[-1] = (seat, turns[-1][1] + effort)
        else:
            turns.append((seat, effort))
    return turns


def _mean(name: str, sums: np.ndarray, counts: np.ndarray) -> tuple[float, Interval | None]:
    """Return the mean effort of an agent with its interval, from how blocks of games differ."""
    if not sums.sum():
        raise BadValue(f"nothing is known of what {name} searched: it does not search, or compiled code plays it")
    return float(sums.sum() / counts.sum()), mean_of_blocks(sums[counts > 0], counts[counts > 0])
