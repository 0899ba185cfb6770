"""A match: how often agents and seats win, and in which place they finish."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf
from typing import Annotated, Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import SCHEMES, seatings
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.statistics.fairness import equal_means
from kibitz.arena.results.statistics.outcome import divided_wins, outcomes, place_shares
from kibitz.core.errors import BadValue, UnknownName
from kibitz.games import find
from kibitz.lab.claim import ABOUT, EXACTLY, claimed
from kibitz.lab.fact import POINTS, Fact, error_of_mean, mean, paired, ratio, rounding_of, share
from kibitz.lab.trials.effort_trial import Effort, compared
from kibitz.lab.trials.published_games import ASSUMED, PublishedGames
from kibitz.lab.trials.sample import Sample
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup, written_in_full
from kibitz.lab.validation import (
    Agents,
    Limits,
    Openings,
    Truth,
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
    "wins_by_seat": list_of(whole()),
}  # fmt: skip
BY_NAME = {key: table_of(form) for key, form in _NUMBERS.items()}
BY_SEAT = {f"seat_{key}": list_of(_NUMBERS[key]) for key in ("wins", "percent", "last", "rank")}
OF_GAMES = {
    "draws": whole(), "turns": whole(1), "breaches": whole(), "order": order_of(text), "seat_order": order_of(whole(1)),
    "alike": list_of(text, 1),
}  # fmt: skip
PUBLISHED = {"games": whole(1), **OF_GAMES, **BY_NAME, **BY_SEAT}
OF_HOW_MANY = ("wins", "last", "wins_by_seat", "draws", "breaches", "seat_wins", "seat_last")  # counts of games
P_DIGITS, LEAST_P = 4, 0.0001  # of p values that are shown; smaller ones are not told apart
NEAR = 1e-9  # sums that are closer are equal
PAIR = 2  # agents, of which a question compares one with the other
MILLI = 1000.0
MOST_APART = 2.0  # the largest factor by which CPU times may differ and still count as about the same
NOT_EQUAL_TIME = "not equal time"
SPREADS = 2.0  # a share that differs by so much, at 50 %, differs by twice as many standard deviations of a game


@dataclass(frozen=True, kw_only=True)
class MatchTrial(PlayedTrial):
    """Games between named agents, and the published numbers, which docs/experiments.md lists."""

    agents: Agents
    scheme: Annotated[str, one_of("scheme", SCHEMES)] = "rotation"
    openings: Openings = "auto"
    limits: Limits = None
    equal_time: Annotated[float, number(1, MOST_APART, above=True)] = 0.0  # by which factor times differ at most
    times: Truth = False  # whether rows show times and claim nothing of them
    published: Annotated[Mapping[str, Any], table("number published", PUBLISHED)] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse a match that cannot be played, and numbers of unknown agents."""
        for name in self._said_of():
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
        for key in OF_HOW_MANY:
            if self.published.get(key) and "games" not in self.published:
                raise BadValue(f"published has {key}, but not of how many games: published.games is missing")
        plan = self.plan(1.0)
        self._check_seats(plan.game.seats)
        self._check_counts(plan)
        self._check_sums(plan)
        scoring = plan.game.scoring
        for name, payoff in self.published.get("payoff", {}).items():
            number(scoring.least, scoring.most)(f"the published payoff of {name}", payoff)
        texts = written_in_full(self.agents)
        for one, _, other in self.published.get("order", ()):
            pair = {plan.agents.index(texts[name]) for name in (one, other)}
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

    def _check_counts(self, plan: Plan) -> None:
        """Refuse more wins, draws and last places than games, and a share that is given twice."""
        given, games, seats = self.published, self.published.get("games", 0), plan.game.seats
        counts = {f"{key}.{name}": count for key in ("wins", "last") for name, count in given.get(key, {}).items()}
        counts |= {f"wins_by_seat.{name}": sum(wins) for name, wins in given.get("wins_by_seat", {}).items()}
        counts |= {key: sum(given[key]) for key in ("seat_wins", "seat_last") if key in given}
        for key, count in {**counts, **{key: given.get(key, 0) for key in ("draws", "breaches")}}.items():
            if count > games:
                raise BadValue(f"published.{key} is {count} in all, but there are {games} games")
        texts = written_in_full(self.agents)
        for name, wins in given.get("wins_by_seat", {}).items():
            of = games * _copies(np.isin(plan.seatings, plan.agents.index(texts[name]))) / seats
            if max(wins) > of:
                raise BadValue(f"published.wins_by_seat has {max(wins)}, but {of:g} games were in a seat")
        twice = [name for name in given.get("wins", {}) if name in given.get("percent", {})]
        if twice or {"seat_wins", "seat_percent"} <= {*given}:
            raise BadValue(f"published has wins and percent of {twice[0] if twice else 'seats'}; one is enough")

    def _check_sums(self, plan: Plan) -> None:
        """Refuse numbers that cannot be true together: more wins than games, and places that are too far behind."""
        given, agents = self.published, len(plan.agents)
        tables = agents / float(np.mean([len(set(seating)) for seating in plan.seatings]))  # for one game of each agent
        limits = [(key, tables) for key in ("wins", "percent")] + [(key, 1.0) for key in ("seat_wins", "seat_percent")]
        drawn = given.get("draws", 0)
        for key, most in limits:
            found = list(given[key].values() if key in BY_NAME else given[key]) if key in given else []
            if key.endswith("percent"):
                total, of, rounding = sum(found), 100 * most, sum(map(rounding_of, found))
            else:
                total, of, rounding = sum(found) + drawn * most, given.get("games", 0) * most, 0.0
            if found and total > of + rounding + NEAR:
                drawn_too = f" and {drawn} draws" if drawn and not key.endswith("percent") else ""
                raise BadValue(f"published.{key}{drawn_too} add up to {total:g}, and cannot exceed {of:g}")
        middle = (plan.game.seats + 1) / 2
        ranks = {"rank": list(given.get("rank", {}).values()), "seat_rank": list(given.get("seat_rank", ()))}
        even = len(set(np.bincount(np.array(plan.seatings).ravel()).tolist())) == 1  # as many seats for every agent
        for key, places in ranks.items():
            all_of_them = even and len(places) == (agents if key == "rank" else plan.game.seats)
            mean_place = sum(places) / max(1, len(places))
            if all_of_them and mean_place > middle + max(map(rounding_of, places)) + NEAR:
                raise BadValue(f"published.{key} has a mean of {mean_place:g}, and cannot exceed {middle:g}")

    def _said_of(self) -> Iterable[str]:
        for key in BY_NAME:
            yield from self.published.get(key, {})
        yield from self.published.get("alike", ())
        for one, _, other in self.published.get("order", ()):
            yield from (one, other)

    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played at a scale, with a seed."""
        texts = list(dict.fromkeys(written_in_full(self.agents).values()))
        tables = len(seatings(self.scheme, len(texts), find(self.game).seats, None))
        return Plan.make(
            self.game, texts, scheme=self.scheme, games=max(TrialSetup(scale).games(self.play), tables), seed=seed,
            openings=self.openings, limits=self.limits,
        )  # fmt: skip

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return wins, places and payoffs beside the published ones; of a question, what counts beside even shares."""
        games, tally = sample.games, _Tally(sample.games)
        number = {name: games.agents.index(text) for name, text in written_in_full(self.agents).items()}
        if setup.difference:
            return list(self._answers(tally, number, setup.difference))
        found: list[Fact] = []
        for name, agent in number.items():
            found += self._of_agent(name, games.seatings == agent, tally)
        found += self._of_games(tally)
        for seat in range(games.seatings.shape[1]):
            found += self._of_seat(seat, tally)
        found += [self._order(one, sign, other, number, games) for one, sign, other in self.published.get("order", ())]
        found += [self._seat_order(tally, *said) for said in self.published.get("seat_order", ())]
        if not (self.equal_time or self.times):
            return found
        efforts = self._efforts(sample, tally, number)
        if self.equal_time and _apart(efforts) > self.equal_time:
            found = [replace(fact, without_verdict=NOT_EQUAL_TIME) for fact in found]
        return found + self._times(efforts)

    def _answers(self, tally: "_Tally", number: Mapping[str, int], difference: float) -> Iterable[Fact]:
        """Yield how far the share of each agent, or of each seat where there is one agent, is from an even one.

        A win is divided where the best tie. Of two agents the difference is judged.
        """
        seats = tally.seats.shape[1]
        if not tally.scoring.by_wins:
            yield from self._earned(tally, number, difference)
            return
        if len(number) == PAIR:
            for name, agent in number.items():
                mine = tally.seatings == agent
                won = tally.by_block(divided_wins(tally.payoffs) * mine)
                yield share(f"{name} wins, in a seat", won, tally.by_block(mine))
            one, other = number
            yield paired(
                f"{one} wins, less {other}, in a seat", tally.seatings, divided_wins(tally.payoffs), tally.block,
                (number[one], number[other]), "=", difference, scale=POINTS,
            )  # fmt: skip
            return
        if len(number) > 1:
            groups = {f"{name} wins, in a seat": tally.seatings == agent for name, agent in number.items()}
        else:
            groups = {f"seat {seat + 1} wins": tally.seats == seat for seat in range(seats)}
        for what, mine in groups.items():
            held, won = tally.by_block(mine), tally.by_block(divided_wins(tally.payoffs) * mine)
            found = share(f"{what} (even: {100 / seats:.4g} %)", won, held, 1 / seats, margin=difference)
            yield replace(found, published=None)
        if len(number) == 1 and seats > 1:
            alike = equal_means(tally.by_block_and_seat(divided_wins(tally.payoffs)))
            yield Fact("all seats win equally often, p value", _told(alike.p))

    def _earned(self, tally: "_Tally", number: Mapping[str, int], difference: float) -> Iterable[Fact]:
        """Yield how far the mean payoff of each agent, or of each seat where there is one agent, is from that of all.

        A difference that matters is as large, in standard deviations of a game, as that of a share of 50 %. Of two
        agents the difference is judged.
        """
        scoring, middle, matters = tally.scoring, float(tally.payoffs.mean()), SPREADS * difference * tally.spread
        if len(number) == PAIR:
            yield from (self._shown_mean(name, tally.seatings == agent, tally) for name, agent in number.items())
            one, other = number
            yield replace(
                paired(
                    f"{one} earns, beside {other}", tally.seatings, tally.payoffs, tally.block,
                    (number[one], number[other]), "=", matters, scoring.span,
                ), published=None,
            )  # fmt: skip
            return
        if len(number) > 1:
            groups = {f"{name}, mean {scoring.unit}": tally.seatings == agent for name, agent in number.items()}
        else:
            groups = {
                f"seat {seat + 1}, mean {scoring.unit}": tally.seats == seat for seat in range(tally.seats.shape[1])
            }
        for what, mine in groups.items():
            sums, counts = tally.by_block(tally.payoffs * mine), tally.by_block(mine)
            found = mean(
                f"{what} (of all: {scoring.mean_text(middle)})", sums, counts, middle, 0.0, matters,
                least=float(scoring.least), most=float(scoring.most), declared=True,
            )  # fmt: skip
            yield replace(found, published=None)

    def _of_agent(self, name: str, mine: np.ndarray, tally: "_Tally") -> list[Fact]:
        given = {key: self.published.get(key, {}).get(name) for key in BY_NAME}
        found = []
        shown = not set(self.published) - {"games", *OF_GAMES} and len(self.agents) > 1
        if shown or {"wins", "percent"} & set(self.published):
            part = self._part(given["wins"], given["percent"])
            if shown and not tally.scoring.by_wins:
                found.append(self._shown_mean(name, mine, tally))
            else:
                found.append(self._share(f"{name} wins", tally.won, mine, tally, part))
        found += self._places(name, mine, tally, given["last"], given["rank"], self.published.get("rank", {}))
        if given["payoff"] is not None:
            found.append(
                self._mean(f"{name}, mean {tally.scoring.heading}", "payoff", tally.payoffs, mine, tally,
                           given["payoff"], self.published["payoff"])
            )  # fmt: skip
        for seat, wins in enumerate(given["wins_by_seat"] or ()):
            in_seat, of = mine & (tally.seats == seat), self.published["games"] * _copies(mine) / mine.shape[1]
            what = f"{name} wins in seat {seat + 1}"
            found.append(self._share(what, tally.won, in_seat, tally, (wins / of, 0.0), of))
        if name in self.published.get("alike", ()):
            p = equal_means(tally.by_block_and_seat(tally.won * mine)).p
            found.append(Fact(f"{name} wins alike in all seats, p value", _told(p)))
        return found

    def _of_games(self, tally: "_Tally") -> Iterable[Fact]:
        """Yield what is published of whole games."""
        first, given = tally.seats == 0, self.published
        if "draws" in given:
            yield self._share("drawn", tally.drawn, first, tally, self._part(given["draws"]))
        if "turns" in given:
            most = given["turns"]
            ended = np.broadcast_to((tally.plies <= most * first.shape[1])[:, None], first.shape)
            what = f"games of at most {most} turns each"
            yield from claimed([self._share(what, ended, first, tally, (1.0, 0.0))], EXACTLY)
        if "breaches" in given:
            broken = np.broadcast_to((tally.offenders >= 0)[:, None], first.shape)
            part = self._part(given["breaches"]) if given["breaches"] else (0.0, 0.0)
            found = self._share("games lost by a breach of limits", broken, first, tally, part)
            yield from claimed([found], ABOUT if given["breaches"] else EXACTLY)

    def _of_seat(self, seat: int, tally: "_Tally") -> list[Fact]:
        given = {key: self.published[key][seat] if key in self.published else None for key in BY_SEAT}
        mine, found = tally.seats == seat, []
        if given["seat_wins"] is not None or given["seat_percent"] is not None:
            part = self._part(given["seat_wins"], given["seat_percent"])
            found.append(self._share(f"seat {seat + 1} wins", tally.won, mine, tally, part))
        ranks = self.published.get("seat_rank", ())
        return found + self._places(f"seat {seat + 1}", mine, tally, given["seat_last"], given["seat_rank"], ranks)

    def _places(self, who: str, mine: np.ndarray, tally: "_Tally", last: Any, rank: Any, ranks: Any) -> list[Fact]:
        found = []
        if last is not None:
            found.append(self._share(f"{who} is last", tally.last, mine, tally, self._part(last)))
        if rank is not None:
            found.append(self._mean(f"{who}, mean place", "place", tally.place, mine, tally, rank, ranks))
        return found

    def _share(
        self, what: str, hits: np.ndarray, mine: np.ndarray, tally: "_Tally", part: tuple[float, float] | None,
        of: float | None = None,
    ) -> Fact:  # fmt: skip
        """Return in how many games something happens in one of these seats; `part` is published, with its rounding."""
        known = PublishedGames.of(self.published, self.assumed_games)
        games = known.number if of is None else of
        published, rounding = part or (None, 0.0)
        there = np.asarray(mine.any(axis=1))[:, None]
        held, happened = tally.by_block(there), tally.by_block(hits * mine)
        margin = self.margin_at(published)
        return share(what, happened, held, published, games, margin, rounding, known.assumed)

    def _part(self, count: float | None, percent: float | None = None) -> tuple[float, float] | None:
        """Return a published part of the games, and how far rounding may have moved it; None if there is none."""
        if percent is not None:
            return percent / 100, rounding_of(percent) / 100
        return None if count is None else (count / self.published["games"], 0.0)

    def _mean(
        self, what: str, kind: str, numbers: np.ndarray, mine: np.ndarray, tally: "_Tally", published: float, all_: Any
    ) -> Fact:
        """Return a mean over seats; the published one has the error that as many games as were published have here."""
        held = mine.sum(axis=1)
        games = (numbers * mine).sum(axis=1)[held > 0] / held[held > 0]
        known = PublishedGames.of(self.published, self.assumed_games, ASSUMED)
        error = error_of_mean(games, known.number)
        sums, counts = tally.by_block(numbers * mine), tally.by_block(mine)
        scoring, margin, paid = tally.scoring, self.margin_of(kind), kind == "payoff"
        least, most = 1.0, float(mine.shape[1])
        if paid:
            least, most, margin = float(scoring.least), float(scoring.most), margin * tally.spread
        return mean(
            what, sums, counts, published, error, margin, rounding_of(all_), least=least, most=most,
            declared=paid and not scoring.by_wins, assumed_games=known.assumed,
        )  # fmt: skip

    def _shown_mean(self, name: str, mine: np.ndarray, tally: "_Tally") -> Fact:
        """Return the mean payoff of an agent of which nothing is published."""
        sums, counts, scoring = tally.by_block(tally.payoffs * mine), tally.by_block(mine), tally.scoring
        what = f"{name}, mean {scoring.unit}"
        return mean(what, sums, counts, least=float(scoring.least), most=float(scoring.most), declared=True)

    def _order(self, one: str, sign: Any, other: str, number: Mapping[str, int], games: GameColumns) -> Fact:
        first, second = number[one], number[other]
        both = (games.seatings == first).any(axis=1) & (games.seatings == second).any(axis=1)
        return paired(
            f"{one} earns, beside {other}", games.seatings[both], games.payoffs[both], games.blocks[both],
            (first, second), sign, self.margin_of("payoff") * float(games.payoffs[both].std()), games.scoring.span,
        )  # fmt: skip

    def _efforts(self, sample: Sample, tally: "_Tally", number: Mapping[str, int]) -> dict[str, Effort]:
        """Return the CPU time of the moves of each agent."""
        if np.isnan(sample.cpu).any():
            key = "equal_time" if self.equal_time else "times"
            raise BadValue(f"{self.what}: {key} is of no use here: the CPU time of some moves is not known")
        return {
            name: Effort.of(
                name, np.bincount(tally.block, weights=sample.cpu[:, agent]),
                tally.by_block(sample.games.moves * (tally.seatings == agent)),
            )
            for name, agent in number.items()
        }  # fmt: skip

    def _times(self, efforts: Mapping[str, Effort]) -> list[Fact]:
        """Return the CPU time of a move of the first agent, and of the others as ratios to it."""
        first, *others = efforts
        found = [ratio(f"{first}, CPU time a move, ms", MILLI * efforts[first].sums, efforts[first].counts, digits=3)]
        for name in others:
            sums, bases = compared(efforts[name], efforts[first])
            found.append(ratio(f"{name}, CPU time a move as a ratio to {first}", sums, bases, unit="x", digits=3))
        return found

    def _seat_order(self, tally: "_Tally", one: int, sign: Any, other: int) -> Fact:
        """Return how much more one seat wins than another."""
        return paired(
            f"seat {one} wins, less seat {other}", tally.seats, tally.won.astype(float), tally.block,
            (one - 1, other - 1), sign, self.margin_of("share"),
        )  # fmt: skip


