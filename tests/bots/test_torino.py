"""Players of the Torino course play Quarto as they are, with a module `quarto` of theirs or of ours."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from kibitz.agents import build
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import BotFault
from kibitz.bots.protocol import Move
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.quarto.fields import PIECE_NAMES, fields
from kibitz.games.quarto.notation import piece_words
from kibitz.games.quarto.rules import BOARD
from kibitz.plugins.courses.adapters.torino_adapter import MODULES, TorinoPlayer, cell_name, piece_name, piece_number
from kibitz.plugins.courses.torino import Torino as TorinoAgent
from tests.bots.gallery import BWRAP, LINUX

STUDENTS = Path(__file__).with_name("students")
SOON = 0.3  # seconds for a move of a player that never makes it


@pytest.fixture
def module(monkeypatch):
    """Our module quarto, as players import it."""
    monkeypatch.syspath_prepend(str(MODULES))
    yield importlib.import_module("quarto")
    for name in [name for name in sys.modules if name.split(".")[0] == "quarto"]:
        del sys.modules[name]


def player(cls, folder="torino", file="main", **options):
    given = "".join(f", {name}={value}" for name, value in {"walls": "limits", **options}.items())
    return f"torino(path={STUDENTS / folder}, module={file}, cls={cls}{given})"


def played(quarto, text, seat=0, opening=()):
    seating = (0, 1) if seat == 0 else (1, 0)
    return play_fixture(quarto, [text, "random"], Fixture(0, 0, seating, 7, (1, 2), opening))


def test_all_sixteen_pieces_have_the_characteristics_of_the_course(module):
    game = module.Quarto()
    for piece, name in enumerate(PIECE_NAMES):
        number, words = piece_number(name), piece_words(piece).split()
        assert piece_name(number) == name
        assert number == 8 * ("tall" in words) + 4 * ("black" in words) + 2 * ("solid" in words) + ("square" in words)
        found = game.get_piece_charachteristics(number)
        wanted = [word in words for word in ("tall", "black", "solid", "square")]
        assert wanted == [found.HIGH, found.COLOURED, found.SOLID, found.SQUARE]
        assert found.binary == [number >> 3 & 1, number >> 2 & 1, number >> 1 & 1, number & 1]
    assert len({piece_number(name) for name in PIECE_NAMES}) == 16


@pytest.mark.parametrize(("opening", "said", "words"), [
    ((), "99", "choose_piece() returned 99; the pieces left are 0, 1, "),
    ((0,), "None", "place_piece() returned None; the free cells, as (column, row), are (0, 0), (1, 0), "),
    ((0, 0), "WSQH", "choose_piece() returned 1; the pieces left are 0, 2, "),
    ((0, 0, 1), "a1", "place_piece() returned (0, 0); the free cells, as (column, row), are (1, 0), "),
])  # fmt: skip
def test_an_illegal_answer_is_named_in_the_words_of_the_course(quarto, opening, said, words):
    table, mind = Table(quarto, 1), build(player("RandomPlayer"), quarto, 1)
    for move in opening:
        table.play(move)
    with pytest.raises(BotFault) as fault:
        mind._move(Move(id=1, text=said), table.view(table.turn), table.moves())
    assert words in str(fault.value)


def test_what_is_no_piece_or_cell_is_shown_as_it_came():
    assert [piece_name(odd) for odd in (16, -1, None, 1.5)] == ["16", "-1", "None", "1.5"]
    assert piece_name(np.int64(15)) == "BTQS"
    assert cell_name((np.int64(1), 2)) == "b3"
    assert [cell_name(odd) for odd in ((4, 0), (0, -1), None, (1, 2, 3))] == ["(4, 0)", "(0, -1)", "None", "(1, 2, 3)"]


@pytest.mark.parametrize("seed", range(12))
def test_the_game_object_follows_a_game_and_judges_as_the_rules_do(module, quarto, seed):
    side, table = TorinoPlayer("", "", ""), Table(quarto, seed)
    side.kind = module.Player
    side.begin({"seat": 0})
    luck, game = np.random.default_rng(seed), side.quarto
    while not table.over:
        turn = table.turn
        view = fields(table.view(turn), turn)
        side._bring_up_to_date(view, turn)
        assert game.get_current_player() == turn
        for cell in BOARD.cells:
            piece = view["board"][BOARD.name(cell)]
            assert game.get_board_status()[cell // 4][cell % 4] == (-1 if piece is None else piece_number(piece))
        if view["hand"] is not None:
            assert game.get_selected_piece() == piece_number(view["hand"])
        assert game.check_winner() == -1
        table.play(int(luck.choice(table.moves())))
    side._bring_up_to_date(fields(table.view(0), 0), turn)
    won = 1.0 in table.payoff()
    assert game.check_winner() == (turn if won else -1)
    assert game.check_finished() == all(fields(table.view(0), 0)["board"].values())


def test_the_game_object_is_as_players_use_it(module):
    from quarto import quarto as same
    from quarto.objects import Piece, Player, Quarto

    assert (same.Quarto, module.Player, module.Piece) == (Quarto, Player, Piece)
    game = Quarto()
    assert not game.place(4, 0)
    assert game.select(3)
    assert game.place(1, 2)
    assert not game.place(1, 2)
    assert not game.select(3)
    assert game._board[2][1] == game._Quarto__board[2][1] == 3
    assert game._binary_board[2, 1].tolist() == [0, 0, 1, 1]
    game.get_board_status()[0, 0] = 5
    assert game._board[0, 0] == -1
    game.reset()
    assert (game.get_board_status() == -1).all()

    class Walking(Player):
        def choose_piece(self):
            return min(set(range(16)) - set(self.get_game()._board.ravel().tolist()))

        def place_piece(self):
            row, column = np.argwhere(self.get_game()._board == -1)[0]
            return column, row

    game.set_players((Walking(game), Walking(game)))
    assert game.run() == 0  # pieces 0 to 3, all low, fill the first row, and player 0 places the fourth


@LINUX
@pytest.mark.parametrize("seat", [0, 1])
def test_players_play_whole_games_in_either_seat_and_after_an_opening(quarto, seat):
    for cls in ("RandomPlayer", "Player"):
        for opening in ((), (3, 5, 7)):
            result = played(quarto, player(cls), seat, opening)
            assert result.offender == -1, result.fault
    bot_pool.end_all()


@LINUX
def test_a_module_quarto_of_the_players_own_comes_before_ours(quarto):
    result = played(quarto, player("Player", "own", "mine"))
    assert result.offender == -1, result.fault


@LINUX
@pytest.mark.parametrize(("cls", "options", "reason", "words"), [
    ("Stubborn", {}, Reason.ILLEGAL, "99"),
    ("Crashing", {}, Reason.CRASH, "I am lost"),
    ("Looping", {"seconds": SOON}, Reason.TIME, f"choose_piece() took more than {SOON} s"),
    ("Tuned", {"args": "'what=1'"}, Reason.CRASH, "unexpected keyword argument 'what'"),
    ("Nobody", {}, Reason.START, "its classes are RandomPlayer, Player, Stubborn"),
])  # fmt: skip
def test_a_fault_of_a_player_is_named(quarto, cls, options, reason, words):
    result = played(quarto, player(cls, **options))
    assert (result.reason, result.offender) == (reason, 0), result.fault
    assert words in result.fault


@LINUX
def test_a_late_player_is_told_of_its_class_and_not_of_lines(quarto):
    def hurried(text, game, seed):
        mind = build(text, game, seed)
        if text != "random":
            mind.new_seconds = SOON
        return mind

    late = [player("Looping", seconds=SOON), player("SlowToMake")]
    fixture = Fixture(0, 0, (0, 1), 7, (1, 2))
    faults = [
        play_fixture(quarto, [text, "random"], fixture, make=make).fault
        for text, make in zip(late, (build, hurried), strict=True)
    ]
    assert faults[0].endswith(f": choose_piece() took more than {SOON} s")
    assert faults[1].endswith(f": the constructor of SlowToMake took more than {SOON} s")


def test_a_constructor_has_the_time_to_get_ready(quarto):
    assert build(player("Player", start=77), quarto).new_seconds == 77


@LINUX
def test_the_clock_of_the_match_holds_also_where_it_gives_more_or_less_than_the_option(quarto):
    quick = play_fixture(
        quarto, [player("Looping"), "random"], Fixture(0, 0, (0, 1), 7, (1, 2)), Limits(move_seconds=SOON)
    )
    assert quick.reason == Reason.TIME
    slow = player("Resting", seconds=0.05)
    assert played(quarto, slow).reason == Reason.TIME
    long = play_fixture(quarto, [slow, "random"], Fixture(0, 0, (0, 1), 7, (1, 2)), Limits(move_seconds=60))
    assert long.offender == -1, long.fault


def test_a_move_may_take_as_long_as_those_of_other_courses():
    assert TorinoAgent.OPTIONS["seconds"].default == 600


@LINUX
def test_a_constructor_is_given_arguments(quarto):
    result = played(quarto, player("Tuned", args="'3, name=\"x y\", weights=[1, -2.5]'"))
    assert result.offender == -1, result.fault


@pytest.mark.parametrize("args", ["depth=", "open(1)", "**{}", "1), print(2", "a b"])
def test_arguments_that_are_no_literals_are_refused(quarto, args):
    with pytest.raises(BadValue, match=r"args are .* numbers, texts"):
        build(player("Tuned", args=f"'{args}'"), quarto)


@BWRAP
def test_behind_bubblewrap_it_plays_too(quarto):
    assert played(quarto, player("RandomPlayer", walls="bwrap")).offender == -1


@pytest.mark.parametrize("game", ["chexers", "quarto(squares=true)"])
def test_other_games_are_refused(game):
    with pytest.raises(BadValue, match="play quarto without squares"):
        build(player("Player"), find(game))
