"""The command line, used as a person and as a script would."""

import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from rich.console import Console

from kibitz import games as library
from kibitz.bench.bench_command import LEGEND, _table
from kibitz.cli import main, terminal_game
from kibitz.core.record import record_of
from kibitz.core.table import Table

ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
KUHN = str(Path(__file__).parent / "kuhn")


def run(*words: str, typed: str = ""):
    """Run a command in this process."""
    return CliRunner().invoke(main, list(words), input=typed, catch_exceptions=False)


def save_one_record(path):
    """Write the record of one game of Quarto."""
    run("match", "quarto", "random", "random", "--games", "2", "--save", str(path))
    path.write_text(path.read_text().splitlines()[0] + "\n")


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "160")


def test_games_and_agents_tell_what_there_is():
    assert "squares=false" in run("games").stdout
    listed = run("agents", "quarto").stdout
    for word in ("minimax", "novice", "agents quarto AGENT"):
        assert word in listed
    playing, _, refusing = listed.partition("Not for quarto")
    assert "  minimax " in playing
    assert "  brs " in refusing
    assert len(listed.splitlines()) < 40
    for agent, option in (("maxn", "worlds=10"), ("novice", "name=random")):
        assert option in run("agents", "quarto", agent).stdout
    assert run("agents", "quarto", "nobody").exit_code == 2


def test_what_a_game_knows_is_listed_by_name_with_a_sentence_each():
    known = json.loads(run("games", "chexers", "--json").stdout)["games"][0]
    game = library.find("chexers")
    for offer, names in (("values", game.values), ("policies", game.policies), ("filters", game.filters),
                         ("orders", game.orders), ("agents", game.agents)):  # fmt: skip
        assert [entry["name"] for entry in known[offer]] == list(names)
        assert all(entry["what"] for entry in known[offer])
    weighted = next(entry for entry in known["values"] if entry["name"] == "weighted")
    assert (weighted["unit"], weighted["per_unit"], weighted["usual"]) == ("pieces", 2000, True)
    shown = run("games", "chexers").stdout
    for words in ("Own agents of chexers", "stands for maxn(depth=3, value=mozi", "weighted (usual)", "leads in pieces",
                  "Orders of chexers", "kinds", "Filters of chexers", "direct", "Policies of chexers"):  # fmt: skip
        assert words in shown
    assert "always above 0" in run("games", "cartagena").stdout
    assert [entry["name"] for entry in json.loads(run("games", "--json").stdout)["games"]] == library.names()


def test_agents_that_refuse_a_game_say_why():
    data = json.loads(run("agents", "quarto", "--json").stdout)
    refusals = {entry["name"]: entry["refuses"] for entry in data["agents"]}
    assert refusals["maxn"] == ""
    assert "skip their turns" in refusals["brs"]
    assert data["game"]["name"] == "quarto"
    assert "Not for quarto brs brs lets opponents skip" in " ".join(run("agents", "quarto").stdout.split())
    assert "refuses" not in json.loads(run("agents", "--json").stdout)["agents"][0]
    assert refusals["aibase"] == "aibase plays colonizers only"
    assert (refusals["lines"], refusals["torino"], refusals["bot"]) == ("", "", "")
    entirely = {entry["name"] for entry in json.loads(run("agents", "cartagena", "--json").stdout)["agents"]
                if entry["refuses"].endswith(" only")}  # fmt: skip
    assert {"aibase", "comp30024", "lines", "torino"} <= entirely


