"""Experiments: published figures as data, run by one command, and judged."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.core.errors import BadValue
from kibitz.lab import experiment, runner
from kibitz.lab.experiment_files import write_report
from kibitz.lab.experiment_markdown import markdown, points
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome
from kibitz.lab.experiment_page import page
from kibitz.lab.finding import AGREES, CONTRADICTS, OPEN, Finding
from kibitz.lab.outcomes import keep, kept, named
from kibitz.lab.runner import estimate, run
from kibitz.lab.trials.effort_trial import Effort
from kibitz.lab.trials.match_trial import NOT_EQUAL_TIME, MatchTrial, _apart
from kibitz.lab.trials.trial import TrialSetup

OWN = """
title = "Quarto: small"
document = "a report"
place = "page 3"
about = "Who wins?"

[[trial]]
what = "Random v Novice"
game = "quarto"
agents = {Random = "random", Novice = "novice"}
play = 400
openings = 0
published = {games = 1000, wins = {Random = 21, Novice = 976}, draws = 3, order = [["Novice", ">", "Random"]]}

[[trial]]
what = "Random wins most"
game = "quarto"
agents = {Random = "random", Novice = "novice"}
play = 400
openings = 0
published = {games = 1000, percent = {Random = 90}, order = [["Novice", "<", "Random"]]}
why = "Chance cannot be it."
"""
FIT = "title = 'x'\n[[trial]]\nkind = 'fit'\nwhat = 'w'\n"
HEAD = FIT + "counts = [5, 5]\n"
THREE_IN_A_ROW, COMPLETED = "a1 BTRS b1 BTRH c1 BTQH; BSRS in hand", "d1"


@pytest.fixture
def own(tmp_path):
    """The path of an experiment of one's own."""
    path = tmp_path / "small.toml"
    path.write_text(OWN, encoding="utf-8")
    return path


def _command(*words):
    return CliRunner().invoke(main, ["experiment", *map(str, words)])


def _found(outcome):
    """Return the findings of an outcome by trial and row."""
    return {f"{trial.what}: {row.what}": row for trial in outcome.trials for row in trial.rows}


@pytest.mark.parametrize("name", experiment.names())
def test_every_experiment_can_be_read(name):
    found = experiment.find(name)
    assert found.title
    assert found.document or found.aside or found.kind == "question"
    assert found.trials


def test_the_list_tells_how_much_there_is_to_do():
    found = {entry["name"]: entry["size"] for entry in json.loads(_command("list", "--json").stdout)["experiments"]}
    assert set(found) == set(experiment.names())
    assert found["quarto-players"] == {"games": 15000}  # 5000 with each of three seeds
    assert found["colonizers-tests"] == {"tests": 14, "sums": 4}
    assert found["colonizers-replay"] == {"games": 7000}
    assert found["chexers-figures"] == {"moves": 32}
    assert set(found["cartagena-networks"]) == {"games", "positions"}


def test_the_list_reads_files_and_builds_nothing(monkeypatch):
    monkeypatch.setattr(experiment.Experiment, "check", lambda _: pytest.fail("built"))
    assert _command("list").exit_code == 0


def test_a_run_of_several_says_how_far_it_is_while_it_tries_a_few_games(own, tmp_path):
    other = own.with_name("other.toml")
    other.write_text(OWN, encoding="utf-8")
    ran = _command("run", own, other, "--scale", "0.01", "--db", tmp_path / "lab.db", "--jobs", "1")
    assert "1 of 2: small tried" in ran.stderr
    assert "2 of 2: other tried" in ran.stderr


def _rows(data):
    """Return the rows of an outcome as plain data, by trial and row."""
    return {f"{trial['what']}: {row['what']}": row for trial in data["trials"] for row in trial["rows"]}


def test_the_quick_set_runs_and_what_is_beyond_chance_holds():
    ran = _command("run", "quick", "--json", "--jobs", "1")
    assert ran.exit_code == 0, ran.output
    outcomes = {data["experiment"]: _rows(data) for data in map(json.loads, ran.stdout.splitlines())}
    assert set(outcomes) == {name for name in experiment.names() if experiment.find(name).quick}
    found = {what: row for rows in outcomes.values() for what, row in rows.items()}
    assert next(iter(outcomes["colonizers-replay"].values()))["measured"] == 24  # numbers that are equal
    assert sum(row["verdict"] == CONTRADICTS for row in outcomes["colonizers-tests"].values()) == 5
    assert sum(row["verdict"] == CONTRADICTS for row in outcomes["quarto-figures"].values()) == 1
    assert found["Random v Novice: Novice wins"]["verdict"] != CONTRADICTS
    assert found["Heuristic: Omnium lost to Opportunist a game, early seats less late"]["measured"] > 0
    many, few = (found[f"Table 7.1, 4 ply: {name}, nodes a turn"]["measured"] for name in ("max^n", "Paranoid"))
    assert many > 2 * few


