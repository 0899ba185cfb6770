"""Plugins: packages of others bring games, agents, commands and pages, and a broken one breaks nothing else."""

import json
import re
import subprocess
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

from kibitz.core import plugins
from kibitz.core.errors import BadValue
from kibitz.core.plugins import GROUPS, Plugin, everything
from kibitz.web.messages import PROTOCOL
from tests.plugins.packages import fresh_environment, install, install_coins

RUN = "from kibitz.cli import main; main()"


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    made = fresh_environment(tmp_path_factory.mktemp("environment"))
    install_coins(made)
    return made


def kibitz(python, *words, fails=False):
    done = subprocess.run([python, "-c", RUN, *words], check=False, capture_output=True, text=True, timeout=300)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr if fails else done.stdout


def test_what_a_package_brings_is_listed_with_its_package_and_version(python):
    found = json.loads(kibitz(python, "plugins", "--json"))["plugins"]
    mine = {(one["group"], one["name"]) for one in found if (one["package"], one["version"]) == ("kibitz-coins", "1.2")}
    assert mine == {("games", "coins"), ("agents", "taker"), ("commands", "coins"), ("pages", "coins")}
    assert all(one["problem"] == "" for one in found)


def test_a_game_and_an_agent_of_a_package_play_a_match(python):
    assert "coins" in kibitz(python, "games")
    words = ("match", "coins", "taker", "random", "--games", "20", "--jobs", "1", "--seed", "1", "--json")
    result = json.loads(kibitz(python, *words))
    assert [row["agent"] for row in result["agents"]] == ["taker", "random"]
    assert result["agents"][0]["wins"] > result["agents"][1]["wins"]
    assert sum(row["faults"] for row in result["agents"] if "faults" in row) == 0


def test_a_command_of_a_package_is_a_command_of_ours(python):
    assert kibitz(python, "coins") == "seven coins\n"
    assert "Say how many coins there are." in kibitz(python, "--help")


SERVE = """
from tests.browser.serving import main
main("0", ":memory:")
"""


def test_a_game_an_agent_and_a_page_of_a_package_are_in_the_browser(python):
    server = subprocess.Popen([python, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    try:
        address = f"127.0.0.1:{int(server.stdout.readline())}"
        assert _get(address, "/coins/") == b"a page about coins"
        assert json.loads(_get(address, "/api/pages")) == [{"title": "Coins", "path": "/coins/"}]
        seats = [{"kind": "agent", "text": "taker"}, {"kind": "agent", "text": "random"}]
        made = json.loads(_get(address, "/api/tables", {"game": "coins", "seats": seats}))
        with connect(f"ws://{address}/ws", origin=f"http://{address}") as socket:
            socket.send(
                json.dumps({"type": "join", "protocol": PROTOCOL, "table": made["id"], "tokens": [made["owner"]]})
            )
            while not ((state := json.loads(socket.recv(300)))["type"] == "state" and state["over"]):
                assert state["type"] != "error", state
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def _get(address, path, body=None):
    from urllib.request import Request

    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "origin": f"http://{address}"}
    with urlopen(Request(f"http://{address}{path}", data, headers), timeout=300) as answer:
        return answer.read()


def test_a_package_that_fails_is_named_and_the_rest_works(tmp_path):
    python = fresh_environment(tmp_path)
    points = {"agents": {"sad": "sad"}, "commands": {"sad": "sad:command"}, "games": {"sad": "sad"}}
    install(python, "sad-package", "3", points, {"sad.py": "raise RuntimeError('no luck today')\n"})
    sentence = (
        r"the {} sad of the package sad-package 3 cannot be loaded: .*sad.py, line 1: RuntimeError: no luck today"
    )
    assert re.search(sentence.format("command"), kibitz(python, "sad", fails=True))
    assert re.search(sentence.format("game"), kibitz(python, "perft", "sad", fails=True))
    assert re.search(sentence.format("agent"), kibitz(python, "plugins", fails=True))
    assert "quarto" in kibitz(python, "games")
    assert "Not available: the command sad" in kibitz(python, "--help")


def test_names_that_clash_are_refused_with_both_packages(tmp_path):
    python = fresh_environment(tmp_path)
    install(python, "first", "1", {"games": {"twin": "one"}}, {"one.py": ""})
    install(
        python, "second", "2", {"games": {"twin": "two", "quarto": "two"}, "commands": {"match": "two"}}, {"two.py": ""}
    )
    assert "the game twin is in several packages: first 1 and second 2" in kibitz(python, "perft", "twin", fails=True)
    assert "the game quarto is in several packages: kibitz and second 2" in kibitz(
        python, "perft", "quarto", fails=True
    )
    assert "the command match is in several packages: kibitz and second 2" in " ".join(
        kibitz(python, "match", "chexers", fails=True).split()
    )


def test_all_that_kibitz_brings_can_be_loaded():
    found = [(plugin, wrong) for group in GROUPS for plugin, wrong in everything(group)]
    assert [wrong for _, wrong in found if wrong] == []
    assert {plugin.group for plugin, _ in found} >= {*GROUPS} - {"games", "pages"}


def test_a_plugin_without_what_it_names_is_refused_in_a_sentence():
    with pytest.raises(BadValue, match=r"the agent x of the package p 1 cannot be loaded: .*nothing_here"):
        Plugin("agents", "x", "kibitz.core.plugins:nothing_here", "p", "1").load()
    assert plugins.find("agents", "nobody") is None
