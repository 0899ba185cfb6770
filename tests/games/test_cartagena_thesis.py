"""What the networks of the Cartagena thesis are shown and put out, checked by hand with its sections 4.2.1 to 4.2.4."""

import numpy as np
import pytest

from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.cartagena.rules import BACK, STOP
from kibitz.networks.encoding import NO_MOVE
from kibitz.networks.encoding_laws import encoded, named
from kibitz.networks.net import actions, encodings
from kibitz.plugins.documents.cartagena_encodings import (
    BOARD_LENGTH,
    CODES,
    FORWARD,
    NOTHING,
    PIRATES_LENGTH,
    ROW_AT,
    UNITS,
)

TEXT = "red 0*3 7*2 37 / hat*2 key; green 0*5 3 / skull; blue 0*6 / key; row hat key; {} to move"
HAT, SKULL, KEY = 2, 3, 5
NO_CARD = [1, 1, 1]


def _view(mover="red"):
    table = Table(find(f"cartagena(position='{TEXT.format(mover)}')"), 1)
    return table, table.view(table.turn)


def _shown(name, mover="red"):
    table, view = _view(mover)
    return encoded(encodings(table.game)[name], view, table.turn)


def test_pirates_are_shown_by_their_spaces_nearest_to_the_start_first():
    shown = _shown("pirate_positions")
    assert (len(shown), PIRATES_LENGTH) == (66, 66)
    assert shown[:18] == pytest.approx([0, 0, 0, 0.14, 0.14, 1, 0, 0, 0, 0, 0, 0.06, *[0] * 6])
    assert shown[18:36] == pytest.approx([0, 0, 0.2, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0.1])
    assert shown[36:42].tolist() == [0, 1, 0, 1, 0, 1]  # a hat and a key
    assert shown[42:].tolist() == NO_CARD * 8


def test_the_seat_to_move_comes_first_and_the_others_in_turn_order():
    red, green = _shown("pirate_positions"), _shown("pirate_positions", "green")
    assert green[:12].tolist() == red[6:18].tolist()
    assert green[12:18].tolist() == red[:6].tolist()


def test_the_board_shows_pirates_on_each_space_as_ones():
    shown = _shown("board")
    assert (len(shown), BOARD_LENGTH) == (438, 438)
    assert np.flatnonzero(shown[:120]).tolist() == [0, 1, 2, 24, 25, 114]  # the start, space 7, the sloop
    assert np.flatnonzero(shown[120:240]).tolist() == [0, 1, 2, 3, 4, 12]
    assert np.flatnonzero(shown[240:360]).tolist() == [0, 1, 2, 3, 4, 5]
    assert shown[360:378].tolist() == _shown("pirate_positions")[18:36].tolist()
    assert np.flatnonzero(shown[ROW_AT:]).tolist() == [HAT, 6 + KEY]


def test_prospects_tell_how_far_each_action_goes():
    shown = _shown("prospects")
    assert shown[:BOARD_LENGTH].tolist() == _shown("board").tolist()
    first, sixth = shown[BOARD_LENGTH:][:15], shown[BOARD_LENGTH:][75:]
    assert first == pytest.approx([0, 0, 0, 0, 1, 11 / 12, 0, 0, 0, 0, 1, 6 / 12, 0, 0, 0])
    assert not sixth.any()  # on the sloop
    assert shown[BOARD_LENGTH:][45:60][12:] == pytest.approx([1, 4 / 12, 0.5])  # from 7 back to the one on 3: one card


def test_units_stand_for_pirates_and_signs():
    table, view = _view()
    moves = named(actions(table.game)["pirate_actions"], view)
    assert len(moves) == UNITS == 43
    assert {*moves.tolist()} == {NO_MOVE, *table.moves()}
    assert moves[FORWARD + HAT] == moves[FORWARD + 6 + HAT] == 8 * 0 + HAT  # the first two stand on the start
    assert moves[FORWARD + 3 * 6 + KEY] == 8 * 7 + KEY
    assert (moves[FORWARD + 5 * 6 + KEY], moves[FORWARD + SKULL], moves[NOTHING]) == (NO_MOVE, NO_MOVE, NO_MOVE)
    assert (moves[0], moves[3]) == (NO_MOVE, BACK + 7)
    table.play(8 * 0 + HAT)
    assert named(actions(table.game)["pirate_actions"], table.view(table.turn))[NOTHING] == STOP


def test_the_small_representation_of_an_action_has_seven_bits():
    assert CODES.shape == (43, 7)
    assert CODES[FORWARD + 3 * 6 + KEY].tolist() == [0, 1, 1, 1, 0, 1, 1]
    assert CODES[4].tolist() == [1, 0, 0, *NO_CARD, 0]
    assert CODES[NOTHING].tolist() == [1] * 7
    assert len({tuple(code) for code in CODES.tolist()}) == 43
