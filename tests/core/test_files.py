"""Games and agents of the user's own, named by a path."""

import os
import shutil
import subprocess
import sys

import pytest

from kibitz import agents, games
from kibitz.arena.match import play_match
from kibitz.arena.plan.own_agents import code_paths
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadRecord, BadValue
from kibitz.core.record import read_records

AGENT = """
from kibitz.agents.agent import Agent, Decision
from kibitz.core.options import Option


class Last(Agent):
    \"\"\"Play a legal move counted from the end.\"\"\"

    OPTIONS = {"back": Option(0, "how many from the end", least=0)}

    def prepare(self, back, **_):
        self.back = back

    def decide(self, view):
        return Decision(self.legal(view)[max(-1 - self.back, -len(self.legal(view)))])
"""


@pytest.fixture
def own(tmp_path):
    """A copy of Quarto as a game of the user's own, and an agent."""
    shutil.copytree(PACKAGE / "games" / "quarto", tmp_path / "mine")
    for path in (tmp_path / "mine").glob("*.py"):
        path.write_text(path.read_text().replace("from kibitz.games.quarto.", "from ."))
    (tmp_path / "last.py").write_text(AGENT)
    return tmp_path


def test_a_game_of_one_s_own_plays_the_same(own, quarto):
    mine = games.find(f"{own}/mine(squares=true)")
    assert mine.options == {"squares": True}
    result = play_match(games.find(f"{own}/mine"), ["novice", "random"], 60, 1, save=own / "games.jsonl")
    same = play_match(quarto, ["novice", "random"], 60, 1)
    assert [agent.wins for agent in result.agents] == [agent.wins for agent in same.agents]
    for record in read_records(own / "games.jsonl"):
        record.replay(games.find)


@pytest.mark.usefixtures("interpreted")
def test_records_of_a_game_of_one_s_own_replay_from_any_folder(own, monkeypatch):
    monkeypatch.chdir(own)
    (own / "kept").mkdir()
    play_match("./mine", ["./last.py(back=1)", "random"], games=2, save="kept/games.jsonl", isolate=False)
    shutil.move(own / "mine", own / "kept" / "mine")
    monkeypatch.chdir("/")
    with pytest.raises(
        BadRecord, match=r"line 1: there is no game at \.\./mine, neither in .*kept, the folder of the rec"
    ):
        list(read_records(own / "kept" / "games.jsonl"))
    shutil.move(own / "kept" / "mine", own / "mine")
    for record in read_records(own / "kept" / "games.jsonl"):
        assert record.replay(games.find).over
        assert f"{own}/last.py(back=1)" in record.agents


@pytest.mark.usefixtures("interpreted")
def test_an_agent_of_one_s_own_takes_part_on_any_number_of_workers(own, quarto):
    text = f"{own}/last.py(back=1)"
    results = [play_match(quarto, [text, "novice"], 8, 1, jobs, isolate=False) for jobs in (1, 2)]
    assert results[0].plies == results[1].plies
    assert results[0].agents[0].agent == text


COUNT = """
import sys
from kibitz import games
from kibitz.core.perft import perft
from kibitz.core.table import Table
print(perft(Table(games.find(sys.argv[1]), 1), 2))
"""


def test_a_change_in_a_helper_s_file_is_noticed(own):
    def count():
        words = [sys.executable, "-c", COUNT, f"{own}/mine"]
        environment = {**os.environ, "KIBITZ_CACHE": str(own / "cache")}
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    rules = own / "mine" / "rules.py"
    helpers = own / "mine" / "choices.py"
    helpers.write_text("from kibitz.core.native import helper\n\n\n@helper\ndef pool(state):\n    return state[3]\n")
    text = rules.read_text().replace("return state[POOL] if", "return pool(state) if")
    rules.write_text(text.replace("from kibitz.core.contract", "from .choices import pool\nfrom kibitz.core.contract"))
    assert count() == "256"
    helpers.write_text(helpers.read_text().replace("state[3]", "state[3] & 1"))
    assert count() == "16"


def test_paths_that_lead_nowhere_are_refused(own, quarto):
    with pytest.raises(BadValue, match="there is no game at"):
        games.find(f"{own}/nowhere")
    with pytest.raises(BadValue, match="there is nothing at"):
        agents.build("./nobody.py", quarto, 1)
    (own / "empty.py").write_text("")
    with pytest.raises(BadValue, match="must hold one class that is an Agent, and it holds 0"):
        agents.build(f"{own}/empty.py", quarto, 1)
    (own / "broken.py").write_text("1 // 0")
    with pytest.raises(BadValue, match=r"broken\.py, line 1: ZeroDivisionError"):
        agents.build(f"{own}/broken.py", quarto, 1)


def test_only_names_and_agents_among_options_are_paths(own, monkeypatch, quarto):
    monkeypatch.chdir(own)
    assert agents.own_paths("minimax(value='a / b', opening=./last.py(back=1), until=2)", quarto) == ["./last.py"]
    assert agents.own_paths("pimc(1, ./last.py)", quarto) == []  # its second option is no agent
    assert agents.own_paths("./last.py(inner=./last.py, model=a/b)", quarto) == ["./last.py", "./last.py"]
    assert code_paths(games.find("./mine(position='empty; WSQH in hand')"), ["random"]) == ["./mine"]
