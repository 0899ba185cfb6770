"""Kinds of trials: matches, their course, rankings, effort, moves in positions, events, tests.

Packages bring others by entry points of the group `kibitz.trials` (core/plugins.py).
"""

from kibitz.core import plugins
from kibitz.lab.trials.chi_square_trial import ChiSquareTrial
from kibitz.lab.trials.choice_trial import ChoiceTrial
from kibitz.lab.trials.course_trial import CourseTrial
from kibitz.lab.trials.effort_trial import EffortTrial
from kibitz.lab.trials.events_trial import EventsTrial
from kibitz.lab.trials.match_trial import MatchTrial
from kibitz.lab.trials.ranking_trial import RankingTrial
from kibitz.lab.trials.trial import Trial

_OWN: dict[str, type[Trial]] = {
    "match": MatchTrial,
    "effort": EffortTrial,
    "choice": ChoiceTrial,
    "course": CourseTrial,
    "ranking": RankingTrial,
    "events": EventsTrial,
    "fit": ChiSquareTrial,
}
_GROUP = "trials"  # of plugins

__all__ = ["Trial", "kind_of_trial", "kinds"]


def kinds() -> list[str]:
    """Return the kinds of trials, those that packages bring included."""
    return plugins.names(_GROUP, _OWN)


def kind_of_trial(name: str) -> type[Trial]:
    """Return the class of a kind of trial."""
    plugin = plugins.find(_GROUP, name, _OWN)
    kind: type[Trial] = _OWN[name] if plugin is None else plugin.load()
    return kind
