"""A sum: whether numbers of a document add up to another of its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from kibitz.lab.fact import Fact, exact
from kibitz.lab.trials.trial import Trial, TrialSetup
from kibitz.lab.validation import list_of, whole


@dataclass(frozen=True)
class SumTrial(Trial):
    """Published numbers and their published total; where these differ, no game can be in accordance with both."""

    parts: Annotated[Sequence[int], list_of(whole(), 2)]
    total: Annotated[int, whole()]

    @property
    def size(self) -> dict[str, int]:
        """One sum."""
        return {"sums": 1}

    def facts(self, setup: TrialSetup) -> list[Fact]:
        """Add the numbers up."""
        added = sum(self.parts)
        return [exact(" + ".join(map(str, self.parts)), self.total, added, added == self.total)]
