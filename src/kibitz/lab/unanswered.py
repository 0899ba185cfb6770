"""What an open row takes: how many more games would tell, or why no number is known to."""

from math import ceil, isfinite

from kibitz.arena.results.statistics.verdict import Assessment
from kibitz.lab.fact import Fact

TOO_FEW_PUBLISHED = "too few published games to agree"
TOO_FEW_DIGITS = "too few published digits to agree"
AS_SEEN = "to show a difference, if it is as large as it looks"
NO_DIFFERENCE = "no difference is seen, so no number of games is known to show one"
UNKNOWN_SPREAD = "its spread is not known"
UNKNOWN_GAMES = "it is not made of games"
ENOUGH = "there are enough games"


def what_it_takes(assessed: Assessment, fact: Fact, games: int) -> tuple[int | None, str]:
    """Return how many more games would probably tell, and what that means or why there is no such number."""
    assert fact.gap is not None
    if not games:
        return None, UNKNOWN_GAMES
    if not isfinite(fact.gap.errors[0]):
        return None, UNKNOWN_SPREAD
    agree, differ = _more(assessed.more_games, games), _more(assessed.more_games_to_differ, games)
    if fact.claim != "=":
        return (agree, "") if agree else (None, NO_DIFFERENCE if agree is None else _enough(assessed))
    if not fact.margin:
        return (differ, AS_SEEN) if differ else (None, NO_DIFFERENCE if differ is None else _enough(assessed))
    if agree is None:
        return None, TOO_FEW_DIGITS if fact.gap.rounding >= fact.margin else TOO_FEW_PUBLISHED
    if agree:
        return agree, ""
    return (differ, f"{AS_SEEN}; p alone {assessed.p:.2g}") if differ else (None, _enough(assessed))


def _more(factor: float | None, games: int) -> int | None:
    return None if factor is None else ceil((factor - 1) * games)


def _enough(assessed: Assessment) -> str:
    return f"{ENOUGH}; p alone {assessed.p:.2g}"
