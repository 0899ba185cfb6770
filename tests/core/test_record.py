"""Records: written whole, read strictly, replayed exactly."""

import json

import pytest

from kibitz import games
from kibitz.core.errors import BadRecord, BadValue
from kibitz.core.record import read_line, read_records, record_of
from kibitz.core.table import Table
from kibitz.core.user_files import whole_file
from tests.games.positions import table_after


def _record(**changes):
    record = record_of(table_after("quarto", "BTRS", "a1"), ["human", "novice"])
    return json.dumps({**json.loads(record.line()), **changes})


def test_a_record_is_one_line_and_reads_back():
    line = _record()
    assert "\n" not in line
    record = read_line(line)
    assert record.line() == line
    assert record.replay(games.find).ply == 2


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not a line of JSON"),
        ("[1]", "the key 'kibitz' is missing"),
        ('{"a": 1}', "the key 'kibitz' is missing"),
        (_record(kibitz=99), "format 99; this program reads format 1"),
        (_record(extra=1), r"unknown keys \['extra'\]"),
        (_record(moves=["a1"]), "'moves' cannot be"),
        (_record(moves=[True]), "'moves' cannot be"),
        (_record(moves=[2**80]), "'moves' cannot be"),
        (_record(seed="x"), "'seed' cannot be 'x'"),
        (_record(payoff="won"), "'payoff' cannot be 'won'"),
    ],
)
def test_what_is_no_record_is_refused(line, complaint):
    with pytest.raises(BadRecord, match=complaint):
        read_line(line)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"version": 7}, "of quarto version 7, but the rules here are version 1"),
        ({"moves": [15, 0, 15]}, "move 15 at ply 2 is not legal; the moves are 0 \\(WSQH\\)"),
        ({"payoff": [1.0, 0.0]}, "claims the payoff"),
        ({"agents": ["x"]}, "1 agents for 2 seats"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"options": {"squares": "perhaps"}}, "does not fit"),
        ({"options": {"squares": [1]}}, "squares cannot be"),
    ],
)
def test_a_record_that_cannot_be_is_refused_when_played(changes, complaint):
    with pytest.raises(Exception, match=complaint) as caught:
        read_line(_record(**changes)).replay(games.find)
    assert type(caught.value).__module__ == "kibitz.core.errors"


def test_a_file_with_a_broken_line_names_the_line(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(_record() + "\n\n" + "broken\n")
    with pytest.raises(BadRecord, match=r"games\.jsonl, line 3: not a line of JSON"):
        list(read_records(path))


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path):
    with pytest.raises(BadRecord, match="cannot read"):
        list(read_records(tmp_path / "none.jsonl"))
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRecord, match="not UTF-8"):
        list(read_records(tmp_path / "picture"))


def test_a_file_appears_only_when_it_is_whole(tmp_path):
    path = tmp_path / "out.jsonl"
    with pytest.raises(ZeroDivisionError), whole_file(path) as out:
        out.write(str(1 // 0))
    assert list(tmp_path.iterdir()) == []
    with whole_file(path) as out:
        out.write("whole")
        assert not path.exists()
    assert path.read_text() == "whole"


def test_nothing_is_overwritten(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("precious")
    with pytest.raises(BadValue, match="exists already"), whole_file(path):
        pass
    assert path.read_text() == "precious"
    with pytest.raises(BadValue, match="cannot write"), whole_file(tmp_path / "no" / "such" / "folder"):
        pass


def test_a_table_knows_its_seats_and_its_past(quarto):
    table = Table(quarto, 1)
    with pytest.raises(BadValue, match="there is no seat 2; the seats are 0 to 1"):
        table.view(2)
    with pytest.raises(BadValue, match="cannot take back 1 moves; 0 have been made"):
        table.undo()
    with pytest.raises(BadValue, match="not over"):
        table.payoff()
