"""Threads of a card that take rows: each row is played once, and as on processors."""

from types import SimpleNamespace

import numpy as np
import pytest

import kibitz
from kibitz.batches import card
from kibitz.batches.card_forms import steps_of_gathering
from kibitz.batches.card_runs import run_taken_rows
from kibitz.batches.game_batch import GameBatch
from kibitz.core.bits import gather
from kibitz.core.contract import GUARD, MOST_MOVES
from kibitz.core.native import INTERPRETED, compiled, offset, pointer
from kibitz.games import find
from kibitz.games.chexers.rules import HEXES
from tests.batches.simulated_card import SimulatedCard

ROWS, THREADS = 60, 16
WORD = 2**64 - 1
PIG, TRICKS = "./tests/pig", "./tests/tricks"


@compiled
def run_as_thread(
    rules, in_place, policy, weights, most, dice, keys, states, width, plies, faults, taken, room, own, thread
):
    """Do what a thread of a card does."""
    run_taken_rows(
        pointer(rules), in_place, policy, pointer(weights), most, pointer(dice), pointer(keys), pointer(states), width,
        pointer(plies), pointer(faults), pointer(taken), pointer(own), offset(pointer(room), rules[MOST_MOVES] + GUARD),
        pointer(room), thread, ROWS, THREADS,
    )  # fmt: skip


def _play_on(batch, policy, moves):
    """Play on by threads one after the other, the last first; return how many rows were taken from those for all."""
    bound, device, taken = batch.game.policy(policy), batch.device, np.zeros(1, dtype=np.int64)
    for thread in reversed(range(THREADS)):
        own = np.full(batch.states.base.shape[1], -77, dtype=np.int64)
        run_as_thread(
            device.rules, False, bound.handle, bound.weights, moves, batch._dice, batch._keys.reshape(-1),
            batch._states.reshape(-1), own.size, batch._plies, batch._faults, taken, device._room(), own, thread,
        )  # fmt: skip
    return int(taken[0])


@pytest.mark.skipif(INTERPRETED, reason="threads count in an atomic instruction")
@pytest.mark.parametrize(
    ("text", "policy"),
    [("quarto", "random"), ("chexers", "random"), ("cartagena(version=jamaica)", "random"), (PIG, "random"),
     ("colonizers", "heuristic"), (TRICKS, "random")],
)  # fmt: skip
def test_rows_that_threads_take_are_played_once_and_as_on_processors(text, policy):
    here, there = kibitz.batch(text, ROWS, seed=4), kibitz.batch(text, ROWS, seed=4)
    for moves in (7, 40, 2**62):
        here.run(policy, None if moves == 2**62 else moves)
        there._faults[:] = 9
        assert _play_on(there, policy, moves) == THREADS + THREADS  # the last rows, and for each thread one too many
        assert not there._faults.any()
        for one, other in ((here.states, there.states), (here.plies, there.plies), (here._dice, there._dice)):
            assert (one == other).all()
    there.check()


@pytest.mark.skipif(INTERPRETED, reason="threads count in an atomic instruction")
def test_a_rule_that_writes_behind_the_last_cell_is_still_found():
    batch = kibitz.batch("quarto", ROWS, seed=4)
    batch._states[5, batch.game.size] = 3
    _play_on(batch, "random", 3)
    assert batch._states[5, batch.game.size] == 3


@pytest.mark.parametrize("mask", [HEXES, 0, 1, -1, 1 << 63, 0x5555, -(1 << 40)])
def test_the_bits_of_a_constant_mask_are_gathered_in_a_few_steps(mask):
    rng = np.random.default_rng(2)
    for chosen in rng.integers(-(2**63), 2**63 - 1, 50).tolist():
        packed = chosen & mask & WORD
        for step, movers in steps_of_gathering(mask):
            packed = (packed & ~movers) | (packed & movers) >> step
        assert packed == gather(chosen, mask) & WORD


class _Timed(SimulatedCard):
    """A simulated card on which 4 blocks at once seem to be fastest."""

    def __init__(self, game):
        super().__init__(game)
        self.loaded, self.begun = [], []
        events = SimpleNamespace(Event=lambda: SimpleNamespace(record=lambda: None, synchronize=lambda: None))
        events.get_elapsed_time = lambda begun, done: abs(self.loaded[-1] - 4)
        self.arrays = SimpleNamespace(**{name: getattr(np, name) for name in dir(np) if name[0] != "_"}, cuda=events)

    def _loaded(self, what, asked, at_once=8):
        start = super()._loaded(what, asked)
        self.loaded.append(at_once if what == card.RUN else 0)

        def begin(rows, *given):
            self.begun.append((what, at_once, rows))
            start(rows, *given)

        return begin


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_card_tries_on_copies_how_many_blocks_are_fastest_and_stays_with_that(monkeypatch):
    monkeypatch.setattr(card, "MEASURED_ROWS", 64)
    game = find("quarto")
    here, there = kibitz.batch("quarto", 100, seed=2), GameBatch(game, 100, _Timed(game), 2)
    for moves in (5, None):
        here.run(moves=moves)
        there.run(moves=moves)
        assert (here.states == there.states).all()
        assert there.device.begun[-1] == (card.RUN, 4, 100)
    tried = [(what, blocks) for what, blocks, rows in there.device.begun if rows == 64]
    assert tried[:: card.TRIALS] == list(card.TRIED)
