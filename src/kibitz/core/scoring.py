"""Scoring: what counts in a game, wins or the payoff, and how payoffs are written, divided and compared.

Payoffs are kept and shown as the rules write them. Only searches see them from 0 to 1 (`payoff` of core/calls.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import floor, log10
from typing import Any

from kibitz.core.errors import BadGame, BadValue
from kibitz.core.payoff import Payoff

_EXAMPLE = 'PAYOFF = Payoff("stars", least=0, most=25)'
_DIGITS = 3  # of a payoff that lies between 0 and 1


@dataclass(frozen=True)
class Scoring:
    """What counts in a game; without a unit, wins."""

    unit: str = ""
    least: int = 0
    most: int = 1
    total: float | None = None  # what all seats earn together, where that is always the same
    shared: bool = False  # whether all seats earn the same

    @classmethod
    def declared(cls, game: str, payoff: object, total: float | None, shared: bool, seats: int) -> "Scoring":
        """Return the scoring of a game from what its rules declare; refuse what does not fit together."""
        if payoff is None and shared:
            raise BadGame(f"{game}: SHARED needs PAYOFF, which says what all earn, as in {_EXAMPLE}")
        if payoff is not None and not isinstance(payoff, Payoff):
            raise BadGame(f"{game}: the function scoring returns {payoff!r:.80}; it must be as in {_EXAMPLE}")
        found = cls(total=total) if payoff is None else cls(payoff.unit, payoff.least, payoff.most, total, shared)
        if total is not None and not found.least * seats <= total <= found.most * seats:
            earned = f"{seats} seats that earn {found.range} each cannot earn that together"
            raise BadGame(f"{game}: PAYOFF_SUM is {total:g}, but {earned}")
        return found

    @classmethod
    def of_plan(cls, plan: Mapping[str, Any]) -> "Scoring":
        """Return the scoring of the game of a plan that is plain data; a plan names it where payoffs count."""
        return cls(**plan["scoring"]) if plan.get("scoring") else cls()

    @property
    def by_wins(self) -> bool:
        """Whether wins count."""
        return not self.unit

    @property
    def span(self) -> int:
        """How far the greatest payoff is from the least."""
        return self.most - self.least

    @property
    def heading(self) -> str:
        """What a column of payoffs is called."""
        return self.unit or "payoff"

    @property
    def range(self) -> str:
        """The range in words, as in `-26 to 0 points`."""
        return f"{self.least:,} to {self.most:,}{self.unit and f' {self.unit}'}"

    def as_plan(self) -> dict[str, Any]:
        """Return what a plan names of it: nothing where wins count."""
        return {} if self.by_wins else {"scoring": asdict(self)}

    @property
    def demand(self) -> str:
        """What payoffs must be, in words."""
        within = "payoffs must lie between 0 and 1" if self.by_wins else f"PAYOFF says {self.range}"
        return f"{within}, and SHARED that all seats earn the same" if self.shared else within

    def fits(self, earned: Sequence[float]) -> bool:
        """Return whether payoffs lie in the range, and are equal where they are shared."""
        within = all(self.least <= amount <= self.most for amount in earned)
        return within and (not self.shared or len(set(earned)) == 1)

    def refuse_shared(self, what: str) -> None:
        """Refuse something that has no meaning where all seats earn the same."""
        if self.shared:
            raise BadValue(f"{what}, and in this game all seats earn the same")

    def as_parts(self, earned: Sequence[float]) -> list[float]:
        """Return payoffs as searches see them, from 0 to 1."""
        return [amount if self.by_wins else (amount - self.least) / self.span for amount in earned]

    def as_payoff(self, part: float) -> float:
        """Return the payoff that searches see as a number from 0 to 1."""
        return part if self.by_wins else self.least + part * self.span

    def failed(self, names: Sequence[str], seat: int) -> list[float]:
        """Return what seats earn if one fails: it and copies of its agent the least, unless all are copies.

        The others divide the rest of what all earn together; where that is not fixed, they get the middle of the range.
        Where payoffs are shared, all get the least.
        """
        seats = range(len(names))
        others = [at for at in seats if names[at] != names[seat]] or [at for at in seats if at != seat]
        if self.shared or not others:
            return [float(self.least)] * len(names)
        if self.by_wins:
            rest = 1 / len(others)
        elif self.total is None:
            rest = (self.least + self.most) / 2
        else:
            rest = min(float(self.most), (self.total - self.least * (len(names) - len(others))) / len(others))
        return [rest if at in others else float(self.least) for at in seats]

    def level(self, seats: int) -> list[float]:
        """Return what seats earn if nobody wins or loses: equal parts, the middle of the range, or the least if shared.

        A game that seats play together and do not finish has earned them nothing.
        """
        if self.by_wins:
            each = 1 / seats
        elif self.shared:
            each = float(self.least)
        else:
            each = (self.least + self.most) / 2 if self.total is None else self.total / seats
        return [each] * seats

    def mean_text(self, mean: float, sign: str = "", more: int = 0) -> str:
        """Return a mean with as many digits as its range deserves, and `more`; `sign` is that of a format."""
        digits = max(0, _DIGITS - floor(log10(self.span))) + more
        return f"{mean:{sign}.{digits}f}"

    def span_text(self, interval: Sequence[float]) -> str:
        """Return an interval of means as text."""
        low, high = map(self.mean_text, interval)
        return f"{low} – {high}" if self.least >= 0 else f"{low} … {high}"

    def amount_text(self, amount: float) -> str:
        """Return a payoff with its unit, as in `17 points`."""
        unit = self.unit.removesuffix("s") if abs(amount) == 1 else self.unit
        return f"{number_of(amount)} {unit}".rstrip()

    def together_text(self, amount: float) -> str:
        """Return what seats scored together, as in `17 of 25 stars`."""
        of = f" of {self.most:,}" if self.least == 0 else ""
        return f"{number_of(amount)}{of} {self.unit}" if of else self.amount_text(amount)

    def result_text(self, earned: Sequence[float], names: Sequence[str]) -> str:
        """Return what seats earned, as in `first earns 2 chips, second -2`, or what they scored together."""
        if self.shared:
            return f"together {self.together_text(earned[0])}"
        first, *others = zip(names, earned, strict=True)
        told = [f"{first[0]} earns {self.amount_text(first[1])}", *(f"{name} {number_of(one)}" for name, one in others)]
        return ", ".join(told)


def number_of(amount: float) -> str:
    """Return a payoff as text, with a few digits."""
    return f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.3g}" if abs(amount) < 100 else f"{amount:,.1f}"


WINS = Scoring()  # what counts where nothing else is declared
