"""What a worker hands back is unpickled without running anything of it."""

import os
import pickle

import numpy as np
import pytest

from kibitz.arena.play.reason import Killed, Reason
from kibitz.arena.play.unpickling import unpickled
from kibitz.bots.fault import BotFault
from kibitz.core.errors import BadValue


class Bomb:
    """Pickled, it makes a folder when it is read back."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_what_would_run_code_is_refused_and_not_run(tmp_path):
    for bomb in (Bomb(tmp_path / "a"), [Bomb(tmp_path / "a")], (np.zeros(2), Bomb(tmp_path / "a"))):
        with pytest.raises(pickle.UnpicklingError, match="may not be handed back"):
            unpickled(pickle.dumps(bomb))
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ["kibitz.cli.verb.console", "kibitz.core.files.os", "kibitz.core.table.Table"])
def test_names_of_kibitz_that_are_no_errors_are_refused(name):
    module, _, attribute = name.rpartition(".")
    with pytest.raises(pickle.UnpicklingError, match="may not be handed back"):
        unpickled(f"c{module}\n{attribute}\n.".encode())


def test_games_and_errors_come_through():
    found = unpickled(
        pickle.dumps((np.arange(3), np.float64(0.5), [Reason.WON], BadValue("no"), BotFault("time", "late")))
    )
    assert found[0].tolist() == [0, 1, 2]
    assert found[1:3] == (0.5, [Reason.WON])
    assert [str(error) for error in found[3:]] == ["no", "late"]


def test_reasons_are_sent_by_their_words_whatever_the_python():
    for word in (*Reason, *Killed):
        assert b"getattr" not in pickle.dumps(word)
        assert unpickled(pickle.dumps(word)) is word
