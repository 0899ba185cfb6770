"""Reports: a page that needs nothing else, says what the data says, and shows every text as a text."""

import csv
import json
import re
import sqlite3
import sys
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.show.match_table import match_table
from kibitz.arena.show.report.page import page
from kibitz.arena.show.report.report_data import bin_width, report
from kibitz.arena.show.report.report_files import COLUMNS, MOVE_COLUMNS, columns
from kibitz.arena.show.table_parts import FirstThatFits
from kibitz.arena.show.text import number_text, seat_style
from kibitz.arena.tournament import play_tournament
from kibitz.cli import main
from kibitz.core.record import Record

ROOT = Path(__file__).resolve().parents[2]
VOID = {"meta", "br"}
NASTY = "<b onclick=\"x()\">bold</b> & 'quoted' </style><script>alert(1)</script>"
PLAN = {
    "game": "quarto", "agents": ["novice", "random"], "scheme": "round-robin", "hero": None, "games": 4, "seed": 1,
    "openings": 0, "stop": None, "limits": {"move_seconds": None, "plies": 30}, "hooks": [],
}  # fmt: skip


def run(*words):
    """Run a command in this process."""
    return CliRunner().invoke(main, ["report", *map(str, words)], catch_exceptions=False)


def ledger_of(
    path, seatings, payoffs, agents=("novice", "random"), game="quarto", planned=None, fault=None, offender=None
):
    """Write a ledger by hand, as if these games had been played by compiled code; a fault is of the first game."""
    games, seats = len(seatings), len(seatings[0]) if seatings else 2
    plan = PLAN | {"agents": list(agents), "game": game, "seats": [f"seat {seat}" for seat in range(seats)]}
    with open_ledger(path, write=True) as ledger:
        number = ledger.enter("by-hand", plan, games if planned is None else planned, 2, "0.1.0")
        if games:
            reasons = [Reason.WON if row.count(max(row)) == 1 else Reason.DRAWN for row in payoffs]
            offenders, faults = [-1] * games, [""] * games
            if fault:
                reasons[0], faults[0] = Reason.CRASH, fault
                offenders[0] = int(np.argmin(payoffs[0])) if offender is None else offender
            ledger.add(number, Batch(
                np.arange(games), np.array(seatings), np.array(payoffs, dtype=float), np.arange(games) + 10,
                np.full((games, seats), 0.5), np.full((games, seats), 5), reasons, np.array(offenders), faults,
                np.arange(games), [Record(game, 1, {}, seed, list(agents), None, []).line() for seed in range(games)],
                [""] * games,
            ), np.arange(games), "c0de" * 4)  # fmt: skip
    return path


def data_of(path):
    with open_ledger(path) as ledger:
        return report(ledger, None)


class Checker(HTMLParser):
    """Reads a page strictly: every tag is closed where it should be."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)


@pytest.fixture
def db(tmp_path):
    """Two agents at a table of two: novice wins three times, and there is one draw."""
    return ledger_of(tmp_path / "results.db", [[0, 1], [1, 0], [0, 1], [1, 0]], [[1, 0], [0, 1], [1, 0], [0.5, 0.5]])


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A small tournament of agents that tell what they think."""
    path = tmp_path_factory.mktemp("ledger") / "played.db"
    agents = ["novice", "random", "greedy(value=completing_absolute)"]
    play_tournament(Plan.make("quarto", agents, games=24, seed=5), path)
    return path


def test_the_cross_table_counts_by_hand(db):
    (pair,) = data_of(db)["encounters"]
    assert (pair["agent"], pair["other"], pair["games"]) == ("novice", "random", 4)
    assert (pair["before"], pair["level"], pair["behind"]) == (3, 1, 0)
    assert (pair["mean_payoff"], pair["other_mean_payoff"], pair["difference"]) == (0.875, 0.125, 0.75)
    assert pair["p_holm"] == pair["p"]


def test_seats_count_by_hand(db):
    found = data_of(db)["seats"]
    assert [(seat["wins"], seat["draws"], seat["losses"]) for seat in found["seats"]] == [(2, 1, 1), (1, 1, 2)]
    assert found["decided"] == 3
    assert not found["kept"]


def test_agents_that_keep_their_seats_leave_seats_unjudged(tmp_path):
    found = data_of(ledger_of(tmp_path / "a.db", [[0, 1]] * 3, [[1, 0]] * 3))["seats"]
    assert found["kept"]
    assert found["seats"][0]["points"] is None


