"""A replay: the games of a document with its own seeds, reproduced number for number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from kibitz.lab.fact import Fact, exact
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import list_of, number, one_of, table, text, whole
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


@dataclass(frozen=True)
class ReplayTrial(Trial):
    """Series of games by the program of Colonizers' thesis, one after another from one dealer, whole at any scale."""

    dealer: Annotated[int, SEED]
    series: Annotated[Sequence[Mapping[str, Any]], list_of(table("key of a series", _SERIES, _NEEDED), 1)]

    @property
    def size(self) -> dict[str, int]:
        """The games of all series, which are played at any scale."""
        return {"games": sum(entry["games"] for entry in self.series)}

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Play all games again and compare every number with the published one."""
        dealer = Subtractive(self.dealer)
        return [fact for entry in self.series for fact in self._of_series(entry, dealer)]

    def _of_series(self, entry: Mapping[str, Any], dealer: Subtractive) -> list[Fact]:
        played = play_series(dealer, PLAYERS[entry["player"]], entry["seed"], entry["games"])
        places = np.array([np.argsort(ranking) for ranking in played if ranking]) + 1  # by game and seat
        counted = {
            "seat_wins": (places == 1).sum(axis=0).tolist(),
            "seat_last": (places == SEATS).sum(axis=0).tolist(),
            "seat_rank": places.mean(axis=0).round(3).tolist(),
        }
        found, published = list[Fact](), entry.get("published", {})
        for key, numbers in counted.items():
            for seat, ours in enumerate(numbers):
                what = f"{entry['what']}: seat {seat + 1}, {_PHRASES[key]}"
                if key in published:
                    theirs = published[key][seat]
                    found.append(exact(what, theirs, ours, ours == theirs))
                else:
                    found.append(Fact(what, ours))
        return found
