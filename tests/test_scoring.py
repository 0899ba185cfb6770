"""What counts is what is shown: walks over all places that show results, with a game for chips and one played together.

Every verb stands in one of two tables: how it is run with both games, or why it shows no results. So does every file
that handles results: it asks the game's scoring, or a table here says why it need not.
"""

import ast
import asyncio
import csv
import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

import kibitz
from kibitz.arena.balance import play_balance, play_variants
from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schemes import seatings
from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.play.batch import Batch
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.tournament import play_tournament
from kibitz.cli import main
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.laws import gameplay
from kibitz.core.laws.law import Broken
from kibitz.core.payoff import Payoff
from kibitz.core.scoring import WINS, Scoring
from kibitz.plugins.battleground.ladder import Ladder
from tests.verbs import all_verbs
from tests.web.browsers import agent, new_table, open_lobby, sit_down

KUHN, LANTERNS = "tests/kuhn", "tests/lanterns"
CHIPS = Scoring("chips", -2, 2, 0)
STARS = Scoring("stars", 0, 4, None, True)
RIVALRY = re.compile(r"\b(won|wins|lost|drawn|win rate|rating)\b")


@pytest.fixture(autouse=True)
def _at_home(monkeypatch):
    """Name the games by paths from the folder of the tests."""
    monkeypatch.chdir(PACKAGE.parents[1])


