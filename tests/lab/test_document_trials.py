"""Kinds of trials that the reproduction of the documents adds: replays, places, values of positions, sums."""

import re
from pathlib import Path

import numpy as np
import pytest

from kibitz.core.errors import BadValue
from kibitz.lab import experiment
from kibitz.lab.runner import run
from kibitz.lab.trials.trial import TrialSetup
from kibitz.plugins.documents.programs.subtractive import Subtractive

ROOT = Path(__file__).resolve().parents[2]
OURS = [name for name in experiment.names() if name.startswith(("quarto-", "colonizers-"))]
TOLD = re.compile(
    r"all 24 (numbers|figures)|\breproduced\b|\bcompatible\b|\bnot excluded\b|\bcontradicts the\b", re.IGNORECASE
)
SERIES = "series = [{what = 'few', player = 'random', seed = 42, games = 6, published = {seat_wins = [%s, 0, 0, 0]}}]\n"


def trials(tmp_path, text):
    """Return the outcomes of trials that a file describes."""
    path = tmp_path / "own.toml"
    path.write_text(f"title = 'Own'\n{text}", encoding="utf-8")
    return run(experiment.read(path), TrialSetup()).trials


def rows(tmp_path, text):
    """Return the rows of one trial."""
    (found,) = trials(tmp_path, f"[[trial]]\n{text}")
    return found.rows


def replay(tmp_path, wins="0", how="shuffles = 'first'"):
    """Return the rows of a replay of six games."""
    return rows(tmp_path, f"kind = 'replay'\nwhat = 'r'\nseed = 42\n{how}\n{SERIES % wins}")


def test_the_program_s_first_seed_is_66():
    assert Subtractive(42).below(99) == 66


def test_a_replay_counts_the_published_numbers_that_are_equal(tmp_path):
    played = replay(tmp_path)
    wins = [row.measured for row in played if row.what.endswith("wins")]
    assert sum(wins) == 6
    equal = sum(mine == theirs for mine, theirs in zip(wins, (0, 0, 0, 0), strict=True))
    assert (played[0].published, played[0].measured) == (4, equal)
    more = replay(tmp_path, str(wins[0]))
    assert more[0].measured == equal + (wins[0] != 0)
    published = (wins[0], 0, 0, 0)
    for row, number in zip((row for row in more if row.what.endswith("wins")), published, strict=True):
        assert row.verdict == ("agrees" if row.measured == number else "contradicts")


def test_a_replay_can_show_nothing_but_their_number(tmp_path):
    (count,) = replay(tmp_path, how="shuffles = 'first'\nnumbers = false")
    assert count.what == "published numbers that are equal"


def test_the_seed_of_a_replay_is_used_in_three_ways(tmp_path):
    ways = [
        [row.measured for row in replay(tmp_path, how=f"shuffles = '{way}'")] for way in ("first", "each", "itself")
    ]
    assert len({tuple(way) for way in ways}) == 3
    assert ways == [
        [row.measured for row in replay(tmp_path, how=f"shuffles = '{way}'")] for way in ("first", "each", "itself")
    ]


def test_a_new_dealer_for_every_game_starts_again_with_every_series(tmp_path):
    one = "{what = 'a', player = 'random', seed = 42, games = 5}"
    for way, again in (("each", True), ("first", False)):
        found = rows(tmp_path, f"kind = 'replay'\nwhat = 'r'\nseed = 42\nshuffles = '{way}'\nseries = [{one}, {one}]\n")
        numbers = [row.measured for row in found]
        assert (numbers[:12] == numbers[12:]) is again


def test_the_replay_of_the_thesis_tells_how_many_of_its_numbers_come_out():
    found = {trial.what: trial.rows[0] for trial in run(experiment.find("colonizers-replay"), TrialSetup()).trials}
    program, text, itself, _ = found.values()
    assert (program.published, program.measured, program.verdict) == (24, 24, "")
    assert (text.published, text.measured, text.verdict) == (24, 0, "contradicts")
    assert (itself.published, itself.measured, itself.verdict) == (24, 0, "contradicts")
    page = (ROOT / "docs" / "results" / "colonizers.md").read_text(encoding="utf-8")
    table = page.partition("| equal, of 24 |")[2].partition("\n\n")[0]
    assert [int(cell) for cell in re.findall(r"\| (\d+) \|$", table, re.MULTILINE)] == [
        program.measured, text.measured, itself.measured,
    ]  # fmt: skip


PLACES = """kind = "places"
what = "Two and two"
game = "colonizers(payoff=rank)"
agents = {Heuristic = "heuristic", Random = "random"}
scheme = "equal-shares"
play = 24
published = {games = 10, wins = {Heuristic = 9}}
behind = {Random = [%s]}
"""