def test_figures_are_held_against_each_other(own):
    outcome = run(experiment.read(own), TrialSetup())
    found = _found(outcome)
    novice = found["Random v Novice: Novice wins"]
    assert (novice.published, novice.unit, novice.verdict) == (97.6, "%", OPEN)
    assert novice.interval[0] <= novice.measured <= novice.interval[1]
    order = found["Random v Novice: Novice earns, beside Random"]
    assert (order.published, order.verdict, order.margin) == ("more", AGREES, "")
    wrong = found["Random wins most: Random wins"]
    assert (wrong.verdict, wrong.why) == (CONTRADICTS, "Chance cannot be it.")
    assert found["Random wins most: Novice wins"].published is None  # shown beside the one that was published
    assert found["Random wins most: Novice earns, beside Random"].verdict == CONTRADICTS


def test_a_smaller_scale_plays_fewer_games(own):
    trial = experiment.read(own).trials[0]
    assert trial.plan(0.1).planned == 40
    assert trial.plan(0.0001).planned == 2  # every seating once


def test_a_run_goes_on_from_its_ledger_and_gives_the_same_figures(own, tmp_path):
    db = tmp_path / "games.db"
    whole = run(experiment.read(own), TrialSetup())
    run(experiment.read(own), TrialSetup(scale=0.1, db=db))
    assert run(experiment.read(own), TrialSetup(db=db)).rows == whole.rows


def test_effort_that_nobody_measured_is_no_number(tmp_path):
    path = tmp_path / "none.toml"
    path.write_text(
        'title = "None"\n[[trial]]\nkind = "effort"\nwhat = "No search"\ngame = "quarto"\nplay = 4\n'
        'agents = {Random = "random", Novice = "novice"}\n',
        encoding="utf-8",
    )
    with pytest.raises(BadValue, match="nothing is known of what Random searched"):
        run(experiment.read(path), TrialSetup())


def test_effort_is_read_from_the_games(tmp_path):
    path = tmp_path / "effort.toml"
    path.write_text(
        'title = "Effort"\n[[trial]]\nkind = "effort"\nwhat = "Depths"\ngame = "quarto"\nplay = 10\nopenings = 6\n'
        'agents = {One = "minimax(depth=1, opening=none)", Two = "minimax(depth=2, opening=none)"}\n'
        "published = {One = 1.0}\n",
        encoding="utf-8",
    )
    one, two = run(experiment.read(path), TrialSetup()).rows
    assert 1 < one.measured < two.measured
    assert (one.published, one.verdict, two.published, two.verdict) == (1.0, CONTRADICTS, None, "")


def test_seconds_of_the_first_agent_as_a_ratio_to_themselves_are_no_row(tmp_path):
    path = tmp_path / "seconds.toml"
    path.write_text(
        'title = "Seconds"\n[[trial]]\nkind = "effort"\nwhat = "Depths"\ngame = "quarto"\nplay = 10\nopenings = 6\n'
        'agents = {One = "minimax(depth=1, opening=none)", Two = "minimax(depth=2, opening=none)"}\n'
        'of = "seconds"\npublished = {One = 2.0, Two = 3.0}\n',
        encoding="utf-8",
    )
    (two,) = run(experiment.read(path), TrialSetup()).rows
    assert (two.what, two.published) == ("Two, time by the clock a move as a ratio to One", 1.5)


def _effort(tmp_path, published, more=""):
    path = tmp_path / "effort.toml"
    path.write_text(
        'title = "Effort"\n[[trial]]\nkind = "effort"\nwhat = "Depths"\ngame = "quarto"\nplay = 24\nopenings = 6\n'
        'agents = {One = "minimax(depth=1, opening=none)", Two = "minimax(depth=2, opening=none)"}\n'
        f"published = {{{published}}}\n{more}",
        encoding="utf-8",
    )
    return run(experiment.read(path), TrialSetup()).rows[0]


