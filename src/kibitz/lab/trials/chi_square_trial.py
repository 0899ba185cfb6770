"""A chi-square test of published counts, computed again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated

import numpy as np

from kibitz.arena.results.statistics.fairness import SIMULATED, goodness_of_fit
from kibitz.core.errors import BadValue
from kibitz.lab.finding import Finding
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import list_of, number, table, whole

TOLD = {"statistic": number(0), "p": number(0, 1)}
FLOOR = 2 / SIMULATED  # the resolution of a simulated p value
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

    def run(self, setup: TrialSetup) -> list[Finding]:
        """Test the counts; a published number agrees if it equals ours when rounded."""
        rates = self.rates or [1 / len(self.counts)] * len(self.counts)
        test = goodness_of_fit(np.array(self.counts), np.array(rates))
        listed = ", ".join(map(str, self.counts))
        names = {"statistic": f"chi-square of {listed} ({test.df} df)", "p": f"p value of {listed}"}
        found = [self._finding(f"{self.what}: {names[key]}", key, getattr(test, key)) for key in TOLD]
        if test.method == "simulated" and test.p <= 1 / SIMULATED:
            found[-1] = replace(found[-1], measured=f"< {FLOOR:g}", compatible=self._below(FLOOR))
        return found

    def _below(self, floor: float) -> bool | None:
        """Return whether the published p value is below the resolution of simulation; None if there is none."""
        return None if "p" not in self.published else self.published["p"] < floor

    def _finding(self, what: str, key: str, ours: float) -> Finding:
        theirs = self.published.get(key)
        shown = float(f"{ours:.{DIGITS}g}")
        if theirs is None:
            return Finding(what, None, shown)
        places = -int(Decimal(repr(theirs)).as_tuple().exponent)
        agrees = abs(ours - theirs) <= 0.5000001 * 10.0**-places
        return Finding(what, theirs, shown, None, None, agrees, "", "" if agrees else self.why)
