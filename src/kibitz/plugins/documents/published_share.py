"""Published shares in per cent and amounts, and bounds such as ">50", where a document says no more than that."""

from typing import Any

import numpy as np

from kibitz.lab.fact import Fact, bound, rounding_of, share
from kibitz.lab.trials.published_games import KEY as GAMES
from kibitz.lab.trials.published_games import PublishedGames
from kibitz.lab.trials.trial import Trial
from kibitz.lab.validation import number, refuse

SIGNS = {"<": "less than", ">": "more than"}


def per_cent_or_bound(key: str, value: Any) -> None:
    """Refuse a value that is neither a percentage nor a bound of one."""
    number(0, 100)(key, _limit_of(key, value))


def amount_or_bound(key: str, value: Any) -> None:
    """Refuse a value that is neither an amount above 0 nor a bound of one."""
    number(0, above=True)(key, _limit_of(key, value))


def _limit_of(key: str, value: Any) -> Any:
    """Return the number in a bound; any other value as it is."""
    try:
        least = float(value[1:]) if isinstance(value, str) and value[:1] in SIGNS else value
    except ValueError:
        least = value
    if isinstance(least, str):
        refuse(key, 'a number, or a bound such as ">50"', value)
    return least


def bound_of(published: str) -> tuple[str, float, str]:
    """Return the sign, the limit, and a bound in words."""
    limit = float(published[1:])
    return published[0], limit, f"{SIGNS[published[0]]} {limit:g}"


def beside_published(
    trial: Trial, what: str, hits: np.ndarray, of: np.ndarray, published: float | str | None, games: float = 0
) -> Fact:  # fmt: skip
    """Return a share, from counts by block, beside the published one of so many games, or beside its bound.

    Without a number of games it is of those that the trial assumes.
    """
    if isinstance(published, str):
        sign, limit, said = bound_of(published)
        return bound(what, hits, of, sign, limit / 100, f"{said} %")
    if published is None:
        return share(what, hits, of)
    part = published / 100
    known = PublishedGames.of({GAMES: games}, 0 if games else trial.assumed_games)
    margin, rounding = trial.margin_at(part), rounding_of(published) / 100
    return share(what, hits, of, part, known.number, margin, rounding, known.assumed)
