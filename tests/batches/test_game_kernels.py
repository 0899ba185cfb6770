"""The kernels that play whole games become code for a card; what they play is held against processors elsewhere."""

import pytest

from kibitz import games
from kibitz.batches.card_compiler import kernel_ptx
from kibitz.batches.card_game_kernels import GAME_TAKES
from kibitz.core.native import INTERPRETED

HOPPER = (9, 0)


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("text", ["quarto", "./tests/pig"])
def test_they_become_code_of_a_card_with_several_policies(text):
    game = games.find(text)
    for what in GAME_TAKES:
        code = kernel_ptx(game, what, HOPPER, tuple(game.policies.values()))
        assert ".visible .entry kernel(" in code
        assert ".extern .func" not in code  # it calls nothing from outside
