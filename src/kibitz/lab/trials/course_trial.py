"""The course of games: the effort of agents, or the value of their seats, turn by turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import seatings
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import mean_of_blocks
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.playout import value_of
from kibitz.core.record import read_line
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.lab.finding import Finding, rounded
from kibitz.lab.trials.effort_trial import efforts_by_turn
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup
from kibitz.lab.validation import Agents, Count, Openings, Text, one_of, table_of

SCHEME = "round-robin"  # who moves after whom may decide much
EFFORTS = ("seconds", "nodes")
TRENDS = ("falls", "rises", "steady")
STEADY = 2.0  # a curve is steady if the last third of a game differs from the first by at most this factor
LEAST_PART = 0.25  # of the games must have reached a turn for its mean to be shown
MILLI = 1000.0
_DIGITS = 4

Courses = list[list[float]]  # by seat: a number for each of its turns


@dataclass(frozen=True, kw_only=True)
class CourseTrial(PlayedTrial):
    """Games between named agents, and curves: the mean effort of each in its turns, or the mean value of its seat.

    `of` is seconds, nodes, or a value of the game, the same one for all seats. A document may say that a curve falls,
    rises or is steady (`trend`), from the first third of a game to the last; or whose curve is the highest.
    """

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
        plan = self.plan(1.0)
        if len(plan.agents) != len(self.agents):
            raise BadValue("two agents of a course are the same")
        if self.of not in EFFORTS:
            plan.game.value(self.of)

    def plan(self, scale: float) -> Plan:
        """Return what is played at a scale."""
        texts = list(self.agents.values())
        tables = len(seatings(SCHEME, len(texts), find(self.game).seats, None))
        return Plan.make(
            self.game, texts, scheme=SCHEME, games=max(TrialSetup(scale).games(self.play), tables), seed=self.seed,
            openings=self.openings,
        )  # fmt: skip

    def _findings(self, run: Run) -> list[Finding]:
        games, names = run.games(), list(self.agents)
        played: list[list[list[float]]] = []  # by game, by agent
        for seating, seats in zip(games.seatings.tolist(), self._courses(run), strict=True):
            played.append([seats[seating.index(agent)] if agent in seating else [] for agent in range(len(names))])
        curves = {name: _mean_curve([courses[agent] for courses in played]) for agent, name in enumerate(names)}
        unit = "ms a turn" if self.of == "seconds" else "nodes a turn" if self.of == "nodes" else self.of
        found = [Finding(f"{self.what}: {unit}", None, "see the figure", curves=curves)]
        blocks = games.blocks
        found += [self._trend(name, [game[names.index(name)] for game in played], blocks) for name in self.trend]
        if self.highest:
            found.append(self._highest(names.index(self.highest), played, blocks))
        return [replace(entry, why=self.why) if entry.direction is False else entry for entry in found]

    def _courses(self, run: Run) -> Iterator[Courses]:
        if self.of in EFFORTS:
            unit = MILLI if self.of == "seconds" else 1.0
            for thoughts in run.move_stats():
                if not thoughts:
                    raise BadValue(f"{self.what}: nothing is known of single moves: compiled code played these games")
                courses: Courses = [[] for _ in range(self.plan(1.0).game.seats)]
                for seat, effort in efforts_by_turn(thoughts["seats"], thoughts[self.of], unit):
                    courses[seat].append(effort)
                yield courses
            return
        for line in run.records():
            yield self._worths(line)

    def _worths(self, line: str) -> Courses:
        """Return the value of each seat after every round."""
        record, game = read_line(line), self.plan(1.0).game
        table, value, worth = Table(game, record.seed), game.value(self.of), np.zeros(game.seats)
        courses: Courses = [[] for _ in range(game.seats)]
        last = table.turn
        for move in record.moves:
            table.play(move)
            if not table.over and table.turn < last:
                value_of(game.rules, value.handle, value.weights, table.copy_of_truth(), worth)
                for seat in range(game.seats):
                    courses[seat].append(float(worth[seat]))
            last = table.turn
        return courses

    def _trend(self, name: str, courses: list[list[float]], blocks: np.ndarray) -> Finding:
        """Return the finding of the ratio of the last third of a game to the first."""
        firsts, lasts = (np.zeros(int(blocks.max()) + 1) for _ in range(2))
        for course, block in zip(courses, blocks.tolist(), strict=True):
            third = len(course) // 3
            if third:
                firsts[block] += float(np.mean(course[:third]))
                lasts[block] += float(np.mean(course[-third:]))
        known = firsts > 0
        ratio, interval = float(lasts.sum() / firsts.sum()), mean_of_blocks(lasts[known], firsts[known])
        said = self.trend[name]
        holds = {"falls": ratio < 1, "rises": ratio > 1, "steady": 1 / STEADY <= ratio <= STEADY}[said]
        what = f"{self.what}: {name}, the last third of a game to the first"
        return Finding(what, said, round(ratio, 3), rounded(interval, 3), holds, None, "x")

    def _highest(self, agent: int, played: list[list[list[float]]], blocks: np.ndarray) -> Finding:
        """Return the finding of the share of turns in which the curve of an agent is above all others."""
        ahead, turns = (np.zeros(int(blocks.max()) + 1) for _ in range(2))
        for courses, block in zip(played, blocks.tolist(), strict=True):
            for own, *others in zip(courses[agent], *(courses[:agent] + courses[agent + 1 :]), strict=False):
                ahead[block] += own > max(others)
                turns[block] += 1
        share, interval = float(ahead.sum() / turns.sum()), mean_of_blocks(ahead[turns > 0], turns[turns > 0])
        percent = interval and (100 * interval[0], 100 * interval[1])
        what = f"{self.what}: turns in which {self.highest} is highest"
        return Finding(
            what, "always", round(100 * share, 1), rounded(percent, 1), share > 1 / len(self.agents), None, "%"
        )


def _mean_curve(courses: list[list[float]]) -> list[float]:
    """Return the mean by turn, as far as enough games reach."""
    curve: list[float] = []
    for turn in range(max(map(len, courses), default=0)):
        there = [course[turn] for course in courses if len(course) > turn]
        if len(there) < max(1.0, LEAST_PART * len(courses)):
            break
        curve.append(round(float(np.mean(there)), _DIGITS))
    return curve
