"""The fast Cartagena against a naive twin that was written from the rules alone."""

import numpy as np
import pytest

from kibitz import games
from kibitz.core.dice import dice, roll
from kibitz.core.playout import guess_world
from kibitz.core.table import Table
from kibitz.games.cartagena.cells import HAND, LEFT, ROW, SEAT, SHUFFLES, SIGNS, STOCK
from tests.oracles.cartagena import Oracle

TEXTS = [
    "cartagena", "cartagena(seats=2)", "cartagena(seats=5, board=random)", "cartagena(version=jamaica)",
    "cartagena(row=10, refill=always, cards=18)", "cartagena(sloop_back=true, seats=4)",
    "cartagena(version=jamaica, seats=4, board=random, sloop_back=true)",
]  # fmt: skip


def pile(cell) -> list[int]:
    """Return the six counts of a pile."""
    return [int(cell) >> 8 * sign & 255 for sign in range(6)]


def line(cell) -> list[int]:
    """Return the signs of a line of cards."""
    signs, cell = [], int(np.uint64(np.int64(cell)))
    while cell:
        signs.append((cell & 15) - 1)
        cell >>= 4
    return signs


def stock(state) -> list[int]:
    """Return the stock, next card first."""
    cards = [int(np.uint64(state[STOCK + i // 16])) >> 4 * (i % 16) & 15 for i in range(int(state[LEFT]))]
    return [card - 1 for card in reversed(cards)]


def luck(table) -> dict:
    """Return the deal as the twin takes it."""
    state, seats = table._state, table.game.seats
    board = [next(sign for sign in range(6) if state[SIGNS + sign] >> space & 1) for space in range(1, 37)]
    return {"board": board, "hands": [pile(state[HAND + seat]) for seat in range(seats)], "stock": stock(state),
            "row": line(state[ROW])}  # fmt: skip


def twin_of(table) -> Oracle:
    return Oracle({"seats": table.game.seats, **table.game.options}, luck(table))


@pytest.mark.parametrize("text", TEXTS)
def test_random_games_agree_move_by_move(text):
    shuffled = 0
    for seed in range(4):
        table, rng = Table(games.find(text), seed), dice(seed)
        twin = twin_of(table)
        while not table.over and table.ply < 900:
            assert twin.turn == table.turn
            texts = {table.write(move): move for move in table.moves()}
            assert set(texts) == twin.moves()
            chosen = sorted(texts)[roll(rng, len(texts))]
            wanted = twin.to_shuffle(chosen)
            before = int(table._state[SHUFFLES])
            table.play(texts[chosen])
            assert (int(table._state[SHUFFLES]) > before) == bool(wanted)
            if wanted:
                shuffled += 1
                twin.play(chosen, reshuffled=_new_stock(table, wanted))
            else:
                twin.play(chosen)
            assert twin.stock == stock(table._state)
            assert twin.row == line(table._state[ROW])
            assert twin.hands == [pile(table._state[HAND + seat]) for seat in range(table.game.seats)]
        if table.over:
            assert twin.turn is None
            assert twin.payoff() == pytest.approx(table.payoff())
    assert shuffled > 0


def _new_stock(table, wanted) -> list[int]:
    """Return the order of the discards: cards drawn to a hand by the move, the end of the row, what is left."""
    left = stock(table._state)
    gone = sorted(wanted)
    for card in left:
        gone.remove(card)
    row = line(table._state[ROW])
    laid = row[max(0, len(row) - len(gone)) :]
    for card in laid:
        gone.remove(card)
    return gone + laid + left


@pytest.mark.parametrize("text", ["cartagena", "cartagena(version=jamaica)", "cartagena(version=jamaica, seats=2)"])
def test_every_guess_is_allowed_by_the_twin(text):
    checked = 0
    for seed in range(2):
        table, rng = Table(games.find(text), seed), dice(seed)
        twin = twin_of(table)
        while not table.over and table.ply < 120:
            moves = table.moves()
            move = moves[roll(rng, len(moves))]
            chosen = table.write(move)
            wanted = twin.to_shuffle(chosen)
            table.play(move)
            twin.play(chosen, reshuffled=_new_stock(table, wanted) if wanted else None)
            if table.ply % 5 == 0:
                for seat in range(table.game.seats):
                    world = table.view(seat)
                    guess_world(table.game.rules, world, seat, rng)
                    hands = [pile(world[HAND + other]) for other in range(table.game.seats)]
                    assert twin.allows(seat, {"hands": hands, "stock": stock(world)})
                    assert world[SEAT] == table.turn
                    checked += 1
    assert checked > 60