def _run(*words, typed=""):
    done = CliRunner().invoke(main, list(words), input=typed, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def _match(folder, game, agents):
    return _run("match", game, *agents, "--games", "40", "--jobs", "1")


def _tournament(folder, game, agents):
    scheme = "cross-play" if game == LANTERNS else "round-robin"
    listed = ", ".join(f'"{text}"' for text in agents)
    plan = f'game = "{game}"\nagents = [{listed}]\nscheme = "{scheme}"\ngames = 40\n'
    (folder / "plan.toml").write_text(plan)
    return _run("tournament", str(folder / "plan.toml"), "--db", str(folder / "results.db"), "--jobs", "1")


def _report(folder, game, agents):
    _tournament(folder, game, agents)
    page, rows = folder / "page.html", folder / "rows.csv"
    _run("report", str(folder / "results.db"), "--out", str(page), "--csv", str(rows))
    with rows.open() as lines:
        assert {row["unit"] for row in csv.DictReader(lines)} == {"chips" if game == KUHN else "stars"}
    return re.sub(r"<style>.*?</style>|<[^>]*>", " ", page.read_text(), flags=re.DOTALL)


def _balance(folder, game, agents):
    return _run("balance", game, agents[0], "--games", "60", "--jobs", "1")


def _play(folder, game, agents):
    return _run("play", game, *agents, "--seed", "3")


def _replay(folder, game, agents):
    _run("match", game, *agents, "--games", "4", "--jobs", "1", "--save", str(folder / "games.jsonl"))
    return _run("replay", str(folder / "games.jsonl"), "--number", "1", "--trust")


def _analyse(folder, game, agents):
    return _run("analyse", game, "--agent", "flat(playouts=50)", "--ply", "1")


def _experiment(folder, game, agents):
    scheme = "cross-play" if game == LANTERNS else "rotation"
    (folder / "mine.toml").write_text(
        'title = "Who?"\ndocument = "none"\nplace = "1"\nabout = "Two."\n[[trial]]\nwhat = "one"\n'
        f'game = "{game}"\nagents = {{One = "{agents[0]}", Two = "{agents[1]}"}}\nplay = 40\nopenings = 0\n'
        f'scheme = "{scheme}"\n'
    )
    return _run("experiment", "run", str(folder / "mine.toml"), "--db", str(folder / "lab.db"), "--jobs", "1")


def _tune(folder, game, agents):
    words = ("--param", "playouts=1:9", "--trials", "2", "--games", "8", "--against", "random", "--jobs", "1")
    return _run("tune", "flat(playouts=5)", "--game", game, *words)


def _serve(folder, game, agents):
    async def play():
        async with open_lobby(games=[game], agents=[]) as lobby:
            made = await new_table(lobby, game.split("/")[1], [agent("random"), agent("random")])
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            found = await browser.until(lambda message: message["type"] == "state" and message["over"])
            state = found if isinstance(found, dict) else found[-1]
            return f"{state['result']} {state['unit']}"

    return asyncio.run(play())


def _ladder(folder, game, agents):
    ladder = Ladder(kibitz.game(game).scoring)
    for payoffs in ([-2, 2], [1, -1]) if game == KUHN else ([3, 3], [1, 1]):
        ladder.add(["one", "two"], payoffs)
    first = ladder.rungs()[0]
    assert first.mean_payoff == (0.5 if game == KUHN else 2)
    assert first.name == ("two" if game == KUHN else "one")
    untouched = Ladder(WINS)._model.rating().mu
    assert (first.rating.mu == untouched) == (game == LANTERNS)
    return ladder.scoring.unit


SHOWN = {
    "analyse": _analyse, "balance": _balance, "battleground": _ladder, "experiment": _experiment, "match": _match,
    "play": _play, "replay": _replay, "report": _report, "serve": _serve, "tournament": _tournament, "tune": _tune,
}  # fmt: skip
WITHOUT = {  # why these verbs show no results of such games
    "agents": "it lists agents",
    "bench": "it measures speed",
    "bot": "it speaks the protocol, which tells payoffs and their unit",
    "check": "it says which laws hold",
    "draw": "it draws a position",
    "gamemaster": "its programs play Quarto",
    "games": "it lists games",
    "learn": "shared payoffs are refused; strength is tested with the networks",
    "new": "it writes files",
    "perft": "it counts moves",
    "plugins": "it lists plugins",
}


def test_every_verb_stands_in_a_table():
    assert {*SHOWN, *WITHOUT} == {*all_verbs()}


@pytest.mark.parametrize("verb", sorted(SHOWN))
def test_a_verb_shows_chips_where_chips_count(verb, tmp_path):
    assert "chip" in SHOWN[verb](tmp_path, KUHN, ("policy(nash)", "random"))


@pytest.mark.parametrize("verb", sorted(SHOWN))
def test_a_verb_shows_no_winner_where_all_earn_the_same(verb, tmp_path):
    shown = SHOWN[verb](tmp_path, LANTERNS, ("plain", "contrary"))
    assert "star" in shown
    told = shown.replace("there are no wins and no ratings", "")
    assert not RIVALRY.search(told), told


RESULTS = {"mean_payoff", "win_rate", "wins_rate", "payoffs", "rating", "other_mean_payoff"}
UNASKED = {  # files that handle results, and why they need not ask what counts
    "agents/search/shortest_path.py": "a search, which sees payoffs from 0 to 1",
    "arena/play/warm_up.py": "calls everything once",
    "arena/show/report/timeline.py": "what agents thought in games that they won, on scales of their own",
    "arena/results/tally.py": "adds up payoffs as they are, for a result that asks",
    "arena/tournament.py": "hands payoffs to hooks as they are; the plan tells the unit",
    "bots/bot_worlds.py": "hands payoffs to bots as they are; the protocol tells the unit",
    "cli/precompile.py": "calls everything once",
    "core/laws/option_effects.py": "asks only whether payoffs differ",
    "core/laws/texts.py": "asks only whether the best are equal",
    "core/record.py": "keeps payoffs as they are",
    "core/world.py": "returns payoffs as they are",
    "learn/side_by_side.py": "networks, which learn shares of payoffs from 0 to 1",
    "lab/trials/events_trial.py": "counts events of winners",
    "plugins/bridges/aec.py": "hands payoffs on as they are",
    "plugins/bridges/single_learner.py": "hands payoffs on as they are",
    "plugins/courses/adapters/aibase_engine.py": "Colonizers",
    "plugins/courses/gamemaster_result.py": "Quarto",
    "plugins/documents/imitation_trial.py": "Cartagena",
    "plugins/documents/places_trial.py": "Colonizers",
    "plugins/documents/variants_trial.py": "Quarto",
}


def _handles_results(tree):
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    calls = {node.func.attr for node in ast.walk(tree)
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}  # fmt: skip
    keys = {node.slice.value for node in ast.walk(tree)
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)}  # fmt: skip
    return bool(RESULTS & attributes or RESULTS & keys or "payoff" in calls)


def test_every_file_that_handles_results_asks_what_counts():
    texts = {str(path.relative_to(PACKAGE)): path.read_text() for path in PACKAGE.rglob("*.py")}
    unasked = {name for name, text in texts.items() if "scoring" not in text and _handles_results(ast.parse(text))}
    assert unasked == {*UNASKED}


DECLARED = [
    ("PAYOFF = 3", "PAYOFF is 3; it must be as in Payoff("),
    ('PAYOFF = Payoff("", 0, 1)', "must be a word in the plural"),
    ('PAYOFF = Payoff("points", 1, 1)', "least must be below most"),
    ('PAYOFF = Payoff("points", 0.5, 1)', "must be a whole number"),
    ("SHARED = True", "SHARED needs PAYOFF"),
    ('PAYOFF = Payoff("points", 0, 1)\nSHARED = 1', "SHARED is 1; it must be True"),
    ('PAYOFF = Payoff("points", 0, 10)\nPAYOFF_SUM = 21', "PAYOFF_SUM is 21, but 2 seats that earn 0 to 10 points"),
    ("def scoring(options):\n    return 7", "the function scoring returns 7"),
]


