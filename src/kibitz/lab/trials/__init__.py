"""Kinds of trials: games, their course, rankings, effort, moves in positions, events, tests, replays, imitation."""

from kibitz.lab.trials.choice import Choice
from kibitz.lab.trials.course import Course
from kibitz.lab.trials.effort import Effort
from kibitz.lab.trials.events import Events
from kibitz.lab.trials.fit import Fit
from kibitz.lab.trials.games import Match
from kibitz.lab.trials.imitation import Imitation
from kibitz.lab.trials.ranking import Ranking
from kibitz.lab.trials.replay import Replay
from kibitz.lab.trials.trial import Trial

KINDS: dict[str, type[Trial]] = {
    "match": Match, "effort": Effort, "choice": Choice, "course": Course, "ranking": Ranking, "events": Events,
    "fit": Fit, "replay": Replay, "imitation": Imitation,
}  # fmt: skip

__all__ = ["KINDS", "Trial"]
