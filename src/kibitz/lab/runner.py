"""Running experiments: every trial of each, with an estimate of the time before the long ones begin."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from kibitz.arena.session import Interrupted, SessionProgress
from kibitz.lab.claim import claimed
from kibitz.lab.experiment import Experiment
from kibitz.lab.experiment_outcome import QUESTION, Outcome
from kibitz.lab.judging import TrialRun, judge
from kibitz.lab.provenance import provenance
from kibitz.lab.second_seed import ONE_SEED
from kibitz.lab.trials.trial import Trial, TrialSetup

OnTrial = Callable[[Experiment, Trial], None]
PROBED = 6  # games of a trial from which its time is estimated, or …
LEAST_PART = 0.005  # … this share of its games
STARTING = 2.0  # seconds until the workers of a trial play


def run(experiment: Experiment, setup: TrialSetup, on_trial: OnTrial | None = None) -> Outcome:
    """Run all trials of an experiment; after Ctrl-C, raise Interrupted with the outcome so far."""
    setup = _setup(experiment, setup)
    runs: list[TrialRun] = []
    begun = monotonic()
    for trial in experiment.trials:
        if on_trial is not None:
            on_trial(experiment, trial)
        try:
            runs.append(_as_claimed(trial, trial.run(setup)))
        except Interrupted as stop:
            runs.append(_as_claimed(trial, stop.result))
            raise Interrupted(_outcome(experiment, runs, begun, setup)) from None
    try:
        _play_second_seeds(experiment, runs, setup)
    except Interrupted:
        raise Interrupted(_outcome(experiment, runs, begun, setup)) from None
    return _outcome(experiment, runs, begun, setup)


def _as_claimed(trial: Trial, found: TrialRun) -> TrialRun:
    """Return what was found with published numbers as the document means them."""
    by_seed = [claimed(facts, trial.claim) for facts in found.by_seed]
    return replace(found, facts=claimed(found.facts, trial.claim), by_seed=by_seed)


def _play_second_seeds(experiment: Experiment, runs: list[TrialRun], setup: TrialSetup) -> None:
    """Play each trial again, with an independent seed, of which one seed alone contradicts something."""
    judged = judge(runs, experiment.kind == QUESTION)
    for at, (trial, told) in enumerate(zip(experiment.trials, judged, strict=True)):
        if any(row.reason == ONE_SEED for row in told.rows):
            again = _as_claimed(trial, trial.run(replace(setup, second=True)))
            runs[at] = replace(runs[at], second=again)


def _setup(experiment: Experiment, setup: TrialSetup) -> TrialSetup:
    """Return how the trials of an experiment are run."""
    question = experiment.kind == QUESTION
    return replace(setup, experiment=experiment.name, difference=experiment.difference if question else 0.0)


def _outcome(experiment: Experiment, runs: Sequence[TrialRun], begun: float, setup: TrialSetup) -> Outcome:
    return Outcome(
        experiment.name, judge(runs, experiment.kind == QUESTION), monotonic() - begun, setup.scale, setup.seed,
        experiment.kind, experiment.file, experiment.data, experiment.texts, provenance(),
    )  # fmt: skip


def estimate(experiment: Experiment, setup: TrialSetup) -> float:
    """Return about how many seconds an experiment takes, from a few games, which a ledger keeps."""
    return sum(_estimate(trial, _setup(experiment, setup)) for trial in experiment.trials)


def _estimate(trial: Trial, setup: TrialSetup) -> float:
    if not trial.games:
        return 0.0
    part = min(1.0, max(PROBED / setup.games(trial.games), LEAST_PART))
    pace = _Pace()
    trial.run(replace(setup, scale=setup.scale * part, progress=pace))
    return STARTING + pace.seconds_a_game * setup.games(trial.games)


class _Pace:
    """How long games take, without the first one, before which workers start and code is compiled."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None
        self._last = (0.0, 0)

    def __call__(self, progress: SessionProgress) -> None:
        self._last = (monotonic(), progress.games)
        if self._first is None and progress.games > progress.kept:
            self._first = self._last

    @property
    def seconds_a_game(self) -> float:
        """The mean; 0 if all games ended at once."""
        (begun, before), (ended, games) = self._first or self._last, self._last
        return (ended - begun) / max(1, games - before)
