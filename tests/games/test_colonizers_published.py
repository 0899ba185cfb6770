"""Colonizers: what tables 5.1 and 5.2 of the thesis owe to the seeds of its players.

Every player of its experiments was a process that began each game with the same seed: 42 for random play, 97 for the
heuristic. So all four seats drew the same random numbers, in all thousand games.
"""

from itertools import repeat

import numpy as np
from scipy.stats import chi2_contingency

from kibitz import agents
from kibitz.games.colonizers.rules import NOTHING
from kibitz.plugins.documents.programs.colonizers import play_series
from kibitz.plugins.documents.programs.colonizers_players import PLAYERS
from kibitz.plugins.documents.programs.subtractive import Subtractive
from tests.games.test_colonizers import KIND, PICKS, Sandbox, give

HEURISTIC_LOSSES = (415, 298, 152, 135)  # table 5.2


def test_the_generator_gives_the_numbers_known_of_net():
    generator = Subtractive(42)
    assert [generator.below(100) for _ in range(5)] == [66, 14, 12, 52, 16]


def test_table_5_2_does_not_come_out_when_every_seat_has_its_own_numbers():
    played = play_series(repeat(Subtractive(66)), PLAYERS["heuristic"], None, 2000)
    last = np.bincount([ranking[-1] for ranking in played if ranking])
    assert chi2_contingency([last, HEURISTIC_LOSSES]).pvalue < 0.05


def chosen(agent, table):
    """Return what an agent may build here."""
    return {agents.build(agent, table.game, seed).decide(table.view(0)).move for seed in range(30)}


def test_the_program_s_heuristic_builds_in_its_most_frequent_colour_red_before_green():
    hand, colony = ["oxygen generator", "military academy"], ["water reservoir", "garrison"]
    table = give(Sandbox(away=["spy"]), 0, hand=hand, colony=colony, omnium=2).play(PICKS).play("omnium")
    assert chosen("heuristic(rule5=hand)", table) == {4 * KIND["military academy"]}
    assert len(chosen("heuristic", table)) == 2


def test_the_program_s_heuristic_builds_anything_or_nothing_outside_that_colour():
    hand, colony = ["marketplace", "warehouse"], ["water reservoir", "quarry", "water reservoir"]
    table = give(Sandbox(away=["spy"]), 0, hand=hand, colony=colony, omnium=2).play(PICKS).play("omnium")
    assert chosen("heuristic(rule5=hand)", table) == {4 * KIND["marketplace"], 4 * KIND["warehouse"], NOTHING}
    assert NOTHING not in chosen("heuristic", table)
