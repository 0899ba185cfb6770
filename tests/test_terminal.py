"""A game in the terminal, as a person plays it, and what a person reads about games."""

import os
import re
import subprocess
import sys

import pytest

from kibitz import games as library
from kibitz.cli import terminal_game
from kibitz.core.dice import dice, roll
from kibitz.core.record import record_of
from kibitz.core.table import Table
from kibitz.games.chexers.rules import PASS
from tests.test_cli import KUHN, _own_home, run, save_one_record  # noqa: F401 the fixture holds here too


def test_a_move_may_be_typed_in_short_as_long_as_one_is_meant():
    shown = run("play", "colonizers", "human", *["heuristic"] * 3, "--seed", "3", typed="mi\nom\nquit\n").stdout
    assert "seat 1 is the miner" in shown
    assert "is not a move" not in shown
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="BTR\nBTRS\nquit\n").stdout
    assert "'BTR' may be BTRH, BTRS; type more of it" in shown
    assert "in hand: BTRS" in shown


def test_a_command_may_be_typed_in_short_and_a_move_comes_first():
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="mov\nru\nquit\n").stdout
    assert shown.count("moves: WSQH") == 2
    assert "two seats, a board of 4 by 4" in shown


def test_words_left_out_are_understood_on_a_line_of_their_own():
    shown = run("play", "cartagena", "human", "random", "random", "--seed", "3", typed="hat\nquit\n").stdout
    assert "discards  1 hat" in shown


def test_a_number_below_zero_is_no_short_move():
    shown = run("play", "./examples/nim", "human", "random", "--seed", "1", typed="-1\nquit\n").stdout
    assert "'-1' is not a move here" in shown


@pytest.mark.parametrize("game", library.names())
def test_the_rules_of_every_game_can_be_read_at_the_prompt(game):
    seats = library.find(game).seats
    shown = run("play", game, *["human"] * seats, "--seed", "1", typed="rules\nquit\n").stdout
    assert "docs/pictures" not in shown
    assert "## " not in shown
    opening = library.find(game).rules_text.split("\n\n")[1].split()[:6]
    assert " ".join(opening).replace("*", "") in " ".join(shown.split())


@pytest.mark.parametrize("game", library.names())
@pytest.mark.parametrize("level", ["beginner", "club", "strong"])
def test_every_level_of_every_game_is_an_agent_that_plays_it(game, level):
    from kibitz.agents import build
    from kibitz.agents.levels import opponent

    found = library.find(game)
    assert build(opponent(found, level), found, 0)
    assert level in found.levels


def test_a_game_that_declares_no_levels_has_opponents_too():
    from kibitz.agents.levels import LEVELS, opponent

    kuhn = library.find(KUHN)
    texts = [opponent(kuhn, level) for level in LEVELS]
    assert texts == ["policy(nash)", "ismcts(iterations=300)", "ismcts(seconds=3)"]


def test_a_hint_says_why(monkeypatch):
    monkeypatch.setattr(terminal_game, "opponent", lambda game: "minimax(depth=2, opening=none)")
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="WSQH\na1 BTRS\nb2 hint\nquit\n").stdout
    assert "the computer would play" in shown
    assert re.search(r"nothing decisive within \d turns; (these moves|the first \d) are equally good", shown)
    assert " deep" in shown
    assert "worth: " in shown


def test_an_analysis_that_came_to_no_depth_says_so():
    shown = run("analyse", KUHN.replace("kuhn", "gamble"), "--ply", "0", "--agent", "maxn(nodes=2)").stdout
    assert "not even depth 1 was searched in the nodes allowed" in " ".join(shown.split())


def test_moves_and_rolls_are_told_in_order_each_with_what_it_changed():
    gamble = f"'{KUHN.replace('kuhn', 'gamble')}'(plies=6)"
    shown = run("play", gamble, "human", "random", "--seed", "5", typed="0\n1\n").stdout
    told = re.findall(r"chance: \d; (\d) made|plays \d: (\d) made|^.*move> +(\d) made", shown, re.MULTILINE)
    assert ["".join(found) for found in told] == ["1", "2", "3", "4", "5", "6"]


