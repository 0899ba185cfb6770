"""A ranking: which of many agents plays best, by ratings with intervals, until its first places are certain."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, log2
from typing import Annotated, Any

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import RULERS, SCHEMES, seatings
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.statistics.evidence import ALPHA
from kibitz.arena.results.statistics.fairness import holm
from kibitz.arena.results.statistics.rating import rate
from kibitz.arena.results.tournament_result import StandingRow, standings
from kibitz.arena.session import Interrupted
from kibitz.core.errors import BadValue
from kibitz.core.seeds import TRIAL, derive_seed
from kibitz.games import find
from kibitz.lab.fact import Fact
from kibitz.lab.trials.match_trial import MatchTrial
from kibitz.lab.trials.sample import Sample, joined
from kibitz.lab.trials.trial import TrialSetup
from kibitz.lab.validation import one_of, refuse, whole

DIGITS = 3  # of a mean payoff
_UNTIL = re.compile(r"first (\d+) certain")


def _until(key: str, value: Any) -> None:
    """Refuse all but a number of places that are to be certain."""
    if not isinstance(value, str) or not _UNTIL.fullmatch(value):
        refuse(key, 'a text such as "first 3 certain"', value)


@dataclass(frozen=True, kw_only=True)
class RankingTrial(MatchTrial):
    """Games between named agents under the same conditions; the best is listed first.

    With `until`, a first stage of `play` games between all agents is followed by stages between those whose places are
    open, each as long as all before it, until the first places are certain, or until `most` games are played.
    """

    scheme: Annotated[str, one_of("scheme", SCHEMES)] = "circle"
    until: Annotated[str, _until] = ""
    most: Annotated[int, whole(0)] = 0  # games in all

    @property
    def places(self) -> int:
        """How many places are to be certain; 0 if the number of games is fixed."""
        found = _UNTIL.fullmatch(self.until)
        return int(found[1]) if found else 0

    @property
    def games(self) -> int:
        """How many games are played at full scale, at most."""
        return max(self.play, self.most) * self.streams

    @property
    def looks(self) -> int:
        """How often it is asked whether places are certain, at most."""
        return 1 + ceil(log2(self.most / self.play)) if self.places else 1

    def check(self) -> None:
        """Refuse a match that cannot be played, published numbers, and stages without an end."""
        if self.published:
            raise BadValue(f"a ranking has nothing published, not {dict(self.published)!r}; a match may have it")
        if self.places and self.most < self.play:
            raise BadValue(f"most is {self.most}, but the first stage alone has {self.play} games; how many at most?")
        if self.places >= len(self.agents) or (self.until and not self.places):
            raise BadValue(f"until says {self.until!r}, but there are {len(self.agents)} agents")
        if self.most and not self.until:
            raise BadValue("most is of no use without until")
        super().check()
        find(self.game).scoring.refuse_shared("a ranking asks who earns more than the others")

    def _played(self, setup: TrialSetup, seed: int) -> Sample:
        """Play all stages."""
        found = super()._played(setup, seed)
        while self.places and (rivals := self._open(found)):
            games = len(found.games.numbers)
            left = min(games, setup.games(self.most) - games)
            plan = self._stage(rivals, found, left, derive_seed(seed, TRIAL, len(found.runs)))
            if plan is None:
                break
            try:
                found = joined([found, self._sample(plan, setup).among(found.games.agents)])
            except Interrupted as stop:
                raise Interrupted(joined([found, stop.result.among(found.games.agents)])) from None
        return replace(found, seeds=(seed,))  # those of later stages follow from it

    def _stage(self, rivals: Sequence[int], found: Sample, most: int, seed: int) -> Plan | None:
        """Return a stage of games among these agents, in whole blocks; None if no block fits."""
        texts = [found.games.agents[agent] for agent in rivals]
        seats = find(self.game).seats
        fits = self.scheme != "circle" or len(rivals) > RULERS[seats][-1]
        scheme = self.scheme if fits else "round-robin"
        block = len(seatings(scheme, len(texts), seats, None))
        if most < block:
            return None
        games = most // block * block
        return Plan.make(
            self.game, texts, scheme=scheme, games=games, seed=seed, openings=self.openings, limits=self.limits,
        )  # fmt: skip

    def _open(self, found: Sample) -> list[int]:
        """Return the agents whose order is not certain, the best first, with enough others to fill a table."""
        order, unsure = self._unsure(found)
        if not unsure:
            return []
        wanted = {agent for pair in unsure for agent in pair}
        seats = found.games.seatings.shape[1]
        others = [agent for agent in order if agent not in wanted]
        wanted |= {*others[: max(0, seats - len(wanted))]}
        return [agent for agent in order if agent in wanted]

    def _unsure(self, found: Sample) -> tuple[list[int], list[tuple[int, int]]]:
        """Return all agents, the best first, and pairs of them whose order must be certain and is not.

        P values are corrected for the pairs by Holm's method, and for all looks by Bonferroni's.
        """
        games = found.games
        if not games.scoring.by_wins:
            return self._unsure_of_payoffs(games)
        ratings = rate(games.seatings, games.payoffs, games.blocks, len(games.agents))
        order = sorted(range(len(games.agents)), key=lambda agent: -ratings.agents[agent].points)
        pairs = [(order[one], order[other]) for one, other in combinations(range(len(order)), 2) if one < self.places]
        corrected = holm([2 * (1 - ratings.better[pair]) for pair in pairs])
        return order, [pair for pair, p in zip(pairs, corrected, strict=True) if p >= ALPHA / self.looks]

    def _unsure_of_payoffs(self, games: GameColumns) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the same where payoffs count: agents by mean payoff, and pairs that may earn the same."""
        ranked = standings(games, stopped=False)
        order, p = list(ranked.order), {(pair.rank, pair.other_rank): pair.p for pair in ranked.encounters}
        ranks = [(one, other) for one, other in combinations(range(1, len(order) + 1), 2) if one <= self.places]
        corrected = holm([p.get(pair, 1.0) for pair in ranks])
        unsure = [pair for pair, value in zip(ranks, corrected, strict=True) if value >= ALPHA / self.looks]
        return order, [(order[one - 1], order[other - 1]) for one, other in unsure]

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return the rating of every agent on the Elo scale, whose mean is 0, or its mean payoff where that counts."""
        names, scoring = self.names_in(sample), sample.games.scoring
        ranked = standings(sample.games, stopped=False).rows
        found = [
            _rated(f"{place}. {names[row.agent]}", row) if scoring.by_wins
            else Fact(
                f"{place}. {names[row.agent]}", round(row.mean_payoff, DIGITS),
                interval=(round(row.payoff_interval[0], DIGITS), round(row.payoff_interval[1], DIGITS)),
                unit=scoring.unit,
            )
            for place, row in enumerate(ranked, 1)
        ]  # fmt: skip
        return found + ([self._certain(sample, names)] if self.places else [])

    def _certain(self, sample: Sample, names: dict[str, str]) -> Fact:
        """Return whether the first places are certain."""
        _, unsure = self._unsure(sample)
        told = [f"{names[sample.games.agents[one]]} or {names[sample.games.agents[other]]}" for one, other in unsure]
        shown = f"open: {'; '.join(told)}" if told else "certain"
        return Fact(f"the first {self.places} places", f"{shown}, after {len(sample.games.numbers):,} games")


def _rated(what: str, row: StandingRow) -> Fact:
    assert row.rating is not None
    assert row.interval is not None
    return Fact(what, round(row.rating), interval=(round(row.interval[0]), round(row.interval[1])), unit="Elo")