def test_match_prints_json_and_nothing_else():
    result = run("match", "quarto", "novice", "random", "--games", "40", "--seed", "3", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert list(data) == [
        "game", "options", "seat_names", "planned", "games", "blocks", "seed", "openings", "scoring", "agents",
        "by_seat", "without_winner", "distinct", "reasons", "drawn_by", "faults", "notes", "plies", "seconds", "dealt",
        "teams", "partnerships",
    ]  # fmt: skip
    assert list(data["agents"][0]) == [
        "agent", "name", "games", "wins", "draws", "losses", "win_rate", "win_interval", "places", "mean_place",
        "mean_payoff", "payoff_interval", "by_seat", "seats_p", "seconds_per_move",
    ]  # fmt: skip
    assert list(data["agents"][0]["by_seat"][0]) == [
        "seat", "games", "wins", "draws", "losses", "win_rate", "win_interval", "mean_place", "mean_payoff",
        "payoff_interval",
    ]  # fmt: skip
    assert data["game"] == "quarto"
    assert data["options"] == {"squares": False}
    assert [agent["agent"] for agent in data["agents"]] == ["novice", "random"]


def test_match_counts_wins_by_seat_over_all_agents_and_games_without_a_winner():
    words = ("match", "chexers", "random", "random", "random", "--games", "60", "--seed", "4")
    data = json.loads(run(*words, "--json").stdout)
    for seat, row in enumerate(data["by_seat"]):
        assert row["seat"] == seat
        assert row["games"] == 60
        for what in ("wins", "draws", "losses"):
            assert row[what] == sum(agent["by_seat"][seat][what] for agent in data["agents"])
    assert 0 < data["without_winner"] == 60 - sum(row["wins"] for row in data["by_seat"]) < 60
    shown = run(*words).stdout
    assert "│ all " in shown
    assert f"{data['without_winner']} of 60 games had no winner." in shown


def test_two_copies_of_an_agent_are_one_entry():
    data = json.loads(run("match", "quarto", "random", "random", "--games", "100", "--json").stdout)
    assert [(agent["agent"], agent["games"]) for agent in data["agents"]] == [("random", 200)]
    assert data["agents"][0]["wins"] == data["agents"][0]["losses"]


def test_match_prints_a_sheet_with_intervals_and_seats():
    shown = run("match", "quarto", "novice", "random", "--games", "21").stdout
    for word in ("95 %", "by seat", "moves a second", "22 games, seed 1", "22 of 22 games are different"):
        assert word in shown


def test_two_agents_play_a_match_in_three_seats():
    words = ("match", "chexers", "random", "policy(greedy)", "--games", "60", "--seed", "2", "--json")
    data = json.loads(run(*words).stdout)
    assert (data["games"], data["openings"], data["distinct"]) == (60, 6, 60)
    assert [seat["games"] for row in data["agents"] for seat in row["by_seat"]] == [30] * 6


def test_balance_tells_whether_seats_are_equal():
    shown = run("balance", "quarto", "random", "--games", "60").stdout
    for word in ("quarto (squares=false), random in every seat", "95 % interval", "chi-square", "decided games"):
        assert word in shown
    data = json.loads(run("balance", "quarto", "random", "--games", "60", "--json").stdout)
    assert list(data) == [
        "game", "options", "agent", "planned", "games", "seed", "openings", "scoring", "decided", "draws",
        "seats", "tests", "p", "fair", "length", "plies", "verdict", "distinct", "reasons", "drawn_by", "faults",
        "notes", "seconds",
    ]  # fmt: skip
    assert data["decided"] + data["draws"] == 60


def test_balance_lays_variants_side_by_side():
    words = ("balance", "quarto", "quarto(squares=true)", "--agent", "random", "--games", "60")
    shown = run(*words).stdout
    assert "1  quarto (squares=false): There is" in shown
    assert "2  quarto (squares=true): There is" in shown
    data = json.loads(run(*words, "--json").stdout)
    assert [variant["games"] for variant in data["variants"]] == [60, 60]


def test_balance_refuses_in_one_sentence():
    for words in (
        ("chess", "random"),
        ("quarto", "nobody"),
        ("quarto", "chess", "--agent", "random"),
        ("quarto", "random", "--games", "0"),
    ):
        result = run("balance", *words)
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1


def test_flags_set_the_stop_rule_limits_and_openings_of_a_tournament(tmp_path):
    path = tmp_path / "least.toml"
    path.write_text('game = "quarto"\nagents = ["novice", "random"]\nopenings = 3\nstop = { better = "+1 %" }\n')
    words = ["tournament", str(path), "--db", str(tmp_path / "results.db"), "--jobs", "1", "--json", "--games", "4000"]
    words += ["--openings", "auto", "--stop", "+10 %", "--beta", "0.1", "--limit", "plies=40", "--limit", "nodes=9"]
    data = json.loads(run(*words).stdout)
    assert data["plan"]["openings"] == 4
    assert data["plan"]["stop"] == {"better": "+10 %", "beta": 0.1}
    assert (data["plan"]["limits"]["plies"], data["plan"]["limits"]["nodes"]) == (40, 9)
    assert data["stop"]["call"] == "better"
    assert data["played"] < 4000


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--limit", "plies"), "--limit takes NAME=NUMBER, for example move_seconds=1, not 'plies'"),
        (("--limit", "plies=many"), "the limit plies must be a whole number above 0"),
        (("--limit", "plies=" + "9" * 5000), "the limit plies must be a whole number above 0"),
        (("--limit", "pliers=3"), "unknown limit 'pliers'"),
        (("--stop", "much"), "better must be a difference above 0"),
        (("--stop", "+3 %", "--alpha", "2"), "alpha must be a number above 0 and below 0.5"),
        (("--beta", "0.1"), "stop lacks better"),
        (("--openings", "some"), "openings must be a whole number from 0 to 1000 or \"auto\", not 'some'"),
        (("--openings", "9" * 5000), 'openings must be a whole number from 0 to 1000 or "auto", not inf'),
    ],
)
def test_flags_of_a_tournament_that_cannot_be_are_refused_in_one_sentence(tmp_path, words, complaint):
    least = ("--game", "quarto", "--agent", "random", "--agent", "novice", "--db", str(tmp_path / "results.db"))
    result = run("tournament", *least, *words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_saved_records_replay(tmp_path):
    path = str(tmp_path / "games.jsonl")
    assert run("match", "quarto", "novice", "random", "--games", "30", "--save", path, "--json").exit_code == 0
    assert "30 records, all of them correct" in run("replay", path).stdout
    shown = run("replay", path, "--number", "2", "--ply", "5").stdout
    assert "   5. " in shown
    assert "   6. " not in shown
    assert json.loads(run("replay", path, "--json").stdout)["records"] == 30


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("match", "chess", "random", "random"), "unknown game 'chess'; known:"),
        (("match", "quarto", "random"), "a match in 2 seats is between 2 agents, not 1"),
        (("match", "quarto", "random", "nobody"), "unknown agent for quarto 'nobody'; known:"),
        (("match", "quarto", "random", "flat(playouts=x)"), "playouts=x does not fit"),
        (("match", "quarto", "random", "flat(playouts=1"), "')' is missing"),
        (("match", "quarto(squares=maybe)", "random", "random"), "it takes true or false"),
        (
            ("match", "quarto", "random", "random", "--games", "0"),
            "games must be a whole number from 1 to 1000000000000, not 0",
        ),
        (("match", "quarto", "random", "random", "--jobs", "-3"), "jobs must be 1 to"),
        (("match", "quarto", "random", "random", "--games", "many"), "'many' is not a valid integer"),
        (("agents", "chess"), "unknown game 'chess'"),
        (("perft", "quarto", "--depth", "-1"), "--depth must be at least 0, not -1"),
        (("perft", "quarto", "--depth", "0", "--split"), "--depth must be at least 1, not 0"),
        (("replay", "no-such-file"), "cannot read no-such-file"),
        (("tournament", "none.toml"), "tournament --example > none.toml"),
        (("bench", "chess"), "unknown thing to measure 'chess'"),
        (("play", "chess"), "unknown game 'chess'"),
        (("play",), "name a GAME"),
        (("play", "--resume"), "there is no game to continue"),
        (("play", "quarto", "--resume"), "takes game, agents and seed from the record"),
        (("frobnicate",), "No such command 'frobnicate'"),
    ],
)
def test_bad_input_is_one_clear_sentence_and_exit_code_2(words, complaint):
    result = run(*words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_folder_that_would_change_how_agents_are_compiled_is_refused(tmp_path, monkeypatch):
    (tmp_path / ".numba_config.yaml").write_text("disable_jit: 1")
    monkeypatch.chdir(tmp_path)
    done = run("match", "quarto", "random", "random", "--games", "2")
    assert done.exit_code == 2
    assert "remove it, or set NUMBA_… in the environment" in done.stderr


def test_a_bad_match_leaves_no_file(tmp_path):
    run("match", "quarto", "random", "nobody", "--save", str(tmp_path / "x.jsonl"))
    assert [path.name for path in tmp_path.iterdir() if path.name != "state"] == []
    result = run("match", "quarto", "random", "random", "--save", str(tmp_path / "no" / "x.jsonl"))
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("broken", "line 2: not a line of JSON"),
        ('{"kibitz": 1}', "line 2: not a record: missing keys"),
    ],
)
def test_a_broken_record_file_is_named_by_line(tmp_path, line, complaint):
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    path.write_text(path.read_text() + line + "\n")
    result = run("replay", str(path))
    assert result.exit_code == 2
    assert complaint in result.stderr


