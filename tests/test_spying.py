"""Secret, wherever games are played: an agent by path finds no table, no state, no other view, no seed in its process.

Every verb stands in one of two tables: how it is run with a spying agent, or why no code of an agent's can run in it.
"""

import ast
import asyncio
import fcntl
import json
import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import kibitz
from kibitz import agents
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import is_own
from kibitz.arena.plan.plan import deals_are_secret
from kibitz.arena.play.process_pool import ProcessPool
from kibitz.bots import bot_pool
from kibitz.bots.protocol import CELLS
from kibitz.cli import main, terminal_game
from kibitz.core import plugins
from kibitz.core.code_on_disk import PACKAGE
from kibitz.plugins.battleground.client_player import AgentPlayer
from tests import spy
from tests.bots.gallery import LINUX
from tests.verbs import all_verbs
from tests.web.browsers import PERSON, agent, new_table, open_lobby, sit_down

pytestmark = LINUX

HERE = Path(__file__).parent
PIG = str(HERE / "pig")
KUHN, SPY, SEED = str(HERE / "kuhn"), str(HERE / "spy.py"), str(spy.seed())
REPORT = re.compile(r"\[spy (\w+) in seat (\d) found ([^\]]+)\]")


def _run(*words, typed=""):
    done = CliRunner().invoke(main, list(words), input=typed, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    sys.stderr.write(done.output)


def _play(folder):
    _run("play", KUHN, SPY, SPY, "--seed", SEED)


def _hint(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal_game, "opponent", lambda game: SPY)
        patch.setenv("XDG_STATE_HOME", str(folder))
        _run("play", KUHN, "human", "human", "--seed", SEED, typed="\nhint\nP\n\nhint\nquit\n")


def _tournament(folder):
    plan = folder / "plan.toml"
    plan.write_text(f'game = "{KUHN}"\nagents = ["{SPY}", "random"]\ngames = 2\nseed = {SEED}\n')
    _run("tournament", str(plan), "--db", str(folder / "results.db"), "--jobs", "1")


def _experiment(folder):
    plan = folder / "mine.toml"
    plan.write_text(
        'title = "Spies"\ndocument = "none"\nplace = "1"\nabout = "Two."\n[[trial]]\nwhat = "one"\n'
        f'game = "{KUHN}"\nagents = {{Spy = "{SPY}", Random = "random"}}\nplay = 2\nopenings = 0\n'
        "published = {games = 1000, wins = {Spy = 500, Random = 500}}\n"
    )
    _run("experiment", "run", str(plan), "--db", str(folder / "lab.db"), "--jobs", "1", "--seed", SEED)


def _data(folder):
    _run("learn", "data", KUHN, SPY, "--games", "2", "--openings", "0", "--seed", SEED, "--out", str(folder / "d.npz"))


def _book(folder):
    _run("learn", "book", KUHN, SPY, "--games", "1", "--plies", "2", "--seed", SEED, "--out", str(folder / "b.npz"))


def _td(folder):
    words = ("--positions", "4", "--round", "4", "--openings", "0", "--hidden", "2", "--out", str(folder / "net.npz"))
    _run("learn", "td", KUHN, "--by", SPY, "--seed", SEED, *words)


def _compare(folder):
    net = str(folder / "net.npz")
    _run("learn", "td", KUHN, "--positions", "10", "--hidden", "2", "--out", net)
    _run("learn", "compare", net, SPY, "--game", KUHN, "--positions", "2", "--openings", "0", "--seed", SEED)


def _iterate(folder):
    words = ("--games", "2", "--gate-games", "2", "--hidden", "2", "--epochs", "1", "--openings", "0")
    _run("learn", "iterate", KUHN, "--agent", SPY, "--rounds", "1", "--seed", SEED, "--out", f"{folder}/i.npz", *words)


def _tune(folder):
    words = ("--param", "noise=1:2", "--trials", "1", "--games", "2", "--against", "random", "--jobs", "1")
    _run("tune", f"{SPY}(noise=1)", "--game", KUHN, "--seed", SEED, *words)


def _serve(folder):
    async def play():
        async with open_lobby(games=[KUHN], agents=[SPY]) as lobby:
            made = await new_table(lobby, "kuhn", [agent("spy"), agent("spy")])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            await browser.until(lambda message: message["type"] == "state" and message["over"])
            made = await new_table(lobby, "kuhn", [PERSON, agent("spy")])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            sent = await browser.send("analyse", on=True, agent="spy")
            while not any(message["type"] == "analysis" for message in sent):
                await asyncio.sleep(0.01)
                sent += browser.take()

    asyncio.run(play())


def _conversation(game):
    table = kibitz.Table(game, 1)
    cells = [None if cell == kibitz.UNKNOWN else int(cell) for cell in table.view(table.turn)]
    clock = {"move_ms": None, "game_ms": None, "increment_ms": 0}
    name, options = game.name, dict(game.options)
    return [
        {"type": "hello", "id": 1, "protocol": 1, "referee": "test", "games": [name]},
        {"type": "new", "id": 2, "game": name, "version": game.version, "options": options, "seats": game.seats,
         "seat": table.turn, "seat_names": list(game.seat_names), "clock": clock, "seed": 5},
        {"type": "decide", "id": 3, "ply": 0, "seat": table.turn, CELLS: cells},
        {"type": "end", "id": 4, "seat": table.turn, "payoff": [1.0] * game.seats, "reason": "won"},
    ]  # fmt: skip


def _join(folder):
    player, answers = AgentPlayer(SPY), []
    for message in _conversation(kibitz.game("cartagena(version=jamaica)")):
        player.take(json.dumps(message).encode(), answers.append)
    assert len(answers) == 4


def _bot_run(folder):
    lines = "".join(f"{json.dumps(message)}\n" for message in _conversation(kibitz.game("cartagena(version=jamaica)")))
    command = [sys.executable, "-m", "kibitz", "bot", "run", SPY]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=120)
    sys.stderr.write(done.stderr)