def test_copies_of_an_agent_share_their_wins(tmp_path):
    seatings = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]]
    payoffs = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]]
    path = ledger_of(tmp_path / "a.db", seatings, payoffs, game="cartagena(seats=3)")
    lone, double = sorted(data_of(path)["compositions"], key=lambda table: -table["games"])
    counts = {row["agent"]: (row["seats"], row["wins"], row["fair"]) for row in lone["agents"]}
    assert counts == {"novice": (1, 1, 1 / 3), "random": (2, 2, 2 / 3)}
    assert (double["games"], lone["games"]) == (1, 3)


def test_one_agent_with_itself_has_no_cross_table(tmp_path):
    path = ledger_of(tmp_path / "a.db", [[0, 0]] * 4, [[1, 0], [1, 0], [0, 1], [1, 0]], agents=["novice"])
    data = data_of(path)
    assert data["encounters"] == data["compositions"] == []
    text = Checker(page(data)).text
    assert "only copies of themselves" in text
    assert "Cross table" not in text


def test_the_course_of_games_knows_who_moved(played):
    data = data_of(played)
    assert data["no_course"] is None
    for row in data["times"]:
        assert sum(part["moves"] for part in row["course"]) == row["moves"]
        assert all(part["median"] <= part["longest"] for part in row["course"])
    (greedy,) = data["values"]
    told = sum(sum(seat["moves"]) + sum(seat["sure"]) for seat in greedy["by_seat"])
    assert greedy["agent"].startswith("greedy")
    assert 0 < told <= next(row["moves"] for row in data["times"] if row["rank"] == greedy["rank"])
    for name in ("moves", "sure"):
        by_seat = np.sum([seat[name] for seat in greedy["by_seat"]], axis=0)
        assert (by_seat == np.add(greedy["won"][name], greedy["not_won"][name])).all()


def test_a_game_in_a_file_is_reported_on_without_running_it(tmp_path):
    path = ledger_of(tmp_path / "own.db", [[0, 1]], [[1, 0]], game="./nowhere/mygame")
    assert data_of(path)["plan"]["game"] == "./nowhere/mygame"


@pytest.mark.parametrize(("longest", "width"), [(0, 1), (29, 1), (30, 2), (59, 2), (60, 5), (299, 10), (301, 20)])
def test_bins_are_few_and_round(longest, width):
    assert bin_width(longest) == width


def test_the_page_is_well_formed_and_needs_nothing_else(played):
    text = page(data_of(played))
    checked = Checker(text)
    assert "script" not in checked.tags
    assert not {"img", "link", "iframe", "object"} & set(checked.tags)
    for name, value in checked.attributes:
        assert name not in ("src", "srcset", "data", "xlink:href")
        assert name != "href" or value.startswith("#")
        assert "url(" not in (value or "")
    assert "http:" not in text
    assert "https:" not in text
    assert "@import" not in text


