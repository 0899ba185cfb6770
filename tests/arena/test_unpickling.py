"""What a worker hands back is unpickled without running anything of it."""

import ast
import os
import pickle
from contextlib import suppress

import numpy as np
import pytest

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import unpickled
from kibitz.arena.play.reason import Killed, Reason
from kibitz.bots.bot_fault import BotFault
from kibitz.core.code_on_disk import PACKAGE
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


@pytest.mark.parametrize(
    "name", ["kibitz.console.command_line.console", "kibitz.core.user_files.os", "kibitz.core.table.Table"]
)
def test_names_of_kibitz_that_are_no_errors_are_refused(name):
    module, _, attribute = name.rpartition(".")
    with pytest.raises(pickle.UnpicklingError, match="may not be handed back"):
        unpickled(f"c{module}\n{attribute}\n.".encode())


FORGER = """
import gc, os, pickle
from multiprocessing.connection import Connection
from kibitz import Agent

class Bomb:
    def __reduce__(self):
        return os.mkdir, ({folder!r},)

class Forger(Agent):
    def prepare(self):
        for thing in gc.get_objects():
            if isinstance(thing, Connection) and not thing.closed and thing.writable:
                thing.send_bytes(pickle.dumps(Bomb()))

    def decide(self, view):
        return self.legal(view)[0]
"""


def test_an_agent_that_is_trusted_runs_nothing_in_the_command_when_it_is_built(tmp_path):
    (tmp_path / "forger.py").write_text(FORGER.format(folder=str(tmp_path / "a")))
    with suppress(BadValue):  # it may be refused
        Plan.make("quarto", [str(tmp_path / "forger.py"), "random"], games=2, isolate=False)
    assert not (tmp_path / "a").exists()


NOT_OF_AGENTS = {  # who unpickles what comes through a pipe, and why no agent's code can have sent it
    "web/thinking_pool.py": "workers run agents of Kibitz; those of others have hosts",
    "web/thinking_worker.py": "the server asks",
    "bench/web_load.py": "lines of JSON",
}


def test_whatever_comes_from_a_process_with_code_of_others_is_not_unpickled_as_it_is():
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "recv"
        and not node.args
    }  # fmt: skip
    assert found == set(NOT_OF_AGENTS)


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
