"""A hook for tournaments of Quarto: did the champion lose a game that an exact solve shows was still held?

For every game that the champion lost, its decisions are looked at from the last to the first, as long as the positions
can be solved: those with at least LEAST pieces on the board. A decision is a fault if the position before it was not
lost and the one after it was.
"""

from kibitz import games
from kibitz.agents import build
from kibitz.agents.search.evaluation import WON
from kibitz.core.table import Table
from kibitz.games.quarto.rules import FREE

CELLS_OF_BOARD = 16

LEAST = 5  # pieces on the board; with fewer, a solve takes minutes
SECONDS = 60

lost, faults, unsolved = [], [], []


def before(plan):
    """Forget what was found."""
    for found in (lost, faults, unsolved):
        found.clear()


def after(game):
    """Look at the decisions of a champion that lost."""
    for seat, agent in enumerate(game["agents"]):
        if agent.startswith("champion") and game["payoffs"][seat] == 0:
            lost.append(game["number"])
            _look_back(game, seat)


def summary():
    """Return how many games were lost, and the plies at which a game that was held was lost."""
    return {"lost": len(lost), "lost though held": faults, "not solved in time": unsolved}


def _look_back(game, seat):
    """Find the last decision of a seat in a position that was not lost."""
    record = game["record"]
    quarto = games.find("quarto(squares=true)" if record["options"]["squares"] else "quarto")
    solver = build(f"minimax(seconds={SECONDS}, opening=none)", quarto, 1)
    for ply in range(len(record["moves"]) - 1, -1, -1):
        table = Table(quarto, record["seed"])
        for move in record["moves"][:ply]:
            table.play(move)
        view = table.view(seat)
        if CELLS_OF_BOARD - int(view[FREE]).bit_count() < LEAST:
            return
        if table.turn != seat or len(table.moves()) == 1:
            continue
        found = solver.decide(view)
        if not found.exact:
            unsolved.append([game["number"], ply])
            return
        if found.considered[found.move] > -WON:
            faults.append([game["number"], ply])
            return