def test_every_figure_is_described_and_has_its_numbers_under_it(played):
    checked = Checker(page(data_of(played)))
    pictures = [value for name, value in checked.attributes if name == "role"]
    assert len(pictures) >= 12
    assert checked.tags.count("title") >= len(pictures)
    assert checked.text.count("The numbers") >= 6
    ids = [value for name, value in checked.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_the_page_shows_the_numbers_of_the_data(played):
    data = data_of(played)
    text = Checker(page(data)).text
    for row in data["standings"]:
        assert row["agent"] in text
        assert f"{row['rating']:+.0f}" in text
        assert f"{row['rating']:.2f}" in text
        assert f"{row['win_rate']:.1%}" in text
    for pair in data["encounters"]:
        assert f"{pair['difference']:+.4f}" in text
        assert f"{pair['mean_payoff']:.3f}" in text
    for seat in data["seats"]["seats"]:
        assert f"{seat['win_rate']:.2%}" in text
    for value in ("run", "digest", "begun"):
        assert data[value] in text
    assert f"{data['lengths']['mean']:.1f} moves" in text


def test_texts_of_users_are_shown_as_texts(tmp_path):
    path = ledger_of(
        tmp_path / "a.db", [[0, 1], [1, 0]], [[1, 0], [0, 1]], agents=["novice", NASTY], fault=f"it {NASTY}"
    )
    text = page(data_of(path))
    checked = Checker(text)
    assert "b" not in checked.tags
    assert "script" not in checked.tags
    assert NASTY in checked.text
    assert f"it {NASTY}" in checked.text
    assert not [name for name, _ in checked.attributes if name.startswith("on")]


def test_what_is_no_unicode_does_not_stop_the_page(tmp_path):
    path = ledger_of(tmp_path / "a.db", [[0, 1], [1, 0]], [[1, 0], [0, 1]], agents=["novice", "./\udcff.py"])
    out = tmp_path / "a.html"
    assert run(path, "--out", out, "--csv", tmp_path / "a.csv").exit_code == 0
    assert "./?.py" in out.read_text(encoding="utf-8")


def test_faults_are_counted_and_quoted(tmp_path):
    path = ledger_of(tmp_path / "a.db", [[0, 1], [1, 0]], [[1, 0], [0, 1]], fault="agent random failed: no ideas")
    found = data_of(path)["faults"]
    assert found["games"] == 1
    assert found["agents"] == [{"rank": 2, "agent": "random", "name": "", "reason": "crash", "games": 1}]
    assert "no ideas" in Checker(page(data_of(path))).text


def test_games_that_were_played_again_are_a_note_and_no_fault(tmp_path):
    said = "agent novice was killed; the game was played again"
    path = ledger_of(tmp_path / "a.db", [[0, 1], [1, 0]], [[1, 0], [0, 1]], fault=said, offender=-1)
    assert data_of(path)["faults"]["messages"] == []
    assert f"were killed in a game, which was played again; the first: {said}." in Checker(page(data_of(path))).text


@pytest.mark.parametrize("games", [0, 1])
def test_a_run_with_hardly_a_game_has_a_page_that_says_so(tmp_path, games):
    path = ledger_of(tmp_path / "a.db", [[0, 1]][:games], [[1, 0]][:games], planned=2)
    text = Checker(page(data_of(path))).text
    assert f"not finished ({games} of 2 games have been played)" in text
    assert ("No game has been played yet" in text) == (games == 0)


def test_every_link_leads_to_a_part_of_the_page(played):
    checked = Checker(page(data_of(played)))
    links = [value for name, value in checked.attributes if name == "href"]
    assert len(links) >= 6
    assert {link.removeprefix("#") for link in links} <= {value for name, value in checked.attributes if name == "id"}


def test_a_question_has_one_verdict_with_one_p_value(tmp_path):
    """Ninety games in which the first seat wins more often: some evidence, and not called more than that."""
    seatings, payoffs = [[0, 1], [1, 0]] * 45, [[1, 0]] * 58 + [[0, 1]] * 32
    path = ledger_of(tmp_path / "a.db", seatings, [payoffs[(7 * at) % 90] for at in range(90)])
    data = data_of(path)
    p = data["seats"]["equal"]["p"]
    text = Checker(page(data)).text
    assert 0.01 < p < 0.05
    assert text.count("some seats win more often than others") == 1
    assert f"There is some evidence that some seats win more often than others (p = {p:.3f}: by chance alone" in text
    assert text.count(" evidence that ") == 2  # one about the agents, one about the seats


def test_seats_named_after_colours_are_drawn_in_them():
    assert [seat_style(name, seat) for seat, name in enumerate(("red", "blue", "seat 3"))] == ["red", "blue", "s3"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(15_000, "15,000"), (1234.5, "1234"), (0.25, "0.25"), (-0.00002, "-0.00002"), (0, "0"), (12.3456, "12.35")],
)
def test_numbers_on_axes_are_never_powers_of_ten(value, shown):
    assert number_text(value) == shown


def test_json_is_all_the_data_and_nothing_else(db):
    result = run("by-hand", "--db", db, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json.loads(json.dumps(data_of(db)))
    assert not db.with_name("report.html").exists()


def test_the_page_replaces_an_older_one_as_a_whole(db, tmp_path):
    out = tmp_path / "page.html"
    out.write_text("old")
    result = run(db, "--out", out)
    assert result.exit_code == 0
    assert "page.html" in result.stdout
    assert out.read_text(encoding="utf-8") == page(data_of(db))
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".html") == ["page.html"]


def test_csv_has_a_row_for_every_game_and_seat(db, tmp_path):
    out = tmp_path / "rows.csv"
    assert run(db, "--csv", out).exit_code == 0
    with out.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 8
    shown = ("number", "block", "seat", "agent", "payoff", "place", "won", "drew", "plies", "reason", "moves")
    assert [rows[3][name] for name in shown] == ["2", "0", "1", "novice", "1.0", "1", "1", "0", "11", "won", "5"]
    assert [(row["place"], row["won"], row["drew"]) for row in rows[6:]] == [("1", "0", "1")] * 2


