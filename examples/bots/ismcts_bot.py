"""A bot that searches any game without knowing its rules: ISMCTS on worlds that it asks the referee for.

It guesses what is hidden (`guess`), tries moves (`simulate`) and lets the referee play games out (`playout`). Try it:
kibitz match colonizers "bot(cmd='python3 ismcts_bot.py')" random random random
"""

import json
import math
import random
import sys

ITERATIONS, EXPLORATION = int(sys.argv[1]) if len(sys.argv) > 1 else 200, 0.7


class Node:
    """What has been played since the root, and what came of it."""

    def __init__(self):
        self.children, self.visits, self.available, self.total = {}, 0, 0, 0.0

    def worth(self):
        """Return how promising it is, with a bonus for what was seldom tried."""
        return self.total / self.visits + EXPLORATION * math.sqrt(math.log(self.available) / self.visits)


def say(**message):
    """Write one message."""
    print(json.dumps(message), flush=True)


def ask(**message):
    """Write a request and return the answers."""
    say(**message)
    answer = json.loads(sys.stdin.readline())
    return answer["worlds" if answer["type"] == "worlds" else "results"]


def iterate(root, world, position):
    """Go down the tree in one world, add a node, play out, and count what came of it."""
    node, path, line = root, [], []
    while not position["over"]:
        untried = [move for move in position["moves"] if move not in node.children]
        move = random.choice(untried) if untried else max(position["moves"], key=lambda m: node.children[m].worth())
        node.children.setdefault(move, Node())
        for legal in position["moves"]:
            if legal in node.children:
                node.children[legal].available += 1
        node = node.children[move]
        path.append((node, position["turn"]))
        line.append(move)
        if untried:
            break
        (position,) = ask(type="simulate", runs=[{"world": world, "line": line}])
    payoff = position["payoff"] or ask(type="playout", runs=[{"world": world, "line": line}])[0]["payoff"]
    for node, seat in path:
        node.visits += 1
        node.total += payoff[seat]


def search(moves):
    """Return the move that was tried most."""
    root, worlds = Node(), ask(type="guess", count=ITERATIONS)
    for world, position in zip(worlds, ask(type="simulate", runs=[{"world": w} for w in worlds]), strict=True):
        iterate(root, world, position)
    return max(moves, key=lambda move: root.children[move].visits if move in root.children else 0)


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say(type="ready", id=message["id"], name="ismcts", wants=["moves"])
        case "new":
            random.seed(message["seed"])
            say(type="ok", id=message["id"])
        case "decide":
            moves = message["moves"]
            say(type="move", id=message["id"], move=moves[0] if len(moves) == 1 else search(moves))
        case "end":
            say(type="ok", id=message["id"])
        case "quit":
            break
