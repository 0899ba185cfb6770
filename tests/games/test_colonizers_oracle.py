"""Colonizers and its naive twin play the same games, and the twin allows every world that is guessed."""

import os
from itertools import product

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.dice import below, dice
from kibitz.core.playout import guess_world, settle
from kibitz.core.table import Table
from kibitz.games.colonizers.cards import CARDS, MODULES, unpack
from kibitz.games.colonizers.cells import (
    BONUS,
    COLONIST,
    COLONIST_NAMES,
    COLONY,
    HAND,
    HEAD,
    NONE,
    OMNIUM,
    PAID_BY,
    PHASE,
    TAIL,
    TAPE,
)
from kibitz.games.colonizers.rules import OPTIONS
from tests.games.colonizers_sandbox import put_away_in
from tests.oracles.colonizers import Oracle

LONG = bool(os.environ.get("KIBITZ_LONG"))
PHASES = ("pick", "draw", "discard", "power", "build")
NAMES = [module.name.replace(" ", "-") for module in MODULES]


def rounds(table):
    """Yield the colonists of every round, the one put away first; the twin asks when the round has begun here."""
    while True:
        away = put_away_in(table._state)
        yield [away, *(name for name in COLONIST_NAMES if name != away)]


def world_of(state):
    """Return a state in the twin's words."""
    return {
        "hands": [[NAMES[kind] for kind in unpack(state[HAND + seat])] for seat in range(4)],
        "deck": [NAMES[kind] for kind in state[TAPE + state[HEAD] : TAPE + state[TAIL]]],
        "colonists": [None if c == NONE else COLONIST_NAMES[c] for c in state[COLONIST : COLONIST + 4]],
        "away": put_away_in(state),
    }


def in_twins_words(text):
    """Return the text of a move as the twin writes it: module names are one word."""
    verb, *rest = text.split()
    return f"{verb} {'-'.join(rest)}" if rest else verb


def catch_up(twin, table):
    """Let the twin make the forced moves that are no moves here."""
    while twin.turn is not None:
        if not table.over and (twin.turn, twin.phase) == (table.turn, PHASES[table._state[PHASE]]):
            return
        (only,) = twin.moves()
        twin.play(only)


def compare(twin, table):
    """Check that both see the same position."""
    state = table._state
    assert twin.turn == (None if table.over else table.turn)
    assert twin.moves() == {in_twins_words(table.write(move)) for move in table.moves()}
    here = world_of(state)
    assert twin.hands == [sorted(hand) for hand in here["hands"]]
    assert (twin.deck, twin.colonists, twin.away) == (here["deck"], here["colonists"], here["away"])
    assert twin.omnium == state[OMNIUM : OMNIUM + 4].tolist()
    assert [sorted(colony) for colony in twin.colonies] == [
        sorted(NAMES[kind] for kind in unpack(state[COLONY + seat])) for seat in range(4)
    ]


def together(seed, mind=None, max_rounds=500):
    """Play a game here and with the twin, yielding both before every move and at the end."""
    table, rng = Table(games.find(f"colonizers(max_rounds={max_rounds})"), seed), dice(seed)
    deck = [NAMES[kind] for kind in table._state[TAPE : TAPE + CARDS]]
    twin = Oracle({"max_rounds": max_rounds}, {"deck": deck, "rounds": rounds(table)})
    while not table.over:
        yield table, twin
        moves = table.moves()
        move = mind.decide(table.view(table.turn)).move if mind else moves[below(rng, len(moves))]
        text = in_twins_words(table.write(move))
        table.play(move)
        twin.play(text)
        catch_up(twin, table)
    yield table, twin


@pytest.mark.parametrize("seed", range(400 if LONG else 25))
def test_both_have_the_same_moves_and_positions_all_game_and_the_same_payoffs(seed):
    mind = agents.build("heuristic", games.find("colonizers"), seed) if seed % 2 else None
    for table, twin in together(seed, mind, max_rounds=seed // 2 if seed % 4 == 3 else 500):
        compare(twin, table)
    state, earned = table._state.copy(), np.zeros(4)
    for bonus, payoff in product(OPTIONS["bonus"].choices, OPTIONS["payoff"].choices):
        state[BONUS], state[PAID_BY] = OPTIONS["bonus"].encode(bonus), OPTIONS["payoff"].encode(payoff)
        settle(table.game.rules, state, earned)
        twin.bonus, twin.payoff_kind = bonus, payoff
        assert earned.tolist() == pytest.approx(twin.payoff(), rel=1e-12), (bonus, payoff)


@pytest.mark.parametrize("seed", range(100, 700 if LONG else 112))
def test_the_twin_allows_every_guessed_world(seed):
    mind = agents.build("heuristic", games.find("colonizers"), seed) if seed % 2 else None
    rng = dice(seed)
    for table, twin in together(seed, mind):
        for seat in range(4):
            world = table.view(seat)
            guess_world(table.game.rules, world, seat, rng)
            assert twin.allows(seat, world_of(world)), (table.ply, seat)
