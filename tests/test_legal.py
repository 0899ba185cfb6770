"""No illegal move reaches a game that counts, wherever one is played: every place is tried with a policy that cheats.

A verb of the command line that is not in the table below fails, and so does a module that plays moves without a check.
"""

import ast
import asyncio
import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import numpy as np
import pytest
from click.testing import CliRunner

import kibitz
from kibitz import games
from kibitz.agents import build
from kibitz.arena.plan.limits import NO_LIMITS
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.reason import Reason
from kibitz.cli import main
from kibitz.core.errors import BadMove
from kibitz.core.record import read_records
from kibitz.core.table import Table
from kibitz.networks.net import actions, encodings
from kibitz.networks.opening_book import new_book, normal_form
from kibitz.plugins.bridges.episode import Episode
from kibitz.plugins.documents.imitation_learning import TeacherGames
from kibitz.plugins.ray.cluster_task import task_for
from tests.battleground.arenas import Hand, ground
from tests.verbs import all_verbs
from tests.web.browsers import agent, new_table, open_lobby, sit_down

CHEATING = str(Path(__file__).parent / "cheating")
SOURCES = Path(kibitz.__file__).parent
CHEAT, HONEST = "policy(cheat)", "policy(honest)"
FAULT = "move 9 at ply"


def run(*words):
    """Run a command in this process; an error that is not a sentence fails the test."""
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


def _refused(*words):
    """Run a command that must end with a sentence about the move that is not legal."""
    found = run(*words)
    assert found.exit_code == 2, found.output
    assert "not legal" in found.output


def _match(folder):
    given = ("--games", 4, "--openings", 0, "--json", "--save", folder / "games.jsonl")
    cheat, honest = json.loads(run("match", CHEATING, CHEAT, HONEST, *given).stdout)["agents"]
    assert (cheat["losses"], honest["wins"]) == (4, 4)
    assert {record.replay(games.find).over for record in read_records(folder / "games.jsonl")} == {False}


def _tournament(folder):
    (folder / "plan.toml").write_text(
        f'game = "{CHEATING}"\nagents = ["{CHEAT}", "{HONEST}"]\ngames = 4\nopenings = 0\n', encoding="utf-8"
    )
    db = folder / "results.db"
    found = json.loads(run("tournament", folder / "plan.toml", "--db", db, "--json").stdout)
    assert (found["reasons"], found["standings"][0]["agent"]) == ({"illegal": 4}, HONEST)
    assert run("replay", db, "--trust").exit_code == 0


def _balance(folder):
    found = run("balance", CHEATING, CHEAT, "--games", 4, "--openings", 0)
    assert "4 games ended because an agent made an illegal move" in found.stdout


def _experiment(folder):
    (folder / "cheats.toml").write_text(
        'title = "Cheats"\ndocument = "none"\nplace = "none"\nabout = "A cheat meets an honest policy."\n'
        f'[[trial]]\nwhat = "Cheats"\ngame = "{CHEATING}"\nagents = {{Cheat = "{CHEAT}", Honest = "{HONEST}"}}\n'
        "play = 4\nopenings = 0\npublished = {games = 4, wins = {Cheat = 4}}\n",
        encoding="utf-8",
    )
    found = json.loads(run("experiment", "run", folder / "cheats.toml", "--db", folder / "e.db", "--json").stdout)
    assert [row["measured"] for row in found["trials"][0]["rows"]] == [0.0, 100.0]


def _tune(folder):
    pytest.importorskip("optuna")
    given = ("--param", "name.seldom=1:2", "--trials", 1, "--games", 4, "--against", HONEST, "--json")
    found = json.loads(run("tune", "policy(name=sly(seldom=1))", "--game", CHEATING, *given).stdout)
    assert {tried["payoff"] for tried in found["tries"]} == {0.0}


def _play(folder):
    found = run("play", CHEATING, CHEAT, HONEST, "--seed", 1, "--save", folder / "game.jsonl")
    assert found.exit_code != 0
    assert FAULT in found.output


def _learn_td(folder):
    _refused("learn", "td", CHEATING, "--out", folder / "n.npz", "--positions", 50, "--first", "sly", "--watched", 1)
    assert not (folder / "n.npz").exists()


def _learn_compare(folder):
    made = run("learn", "td", CHEATING, "--out", folder / "n.npz", "--positions", 50, "--round", 50)
    assert made.exit_code == 0, made.output
    _refused("learn", "compare", folder / "n.npz", CHEAT, "--game", CHEATING, "--positions", 10)