def _gymnasium(folder):
    gymnasium = pytest.importorskip("gymnasium")
    assert gymnasium
    from kibitz.gymnasium import env

    made = env(KUHN, seat=0, opponents=SPY)
    _, told = made.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, told = made.step(int(told["action_mask"].nonzero()[0][0]))


def _pettingzoo(folder):
    pytest.importorskip("pettingzoo")
    from kibitz.pettingzoo import env

    made = env(KUHN, opponents={1: SPY})
    made.reset(seed=1)
    for _ in made.agent_iter(10):
        seen, _, ended, cut, _ = made.last()
        made.step(None if ended or cut else int(seen["action_mask"].nonzero()[0][0]))


def _openspiel(folder):
    pytest.importorskip("pyspiel")
    from kibitz.openspiel import AgentBot, load

    game = load(KUHN)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    AgentBot(SPY, game, state.current_player()).step(state)


def _in_python(folder):
    game = kibitz.game(KUHN)
    table, mind = kibitz.Table(game, spy.seed()), kibitz.agent(SPY, game, 1)
    while not table.over:
        table.play(mind.decide(table.view(table.turn)).move)


def _look_again():
    """Forget which packages are installed."""
    plugins._by_name.cache_clear()
    agents.names.cache_clear()
    agents.outside_names.cache_clear()


@contextmanager
def _stranger(folder):
    """Install a package that brings the spy as an agent; yield its name."""
    package, about = folder / "kibitz_own_spy", folder / "kibitz_own_spy-1.0.dist-info"
    for made in (package, about):
        made.mkdir()
    (package / "__init__.py").touch()
    (package / "agent.py").write_text(Path(SPY).read_text())
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: kibitz-own-spy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[kibitz.agents]\nstranger = kibitz_own_spy.agent\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        _look_again()
        try:
            yield "stranger"
        finally:
            _look_again()
    assert "kibitz_own_spy" not in sys.modules  # the command has not run it


