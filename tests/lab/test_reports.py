"""Reports: what was found and how it was run, in every format, made from the outcome alone."""

import csv
import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.core.errors import BadValue
from kibitz.lab import experiment, provenance
from kibitz.lab.chance_verdicts import chance_count
from kibitz.lab.experiment_files import as_csv, bibtex, latex, write_report
from kibitz.lab.experiment_markdown import markdown
from kibitz.lab.experiment_outcome import AgentTime, Outcome, SecondSeed, TrialOutcome
from kibitz.lab.experiment_page import page
from kibitz.lab.finding import AGREES, CONTRADICTS, DIFFERENT, OPEN, Finding
from kibitz.lab.forest_plot import WIDTH, text_plot
from kibitz.lab.outcomes import keep, kept
from kibitz.lab.report_texts import chance_text, others_text, summary, times_text, verdict_text

AGREED = Finding(
    "A wins", 50.0, 51.0, (49.0, 53.0), (45.0, 55.0), "%", 1.0, (-2.0, 4.0), "points", "5 points", 0.4, 0.8, AGREES
)
WRONG = replace(AGREED, what="B wins", difference=-9.0, difference_interval=(-30.0, -8.0), p=0.01, corrected_p=0.02,
                verdict=CONTRADICTS, why="Luck_of the draw.")  # fmt: skip
UNSURE = replace(AGREED, what="C wins", verdict=OPEN, more_games=1234)
MIRRORED = Finding("D wins", 50.0, 49.0, (47.0, 51.0), None, "%", mirror_of="A wins")
TRIAL = TrialOutcome(
    "Table 1", "quarto", {"A": "novice", "B": "minimax(depth=2)"}, {"openings": "4"}, "Table 1", "program",
    "their program, commit 1a2b, MIT", "cut", True, False, 400, 200, (11, 12), ("quarto-1", "quarto-2"),
    (AgentTime("A", 100, 0.5, 0.9), AgentTime("B", 100, None, None)), rows=(AGREED, WRONG, UNSURE, MIRRORED),
)  # fmt: skip
OUTCOME = Outcome(
    "mine", (TRIAL,), 60.0, 0.5, 7, data="abc123",
    texts={
        "title": "50 % & more", "document": "A. Author, On Quarto_, 2019", "place": "table 1",
        "about": "{agreeing} of {judged}: {Table 1: A wins}, {Table 1: E wins}", "cause": "{contradicting} contradict",
    },
    made={
        "commit": "commit 1a2b3c", "sources": "sources 9f", "date": "2026-01-02", "machine": "a processor, 2 cores",
        "versions": "Kibitz 1",
    },
)  # fmt: skip


def _with_rows(*rows, **more):
    return replace(OUTCOME, trials=(replace(TRIAL, rows=rows, **more),))


def test_prose_is_made_from_the_outcome():
    for text in (page([OUTCOME]), markdown([OUTCOME])):
        assert "1 of 3: 51 %, (not measured)" in text
        assert "1 contradict" in text
        assert "Luck_of the draw." in text
    agreed = markdown([_with_rows(AGREED)])
    assert "1 of 1: 51 %" in agreed
    assert "0 contradict" not in agreed  # causes are told only where something contradicts
    assert "Luck" not in agreed


def test_every_row_tells_how_it_was_found():
    (row, *_) = csv.DictReader(as_csv([OUTCOME]).splitlines())
    assert {key: row[key] for key in ("experiment", "trial", "row", "origin", "verdict", "games", "blocks")} == {
        "experiment": "mine", "trial": "Table 1", "row": "A wins", "origin": "program", "verdict": AGREES,
        "games": "400", "blocks": "200",
    }  # fmt: skip
    assert (row["seeds"], row["runs"], row["run_seed"]) == ("11 12", "quarto-1 quarto-2", "7")
    assert json.loads(row["agents"]) == TRIAL.agents
    assert json.loads(row["cpu_seconds"]) == {"A": 0.5, "B": None}
    assert (row["commit"], row["sources"], row["date"]) == ("commit 1a2b3c", "sources 9f", "2026-01-02")
    shown = page([OUTCOME], "lab.db")
    for told in (
        "400 games in 200 blocks, seeds 11, 12", "CPU time a move: A 5 ms", "B: minimax(depth=2)", "openings = 4",
        "kibitz replay lab.db --run quarto-1 --game 1", "the authors' program", "commit 1a2b, MIT", "abc123",
        "commit 1a2b3c; sources 9f", "2026-01-02", "a processor, 2 cores", "held out (found by other numbers: cut)",
    ):  # fmt: skip
        assert told in shown, told


