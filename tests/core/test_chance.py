"""Chance in the open: the table rolls, records keep the rolls, and nobody can choose or foresee them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz import games, play_match
from kibitz.agents.seated_agents import events_of, rolls_of
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import default_seed
from kibitz.arena.plan.schedule import schedule
from kibitz.arena.play.audit import Audit
from kibitz.arena.play.batch import batch_of, hash_moves
from kibitz.arena.play.compiled import CompiledGames
from kibitz.arena.play.referee import play_fixture
from kibitz.core.contract import CHANCE
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadGame, BadRecord, BadValue, Halted, KibitzError
from kibitz.core.laws import LAWS, ONCE, DoesNotApply
from kibitz.core.native import INTERPRETED, from_python, halted
from kibitz.core.perft import perft, split, start_of
from kibitz.core.playout import random_games
from kibitz.core.record import read_records, record_of
from kibitz.core.rolls import roll_keys, set_dice
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.web.game_history import GameHistory
from kibitz.web.table_data import MoveNote
from kibitz.web.viewpoint import ALL
from tests.pig.oracle import Oracle

ROLL = 1
PIG = str(Path(__file__).parents[1] / "pig")
LAWS_OF_ONE_GAME = [law for law in LAWS if law not in ONCE]
dice_of = from_python(set_dice)


@pytest.fixture
def pig():
    return games.find(PIG)


def held_at(table, least):
    """Play a game in which every seat holds from `least` points of a turn on."""
    points = table.game.cells["POINTS"]
    while not table.over:
        table.play("hold" if table.view(0)[points] >= least else "roll")
    return table


@pytest.mark.parametrize("law", LAWS_OF_ONE_GAME, ids=lambda law: law.__name__)
def test_a_law_holds_with_dice_in_the_open(law, pig):
    try:
        law(pig, 3)
    except DoesNotApply:
        return


@pytest.mark.parametrize("law", LAWS_OF_ONE_GAME, ids=lambda law: law.__name__)
def test_a_law_holds_where_the_first_roll_ends_the_game(law):
    game = games.find(f"{PIG.replace('pig', 'gamble')}(begins=chance, plies=1)")
    assert Table(game, 3).over
    try:
        law(game, 3)
    except DoesNotApply:
        return


def test_the_table_rolls_before_anybody_is_asked(pig):
    table = Table(pig, 1)
    table.play("roll")
    assert table.turn in (0, 1)
    assert table.movers == [0, CHANCE]
    assert [roll.outcome for roll in table.rolls] == table.moves_made[1:]
    assert table.roll_text(table.rolls[0]) == f"rolls {table.moves_made[1]}"


def test_the_same_seed_rolls_the_same_after_a_move_is_taken_back(pig):
    table = held_at(Table(pig, 5), 8)
    made, last = table.moves_made, table.movers.index(1)
    table.undo(table.ply - last)
    assert table.moves_made == made[:last]
    held_at(table, 8)
    assert table.moves_made == made


def test_a_roll_is_taken_back_together_with_the_move_before_it(pig):
    table = Table(pig, 5)
    table.play("roll")
    table.undo()
    assert table.ply == 0
    assert table.movers == []


def test_a_record_replays_with_its_rolls(pig):
    table = held_at(Table(pig, 5), 8)
    record = record_of(table, ["a", "b"])
    again = record.replay(lambda spec: pig)
    assert (again.moves_made, again.movers, again.payoff()) == (table.moves_made, table.movers, table.payoff())
    assert record.replay(lambda spec: pig, plies=1).ply == 2  # the roll belongs to the move


def test_a_record_with_another_roll_is_refused(pig):
    table = held_at(Table(pig, 5), 8)
    record = record_of(table, ["a", "b"])
    ply = table.movers.index(CHANCE)
    forged = [*record.moves]
    forged[ply] = forged[ply] % 6 + 1
    with pytest.raises(BadRecord, match=f"move {forged[ply]} at ply {ply} is not what chance did"):
        replace(record, moves=forged).replay(lambda spec: pig)


def test_a_record_cut_before_its_last_roll_is_refused(pig):
    table = Table(pig, 5)
    table.play("roll")
    cut = replace(record_of(table, ["a", "b"]), moves=[1], payoff=None)
    with pytest.raises(BadRecord, match="ends before the last roll"):
        cut.replay(lambda spec: pig)


def fixtures_of(pig, number, plies=0):
    return list(schedule(pig, 2, [(0, 1), (1, 0)], number, 7, plies))


@pytest.mark.parametrize("plies", [0, 5])
def test_compiled_games_roll_what_the_table_rolls(pig, plies):
    texts, fixtures = ["random", "policy(random)"], fixtures_of(pig, 8, plies)
    policies = [pig.policy("random")] * 2
    batch = CompiledGames(pig, texts, policies, Limits(), True).play(fixtures)
    for fixture, line, earned in zip(fixtures, batch.records, batch.payoffs.tolist(), strict=True):
        made = json.loads(line)["moves"]
        table = Table(pig, fixture.deal_seed)
        table.follow(made)
        assert table.moves_made == made
        assert table.payoff() == earned
    assert Audit(pig, texts, Limits()).look(batch, fixtures) == [""] * len(fixtures)


def test_an_audit_refuses_a_forged_roll(pig):
    texts, (fixture, *_) = ["random", "random"], fixtures_of(pig, 2)
    result = play_fixture(pig, texts, fixture)
    whole = batch_of([result], True)
    audit = Audit(pig, texts, Limits())
    assert audit.look(whole, [fixture]) == [""]
    table = Table(pig, fixture.deal_seed)
    table.follow(result.record.moves)
    at, moves = table.movers.index(CHANCE), list(result.record.moves)
    moves[at] = moves[at] % 6 + 1
    made = np.array([moves])
    line = replace(result.record, moves=moves).line()
    forged = replace(whole, records=[line], move_hashes=hash_moves(made, np.array([len(moves)])))
    assert audit.look(forged, [fixture]) == [f"its move {moves[at]} at ply {at} is not what chance did"]


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_a_limit_of_plies_lets_the_last_roll_happen(pig, plies):
    texts, fixtures, limits = ["random", "random"], fixtures_of(pig, 8), Limits(plies=plies)
    for batch in (
        batch_of([play_fixture(pig, texts, fixture, limits) for fixture in fixtures], True),
        CompiledGames(pig, texts, [pig.policy("random")] * 2, limits, True).play(fixtures),
    ):
        assert (batch.plies >= plies).all()
        assert Audit(pig, texts, limits).look(batch, fixtures) == [""] * len(fixtures)


ROLLED = "    if state[SEAT] == CHANCE and move > 1:\n"  # in Pig, where a roll adds to the points of the turn
ENDLESS = {  # what is played instead
    "chance": "    if state[SEAT] == CHANCE and (move == 1 or state[POINTS] < 0):\n"
    f"        state[POINTS] = -1\n        return\n{ROLLED}",
    "no seat wins": "    if state[SEAT] == CHANCE:\n        state[SEAT] = state[ROLLER]\n        return\n"
    f"    if move == HOLD:\n        state[SEAT] = CHANCE\n        return\n{ROLLED}",
}


def endless(kind, folder):
    """Return Pig in which chance rolls for ever after a 1, or in which each move is followed by an idle roll."""
    text = (Path(PIG) / "rules.py").read_text()
    (folder / "pig").mkdir()
    (folder / "pig" / "rules.py").write_text(text.replace(ROLLED, ENDLESS[kind]))
    return games.find(str(folder / "pig"))


def test_chance_that_rolls_for_ever_ends_random_games_playouts_and_matches(tmp_path):
    game = endless("chance", tmp_path)
    state, room = game.new_state(), game.new_moves()
    said = "chance moves 10,000 times one after the other"
    with pytest.raises(BadGame, match=said):
        random_games(game.rules, game.encoded_options, 100, dice(1), state, room)
    start = World.of(Table(game, 1))
    with pytest.raises(BadGame, match=said):
        [start.playout("random", seed) for seed in range(100)]
    with pytest.raises(BadGame, match=said):
        start.copy().play(ROLL).play(1).roll(1)
    with pytest.raises(BadGame, match=said):
        kibitz.batch(game, 100).run()
    for agents in (["random", "policy(random)"], ["mcts(iterations=200)", "random"], ["ismcts(iterations=200)"] * 2):
        with pytest.raises(KibitzError, match=said):
            play_match(game, agents, games=8, seed=1, openings=0, jobs=1)


@pytest.mark.skipif(INTERPRETED, reason="Python heeds signals")
def test_a_game_without_end_in_which_every_other_move_is_of_chance_can_be_stopped(tmp_path):
    game = endless("no seat wins", tmp_path)
    table = Table(game, 1)
    for move in (ROLL, ROLL, 0, ROLL):
        table.play(move)
    assert (table.movers[0::2], table.movers[1::2]) == ([0] * 4, [CHANCE] * 4)
    with halted(), pytest.raises(Halted):
        random_games(game.rules, game.encoded_options, 1, dice(1), game.new_state(), game.new_moves())
    with halted(), pytest.raises(Halted):
        kibitz.batch(game, 1).run()
    policies = [game.policy("random")] * 2
    with halted(), pytest.raises(Halted):
        CompiledGames(game, ["random", "random"], policies, Limits(), True).play(fixtures_of(game, 2))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_agree_with_a_naive_twin(seats):
    game = games.find(f"{PIG}(seats={seats}, target=15)")
    for seed in range(40):
        table, twin, rng = Table(game, seed), Oracle(seats, 15), dice(seed)
        while not table.over:
            assert twin.turn == table.turn
            texts = sorted(table.moves_text())
            assert set(texts) == twin.moves()
            text = texts[roll(rng, len(texts))]
            table.play(text)
            twin.play(text)
            for rolled in table.rolls:
                assert twin.turn == "chance"
                twin.play(table.roll_text(rolled))
        assert twin.turn is None
        assert twin.payoff() == table.payoff()


def test_one_worker_and_two_play_the_same_games(tmp_path):
    found = []
    for jobs in (1, 2):
        place = tmp_path / f"{jobs}.jsonl"
        play_match(PIG, ["greedy", "mcts(iterations=5)"], games=6, seed=3, jobs=jobs, save=place)
        found.append(sorted((record.seed, record.agents, record.moves) for record in read_records(place)))
    assert found[0] == found[1]
    assert len(found[0]) == 6


def test_the_browser_logs_rolls_and_takes_them_back(pig):
    history = GameHistory(pig, 5)
    for _ in range(12):
        history.push(ROLL if history.table.ply % 3 else 1, MoveNote())
    log = history.log(0, ALL, True)
    assert [entry.ply for entry in log] == list(range(history.table.ply))
    assert {entry.text.split()[0] for entry in log if entry.seat is None} == {"rolls"}
    assert [event.seat for event in history.events(0)] == [entry.seat for entry in log]
    table = Table(pig, 5)
    for ply in range(history.table.ply + 1):
        world = history.at(ply)
        if world.turn != CHANCE:
            table = Table(pig, 5)
            table.follow(history.table.moves_made[:ply])
            assert (world.cells == table.copy_of_truth()).all()
    choice = history.movers.index(1)
    history.cut(choice)
    assert history.table.ply == choice == len(history.log(0, ALL, True))
    assert (history.at(choice).cells == history.view(ALL)).all()


def test_perft_counts_outcomes_as_moves(pig):
    assert [perft(Table(pig, 1), depth) for depth in (1, 2, 3)] == [2, 2 + 6, 2 + 6 + 6 * 2]


def test_perft_begins_before_the_first_roll():
    table = Table(games.find(PIG.replace("pig", "bearing")), 1)
    start = start_of(table)
    assert (start.turn, table.turn) == (CHANCE, 0)
    assert [perft(start, depth) for depth in (0, 1)] == [1, len(start.moves())]
    after = [World(start.game, start.cells).play(move) for move in start.moves()]
    assert perft(start, 2) == sum(len(each.moves()) for each in after)
    assert split(start, 2) == {move: len(each.moves()) for move, each in zip(start.moves(), after, strict=True)}


def test_a_move_of_a_seat_is_told_with_the_roll_after_it(pig):
    table = Table(pig, 1)
    (told,) = events_of(table, 1, [1]).values()
    table.play(1)
    (roll,) = rolls_of(table)
    assert (told.seat, told.text) == (0, "roll")
    assert (roll.ply, roll.seat, roll.move, roll.text) == (1, None, table.moves_made[1], f"rolls {table.moves_made[1]}")


def test_the_seeds_of_games_with_dice_are_secret_from_the_users_own_programs(pig, quarto):
    own = "bot(cmd='true')"
    assert default_seed(pig, [own, "random"]) is None
    assert default_seed(quarto, [own, "random"]) is not None
    assert pig.secret
    assert not pig.hidden


def test_dice_of_plies_are_independent_of_each_other_and_of_the_seed_next_to_them():
    rng = dice(0)
    found = []
    for seed in range(8):
        key = roll_keys([seed], True)
        for ply in range(500):
            dice_of(key, ply, rng)
            found.append(int(rng[0]))
    assert len(set(found)) == len(found)
    bits = np.array([[word >> bit & 1 for bit in range(64)] for word in found])
    assert abs(bits.mean(axis=0) - 0.5).max() < 0.04  # five standard deviations of 4000 fair bits
    flips = (bits[1:] != bits[:-1]).mean(axis=0)
    assert abs(flips - 0.5).max() < 0.04


def test_a_world_rolls_by_the_odds_and_lists_them(pig):
    world = World.of(Table(pig, 1)).play("roll")
    assert world.turn == CHANCE
    assert world.moves_text() == [f"rolls {side}" for side in range(1, 7)]
    assert world.odds() == [1 / 6] * 6
    assert world.copy().play("rolls 4").turn == 0
    assert world.roll(3).turn >= 0
    with pytest.raises(BadValue, match="chance does not move here"):
        world.odds()


def test_random_games_roll_by_the_odds(pig):
    state = pig.new_state()
    assert random_games(pig.rules, pig.encoded_options, 100, dice(1), state, pig.new_moves()) > 1000


def test_the_cells_of_a_world_cannot_be_written_to_in_vain(pig):
    world = World.of(Table(pig, 1))
    with pytest.raises(ValueError, match="read-only"):
        world.cells[pig.cells["SCORE"]] = 19
    cells = world.cells.copy()
    cells[pig.cells["SCORE"]] = 19
    assert World(pig, cells).play(ROLL).play(2).over