def _play_stranger(folder):
    with _stranger(folder) as name:
        _run("play", KUHN, name, name, "--seed", SEED)


def _match_stranger(folder):
    with _stranger(folder) as name:
        _run("match", KUHN, name, "random", "--games", "2", "--seed", SEED, "--jobs", "1")


def test_a_package_s_agent_is_listed_and_looked_at_without_running_it(tmp_path, capfd):
    with _stranger(tmp_path) as name:
        _run("agents")
        _run("agents", KUHN, name)
        assert capfd.readouterr().err.count("An agent of the package kibitz-own-spy 1.0.") == 2
        game = kibitz.game(KUHN)
        for text in (name, f"pimc(agent={name})", f"isolated({name})"):
            assert is_own(text, game)
            assert deals_are_secret(game, [text, "random"])
        assert ProcessPool(game, [name, "random"], 1, Limits(isolate=False), True).audit


RUNNING = {  # what runs code of others in our process, and who uses it
    "import_path": {  # agents pass `agents.kind`; a game that was pickled is found again by its path
        "agents/__init__.py",
        "games/__init__.py",
        "core/game.py",
        "arena/tournament.py",
    },
    "exec_module": {"core/user_files.py"},
    "spec_from_file_location": {"core/user_files.py"},
    "trusting": {"agents/__init__.py"},
    "become_host": {"bots/host.py"},
    "run_path": {"plugins/courses/adapters/aibase_adapter.py"},  # in a process of its own, which holds views only
    **{name: set() for name in ("exec", "eval", "run_module", "__import__", "load_module")},
}
TRUSTING = {
    "agents/__init__.py",
    "arena/plan/plan.py",
    "arena/plan/own_agents.py",
    "arena/play/warm_up.py",
    "arena/play/referee.py",
}


def test_only_known_places_run_code_of_others_in_their_process():
    """An agent by path is imported where `agents.kind` allows it: in a host, or where it is trusted."""
    found, trusting = {name: set() for name in RUNNING}, set()
    for path in PACKAGE.rglob("*.py"):
        where = str(path.relative_to(PACKAGE))
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                builds = {name, *(getattr(given, "id", "") for given in node.args)} & {"build"}
                if name in found:
                    found[name].add(where)
                if builds and "trusted" in {word.arg for word in node.keywords}:
                    trusting.add(where)
    assert found == RUNNING
    assert trusting == TRUSTING


IN_ONE_SEAT = {  # each process decides for one seat of one table
    "play": _play,
    "play: hint": _hint,
    "analyse": lambda folder: _run("analyse", KUHN, "--agent", SPY, "--seed", SEED),
    "learn data": _data,
    "learn book": _book,
    "learn compare": _compare,
    "learn td": _td,
    "serve": _serve,
    "battleground join": _join,
    "bot run": _bot_run,
    "Gymnasium": _gymnasium,
    "PettingZoo": _pettingzoo,
    "OpenSpiel": _openspiel,
    "kibitz.agent": _in_python,
    "an agent that a package brings": _play_stranger,
}
IN_MANY_GAMES = {  # a process plays many games, in any seat, but never two on one deal
    "match": lambda folder: _run("match", KUHN, SPY, "random", "--games", "2", "--seed", SEED, "--jobs", "1"),
    "balance": lambda folder: _run("balance", KUHN, SPY, "--games", "2", "--seed", SEED, "--jobs", "1"),
    "tournament": _tournament,
    "experiment run": _experiment,
    "learn iterate": _iterate,
    "tune": _tune,
    "an agent that a package brings": _match_stranger,
}
WITHOUT = {  # why no code of an agent's can run in these verbs
    "agents": "it tells of agents that come with Kibitz or that a game declares, and refuses a path",
    "battleground ladder": "it reads results",
    "battleground serve": "bots come over the network; no agent runs here",
    "bench": "its agents are its own",
    "bot check": "it runs a command, not code of ours",
    "bot walls": "it tries walls",
    "check": "it runs the rules of a game; no agent plays",
    "draw": "it draws a record",
    "experiment list": "it lists",
    "experiment report": "it reads results",
    "gamemaster": "it runs commands, not code of ours",
    "games": "it lists",
    "learn export": "it writes data in another form",
    "learn fit": "it reads data",
    "learn q": "policies play, which are of the game",
    "new agent": "it writes files",
    "new game": "it writes files",
    "perft": "it counts moves",
    "plugins": "it loads what installed packages bring, and plays nothing",
    "replay": "it shows a record, and builds no agent",
    "report": "it reads results",
}