def test_an_illegal_move_in_a_record_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    record = json.loads(path.read_text())
    record["moves"][3] = 77
    path.write_text(json.dumps(record))
    result = run("replay", str(path))
    assert result.exit_code == 2
    assert "record 1" in result.stderr
    assert "move 77 at ply 3 is not legal; the moves are" in result.stderr


def test_analyse_shows_the_best_moves_with_lines(tmp_path):
    shown = run("analyse", "quarto", "--ply", "17", "--agent", "minimax(depth=2, opening=none)").stdout
    assert "quarto, ply 17, seat" in shown
    assert "line of play" in shown
    data = json.loads(
        run("analyse", "chexers", "--ply", "9", "--agent", "maxn(depth=2)", "--top", "2", "--json").stdout
    )
    assert len(data["moves"]) == 2
    assert data["moves"][0]["worth"] >= data["moves"][1]["worth"]
    for entry in data["moves"]:
        assert len(entry["values"]) == 3
        assert entry["line"][0] == entry["move"]
    path = str(tmp_path / "games.jsonl")
    run("match", "quarto", "novice", "novice", "--games", "2", "--save", path)
    data = json.loads(
        run("analyse", path, "--number", "2", "--ply", "6", "--agent", "flat(playouts=5)", "--json").stdout
    )
    assert data["ply"] == 6
    plies = len(json.loads(Path(path).read_text().splitlines()[0])["moves"])
    data = json.loads(run("analyse", path, "--agent", "novice", "--json").stdout)
    assert data["ply"] == plies - 1
    for words, complaint in (
        (("analyse", path, "--number", "3"), "there is no game 3"),
        (("analyse", path, "--ply", "99"), "so there is no ply 99"),
        (("analyse", path, "--ply", str(plies)), f"the last choice was at --ply {plies - 1}"),
        (("analyse", "quarto", "--top", "0"), "--top must be at least 1"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert complaint in result.stderr


def test_an_analysis_is_in_one_scale_and_best_first():
    def analysed(*words):
        return json.loads(run("analyse", *words, "--json").stdout)

    opening = analysed("quarto", "--ply", "6", "--agent", "maxn(depth=1)")
    assert opening["scale"] == "payoff"
    assert all(0 <= entry["worth"] <= 1 for entry in opening["moves"])
    paranoid = analysed("quarto", "--ply", "15", "--agent", "paranoid(depth=2, opening=none)")
    worths = [entry["worth"] for entry in paranoid["moves"]]
    assert worths == sorted(worths, reverse=True)
    everything = analysed("quarto", "--ply", "15", "--agent", "paranoid(depth=2, opening=none)", "--top", "16")
    assert worths == sorted((entry["worth"] for entry in everything["moves"]), reverse=True)[:3]
    assert (paranoid["scale"], paranoid["unit"]) == ("completing_absolute", "pieces")
    mixed = run("analyse", "chexers", "--ply", "9", "--agent", "mpmix(depth=1)").stdout
    assert "pieces" in mixed
    assert "than" in mixed
    sampled = run("analyse", "quarto", "--ply", "9", "--agent", "mcts(iterations=200)").stdout
    for words in ("playouts", "200 playouts", "the average payoff", "quarto, ply 9, seat"):
        assert words in sampled
    assert "line of play" not in run("analyse", "quarto", "--agent", "random").stdout  # it expects nothing
    cut = run("analyse", "chexers", "--ply", "9", "--agent", "mcts(iterations=50, cut=1)").stdout
    assert "shares by the value weighted" in " ".join(cut.split())
    attack = analysed("chexers", "--ply", "30", "--seed", "2", "--agent", "offensive(target=2, depth=2)", "--top", "50")
    harms = [-entry["values"][1] for entry in attack["moves"]]
    assert harms == sorted(harms, reverse=True) == [entry["worth"] for entry in attack["moves"]]
    assert "--ply must be at least 0, not -1" in run("analyse", "chexers", "--ply", "-1").stderr


def test_perft_counts_and_splits():
    assert "3,840" in run("perft", "quarto", "--depth", "3").stdout
    data = json.loads(run("perft", "quarto", "--depth", "3", "--split", "--json").stdout)
    assert data["total"] == 3840
    assert data["counts"]["BTRS"] == 240


def test_a_person_can_play_ask_undo_leave_and_go_on(monkeypatch):
    monkeypatch.setattr(terminal_game, "opponent", lambda game: "minimax(depth=1, opening=none)")
    first = run("play", "quarto", "human", "novice", "--seed", "3", typed="help\nmoves\nBTRS\nquit\n")
    assert first.exit_code == 0
    assert "take back" in first.stdout
    assert "kibitz play --resume" in first.stdout
    again = run("play", "--resume", typed="nonsense\nundo\n")
    assert "'nonsense' is not a move here; the moves are" in again.stdout
    assert again.exit_code == 0  # the input ended: the game is kept
    hint = run("play", "--resume", typed="hint\nquit\n")
    assert "the computer would play" in hint.stdout


def test_the_record_of_a_game_at_the_terminal_is_kept(tmp_path):
    path = tmp_path / "game.jsonl"
    done = run("play", "quarto", "novice", "random", "--seed", "5", "--save", str(path))
    assert "wins" in done.stdout or "A draw" in done.stdout
    assert run("replay", str(path)).exit_code == 0


def test_two_words_on_a_line_are_two_moves():
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="WSQH\na1 BTRS\nb1 WSQS\nquit\n").stdout
    assert "BTRS" in shown
    record = run("play", "--resume", typed="quit\n").stdout
    assert "in hand: WSQS" in record


def play_cartagena(*lines):
    """Return what a person sees who types these lines; hands are open, so all there is to know is on the board."""
    return run(
        "play", "cartagena", "human", "random", "random", "--seed", "3", typed="\n".join([*lines, "quit\n"])
    ).stdout


def test_several_moves_on_a_line_may_have_spaces_in_them():
    shown = play_cartagena("0 hat  0 SKULL stop")
    assert "is not a move" not in shown
    assert "green plays" in shown
    assert "discards  1 hat, 1 skull" in play_cartagena("0 hat 0 skull")
    assert "  type a move" in play_cartagena("0 hat help 0 skull")


def test_what_is_refused_is_quoted_as_it_was_typed_and_the_board_is_shown_if_it_has_changed():
    assert "'0 key' is not a move here; the moves are 0 bottle" in play_cartagena("0 key")
    assert "'back 3' is not a move here" in play_cartagena("back 3")
    shown = play_cartagena("0 hat 0 key 0 skull")
    assert "'0 key 0 skull' is not a move here" in shown
    assert "discards  1 hat\n" in shown.split("'0 key 0 skull'")[1]


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ('("JUMP", ((-3, 3), (-1, 1)))', "there is no piece to jump over on (-2, 2)"),
        ('("MOVE", ((-3, 3), (9, 9)))', "names (9, 9), which is not a hex"),
        ('("FLY", None)', "is not an action; an action is"),
        ("({[]: 1})", "'({[]: 1})' is not a move here"),
        ("(" * 500, "is not a move here"),
        ("a7xc5", "'a7xc5' is not a move here"),
    ],
)
def test_an_action_of_the_chexers_course_is_refused_with_what_is_wrong_with_it(typed, refusal):
    shown = run("play", "chexers", "human", "random", "random", "--seed", "3", typed=f"{typed}\nquit\n")
    assert shown.exit_code == 0
    said = " ".join(shown.stdout.split())
    assert refusal in said
    assert "; the moves are a4-b3" in said


