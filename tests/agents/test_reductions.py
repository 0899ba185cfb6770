"""When seats are out of the game: two left are searched by alpha-beta, one by its shortest way; both exact."""

import random

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search.evaluation import WON
from kibitz.core.contract import OVER
from kibitz.core.playout import legal_moves, play_legal, still_in, who
from kibitz.games.chexers import hints, position, rules
from kibitz.games.chexers.notation import hex_name
from kibitz.learn.search_targets import chances_of
from tests.agents.reference import Reference

RED, GREEN, BLUE = range(3)
HEXES = sorted(hex_name(place) for place in rules.HEXAGON.places)


@pytest.fixture
def chexers():
    """The game."""
    return games.find("chexers")


def two_left(seed, red_out=3, blue_out=3):
    """Return a position in which green is out of the game."""
    hexes = random.Random(seed).sample(HEXES, 4)
    return position.read(
        f"red+{red_out} {hexes[0]} {hexes[1]}; green+1; blue+{blue_out} {hexes[2]} {hexes[3]}; red to move"
    )


class Passing(Reference):
    """A search in which the turns of seats that are out cost no depth."""

    def __init__(self, game, value, out):
        super().__init__(game, value)
        self.out = out

    def left(self, state, then, depth):
        return depth if self.turn(state) in self.out else super().left(state, then, depth)

    def score(self, state, root, against_best=False):
        worth = self.worth(state)
        return worth[root] - worth[BLUE]


def test_a_duel_is_brute_force_with_passes_free(chexers):
    for seed in range(12):
        state = two_left(seed, seed % 4, seed % 3)
        expected = Passing(chexers, "weighted", [GREEN]).two_sided(state, 3, RED)
        found = agents.build("maxn(depth=3, memory=1)", chexers, 1).decide(state)
        assert found.considered[found.move] == pytest.approx(expected)
        if not found.exact:
            assert found.values == [found.considered[found.move] / 2, 0, -found.considered[found.move] / 2]


def test_a_duel_that_is_won_leaves_the_seat_that_is_out_with_nothing_too(chexers):
    state = position.read("red+3 d1 g2; green+1; blue b7 e2; red to move")
    by_value, by_network = (
        agents.build(f"maxn(depth=1{value}, memory=1)", chexers, 1).decide(state).values
        for value in ("", ", value=net(champion)")
    )
    assert chances_of(by_value).tolist() == pytest.approx([1, 0, 0])
    assert by_network == pytest.approx([1, 0, 0])


def test_a_duel_by_a_network_tells_the_chances_of_all_three_seats(chexers):
    found = agents.build("maxn(depth=1, value=net(champion), memory=1)", chexers, 1).decide(two_left(0, 0, 0))
    assert found.values[RED] - found.values[BLUE] == pytest.approx(found.considered[found.move])
    assert sum(found.values) == pytest.approx(1, abs=1e-4)


def test_a_duel_is_max_n_where_the_two_share_a_constant_sum(chexers):
    """`count` of two seats differs from minus that of the other by a constant; so do their payoffs in rank."""
    for seed in range(20):
        state = two_left(seed)
        whole = Passing(chexers, "count", [GREEN]).maxn(state, 3)
        duel = agents.build("maxn(depth=3, value=count, memory=1)", chexers, 1).decide(state)
        plain = agents.build("maxn(depth=4, value=count)", chexers, 1).driver.deepen(state)
        assert duel.considered[duel.move] == pytest.approx(whole[RED] - whole[BLUE])
        assert plain.values[RED] - plain.values[BLUE] == pytest.approx(whole[RED] - whole[BLUE])
        assert duel.nodes < plain.nodes


def test_a_seat_that_is_out_does_not_reduce_for_itself_and_three_seats_are_not_reduced(chexers):
    out = position.read("red; green a4 a5; blue c3 c4; red to move")
    assert agents.build("maxn", chexers, 1).decide(out).move == rules.PASS
    start = position.read("red a4 a5 a6 a7; green d1 e1 f1 g1; blue d7 e6 f5 g4; red to move")
    plain = agents.build("maxn", chexers, 1).driver.deepen(start)
    assert agents.build("maxn", chexers, 1).decide(start) == plain


