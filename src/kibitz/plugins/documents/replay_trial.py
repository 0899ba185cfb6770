"""A replay: the games of a document with the seeds of its program, number for number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from kibitz.lab.fact import Fact, exact
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import Truth, list_of, number, one_of, table, text, whole
from kibitz.plugins.documents.programs.colonizers import SEATS, play_series
from kibitz.plugins.documents.programs.colonizers_players import PLAYERS
from kibitz.plugins.documents.programs.subtractive import Subtractive

COUNTED = ("seat_wins", "seat_last", "seat_rank")
_PHRASES = {"seat_wins": "wins", "seat_last": "is last", "seat_rank": "mean place"}
SEED = whole(0, 2**31 - 1)  # of the program's generator
_PUBLISHED = dict.fromkeys(COUNTED, list_of(number(0), SEATS, SEATS))
_SERIES = {
    "what": text, "player": one_of("player of the program", PLAYERS), "seed": SEED, "games": whole(1),
    "published": table("number published", _PUBLISHED),
}  # fmt: skip
_NEEDED = ("what", "player", "seed", "games")

ITSELF, FIRST, EACH = "itself", "first", "each"
SHUFFLES = {
    ITSELF: "one generator with this seed shuffles for all games",
    FIRST: "a generator with this seed draws the seed of one that shuffles for all games",
    EACH: "a generator with this seed, made for each series, draws the seed of a new one for every game",
}
DRAWN_BELOW = 99  # the program draws seeds from 0 to 98


@dataclass(frozen=True)
class ReplayTrial(Trial):
    """Series of games by the program of Colonizers' thesis, one after another, whole at any scale."""

    seed: Annotated[int, SEED]
    shuffles: Annotated[str, one_of("use of the seed", SHUFFLES)]
    series: Annotated[Sequence[Mapping[str, Any]], list_of(table("key of a series", _SERIES, _NEEDED), 1)]
    numbers: Truth = True  # whether every number has a row, or only how many are equal

    @property
    def size(self) -> dict[str, int]:
        """The games of all series, which are played at any scale."""
        return {"games": sum(entry["games"] for entry in self.series)}

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Play all games again, compare every number with the published one, and count those that are equal.

        Where every number has a row, the count says nothing more, and has no verdict.
        """
        shuffler = Subtractive(Subtractive(self.seed).below(DRAWN_BELOW) if self.shuffles == FIRST else self.seed)
        compared = [fact for entry in self.series for fact in self._numbers(entry, shuffler)]
        said = [fact for fact in compared if fact.agrees is not None]
        equal = sum(fact.agrees is True for fact in said)
        what = "published numbers that are equal"
        if self.numbers:
            return [Fact(what, equal, len(said)), *compared] if said else compared
        return [exact(what, len(said), equal, equal == len(said))] if said else []

    def _dealers(self, shuffler: Subtractive) -> Iterator[Subtractive]:
        """Yield the generator that shuffles for each game of a series."""
        drawn = Subtractive(self.seed)
        while True:
            yield Subtractive(drawn.below(DRAWN_BELOW)) if self.shuffles == EACH else shuffler

    def _numbers(self, entry: Mapping[str, Any], shuffler: Subtractive) -> Iterator[Fact]:
        played = play_series(self._dealers(shuffler), PLAYERS[entry["player"]], entry["seed"], entry["games"])
        places = np.array([np.argsort(ranking) for ranking in played if ranking]) + 1  # by game and seat
        counted = {
            "seat_wins": (places == 1).sum(axis=0).tolist(),
            "seat_last": (places == SEATS).sum(axis=0).tolist(),
            "seat_rank": places.mean(axis=0).round(3).tolist(),
        }
        published = entry.get("published", {})
        for key, ours in counted.items():
            for seat in range(SEATS):
                what = f"{entry['what']}: seat {seat + 1}, {_PHRASES[key]}"
                if key not in published:
                    yield Fact(what, ours[seat])
                else:
                    yield exact(what, published[key][seat], ours[seat], ours[seat] == published[key][seat])