def test_an_action_of_the_chexers_course_is_read_with_the_spaces_in_it():
    typed = '("MOVE", ((-3, 3), (-2, 2))) a4-b3 nonsense\nquit\n'
    shown = run("play", "chexers", "human", "human", "human", "--seed", "3", typed=typed).stdout
    assert "the rest of the line is not read: a4-b3 nonsense" in shown
    assert "1 of 768 turns made; green to move" in shown


def test_a_person_is_told_the_open_moves_of_a_game_with_secrets():
    shown = run("play", "cartagena", "human", "random", "random", "--seed", "3", typed="0 hat\nstop\nquit\n").stdout
    assert re.search(r"green plays (0 \w+|back \d+)", shown)
    assert "has moved" not in shown
    shown = run("play", "colonizers", "human", "random", "random", "random", "--seed", "3",
                typed="miner\nomnium\nquit\n").stdout  # fmt: skip
    for seat in (2, 3, 4):
        assert f"seat {seat} has moved" in shown
        assert f"seat {seat} plays omnium" in shown or f"seat {seat} plays modules" in shown


CHOOSER = """
from kibitz.agents.agent import Agent, Decision
class Chooser(Agent):
    def decide(self, view):
        return Decision(self.legal(view)[{which}])
"""


@pytest.mark.parametrize(
    ("game", "seats", "typed"),
    [
        ("colonizers", "hccc", "miner\nquit\n"),  # the others pick other colonists
        (f"{KUHN}(coins=true)", "ch", "quit\n"),  # a bet in copper or in silver
    ],
)
def test_what_is_on_the_screen_is_the_same_whatever_the_others_do_in_secret(tmp_path, game, seats, typed):
    screens = []
    for which in (1, -1):
        path = tmp_path / f"choose{which}.py"
        path.write_text(CHOOSER.format(which=which))
        names = ["human" if seat == "h" else str(path) for seat in seats]
        shown = run("play", game, *names, "--seed", "3", typed=typed).stdout
        assert "has moved" in shown
        screens.append([line for line in shown.split("\n") if "choose" not in line])
    assert screens[0] == screens[1]


