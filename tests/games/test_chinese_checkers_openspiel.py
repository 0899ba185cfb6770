"""Chinese Checkers on 121 fields against OpenSpiel's, which plays the jumps of a chain one by one."""

import re
from random import Random

import pytest

from kibitz import games
from kibitz.core.table import Table
from kibitz.games.chinese_checkers.notation import NAMES

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install 'kibitz[openspiel]'): NOT TESTED")

import pyspiel

HOP = re.compile(r"(\d+)(->|=>)(\d+)")


def names_of_cells():
    """Return our names by OpenSpiel's numbers, whose board is ours turned by half a turn."""
    rows = {}
    for name in NAMES[1].values():
        rows.setdefault(name[0], []).append(name)
    return [name for row in rows.values() for name in reversed(row)]


CELLS = names_of_cells()


def hops(state):
    """Return the cells, the sign and the number of every action that moves a piece."""
    found = [(HOP.match(state.action_to_string(action)), action) for action in state.legal_actions()]
    return [(int(hop[1]), hop[2], int(hop[3]), action) for hop, action in found if hop]


def further(state, path, mover):
    """Return how the chain of jumps after a path of actions may go on: the cell and the action of each next jump."""
    after = state.clone()
    for action in path:
        after.apply_action(action)
    goes_on = not after.is_terminal() and after.current_player() == mover
    return [(end, action) for _, _, end, action in hops(after)] if goes_on else []


def turns(state):
    """Return the actions of every turn by its text."""
    found, mover = {}, state.current_player()
    for start, sign, end, action in hops(state):
        left = [([action], end)]
        while left:
            path, at = left.pop()
            text = f"{CELLS[start]}-{CELLS[at]}"
            if at == start or text in found:
                continue
            found[text] = path
            left += [([*path, more], to) for to, more in further(state, path, mover)] if sign == "=>" else []
    return found


def stop(state, mover):
    """End the turn if the chain of jumps could go on."""
    if not state.is_terminal() and state.current_player() == mover:
        moving = {action for *_, action in hops(state)}
        state.apply_action(next(action for action in state.legal_actions() if action not in moving))


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_both_have_the_same_turns(seats):
    table = Table(games.find(f"chinese_checkers(seats={seats}, fields=121)"), 1)
    state, rng = pyspiel.load_game(f"chinese_checkers(players={seats})").new_initial_state(), Random(seats)
    for _ in range(90):
        found, mover = turns(state), state.current_player()
        assert mover == table.turn
        assert set(found) == set(table.moves_text())
        text = rng.choice(sorted(found))
        table.play(table.read(text))
        for action in found[text]:
            state.apply_action(action)
        stop(state, mover)