def test_published_means_have_the_error_of_a_number_of_games_that_is_published_or_assumed(tmp_path):
    assumed, more = _effort(tmp_path, "One = 50"), _effort(tmp_path, "One = 50", "assumed_games = 1000\n")
    known = _effort(tmp_path, "One = 50, games = 1000")
    assert (assumed.assumed_games, more.assumed_games, known.assumed_games) == (30, 1000, 0)
    assert np.ptp(assumed.published_interval) > 3 * np.ptp(known.published_interval) > 0
    assert more.published_interval == known.published_interval
    with pytest.raises(
        BadValue, match=r"assumed_games is of no use where published\.games says how many there were: 9"
    ):
        _effort(tmp_path, "One = 50, games = 9", "assumed_games = 30\n")


EQUAL = """
title = "Equal time"
[[trial]]
what = "Depths"
game = "quarto"
play = 8
openings = 6
equal_time = 1.5
agents = {One = "minimax(depth=1, opening=none)", Two = "minimax(depth=3, opening=none)"}
published = {order = [["Two", ">", "One"]]}
"""


def test_rows_that_claim_equal_time_show_the_cpu_time_of_each_side(tmp_path):
    path = tmp_path / "equal.toml"
    path.write_text(EQUAL, encoding="utf-8")
    *_, own, ratio = (outcome := run(experiment.read(path), TrialSetup())).rows
    one = outcome.trials[0].times[0]
    assert own.what == "One, CPU time a move, ms"
    assert own.measured == pytest.approx(1000 * one.cpu_per_move, abs=0.002 + 1 / one.moves)
    assert ratio.what == "Two, CPU time a move as a ratio to One"
    assert ratio.measured > 1  # it looks two turns further
    assert ratio.interval[0] < ratio.measured < ratio.interval[1]
    assert (own.verdict, ratio.verdict) == ("", "")


def test_a_row_that_claims_equal_time_has_no_verdict_where_times_differ_by_more(tmp_path, monkeypatch):
    """The second agent looks two turns further; times are made up, so that the test does not depend on the clock."""
    path = tmp_path / "equal.toml"
    path.write_text(EQUAL.replace("play = 8", "play = 16"), encoding="utf-8")
    for spent, reason in (((1.0, 1.4), ""), ((1.0, 1.6), NOT_EQUAL_TIME), ((1.6, 1.0), NOT_EQUAL_TIME)):

        def efforts(trial, sample, tally, number, spent=spent):
            of = zip(number, spent, strict=True)
            return {name: Effort(np.full(8, seconds), np.ones(8)) for name, seconds in of}

        monkeypatch.setattr(MatchTrial, "_efforts", efforts)
        _, _, order, *times = run(experiment.read(path), TrialSetup()).rows
        assert (order.without_verdict, bool(order.verdict)) == (reason, not reason)
        assert [row.without_verdict for row in times] == ["", ""]
    path.write_text(path.read_text().replace("equal_time = 1.5", "times = true"), encoding="utf-8")
    assert not any(row.without_verdict for row in run(experiment.read(path), TrialSetup()).rows)


def test_equal_time_is_judged_by_the_ends_of_the_interval_of_a_ratio():
    steady, odd = np.full(8, 1.0), np.array([0.2, 2.2] * 4)
    one, other = Effort(steady, np.ones(8)), Effort(odd, np.ones(8))
    assert one.mean < other.mean < 1.5 * one.mean
    assert _apart({"One": one, "Other": other}) > 1.5


def test_equal_time_is_refused_where_nobody_measured_it(tmp_path):
    path = tmp_path / "equal.toml"
    agents = 'agents = {One = "random", Two = "novice"}'
    path.write_text("\n".join(agents if "agents" in line else line for line in EQUAL.splitlines()), encoding="utf-8")
    with pytest.raises(BadValue, match="Depths: equal_time is of no use here: the CPU time of some moves is not known"):
        run(experiment.read(path), TrialSetup())


def test_a_ranking_tells_the_best_first_and_is_no_part_of_all(tmp_path):
    path = tmp_path / "rank.toml"
    path.write_text(
        'title = "Rank"\naside = true\n[[trial]]\nkind = "ranking"\nwhat = "Quarto"\ngame = "quarto"\nplay = 12\n'
        'agents = {Random = "random", Novice = "novice"}\n',
        encoding="utf-8",
    )
    found = experiment.read(path)
    assert found.aside
    assert found.trials[0].plan(0.001).planned == 4  # every table once
    one, two = run(found, TrialSetup()).rows
    assert (one.what, two.what) == ("1. Novice", "2. Random")
    assert one.measured == -two.measured > 0
    assert one.interval[0] < one.measured < one.interval[1]


