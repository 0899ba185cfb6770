"""Plain sampling searches in Python, written to be obviously right; they roll the same dice as the compiled ones."""

from math import exp, log, sqrt

import numpy as np

from kibitz.core.calls import seen
from kibitz.core.contract import OVER
from kibitz.core.dice import roll
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import (
    guess_world,
    hand_turn,
    legal_moves,
    pick_once,
    play_legal,
    settle,
    value_of,
    who,
)


@compiled
def seen_as(rules, state, move, seat):
    """Return how a move looks to a seat."""
    return seen(pointer(rules), pointer(state), move, seat)


class Node:
    """A position of a tree: what led to it, what was seen of it, and the children that have been tried, in order."""

    def __init__(self, move=None, seat=None):
        self.move, self.seat = move, seat
        self.visits, self.mean, self.proof = 0, 0.0, None  # proof: the seat that wins for certain
        self.children, self.untried, self.expanded = [], [], False

    def dump(self):
        """Return the tree as plain data: by edge, in the order of trial."""
        return [
            ((child.move, child.seat), child.visits, child.mean, child.proof, child.dump()) for child in self.children
        ]


class Playing:
    """Single steps of a game."""

    def __init__(self, game, policy, rng):
        self.game, self.policy, self.rng = game, game.policy(policy), rng
        self.room = game.new_moves()

    def turn(self, state):
        return int(who(self.game.rules, state))

    def moves(self, state):
        return self.room[: legal_moves(self.game.rules, state, self.room)].tolist()

    def play(self, state, move):
        assert play_legal(self.game.rules, state, move, self.room)

    def quick_choice(self, state):
        return int(pick_once(self.game.rules, self.policy.handle, self.policy.weights, state, self.rng, self.room))

    def payoff(self, state):
        out = np.zeros(self.game.seats)
        settle(self.game.rules, state, out)
        return self.game.scoring.as_parts(out.tolist())

    def below(self, n):
        return int(roll(self.rng, n))

    def unit(self):
        return int(roll(self.rng, 2**32)) / 2**32


def _edge(move, seat):
    return move * 16 + seat


