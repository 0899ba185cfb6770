"""The course of games: the effort of agents, or the value of their seats, turn by turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import seatings
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.playout import value_of
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.lab.fact import Claim, Fact, bound, ratio
from kibitz.lab.trials.effort_trial import efforts_by_turn
from kibitz.lab.trials.sample import Sample
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup, written_in_full
from kibitz.lab.validation import Agents, Count, Openings, Text, one_of, table_of

SCHEME = "round-robin"  # who moves after whom may decide much
EFFORTS = {"seconds": "ms a turn", "cpu": "ms of CPU time a turn", "nodes": "nodes a turn"}
TRENDS: dict[str, Claim] = {"falls": "<", "rises": ">", "steady": "="}  # of the last third of a game to the first
LEAST_PART = 0.25  # of the games must have reached a turn for its mean to be shown
ONE_OF_ONE = 0.05  # where the one-sided 95 % interval of a share begins, if the one game that is known is a hit
MILLI = 1000.0
_DIGITS = 4

Courses = list[list[float]]  # by seat or agent: a number for each of its turns


@dataclass(frozen=True, kw_only=True)
class CourseTrial(PlayedTrial):
    """Games between named agents, and curves: the mean effort of each in its turns, or the mean value of its seat.

    `of` is seconds, cpu, nodes, or a value of the game, the same one for all seats. A document may say that a curve
    falls, rises or is steady (`trend`), from the first third of a game to the last; or whose curve is the highest
    throughout a game that it shows.
    """

    MOVES: ClassVar[bool] = True
    RECORDS: ClassVar[bool] = True

    agents: Agents
    of: Text = "seconds"
    play: Count = 10
    openings: Openings = "auto"
    trend: Annotated[Mapping[str, str], table_of(one_of("trend", TRENDS))] = field(default_factory=dict)
    highest: Text = ""

    def check(self) -> None:
        """Refuse curves of unknown agents, and what is not measured."""
        for name in (*self.trend, *([self.highest] if self.highest else [])):
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        plan = self.plan()
        if len(plan.agents) != len(self.agents):
            raise BadValue("two agents of a course are the same")
        if self.of not in EFFORTS:
            plan.game.value(self.of)

    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played at a scale, with a seed."""
        texts = list(written_in_full(self.agents).values())
        tables = len(seatings(SCHEME, len(texts), find(self.game).seats, None))
        return Plan.make(
            self.game, texts, scheme=SCHEME, games=max(TrialSetup(scale).games(self.play), tables), seed=seed,
            openings=self.openings,
        )  # fmt: skip

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return the curves, and what is said about them."""
        games, names = sample.games, list(self.agents)
        played: list[Courses] = []  # by game, by agent
        for seating, seats in zip(games.seatings.tolist(), self._courses(sample), strict=True):
            played.append([seats[seating.index(agent)] if agent in seating else [] for agent in range(len(names))])
        curves = {name: _mean_curve([courses[agent] for courses in played]) for agent, name in enumerate(names)}
        found = [Fact(EFFORTS.get(self.of, self.of), "see the figure", curves=curves)]
        blocks = games.blocks
        found += [self._trend(name, [game[names.index(name)] for game in played], blocks) for name in self.trend]
        return found + ([self._highest(names.index(self.highest), played, blocks)] if self.highest else [])

    def _courses(self, sample: Sample) -> Iterator[Courses]:
        if self.of in EFFORTS:
            unit = 1.0 if self.of == "nodes" else MILLI
            for thoughts in sample.moves:
                if not thoughts or self.of not in thoughts:
                    raise BadValue(f"{self.what}: nothing is known of single moves: compiled code played these games")
                courses: Courses = [[] for _ in range(self.plan().game.seats)]
                for seat, effort in efforts_by_turn(thoughts["seats"], thoughts[self.of], unit):
                    courses[seat].append(effort)
                yield courses
            return
        for line in sample.records:
            yield self._worths(line)

    def _worths(self, line: str) -> Courses:
        """Return the value of each seat after every round."""
        record, game = read_line(line), self.plan().game
        table, value, worth = Table(game, record.seed), game.value(self.of), np.zeros(game.seats)
        courses: Courses = [[] for _ in range(game.seats)]
        last = table.turn
        while table.ply < len(record.moves):
            table.play(record.moves[table.ply])
            if not table.over and table.turn < last:
                value_of(game.rules, value.handle, value.weights, table.copy_of_truth(), worth)
                for seat in range(game.seats):
                    courses[seat].append(float(worth[seat]))
            last = table.turn
        return courses

    def _trend(self, name: str, courses: Courses, blocks: np.ndarray) -> Fact:
        """Return the ratio of the last third of a game to the first; steady means equal within the margin."""
        firsts, lasts = (np.zeros(int(blocks.max()) + 1) for _ in range(2))
        for course, block in zip(courses, blocks.tolist(), strict=True):
            third = len(course) // 3
            if third:
                firsts[block] += float(np.mean(course[:third]))
                lasts[block] += float(np.mean(course[-third:]))
        if not lasts.sum():
            raise BadValue(f"{self.what}: the games are too short to see how the curve of {name} goes on")
        said, what = self.trend[name], f"{name}, the last third of a game to the first"
        margin = self.margin_of("count" if self.of == "nodes" else "time")
        return ratio(what, lasts, firsts, None, margin, 0.0, "x", 3, TRENDS[said], said)

    def _highest(self, agent: int, played: list[Courses], blocks: np.ndarray) -> Fact:
        """Return the share of games in which no curve is ever above that of an agent, as in the one that is shown.

        One such game of one, taken at random, excludes shares below 5 %.
        """
        ahead, games = (np.zeros(int(blocks.max()) + 1) for _ in range(2))
        for courses, block in zip(played, blocks.tolist(), strict=True):
            games[block] += 1
            ahead[block] += all(turn[agent] == max(turn) for turn in zip(*courses, strict=False))
        what = f"games in which {self.highest} is never behind"
        return bound(what, ahead, games, ">", ONE_OF_ONE, f"1 of 1 game: more than {100 * ONE_OF_ONE:g} %")


def _mean_curve(courses: Courses) -> list[float]:
    """Return the mean by turn, as far as enough games reach."""
    curve: list[float] = []
    for turn in range(max(map(len, courses), default=0)):
        there = [course[turn] for course in courses if len(course) > turn]
        if len(there) < max(1.0, LEAST_PART * len(courses)):
            break
        curve.append(round(float(np.mean(there)), _DIGITS))
    return curve
