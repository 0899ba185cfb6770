"""The analysis of one position: the best moves, their values to every seat, and the principal variation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from kibitz.agents import build
from kibitz.agents.agent import NODES, ONLY_MOVE, SECONDS, Agent, Decision
from kibitz.agents.search.evaluation import MOST_VALUE
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.play.warm_up import warm_up_agents
from kibitz.bots.bot_fault import BotFault
from kibitz.core.errors import BadValue
from kibitz.core.seeds import ANALYSIS, derive_seed
from kibitz.core.table import Table
from kibitz.core.user_files import printing_on_stderr
from kibitz.core.world import World

PAYOFF = "payoff"  # the scale where playouts were counted


class AnalysedMove(TypedDict):
    """One of the best moves: its text, what it is worth, and what the search did."""

    move: str
    worth: float | None  # to the seat to move
    values: Sequence[float] | None  # to each seat
    line: list[str]
    tries: int | None
    nodes: int
    cutoffs: int
    visits: int
    depth: int
    exact: bool


class AnalysisScale(TypedDict):
    """What the numbers of an analysis are, and their unit."""

    scale: str
    unit: str
    per_unit: float


class AnalysisReport(AnalysisScale):
    """The analysis of a position as plain data."""

    game: str
    ply: int
    seat: int
    agent: str
    meaning: str
    why: str
    by_wins: bool  # whether wins count in the game
    moves: list[AnalysedMove]


def analyse(table: Table, agent: str, top: int, seed: int) -> AnalysisReport:
    """Return the best moves of the seat to move as plain data."""
    if top < 1:
        raise BadValue(f"an analysis shows at least 1 move, not {top}")
    game = table.game
    view = table.view(table.turn)
    warm_up_agents(game, [agent])
    with printing_on_stderr():
        mind = build(agent, game, derive_seed(seed, ANALYSIS))
        try:
            decisions = [in_units(mind, each) for each in SeatedAgent(mind, table.turn, table.seed).consider(view, top)]
        except (BotFault, TypeError) as error:
            raise BadValue(f"agent {agent} cannot analyse this position: {error}") from None
    return {
        "game": str(game),
        "ply": table.ply,
        "seat": table.turn,
        "agent": agent,
        **scale_of(mind, decisions[0]),
        "meaning": _meaning(mind, decisions),
        "why": _why(mind, decisions),
        "by_wins": game.scoring.by_wins,
        "moves": [
            {
                "move": game.write(view, decision.move),
                "worth": decision.considered.get(decision.move),
                "values": decision.values,
                "line": _line(table, decision),
                "tries": decision.tries.get(decision.move),
                "nodes": decision.nodes,
                "cutoffs": decision.cutoffs,
                "visits": decision.visits,
                "depth": decision.depth,
                "exact": decision.exact,
            }
            for decision in decisions
        ],
    }


def scale_of(mind: Agent, first: Decision) -> AnalysisScale:
    """Return what the numbers are: payoffs where playouts were counted, else a value in its own units."""
    scale = mind.scale()
    if scale.words or first.visits or not scale.value:
        return {"scale": scale.words or (PAYOFF if first.visits else ""), "unit": "", "per_unit": 1.0}
    return {"scale": scale.value, "unit": scale.unit, "per_unit": scale.per_unit}


def in_units(mind: Agent, decision: Decision) -> Decision:
    """Return a decision whose numbers, if they are payoffs, are in the game's own unit."""
    scoring = mind.game.scoring
    if scoring.by_wins or scale_of(mind, decision)["scale"] != PAYOFF:
        return decision

    def all_of(values: Sequence[float]) -> list[float]:
        return [scoring.as_payoff(float(value)) for value in values]

    return replace(
        decision, values=None if decision.values is None else all_of(decision.values),
        considered={move: scoring.as_payoff(float(worth)) for move, worth in decision.considered.items()},
        move_values={move: all_of(values) for move, values in decision.move_values.items()},
    )  # fmt: skip


def _meaning(mind: Agent, decisions: Sequence[Decision]) -> str:
    """Return in words what the numbers mean, if there are any."""
    if not any(decision.values or decision.considered for decision in decisions):
        return ""
    scale, scoring = scale_of(mind, decisions[0])["scale"], mind.game.scoring
    unit = "" if scoring.by_wins else f" in {scoring.unit}"
    words = mind.scale().words or (
        f"the average payoff{unit}" if scale == PAYOFF else f"by the value {scale}" if scale else ""
    )
    return f"worth: {words}" if words else ""


def _why(mind: Agent, decisions: Sequence[Decision]) -> str:
    """Return in words why the first move is best: what the agent says, and how the move compares."""
    first = decisions[0]
    worths = [decision.considered[decision.move] for decision in decisions if decision.move in decision.considered]
    if first.ended == ONLY_MOVE:
        words = "it is the only move"
    elif first.ended in (SECONDS, NODES) and not first.considered:
        words = f"not even depth 1 was searched in the {first.ended} allowed, so this is only a legal move"
    elif not worths or not first.considered:
        words = ""
    elif first.visits:
        words = _compared(worths, "it was played out most often")
    elif abs(worths[0]) > MOST_VALUE and not mind.game.scoring.by_wins:
        words = "it was searched to the end of the game"
    elif abs(worths[0]) > MOST_VALUE:
        words = "it leads to a win" if worths[0] > 0 else "every move leads to a loss, if the others play well"
    elif first.depth:
        compared = _compared(worths, "others look better on average")
        words = f"nothing decisive within {_far(mind, first.depth)}; {compared}"
    else:
        words = ""
    return "; ".join(filter(None, (first.why, words)))


def _far(mind: Agent, depth: int) -> str:
    """Return a depth with what it counts."""
    return f"{depth} {mind.scale().depth}{'s' if depth > 1 else ''}"


def _compared(worths: Sequence[float], otherwise: str) -> str:
    """Return how the first move compares with the others; `otherwise` if another has a better number."""
    if len(worths) == 1:
        return "no other move was compared"
    if worths[0] == worths[-1]:
        return "these moves are equally good"
    if worths[0] < max(worths):
        return otherwise
    equal = sum(worth == worths[0] for worth in worths)
    return f"the first {equal} are equally good" if equal > 1 else f"the next is worth {worths[0] - worths[1]:.2g} less"


def _line(table: Table, decision: Decision) -> list[str]:
    """Return the principal variation as text; in a hidden game only its first move, as the rest is a guess."""
    if table.game.hidden:
        return [table.write(decision.move)]
    ahead, texts = World.of(table), []  # which does not roll the dice of the table
    for move in decision.line or [decision.move]:
        if move not in ahead.moves():  # the user's own agent may expect anything
            break
        texts.append(ahead.write(move))
        ahead.play(move)
    return texts
