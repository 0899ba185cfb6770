"""MoZi, the strategic agent of Chexers: its phases, what it wants in each, and what it leaves out."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.arena.match import play_match
from kibitz.core.errors import UnknownName
from kibitz.core.laws.walk import walk
from kibitz.core.playout import legal_moves, value_of
from kibitz.core.table import Table
from kibitz.games.chexers import hints, measures, position
from kibitz.games.chexers.mozi import FORMING, HUNTING, LEAVING, phase_of, points_to_hold
from tests.agents.reference import Reference

RED, GREEN, BLUE = range(3)
TRAPS_STAND = "red a4 a7 d1 d7; green d4 e4 f2 f3; blue e5 f4 g3 g4; red to move"


@pytest.fixture
def chexers():
    """The game."""
    return games.find("chexers")


def filtered(game, state, move_filter, root, seed=1):
    """Return the texts of the moves that a move_filter keeps."""
    room = game.new_moves()
    rng = np.array([seed << 32 | seed], dtype=np.uint64)
    n = move_filter(state, root, rng, room, legal_moves(game.rules, state, room))
    return {game.write(state, move) for move in room[:n]}


def worth(game, text, state):
    """Return what a value says."""
    value, out = game.value(text), np.zeros(3)
    value_of(game.rules, value.handle, value.weights, state, out)
    return out


def test_the_game_s_own_agent_is_found_by_its_name_and_takes_options(chexers):
    mind = agents.build("mozi(width=5)", chexers, 1)
    assert mind.text == "mozi(width=5)"
    settings = mind.driver.settings
    assert (mind.name, settings.width, settings.depth) == ("maxn", 5, 3)
    assert settings.value.text == "mozi"
    with pytest.raises(UnknownName, match="mozi"):
        agents.build("moozi", chexers, 1)


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("red a4 a5 a6 a7; green d1 e1 f1 g1; blue d7 e6 f5 g4; red to move", FORMING),
        (TRAPS_STAND, HUNTING),
        ("red a4 a7 d1 d7 e4; green d4 f2 f3; blue e5 f4 g3 g4; red to move", HUNTING),
        ("red a4 a7 d1 d7 e4 e3 e5 f3; green d4; blue f4 g3 g4; red to move", LEAVING),
        ("red+2 a4 a7 d1 d7 e4 e3; green d4; blue f4 g3 g4; red to move", LEAVING),
        ("red a4 d1 e4 e3 e5 f3; green; blue f4 g3 g4 c3 b4; red to move", LEAVING),
        ("red a4 d1 e4 e3 e5; green; blue f4 g3 g4 c3 b4; red to move", HUNTING),
        ("red a4 a7 d1; green d4 e4 f2 f3; blue e5 f4 g3 g4; red to move", FORMING),
    ],
)
def test_mozi_forms_traps_then_hunts_and_leaves_with_four_to_spare(text, phase):
    assert phase_of(position.read(text), RED) == phase


def test_a_rival_out_of_the_game_frees_the_points_held_against_it():
    state = position.read("red a4 a7 d1 d7 e4; green; blue e5 f4 g3 g4; red to move")
    assert points_to_hold(state, RED) == measures.EXIT_HEXES[BLUE] & measures.CORNERS


def test_the_trap_against_the_seat_upstream_is_formed_first(chexers):
    red_d1 = position.read("red a4 a7 a6 b3; green d2 e1 f1 g1; blue d6 e6 f5 g4; red to move")
    red_d7 = position.read("red a4 a7 a5 b7; green d2 e1 f1 g1; blue d6 e6 f5 g4; red to move")
    assert worth(chexers, "mozi(ours=0)", red_d1)[RED] > worth(chexers, "mozi(ours=0)", red_d7)[RED]
    green_g4 = position.read("red a4 a5 a6 a7; green d1 g1 e1 g2; blue d7 e6 f5 f4; red to move")
    green_a4 = position.read("red b4 a5 a6 a7; green d1 g1 f1 c2; blue d7 e6 f5 f4; red to move")
    assert worth(chexers, "mozi(ours=1)", green_g4)[GREEN] > worth(chexers, "mozi(ours=1)", green_a4)[GREEN]


def test_rivals_are_after_mozi_s_pieces_while_it_forms_traps(chexers):
    state = position.read("red a4 a5 a6; green d1 e1 f1 g1; blue d7 e6 f5 g4 b4; red to move")
    assert worth(chexers, "mozi(ours=0)", state)[[GREEN, BLUE]].tolist() == [-3, -3]


def test_a_piece_in_a_trap_is_taken_first_of_all(chexers):
    state = position.read("red a4 a7 d1 d7 e4; green b7 e5 f2 f3; blue f4 g3 g4; red to move")
    assert filtered(chexers, state, hints.mozi, RED) == {"a7xc7"}


def test_the_points_held_are_left_to_those_who_hold_them(chexers):
    state = position.read("red a4 a7 d1 d7 e4; green c5 f2 f3; blue f4 g3 g4 b4; red to move")
    assert all(text.startswith("e4") for text in filtered(chexers, state, hints.mozi, RED))


def test_without_a_free_piece_one_of_the_four_must_move_and_nothing_exits(chexers):
    state = position.read(TRAPS_STAND)
    steps = {
        "a4-a5", "a4-b3", "a4-b4", "a7-a6", "a7-b6", "a7-b7", "d1-c2", "d1-d2", "d1-e1", "d7-c7", "d7-d6", "d7-e6",
    }  # fmt: skip
    drawn = [filtered(chexers, state, hints.mozi, RED, seed) for seed in range(1, 40)]
    assert {len(kept) for kept in drawn} == {1}
    assert steps >= set().union(*drawn)
    assert len(set().union(*drawn)) > 4
    wandered = position.read("red a4 a7 d1 d7 g2; green d4 e4 f2 f3; blue e5 f4 c4; red to move")
    assert "g2 out" not in filtered(chexers, wandered, hints.mozi, RED)
    leaving = position.read("red+3 a4 a7 d1 d7 g2; green d4 e4 f2; blue e5; red to move")
    assert "g2 out" in filtered(chexers, leaving, hints.mozi, RED)


def test_a_piece_that_must_leave_its_point_goes_where_it_is_safe(chexers):
    state = position.read("red a4 a7 d1 d7; green c4 f2 f3; blue f4 g3 g4; red to move")
    drawn = set().union(*(filtered(chexers, state, hints.mozi, RED, seed) for seed in range(1, 60)))
    assert len(drawn) > 4
    assert "a4-b4" not in drawn


def test_as_programmed_a_point_is_left_only_where_nobody_is_near(chexers):
    state = position.read("red a4 a7 d1 d7; green b4 c4 f2; blue f4 g3 g4; red to move")
    left = {
        move_filter: set().union(*(filtered(chexers, state, move_filter, RED, seed) for seed in range(1, 60)))
        for move_filter in (hints.mozi, hints.guarded)
    }
    assert "a4-b3" in left[hints.mozi]
    assert left[hints.guarded]
    assert not any(text.startswith("a4") for text in left[hints.guarded])


def test_as_programmed_only_pieces_on_points_must_take_what_is_in_a_trap(chexers):
    state = position.read("red a4 c7 d1 d7; green b7 f2 f3; blue f4 g3 g4; red to move")
    assert filtered(chexers, state, hints.mozi, RED) == {"c7xa7"}
    assert len(filtered(chexers, state, hints.guarded, RED)) > 4
    holder = position.read("red a4 a7 d1 d7 e4; green b7 e5 f2 f3; blue f4 g3 g4; red to move")
    assert filtered(chexers, holder, hints.guarded, RED) == {"a7xc7"}


@pytest.mark.parametrize(
    ("moves", "then"),
    [
        ([], "a4-b3"),
        (["a4-b3"], "g1-g2"),
        (["a4-b3", "g1-g2"], "d7-c7"),
        (["a4-b3", "g1-g2", "d7-c7"], "a5-a4"),
        (["a4-b3", "d1-c2", "d7-c7"], "b3xd1"),
        (["a4-b3", "d1-d2", "d7-c7"], "b3-c2"),
    ],
)
def test_mozi_s_program_sets_out_along_the_edge_upstream(chexers, moves, then):
    table = Table(chexers, 1)
    for move in moves:
        table.play(table.read(move))
    assert table.write(agents.build("mozi-program", chexers, 1).decide(table.view(table.turn)).move) == then


def test_a_latch_remembers_that_traps_stood_until_the_next_game(chexers):
    value, broken = (
        chexers.value("mozi(latch=on)"),
        TRAPS_STAND.replace("a4", "b4").replace("move", "move after 90 turns"),
    )
    worths = []
    for text in (broken, TRAPS_STAND.replace("move", "move after 60 turns"), broken):
        state, out = position.read(text), np.zeros(3)
        value.prepare(state, RED)
        value_of(chexers.rules, value.handle, value.weights, state, out)
        worths.append(out[GREEN])
    assert worths[0] == -4
    assert worths[2] == worth(chexers, "equation1", position.read(broken))[GREEN]
    value.prepare(Table(chexers, 1).view(RED), RED)
    value.prepare(position.read(broken), RED)
    value_of(chexers.rules, value.handle, value.weights, position.read(broken), out)
    assert out[GREEN] == -4


def test_what_is_drawn_differs_between_agents_and_not_within_one(chexers):
    state = position.read(TRAPS_STAND)
    chosen = [{agents.build("mozi", chexers, seed).decide(state).move for _ in range(2)} for seed in range(12)]
    assert {len(moves) for moves in chosen} == {1}
    assert len(set().union(*chosen)) > 3


def test_the_fourth_exit_comes_before_all_else(chexers):
    state = position.read("red+3 a4 a7 d1 d7 g2; green b7 e5; blue g4; red to move")
    assert filtered(chexers, state, hints.mozi, RED) == {"g2 out"}


def test_pieces_reduction_leaves_the_points_alone_while_others_can_move(chexers):
    state = position.read("red a4 a7 d1 e4; green b7 e5 f2 f3; blue f4 g3 g4; red to move")
    assert {text[:2] for text in filtered(chexers, state, hints.pieces, RED)} == {"e4"}
    only_points = position.read(TRAPS_STAND)
    assert {text[:2] for text in filtered(chexers, only_points, hints.pieces, RED)} == {"a4", "a7", "d1", "d7"}


def test_direct_pruning_leaves_a_rival_one_move_the_most_hostile(chexers):
    hostile = position.read("red c4 d5; green c3 d1; blue e4 g4 d2; green to move")
    assert filtered(chexers, hostile, hints.direct, RED) == {"c3xc5"}
    jumping = position.read("red a4 a5; green c3 g1; blue c4 g4; green to move")
    assert filtered(chexers, jumping, hints.direct, RED) == {"c3xc5"}
    quiet = position.read("red a4 a5; green d4; blue g4; green to move")
    room = np.empty(chexers.most_moves, dtype=np.int64)
    drawn = set()
    for seed in range(1, 60):
        n = legal_moves(chexers.rules, quiet, room)
        assert hints.direct(quiet, RED, np.array([seed << 32 | seed], dtype=np.uint64), room, n) == 1
        drawn.add(int(room[0]))
    assert len(drawn) > 3
    assert len(filtered(chexers, hostile, hints.direct, GREEN)) > 1


def test_direct_pruning_makes_the_tree_as_thin_as_one_s_own_moves(chexers):
    view = Table(chexers, 1).view(0)
    full = agents.build("maxn(depth=6)", chexers, 1).decide(view)
    direct = agents.build("maxn(depth=6, filter=direct)", chexers, 1).decide(view)
    assert direct.nodes < full.nodes / 50
    assert agents.build("maxn(depth=6, filter=direct)", chexers, 1).decide(view) == direct


def test_filters_joined_keep_what_all_of_them_keep(chexers):
    view = Table(chexers, 1).view(0)
    joined = agents.build("maxn(depth=4, filter=mozi+direct)", chexers, 1).decide(view)
    assert joined.nodes < agents.build("maxn(depth=4, filter=mozi)", chexers, 1).decide(view).nodes / 5
    trapped = position.read("red a4 a7 d1 d7 e4; green b7 e5 f2 f3; blue f4 g3 g4; red to move")
    assert agents.build("maxn(depth=1, filter=mozi+direct)", chexers, 1).decide(trapped).nodes <= 2
    with pytest.raises(UnknownName, match="direct"):
        agents.build("maxn(filter=mozi+dirct)", chexers, 1)


def test_max_n_takes_the_first_of_equal_moves_and_randommaxn_any(chexers):
    view = Table(chexers, 1).view(0)
    assert len({agents.build("maxn(depth=1, value=own)", chexers, seed).decide(view).move for seed in range(12)}) == 1
    assert len({agents.build("randommaxn(depth=1)", chexers, seed).decide(view).move for seed in range(12)}) > 2


def test_mozi_leaves_with_the_four_nearest_pieces(chexers):
    one = position.read("red a4 a7 d1 d7 e4 e3 f3 f2 b5; green d5; blue g4 d6; red to move")
    other = position.read("red a4 a7 d1 d7 e4 e3 f3 f2 c5; green d5; blue g4 d6; red to move")
    assert worth(chexers, "mozi(phase=2)", one)[RED] == worth(chexers, "mozi(phase=2)", other)[RED]
    assert worth(chexers, "mozi(phase=2, near=0)", one)[RED] < worth(chexers, "mozi(phase=2, near=0)", other)[RED]


def test_a_filter_keeps_some_of_the_legal_moves_and_never_none(chexers):
    for seed in range(6):
        for plies, table in enumerate(walk(chexers, seed)):
            if plies % 5 == 0:
                state = table.view(table.turn)
                legal = {chexers.write(state, move) for move in table.moves()}
                for move_filter in chexers.filters.values():
                    for root in range(3):
                        kept = filtered(chexers, state, move_filter, root)
                        assert kept
                        assert kept <= legal


class Filtered(Reference):
    """A plain search that leaves out what a move_filter leaves out, as seen from a root seat."""

    def __init__(self, game, value, move_filter, root):
        super().__init__(game, value)
        self.move_filter, self.root = move_filter, root

    def moves(self, state, limit=0):
        n = legal_moves(self.game.rules, state, self.room)
        kept = self.move_filter(state, self.root, np.array([1], dtype=np.uint64), self.room, n)
        return self.room[:kept].tolist()


def test_searches_with_a_filter_are_brute_force_on_what_it_keeps(chexers):
    for plies, table in enumerate(walk(chexers, 1)):
        if plies % 50 != 20:
            continue
        seat, state = table.turn, table.view(table.turn)
        reference = Filtered(chexers, "count", hints.mozi, seat)
        expected = reference.maxn(state, 2)[seat]
        found = agents.build("maxn(depth=2, value=count, filter=mozi)", chexers, 1).driver.deepen(state)
        assert found.move in reference.moves(state)
        assert found.values[seat] == expected
        paranoid = agents.build("paranoid(depth=2, value=count, filter=mozi)", chexers, 1).decide(state)
        assert paranoid.considered[paranoid.move] == reference.two_sided(state, 2, seat)


def test_the_value_judges_by_the_phase_in_which_the_search_began(chexers):
    state = position.read(TRAPS_STAND)
    mind = agents.build("mozi(depth=1)", chexers, 1)
    found = mind.decide(state)
    expected = worth(chexers, f"mozi(ours={RED}, phase={HUNTING})", Reference(chexers, "mozi").after(state, found.move))
    assert found.values == expected.tolist()
    mind.decide(Table(chexers, 1).view(0))
    assert mind.driver.settings.value.weights[1] == FORMING


def test_mozi_beats_the_greedy_policy(chexers):
    result = play_match(chexers, ["mozi", "policy(greedy)", "policy(greedy)"], games=9, seed=1)
    assert result.agents[0].wins >= 6
