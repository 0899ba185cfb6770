"""A finding: a row of a report, judged."""

from dataclasses import dataclass

from kibitz.arena.results.row import Row
from kibitz.lab.fact import Interval

AGREES, OPEN, CONTRADICTS = "agrees", "not excluded", "contradicts"  # on what was published
SAME, UNDECIDED, DIFFERENT = "no difference", "open", "differs"  # on a question
SHOWN = ""  # without a verdict
TOO_FEW_DEALS = "too few deals"  # why there is none
ANSWERS = {AGREES: SAME, OPEN: UNDECIDED, CONTRADICTS: DIFFERENT}


@dataclass(frozen=True)
class Finding(Row):
    """A published number or claim beside the measured one, and the verdict on them."""

    what: str
    published: float | str | None
    measured: float | str
    interval: Interval | None = None  # of the measured number, 95 %
    published_interval: Interval | None = None
    unit: str = ""
    difference: float | None = None  # measured less published, or by which factor it is larger
    difference_interval: Interval | None = None  # 95 %
    scale: str = "plain"  # of the difference: plain, points (of per cent) or factor
    margin: str = ""  # up to which a difference counts as small
    p: float | None = None  # that there is no difference
    corrected_p: float | None = None  # the same, corrected for all rows of the table
    verdict: str = SHOWN
    different: bool = False  # whether a difference is shown, even if it is small
    more_games: int | None = None  # that would probably tell; None if it is told, or if no number is known to
    reason: str = ""  # what a verdict depends on, or why no number of games is known to tell
    games_for_difference: int | None = None  # of a question: that show a difference that matters in four runs of five
    mirror_of: str = ""  # the row that says the same
    same_as: str = ""  # the row that has the same number in every block
    without_verdict: str = ""  # why it has none
    assumed_games: int = 0  # of the published number; 0 if the document gives them, or none count
    by_seed: tuple[float | str, ...] = ()  # measured with each seed alone
    why: str = ""  # the cause, where it contradicts
    curves: dict[str, list[float]] | None = None  # of a figure: by name, a number for each turn

    @property
    def judged(self) -> bool:
        """Whether it has a verdict."""
        return self.verdict != SHOWN