def test_a_published_test_agrees_if_it_is_ours_rounded(tmp_path):
    path = tmp_path / "fit.toml"
    path.write_text(
        'title = "Fit"\n[[trial]]\nkind = "fit"\nwhat = "Wins"\ncounts = [230, 770]\nrates = [0.25, 0.75]\n'
        "published = {statistic = 2.13, p = 0.1435}\n",
        encoding="utf-8",
    )
    statistic, p = run(experiment.read(path), TrialSetup()).rows
    assert (statistic.measured, statistic.verdict) == (2.1333, AGREES)
    assert (p.measured, p.verdict) == (0.14413, CONTRADICTS)


def test_a_p_value_below_what_samples_tell_is_a_bound(tmp_path):
    path = tmp_path / "fit.toml"
    path.write_text(f"{FIT}counts = [40{', 0' * 11}]\npublished = {{p = 0.00001}}", encoding="utf-8")
    _, p = run(experiment.read(path), TrialSetup()).rows
    assert (p.measured, p.verdict) == ("< 0.0001", AGREES)


def test_events_are_counted_in_records(tmp_path):
    path = tmp_path / "events.toml"
    path.write_text(
        'title = "Events"\n[[trial]]\nkind = "events"\nwhat = "Random"\ngame = "colonizers"\nagent = "random"\n'
        'play = 40\ncounts = [{event = "stolen", more = "early"}, {event = "move", per = "move"}]\n',
        encoding="utf-8",
    )
    by_seat, winners, hypothesis, ones, *_ = run(experiment.read(path), TrialSetup()).rows
    assert len(by_seat.measured.split()) == 4
    assert winners.interval[0] < winners.measured < winners.interval[1]
    assert (hypothesis.published, hypothesis.interval[0] < hypothesis.measured) == ("early more", True)
    assert ones.measured == "1.00 1.00 1.00 1.00"