def small_game(folder, declared, payoff="out[0], out[1] = 4.0, 5.0"):
    """Write a game of one move; return its path."""
    home = folder / "small"
    home.mkdir()
    (home / "rules.py").write_text(
        f'"""Small."""\n\nfrom kibitz.rules import OVER, Payoff, cells, rule\n\nSEATS = 2\nMOST_MOVES = 1\n{declared}\n'
        "CELLS = cells(SEAT=1)\n(SEAT,) = CELLS\n\n\n@rule\ndef deal(state, options, rng):\n    state[SEAT] = 0\n\n\n"
        "@rule\ndef moves(state, out):\n    out[0] = 0\n    return 1\n\n\n"
        "@rule\ndef play(state, move):\n    state[SEAT] = OVER\n\n\n"
        f"@rule\ndef payoff(state, out):\n    {payoff}\n"
    )
    return str(home)


@pytest.mark.parametrize(("declared", "sentence"), DECLARED)
def test_a_wrong_declaration_is_refused(declared, sentence, tmp_path):
    with pytest.raises(BadGame, match=re.escape(sentence)):
        kibitz.game(small_game(tmp_path, declared))


def test_payoffs_outside_their_range_are_refused_and_break_a_law(tmp_path):
    game = kibitz.game(small_game(tmp_path, 'PAYOFF = Payoff("points", 0, 4)'))
    table = kibitz.Table(game, 1)
    table.play(0)
    with pytest.raises(BadGame, match="PAYOFF says 0 to 4 points"):
        table.payoff()
    with pytest.raises(Broken, match=r"the payoff of seat 2 is 5.0; PAYOFF says 0 to 4 points"):
        gameplay.payoffs_lie_in_their_range(game, 1)
    with pytest.raises(BadGame, match="does not lie in the range of PAYOFF"):
        play_match(game, ["random", "random"], games=2)


def test_shared_payoffs_that_differ_are_refused_and_break_a_law(tmp_path):
    game = kibitz.game(small_game(tmp_path, 'PAYOFF = Payoff("points", 0, 9)\nSHARED = True'))
    table = kibitz.Table(game, 1)
    table.play(0)
    with pytest.raises(BadGame, match="SHARED that all seats earn the same"):
        table.payoff()
    with pytest.raises(Broken, match="SHARED says that they are equal"):
        gameplay.shared_payoffs_are_equal(game, 1)


def test_searches_see_payoffs_from_0_to_1_and_people_see_chips():
    table = kibitz.Table(kibitz.game(KUHN), 1)
    for move in (1, 1):
        table.play(move)
    assert sorted(table.payoff()) == [-2, 2]
    assert sorted(table.game.scoring.as_parts(table.payoff())) == [0, 1]
    mind = kibitz.agent("flat(playouts=20)", table.game, 1)
    decision = mind.decide(kibitz.Table(kibitz.game(KUHN), 1).view(0))
    assert all(0 <= worth <= 1 for worth in decision.considered.values())


def test_one_who_fails_earns_the_least_and_the_others_the_rest():
    assert WINS.failed(["a", "b", "c"], 0) == [0, 0.5, 0.5]
    assert CHIPS.failed(["a", "b"], 1) == [2, -2]
    assert Scoring("points", -26, 0, -26).failed(["a", "b", "c", "d"], 2) == [0, 0, -26, 0]
    assert Scoring("points", 0, 10).failed(["a", "b", "a"], 0) == [0, 5, 0]
    assert STARS.failed(["a", "b"], 0) == [0, 0]
    assert (WINS.level(4), CHIPS.level(2), STARS.level(2)) == ([0.25] * 4, [0, 0], [0, 0])


def test_a_mean_in_chips_is_four_times_a_share_less_two():
    """Kuhn's payoffs used to be shares; means, intervals and differences are the same on another scale."""
    found = play_match(KUHN, ["policy(nash)", "random"], games=200)
    plan = Plan.make(KUHN, ["policy(nash)", "random"], games=200)
    result = play_tournament(plan)
    first = next(row for row in result.standings if row.agent == "policy(nash)")
    assert first.mean_payoff == pytest.approx(found.agents[0].mean_payoff)
    (pair,) = result.encounters
    assert pair.difference == pytest.approx(2 * result.standings[0].mean_payoff)
    assert pair.interval[0] < pair.difference < pair.interval[1]
    assert result.standings[0].mean_payoff > result.standings[1].mean_payoff
    assert -2 <= first.payoff_interval[0] < first.mean_payoff < first.payoff_interval[1] <= 2


