"""Measures in an experiment: what a document says of games in passing, counted in records of games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import SCHEMES, seatings
from kibitz.core.errors import BadValue
from kibitz.games import find
from kibitz.lab.fact import Fact, mean_bound, ratio, rounding_of
from kibitz.lab.trials.published_games import ASSUMED, PublishedGames
from kibitz.lab.trials.published_games import KEY as GAMES
from kibitz.lab.trials.sample import Sample
from kibitz.lab.trials.trial import PlayedTrial, TrialSetup, written_in_full
from kibitz.lab.validation import Agents, Form, Text, list_of, one_of, table, whole
from kibitz.plugins.documents.cartagena_measures import MEASURES, SHARES, Course
from kibitz.plugins.documents.published_share import amount_or_bound, beside_published, bound_of, per_cent_or_bound

GAME = "cartagena"
DIGITS = 3
_PUBLISHED: dict[str, Form] = {name: per_cent_or_bound if name in SHARES else amount_or_bound for name in MEASURES}
_PUBLISHED[GAMES] = whole(1)


@dataclass(frozen=True, kw_only=True)
class MeasuresTrial(PlayedTrial):
    """Games of Cartagena between named agents, and what is counted in them; shares are published in per cent."""

    RECORDS: ClassVar[bool] = True

    agents: Agents
    figures: Annotated[Sequence[str], list_of(one_of("figure", MEASURES), 1)]
    scheme: Annotated[str, one_of("scheme", SCHEMES)] = "rotation"
    value: Text = "utility"  # whose ratios are influences
    published: Annotated[Mapping[str, Any], table("figure", _PUBLISHED)] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse other games, and numbers of figures that are not counted."""
        game = self.plan().game
        if game.name != GAME:
            raise BadValue(f"these measures are of {GAME}, not of {game.name}")
        game.value(self.value)
        for name in self.published:
            if name not in (*self.figures, GAMES):
                raise BadValue(f"published has {name}, which is not among figures")

    def plan(self, scale: float = 1.0, seed: int = 1) -> Plan:
        """Return what is played at a scale, with a seed."""
        texts = list(dict.fromkeys(written_in_full(self.agents).values()))
        tables = len(seatings(self.scheme, len(texts), find(self.game).seats, None))
        games = max(TrialSetup(scale).games(self.play), tables)
        return Plan.make(self.game, texts, scheme=self.scheme, games=games, seed=seed)

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return what is counted, by figure."""
        game = self.plan().game
        courses = [Course.read(game, game.value(self.value), line) for line in sample.records]
        _, block = np.unique(sample.games.blocks, return_inverse=True)
        return [self._figure(name, courses, block) for name in self.figures]

    def _figure(self, name: str, courses: Sequence[Course], block: np.ndarray) -> Fact:
        what, counted = MEASURES[name]
        pairs = np.array([counted(course) for course in courses], dtype=float)
        sums, of = (np.bincount(block, weights=column) for column in pairs.T)
        published = self.published.get(name)
        if name in SHARES:
            return beside_published(self, what, sums, of, published)
        if isinstance(published, str):
            return mean_bound(what, sums, of, *bound_of(published), DIGITS)
        rounding = 0.0 if published is None else rounding_of(published)
        games = PublishedGames.of(self.published, self.assumed_games, ASSUMED)
        return ratio(
            what, sums, of, published, self.margin_of("count"), rounding, digits=DIGITS,
            times=games.times(len(courses)), assumed_games=games.assumed,
        )  # fmt: skip