def test_a_course_is_drawn_turn_by_turn(tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(
        'title = "Course"\n[[trial]]\nkind = "course"\nwhat = "Depths"\ngame = "quarto"\nplay = 12\nopenings = 6\n'
        'agents = {One = "minimax(depth=1, opening=none)", Two = "minimax(depth=2, opening=none)"}\nof = "nodes"\n'
        'highest = "Two"\ntrend = {Two = "falls"}\n'
        '[[trial]]\nkind = "course"\nwhat = "Worths"\ngame = "quarto"\nplay = 6\nopenings = 6\n'
        'agents = {One = "minimax(depth=1, opening=none)", Two = "minimax(depth=2, opening=none)"}\nof = "zero"\n',
        encoding="utf-8",
    )
    curves, trend, highest, worths = (outcome := run(experiment.read(path), TrialSetup())).rows
    assert set(curves.curves) == {"One", "Two"}
    assert max(curves.curves["Two"]) > max(curves.curves["One"])
    assert (trend.published, trend.verdict, trend.measured < 1) == ("falls", AGREES, True)
    assert highest.what == "games in which Two is never behind"
    assert highest.published == "1 of 1 game: more than 5 %"
    assert (highest.interval[1] > 5, highest.verdict in (AGREES, OPEN)) == (True, True)
    assert set(map(float, worths.curves["One"])) == {0.0}
    assert page([outcome]).count("<polyline") >= 4
    assert "| turn | One | Two |" in markdown([outcome])


def test_a_long_curve_is_a_short_table():
    assert list(points({"One": [3.0, 1.5], "Two": [2.0]})) == [("1", "3", "2"), ("2", "1.5", "")]
    assert [turn for turn, _ in points({"One": [0.0] * 50})] == [
        "1",
        "6",
        "11",
        "16",
        "21",
        "26",
        "31",
        "36",
        "41",
        "46",
    ]


def test_a_choice_is_the_move_that_an_agent_plays(tmp_path):
    path = tmp_path / "choice.toml"
    path.write_text(
        'title = "Choice"\n[[trial]]\nkind = "choice"\nwhat = "A line of three"\ngame = "quarto"\n'
        f'position = "{THREE_IN_A_ROW}"\nagents = {{Novice = "novice"}}\nexpected = ["{COMPLETED}"]\n',
        encoding="utf-8",
    )
    (found,) = run(experiment.read(path), TrialSetup()).rows
    assert (found.measured, found.verdict) == (COMPLETED, AGREES)


IMITATED = """
title = "Imitation"
[[trial]]
kind = "imitation"
what = "Greedy"
game = "cartagena"
teacher = "greedy"
encoding = "board"
hidden = ["8"]
train = 60
test = 40
one = 5.0
sizes = [20]
hide = [378, 438]
fit = {activation = "sigmoid", policy_error = "squared", steps = "plain", rate = 0.1, epochs = 3}
figures = ["error", "constant", "zeros", "nul", "ones", "contains", "only", "invalid", "agrees", "among",
  "wins", "time"]
play = 6
by = "choose=ones"
limits = {plies = 24}
of = 681
published = {nul = "<50", contains = 21.15, error = {8 = 0.5}}
"""


def test_networks_are_taught_what_an_agent_plays_and_meet_it(tmp_path):
    path = tmp_path / "imitation.toml"
    path.write_text(IMITATED, encoding="utf-8")
    found = {row.what: row for row in run(experiment.read(path), TrialSetup()).rows}
    assert len(found) == 12
    assert found["outputs without a one"].published == "less than 50 %"
    share = found["outputs that contain the best action"]
    assert (share.published, share.unit) == (21.15, "%")
    error = found["mean squared error"]
    assert (error.published, error.interval) == (0.5, None)  # all test positions are of one game
    assert 0 <= found["networks win"].measured <= 100
    assert found["CPU time a turn, networks to the search"].measured > 0
    for wrong, complaint in ((('"error"', '"eror"'), "unknown figure 'eror'"), (('"8"', '"8y"'), "hidden has '8y'")):
        path.write_text(IMITATED.replace(*wrong, 1), encoding="utf-8")
        with pytest.raises(BadValue, match=complaint):
            experiment.read(path)


def test_the_command_runs_and_reports_an_experiment_of_one_s_own(own, tmp_path):
    db, out = tmp_path / "lab.db", tmp_path / "pages"
    ran = _command("run", own, "--scale", "0.1", "--db", db, "--json", "--jobs", "1")
    assert ran.exit_code == 0, ran.output
    data = json.loads(ran.stdout)
    assert data["experiment"] == "small"
    assert {"what", "published", "measured", "interval", "verdict"} <= set(data["trials"][0]["rows"][0])
    assert data["seconds"] > 0
    assert set(kept(db)) == {str(own.resolve())}
    own.unlink()  # what the report shows is in the ledger
    reported = _command("report", "small", "--db", db, "--out", out)
    assert reported.exit_code == 0, reported.output
    assert "Quarto: small" in (out / "results.md").read_text(encoding="utf-8")


def test_pages_hold_every_figure(tmp_path):
    name = "quarto-players"
    found = experiment.find(name)
    small = found.trials[0]
    outcome = run(replace(found, trials=(small,)), TrialSetup(scale=0.004))
    db = tmp_path / "lab.db"
    keep(outcome, db)
    assert kept(db)[name].rows == outcome.rows
    page, table, *_ = (path.read_text(encoding="utf-8") for path in write_report([outcome], tmp_path, "lab.db"))
    for row in outcome.rows:
        assert row.what in page
        assert row.what in table
    assert markdown([outcome]) == table
    reported = _command("report", "--db", db, "--out", tmp_path / "again")
    assert reported.exit_code == 0, reported.output
    assert (tmp_path / "again" / "results.html").read_text(encoding="utf-8") == page


def test_an_experiment_of_one_s_own_does_not_replace_one_of_the_same_name(tmp_path):
    db, name = tmp_path / "lab.db", "quarto-players"
    ours, own = (Outcome(name, (), 1.0, file=file) for file in ("", str(tmp_path / f"{name}.toml")))
    keep(ours, db)
    keep(own, db)
    known = kept(db)
    assert (len(known), named(known, name)[0].file, named(known, own.file)[0].file) == (2, "", own.file)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("'{'", "Expecting property name"),
        ("'[]'", "it is no table"),
        ("json_set(outcome, '$.trials', 5)", r"`array`, got `int` - at `\$.trials`"),
        ("json_set(outcome, '$.trials[0].rows[0].interval', 5)", "got `int` - at `.*interval`"),
        ("json_remove(outcome, '$.seconds')", "missing required field `seconds`"),
    ],
)
def test_a_damaged_outcome_is_said_in_a_sentence(tmp_path, damage, complaint):
    db = tmp_path / "lab.db"
    keep(_outcome(Finding("a", None, 1)), db)
    _change(db, damage)
    with pytest.raises(BadValue, match=f"the outcome of mine is damaged .*{complaint}"):
        kept(db)