def test_a_ledger_without_a_scoring_still_reads(tmp_path):
    """Ledgers of games by wins, and those written before payoffs had units, name none."""
    plan = Plan.make("quarto", ["novice", "random"], games=2)
    assert "scoring" not in plan.data()
    with open_ledger(tmp_path / "old.db", write=True) as ledger:
        run = ledger.enter("old", plan.data(), 2, 2, "0.1.0")
        assert ledger.games(run).scoring == WINS
        ledger.add(run, Batch.empty(2), np.zeros(0, dtype=np.int64), "0" * 16, 0.0)
    kept = Plan.make(KUHN, ["policy(nash)", "random"], games=2).data()
    assert Scoring.of_plan(json.loads(json.dumps(kept))) == CHIPS


def test_a_stop_rule_is_in_the_unit():
    assert StopRule.read({"better": "+0.5 chips"}, CHIPS).better == 0.5
    assert StopRule.read({"better": 0.5}, CHIPS).better == 0.5
    assert StopRule.read({"better": "+3 %", "of": "wins"}, CHIPS).better == 0.03
    for wrong in ("+3 %", 4, "many"):
        with pytest.raises(BadValue, match="better must be a difference in chips above 0 and below 4"):
            StopRule.read({"better": wrong}, CHIPS)
    with pytest.raises(BadValue, match="in this game all seats earn the same"):
        Plan.make(LANTERNS, ["plain", "random"], scheme="cross-play", stop={"better": 0.1})
    plan = Plan.make(KUHN, ["policy(nash)", "random"], games=4000, stop={"better": "+0.2 chips"})
    stopped = play_tournament(plan).stop
    assert "chips" in stopped.sentence or stopped.call == "better"


def test_everyone_plays_with_everyone():
    assert sorted(seatings("cross-play", 2, 2, None)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    tables = seatings("cross-play", 2, 3, None)
    assert sorted(tables) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
    assert seatings("cross-play", 1, 4, None) == [(0, 0, 0, 0)]


def test_those_who_speak_alike_score_more_than_those_who_do_not():
    """A hint that is understood leaves two numbers, one right and one next to it: 1.5 stars a seat."""
    found = play_match(LANTERNS, ["plain", "contrary"], games=2000)
    pairs = {(pair.agent, pair.other): pair for pair in found.partnerships}
    alone, apart = pairs["plain", "plain"], pairs["plain", "contrary"]
    assert alone.payoff_interval[0] < 3 < alone.payoff_interval[1]
    assert apart.payoff_interval[0] < 1 < apart.payoff_interval[1]
    assert found.teams[0].self_play == alone
    assert found.teams[0].cross_play.mean_payoff == apart.mean_payoff


def test_nobody_is_rated_where_all_earn_the_same():
    result = play_tournament(Plan.make(LANTERNS, ["plain", "contrary", "random"], scheme="cross-play", games=90))
    assert [row.rating for row in result.standings] == [None] * 3
    assert not result.encounters
    assert len(result.partnerships) == 6


def test_balance_compares_seats_by_chips_and_variants_by_stars():
    seats = play_balance(KUHN, "policy(nash)", games=400)
    assert [*seats.tests] == ["payoff"]
    assert sum(seat.mean_payoff for seat in seats.seats) == pytest.approx(0)
    together = play_balance(LANTERNS, "plain", games=100)
    assert not together.tests
    assert together.verdict.startswith("plain in all seats scores")
    same = play_variants([LANTERNS, "tests/lanterns(seats=2)"], "plain", 200)
    assert same.p > 0.001
    assert play_variants([LANTERNS, "tests/lanterns(seats=3)"], "plain", 50).p is None  # of 4 stars and of 6


def test_agents_that_play_against_others_refuse_a_game_played_together(tmp_path):
    with pytest.raises(BadValue, match="takes other seats for opponents, and in this game all seats earn the same"):
        kibitz.agent("paranoid(depth=1)", kibitz.game(LANTERNS), 1)
    words = ["learn", "td", LANTERNS, "--positions", "4", "--hidden", "2", "--out", str(tmp_path / "net.npz")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code != 0
    assert "all seats earn the same" in done.output


def test_a_payoff_is_written_with_its_unit():
    assert [CHIPS.amount_text(amount) for amount in (1, -1, 2, 0.25)] == ["1 chip", "-1 chip", "2 chips", "0.25 chips"]
    assert STARS.together_text(3) == "3 of 4 stars"
    assert Scoring("points", -26, 0, None, True).together_text(-3) == "-3 points"
    assert (WINS.mean_text(1 / 3), CHIPS.mean_text(1 / 3), Scoring("p", 0, 5000).mean_text(1 / 3)) == (
        "0.333", "0.333", "0")  # fmt: skip
    assert CHIPS.result_text([2, -2], ["first", "second"]) == "first earns 2 chips, second -2"


def test_a_large_declared_range_is_whole():
    assert Payoff("dollars", -(10**6), 10**6).most == 10**6
    with pytest.raises(BadGame, match="at most 1,000,000,000"):
        Payoff("dollars", 0, 10**10)
