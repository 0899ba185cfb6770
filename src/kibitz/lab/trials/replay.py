"""A replay: the games of a document with its own seeds, number for number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.finding import Finding
from kibitz.lab.programs.colonizers import SEATS, play_series
from kibitz.lab.programs.colonizers_players import PLAYERS
from kibitz.lab.programs.subtractive import Subtractive
from kibitz.lab.trials.trial import Bench, Trial

COUNTED = ("seat_wins", "seat_last", "seat_rank")
_PHRASES = {"seat_wins": "wins", "seat_last": "is last", "seat_rank": "mean place"}
_SERIES = ("what", "player", "seed", "games", "published")


@dataclass(frozen=True)
class Replay(Trial):
    """Series of games by the program of Colonizers' thesis, one after another from one dealer, whole at any scale."""

    dealer: int  # its seed
    series: Sequence[Mapping[str, Any]]
    why: str = ""

    @property
    def size(self) -> dict[str, int]:
        """The games of all series, which are played at any scale."""
        return {"games": sum(entry["games"] for entry in self.series)}

    def check(self) -> None:
        """Refuse players and numbers that the program does not have."""
        for entry in self.series:
            for key in entry:
                if key not in _SERIES:
                    raise UnknownName("key of a series", key, _SERIES)
            for key in ("what", "player", "seed", "games"):
                if key not in entry:
                    raise BadValue(f"a series lacks {key}")
            if entry["player"] not in PLAYERS:
                raise UnknownName("player of the program", str(entry["player"]), PLAYERS)
            for key in entry.get("published", {}):
                if key not in COUNTED:
                    raise UnknownName("number published", key, COUNTED)

    def run(self, bench: Bench) -> list[Finding]:
        """Play all games again and hold every number against the published one, which it equals or not."""
        dealer = Subtractive(self.dealer)
        return [finding for entry in self.series for finding in self._findings(entry, dealer)]

    def _findings(self, entry: Mapping[str, Any], dealer: Subtractive) -> list[Finding]:
        played = play_series(dealer, PLAYERS[entry["player"]], entry["seed"], entry["games"])
        places = np.array([np.argsort(ranking) for ranking in played if ranking]) + 1  # by game and seat
        counted = {
            "seat_wins": (places == 1).sum(axis=0).tolist(),
            "seat_last": (places == SEATS).sum(axis=0).tolist(),
            "seat_rank": places.mean(axis=0).round(3).tolist(),
        }
        found, published = [], entry.get("published", {})
        for key, numbers in counted.items():
            for seat, number in enumerate(numbers):
                theirs = published[key][seat] if key in published else None
                equal = None if theirs is None else number == theirs
                what = f"{self.what}, {entry['what']}: seat {seat + 1}, {_PHRASES[key]}"
                found.append(Finding(what, theirs, number, None, equal, equal, "", "" if equal else self.why))
        return found