def _outcome(*rows, **more):
    return Outcome("mine", (TrialOutcome("trial", rows=rows),), 1.0, **more)


def _change(db, damage):
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute(f"UPDATE experiment_outcomes SET outcome = {damage}")


def test_an_outcome_of_another_version_is_refused_with_what_to_do(tmp_path):
    db = tmp_path / "lab.db"
    keep(_outcome(Finding("a", None, 1)), db)
    _change(db, "json_remove(outcome, '$.format')")
    with pytest.raises(BadValue, match="another version of Kibitz wrote; run these experiments again: mine"):
        kept(db)
    assert _command("report", "--db", db, "--out", tmp_path).exit_code != 0
    keep(_outcome(Finding("a", None, 1)), db)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("CREATE TABLE outcomes (experiment TEXT PRIMARY KEY, outcome TEXT)")
        connection.execute("INSERT INTO outcomes VALUES ('mine', '{}')")
    with pytest.raises(BadValue, match="run these experiments again: mine"):
        kept(db)
    keep(_outcome(Finding("a", None, 1)), db)
    assert [*kept(db)] == ["mine"]


def test_pages_show_html_in_what_they_tell_and_do_not_obey_it():
    row = Finding("<script>a|b\nc", None, "<img>", why="<b>", curves={"<i>": []})
    outcome = _outcome(row, texts={"title": "<h1>", "about": "<p onclick=x>"})
    table = markdown([outcome])
    assert "| trial: &lt;script>a\\|b c |" in table
    assert "<" not in table.replace("<details><summary>", "").replace("</summary>", "").replace("</details>", "")
    assert "<script" not in page([outcome])


