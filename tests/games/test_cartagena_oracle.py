"""Cartagena against its naive twin: the same games move by move, and every guess held against what a seat can know."""

import os
from itertools import product

import pytest

from kibitz import games
from kibitz.core.dice import dice, roll
from kibitz.core.playout import guess_world
from kibitz.core.table import Table
from kibitz.games.cartagena.cells import DISCARDS, HAND, SHUFFLES, TURNS
from kibitz.games.cartagena.reader import pirates, row_of, sign_of
from kibitz.games.cartagena.rules import BACK, STOP
from tests.games.cartagena_story import pile, stock
from tests.oracles.cartagena import Oracle, counts

FULL = bool(os.environ.get("KIBITZ_LONG"))
GAMES_EACH = 20 if FULL else 1
KINDS = [
    f"cartagena(seats={seats}, version={version}, board={board}, sloop_back={sloop_back}, cards={cards}{row})"
    for seats, version, board, sloop_back in product(
        (2, 3, 4, 5), ("tortuga", "jamaica"), ("standard", "random"), ("false", "true")
    )
    for cards in (17, 6)
    for row in ((", row=12", ", row=3, refill=always") if version == "tortuga" else ("",))
]


# Options that the twin does not know, with the values at which the game is the one it plays.
UNKNOWN_TO_THE_TWIN = {
    name: games.find("cartagena").options[name] for name in ("max_rounds", "segments", "stock", "turned")
}


def cards_of(state):
    """The cards of a state as the twin writes them."""
    seats = range(state[0])
    return {"hands": [list(pile(state[HAND + seat])) for seat in seats], "stock": stock(state)}


def twin_of(table):
    """The oracle with the same options and the same luck, at the beginning of a game."""
    options = {"seats": table.game.seats, **table.game.options}
    for name, usual in UNKNOWN_TO_THE_TWIN.items():
        assert options.pop(name) == usual
    board = [sign_of(table._state, space) for space in range(1, 37)]
    return Oracle(options, {"board": board, "row": row_of(table._state), **cards_of(table._state)})


def agree(table, twin):
    """Compare the two in everything that can be seen from outside."""
    state = table._state
    assert (None if table.over else table.turn) == twin.turn
    assert {table.write(move) for move in table.moves()} == twin.moves()
    for seat in range(table.game.seats):
        spaces = [space for space in range(38) for _ in range(pirates(state, seat, space))]
        assert spaces == twin.pirates[seat]
    assert cards_of(state) == {"hands": twin.hands, "stock": twin.stock}
    assert row_of(state) == twin.row
    assert list(pile(state[DISCARDS])) == counts(twin.discards)
    assert state[TURNS] == twin.turns


def play_both(table, twin, move):
    """Play a move at the table, and the same with the same luck at the twin's."""
    state, seat, text = table._state, table.turn, table.write(move)
    old_stock, old_row, old_hand, shuffles = stock(state), row_of(state), pile(state[HAND + seat]), state[SHUFFLES]
    table.play(move)
    if state[SHUFFLES] == shuffles:
        twin.play(text)
        return
    # Cards go from the stock through the row, if there is one, to the hand: what has left the new stock is what was
    # drawn and what lies in the row now, less what was in row and stock before.
    gained = [a - b for a, b in zip(pile(state[HAND + seat]), old_hand, strict=True)]
    known = [*old_row, *old_stock][: sum(gained)]
    rest = [sign for sign in range(6) for _ in range(gained[sign] - known.count(sign))]
    gone = [*known, *rest, *row_of(state)][len(old_row) + len(old_stock) :]
    twin.play(text, [*gone, *stock(state)])


@pytest.mark.parametrize("text", KINDS)
def test_the_same_games_as_the_naive_twin(text):
    if not FULL and KINDS.index(text) % 3:
        text = text.replace(")", ", max_turns=40)")
    compare(games.find(text))


def compare(game):
    """Play random games, every second one with many steps back, so that hands grow and stocks run out."""
    for seed in range(GAMES_EACH):
        table, rng = Table(game, seed), dice(seed)
        twin = twin_of(table)
        agree(table, twin)
        while not table.over:
            moves = table.moves()
            back = [move for move in moves if BACK <= move < STOP]
            choice = back if seed % 2 and back and roll(rng, 2) else moves
            play_both(table, twin, choice[roll(rng, len(choice))])
            agree(table, twin)
            if roll(rng, 25) == 0 and table._state[SHUFFLES] < 12:
                seat = roll(rng, game.seats)
                world = table.view(seat)
                guess_world(game.rules, world, seat, rng)
                assert twin.allows(seat, cards_of(world))
                assert twin.allows(seat, cards_of(table._state))
        assert table.payoff() == twin.payoff()


def test_the_game_of_the_thesis_too():
    compare(games.find("cartagena(seats=3, row=10, refill=always, cards=18)"))


def test_games_cut_short_are_draws_in_both():
    game = games.find("cartagena(seats=3, max_turns=7)")
    table, rng = Table(game, 1), dice(1)
    twin = twin_of(table)
    while not table.over:
        moves = table.moves()
        play_both(table, twin, moves[roll(rng, len(moves))])
        agree(table, twin)
    assert table.payoff() == twin.payoff() == [1 / 3] * 3


def test_the_twin_rules_out_what_a_seat_knows_to_be_false():
    """Seat 0 draws and the discards are reshuffled: now it knows the stock and so the other hand, card by card."""
    game = games.find("cartagena(seats=2, version=jamaica, cards=6)")
    table, rng = Table(game, 3), dice(3)
    twin, state = twin_of(table), table._state
    mover, shuffles = None, 0
    while mover != 0 or state[SHUFFLES] == shuffles or not state[HAND + 1]:
        moves, mover, shuffles = table.moves(), table.turn, int(state[SHUFFLES])
        play_both(table, twin, moves[roll(rng, len(moves))])
    world = cards_of(state)
    assert twin.allows(0, world)
    hand, left = world["hands"][1], world["stock"]
    for mine, other in product([sign for sign in range(6) if hand[sign]], set(left)):
        if mine != other:
            swapped = [*left]
            swapped[left.index(other)] = mine
            changed = [n - (sign == mine) + (sign == other) for sign, n in enumerate(hand)]
            assert not twin.allows(0, {"hands": [world["hands"][0], changed], "stock": swapped})
