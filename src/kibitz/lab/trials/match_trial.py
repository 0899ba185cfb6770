"""A match: how often agents and seats win, and in which place they finish."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import SCHEMES, seatings
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.fairness import equal_means
from kibitz.arena.results.statistics.interval import mean_of_blocks, wilson_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes, place_shares
from kibitz.arena.results.statistics.paired import paired_difference
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.spec import parse
from kibitz.games import find
from kibitz.lab.finding import Finding, Interval, amount, rate, rounded
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup
from kibitz.lab.validation import (
    SIGNS,
    Agents,
    Limits,
    Openings,
    Part,
    list_of,
    number,
    one_of,
    order_of,
    table,
    table_of,
    text,
    whole,
)

_NUMBERS = {
    "wins": whole(), "percent": number(0, 100), "last": whole(), "rank": number(1), "payoff": number(),
    "wins_by_seat": list_of(whole()), "alike": number(0, 1),
}  # fmt: skip
BY_NAME = {key: table_of(form) for key, form in _NUMBERS.items()}
BY_SEAT = {f"seat_{key}": list_of(_NUMBERS[key]) for key in ("wins", "percent", "last", "rank")}
OF_GAMES = {
    "draws": whole(), "turns": whole(1), "breaches": whole(), "order": order_of(text), "seat_order": order_of(whole(1)),
}  # fmt: skip
PUBLISHED = {"games": whole(1), **OF_GAMES, **BY_NAME, **BY_SEAT}
OF_HOW_MANY = ("wins", "last", "wins_by_seat", "draws", "seat_wins", "seat_last")  # counts of the published games
SIGNIFICANT = 0.05  # p values below this speak against what was tested


@dataclass(frozen=True, kw_only=True)
class MatchTrial(PlayedTrial):
    """Games between named agents, and the published numbers, which docs/experiments.md lists."""

    agents: Agents
    scheme: Annotated[str, one_of("scheme", SCHEMES)] = "rotation"
    openings: Openings = "auto"
    limits: Limits = None
    published: Annotated[Mapping[str, Any], table("number published", PUBLISHED)] = field(default_factory=dict)
    within: Part = 0.05  # the relative tolerance of a mean or a share without error bars

    def check(self) -> None:
        """Refuse a match that cannot be played, and numbers of unknown agents."""
        for name in self._names():
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        for key in OF_HOW_MANY:
            if key in self.published and "games" not in self.published:
                raise BadValue(f"published has {key}, but not of how many games: published.games is missing")
        plan = self.plan(1.0)
        self._check_seats(plan.game.seats)
        self._check_counts(plan.game.seats)
        for one, _, other in self.published.get("order", ()):
            pair = {plan.agents.index(str(parse(self.agents[name]))) for name in (one, other)}
            if not any(pair <= {*seating} for seating in plan.seatings):
                raise BadValue(f"{one} and {other} of published.order never meet in the scheme {self.scheme}")

    def _check_seats(self, seats: int) -> None:
        """Refuse numbers of seats that the game does not have."""
        lists = {key: self.published[key] for key in BY_SEAT if key in self.published}
        lists |= {f"wins_by_seat.{name}": wins for name, wins in self.published.get("wins_by_seat", {}).items()}
        for key, numbers in lists.items():
            if len(numbers) != seats:
                raise BadValue(f"published.{key} needs a number for each of {seats} seats, not {numbers!r}")
        for one, _, other in self.published.get("seat_order", ()):
            whole(1, seats)("a seat of published.seat_order", max(one, other))
        ranks = [*self.published.get("rank", {}).items(), *enumerate(self.published.get("seat_rank", ()), 1)]
        for who, place in ranks:
            number(1, seats)(f"the published rank of {who}", place)

    def _check_counts(self, seats: int) -> None:
        """Refuse more wins, draws and last places than games, and a share that is given twice."""
        given, games = self.published, self.published.get("games", 0)
        counts = {f"{key}.{name}": count for key in ("wins", "last") for name, count in given.get(key, {}).items()}
        counts |= {f"wins_by_seat.{name}": sum(wins) for name, wins in given.get("wins_by_seat", {}).items()}
        counts |= {key: sum(given[key]) for key in ("seat_wins", "seat_last") if key in given}
        for key, count in {**counts, "draws": given.get("draws", 0)}.items():
            if count > games:
                raise BadValue(f"published.{key} is {count} in all, but there are {games} games")
        for wins in given.get("wins_by_seat", {}).values():
            if max(wins) > games / seats:
                raise BadValue(f"published.wins_by_seat has {max(wins)}, but {games / seats:g} games were in a seat")
        twice = [name for name in given.get("wins", {}) if name in given.get("percent", {})]
        if twice or {"seat_wins", "seat_percent"} <= {*given}:
            raise BadValue(f"published has wins and percent of {twice[0] if twice else 'seats'}; one is enough")

    def _names(self) -> Iterable[str]:
        for key in BY_NAME:
            yield from self.published.get(key, {})
        for one, _, other in self.published.get("order", ()):
            yield from (one, other)

    def plan(self, scale: float) -> Plan:
        """Return what is played at a scale."""
        texts = self._texts()
        tables = len(seatings(self.scheme, len(texts), find(self.game).seats, None))
        return Plan.make(
            self.game, texts, scheme=self.scheme, games=max(TrialSetup(scale).games(self.play), tables), seed=self.seed,
            openings=self.openings, limits=self.limits,
        )  # fmt: skip

    def _texts(self) -> list[str]:
        return list(dict.fromkeys(self.agents.values()))

    def _findings(self, run: Run) -> list[Finding]:
        games, texts = run.games(), self._texts()
        tally = _Tally(games)
        found: list[Finding] = []
        for name, agent in self.agents.items():
            found += self._of_agent(name, games.seatings == texts.index(agent), tally)
        if "draws" in self.published:
            found.append(self._draws(tally))
        if "turns" in self.published:
            found.append(self._turns(tally, games.plies))
        if "breaches" in self.published:
            breaches, said = int((games.offenders >= 0).sum()), self.published["breaches"]
            found.append(
                Finding(f"{self.what}: games lost by a breach of limits", said, breaches, None, None, breaches == said)
            )
        for seat in range(games.seatings.shape[1]):
            found += self._of_seat(seat, np.broadcast_to(tally.seats == seat, games.seatings.shape), tally)
        found += [self._order(one, sign, other, texts, games) for one, sign, other in self.published.get("order", ())]
        found += [self._seat_order(tally, *said) for said in self.published.get("seat_order", ())]
        return [
            replace(entry, why=self.why) if False in (entry.direction, entry.compatible) else entry for entry in found
        ]

    def _of_agent(self, name: str, mine: np.ndarray, tally: "_Tally") -> list[Finding]:
        given, of = {key: self.published.get(key, {}).get(name) for key in BY_NAME}, self.published.get("games", 0)
        found = []
        if {"wins", "percent"} & set(self.published) or not set(self.published) - {"games", *OF_GAMES}:
            share = _share(given["wins"], given["percent"], of)
            found.append(self._rate(f"{name} wins", tally.won, mine, tally, share, of, self._even(mine, tally)))
        found += self._places(name, mine, tally, given["last"], given["rank"])
        if given["payoff"] is not None:
            mean, interval = tally.mean(tally.payoffs, mine)
            what = f"{self.what}: {name}, mean payoff"
            found.append(amount(what, mean, interval, given["payoff"], self.within, ""))
        for seat, wins in enumerate(given["wins_by_seat"] or ()):
            in_seat = mine & (tally.seats == seat)
            held = of / mine.shape[1]
            found.append(
                self._rate(f"{name} wins in seat {seat + 1}", tally.won, in_seat, tally, wins / held, held, None)
            )
        if given["alike"] is not None:
            found.append(self._alike(name, mine, tally, given["alike"]))
        return found

    def _even(self, mine: np.ndarray, tally: "_Tally") -> tuple[float, float]:
        """Return an even share of the decided games: of the published games, and of those played here."""
        drawn = self.published.get("draws", 0) / max(1, self.published.get("games", 0))
        return (1 - drawn) / mine.shape[1], tally.decided(mine) / mine.shape[1]

    def _alike(self, name: str, mine: np.ndarray, tally: "_Tally", published: float) -> Finding:
        """Return the finding of a test that an agent wins equally often in every seat."""
        p = round(equal_means(tally.by_block(tally.won * mine)).p, 4)
        same = (p < SIGNIFICANT) == (published < SIGNIFICANT)
        return Finding(f"{self.what}: {name} wins alike in all seats, p value", published, p, None, None, same)

    def _of_seat(self, seat: int, mine: np.ndarray, tally: "_Tally") -> list[Finding]:
        given = {key: self.published[key][seat] if key in self.published else None for key in BY_SEAT}
        found, of = [], self.published.get("games", 0)
        if given["seat_wins"] is not None or given["seat_percent"] is not None:
            share = _share(given["seat_wins"], given["seat_percent"], of)
            what = f"seat {seat + 1} wins"
            found.append(self._rate(what, tally.won, mine, tally, share, of, self._even(mine, tally)))
        return found + self._places(f"seat {seat + 1}", mine, tally, given["seat_last"], given["seat_rank"])

    def _places(self, who: str, mine: np.ndarray, tally: "_Tally", last: Any, rank: Any) -> list[Finding]:
        found, of = [], self.published.get("games", 0)
        if last is not None:
            even = 1 / mine.shape[1]
            hits = tally.shares[:, :, -1]
            found.append(self._rate(f"{who} is last", hits, mine, tally, last / of, of, (even, even)))
        if rank is not None:
            mean, interval = tally.mean(tally.place, mine)
            found.append(amount(f"{self.what}: {who}, mean place", mean, interval, rank, self.within, ""))
        return found

    def _draws(self, tally: "_Tally") -> Finding:
        first = np.broadcast_to(tally.seats == 0, tally.won.shape)
        of = self.published.get("games", 0)
        return self._rate("drawn", tally.drawn, first, tally, self.published["draws"] / of, of, None)

    def _turns(self, tally: "_Tally", plies: np.ndarray) -> Finding:
        """Return the finding of how many games end within the published number of turns of each seat."""
        first, seats = np.broadcast_to(tally.seats == 0, tally.won.shape), tally.won.shape[1]
        most = self.published["turns"]
        ended = np.broadcast_to((plies <= most * seats)[:, None], tally.won.shape)
        return self._rate(
            f"games of at most {most} turns each", ended, first, tally, 1.0, self.published.get("games", 0), None
        )

    def _seat_order(self, tally: "_Tally", one: int, sign: str, other: int) -> Finding:
        """Return the finding of how much more one seat wins than another."""
        seats = np.broadcast_to(tally.seats, tally.won.shape)
        found = paired_difference(seats, tally.won.astype(float), tally.block, one - 1, other - 1)
        return _compared(f"{self.what}: seat {one} wins, less seat {other}", sign, found.mean, found.interval)

    def _rate(
        self, what: str, hits: np.ndarray, mine: np.ndarray, tally: "_Tally", share: float | None, of: float,
        even: tuple[float, float] | None,
    ) -> Finding:  # fmt: skip
        measured, interval = tally.rate(hits, mine)
        return rate(f"{self.what}: {what}", measured, interval, share, of, even, self.within)

    def _order(self, one: str, sign: str, other: str, texts: Sequence[str], games: GameColumns) -> Finding:
        first, second = (texts.index(self.agents[name]) for name in (one, other))
        both = (games.seatings == first).any(axis=1) & (games.seatings == second).any(axis=1)
        found = paired_difference(games.seatings[both], games.payoffs[both], games.blocks[both], first, second)
        return _compared(f"{self.what}: {one} earns, beside {other}", sign, found.mean, found.interval)


class _Tally:
    """What is counted of games, by game and seat."""

    def __init__(self, games: GameColumns):
        self.won, _ = outcomes(games.payoffs)
        self.drawn = np.broadcast_to((games.payoffs == games.payoffs[:, :1]).all(axis=1)[:, None], self.won.shape)
        self.shares = place_shares(games.payoffs)  # and by place
        self.place = self.shares @ np.arange(1, self.shares.shape[2] + 1)
        self.payoffs = games.payoffs
        self.seats = np.arange(games.payoffs.shape[1])
        self.block = np.unique(games.blocks, return_inverse=True)[1]

    def by_block(self, numbers: np.ndarray) -> np.ndarray:
        """Return the sums of numbers by block and seat."""
        return np.stack([np.bincount(self.block, weights=column) for column in numbers.T], axis=1)

    def decided(self, mine: np.ndarray) -> float:
        """Return the share of the games of these seats that somebody won."""
        held = mine.sum(axis=1)
        return float((self.won.any(axis=1) * held).sum() / max(1, held.sum()))

    def rate(self, hits: np.ndarray, mine: np.ndarray) -> tuple[float, Interval]:
        """Return how often something happened in these seats, with its interval from blocks."""
        held = np.bincount(self.block, weights=mine.sum(axis=1))
        happened = np.bincount(self.block, weights=(hits * mine).sum(axis=1))
        share = float(happened.sum() / max(1.0, held.sum()))
        return share, wilson_of_blocks(happened[held > 0], held[held > 0])

    def mean(self, numbers: np.ndarray, mine: np.ndarray) -> tuple[float, Interval | None]:
        """Return the mean of numbers in these seats, with its interval from blocks."""
        held = np.bincount(self.block, weights=mine.sum(axis=1))
        sums = np.bincount(self.block, weights=(numbers * mine).sum(axis=1))
        found = mean_of_blocks(sums[held > 0], held[held > 0])
        return round(float(sums.sum() / held.sum()), 3), rounded(found, 3)


def _compared(what: str, sign: str, mean: float, interval: Interval) -> Finding:
    """Return the finding of a difference that a document calls below, above or equal to 0."""
    low, high = interval
    holds = {"<": mean < 0, ">": mean > 0, "=": low <= 0 <= high}[sign]
    against = {"<": low > 0, ">": high < 0, "=": not holds}[sign]
    return Finding(what, SIGNS[sign], round(mean, 4), rounded(interval, 4), holds, not against)


def _share(wins: float | None, percent: float | None, of: int) -> float | None:
    if percent is not None:
        return percent / 100
    return None if wins is None else wins / of
