"""A match of an experiment: who wins how often."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.agent_rows import agent_rows, seat_rows
from kibitz.arena.results.games import Games
from kibitz.arena.results.row import AgentRow, SeatRow
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import wilson_of_blocks
from kibitz.arena.results.statistics.paired import paired_difference
from kibitz.arena.session import play_plan
from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.finding import Finding, rate
from kibitz.lab.trials.trial import Bench, Trial

COUNTED = ("wins", "percent", "draws", "seats", "order", "games")
SIGNS = ("<", ">", "=")


@dataclass(frozen=True)
class Match(Trial):
    """Games between named agents, and how many of them each was published to win.

    `published` may give, of `games` games an agent: `wins` (how many) or `percent` by name, `draws` (how many games),
    `seats` (per cent of wins by seat), and `order`: triples such as ["greedy", ">", "random"].
    """

    game: str
    agents: Mapping[str, str]
    play: int = 1000  # games
    seed: int = 1
    scheme: str = "rotation"
    openings: int | str = "auto"
    limits: Mapping[str, Any] | None = None
    published: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""

    @property
    def games(self) -> int:
        """How many games there are at the document's own size."""
        return self.play

    def check(self) -> None:
        """Refuse what is no match, and numbers of nobody."""
        if not isinstance(self.agents, Mapping) or not self.agents:
            raise BadValue('agents must be a table of names and agents, such as {Novice = "novice"}')
        for key in self.published:
            if key not in COUNTED:
                raise UnknownName("number published", key, COUNTED)
        names = [*self.published.get("wins", {}), *self.published.get("percent", {})]
        names += [name for one, sign, other in self.published.get("order", ()) for name in (one, other)]
        for name in names:
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        for _, sign, _ in self.published.get("order", ()):
            if sign not in SIGNS:
                raise UnknownName("sign", sign, SIGNS)
        self.plan(1.0)

    def plan(self, scale: float) -> Plan:
        """Return what is played at a scale."""
        texts = list(dict.fromkeys(self.agents.values()))
        plan = Plan.make(
            self.game, texts, scheme=self.scheme, games=Bench(scale).games(self.play), seed=self.seed,
            openings=self.openings, limits=self.limits,
        )  # fmt: skip
        return replace(plan, games=max(plan.games, len(plan.seatings)))

    def run(self, bench: Bench) -> list[Finding]:
        """Play the games and hold who won against what was published."""
        plan = self.plan(bench.scale)

        def collect(run: Run) -> list[Finding]:
            return self._findings(run.games())

        return play_plan(plan, collect, bench.db, bench.jobs, bench.progress)

    def _findings(self, games: Games) -> list[Finding]:
        texts = list(dict.fromkeys(self.agents.values()))
        rows = dict(zip(texts, agent_rows(texts, games), strict=True))
        found = [self._wins(name, rows[text]) for name, text in self.agents.items() if self._counts(name)]
        if "draws" in self.published:
            found.append(self._draws(games))
        found += [self._seat(seat) for seat in seat_rows(games) if "seats" in self.published]
        found += [self._order(one, sign, other, texts, games) for one, sign, other in self.published.get("order", ())]
        return [replace(entry, why=self.why if entry.compatible is False or entry.direction is False else "")
                for entry in found]  # fmt: skip

    def _counts(self, name: str) -> bool:
        """Return whether an agent's wins are shown: where they were published, or where no numbers were."""
        given = {**self.published.get("wins", {}), **self.published.get("percent", {})}
        return name in given or not set(self.published) - {"games", "order"}

    def _wins(self, name: str, row: AgentRow) -> Finding:
        of = self.published.get("games", 0)
        share = None
        if name in self.published.get("percent", {}):
            share = self.published["percent"][name] / 100
        elif name in self.published.get("wins", {}):
            share = self.published["wins"][name] / of
        even = (1 - self.published.get("draws", 0) / max(1, of)) * row.games / max(1, self._seats_taken(row))
        return rate(f"{self.what}: {name} wins", row.win_rate, row.win_interval, share, of, even)

    def _seats_taken(self, row: AgentRow) -> int:
        """Return how many seats there were in the games in which an agent took one."""
        return row.games * len(row.by_seat)

    def _draws(self, games: Games) -> Finding:
        drawn = (games.payoffs == games.payoffs[:, :1]).all(axis=1)
        block = np.unique(games.blocks, return_inverse=True)[1]
        interval = wilson_of_blocks(np.bincount(block, weights=drawn), np.bincount(block))
        of = self.published.get("games", 0)
        return rate(f"{self.what}: drawn", float(drawn.mean()), interval, self.published["draws"] / of, of, None)

    def _seat(self, row: SeatRow) -> Finding:
        share = self.published["seats"][row.seat] / 100
        even = 1 / len(self.published["seats"])
        what = f"{self.what}: seat {row.seat + 1} wins"
        return rate(what, row.win_rate, row.win_interval, share, self.published.get("games", 0), even)

    def _order(self, one: str, sign: str, other: str, texts: list[str], games: Games) -> Finding:
        first, second = (texts.index(self.agents[name]) for name in (one, other))
        both = (games.seatings == first).any(axis=1) & (games.seatings == second).any(axis=1)
        found = paired_difference(
            games.seatings[both], games.payoffs[both], games.blocks[both], first, second
        )  # fmt: skip
        low, high = found.interval
        holds = {"<": found.mean < 0, ">": found.mean > 0, "=": low <= 0 <= high}[sign]
        against = {"<": low > 0, ">": high < 0, "=": not holds}[sign]
        shown = {"<": "earns less", ">": "earns more", "=": "earns as much"}[sign]
        what = f"{self.what}: {one} and {other}, difference of payoffs"
        return Finding(
            what, f"{one} {shown}", round(found.mean, 4), (round(low, 4), round(high, 4)), holds, not against
        )
