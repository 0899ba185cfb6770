"""Variants of a match: the same deals with agents replaced, and how much more often games are drawn."""

import pytest

from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.judging import judge
from kibitz.lab.trials.trial import TrialSetup
from kibitz.plugins.documents.variants_trial import VariantsTrial

EARLY = {
    "what": "Random", "game": "chexers", "agents": {"One": "random", "Two": "policy(greedy)"}, "play": 12,
    "variants": {"the same": {"One": "random"}, "max^n": {"One": "maxn(depth=1, value=own, draw=own)"}},
}  # fmt: skip


def test_a_variant_that_changes_nothing_is_drawn_as_often():
    trial = VariantsTrial.read(EARLY)
    trial.check()
    unchanged, same, other = trial.run(TrialSetup(difference=0.1)).facts
    assert unchanged.what == "unchanged, drawn"
    assert same.measured == 0
    assert same.interval[0] == -same.interval[1] < 0
    assert other.what == "max^n, drawn more often"
    assert trial.games == 36


def test_a_variant_is_told_in_points_of_the_share_that_is_drawn():
    given = {**EARLY, "agents": {"One": "policy(greedy)"}, "scheme": "self-play", "play": 40}
    trial = VariantsTrial.read({**given, "variants": {"random": {"One": "random"}}})
    unchanged, random = trial.run(TrialSetup(difference=0.2)).facts
    assert 0 < unchanged.measured < 60
    assert random.interval[0] < random.measured < random.interval[1]
    assert random.measured > 5  # half of all random games are drawn, a quarter of greedy ones
    (outcome,) = judge([trial.run(TrialSetup(difference=0.2))], question=True)
    assert {row.verdict for row in outcome.rows} <= {"", "open", "differs", "no difference"}
    assert outcome.rows[1].margin == "20 points"
    assert outcome.games == 80


@pytest.mark.parametrize(
    ("variants", "wrong", "complaint"),
    [
        ({"x": {"Three": "random"}}, UnknownName, "unknown agent of this trial 'Three'; known: One, Two"),
        ({"unchanged": {"One": "greedy"}}, BadValue, "a variant cannot be named unchanged"),
        ({"x": {"One": "greedie"}}, UnknownName, "unknown agent for chexers 'greedie'"),
    ],
)
def test_a_variant_that_cannot_be_played_is_refused(variants, wrong, complaint):
    with pytest.raises(wrong, match=complaint):
        VariantsTrial.read({**EARLY, "variants": variants}).check()
