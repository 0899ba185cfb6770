"""Decorators of kibitz.rules: those with options are written with brackets or without."""

import pytest

from kibitz import BadGame
from kibitz.core.heuristics import Policy, Value
from kibitz.rules import Option, policy, value


def first(view, weights, rng):
    """Return the move 0."""
    return 0


def ahead(state, weights, seat):
    """Return how far a seat is ahead."""
    return 1.0


def test_a_policy_takes_brackets_or_none():
    for made in (policy(first), policy()(first)):
        assert isinstance(made, Policy)
        assert made.weights == {}
    assert policy(least=7)(first).weights["least"].default == 7


def test_a_value_takes_brackets_or_none():
    for made in (value(ahead), value()(ahead)):
        assert isinstance(made, Value)
        assert (made.shares, made.properties.unit, made.weights) == (False, "", {})
    assert value(unit="points")(ahead).properties.unit == "points"


def test_a_weight_may_be_called_function():
    assert list(policy(function=Option(1.0, ""))(first).weights) == ["function"]


@pytest.mark.parametrize(("decorator", "name"), [(policy, "policy"), (value, "value")])
@pytest.mark.parametrize("given", [0.5, "weight", Option(1.0, "")])
def test_a_weight_without_a_name_is_refused_in_a_sentence(decorator, name, given):
    with pytest.raises(BadGame, match=f"@{name} is given .*, which has no name; write @{name}"):
        decorator(given)


@pytest.mark.parametrize("decorator", [policy, value])
def test_without_brackets_a_function_that_does_not_fit_is_refused_too(decorator):
    with pytest.raises(BadGame, match="takes"):
        decorator(lambda view: 0)