def test_an_agent_that_cheats_does_not_give_away_its_choices(tmp_path):
    path = tmp_path / "cheat.py"
    path.write_text(CHOOSER.format(which="0] + [50][0"))
    done = run("play", "colonizers", "human", *[str(path)] * 3, "--seed", "3", typed="miner\n")
    assert done.exit_code != 0
    assert "its move is not legal" in done.output
    assert "the moves are" not in done.output


def test_two_people_with_secrets_are_told_in_turn_what_was_played_and_type_for_themselves():
    shown = run("play", "colonizers", "human", "random", "human", "random", "--seed", "3",
                typed="miner omnium\n\nnonsense\nquit\n").stdout  # fmt: skip
    before, after = shown.split("Hand over to seat 3")
    assert "seat 2 has moved" not in before
    assert "nonsense" not in before
    assert "seat 1 has moved\nseat 2 has moved" in after
    assert "miner" not in after.split("  the packet")[0].split("seat 1 is")[0]


def test_input_that_ends_at_the_curtain_keeps_the_game():
    shown = run("play", "colonizers", "human", "human", "random", "random", "--seed", "3", typed="miner\n")
    assert shown.exit_code == 0
    assert "kibitz play --resume" in shown.stdout


def test_bench_rows_have_the_promised_keys(monkeypatch):
    from kibitz.bench import speed_rows as bench

    monkeypatch.setattr(bench, "SECONDS_A_ROUND", 0.001)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "POSITIONS", 2)
    data = json.loads(run("bench", "quarto", "--json").stdout)
    assert all(list(row) == ["name", "unit", "value", "yardstick", "ratio"] for row in data["rows"])
    names = [row["name"] for row in data["rows"]]
    assert "quarto/random-games" in names
    assert all(row["value"] > 0 for row in data["rows"])
    checked = next(row for row in data["rows"] if row["name"] == "quarto/novice-games-checked")
    assert checked["ratio"] == pytest.approx(checked["value"] / checked["yardstick"])  # what checking moves costs


def test_a_game_of_one_s_own_is_measured_by_its_path(monkeypatch):
    from kibitz.bench import speed_rows as bench

    monkeypatch.setattr(bench, "SECONDS_A_ROUND", 0.001)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    names = [row["name"] for row in json.loads(run("bench", KUHN, "--json").stdout)["rows"]]
    assert names[:2] == ["kuhn/random-games", "kuhn/random-moves"]
    assert "kuhn/ismcts-iterations" in names  # mcts refuses hidden cards
    assert "kuhn/mcts-iterations" not in names


FORCED = "    if state[HIGH] - state[LOW] >= {}:\n        out[0] = 5\n        return 1\n    n = 0\n"


@pytest.mark.parametrize(("wide", "measured"), [(8, True), (0, False)])
def test_speed_is_measured_at_the_first_choice_of_a_game(wide, measured, tmp_path):
    from kibitz.bench.speed_rows import _first_choice, _sampling_rows
    from kibitz.cli.new_command import start_game

    start_game(f"forced_{wide}", tmp_path)
    rules = tmp_path / f"forced_{wide}" / "rules.py"
    rules.write_text(rules.read_text().replace("    n = 0\n", FORCED.format(wide)))
    game = library.find(str(rules.parent))
    view = _first_choice(game)
    assert (view is not None) == measured
    if view is None:
        assert list(_sampling_rows(game)) == []
    else:
        assert view[game.cells["HIGH"]] - view[game.cells["LOW"]] < wide


