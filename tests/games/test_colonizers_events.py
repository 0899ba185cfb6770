"""Colonizers: what is counted in games adds up to what the seats have at the end."""

from collections import Counter
from random import Random

from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.colonizers.cards import COSTS, unpack
from kibitz.games.colonizers.cells import COLONY, DRAW, OMNIUM, PHASE, ROUND
from kibitz.games.colonizers.rules import INCOME, TAKE_MODULES


def play(seed):
    """Play a random game; return its table, what was counted by event and seat, and how often each drew modules."""
    table, luck = Table(find("colonizers"), seed), Random(seed)
    counted, drew = Counter(), Counter()
    while not table.over:
        before, seat, move = table.copy_of_truth(), table.turn, luck.choice(table.moves())
        drew[seat] += before[PHASE] == DRAW and move == TAKE_MODULES
        table.play(move)
        for event, whose, amount in table.game.events_of(before, move, table.copy_of_truth()):
            counted[event, whose] += amount
    return table, counted, drew


def test_omnium_earned_stolen_lost_and_paid_is_what_is_left():
    for seed in range(5):
        table, counted, drew = play(seed)
        state = table.copy_of_truth()
        for seat in range(4):
            earned = INCOME * (state[ROUND] - drew[seat]) + counted["synergy", seat]
            paid = sum(COSTS[kind] for kind in unpack(state[COLONY + seat]))
            assert state[OMNIUM + seat] == earned + counted["stolen", seat] - counted["lost", seat] - paid


def test_moves_and_phases_passed_over_are_all_phases():
    for seed in range(5):
        table, counted, drew = play(seed)
        rounds = int(table.copy_of_truth()[ROUND])
        phases = rounds * 4 * (1 + 3) + drew.total()  # pick; draw, power, build; what to keep
        assert sum(amount for (event, _), amount in counted.items() if event in ("move", "forced")) == phases


def test_every_round_four_colonists_are_picked():
    table, counted, _ = play(1)
    picks = sum(counted[name, seat] for name in ("visionary", "ecologist", "miner", "general", "opportunist", "spy")
                for seat in range(4))  # fmt: skip
    assert picks == 4 * table.copy_of_truth()[ROUND]
