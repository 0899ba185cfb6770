"""The experiments on the Cartagena thesis: equal time, seeds, and which settings were found by published numbers."""

from pathlib import Path

import pytest

from kibitz.lab import experiment
from kibitz.plugins.documents import experiments

FOUND = "utility(card=5)"  # by counts of moves at 3 ply
CAUSES, IDENTIFICATION = "cartagena-causes", "cartagena-identification"
NAMES = sorted(path.stem for path in Path(experiments.__file__).parent.glob("cartagena-*.toml"))


def trials(name):
    """Return the trials of an experiment, unchecked."""
    return experiment.outline(name).trials


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (CAUSES, IDENTIFICATION)])
def test_trials_with_settings_that_were_found_say_so(name):
    for trial in trials(name):
        agents = str(getattr(trial, "agents", "")) + str(getattr(trial, "teacher", ""))
        if FOUND in agents and "version=jamaica" not in getattr(trial, "game", ""):
            assert trial.fitted, trial.what


def test_set_ups_that_were_changed_on_purpose_are_no_evidence():
    assert all(trial.alternative for trial in trials(CAUSES))


@pytest.mark.parametrize("name", ["cartagena-searches", "cartagena-montecarlo", "chexers-brs"])
def test_equal_time_is_within_a_quarter_and_has_three_seeds(name):
    equal = [trial for trial in trials(name) if "equal time" in trial.what.lower()]
    assert len(equal) > 1
    assert {(trial.equal_time, trial.streams) for trial in equal} == {(1.25, 3)}


@pytest.mark.parametrize("name", ["cartagena-searches", "cartagena-montecarlo"])
def test_the_settings_of_the_thesis_stand_beside_those_of_equal_time(name):
    beside = [trial for trial in trials(name) if "settings of the thesis" in trial.what]
    assert beside
    assert all(trial.times and not trial.equal_time for trial in beside)