def test_reports_begin_with_the_scale_of_each_experiment_that_is_not_run_whole():
    whole = replace(OUTCOME, experiment="other", scale=1.0)
    for text in (page([OUTCOME, whole]), markdown([OUTCOME, whole])):
        assert "1 of 2 experiments were run at full scale (1). The scale of the others: mine 0.5." in text
    assert "All experiments were run at full scale." in markdown([whole])


def test_markdown_names_game_agents_options_and_runs_of_each_trial():
    (line,) = [line for line in markdown([OUTCOME]).splitlines() if line.startswith("* Table 1: ")]
    assert "400 games in 200 blocks, seeds 11, 12; CPU time a move: A 5 ms" in line
    assert line.endswith("runs quarto-1, quarto-2; `quarto`; A `novice`; B `minimax(depth=2)`; openings = 4")


def test_a_verdict_comes_with_its_margin_or_what_it_would_take():
    assert [verdict_text(row) for row in TRIAL.rows] == [
        "agrees (within 5 points)", CONTRADICTS, "not excluded (1,200 more games)", "mirrors “A wins”",
    ]  # fmt: skip
    assert verdict_text(replace(AGREED, different=True)) == "agrees (within 5 points; it is real)"
    for games, reason, shown in (
        (None, "too few published games to agree", "too few published games to agree"),
        (880, "to show a difference", "880 more games to show a difference"),
    ):
        assert verdict_text(replace(UNSURE, more_games=games, reason=reason)) == f"not excluded ({shown})"
    assert verdict_text(replace(AGREED, reason="if so")) == "agrees (within 5 points; if so)"
    assert verdict_text(replace(AGREED, verdict="", without_verdict="not equal time")) == "no verdict: not equal time"
    assert verdict_text(replace(MIRRORED, mirror_of="", same_as="A wins")) == "the same as “A wins”"


def test_assumed_games_stand_beside_the_published_number():
    outcome = _with_rows(replace(AGREED, assumed_games=30))
    for text in (page([outcome]), markdown([outcome])):
        assert "50 % (assumed: 30 games)" in text


def test_rows_are_counted_and_fitted_ones_apart():
    assert summary(OUTCOME).startswith("agrees 1, not excluded 1, contradicts 1 (of 3); ")
    assert summary(OUTCOME).endswith("60 s at scale 0.5, seed 7")
    fitted = _with_rows(AGREED, held_out=False)
    assert summary(fitted).startswith("fitted, and so no evidence: agrees 1 (of 1); ")


def test_a_trial_says_with_which_games_it_was_played_again():
    again = _with_rows(WRONG, second=SecondSeed(400, 200, (21,), ("quarto-3",)))
    for text in (page([again]), markdown([again])):
        assert "played again, because a row contradicted: 400 games in 200 blocks, seed 21" in text
        assert "quarto-1, quarto-2, quarto-3" in text
    (row,) = csv.DictReader(as_csv([again]).splitlines())
    assert (row["second_games"], row["second_seeds"], row["second_runs"]) == ("400", "21", "quarto-3")


def test_a_trial_without_times_says_why():
    assert "B not measured" in times_text(TRIAL)
    assert times_text(replace(TRIAL, times=())).startswith("no CPU time: a compiled loop plays whole games")
    assert times_text(replace(TRIAL, times=(), untimed="nodes are counted")) == "no CPU time: nodes are counted"
    assert times_text(replace(TRIAL, times=(), games=0)) == ""