@pytest.mark.parametrize("games", [0, 4])
def test_parquet_has_the_same_rows(db, tmp_path, games):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'kibitz[parquet]'")
    path = db if games else ledger_of(tmp_path / "none.db", [], [], planned=2)
    assert run(path, "--parquet", tmp_path / "rows.parquet", "--csv", tmp_path / "rows.csv").exit_code == 0
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert tuple(table.column_names) == COLUMNS
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as lines:
        expected = list(csv.DictReader(lines))
    assert table.num_rows == len(expected) == 2 * games
    for row, other in zip(table.to_pylist(), expected, strict=True):
        assert {name: str(int(cell) if isinstance(cell, bool) else cell) for name, cell in row.items()} == other


def test_moves_are_written_one_a_row_with_what_was_searched(tmp_path):
    path, out = tmp_path / "searched.db", tmp_path / "moves.csv"
    play_match("quarto", ["minimax(depth=1, opening=none)", "random"], games=2, openings=3, db=path)
    assert run(path, "--moves", out).exit_code == 0
    with out.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert tuple(rows[0]) == MOVE_COLUMNS
    with open_ledger(path) as ledger:
        plies = ledger.games(1).plies.tolist()
    for number, length in enumerate(plies, 1):
        assert [int(row["ply"]) for row in rows if row["number"] == str(number)] == list(range(4, length + 1))
    told = {(row["agent"], bool(row["nodes"])) for row in rows}
    assert told >= {("minimax(depth=1, opening=none)", True), ("random", False)}
    times = {row["agent"]: row["nodes"] for row in data_of(path)["times"]}
    searched = [int(row["nodes"]) for row in rows if row["nodes"]]
    assert times == {"minimax(depth=1, opening=none)": round(sum(searched) / len(searched), 1), "random": None}


def test_a_run_of_compiled_code_says_that_nothing_is_known_of_its_moves(db, tmp_path):
    assert "moves.csv has no rows: nothing is known" in run(db, "--moves", tmp_path / "moves.csv").stderr


def test_without_pyarrow_a_sentence_says_what_to_install(db, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run(db, "--parquet", tmp_path / "rows.parquet")
    assert result.exit_code == 2
    assert "pip install 'kibitz[parquet]'" in result.stderr
    assert not (tmp_path / "rows.parquet").exists()


def test_bad_input_ends_in_one_sentence(db, tmp_path):
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("no database, but long enough to be looked at twice " * 20)
    other.write_bytes(db.read_bytes())
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = db.read_bytes()
    for words, told in [
        (("by-hnd", "--db", db), "by-hand"),
        (("by-hand", "--db", tmp_path / "missing.db"), "there is no ledger"),
        ((tmp_path / "missing.db",), "there is no ledger"),
        ((text,), "not a ledger of Kibitz"),
        ((other,), "version 99"),
        ((db, "--out", db), "is the ledger"),
        ((db, "--csv", other), "is a database"),
        ((db, "--out", tmp_path / "x", "--csv", tmp_path / "x"), "must be different files"),
        ((db, "--out", tmp_path / "nowhere" / "x.html"), "cannot write"),
    ]:
        result = run(*words)
        assert result.exit_code == 2, words
        assert told in result.stderr
        assert result.stderr.count("\n") == 1
    assert db.read_bytes() == before


def test_two_blocks_are_not_enough_to_call_a_difference_clear(db):
    (pair,) = data_of(db)["encounters"]
    assert pair["rough"]
    assert pair["p"] >= 0.05


def test_a_report_can_be_made_while_the_run_goes_on(db, tmp_path):
    with open_ledger(db, write=True):
        assert run("by-hand", "--db", db, "--out", tmp_path / "page.html").exit_code == 0


def test_every_column_is_in_the_document():
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    for name in COLUMNS:
        assert f"`{name}`" in text


def test_every_part_of_the_data_is_in_the_document(played):
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    apart = {"report", "begun", "planned", "played", "distinct", "reasons", "seat_names", "no_course", "no_values"}
    for name in set(data_of(played)) - apart:
        assert f"`{name}`" in text


def test_times_that_were_not_measured_are_not_invented(tmp_path):
    """Policies share one compiled loop, which knows no time of one of them."""
    path = tmp_path / "results.db"
    result = play_tournament(Plan.make("quarto", ["novice", "random"], games=20), path)
    assert [row.seconds_per_move for row in result.standings] == [None, None]
    data = data_of(path)
    assert [row["seconds_per_move"] for row in data["times"]] == [None, None]
    assert data["speed"]["seconds"] is None
    parts = match_table(play_match("quarto", ["novice", "random"], 4))
    table = next(part for part in parts if isinstance(part, FirstThatFits)).tables[0]
    assert list(table.columns[-1].cells) == ["–", "–"]
    text = page(data)
    assert not re.search(r"\d ns\b", text)
    with open_ledger(path) as ledger:
        assert set(columns(ledger, None)["seconds"]) == {None}
