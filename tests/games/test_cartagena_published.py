"""Cartagena: how many moves the searches of the thesis calculate (tables 7.1 and 7.2), counted again.

    python -m tests.games.test_cartagena_published [GAMES]

A move of the thesis is a whole turn of one to three actions, the best three at each step. The counts of max^n, 521 at
3 ply and 11834 at 4 ply, are b + b^2 and b + b^2 + b^3 for the same b = 22.4, which is how many ways there are to use
a turn; and Not-So-Paranoid with pruning, which needs the bounds of two other seats, cuts off nothing at 3 ply. So a
search of d ply is one of d - 1 turns here. As in the thesis there is no table and no deepening, and a seat decides once
a turn.
"""

import sys

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search.control import SLOTS, TURNS
from kibitz.agents.search.lookahead import look_ahead
from kibitz.agents.search.maxn.arrays import LAZY
from kibitz.core.contract import OVER
from kibitz.core.playout import play_legal, who
from kibitz.core.table import Table

GAME = "cartagena(row=10, refill=always, cards=18)"
WIDTH = 3
MOST_PLIES = 600  # games of searchers can loop
PUBLISHED = {  # moves calculated at 3 and at 4 ply: table 7.1, then 7.2
    ("maxn", "paranoid", "nsp-p"): ((521, 159, 531), (11834, 3671, 3807)),
    ("nsp-np", "nsp-p", "nsp-ep"): ((521, 497, 72), (12241, 4156, 183)),
    ("maxn", "paranoid by the letter", "nsp-p"): ((521, 159, 531), (11834, 3671, 3807)),
}  # fmt: skip
TEXTS = {"maxn": "maxn({})", "nsp-np": "nsp({})", "nsp-p": "nsp({}, prune=all)", "nsp-ep": "nsp({}, prune=any)"}


def best_actions(game, value, state):
    """List the best three moves by the mover's value, best first, each with what it is worth to every seat."""
    seat = int(who(game.rules, state))
    listed, worth = look_ahead(game, value, state, seat)
    return [(int(listed[i]), worth[i]) for i in np.argsort(-worth[:, seat], kind="stable")[:WIDTH]]


class Counter:
    """A search of whole turns that counts those it looks at."""

    def __init__(self, name, game, turns):
        self.turns = turns
        self.mind = agents.build(TEXTS[name].format(f"depth={turns}, width={WIDTH}, opening=none"), game, 1)
        self.mind.driver.engine.control.told |= {SLOTS: 0, LAZY: 0}

    def decide(self, state):
        """Return the line of play expected, and how many turns were looked at, the best actions first."""
        driver, game = self.mind.driver, self.mind.game
        value, seat = driver.settings.value, int(who(game.rules, state))
        tried = np.array([move for move, _ in best_actions(game, value, state)], dtype=np.int64)
        driver.engine.begin(seat)
        line = driver._search_at_once(state, seat, tried, self.turns).decision.line
        return line, int(driver.engine.control.cells[TURNS])


class PlainParanoid:
    """Alpha-beta as the textbooks have it: no table, no null windows, no deepening.

    By the letter of the thesis a value must lie outside the window to cut off, so an equal one does not; and nothing is
    said about the order of the best three actions: then they come as they are listed, else the best first.
    """

    def __init__(self, game, turns, by_the_letter):
        self.by_the_letter = by_the_letter
        self.game, self.turns, self.value = game, turns, game.value(game.usual_value)
        self.room = game.new_moves()

    def decide(self, state):
        """Return the line of play expected, and how many turns were looked at."""
        self.root, self.looked_at = int(who(self.game.rules, state)), 0
        return self.search(state, self.turns, -np.inf, np.inf)[1], self.looked_at

    def search(self, state, turns, low, high):
        seat = int(who(self.game.rules, state))
        best, line = -np.inf if seat == self.root else np.inf, []
        actions = best_actions(self.game, self.value, state)
        for move, worth in sorted(actions, key=lambda action: action[0]) if self.by_the_letter else actions:
            after = state.copy()
            assert play_legal(self.game.rules, after, move, self.room)
            then = int(who(self.game.rules, after))
            left = turns - (then != seat)
            self.looked_at += then != seat
            score, rest = (worth[self.root], []) if then == OVER or left == 0 else self.search(after, left, low, high)
            if (score > best) if seat == self.root else (score < best):
                best, line = score, [move, *rest]
            low, high = (max(low, best), high) if seat == self.root else (low, min(high, best))
            if low > high or (low == high and not self.by_the_letter):
                break
        return best, line


def searcher(name, game, turns):
    """Return who plays under a name."""
    if name.startswith("paranoid"):
        return PlainParanoid(game, turns, by_the_letter=name != "paranoid")
    return Counter(name, game, turns)


def count(names, ply, seeds, most_plies=MOST_PLIES):
    """Let three searches play games, seats changing; return how many moves each calculated, decision by decision."""
    game = games.find(GAME).opened()
    counts = {name: [] for name in names}
    minds = {name: searcher(name, game, ply - 1) for name in names}
    for seed in seeds:
        table = Table(game, seed)
        while not table.over and table.ply < most_plies:
            seat = table.turn
            name = names[(seat + seed) % len(names)]
            line, looked_at = minds[name].decide(table.view(seat))
            counts[name].append(looked_at)
            for move in line:
                if table.over or table.turn != seat:
                    break
                table.play(move)
    return counts


def means(names, ply, seeds, most_plies):
    """Return the average counts, in the order of the names."""
    return [float(np.mean(found)) for found in count(names, ply, seeds, most_plies).values()]


def test_three_ply_are_two_turns():
    maxn, paranoid, nsp = means(("maxn", "paranoid by the letter", "nsp-p"), 3, range(3), 150)
    assert maxn == pytest.approx(521, rel=0.25)
    assert nsp == pytest.approx(531, rel=0.25)
    assert paranoid == pytest.approx(159, rel=0.25)


def test_four_ply_are_three_turns_and_the_bolder_prune_more():
    none, some, most = means(("nsp-np", "nsp-p", "nsp-ep"), 4, range(2), 90)
    assert none == pytest.approx(12241, rel=0.5)
    assert most < some / 4 < none / 8


def _main(games_):
    for names, published in PUBLISHED.items():
        for ply in (3, 4):
            for (name, found), theirs in zip(count(names, ply, range(games_)).items(), published[ply - 3], strict=True):
                error = np.std(found) / np.sqrt(len(found))
                print(f"{ply} ply  {name:22} {np.mean(found):7.0f} ± {error:3.0f}  median {np.median(found):6.0f}"
                      f"  published {theirs:5}  over {len(found)} decisions", flush=True)  # fmt: skip


if __name__ == "__main__":
    _main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