def test_a_report_runs_no_code_that_a_ledger_names(tmp_path):
    (tmp_path / "harm").mkdir()
    (tmp_path / "harm" / "rules.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    path = tmp_path / "harm.toml"
    path.write_text(OWN.replace('"quarto"', f'"{tmp_path}/harm"'), encoding="utf-8")
    keep(_outcome(Finding("a", None, 1), file=str(path), texts={"title": "Harm"}), tmp_path / "lab.db")
    assert _command("report", "--db", tmp_path / "lab.db", "--out", tmp_path / "out").exit_code == 0
    assert "Harm" in (tmp_path / "out" / "results.md").read_text(encoding="utf-8")
    assert not (tmp_path / "ran").exists()


def test_an_outcome_tells_how_long_the_longest_session_took(tmp_path):
    db = tmp_path / "ledger.db"
    for seconds, scale, told in ((3.0, 0.1, 3.0), (100.0, 1.0, 100.0), (2.0, 1.0, 100.0), (5.0, 2.0, 5.0)):
        keep(Outcome("quarto-values", (), seconds, scale), db)
        assert kept(db)["quarto-values"].seconds == told


def test_the_time_is_estimated_from_a_few_games(own):
    assert estimate(experiment.read(own), TrialSetup()) > 0


def test_what_comes_before_the_end_of_the_first_game_is_not_multiplied(monkeypatch):
    pace = runner._Pace()
    for now, games in ((0.0, 4), (60.0, 5), (61.0, 6), (64.0, 9)):  # four of an earlier session, then a minute to start
        monkeypatch.setattr(runner, "monotonic", lambda now=now: now)
        pace(SimpleNamespace(games=games, kept=4))
    assert pace.seconds_a_game == 1.0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title = ", "is not valid TOML"),
        ("titel = 'x'", "unknown key 'titel'"),
        ("title = 'x'", "at least one"),
        ("title = 3", "title must be a text"),
        ("title = 'x'\nquick = true", "quick must be a number from 0 to 1, not True"),
        (
            "title = 'x'\n[[trial]]\nkind = 'mach'",
            "trial 1: unknown kind of trial 'mach'; known: choice, ",
        ),
        ("title = 'x'\n[[trial]]\nwhat = 'y'", "trial 1: game is missing"),
        (OWN.replace("Random = 21", "Rndom = 21"), "unknown agent of this trial 'Rndom'; known: Novice, Random"),
        (OWN.replace('"novice"', '"novise"'), "novise"),
        (OWN.replace('">"', '"≥"'), "unknown sign"),
        (OWN.replace("draws", "drawn"), "unknown number published 'drawn'"),
        ("title = 'x'\ntrial = [1, 2]", "entry 1 of trial must be a table, not 1"),
        ("title = 'x'\n[[trial]]\nkind = ['match']", "kind must be a text, not ['match']"),
        (OWN.replace("play = 400", "play = 'x'"), "play must be a whole number from 1 to 1000000000000, not 'x'"),
        (OWN.replace("play = 400", "play = -5"), "play must be a whole number from 1 to 1000000000000, not -5"),
        (OWN.replace("games = 1000, ", ""), "published has wins, but not of how many games"),
        (OWN.replace("games = 1000", "games = 900"), "published.wins.Novice is 976 in all, but there are 900 games"),
        (OWN.replace("draws = 3", "turns = 'x'"), "published.turns must be a whole number"),
        (
            OWN.replace("Random = 90", "Random = nan"),
            "published.percent.Random must be a number from 0 to 100",
        ),
        (OWN.replace("{Random = 21, Novice = 976}", "4"), "published.wins must be a table, not 4"),
        (OWN.replace('"Novice", "<", "Random"', '"Novice", "<"'), "entry 1 of published.order must be a list of 3"),
        (
            OWN.replace("draws = 3", 'seat_order = [[1, ">", 9]]'),
            "must be a whole number from 1 to 2, not 9",
        ),
        (OWN.replace("draws = 3", 'seat_order = [[0, ">", 1]]'), "entry 1 of published.seat_order must be a whole"),
        (OWN.replace("draws = 3", "wins_by_seat = {Random = [1, 2, 3]}"), "needs a number for each of 2 seats"),
        (
            OWN.replace("openings = 0", "openings = 0\nscheme = 'self-play'"),
            "Novice and Random of published.order",
        ),
        (FIT + "counts = [1, -2]", "entry 2 of counts must be a whole number from 0 to 1000000000000, not -2"),
        (FIT + "counts = [0, 0]", "counts must not all be 0"),
        (FIT + "counts = [5, 5]\nrates = [1, 0]", "entry 2 of rates must be a number above 0 and up to 1, not 0"),
        (FIT + "counts = [5, 5]\npublished = {p = 'x'}", "published.p must be a number from 0 to 1, not 'x'"),
        (HEAD + 'origin = "hearsay"', "unknown origin 'hearsay'; known: derived, document, program"),
        (HEAD + 'origin = "program"', "origin is program, so origin_note must tell which program, its commit and"),
        (HEAD + 'origin_note = "x"', "origin_note is of no use without origin: program or derived"),
        (HEAD + "margin = 0", "margin must be a number above 0 and up to 0.25, not 0"),
        (HEAD + "margin = 0.9", "margin must be a number above 0 and up to 0.25, not 0.9"),
        (HEAD + "margin = {share = 0.9}", "margin.share must be a number above 0 and up to 0.25, not 0.9"),
        (HEAD + 'claim = "never"', "unknown claim 'never'; known: about, at least, at most, exactly"),
        (HEAD + 'claim = {p = "never"}', "unknown claim 'never'; known: about, at least, at most, exactly"),
        (HEAD + "alternative = 1", "alternative must be true or false, not 1"),
        (HEAD + "[[trial]]\nkind = 'fit'\nwhat = 'w'\ncounts = [5, 5]", "trials 1 and 2 are both called 'w'"),
        (
            HEAD + "margin = {shares = 0.1}",
            "unknown kind of margin 'shares'; known: count, error, payoff, place, share",
        ),
        (HEAD + "headline = 3", "headline must be true or false, not 3"),
        ('kind = "query"\n' + OWN, "unknown kind of experiment 'query'; known: document, question"),
        ("difference = 0.1\n" + OWN, 'difference is for experiments of kind = "question"'),
        ('kind = "question"\n' + OWN, "trial 1: published has no place in a question"),
        (
            OWN.replace("Random = 21", "Random = 25"),
            "published.wins and 3 draws add up to 1004, and cannot",
        ),
        (OWN.replace("draws = 3", "draws = 4"), "published.wins and 4 draws add up to 1001, and cannot exceed 1000"),
        (OWN.replace("Random = 90", "Random = 60, Novice = 70"), "published.percent add up to 130, and cannot exceed"),
        (
            OWN.replace("draws = 3", "rank = {Random = 1.9, Novice = 1.5}"),
            "published.rank has a mean of 1.7, and cannot exceed 1.5",
        ),
        (
            OWN.replace("draws = 3", "payoff = {Random = 5}"),
            "the published payoff of Random must be a number from 0",
        ),
        ("difference = 0.7\n" + OWN, "difference must be a number above 0 and up to 0.25, not 0.7"),
        (OWN.replace("openings = 0", "assumed_games = 9"), "assumed_games is of no use where published.games says"),
        (IMITATED.replace("21.15", "'about 21'"), "published.contains must be a number, or a bound such as"),
        (IMITATED.replace("epochs = 3", "epochs = 3.5"), "fit.epochs must be a whole number"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path, text, complaint):
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadValue) as refused:
        experiment.read(path)
    assert str(path) in str(refused.value)
    assert complaint in str(refused.value)