CRASHING = """
from kibitz.agents.agent import Agent
class Crashing(Agent):
    def decide(self, view):
        return 1 // 0
"""


@pytest.mark.usefixtures("interpreted")
def test_a_match_with_an_agent_that_fails_is_shown_and_ends_badly(tmp_path):
    (tmp_path / "crash.py").write_text(CRASHING)
    words = ("--games", "4", "--jobs", "1", "--openings", "0", "--no-isolate")
    result = run("match", "quarto", f"{tmp_path}/crash.py", "random", *words)
    assert result.exit_code == 1
    assert "4 games ended because an agent failed." in result.stdout
    (sentence,) = result.stderr.strip().splitlines()
    assert "failed in seat 1 at ply 0 of game 1: ZeroDivisionError" in sentence
    assert sentence.endswith("(and 3 more games lost in such a way)")


@pytest.mark.usefixtures("interpreted")
def test_one_game_and_one_block_are_counted_in_the_singular(tmp_path):
    (tmp_path / "crash.py").write_text(CRASHING)
    words = ("--games", "2", "--jobs", "1", "--openings", "0", "--no-isolate")
    result = run("match", "quarto", f"{tmp_path}/crash.py", "random", *words)
    assert "come from 1 block of games" in result.stdout
    assert result.stderr.strip().endswith("(and 1 more game lost in such a way)")


def test_a_match_may_be_kept_in_a_ledger_and_reported(tmp_path):
    db, page = str(tmp_path / "match.db"), tmp_path / "page.html"
    words = ("match", "quarto", "novice", "random", "--games", "20", "--db", db, "--limit", "plies=30", "--json")
    first, second = (json.loads(run(*words).stdout) for _ in range(2))
    assert first == second
    assert run("report", db, "--out", str(page)).exit_code == 0
    assert "quarto: rotation of 2 agents" in page.read_text()


def test_the_installed_command_works_in_a_pipe():
    command = "kibitz perft quarto --depth 2 | head -1"
    bin_folder = sys.executable.rsplit("/", 1)[0]
    done = subprocess.run(
        ["sh", "-c", f"PATH={bin_folder}:$PATH; {command}"], capture_output=True, text=True, check=True
    )
    assert "quarto" in done.stdout
    assert "Traceback" not in done.stderr


def test_square_brackets_are_only_text(tmp_path):
    shown = run("play", "quarto", "human", "human", typed="[/x]\n[red]\nquit\n").stdout
    assert "'[/x]' is not a move here" in shown
    assert "'[red]' is not a move here" in shown
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "agents": ["[red]", "[x"]}))
    assert "[red]" in run("replay", str(path)).stdout


def test_a_record_cannot_run_code_unless_it_is_trusted(tmp_path):
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    (tmp_path / "evil" / "rules.py").write_text("")
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "game": str(tmp_path / "evil")}))
    for command_line in (("replay", str(path)), ("analyse", str(path)), ("play", "--resume", str(path))):
        result = run(*command_line)
        assert result.exit_code == 2
        assert "use --trust" in result.stderr
    assert not (tmp_path / "ran").exists()


def test_an_agent_in_a_file_is_trusted_only_where_it_will_play(tmp_path):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    path, out = tmp_path / "game.jsonl", str(tmp_path / "board.svg")
    table = Table(library.find("quarto"), 3)
    path.write_text(record_of(table, ["human", str(tmp_path / "evil.py")]).line())
    for words in (("replay", str(path)), ("draw", str(path), "--out", out), ("analyse", str(path), "--agent", "novice"),
                  ("play", "--resume", str(path), "--seat", "2=random")):  # fmt: skip
        assert run(*words, typed="quit\n").exit_code == 0, words
    path.write_text(record_of(table, ["human", str(tmp_path / "evil.py")]).line())
    refused = run("play", "--resume", str(path))
    assert refused.exit_code == 2
    assert "use --trust" in refused.stderr
    assert not (tmp_path / "ran").exists()


def test_a_game_is_kept_even_if_the_agent_fails(tmp_path):
    (tmp_path / "crash.py").write_text(
        "from kibitz.agents.agent import Agent\n\n\nclass Crash(Agent):\n    def decide(self, view):\n"
        "        return 1 // 0\n"
    )
    result = run("play", "quarto", "human", f"{tmp_path}/crash.py", typed="BTRS\n")
    assert result.exit_code == 2
    assert "The game is kept in" in result.stdout
    assert "failed in seat 2 at ply 1 of this game: ZeroDivisionError" in result.stderr
    assert result.stdout.endswith("play --resume --seat 2=AGENT\n")


