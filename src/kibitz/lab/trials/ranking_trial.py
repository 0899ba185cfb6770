"""A ranking: which of many agents plays best, by ratings with intervals."""

from dataclasses import dataclass
from typing import Annotated

from kibitz.arena.plan.schemes import SCHEMES
from kibitz.arena.results.run import Run
from kibitz.arena.results.tournament_result import standings
from kibitz.core.errors import BadValue
from kibitz.lab.finding import Finding
from kibitz.lab.trials.match_trial import MatchTrial
from kibitz.lab.validation import one_of


@dataclass(frozen=True, kw_only=True)
class RankingTrial(MatchTrial):
    """Games between named agents under the same conditions; the best is listed first."""

    scheme: Annotated[str, one_of("scheme", SCHEMES)] = "circle"

    def check(self) -> None:
        """Refuse a match that cannot be played, and published numbers, which a ranking does not use."""
        if self.published:
            raise BadValue(f"a ranking has nothing published, not {dict(self.published)!r}; a match may have it")
        super().check()

    def _findings(self, run: Run) -> list[Finding]:
        """Return the rating of every agent on the Elo scale; the mean of all is 0."""
        names = {text: name for name, text in self.agents.items()}
        ranked = standings(run.games(), stopped=False).rows
        return [
            Finding(
                f"{self.what}: {place}. {names[row.agent]}", None, round(row.rating),
                (round(row.interval[0]), round(row.interval[1])), unit="points",
            )
            for place, row in enumerate(ranked, 1)
        ]  # fmt: skip