def test_places_behind_the_winner_are_counted_among_games_that_are_not_won(tmp_path):
    found = {row.what: row for row in rows(tmp_path, PLACES % "4, 4, 2")}
    second = found["Random is second in games that it does not win"]
    third = found["Random is third in games that it does not win"]
    assert (second.published, third.published) == (40, 40)
    assert 0 < second.measured + third.measured < 100  # it is also last
    assert "Random is fourth in games that it does not win" not in found
    assert "Heuristic wins" in found


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ((PLACES % "4, 4"), "behind.Random needs a number for each place from the second to the last, 3"),
        ((PLACES % "0, 0, 0"), "behind.Random has no games"),
        ((PLACES % "4, 4, 2").replace("behind = {Random", "behind = {Nobody"), "unknown agent of this trial 'Nobody'"),
    ],
)
def test_places_that_cannot_be_are_refused(tmp_path, wrong, complaint):
    with pytest.raises(BadValue, match=re.escape(complaint)):
        rows(tmp_path, wrong)


THREE = "kind = 'evaluation'\nwhat = 'e'\ngame = 'quarto'\nposition = 'a1 BTRS b1 BTRH c1 BSQH'\n"


def test_values_of_a_position_are_held_against_those_of_the_document(tmp_path):
    right, wrong = rows(tmp_path, f"{THREE}seat = 1\nvalues = {{almost_completed = 1, completing_absolute = 4}}\n")
    assert (right.what, right.published, right.measured, right.verdict) == ("almost_completed", 1, 1, "agrees")
    assert (wrong.measured, wrong.verdict) == (5, "contradicts")  # five of the eight black pieces are left
    (other,) = rows(tmp_path, f"{THREE}seat = 2\nvalues = {{almost_completed = -1}}\n")
    assert other.verdict == "agrees"


def test_a_published_value_agrees_if_it_is_ours_rounded(tmp_path):
    (share,) = rows(tmp_path, f"{THREE}seat = 1\nvalues = {{completing_relative = 0.38}}\n")  # 5 of 13 pieces
    assert (share.verdict, round(share.measured, 4)) == ("agrees", round(5 / 13, 4))


@pytest.mark.parametrize(
    ("rest", "complaint"), [("seat = 3\nvalues = {zero = 0}", "seat"), ("seat = 1\nvalues = {nought = 0}", "nought")]
)
def test_a_seat_or_a_value_that_the_game_does_not_have_is_refused(tmp_path, rest, complaint):
    with pytest.raises(BadValue, match=complaint):
        rows(tmp_path, f"{THREE}{rest}\n")


def test_numbers_that_do_not_add_up_contradict_their_total(tmp_path):
    right, wrong = (
        rows(tmp_path, f"kind = 'sum'\nwhat = 's'\nparts = [1, 2, 4]\ntotal = {total}\n")[0] for total in (7, 8)
    )
    assert (right.what, right.published, right.measured, right.verdict) == ("1 + 2 + 4", 7, 7, "agrees")
    assert (wrong.published, wrong.measured, wrong.verdict) == (8, 7, "contradicts")


def test_the_boards_of_the_quarto_figures_have_the_pieces_that_the_report_says_are_left():
    trial = next(trial for trial in experiment.find("quarto-figures").trials if trial.what == "Figure 1.3")
    pieces = [word for word in trial.position.split() if len(word) == 4]
    of = np.array([[piece.find(letter) >= 0 for letter in "TBR"] + [piece[3] == "S"] for piece in pieces])
    assert (8 - of.sum(axis=0)).tolist() == [4, 3, 4, 4]  # big, blue, circular, solid; of 8 each


@pytest.mark.parametrize("name", OURS)
def test_texts_of_an_experiment_tell_no_results(name):
    found = experiment.outline(name)
    texts = [found.about, found.choices, found.cause, *(trial.why for trial in found.trials)]
    assert [text for text in texts if TOLD.search(text)] == []


@pytest.mark.parametrize("page", ["quarto", "colonizers"])
def test_the_page_of_a_document_names_experiments_and_trials_that_there_are(page):
    claims = (ROOT / "docs" / "results" / f"{page}.md").read_text(encoding="utf-8").partition("## Claim by claim")[2]
    named = set(re.findall(r"`((?:quarto|colonizers)-[a-z]+)`", claims))
    assert named == {name for name in OURS if name.startswith(page)}
    for name, what in re.findall(r"`([a-z]+-[a-z]+)`: ([^;|]+)", claims):
        whats = [trial.what for trial in experiment.outline(name).trials]
        for wanted in what.strip().split(" · "):
            assert any(known.startswith(wanted) for known in whats), (name, wanted)