@pytest.fixture(autouse=True)
def _no_hosts_are_left():
    yield
    bot_pool.end_all()


def _verbs(verbs, before=""):
    for name, verb in verbs.items():
        if isinstance(verb, click.Group):
            yield from _verbs(verb.commands, f"{before}{name} ")
        else:
            yield f"{before}{name}"


def test_every_verb_is_run_with_a_spy_or_runs_no_agents():
    assert set(_verbs(all_verbs())) - {*IN_ONE_SEAT, *IN_MANY_GAMES} == set(WITHOUT)


def _reports(capfd):
    return REPORT.findall(capfd.readouterr().err)


@pytest.mark.parametrize("place", IN_ONE_SEAT)
def test_a_spy_finds_nothing_and_has_a_process_for_each_seat(place, tmp_path, capfd):
    IN_ONE_SEAT[place](tmp_path)
    reports = _reports(capfd)
    assert {found for _, _, found in reports} == {"nothing"}
    assert len({process for process, _, _ in reports}) == len({(process, seat) for process, seat, _ in reports})


@pytest.mark.parametrize("place", IN_MANY_GAMES)
def test_a_spy_finds_nothing_in_many_games(place, tmp_path, capfd):
    IN_MANY_GAMES[place](tmp_path)
    assert {found for _, _, found in _reports(capfd)} == {"nothing"}


DICE_IN_THE_OPEN = {  # where the seed would tell every roll to come
    "play": ("play", PIG, SPY, SPY, "--seed", SEED),
    "match": ("match", PIG, SPY, "random", "--games", "2", "--seed", SEED, "--jobs", "1"),
    "balance": ("balance", PIG, SPY, "--games", "2", "--seed", SEED, "--jobs", "1"),
}


@pytest.mark.parametrize("place", DICE_IN_THE_OPEN)
def test_a_spy_finds_no_seed_of_the_dice(place, capfd):
    _run(*DICE_IN_THE_OPEN[place])
    assert {found for _, _, found in _reports(capfd)} == {"nothing"}


def test_a_spy_that_is_trusted_finds_everything(capfd):
    game = kibitz.game(KUHN)
    table, mind = kibitz.Table(game, spy.seed()), kibitz.agent(SPY, game, 1, trusted=True)
    mind.decide(table.view(table.turn))
    (report,) = _reports(capfd)
    assert all(what in report[2] for what in ("a Table", "a state", "the seed"))
    assert mind.consider(table.view(table.turn), 1)


def test_a_spy_that_is_not_isolated_in_a_match_finds_the_table(capfd):
    _run("match", KUHN, SPY, "random", "--games", "2", "--seed", SEED, "--jobs", "1", "--no-isolate")
    reports = _reports(capfd)
    assert any("a Table" in found and "a state" in found for _, _, found in reports)  # not where it warms up


AT_A_TERMINAL = f"""
import kibitz
game = kibitz.game({KUHN!r})
table = kibitz.Table(game, 3)
for trusted in (False, True):
    kibitz.agent({SPY!r}, game, 1, trusted=trusted).decide(table.view(table.turn))
"""


def _take_terminal():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_person_types_where_no_spy_can_read_it(capfd):
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", AT_A_TERMINAL], stdin=theirs, stderr=subprocess.PIPE, text=True, check=True,
            start_new_session=True, preexec_fn=_take_terminal, timeout=240,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)
    (_, _, hosted), (_, _, trusted) = REPORT.findall(done.stderr)
    assert hosted == "nothing"
    assert "a terminal" in trusted
