"""The stop rule of a plan: `stop = { better = "+3 %", alpha = 0.05, beta = 0.05 }`."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.scoring import WINS, Scoring

MEASURES = ("payoff", "wins")


@dataclass(frozen=True)
class StopRule:
    """When to stop a tournament."""

    better: float  # by how much the hero must be better: 0.03 for "+3 %", or in the unit of the payoff
    alpha: float = 0.05
    beta: float = 0.05
    games: int | None = None  # at most; then it stays undecided
    of: str = "payoff"  # or "wins"

    @classmethod
    def read(cls, given: Any, scoring: Scoring = WINS) -> "StopRule":
        """Read `stop = {better = "+3 %", alpha = 0.05, beta = 0.05, games = 20000, of = "payoff"}`.

        Where payoffs count, `better = "+0.5"` or `"+0.5 points"` is in their unit.
        """
        scoring.refuse_shared("stop asks whether the hero earns more than others")
        if not isinstance(given, dict):
            raise BadValue(f'stop must look like {{better = "+3 %", alpha = 0.05}}, not {given!r}')
        known = ("better", "alpha", "beta", "games", "of")
        for key in given:
            if key not in known:
                raise UnknownName("key of stop", str(key), known)
        if "better" not in given:
            raise BadValue('stop lacks better, the difference to look for, for example better = "+3 %"')
        games, of = given.get("games"), given.get("of", "payoff")
        if games is not None and (not isinstance(games, int) or isinstance(games, bool) or games < 1):
            raise BadValue(f"games of stop must be a whole number of at least 1, not {games!r}")
        if of not in MEASURES:
            raise BadValue(f'of in stop must be "payoff" or "wins", not {of!r}')
        alpha, beta = _chance("alpha", given.get("alpha", 0.05)), _chance("beta", given.get("beta", 0.05))
        units = of == "payoff" and not scoring.by_wins
        better = _amount(given["better"], scoring) if units else _points(given["better"])
        return cls(better, alpha, beta, games, of)


def _amount(text: Any, scoring: Scoring) -> float:
    """Read "+0.5", "+0.5 points" or 0.5."""
    number: Any = text
    if isinstance(text, str):
        try:
            number = float(text.strip().removesuffix(scoring.unit))
        except ValueError:
            number = None
    if not isinstance(number, Real) or isinstance(number, bool) or not 0 < float(number) < scoring.span:
        raise BadValue(
            f"better must be a difference in {scoring.unit} above 0 and below {scoring.span:,}, for example "
            f'"+{scoring.span / 100:g}", not {text!r}; per cent are for of = "wins"'
        )
    return float(number)


def _points(text: Any) -> float:
    """Read "+3 %" or 0.03."""
    number: Any = text
    if isinstance(text, str):
        try:
            number = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
        except ValueError:
            number = None
    if not isinstance(number, Real) or isinstance(number, bool) or not 0 < float(number) < 1:
        raise BadValue(f'better must be a difference above 0 and below 100 %, for example "+3 %", not {text!r}')
    return float(number)


def _chance(name: str, given: Any) -> float:
    if not isinstance(given, Real) or isinstance(given, bool) or not 0 < float(given) < 0.5:
        raise BadValue(f"{name} must be a number above 0 and below 0.5, for example 0.05, not {given!r}")
    return float(given)
