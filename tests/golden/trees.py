"""Golden trees: what the sampling agents grow at the start of a game, its first two levels where there are two."""

from collections.abc import Iterator
from pathlib import Path

from kibitz import agents, games
from kibitz.agents.agent import Agent, Decision
from kibitz.agents.ismcts import Ismcts, children
from kibitz.agents.mcts import Mcts, tried
from kibitz.agents.search.sampling import information_sets, uct_tree
from kibitz.core.errors import BadValue
from kibitz.core.table import Table

GROWERS = {"mcts": "mcts(iterations=500)", "ismcts": "ismcts(iterations=500)"}
COUNTERS = {"flat": "flat(playouts=20)", "pimc": "pimc(mcts(iterations=50), worlds=5)"}
HIDDEN_GROWERS = {  # where every move is public these grow what ismcts does
    "ismcts-single-pom": "ismcts(iterations=500, observer=single-pom)",
    "ismcts-multi": "ismcts(iterations=500, observer=multi)",
}
DEAL = 1
SHOWN_BELOW = 3  # of the second level: those visited most

Found = tuple[int, int, float, int]  # move, visits, mean, node


def grown(name: str) -> dict[str, str]:
    """Return the trees of every sampling agent that accepts the game, by the name of their file."""
    game = games.find(name)
    found = {}
    for agent, text in {**GROWERS, **COUNTERS, **(HIDDEN_GROWERS if game.hidden else {})}.items():
        try:
            mind = agents.build(text, game, 1)
        except BadValue:
            continue
        decision = mind.decide(Table(game, DEAL).view(Table(game, DEAL).turn))
        lines = [f"{text} at the start of {Path(name).name}: move, visits, mean of the mover"]
        below = _lines(mind, game) if agent not in COUNTERS else _counted(decision, game)
        found[f"tree-{agent}.txt"] = "\n".join([*lines, *below]) + "\n"
    return found


def _counted(decision: Decision, game: games.Game) -> Iterator[str]:
    table = Table(game, DEAL)
    for move, worth in sorted(decision.considered.items()):
        yield f"{table.write(move):12} {decision.tries.get(move, 0):5} {worth:.4f}"


def _lines(mind: Agent, game: games.Game) -> Iterator[str]:
    for move, visits, mean, node in _below(mind, None):
        table = Table(game, DEAL)
        yield f"{table.write(move):12} {visits:5} {mean:.4f}"
        table.play(move)
        most = sorted(_below(mind, node), key=lambda child: (-child[1], child[0]))[:SHOWN_BELOW]
        for reply, reply_visits, reply_mean, _ in most:
            legal = reply in table.moves()
            yield f"    {table.write(reply) if legal else f'move {reply}':12} {reply_visits:5} {reply_mean:.4f}"


def _below(mind: Agent, node: int | None) -> list[Found]:
    """Return the children of a node, or of the root, by move."""
    if isinstance(mind, Mcts):
        tree = mind.trees[0]
        links, stats = tree.link.reshape(-1, uct_tree.LINKS), tree.stats.reshape(-1, uct_tree.STATS)
        return sorted(
            (int(tree.edge[child]) >> 4, int(links[child, uct_tree.VISITS]), float(stats[child, uct_tree.MEAN]), child)
            for child in tried(tree, node or 0)
        )
    assert isinstance(mind, Ismcts)
    forest = mind.forest
    root = 1 + (int(forest.control[information_sets.ROOT]) if len(forest.at) > 1 else 0)
    return [
        (label, int(forest.visits[child]), float(forest.value_sum[child] / forest.visits[child]), child)
        for label, child in children(forest, node or root).items()
    ]
