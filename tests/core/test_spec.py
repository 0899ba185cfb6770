"""Specifications and options: what is typed, read back, or refused in one sentence."""

import pytest

from kibitz import agents, games
from kibitz.core.errors import BadValue, KibitzError, UnknownName
from kibitz.core.options import Option, read_options
from kibitz.core.spec import parse


@pytest.mark.parametrize(
    "text",
    [
        "quarto",
        "quarto(squares=true)",
        "flat(100, policy=novice)",
        "minimax(depth=3, opening=flat(playouts=5))",
        "a(b(c(d=1)))",
    ],
)
def test_a_text_reads_back_as_itself(text):
    assert str(parse(text)) == text
    assert str(parse(f"  {text.replace('(', ' ( ').replace('=', ' = ')} ")) == text


@pytest.mark.parametrize("path", ["./münchen/first.py", "./my agents/first.py", "./o'neil/first.py", './"so"/first.py'])
def test_a_path_with_unusual_characters_can_be_named_in_quotes(path):
    quote = '"' if "'" in path else "'"
    spec = parse(f"flat(policy={quote}{path}{quote})")
    assert spec.args["policy"].name == path
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a name was expected"),
        ("(", "a name was expected"),
        ("flat(", r"'\)' is missing"),
        ("flat(playouts=", "a name was expected"),
        ("flat(a b)", "',' or '\\)' was expected"),
        ("flat(a=1, a=2)", "given twice"),
        ("flat) ", "left over"),
        ("flat(a=1))", "left over"),
        ("fl@t", "'@' has no place in it$"),
        ("./münchen/first.py", "'ü' has no place in it; a path with spaces or unusual letters needs quotes"),
        ("./my agents/first.py", "is left over; a path with spaces or unusual letters needs quotes around it"),
        ("flat(policy=./my agents/x.py)", "'agents/x.py'; a path with spaces or unusual letters needs quotes"),
    ],
)
def test_what_cannot_be_read_is_refused(text, complaint):
    with pytest.raises(BadValue, match=complaint):
        parse(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("flat(playouts=many)", "playouts=many does not fit; it takes a whole number from 1"),
        ("flat(playouts=0)", "at least|from 1"),
        ("flat(playouts=1.5)", "a whole number"),
        ("flat(playout=5)", "unknown option of flat 'playout'.*Did you mean 'playouts'"),
        ("flat(policy=expert)", "unknown policy of quarto 'expert'; known: novice, random"),
        ("greedy(value=expert)", "unknown value of quarto 'expert'"),
        ("greedy(value=completing_relative(D=1))", "unknown option of completing_relative 'D'; known: C"),
        ("greedy(value=zero(1))", "one option too many"),
        ("minimax(depth=-1)", "depth=-1 does not fit"),
        ("minimax(depth=0)", "needs seconds=… or nodes=…"),
        ("minimax(seconds=nan)", "does not fit"),
        ("minimax(opening=nobody)", "unknown agent"),
        ("random(1)", "one option too many"),
        ("nobody", "unknown agent for quarto 'nobody'; known: aibase, bot, brs, .*flat"),
        ("policy(name=random(1))", "one option too many"),
    ],
)
def test_a_wrong_agent_is_refused_with_the_choices(quarto, text, complaint):
    with pytest.raises(KibitzError, match=complaint):
        agents.build(text, quarto, 1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("quartto", "unknown game 'quartto'.*Did you mean 'quarto'"),
        ("quarto(squares=perhaps)", "squares=perhaps does not fit; it takes true or false"),
        ("quarto(seats=3)", "unknown option of quarto 'seats'"),
    ],
)
def test_a_wrong_game_is_refused_with_the_choices(text, complaint):
    with pytest.raises(KibitzError, match=complaint):
        games.find(text)


def test_options_take_defaults_positions_and_names():
    declared = {"n": Option(3, "", least=1), "kind": Option("a", "", choices=("a", "b")), "on": Option(False, "")}
    assert read_options("x", declared, parse("x")) == {"n": 3, "kind": "a", "on": False}
    assert read_options("x", declared, parse("x(7, b, on=yes)")) == {"n": 7, "kind": "b", "on": True}
    with pytest.raises(BadValue, match="a or b"):
        read_options("x", declared, parse("x(kind=c)"))
    with pytest.raises(UnknownName):
        read_options("x", declared, parse("x(m=1)"))


def test_a_choice_is_dealt_as_its_number():
    assert Option("a", "", choices=("a", "b")).encode("b") == 1
    assert Option(True, "").encode(True) == 1


class Counted(str):
    """A text that counts how many characters are copied from it."""

    __slots__ = ("copied",)

    def __getitem__(self, which):
        found = super().__getitem__(which)
        self.copied = getattr(self, "copied", 0) + len(found)
        return found


def test_a_long_text_is_read_without_copying_its_rest_for_every_word():
    text = Counted(f"a({'b,' * 500})")
    assert len(parse(text).args) == 500
    assert getattr(text, "copied", 0) <= len(text)


def test_a_long_text_that_cannot_be_read_is_quoted_in_part():
    with pytest.raises(BadValue, match="is missing") as refusal:
        parse("a(" + "b," * 10_000)
    assert len(str(refusal.value)) < 300