def _iterate(folder):
    given = ("--rounds", 1, "--games", 1, "--gate-games", 2, "--out", folder / "n.npz")
    _refused("learn", "iterate", CHEATING, "--agent", CHEAT, *given)


def _book(folder):
    """What an agent chose is kept even where another move is made to explore, and must be legal all the same."""
    given = ("--out", folder / "b.npz", "--games", 1, "--explore", 1)
    _refused("learn", "book", CHEATING, CHEAT, *given)
    assert not (folder / "b.npz").exists()


def _serve(folder):
    async def play():
        async with open_lobby(games=[CHEATING]) as lobby:
            (name,) = (shown for shown in lobby.allowlist.games if "cheating" in str(shown))
            made = await new_table(lobby, name, bench=True, seats=[agent(CHEAT), agent(HONEST)])
            session = lobby.sessions[made["id"]]
            session.data.bench, session.data.auto = False, False
            watcher, _ = await sit_down(lobby, made["id"])
            session.turn.go_on()
            said = await watcher.until(lambda message: message.get("trouble"))
            assert "not legal" in said["trouble"]
            assert session.table.ply == 0

    asyncio.run(play())


def _battleground(folder):
    with ground(folder / "ground.db") as served, Hand(served.port) as one, Hand(served.port) as two:
        for hand, name in ((one, "one"), (two, "two")):
            hand.seek(name)
            hand.hear()
        for hand in (one, two, one, two):  # hello and new
            hand.answer()
        one.say(type="move", id=one.hear()["id"], move=99)
        assert two.play(1)[-1]["reason"] == "illegal"
        served.wait_for(1)
        assert ", illegal: one 0" in served.told[0]


LINES = "import sys\nfor line in sys.stdin:\n    print('99', flush=True)\n"


def _gamemaster(folder):
    for name in ("one", "two"):
        (folder / f"{name}.py").write_text(LINES, encoding="utf-8")
    programs = [f"{shlex.quote(sys.executable)} {folder / name}.py" for name in ("one", "two")]
    found = run("gamemaster", "quarto", *programs, "--games", 2, "--jobs", 1)
    assert found.exit_code == 1
    assert "illegal" in found.output


def _bot_check(folder):
    (folder / "bot.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    kind = {'hello': 'ready', 'decide': 'move'}.get(said['type'], 'ok')\n"
        "    print(json.dumps({'type': kind, 'id': said['id'], 'move': 99}), flush=True)\n",
        encoding="utf-8",
    )
    found = run("bot", "check", f"{shlex.quote(sys.executable)} {folder / 'bot.py'}", "--walls", "none")
    assert found.exit_code == 1
    assert "not legal" in found.output


PLAYS_NONE = "it plays no game"
MADE_ELSEWHERE = "its moves are checked where the game is played"
VERBS = {
    "agents": PLAYS_NONE,
    "analyse": lambda folder: _refused("analyse", CHEATING, "--agent", CHEAT),
    "balance": _balance,
    "battleground join": MADE_ELSEWHERE,
    "battleground ladder": PLAYS_NONE,
    "battleground serve": _battleground,
    "bench": "its games are timed, and nothing else becomes of them",
    "bot check": _bot_check,
    "bot run": MADE_ELSEWHERE,
    "bot walls": PLAYS_NONE,
    "check": lambda folder: run("check", CHEATING).exit_code == 1 or pytest.fail("the law does not see the cheat"),
    "draw": PLAYS_NONE,
    "experiment list": PLAYS_NONE,
    "experiment report": PLAYS_NONE,
    "experiment run": _experiment,
    "gamemaster": _gamemaster,
    "games": PLAYS_NONE,
    "learn book": _book,
    "learn compare": _learn_compare,
    "learn data": lambda folder: _refused("learn", "data", CHEATING, CHEAT, "--out", folder / "d.npz", "--games", 1),
    "learn export": PLAYS_NONE,
    "learn fit": PLAYS_NONE,
    "learn iterate": _iterate,
    "learn q": lambda folder: _refused(
        "learn", "q", CHEATING, "--out", folder / "q.npz", "--positions", 50, "--against", "cheat"
    ),
    "learn td": _learn_td,
    "match": _match,
    "new agent": PLAYS_NONE,
    "new game": PLAYS_NONE,
    "plugins": PLAYS_NONE,
    "perft": "it goes through the list of legal moves",
    "play": _play,
    "replay": "it plays records, and refuses one with a move that is not legal",
    "report": PLAYS_NONE,
    "serve": _serve,
    "tournament": _tournament,
    "tune": _tune,
}