def test_a_finished_game_is_no_longer_unfinished(tmp_path):
    run("play", "quarto", "human", "human", "--seed", "1", typed="WSQH\na1 WSQS\nb1 WSRH\nc1 WSRS\nquit\n")
    assert "wins" in run("play", "--resume", typed="d1\n").stdout
    assert run("play", "--resume").exit_code == 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("match", "quarto", "random", "a(" * 300 + "b" + ")" * 300), "nested more than"),
        (("match", "quarto", "random", "human"), "a person (human) can only take a seat in a game"),
        (("match", "quarto", "random", "random", "--jobs", "0"), "jobs must be 1 to 256, not 0"),
        (("match", "quarto", "random", "random", "--seed", "-1"), "-1 is not in the range"),
        (("match", "quarto", "random", "flat(5, playouts=6)"), "option playouts is given twice"),
        (("match", "quarto", "random", "flat(0=5)"), "'0' is not the name of an option"),
        (("match", "quarto", "random", "greedy(value=completing_relative(inf))"), "does not fit"),
        (("match", "quarto", "random", "minimax(nodes=10000000000000000000000)"), "does not fit"),
        (("match", "quarto", "random", "random", "--save", "x" * 300), "cannot write"),
    ],
)
def test_more_bad_input_is_one_clear_sentence(words, complaint):
    result = run(*words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("interpreted")
def test_paths_with_spaces_are_quoted(tmp_path):
    folder = tmp_path / "my agents"
    folder.mkdir()
    (folder / "first.py").write_text(
        "from kibitz.agents.agent import Agent, Decision\n\n\nclass First(Agent):\n    def decide(self, view):\n"
        "        return Decision(self.legal(view)[0])\n"
    )
    result = run("match", "quarto", f"'{folder}/first.py'", "random", "--games", "2", "--jobs", "1", "--json")
    assert result.exit_code == 0


LOUD = """
from kibitz import Agent
print("loud: imported")
class Loud(Agent):
    def prepare(self):
        print("loud: built")
    def decide(self, view):
        print("loud: asked")
        return self.legal(view)[0]
"""


@pytest.mark.parametrize("words", [
    ("match", "quarto", "LOUD", "random", "--games", "2", "--jobs", "1"),
    pytest.param(("balance", "quarto", "LOUD", "--games", "2"), marks=ONLY_LONG),
    ("analyse", "quarto", "--agent", "LOUD"),
])  # fmt: skip
def test_what_an_agent_prints_is_no_part_of_the_output(tmp_path, words):
    (tmp_path / "loud.py").write_text(LOUD)
    words = [f"{tmp_path}/loud.py" if word == "LOUD" else word for word in words]
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *words, "--json"], env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)
    assert "loud: asked" in done.stderr


def test_the_games_of_a_ledger_can_be_seen(tmp_path):
    db, out = str(tmp_path / "results.db"), tmp_path / "board.svg"
    run("match", "quarto", "novice", "random", "--games", "20", "--db", db)
    assert "20 records, all of them correct" in run("replay", db).stdout
    assert "   5. " in run("replay", db, "--game", "17").stdout
    assert run("draw", db, "--game", "17", "--ply", "3", "--out", str(out)).exit_code == 0
    assert (
        json.loads(run("analyse", db, "--game", "17", "--ply", "3", "--agent", "novice", "--json").stdout)["ply"] == 3
    )
    for words, complaint in (
        (("--game", "0"), "there is no game 0 in"),
        (("--game", "21"), "there is no game 21 in"),
        (("--run", "nothing"), "unknown run in"),
    ):
        result = run("replay", db, *words)
        assert result.exit_code == 2
        assert complaint in result.stderr
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    assert "is not a ledger, so it has no run x" in run("replay", str(path), "--run", "x").stderr
    (tmp_path / "odd.db").write_bytes(b"SQLite format 3\0" + bytes(200))
    result = run("replay", str(tmp_path / "odd.db"))
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


def test_games_beyond_the_plan_stay_in_a_ledger_and_can_be_seen(tmp_path):
    db = str(tmp_path / "results.db")
    words = ("tournament", "--game", "quarto", "--agent", "random", "--agent", "novice", "--jobs", "1", "--db", db)
    run(*words, "--games", "40")
    run(*words, "--games", "8")
    assert "   5. " in run("replay", db, "--game", "40").stdout
    assert "it holds 1 to 40" in run("replay", db, "--game", "41").stderr


@pytest.mark.usefixtures("interpreted")
def test_the_number_of_a_game_that_failed_is_that_of_its_record(tmp_path):
    (tmp_path / "crash.py").write_text(
        "from kibitz import Agent\n\n\nclass Crash(Agent):\n    def decide(self, view):\n        return 1 // 0\n"
    )
    db, save = str(tmp_path / "results.db"), str(tmp_path / "games.jsonl")
    words = (
        "match",
        "quarto",
        "random",
        f"{tmp_path}/crash.py",
        "--games",
        "2",
        "--jobs",
        "1",
        "--json",
        "--no-isolate",
    )
    for kept in (("--db", db), ("--save", save)):
        fault = json.loads(run(*words, *kept).stdout)["faults"][0]
        seat, ply, number = map(int, re.search(r"in seat (\d) at ply (\d+) of game (\d+)", fault).groups())
        shown = run("replay", kept[1], "--game", str(number)).stdout
        assert f"seat {seat}: {tmp_path}/crash.py" in shown.replace("\n", "")
        assert f"   {ply}. " in shown
        assert f"   {ply + 1}. " not in shown