class Uct(Playing):
    """UCT with a reward for every seat."""

    def __init__(
        self, game, root, rng, style="maxn", c=0.7, solver=True, history=0.0, mast="none", cut=0,
        value=None, scale=1.0, playouts="random", most_nodes=10**9, contempt=0.0,
    ):  # fmt: skip
        super().__init__(game, playouts, rng)
        self.root_state, self.root = root, Node()
        self.me = self.turn(root)
        self.style, self.c, self.solver, self.history = style, c, solver, history
        self.grams, self.cut, self.scale = ("none", "mast", "nast").index(mast), cut, scale
        self.value = game.value(value or game.usual_value)
        self.contempt, self.made = contempt, 0
        self.sums, self.tries = {}, {}
        self.used, self.most_nodes = 1, most_nodes
        self.room_asked = game.most_moves * (game.seats - 1 if style == "brs" else 1)

    def grow(self, iterations):
        for _ in range(iterations):
            if self.root.proof is not None:
                return
            self.iterate()

    def iterate(self):
        state, path, played = self.root_state.copy(), [self.root], []
        rewards, self.made = None, 0
        while rewards is None:
            node = path[-1]
            if node.proof is not None:
                rewards = [float(seat == node.proof) for seat in range(self.game.seats)]
            elif self.turn(state) == OVER:
                rewards = self.payoff(state)
                if self.solver and sorted(rewards) == [0.0] * (self.game.seats - 1) + [1.0]:
                    node.proof = rewards.index(1.0)
            else:
                if not node.expanded and (node.visits or node is self.root):
                    self.expand(node, state)
                if not node.expanded:
                    rewards = self.play_out(state, played)
                else:
                    child = self.select(node, played)
                    self.make(state, child)
                    played.append((child.move, child.seat))
                    path.append(child)
        rewards = self.felt(rewards, len(path) - 1 + self.made, self.turn(state) == OVER)
        self.back_up(path, rewards)
        if self.grams or self.history:
            self.learn(played, rewards)

    def expand(self, node, state):
        if self.used + self.room_asked > self.most_nodes:
            return
        seat = self.turn(state)
        seats = [seat]
        if self.style == "brs" and seat not in (self.me, node.seat):
            others = [(seat + step) % self.game.seats for step in range(self.game.seats)]
            seats = [other for other in others if other != self.me]
        for other in seats:
            asked = state.copy()
            if other != seat:
                hand_turn(self.game.rules, asked, other)
            node.untried += [(move, other) for move in self.moves(asked)]
        node.expanded = True
        self.used += len(node.untried)

    def average(self, played, edge, grams):
        last = [*played[-1:], edge]
        slot = self.slot(last, len(last) - 1, grams)
        return self.sums[slot] / self.tries[slot] if slot in self.tries else None

    def slot(self, played, at, grams):
        """Return where an average is kept: there are few places, so some moves share one."""
        mixed = _edge(*played[at])
        if grams == 2:
            mixed = mixed * 0x9E37 + (_edge(*played[at - 1]) if at else 15) * 0x1B873 + 1
        return (mixed ^ mixed >> 14) % 2**14

    def select(self, node, played):
        if node.untried:
            n = len(node.untried)
            at = self.below(n)
            if self.history:
                from_there = [(at + i) % n for i in range(n)]
                at = max(from_there, key=lambda i: self.average(played, node.untried[i], 1) or 0.0)
            # The drawn one changes places with the first untried.
            node.untried[0], node.untried[at] = node.untried[at], node.untried[0]
            node.children.append(Node(*node.untried.pop(0)))
            return node.children[-1]

        def score(child):
            curiosity = 0.0 if child.proof is not None else self.c * sqrt(log(node.visits)) * (1 / sqrt(child.visits))
            bonus = 0.0
            if self.history:
                elsewhere = self.average(played, (child.move, child.seat), 1) or 0.0
                bonus = elsewhere * self.history / ((1.0 - child.mean) * child.visits + 1.0)
            return child.mean + curiosity + bonus

        return max(node.children, key=score)

    def make(self, state, child):
        replying = self.style == "brs" and child.seat != self.me
        if replying and self.turn(state) != child.seat:
            hand_turn(self.game.rules, state, child.seat)
        self.play(state, child.move)
        if replying and self.turn(state) not in (OVER, self.me, child.seat):
            hand_turn(self.game.rules, state, self.me)

    def play_out(self, state, played):
        left = self.cut or 10**9
        while self.turn(state) != OVER:
            if left == 0:
                return self.judge(state)
            left -= 1
            self.made += 1
            seat = self.turn(state)
            if self.grams:
                move = self.pick_by_average(state, seat, played)
                played.append((move, seat))
            else:
                move = self.quick_choice(state)
            self.play(state, move)
        return self.payoff(state)

    def pick_by_average(self, state, seat, played):
        moves = self.moves(state)
        if self.unit() >= 0.8:
            return moves[self.below(len(moves))]
        at = self.below(len(moves))

        def average(move):
            known = self.average(played, (move, seat), self.grams)
            return 1.0 if known is None else known

        return max(moves[at:] + moves[:at], key=average)

    def judge(self, state):
        worth = np.zeros(self.game.seats)
        value_of(self.game.rules, self.value.handle, self.value.weights, state, worth)
        shares = [exp((one - max(worth)) / self.scale) for one in worth]
        return [share / sum(shares) for share in shares]

    def felt(self, rewards, plies, over):
        """Return rewards as seats feel them: a win far away is worth less, and I scorn a draw."""
        even = 0.0
        for reward in rewards:
            even += reward / self.game.seats
        near = 1.0 - 0.05 * plies / (plies + 100.0)
        felt = [even + (reward - even) * near for reward in rewards]
        if over and len(set(rewards)) == 1:
            felt[self.me] = max(even - self.contempt, 0.0)
        return felt

    def gain(self, seat, rewards):
        if self.style == "maxn" or seat == self.me:
            return rewards[seat]
        return 1.0 - rewards[self.me]

    def back_up(self, path, rewards):
        for node, follower in reversed(list(zip(path, [*path[1:], None], strict=True))):
            node.visits += 1
            if node.seat is not None:
                node.mean += (self.gain(node.seat, rewards) - node.mean) / node.visits
            if self.solver and follower is not None and follower.proof is not None and node.proof is None:
                self.prove(node)
            if node.proof is not None and node.seat is not None:
                certain = [float(seat == node.proof) for seat in range(self.game.seats)]
                node.mean = self.gain(node.seat, certain)

    def prove(self, node):
        if any(child.proof == child.seat for child in node.children):
            node.proof = next(child.proof for child in node.children if child.proof == child.seat)
        elif not node.untried and len({child.proof for child in node.children}) == 1:
            node.proof = node.children[0].proof

    def learn(self, played, rewards):
        for at, (_, seat) in enumerate(played):
            for grams in range(1, max(self.grams, 1) + 1):
                slot = self.slot(played, at, grams)
                self.sums[slot] = self.sums.get(slot, 0.0) + self.gain(seat, rewards)
                self.tries[slot] = self.tries.get(slot, 0) + 1