def test_what_a_move_did_to_others_is_told():
    assert " and is green now" in run("play", "chexers", *["policy(greedy)"] * 3, "--seed", "3").stdout
    shown = run("play", "colonizers", *["heuristic"] * 4, "--seed", "3").stdout
    assert re.search(r"plays name \w+: seat \d takes \d Omnium from seat \d;", " ".join(shown.split()))
    assert re.search(r"plays name \w+: seats \d and \d swap hands", " ".join(shown.split()))
    shown = run("play", "cartagena", *["top3"] * 3, "--seed", "3").stdout
    assert re.search(r"plays 0 \w+: \w+ goes from the start to \d+", shown)
    assert re.search(r"plays back \d+: \w+ goes from \d+ to \d+; \w+ draws 1 ", shown)


def before_a_pass() -> Table:
    """Return a table at which red is to move and can only pass."""
    for seed in range(100):
        table, rng = Table(library.find("chexers"), seed), dice(seed)
        while not table.over:
            moves = table.moves()
            if table.turn == 0 and moves == [PASS]:
                return table
            table.play(moves[roll(rng, len(moves))])
    raise AssertionError("random games of Chexers have passes")


def test_who_can_only_pass_passes_without_being_asked(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(record_of(before_a_pass(), ["human", "policy(greedy)", "policy(greedy)"]).line())
    shown = run("play", "--resume", str(path), typed="undo\nquit\n").stdout
    assert "red can only pass, and does: pass" in shown
    assert "moves: pass" not in shown


def test_with_agents_in_all_seats_the_board_and_the_times_are_shown():
    shown = run("play", "quarto", "novice", "random", "--seed", "5").stdout
    assert shown.count("pool: ") > 5
    assert re.search(r"seat 2 plays b1: the black tall square hollow piece goes to b1  \([\d.]+ [µm]s\)", shown)


def test_a_game_goes_on_with_another_agent_in_a_seat():
    run("play", "quarto", "human", "novice", "--seed", "3", typed="BTRS\nquit\n")
    shown = run("play", "--resume", "--seat", "2=random", typed="quit\n").stdout
    assert "seat 2: random" in shown
    assert "seat 2: human" in run("play", "--resume", "--seat", "seat 2=human", typed="quit\n").stdout
    for given, complaint in (("3=random", "there is no seat '3'; the seats are 1 to 2"), ("2=nobody", "unknown agent"),
                             ("2", "--seat takes SEAT=AGENT")):  # fmt: skip
        result = run("play", "--resume", "--seat", given)
        assert result.exit_code == 2
        assert complaint in result.stderr


def test_the_exits_of_chexers_are_marked():
    shown = run("play", "chexers", "human", "human", "human", typed="quit\n").stdout
    assert "  1        Gb  G   G   Gr\n" in shown
    assert "  4  Rb  .   .   .   .   .   Br\n" in shown


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8"])
def test_a_terminal_that_lacks_signs_gets_plainer_ones(encoding):
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", "play", "quarto", "human", "human", "--seed", "1"],
        input="é\nquit\n".encode(), capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    assert "is not a move here" in done.stdout.decode(encoding)
    assert ("│" if encoding == "utf-8" else "  4 |      |") in done.stdout.decode(encoding)


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("play", "chexers", "human", "human", "human", typed="quit\n").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    shown = run("play", "chexers", "human", "human", "human", typed="quit\n").stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", shown)
    monkeypatch.delenv("FORCE_COLOR")
    assert "\x1b[" not in run("play", "chexers", "human", "human", "human", typed="quit\n").stdout


def test_what_has_changed_on_the_board_is_underlined():
    from kibitz.cli.board_text import board_text

    quarto = library.find("quarto")
    painted = board_text(quarto, "  one, two\n  three", "  one, four\n  three")
    assert [painted.plain[span.start : span.end] for span in painted.spans if span.style == "underline"] == ["two"]
    painted = board_text(quarto, "  a1 WSQH\n  it is to be placed", "  a1 WSQS\n  a piece has to be handed over")
    assert [painted.plain[span.start : span.end] for span in painted.spans if span.style == "underline"] == ["WSQH"]


def test_a_position_is_drawn_as_a_picture(tmp_path):
    path, out = tmp_path / "games.jsonl", tmp_path / "board.svg"
    save_one_record(path)
    assert f"as seat 1 sees it, is in {out}" in run("draw", str(path), "--ply", "4", "--out", str(out)).stdout
    assert out.read_text().startswith("<svg")
    assert run("draw", str(path), "--out", str(out)).exit_code == 0
    for words, complaint in ((("--ply", "99"), "so there is no ply 99"), (("--seat", "3"), "--seat must be 1 to 2"),
                             (("--number", "2"), "there is no game 2")):  # fmt: skip
        result = run("draw", str(path), "--out", str(out), *words)
        assert result.exit_code == 2
        assert complaint in result.stderr


def test_games_are_listed_with_a_sentence_and_all_that_their_options_take():
    shown = " ".join(run("games").stdout.split())
    for words in ("hand your rival the piece to place", "(true or false)", "(tortuga or jamaica)",
                  "seats=3 how many take part (a whole number from 2 to 5)", "from 1 to 1000000"):  # fmt: skip
        assert words in shown


def test_the_board_is_shown_after_a_command_at_the_end_of_a_line():
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="WSQH\na1 moves\nquit\n").stdout
    assert "1 │ WSQH │" in shown


