"""A chi-square test of published counts, computed again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from kibitz.arena.results.statistics.fairness import SIMULATED, goodness_of_fit
from kibitz.core.errors import BadValue
from kibitz.lab.fact import Fact, exact, rounding_of
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import list_of, number, table, whole

TOLD = {"statistic": number(0), "p": number(0, 1)}
FLOOR = 2 / SIMULATED  # the resolution of a simulated p value
SLACK = 1e-7  # of half a unit of the last digit: floats are not exact
DIGITS = 5  # significant ones of what is shown


@dataclass(frozen=True)
class ChiSquareTrial(Trial):
    """Published counts, the shares expected of them, and the published result of the test."""

    counts: Annotated[Sequence[int], list_of(whole(), 2)]
    rates: Annotated[Sequence[float], list_of(number(0, 1, above=True))] = ()  # equal ones if none are given
    published: Annotated[Mapping[str, float], table("number published", TOLD)] = field(default_factory=dict)

    @property
    def size(self) -> dict[str, int]:
        """One test."""
        return {"tests": 1}

    def check(self) -> None:
        """Refuse counts that cannot be tested."""
        if not sum(self.counts):
            raise BadValue(f"counts must not all be 0, as in {self.counts!r}")
        if self.rates and (len(self.rates) != len(self.counts) or abs(sum(self.rates) - 1) > 1e-9):
            raise BadValue(f"rates must be as many as counts and sum up to 1, not {self.rates!r}")

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Test the counts; a published number agrees if it equals ours when rounded."""
        rates = self.rates or [1 / len(self.counts)] * len(self.counts)
        test = goodness_of_fit(np.array(self.counts), np.array(rates))
        listed = ", ".join(map(str, self.counts))
        names = {"statistic": f"chi-square of {listed} ({test.df} df)", "p": f"p value of {listed}"}
        statistic, p = (self._fact(names[key], key, getattr(test, key)) for key in TOLD)
        if test.method == "simulated" and test.p <= 1 / SIMULATED:
            below = self.published["p"] < FLOOR if "p" in self.published else None
            p = replace(p, measured=f"< {FLOOR:g}", agrees=below)
        return [statistic, p]

    def _fact(self, what: str, key: str, ours: float) -> Fact:
        shown = float(f"{ours:.{DIGITS}g}")
        if key not in self.published:
            return Fact(what, shown)
        theirs = self.published[key]
        return exact(what, theirs, shown, abs(ours - theirs) <= (1 + SLACK) * rounding_of(theirs))
