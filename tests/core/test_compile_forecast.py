"""The forecast of compiling: what is still to be compiled, how long it takes, and that listings compile nothing."""

import io
import json
import os
import subprocess
import sys
import time
from functools import reduce
from importlib import import_module
from pathlib import Path

import click
import pytest

from kibitz import games
from kibitz.arena.play import compile_ahead
from kibitz.cli.measure_compile_costs import purposes
from kibitz.console import command_line
from kibitz.core import compile_forecast
from kibitz.core.code_on_disk import forecast
from kibitz.core.compile_forecast import LOG, RULES, USUAL_COSTS, CompileForecast, CompileProgress, purpose_of
from kibitz.core.native import INTERPRETED
from tests.verbs import all_verbs

KUHN = str(Path(__file__).parents[1] / "kuhn")
WAIT = 120.0  # seconds
LIST = """
import json, sys
from kibitz.cli import main
from kibitz.core.native import watch_compilation
made = []
watch_compilation(made.append)
for words in json.loads(sys.argv[1]):
    try:
        main.main(args=words, standalone_mode=True)
    except SystemExit as end:
        assert not end.code, words
    assert not made, (words, made)
"""


def _listings(verbs, before=()):
    """Yield the words of every verb that lists something, for every game."""
    for name, verb in verbs.items():
        words = [*before, name]
        if isinstance(verb, click.Group):
            yield from _listings(verb.commands, words)
        elif (verb.help or "").startswith("List"):
            yield words
            places = [given.name for given in verb.params if isinstance(given, click.Argument)]
            if places[:1] == ["game"]:
                yield from ([*words, game] for game in games.names())
                if places[1:2] == ["agent"]:
                    yield from ([*words, game, "mcts"] for game in games.names())


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_listing_compiles_nothing(tmp_path):
    listings = list(_listings(all_verbs()))
    assert ["games", "quarto"] in listings
    assert ["agents", "quarto"] in listings
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path), "KIBITZ_IGNORE_SHIPPED": "1"}
    words = [sys.executable, "-c", LIST, json.dumps(listings)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_what_was_compiled_is_not_expected_again(tmp_path):
    first = CompileForecast(tmp_path, lambda key: False)
    first.expect("swap rules", ["swap.one", "swap.two"])
    assert first.progress()[:2] == (0, 2)
    with first.compiling("swap.one", "key"):
        assert first.progress()[:2] == (1, 2)
    with (tmp_path / LOG).open("ab") as log:
        log.write(b'[1]\n[1,2,3]\n["swap.two",NaN,"key"]\n["swap.two",1e999,"key"]\n["swap.two",-1,"key"]\n')
        log.write(b'["swap.two",["swap.three",4],""]\n["swap.two",1,7]\n"swap"\n{"a":1,"b":2,"c":3}\n["half a li')
    later = CompileForecast(tmp_path, lambda key: key == "key")
    later.expect("swap rules", ["swap.one", "swap.two"])
    assert later.expected() == ["swap.two"]
    assert str(later.progress()) == "0 of 1, about 1 s left"


def test_what_an_agent_needed_is_expected_next_time(tmp_path):
    first = CompileForecast(tmp_path, lambda key: False)
    with first.needed_for(purpose_of("swap(seats=3)", "mcts(iterations=5)")), first.compiling("swap.one", "key"):
        pass
    later = CompileForecast(tmp_path, lambda key: False)
    later.announce("swap", "mcts(iterations=70)", lambda: ["swap.two"])
    assert sorted(later.expected()) == ["swap.one", "swap.two"]
    later.note_found("swap.one")
    assert later.expected() == ["swap.two"]


def test_what_a_command_is_going_to_need_counts_from_the_first_function_on(tmp_path):
    first = CompileForecast(tmp_path, lambda key: False)
    with first.needed_for(purpose_of("swap", "mcts(iterations=5)")), first.compiling("swap.search", "key"):
        pass
    later = CompileForecast(tmp_path, lambda key: False)
    later.announce("swap", RULES, lambda: ["swap.one"])
    assert later.expected() == ["swap.one"]
    assert str(later.progress()) == "0 of 1, at least 1 s left", "no agent is known yet"
    later.foresee(["mcts(iterations=70)"])
    assert sorted(later.expected()) == ["swap.one", "swap.search"]
    assert str(later.progress()) == "0 of 2, about 1 s left"
    later.foresee(["./mine.py"])
    assert str(later.progress()) == "0 of 2, at least 1 s left", "of this agent nothing is known"


def test_the_seconds_left_are_those_of_last_time_as_fast_as_this_machine_is_now(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(compile_forecast, "perf_counter", lambda: now[0])
    first = CompileForecast(tmp_path, lambda key: False)
    for name in ("swap.one", "swap.two"):
        with first.compiling(name, "key"):
            now[0] += 10
    busy = CompileForecast(tmp_path, lambda key: False)
    busy.expect("swap rules", ["swap.one", "swap.two"])
    assert busy.progress().seconds_left == pytest.approx(20)
    with busy.compiling("swap.one", "key"):
        now[0] += 30
    assert 25 < busy.progress().seconds_left < 30


def test_the_clock_of_speeds_stands_still_while_something_compiles(tmp_path, monkeypatch):
    now = [0.0]
    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(compile_forecast, name, lambda: now[0])
    forecast = CompileForecast(tmp_path, lambda key: False)
    with forecast.compiling("swap.one", "key"):
        now[0] += 7
    forecast.note_waited(2.0)
    now[0] += 5
    assert forecast.clock() == 3.0


def test_a_folder_that_cannot_be_written_costs_the_forecast_only(tmp_path):
    (tmp_path / LOG).mkdir()
    forecast = CompileForecast(tmp_path, lambda key: False)
    with forecast.compiling("swap.one", "key"):
        assert forecast.progress().of == 1


def test_the_table_of_the_package_knows_every_game_and_agent_and_no_function_that_is_gone():
    table = json.loads(USUAL_COSTS.read_bytes())
    assert set(table["needs"]) == {purpose_of(*each) for each in purposes()}, "run kibitz.cli.measure_compile_costs"
    for name in table["functions"]:
        module, _, function = name.rpartition(".")
        while not module.rpartition(".")[2].islower():  # a method, or a function inside one
            module, _, outer = module.rpartition(".")
            function = f"{outer}.{function}"
        assert "<locals>" in name or reduce(getattr, function.split("."), import_module(module)), name


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_helper_compiles_what_it_is_told_and_ends_with_the_command(tmp_path):
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path), "KIBITZ_IGNORE_SHIPPED": "1"}
    words = [sys.executable, "-P", "-m", "kibitz.arena.play.compile_ahead"]
    helper = subprocess.Popen(words, stdin=subprocess.PIPE, text=True, env=environment)
    try:
        helper.stdin.write(json.dumps([KUHN, "rules"]) + "\n")
        helper.stdin.flush()
        end = time.monotonic() + WAIT
        while not (tmp_path / LOG).exists() and time.monotonic() < end:
            time.sleep(0.05)
        assert "rules" in (tmp_path / LOG).read_text()
        helper.stdin.close()
        assert helper.wait(WAIT) == 0
    finally:
        helper.kill()


class _Helper:
    """Stands for a helper process."""

    def __init__(self):
        self.stdin, self.ended = io.StringIO(), False

    def kill(self):
        self.ended = True

    def communicate(self):
        assert self.ended


def test_a_command_that_ends_ends_its_helpers_and_watches_no_more(monkeypatch):
    started = []
    monkeypatch.setattr(compile_ahead, "available_threads", lambda: 4)

    def start(*words, **how):
        started.append(_Helper())
        return started[-1]

    monkeypatch.setattr(compile_ahead.subprocess, "Popen", start)
    watching = len(forecast._watchers)

    def perft():
        assert len(forecast._watchers) == watching + 1
        forecast._watchers[-1](CompileProgress(0, 9, 60.0))
        assert started
        assert not any(helper.ended for helper in started)

    with click.Context(click.Command("perft")):
        command_line.verb(perft)()
    assert all(helper.ended for helper in started)
    assert len(forecast._watchers) == watching