def _apart(efforts: Mapping[str, Effort]) -> float:
    """Return by which factor the mean CPU times of two agents differ, as far as is known: to the ends of intervals."""
    found = [ratio("", *compared(one, other), digits=6) for one, other in combinations(efforts.values(), 2)]
    return max(max(end, 1 / end) for fact in found for end in fact.interval or (inf,))


def _told(p: float) -> float | str:
    """Return a p value to be shown, which is never 0."""
    return round(p, P_DIGITS) if p >= LEAST_P else f"< {LEAST_P}"


def _copies(mine: np.ndarray) -> float:
    """Return how many seats an agent has in a game that it takes part in."""
    return float(mine.sum() / max(1, mine.any(axis=1).sum()))


class _Tally:
    """What is counted of games, by game and seat."""

    def __init__(self, games: GameColumns):
        self.won, _ = outcomes(games.payoffs)
        self.drawn = np.broadcast_to((games.payoffs == games.payoffs[:, :1]).all(axis=1)[:, None], self.won.shape)
        shares = place_shares(games.payoffs)  # and by place
        self.place, self.last = shares @ np.arange(1, shares.shape[2] + 1), shares[:, :, -1]
        self.seats = np.broadcast_to(np.arange(games.payoffs.shape[1]), self.won.shape)
        self.scoring, self.spread = games.scoring, float(games.payoffs.std())  # of the payoff of a seat in a game
        self.payoffs, self.seatings, self.plies, self.offenders = (
            games.payoffs, games.seatings, games.plies, games.offenders,
        )  # fmt: skip
        self.block = np.unique(games.blocks, return_inverse=True)[1]

    def by_block(self, numbers: np.ndarray) -> np.ndarray:
        """Return the sums of numbers by block."""
        return np.bincount(self.block, weights=numbers.sum(axis=1))

    def by_block_and_seat(self, numbers: np.ndarray) -> np.ndarray:
        """Return the sums of numbers by block and seat."""
        return np.stack([np.bincount(self.block, weights=column) for column in numbers.T], axis=1)
