"""The protocol: what lines mean, and that no line can do harm."""

import pytest

from kibitz.bots.bot_fault import BotFault
from kibitz.bots.protocol import LONGEST_LINE, MOST_A_GAME, MOST_A_MOVE, LineBuffer, Move, Ok, Quit, line_of, read_bot
from tests.bots.fuzz import fuzz

TRIES = 2000


def test_lines_are_cut_wherever_pieces_begin_and_end():
    data = b"one\r\ntwo\n\nthree\nfo"
    for size in (1, 2, 3, 100):
        lines, found = LineBuffer(), []
        for at in range(0, len(data), size):
            lines.feed(data[at : at + size])
            while (line := lines.next()) is not None:
                found.append(line)
        assert found == [b"one", b"two", b"", b"three"]
        assert lines.partial == b"fo"


def test_too_much_is_refused_in_a_line_a_move_and_a_game():
    with pytest.raises(BotFault, match="a line of more than 1 MiB"):
        LineBuffer().feed(b"x" * (LONGEST_LINE + 1))
    lines, part = LineBuffer(), b"x" * (1 << 19) + b"\n"
    with pytest.raises(BotFault, match="for one answer"):
        lines.feed(part * (MOST_A_MOVE // len(part) + 1))
    lines = LineBuffer()
    for _ in range(MOST_A_GAME // len(part)):
        lines.feed(part)
        lines.new_move()
    with pytest.raises(BotFault, match="in one game"):
        lines.feed(part * 2)
    lines.new_game()
    lines.feed(b"y\n")


def test_chatter_is_told_from_messages():
    for line in (b"", b"hello", b"[1]", b"\xff\xfe", b"  move"):
        assert read_bot(line) is None
    assert read_bot(b'  {"type": "ok", "id": 3, "unknown": [1]}') == Ok(id=3)
    assert read_bot(b'{"id": 3, "move": 12, "type": "move"}') == Move(id=3, move=12)
    assert line_of(Quit()) == b'{"type":"quit"}\n'


def test_half_of_a_pair_of_escapes_is_named():
    with pytest.raises(BotFault, match="half of a pair"):
        read_bot(rb'{"type": "move", "id": 3, "text": "\ud800"}')
    with pytest.raises(BotFault, match="truncated"):
        read_bot(rb'{"type": "move", "id": 3, "text": "\ud800')


def test_where_a_line_is_not_utf_8_is_named():
    with pytest.raises(BotFault, match=r"not UTF-8 from byte 10 on \(0xff\)") as fault:
        read_bot(b'{"type": "\xff"}')
    assert "codec" not in str(fault.value)


def test_fuzzed_lines_are_booked_rightly():
    outcomes = fuzz(TRIES, 1)
    assert {"a move", "protocol", "illegal"} <= set(outcomes)
    assert set(outcomes) <= {"a move", "protocol", "illegal"}
