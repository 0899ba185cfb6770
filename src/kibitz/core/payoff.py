"""A payoff: what the rules pay each seat at the end, in a unit of its own and between two bounds."""

from dataclasses import dataclass

from kibitz.core.errors import BadGame

LONGEST_UNIT = 20  # characters
MOST_PAID = 10**9


@dataclass(frozen=True)
class Payoff:
    """What the rule `payoff` writes: a number of `unit`, such as points, from `least` to `most`."""

    unit: str
    least: int
    most: int

    def __post_init__(self) -> None:
        """Refuse a unit that is no word, and bounds that leave nothing between them."""
        if not isinstance(self.unit, str) or not self.unit.strip() or not self.unit.isprintable():
            raise BadGame(f"the unit of a Payoff is {self.unit!r}; it must be a word in the plural, such as points")
        if len(self.unit) > LONGEST_UNIT:
            raise BadGame(f"the unit of a Payoff is {self.unit!r}; it may have {LONGEST_UNIT} characters at most")
        for name, bound in (("least", self.least), ("most", self.most)):
            if not isinstance(bound, int) or isinstance(bound, bool) or abs(bound) > MOST_PAID:
                raise BadGame(f"{name} of a Payoff is {bound!r}; it must be a whole number, at most {MOST_PAID:,}")
        if self.least >= self.most:
            raise BadGame(f"a Payoff from {self.least} to {self.most} is none; least must be below most")