def _verbs(verbs, before=""):
    for name, verb in verbs.items():
        if isinstance(verb, click.Group):
            yield from _verbs(verb.commands, f"{before}{name} ")
        else:
            yield f"{before}{name}"


def test_every_verb_says_how_it_keeps_to_the_rules():
    assert sorted(_verbs(all_verbs())) == sorted(VERBS)


@pytest.mark.parametrize("verb", [verb for verb, how in VERBS.items() if callable(how)])
def test_a_cheat_gains_nothing_by(verb, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "160")
    VERBS[verb](tmp_path)


def test_a_task_for_another_machine_is_checked_there():
    game = games.find(CHEATING)
    plan = Plan.make(game, [CHEAT, HONEST], games=4, openings=0)
    batch, _ = task_for(game, plan.agents, NO_LIMITS).play(list(plan.fixtures()))
    assert set(batch.reasons) == {Reason.ILLEGAL}
    assert {int(seating[seat]) for seating, seat in zip(batch.seatings, batch.offenders, strict=True)} == {0}


def test_an_opponent_behind_a_door_cannot_cheat():
    game = games.find(CHEATING)
    with pytest.raises(BadMove, match=r"agent policy\(cheat\): move 9 at ply 0 is not legal; the moves are 0, 1"):
        Episode(game, {0: CHEAT}, 1)


def test_nothing_is_imitated_that_is_not_legal():
    game = games.find("cartagena")
    lecture = TeacherGames(game, "random", next(iter(actions(game))), list(encodings(game))[:1], 1)
    lecture.mind = SimpleNamespace(text="cheat", decide=lambda view: 10**6)
    with pytest.raises(BadMove, match="agent cheat: move 1000000 at ply 0 is not legal"):
        lecture.demonstrations(0, 5, next(iter(encodings(game))))


def test_a_book_that_names_an_illegal_move_is_not_followed():
    game = games.find(CHEATING)
    table = Table(game, 1)
    view = table.view(0)
    book = new_book(game, {}, {})
    book.add(normal_form(game, view)[0], 9, 1.0)
    assert book.best(game, view, table.moves()) is None


# Modules that play moves on bare states in compiled code, and why no game that counts can be harmed there.
PLAYERS = {
    "batches/card_perft.py": "entries of the list",
    "batches/mass_play_rows.py": "checked; random moves are entries of the list",
    "batches/perft_rows.py": "entries of the list",
    "batches/playout_rows.py": "playouts",
    "batches/rows.py": "checked; random moves are entries of the list",
    "core/last_position.py": "moves of games that were played",
    "core/laws/guess_samples.py": "entries of the list",
    "core/laws/walk.py": "entries of the list",
    "core/perft.py": "entries of the list",
    "core/rolls.py": "what chance does, an entry of the list",
    "core/playout.py": "play_legal checks; all else is entries of the list, and playouts",
    "core/policy_games.py": "checked; random moves are entries of the list",
    "learn/self_play.py": "checked",
    "learn/strength.py": "checked",
    "search.py": "playouts",
}


def _imports_play(source):
    """Return whether code imports what plays a move unchecked, by its name or with its whole module."""
    whole = {"kibitz.core.calls", "kibitz.core.calls.play", "kibitz.core.calls.*"}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            home = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            if whole & {f"{home}{alias.name}" for alias in node.names}:
                return True
    return False


@pytest.mark.parametrize("line", [
    "from kibitz.core.calls import moves, play", "from kibitz.core.calls import *", "from kibitz.core import calls",
    "import kibitz.core.calls", "import kibitz.core.calls as c",
])  # fmt: skip
def test_no_way_to_import_what_plays_unchecked_is_overlooked(line):
    assert _imports_play(line)
    assert not _imports_play("from kibitz.core.calls import moves")


def test_only_what_is_known_plays_moves_on_bare_states():
    found = {str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if _imports_play(path.read_text())}
    assert {path for path in found if not path.startswith("agents/search/")} == set(PLAYERS)


@pytest.mark.parametrize("searcher", ["mcts(iterations=50, policy=cheat)", "flat(playouts=20, policy=cheat)"])
def test_a_search_whose_playouts_cheat_still_picks_a_legal_move(searcher):
    game = games.find(CHEATING)
    table = Table(game, 1)
    assert build(searcher, game, 1).decide(np.array(table.view(0))).move in table.moves()