def test_other_runs_of_an_experiment_are_named_with_the_rows_that_differ():
    same, other = replace(OUTCOME, seed=8), replace(_with_rows(replace(WRONG, verdict=OPEN)), seed=9, scale=0.01)
    shown = others_text(replace(OUTCOME, others=(same, other)))
    assert shown == (
        "Also run with seed 8 at scale 0.5, with the same verdicts. "
        "And with seed 9 at scale 0.01, with “Table 1: B wins”: not excluded."
    )
    for text in (page([replace(OUTCOME, others=(same,))]), markdown([replace(OUTCOME, others=(same,))])):
        assert "Also run with seed 8 at scale 0.5, with the same verdicts." in text


def test_a_second_run_never_replaces_the_first(tmp_path):
    db = tmp_path / "lab.db"
    for seed, scale in ((7, 1.0), (8, 0.01), (8, 1.0), (7, 1.0)):
        keep(replace(OUTCOME, seed=seed, scale=scale, seconds=60 * scale), db)
    (found,) = kept(db).values()
    assert (found.seed, found.scale) == (7, 1.0)
    assert [(other.seed, other.scale) for other in found.others] == [(8, 1.0), (8, 0.01)]
    keep(replace(OUTCOME, scale=0.2, data="changed"), db)
    (found,) = kept(db).values()
    assert (found.data, found.scale, found.others) == ("changed", 0.2, ())


def test_single_files_of_a_report_may_have_any_name(tmp_path):
    db = tmp_path / "lab.db"
    keep(OUTCOME, db)
    names = {kind: tmp_path / f"my.{kind}" for kind in ("csv", "latex", "bibtex")}
    words = [word for kind, path in names.items() for word in (f"--{kind}", str(path))]
    ran = CliRunner().invoke(main, ["experiment", "report", "mine", "--db", str(db), *words])
    assert ran.exit_code == 0, ran.output
    assert names["csv"].read_text() == as_csv([OUTCOME])
    assert names["latex"].read_text() == latex([OUTCOME])
    assert names["bibtex"].read_text() == bibtex([OUTCOME])
    ran = CliRunner().invoke(main, ["experiment", "report", "--db", str(db)])
    assert ran.exit_code != 0
    assert "--out FOLDER for all of it, or --csv, --latex or --bibtex FILE" in ran.stderr


def test_the_page_ends_with_what_chance_would_do():
    other = replace(OUTCOME, experiment="other", trials=(replace(TRIAL, rows=(AGREED,) * 37),))
    count = chance_count([OUTCOME, other])
    assert (count.verdicts, count.families, count.contradictions) == (40, 2, 1)
    assert (count.agreements, count.with_margin) == (38, 40)
    assert (count.uncorrected, count.agreeing) == (pytest.approx(2.0), pytest.approx(2.0))
    for text in (page([OUTCOME, other]), markdown([OUTCOME, other])):
        assert chance_text(count) in text
    assert chance_text(chance_count([_with_rows(MIRRORED)])) == ""


