"""Agents decide on the view of the seat that is to move."""

import pytest

import kibitz
from kibitz.core.errors import BadValue


def test_deciding_on_the_view_of_another_seat_says_whose_view_it_is_and_does_not_blame_the_rules():
    game = kibitz.game("colonizers")
    table = kibitz.Table(game, 1)
    other = (table.turn + 1) % game.seats
    mind = kibitz.agent("ismcts(iterations=20, policy=heuristic)", game, 1)
    with pytest.raises(
        BadValue, match=f"view of {game.seat_names[other]}.* and {game.seat_names[table.turn]} is to move"
    ):
        mind.decide(table.view(other))
