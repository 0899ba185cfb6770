"""Plain searches in Python, written to be obviously right: no pruning, no tables, no windows."""

import numpy as np

from kibitz.agents.search.evaluation import DECIDED
from kibitz.core.contract import OVER
from kibitz.core.playout import legal_moves, play_legal, settle, value_of, who


class Reference:
    """Positions of a game with a value, and the searches on them; depth counts turns."""

    def __init__(self, game, value: str, total: float = 0.0, width: int = 0):
        self.game, self.value, self.total, self.width = game, game.value(value), total, width
        self.room = game.new_moves()

    def turn(self, state):
        return int(who(self.game.rules, state))

    def after(self, state, move):
        state = state.copy()
        assert play_legal(self.game.rules, state, move, self.room)
        return state

    def worth(self, state):
        """Return what a position is worth to each seat."""
        out = np.zeros(self.game.seats)
        if self.turn(state) != OVER:
            value_of(self.game.rules, self.value.handle, self.value.weights, state, out)
            return out
        settle(self.game.rules, state, out)
        if not self.total:
            return (out - out.mean()) * DECIDED
        return np.floor(self.total * (out / max(out.sum(), 1e-9)) * 2**20) / 2**20

    def utilities(self, state):
        """Return worths that are positive at ends too."""
        if self.turn(state) != OVER:
            return self.worth(state)
        out = np.zeros(self.game.seats)
        settle(self.game.rules, state, out)
        return 1 + out * DECIDED

    def moves(self, state, limit=0):
        """Return the legal moves, or the best `limit` by their value to the mover, best first."""
        n = legal_moves(self.game.rules, state, self.room)
        found = self.room[:n].tolist()
        limit = limit or self.width
        if not limit:
            return found
        seat = self.turn(state)
        worths = {move: self.worth(self.after(state, move))[seat] for move in found}
        return sorted(found, key=lambda move: (-worths[move], found.index(move)))[:limit]

    def left(self, state, then, depth):
        return depth - (self.turn(then) == OVER or self.turn(then) != self.turn(state))

    def maxn(self, state, depth, leaf=None, choose=None):
        """Return the worths backed up; `choose(seat, candidates)` picks one, the leftmost best by default."""
        leaf = leaf or self.worth
        seat = self.turn(state)
        if seat == OVER or depth == 0:
            return leaf(state)
        found = []
        for move in self.moves(state):
            then = self.after(state, move)
            found.append(self.maxn(then, self.left(state, then, depth), leaf, choose))
        if choose:
            return choose(seat, found)
        return found[int(np.argmax([worth[seat] for worth in found]))]

    def two_sided(self, state, depth, root):
        """Return the root seat's score when all others minimise it."""
        seat = self.turn(state)
        if seat == OVER or depth == 0:
            return self.score(state, root)
        found = []
        for move in self.moves(state):
            then = self.after(state, move)
            found.append(self.two_sided(then, self.left(state, then, depth), root))
        return max(found) if seat == root else min(found)

    def score(self, state, root):
        return self.worth(state)[root]

    def best_reply(self, state, depth, root):
        """Return the root seat's score when one opponent answers for all; one move a turn."""
        seat = self.turn(state)
        if seat == OVER or depth == 0:
            return self.score(state, root)
        if seat == root:
            return max(self.best_reply(self.after(state, move), depth - 1, root) for move in self.moves(state))
        found = []
        for other in range(self.game.seats):
            if other == root:
                continue
            asked = self.handed(state, other)
            for move in self.moves(asked):
                then = self.after(asked, move)
                if self.turn(then) != OVER:
                    then = self.handed(then, root)
                found.append(self.best_reply(then, depth - 1, root))
        return min(found)

    def handed(self, state, seat):
        state = state.copy()
        if self.turn(state) != seat:
            hand_over_to(self.game, state, seat)
        return state

    def opponent_pruning(self, state, depth, root, n1, l1, l2, wide=frozenset()):
        """Return the root seat's score when n1 opponents a round choose among their best l1, the others among l2.

        `wide` are the opponents who have chosen beyond their best l2 in this round; they may do so again in their turn.
        """
        seat = self.turn(state)
        if seat == OVER or depth == 0:
            return self.score(state, root)
        allowed = self.moves(state)
        if seat != root:
            allowed = self.moves(state, limit=10**6)[: l1 if seat in wide or len(wide) < n1 else l2][
                : self.width or None
            ]
        found = []
        for place, move in enumerate(allowed):
            then = self.after(state, move)
            beyond = wide | {seat} if seat != root and place >= l2 else wide
            beyond = frozenset() if self.turn(then) == root else beyond
            found.append(self.opponent_pruning(then, self.left(state, then, depth), root, n1, l1, l2, beyond))
        return max(found) if seat == root else min(found)


def hand_over_to(game, state, seat):
    """Make it a seat's turn."""
    from kibitz.core.playout import hand_turn

    hand_turn(game.rules, state, seat)


def squares(utilities):
    """Return the evaluations of Not-So-Paranoid without pruning."""
    total = (utilities**2).sum()
    return utilities - (total - utilities**2) / utilities


def ratios(utilities):
    """Return the evaluations of Not-So-Paranoid with pruning."""
    return 1 - (utilities.sum() - utilities) / utilities
