"""Running experiments: every trial of each, with an estimate of the time before the long ones begin."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from kibitz.arena.results.row import Row
from kibitz.arena.session import Interrupted, SessionProgress
from kibitz.lab.experiment import Experiment
from kibitz.lab.finding import Finding
from kibitz.lab.trials.trial import Trial, TrialSetup

OnTrial = Callable[[Experiment, Trial], None]
PROBED = 6  # games of a trial from which its time is estimated, or
LEAST_PART = 0.005  # of its games
STARTING = 2.0  # seconds until the workers of a trial play


@dataclass(frozen=True)
class Outcome(Row):
    """What came of an experiment."""

    experiment: str
    rows: tuple[Finding, ...]
    seconds: float
    scale: float = 1.0
    file: str = ""  # of an experiment of one's own
    texts: dict[str, str] = field(default_factory=dict)  # its title and what else it says of itself, by name

    @property
    def title(self) -> str:
        """What it is called in a report."""
        return self.texts.get("title") or self.experiment


def run(experiment: Experiment, bench: TrialSetup, on_trial: OnTrial | None = None) -> Outcome:
    """Run all trials of an experiment; after Ctrl-C, Interrupted has the outcome so far."""
    rows: list[Finding] = []
    begun = monotonic()
    for trial in experiment.trials:
        if on_trial is not None:
            on_trial(experiment, trial)
        try:
            rows += trial.run(bench)
        except Interrupted as stop:
            rows += stop.result
            raise Interrupted(_outcome(experiment, rows, begun, bench.scale)) from None
    return _outcome(experiment, rows, begun, bench.scale)


def _outcome(experiment: Experiment, rows: Sequence[Finding], begun: float, scale: float) -> Outcome:
    return Outcome(experiment.name, tuple(rows), monotonic() - begun, scale, experiment.file, experiment.texts)


def estimate(experiment: Experiment, bench: TrialSetup) -> float:
    """Return about how many seconds an experiment takes, from a small part of it; a ledger keeps what was played."""
    return sum(_estimate(trial, bench) for trial in experiment.trials)


def _estimate(trial: Trial, bench: TrialSetup) -> float:
    if not trial.games:
        return 0.0
    part = min(1.0, max(PROBED / bench.games(trial.games), LEAST_PART))
    pace = _Pace()
    trial.run(replace(bench, scale=bench.scale * part, progress=pace))
    return STARTING + pace.seconds_a_game * bench.games(trial.games)


class _Pace:
    """How long games take, from the end of the first on: before, workers start and code is compiled."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None
        self._last = (0.0, 0)

    def __call__(self, progress: SessionProgress) -> None:
        self._last = (monotonic(), progress.games)
        if self._first is None and progress.games > progress.kept:
            self._first = self._last

    @property
    def seconds_a_game(self) -> float:
        """The mean; 0 where all games were over at once."""
        (begun, before), (ended, games) = self._first or self._last, self._last
        return (ended - begun) / max(1, games - before)
