"""Places in an experiment: where an agent finishes in the games that it does not win."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from kibitz.arena.results.statistics.outcome import outcomes, place_shares
from kibitz.core.errors import BadValue, UnknownName
from kibitz.games import find
from kibitz.lab.fact import Fact, share
from kibitz.lab.trials.match_trial import MatchTrial
from kibitz.lab.trials.sample import Sample
from kibitz.lab.trials.trial import TrialSetup, written_in_full
from kibitz.lab.validation import list_of, table_of, whole

ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, kw_only=True)
class PlacesTrial(MatchTrial):
    """A match of which a document also says in which places an agent finished that did not win."""

    # By name: in how many games it was second, third and so on.
    behind: Annotated[Mapping[str, Sequence[int]], table_of(list_of(whole(), 1))] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse places that the game does not have, and those of unknown agents."""
        super().check()
        seats = find(self.game).seats
        for name, counts in self.behind.items():
            if name not in self.agents:
                raise UnknownName("agent of this trial", name, self.agents)
            if len(counts) != seats - 1:
                raise BadValue(f"behind.{name} needs a number for each place from the second to the last, {seats - 1}")
            if not sum(counts):
                raise BadValue(f"behind.{name} has no games: {counts!r}")

    def found(self, sample: Sample, setup: TrialSetup) -> list[Fact]:
        """Return what a match finds, and how often each place behind the winner was reached."""
        return [*super().found(sample, setup), *self._behind(sample)]

    def _behind(self, sample: Sample) -> list[Fact]:
        games, texts = sample.games, written_in_full(self.agents)
        won, _ = outcomes(games.payoffs)
        places = place_shares(games.payoffs)
        block = np.unique(games.blocks, return_inverse=True)[1]
        found = []
        for name, counts in self.behind.items():
            lost = (games.seatings == games.agents.index(texts[name])) & (won == 0)
            of = np.bincount(block, weights=lost.sum(axis=1))
            for place, count in enumerate(counts[:-1], 1):  # the last place follows from the others
                hits = np.bincount(block, weights=(places[:, :, place] * lost).sum(axis=1))
                what = f"{name} is {ORDINALS[place]} in games that it does not win"
                part = count / sum(counts)
                found.append(share(what, hits, of, part, sum(counts), self.margin_at(part)))
        return found