@pytest.mark.usefixtures("interpreted")
def test_advice_names_what_can_be_typed_here(tmp_path, monkeypatch):
    from kibitz.console import command_line

    (tmp_path / "first.py").write_text(LOUD)
    save, agent = str(tmp_path / "games.jsonl"), f"{tmp_path}/first.py"
    shown = run("match", "quarto", agent, "random", "--games", "2", "--jobs", "1", "--save", save).stdout
    assert f"replay {save}" in shown.replace("\n", "")
    assert "--trust" not in shown
    assert "records, all of them correct" in run("replay", save).stdout
    monkeypatch.setattr(command_line, "which", lambda name: f"/somewhere/{name}")
    assert command_line.command() == "kibitz"
    monkeypatch.setattr(command_line, "which", lambda name: None)
    assert command_line.command() == f"{sys.executable} -m kibitz"
    (tmp_path / "kibitz").touch()
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "kibitz")])
    assert command_line.command() == str(tmp_path / "kibitz")


def test_progress_off_a_terminal_is_a_line_now_and_then(monkeypatch, capsys):
    from kibitz.arena.show import live

    clock = iter(range(0, 1000, 20))
    monkeypatch.setattr(live, "monotonic", lambda: next(clock))
    with live.live_view("quarto") as show:
        for games in (10, 20, 30):
            show(SimpleNamespace(planned=100, games=games, speed=2.0))
    assert capsys.readouterr().err == "kibitz: quarto: 20 of 100 games, 2.0 games/s, about 40 s left\n"


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("words", [("games",), ("agents", "quarto", "minimax"), ("games", "quarto")])
def test_lists_fit_the_terminal_and_break_no_name(monkeypatch, columns, words):
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run(*words).stdout
    assert max(map(len, shown.splitlines())) <= columns
    for name in library.names() if words == ("games",) else ("completing_relative",) if words[0] == "games" else ():
        assert name in shown


def test_play_match_and_analyse_start_from_a_position():
    position = ("--position", "a1 WSQH b1 WSQS c1 WSRH; WSRS in hand")
    shown = run("play", "quarto", "human", "human", *position, typed="d1\n").stdout
    assert "seat 1 (human) wins." in shown
    data = json.loads(run("match", "quarto", "novice", "novice", "--games", "4", *position, "--json").stdout)
    assert [seat["wins"] for seat in data["by_seat"]] == [4, 0]
    found = json.loads(
        run("analyse", "quarto", *position, "--agent", "minimax(depth=1, opening=none)", "--json").stdout
    )
    assert found["moves"][0]["move"] == "d1"
    for words, complaint in (
        (("match", "quarto", "novice", "novice", "--position", "x9 WSQH"), "there is no cell 'x9'"),
        (("match", "quarto", "novice", "novice", "--position", "it's"), "without quotes in it"),
        (("match", KUHN, "random", "random", "--position", "anything"), "has no position.py"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert complaint in result.stderr


def test_a_replay_ends_with_the_position_as_text(tmp_path):
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    shown = run("replay", str(path), "--ply", "4").stdout
    assert re.search(
        r"position: \w\d \w{4}; \w{4} in hand; seat 1 to move|position: (\w\d \w{4} ?)+; seat . to move", shown
    )


def test_an_agent_without_decide_is_refused_before_a_game_is_played(tmp_path):
    (tmp_path / "nodecide.py").write_text("from kibitz import Agent\n\n\nclass S(Agent):\n    pass\n")
    result = run("match", "quarto", f"{tmp_path}/nodecide.py", "random", "--games", "2", "--jobs", "1")
    assert result.exit_code == 2
    assert "nodecide.py: class S has no method decide(self, view)" in result.stderr


def test_a_replay_says_who_has_won(tmp_path):
    path = tmp_path / "games.jsonl"
    save_one_record(path)
    assert re.search(r"\nseat [12] \(random\) wins\.\n|\na draw\.\n", run("replay", str(path)).stdout)
    path.write_text(json.dumps({**json.loads(path.read_text()), "seed": -1}))
    assert "'seed' cannot be -1" in run("replay", str(path)).stderr


@pytest.mark.parametrize(("words", "sentence"), [
    (["serve", "--no-open", "--agent", "random=novice"], "there is an agent random already"),
    (["battleground", "join", "127.0.0.1:1", "nosuch", "--name", "x"], "unknown agent for quarto 'nosuch'"),
    (["analyse", "quarto", "--agent", "{}"], "agent {} cannot analyse this position: EOFError"),
])  # fmt: skip
def test_what_cannot_work_is_said_at_once_and_by_name(tmp_path, words, sentence):
    path = tmp_path / "asks.py"
    path.write_text(
        "from kibitz import Agent\n\n\nclass Asks(Agent):\n    def decide(self, view):\n        return int(input())\n"
    )
    result = run(*(word.format(path) for word in words))
    assert result.exit_code == 2
    assert sentence.format(path) in " ".join(result.stderr.split())


def test_the_table_of_speeds_cuts_no_name_and_no_number():
    row = {"name": "mcts-of-a-game-with-a-long-name-iterations-per-second", "unit": "iterations a second, one core"}
    screen = Console(width=80, file=StringIO())
    screen.print(_table([row | {"value": 1234567.0, "yardstick": 123.0, "ratio": 2.0}]))
    shown = screen.file.getvalue()
    columns = ["".join(line.split("│")[at].strip() for line in shown.splitlines() if "│" in line) for at in range(1, 6)]
    assert columns[0] == row["name"]
    assert columns[2].replace(" ", "") == row["unit"].replace(" ", "")
    assert columns[1::2] == ["1.235e+06", "123"]
    assert "ratio: value / yardstick" in LEGEND