def test_a_duel_is_searched_once_and_compares_all_moves(chexers):
    state = two_left(0)
    mind = agents.build("maxn(depth=3, value=count, memory=1)", chexers, 1)
    found = mind.decide(state)
    assert mind.progress() == {"depth": 3, "nodes": found.nodes}
    assert sorted(found.considered) == mind.legal(state)


def fewest_moves(game, state):
    """Return the length of the shortest way to win by trying all, breadth first."""
    room = game.new_moves()
    level, seen, length = [state], set(), 0
    while level:
        length += 1
        following = []
        for here in level:
            for move in room[: legal_moves(game.rules, here, room)].tolist():
                then = here.copy()
                play_legal(game.rules, then, move, room)
                while who(game.rules, then) not in (OVER, RED):
                    play_legal(game.rules, then, rules.PASS, room)
                if then[rules.WINNER] == RED:
                    return length
                known = (int(then[rules.PIECES]), int(then[rules.EXITS]))
                if known not in seen:
                    seen.add(known)
                    following.append(then)
        level = following
    return 0


@pytest.mark.parametrize("seed", range(8))
def test_a_seat_alone_takes_the_shortest_way(chexers, seed):
    out = 3 if seed % 4 else 2
    hexes = random.Random(seed).sample(HEXES, 3 if out == 3 else 2)
    state = position.read(f"red+{out} {' '.join(hexes)}; green+1; blue; red to move")
    found = agents.build("maxn(memory=4)", chexers, 1).decide(state)
    assert found.exact
    assert found.depth == fewest_moves(chexers, state)
    room = np.empty(chexers.most_moves, dtype=np.int64)
    for move in found.line:
        assert play_legal(chexers.rules, state, move, room)
    assert state[rules.WINNER] == RED


def test_a_seat_alone_can_look_at_several_moves(chexers):
    view = position.read("red d5 b7 c6 a7; green; blue; red to move after 30 turns")
    mind = agents.build("maxn(depth=2)", chexers, 1)
    found = mind.consider(view, 4)
    assert found[0].move == mind.decide(view).move
    assert len({decision.move for decision in found}) == 4
    assert found[0].values[0] == found[0].considered[found[0].move] > WON
    assert all(decision.values[0] <= found[0].values[0] for decision in found)


def test_four_pieces_alone_on_their_starting_hexes_need_eighteen_moves(chexers):
    state = position.read("red a4 a5 a6 a7; green; blue; red to move")
    mind = agents.build("maxn", chexers, 1)
    for left in range(18, 0, -1):
        found = mind.decide(state)
        assert found.depth == left
        for move in found.line[:3]:
            play_legal(chexers.rules, state, move, np.empty(chexers.most_moves, dtype=np.int64))
    assert state[rules.WINNER] == RED


def test_a_seat_alone_that_cannot_win_or_has_no_budget_searches_as_ever(chexers):
    hopeless = position.read("red a4 a5; green+1; blue; red to move")
    assert not agents.build("maxn(memory=1)", chexers, 1).decide(hopeless).exact
    far = position.read("red a4 a5 a6 a7; green; blue; red to move")
    assert not agents.build("maxn(nodes=50)", chexers, 1).decide(far).exact


def test_the_bound_of_a_seat_alone_falls_by_one_a_move_at_most(chexers):
    rng = random.Random(1)
    room = np.empty(chexers.most_moves, dtype=np.int64)
    for seed in range(20):
        hexes = random.Random(seed).sample(HEXES, 6)
        state = position.read(f"red {' '.join(hexes)}; green; blue; red to move")
        for _ in range(40):
            before = hints.away(state, RED)
            legal = room[: legal_moves(chexers.rules, state, room)].tolist()
            play_legal(chexers.rules, state, rng.choice(legal), room)
            if state[rules.SEAT] == OVER:
                assert before == 1
                break
            assert hints.away(state, RED) >= before - 1
            while state[rules.SEAT] != RED:
                play_legal(chexers.rules, state, rules.PASS, room)


def test_games_say_who_is_still_in(chexers, quarto):
    assert still_in(chexers.rules, two_left(1)) == 0b101
    assert still_in(quarto.rules, np.zeros(quarto.size, dtype=np.int64)) == 0b11
