"""Kinds of trials: games, their course, rankings, effort, moves in positions, events, tests, replays, imitation."""

from kibitz.lab.trials.chi_square_trial import ChiSquareTrial
from kibitz.lab.trials.choice_trial import ChoiceTrial
from kibitz.lab.trials.course_trial import CourseTrial
from kibitz.lab.trials.effort_trial import EffortTrial
from kibitz.lab.trials.events_trial import EventsTrial
from kibitz.lab.trials.match_trial import MatchTrial
from kibitz.lab.trials.ranking_trial import RankingTrial
from kibitz.lab.trials.trial import Trial
from kibitz.plugins.documents.imitation_trial import ImitationTrial
from kibitz.plugins.documents.replay_trial import ReplayTrial

KINDS: dict[str, type[Trial]] = {
    "match": MatchTrial, "effort": EffortTrial, "choice": ChoiceTrial, "course": CourseTrial, "ranking": RankingTrial, "events": EventsTrial,
    "fit": ChiSquareTrial, "replay": ReplayTrial, "imitation": ImitationTrial,
}  # fmt: skip

__all__ = ["KINDS", "Trial"]
