"""Four channels of eight bots play the same game at once; the server is killed, and no finished game is lost."""

import os

import pytest

from tests.battleground.trial import findings, trial

ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
CHANNELS, BOTS = 4, 8
NOTHING_WRONG = {"lost": 0, "duplicated": 0, "unsound": 0, "wrongly lost": 0, "thrown out": 0}


def check(db, lives):
    told, books = trial(db, CHANNELS, BOTS, lives)
    found = findings(told, books)
    print(found, told.complaints[:3])
    assert found | NOTHING_WRONG == found
    assert found["played"] >= sum(lives)


def test_channels_do_not_disturb_each_other_and_a_killed_server_loses_no_game(tmp_path):
    check(tmp_path / "ground.db", [12, 12])


@ONLY_LONG
@pytest.mark.timeout(900)
def test_the_same_for_a_minute_and_more_with_ten_kills(tmp_path):
    check(tmp_path / "ground.db", [100] * 11)