class Look:
    """A node of an information-set tree."""

    def __init__(self, label=None, seat=None):
        self.label, self.seat = label, seat
        self.visits, self.available, self.total = 0, 0, 0.0
        self.children = {}

    def dump(self):
        """Return the tree as plain data, by label."""
        return {
            label: (child.seat, child.visits, child.available, child.total, child.dump())
            for label, child in sorted(self.children.items())
        }


class Ismcts(Playing):
    """SO-ISMCTS, SO-ISMCTS with partially observable moves, and MO-ISMCTS."""

    def __init__(self, game, view, rng, observer="single", c=0.7, playouts="random", rank=False):
        super().__init__(game, playouts, rng)
        self.view, self.observer, self.c, self.rank = view, observer, c, rank
        self.me = self.turn(view)
        owners = range(game.seats) if observer == "multi" else [self.me]
        self.trees = {owner: Look() for owner in owners}

    def grow(self, iterations):
        for _ in range(iterations):
            self.iterate()

    def owner(self, seat):
        """Return whose tree a seat chooses in."""
        return seat if self.observer == "multi" else self.me

    def label(self, world, move, seat, owner):
        if self.observer == "single" or owner == seat:
            return move
        return int(seen_as(self.game.rules, world, move, owner))

    def iterate(self):
        world = self.view.copy()
        guess_world(self.game.rules, world, self.me, self.rng)
        at = dict(self.trees)
        paths = [dict(at)]
        new = False
        while not new and self.turn(world) != OVER:
            seat = self.turn(world)
            move, new = self.choose(world, seat, at)
            chooser = at[self.owner(seat)]
            could_be = {self.label(world, legal, seat, self.owner(seat)) for legal in self.moves(world)}
            for owner, node in at.items():
                label = self.label(world, move, seat, owner)
                at[owner] = node.children.setdefault(label, Look(label, seat))
            for label in could_be & set(chooser.children):
                chooser.children[label].available += 1
            paths.append(dict(at))
            self.play(world, move)
        while self.turn(world) != OVER:
            self.play(world, self.quick_choice(world))
        rewards = self.rewards(world)
        for step in paths:
            for node in step.values():
                node.visits += 1
                if node.seat is not None:
                    node.total += rewards[node.seat]

    def choose(self, world, seat, at):
        """Return a move that the chooser's tree lacks, or the best by what it has; and whether it is new."""
        owner = self.owner(seat)
        node, moves = at[owner], self.moves(world)
        labels = [self.label(world, move, seat, owner) for move in moves]
        missing = [move for move, label in zip(moves, labels, strict=True) if label not in node.children]
        if missing:
            return missing[self.below(len(missing))], True

        def score(label):
            child = node.children[label]
            return child.total / child.visits + self.c * sqrt(log(child.available) / child.visits)

        best = max(labels, key=score)
        alike = [move for move, label in zip(moves, labels, strict=True) if label == best]
        return alike[self.below(len(alike))], False

    def rewards(self, world):
        payoffs = self.payoff(world)
        if not self.rank:
            return payoffs
        by_place = [1.0, *(0.2 * left / max(len(payoffs) - 2, 1) for left in reversed(range(len(payoffs) - 1)))]
        ranked = sorted(payoffs, reverse=True)
        mine = [[by_place[place] for place, other in enumerate(ranked) if other == payoff] for payoff in payoffs]
        return [sum(rewards) / len(rewards) for rewards in mine]