def test_moves_on_one_line_end_with_the_turn():
    for other in ("human", "novice"):
        shown = run("play", "quarto", "human", other, "--seed", "1", typed="WSQH a1\nquit\n").stdout
        assert "the turn is over, so the rest of the line is not read: a1" in shown
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="WSQH\na1 WSQS\nquit\n").stdout
    assert "is not read" not in shown
    assert "in hand: WSQS" in shown


def test_a_letter_that_may_be_a_command_or_a_move_is_asked_about():
    shown = run("play", "colonizers", "human", *["heuristic"] * 3, "--seed", "3", typed="m\nquit\n").stdout
    assert "'m' may be moves, miner; type more of it" in shown
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="m\nq\n").stdout
    assert shown.count("moves: WSQH") == 2


def test_a_long_line_is_cut_where_it_is_refused():
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="1" * 5000 + "\nquit\n").stdout
    assert "1" * 40 in shown
    assert "1" * 100 not in shown.replace("\n", "")


def test_ctrl_c_ends_a_hint_and_nothing_else(monkeypatch):
    from kibitz.cli import terminal_game

    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal_game, "analyse", interrupted)
    shown = run("play", "quarto", "human", "human", "--seed", "1", typed="hint\nWSQH\nquit\n").stdout
    assert "no hint: it was interrupted" in shown
    assert "in hand: WSQH" in shown


def test_a_narrow_terminal_is_told_so_once(monkeypatch, capsys):
    from rich.console import Console

    from kibitz.console import command_line

    monkeypatch.setattr(Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", "40")
    command_line._complain_of_width.cache_clear()
    command_line.console()
    command_line.console()
    assert capsys.readouterr().err.count("boards and tables need 80") == 1


def test_a_game_without_a_seed_draws_one_that_nobody_can_guess(monkeypatch):
    seeds = []
    monkeypatch.setattr(terminal_game._TerminalGame, "run", lambda self: seeds.append(self.table.seed))
    for _ in range(40):
        terminal_game.start("quarto", ["random", "random"], None, None, None)
    assert len(set(seeds)) == 40
    assert max(seeds) >= 2**62, "which fails once in 2^80 runs"


@pytest.mark.parametrize(("game", "seats", "hidden"), [("cartagena(version=jamaica)", 3, True), ("quarto", 2, False)])
def test_the_seed_of_a_game_with_secrets_is_shown_at_the_end_only(monkeypatch, game, seats, hidden):
    said = []
    monkeypatch.setattr(terminal_game._TerminalGame, "_say", lambda self, text, *style, **more: said.append(str(text)))
    terminal_game.start(game, ["random"] * seats, None, 987654321, None)
    telling = [at for at, text in enumerate(said) if "987654321" in text]
    assert telling == [len(said) - 1 if hidden else 0]
