"""Tuning: numbers in an agent's text, chosen by matches on common deals."""

import json
import sys

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.spec import parse
from kibitz.lab.tuning import Parameter, tune

AGENT = "flat(playouts=5)"


def test_more_playouts_are_found_to_be_better():
    pytest.importorskip("optuna")
    found = tune("quarto", AGENT, [Parameter.read("playouts=1:60")], ["novice"], trials=6, games=40)
    assert found.best.numbers["playouts"] > 5
    assert found.best.payoff == max(tried.payoff for tried in found.tries)
    assert found.tries[0].numbers == {"playouts": 5}, "the agent as it is comes first"
    assert found.games == 80
    assert tune("quarto", AGENT, [Parameter.read("playouts=1:60")], ["novice"], trials=6, games=40).tries == found.tries


def test_a_parameter_that_is_given_twice_is_refused():
    with pytest.raises(BadValue, match="parameter playouts is given twice"):
        tune("quarto", AGENT, [Parameter.read("playouts=1:60"), Parameter.read("playouts=2:9")])


def test_numbers_are_put_where_they_belong():
    spec = parse("brs(depth=2, value=weighted(count=10))")
    assert str(Parameter.read("value.count=1:1000").put(spec, 12.4)) == "brs(depth=2, value=weighted(count=12))"
    assert str(Parameter.read("value.score=0.5:2").put(spec, 1 / 3)) == (
        "brs(depth=2, value=weighted(count=10, score=0.3333))"
    )
    with pytest.raises(BadValue, match=r"names no order, so order.x has no place"):
        Parameter.read("order.x=1:2").put(spec, 1)


@pytest.mark.parametrize(
    "text", ["depth", "depth=", "depth=3", "depth=3:1", "depth=a:b", "x=0:1:log", "x=1:2:3", "=1:2"]
)
def test_what_is_no_parameter_is_refused(text):
    with pytest.raises(BadValue, match=r"cannot read .* as a parameter; it is NAME=LOW:HIGH"):
        Parameter.read(text)


def test_the_command_prints_what_was_found():
    pytest.importorskip("optuna")
    words = ["tune", AGENT, "--game", "quarto", "--param", "playouts=1:9", "--trials", "2", "--games", "4", "--json"]
    ran = CliRunner().invoke(main, [*words, "--against", "random", "--jobs", "1"])
    assert ran.exit_code == 0, ran.output
    assert len(json.loads(ran.stdout)["tries"]) == 2
    wrong = CliRunner().invoke(main, ["tune", AGENT, "--game", "quarto", "--param", "playout=1:9"])
    assert wrong.exit_code == 2
    assert "playout" in wrong.stderr


def test_without_optuna_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(KibitzError, match=r"needs Optuna; install it with: pip install 'kibitz\[tune\]'"):
        tune("quarto", AGENT, [Parameter.read("playouts=1:9")])
