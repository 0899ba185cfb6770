"""Laws that hold for every game and every set of options."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadMove
from kibitz.core.knowledge import RANDOM
from kibitz.core.playout import (
    guess_world,
    hand_turn,
    legal_moves,
    look,
    look_of,
    pick_once,
    play_to_end,
    random_games,
    still_in,
    value_of,
    who,
)
from kibitz.core.record import read_line, record_of
from kibitz.core.scene import TEXT_WIDTH
from kibitz.core.table import Table
from tests.golden import variants

GAMES_EACH = 8


def walk(game, seed, plies=150):
    """Play a random game, yielding the table before every move, or before the first so many."""
    table, rng = Table(game, seed), dice(seed)
    while not table.over and table.ply < plies:
        yield table
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])


@pytest.mark.parametrize("seed", range(3))
def test_every_game_ends_with_payoffs_between_0_and_1(game_text, seed):
    game = games.find(game_text)
    table, rng = Table(game, seed), dice(seed)
    while not table.over:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    payoff = table.payoff()
    assert len(payoff) == game.seats
    assert all(0 <= share <= 1 for share in payoff)
    assert table.moves() == []


def test_legal_moves_ascend_without_repeats_and_are_never_none_nor_too_many(game_text):
    game = games.find(game_text)
    for seed in range(GAMES_EACH):
        for table in walk(game, seed):
            moves = table.moves()
            assert moves
            assert len(moves) <= game.most_moves
            assert moves == sorted(set(moves))


def test_the_seat_to_move_finds_its_legal_moves_and_its_turn_in_its_view(game_text):
    game = games.find(game_text)
    room = game.new_moves()
    for seed in range(GAMES_EACH):
        for table in walk(game, seed):
            view = table.view(table.turn)
            assert who(game.rules, view) == table.turn
            assert room[: legal_moves(game.rules, view, room)].tolist() == table.moves()


def test_the_same_seed_gives_the_same_game(game_text):
    game = games.find(game_text)
    first = [(table.turn, table.moves()) for table in walk(game, 5)]
    assert first == [(table.turn, table.moves()) for table in walk(game, 5)]


def test_a_view_is_a_copy_that_cannot_touch_the_table(game_text):
    table = Table(games.find(game_text), 1)
    before, moves = table.view(0).copy(), table.moves()
    table.view(0)[:] = 99
    assert (table.view(0) == before).all()
    assert table.moves() == moves


def test_a_guess_fills_every_unknown_and_shows_the_seat_the_same_view(game_text):
    game = games.find(game_text)
    if not game.hidden:
        assert all((table.view(seat) != UNKNOWN).all() for table in walk(game, 1) for seat in range(game.seats))
        return
    rng, again = dice(3), np.zeros(game.size, dtype=np.int64)
    for seed in range(4):
        for table in walk(game, seed):
            for seat in range(game.seats):
                view = table.view(seat)
                world = view.copy()
                guess_world(game.rules, world, seat, rng)
                known = view != UNKNOWN
                assert (world != UNKNOWN).all()
                assert (world[known] == view[known]).all()
                again[:] = 0
                look(game.rules, world, seat, again)
                assert (again == view).all()
                assert who(game.rules, world) == table.turn


def test_a_guessed_world_can_be_played_to_its_end(game_text):
    game = games.find(game_text)
    if not game.hidden:
        return
    rng = dice(4)
    room = game.new_moves()
    for seed in range(3):
        for table in walk(game, seed):
            for seat in range(game.seats):
                world = table.view(seat)
                guess_world(game.rules, world, seat, rng)
                play_to_end(game.rules, world, rng, room)
                assert who(game.rules, world) == OVER


def test_drawing_a_move_equals_listing_and_choosing(game_text):
    game = games.find(game_text)
    for seed in range(GAMES_EACH):
        for table in walk(game, seed):
            moves, view = table.moves(), table.view(table.turn)
            room = game.new_moves()
            wanted = moves[roll(dice(table.ply), len(moves))]
            drawn = pick_once(game.rules, RANDOM.handle, RANDOM.weights, view, dice(table.ply), room)
            assert drawn == wanted


def test_the_text_of_a_move_reads_back_as_that_move(game_text):
    game = games.find(game_text)
    for seed in range(3):
        for table in walk(game, seed):
            texts = {table.write(move): move for move in table.moves()}
            assert len(texts) == len(table.moves()), "two moves have the same text"
            for text, move in texts.items():
                assert table.read(f"  {text.upper()} ") == move
                assert table.read(text.lower()) == move


def test_nonsense_is_refused_with_the_choices(game_text):
    table = Table(games.find(game_text), 1)
    with pytest.raises(BadMove, match="the moves are") as caught:
        table.read("nonsense")
    assert table.write(table.moves()[0]) in str(caught.value)


@pytest.mark.parametrize("wrong", [-1, 10**6, 2**63, 2**200, None, "a1", 1.5, [1]])
def test_no_illegal_move_reaches_a_game(game_text, wrong):
    table = Table(games.find(game_text), 1)
    before = table.view(0)
    with pytest.raises(BadMove):
        table.play(wrong)
    assert (table.view(0) == before).all()
    assert table.ply == 0


def test_a_record_replays_to_the_same_end(game_text):
    game = games.find(game_text)
    table = Table(game, 9)
    rng = dice(9)
    while not table.over:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    record = read_line(record_of(table, ["x"] * game.seats).line())
    again = record.replay(games.find)
    assert again.payoff() == table.payoff()
    assert all((again.view(seat) == table.view(seat)).all() for seat in range(game.seats))


def test_undo_restores_what_was(game_text):
    game = games.find(game_text)
    table, rng, seen = Table(game, 3), dice(3), []
    while not table.over and table.ply < 30:
        seen.append([table.view(seat) for seat in range(game.seats)])
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    for _ in range(len(seen)):
        table.undo()
        assert all((table.view(seat) == seen[table.ply][seat]).all() for seat in range(game.seats))


def test_a_game_text_names_the_same_game_again(game_text):
    game = games.find(game_text)
    again = games.find(str(game))
    assert again.options == game.options
    assert again.seats == game.seats


def test_scenes_show_every_legal_move_somewhere(game_text):
    game = games.find(game_text)
    for seed in range(2):
        for table in walk(game, seed):
            legal = table.moves()
            scene = game.scene(table.view(table.turn), legal)
            offered = {move for shape in scene.shapes for move in shape.moves}
            assert offered == set(legal)
            assert game.text(table.view(table.turn)).strip()


def test_no_line_of_text_is_too_long_for_a_terminal_of_80_columns(game_text):
    game = games.find(game_text)
    table, rng = Table(game, 1), dice(1)
    while True:
        for seat in range(game.seats):
            for line in game.text(table.view(seat)).split("\n"):
                assert len(line) <= TEXT_WIDTH, line
        if table.over:
            break
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])


def told_in_worlds(game, table, seat, rng):
    """Return what a seat is told of the moves in worlds that look the same to it, by how the moves look to it."""
    told, world = defaultdict(set), Table(game, 0)
    world._turn = table.turn
    for _ in range(5):
        world._state[:] = table.view(seat)
        guess_world(game.rules, world._state, seat, rng)
        for move in world.moves():
            told[int(look_of(game.rules, world._state, move, seat))].add(world.told(move, seat))
    return told


KUHN = str(Path(__file__).parents[1] / "kuhn")
SECRETIVE = [text for name in games.names() for text in variants(name) if games.find(text).hidden]


@pytest.mark.parametrize("text", [*SECRETIVE, KUHN, f"{KUHN}(coins=true)"])
def test_what_a_seat_is_told_of_a_move_is_the_same_in_all_worlds_that_look_the_same_to_it(text):
    game, rng = games.find(text), dice(1)
    for seed in range(2):
        for table in walk(game, seed):
            for seat in {*range(game.seats)} - {table.turn} if table.ply % 5 == seed else ():
                for code, sentences in told_in_worlds(game, table, seat, rng).items():
                    assert len(sentences) == 1, (table.ply, seat, code, sentences)
                heard = {move: table.told(move, seat) for move in table.moves()}
                assert all(text in (None, table.write(move)) for move, text in heard.items())


def test_everyone_is_told_every_move_of_a_game_without_secrets(game_text):
    game = games.find(game_text)
    for table in walk(game, 1, 40) if not game.hidden else ():
        for seat in range(game.seats):
            assert [table.told(move, seat) for move in table.moves()] == [table.write(move) for move in table.moves()]


def test_values_write_a_number_for_every_seat(game_text):
    game = games.find(game_text)
    out = np.zeros(game.seats)
    for name in game.values:
        value = game.value(name)
        for table in walk(game, 2):
            out[:] = np.nan
            value_of(
                game.rules,
                value.handle,
                value.weights,
                table.view(table.turn) if not game.hidden else table._state,
                out,
            )
            assert np.isfinite(out).all(), name


def _worths(game, text, seeds=range(3)):
    """Yield what a value writes in the positions of random games."""
    value, out = game.value(text), np.zeros(game.seats)
    for seed in seeds:
        for table in walk(game, seed):
            value_of(game.rules, value.handle, value.weights, table._state, out)
            yield out


def test_values_keep_to_what_they_declare(game_text):
    game = games.find(game_text)
    for name, value in game.values.items():
        assert value.nature.per_unit > 0
        if value.nature.positive:
            assert all((out > 0).all() for out in _worths(game, name)), name


def test_worths_that_have_a_total_stay_within_it_whatever_the_weights(game_text):
    game = games.find(game_text)
    for name, value in game.values.items():
        texts = [name, *(f"{name}({weight}={extreme})" for weight in value.weights for extreme in (-3, 0, 1000))]
        for text in texts if value.nature.total else ():
            for out in _worths(game, text, range(1)):
                assert (out >= 0).all(), text
                assert sum(map(Fraction, out)) <= value.nature.total, text


def test_policies_pick_legal_moves_from_a_view(game_text):
    game = games.find(game_text)
    for name in game.policies:
        mind = agents.build(f"policy({name})", game, 1)
        for seed in range(3):
            table = Table(game, seed)
            while not table.over:
                move = mind.decide(table.view(table.turn)).move
                assert move in table.moves()
                table.play(move)


def test_random_games_of_the_kernel_end(game_text):
    game = games.find(game_text)
    state, room = game.new_state(), game.new_moves()
    assert random_games(game.rules, game.encoded_options, 100, dice(1), state, room) >= 100


def test_a_game_that_is_over_stays_so_whoever_is_handed_the_turn(game_text):
    game = games.find(game_text)
    if not game.has("hand_over"):
        return
    rng, room = dice(6), game.new_moves()
    for seed in range(3):
        over = Table(game, seed)._state.copy()
        play_to_end(game.rules, over, rng, room)
        for seat in range(game.seats):
            handed = over.copy()
            hand_turn(game.rules, handed, seat)
            assert (handed == over).all()


def test_a_seat_that_is_out_of_the_game_only_passes(game_text):
    game = games.find(game_text)
    for seed in range(3):
        out = 0
        for table in walk(game, seed):
            assert out & int(still_in(game.rules, table.view(table.turn))) == 0
            if out >> table.turn & 1:
                assert len(table.moves()) == 1
            out |= (1 << game.seats) - 1 - int(still_in(game.rules, table.view(table.turn)))