def test_a_plot_as_text_shows_margin_interval_and_difference():
    shown = text_plot(AGREED)
    assert (len(shown), shown[WIDTH // 2], shown.count(":")) == (WIDTH, "+", 2)
    assert shown.index("-") < WIDTH // 2 < shown.index("o") < shown.rindex("-")
    assert text_plot(WRONG)[0] == "«"  # the interval goes on
    assert text_plot(MIRRORED) == ""
    factor = replace(AGREED, difference=1.05, difference_interval=(0.95, 1.2), scale="factor", margin="10 %")
    assert text_plot(factor).index("o") > WIDTH // 2


def test_a_forest_plot_has_both_numbers_with_their_intervals():
    shown = page([OUTCOME])
    assert shown.count('class="dot s2"') == shown.count('class="dot s1"') == len(TRIAL.rows)
    assert shown.count('class="bar s2"') == 3 * 3  # the published interval of three rows
    claimed = replace(AGREED, published="more", unit="", scale="plain")
    assert 'class="dot s2"' in page([_with_rows(claimed)])  # at 0


def test_latex_and_bibtex_are_escaped():
    table = latex([OUTCOME])
    assert r"50 \% \& more" in table
    assert len(re.findall(r"(?<!\\)&", table)) == 5 * (1 + len(TRIAL.rows))
    entries = bibtex([OUTCOME, OUTCOME])
    assert re.findall(r"@\w+{(\w+)", entries) == ["kibitz", "author2019"]
    assert r"title = {On Quarto\_}" in entries
    odd = replace(OUTCOME, texts={"document": "A report"})
    assert "title = {A report}" in bibtex([odd])


def test_a_report_is_five_files(tmp_path):
    written = write_report([OUTCOME], tmp_path / "pages", "lab.db")
    assert [path.suffix for path in written] == [".html", ".md", ".csv", ".tex", ".bib"]


def test_a_question_says_how_many_games_show_a_difference_that_matters(tmp_path):
    path = tmp_path / "fair.toml"
    path.write_text(
        'title = "Fair?"\nkind = "question"\ndifference = 0.1\n[[trial]]\nwhat = "Seats"\ngame = "quarto"\n'
        'agents = {Novice = "novice"}\nscheme = "self-play"\nopenings = 0\nplay = 100\n'
        '[[trial]]\nwhat = "Novice"\ngame = "quarto"\nagents = {Novice = "novice", Random = "random"}\nplay = 40\n'
    )
    db = tmp_path / "lab.db"
    ran = CliRunner().invoke(main, ["experiment", "run", str(path), "--db", str(db), "--jobs", "1", "--seed", "3"])
    assert ran.exit_code == 0, ran.output
    assert "a difference of 10 points shows in four runs of five with" in " ".join(ran.stdout.split())
    (outcome,) = kept(db).values()
    seats, novice = outcome.trials
    assert (outcome.seed, outcome.kind) == (3, "question")
    assert [row.what for row in novice.rows] == [
        "Novice wins, in a seat", "Random wins, in a seat", "Novice wins, less Random, in a seat",
    ]  # fmt: skip
    assert [row.verdict for row in novice.rows] == ["", "", DIFFERENT]
    shares = [row.measured for row in novice.rows[:2]]
    assert novice.rows[2].measured == pytest.approx(shares[0] - shares[1])
    assert seats.rows[1].mirror_of == seats.rows[0].what
    assert 150 < seats.rows[0].games_for_difference < 260  # 196 of independent games


def test_a_place_to_play_that_is_not_known_is_refused(tmp_path):
    ran = CliRunner().invoke(
        main, ["experiment", "run", "quarto-players", "--on", "moon", "--db", str(tmp_path / "x.db")]
    )
    assert ran.exit_code != 0
    assert "unknown place to play 'moon'" in ran.stderr


def test_placeholders_that_nothing_fills_are_refused(tmp_path):
    path = tmp_path / "x.toml"
    for text in ("{agreed} agree", "{Table 2: A wins}"):
        path.write_text(f"title = 'x'\nabout = '{text}'\n[[trial]]\nkind = 'fit'\nwhat = 'Table 1'\ncounts = [5, 5]\n")
        with pytest.raises(BadValue, match=r"about has \{.*\}, which nothing fills; known: \{judged\}, \{agreeing\}"):
            experiment.read(path)
    path.write_text(path.read_text().replace("Table 2", "Table 1"))
    assert experiment.read(path).about


def test_provenance_names_the_commit_or_the_sources_and_no_host(monkeypatch):
    made = provenance.provenance()
    assert set(made) == {"commit", "sources", "date", "machine", "versions"}
    assert re.fullmatch(r"sources [0-9a-f]+", made["sources"])
    assert "Kibitz" in made["versions"]
    monkeypatch.setattr(provenance, "_git", lambda *words: "")
    assert provenance.provenance() == made | {"commit": "no commit known"}