def test_what_the_head_of_a_file_says_holds_for_trials_that_say_nothing_else(tmp_path):
    path = tmp_path / "head.toml"
    path.write_text(
        'title = "x"\norigin = "program"\norigin_note = "theirs"\nfitted = "cut"\nmargin = 0.1\n'
        "[[trial]]\nkind = 'fit'\nwhat = 'a'\ncounts = [5, 5]\n"
        "[[trial]]\nkind = 'fit'\nwhat = 'b'\ncounts = [5, 5]\norigin = 'document'\nfitted = ''\n"
        "margin = {share = 0.2}\n"
    )
    one, other = experiment.read(path).trials
    assert (one.origin, one.origin_note, one.fitted, one.margin) == ("program", "theirs", "cut", 0.1)
    assert (other.origin, other.origin_note, other.fitted, other.margin) == ("document", "", "", {"share": 0.2})


def test_a_p_value_is_never_shown_as_nothing(tmp_path):
    path = tmp_path / "seats.toml"
    path.write_text(
        'title = "x"\n[[trial]]\nwhat = "Seats"\ngame = "quarto"\nagents = {Random = "random", Novice = "novice"}\n'
        "play = 40\nopenings = 0\npublished = {games = 100, alike = ['Novice']}\n",
        encoding="utf-8",
    )
    (trial,) = experiment.read(path).trials
    for p, shown in ((0.0, "< 0.0001"), (0.01234, 0.0123)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("kibitz.lab.trials.match_trial.equal_means", lambda wins, p=p: SimpleNamespace(p=p))
            (row,) = (fact for fact in trial.facts(TrialSetup()) if "p value" in fact.what)
        assert row.measured == shown


def test_percentages_that_add_up_to_more_by_rounding_alone_are_read(tmp_path):
    path = tmp_path / "rounded.toml"
    path.write_text(OWN.replace("Random = 90", "Random = 41, Novice = 60"), encoding="utf-8")
    assert experiment.read(path).trials


@pytest.mark.parametrize("scale", ["nan", "inf", "0", "-1"])
def test_a_scale_that_is_no_number_of_games_is_refused_in_a_sentence(tmp_path, scale):
    ran = _command("run", "quarto-players", "--scale", scale, "--db", tmp_path / "lab.db")
    assert ran.exit_code != 0
    assert "--scale" in ran.stderr
    assert not (tmp_path / "lab.db").exists()


def test_an_experiment_that_is_not_there_is_refused_with_the_choices(tmp_path):
    assert "known: " in _command("run", "nothing").stderr
    assert "there is no file nothing.toml" in _command("run", "nothing.toml").stderr
    missing = tmp_path / "no.db"
    assert f"there is no ledger {missing}" in _command("report", "--db", missing, "--out", tmp_path).stderr


def test_seats_lengths_and_breaches_are_held_against_what_is_said(tmp_path):
    path = tmp_path / "seats.toml"
    path.write_text(
        'title = "seats"\n[[trial]]\nwhat = "Novice"\ngame = "quarto"\nagents = {Novice = "novice"}\nplay = 200\n'
        'scheme = "self-play"\nopenings = 0\npublished = {turns = 16, breaches = 0, '
        'seat_order = [[1, ">", 2]]}\n'
    )
    found = {row.what: row for row in run(experiment.read(path), TrialSetup()).rows}
    assert found["games of at most 16 turns each"].measured == 100
    assert found["games lost by a breach of limits"].measured == 0
    assert found["seat 1 wins, less seat 2"].published == "more"
