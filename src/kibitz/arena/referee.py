"""The referee plays one fixture: view, decide, play, until the game is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from kibitz.agents import build
from kibitz.agents.agent import Agent
from kibitz.arena.fixture import Fixture
from kibitz.core.errors import BadMove, KibitzError
from kibitz.core.game import Game
from kibitz.core.record import Record, record_of
from kibitz.core.table import Table


class AgentFault(KibitzError):
    """An agent that failed at the table."""


@dataclass(frozen=True)
class Result:
    """One fixture played."""

    fixture: Fixture
    record: Record
    seconds: tuple[float, ...]  # by seat
    moves: tuple[int, ...]  # by seat


def take_turn(table: Table, mind: Agent, where: str) -> float:
    """Let the mind on move make its move and return the seconds it took; if it fails, that is an AgentFault."""
    seat, begun = table.turn, perf_counter()
    try:
        move = mind.decide(table.view(seat)).move
    except KibitzError:
        raise
    except Exception as error:
        raise AgentFault(
            f"agent {mind.text} failed in seat {seat} at ply {table.ply} of {where}: {type(error).__name__}: {error}"
        ) from error
    seconds = perf_counter() - begun
    try:
        table.play(move)
    except BadMove as error:
        raise AgentFault(f"agent {mind.text} in seat {seat} of {where}: {error}") from None
    return seconds


def play_fixture(game: Game, agents: Sequence[str], fixture: Fixture) -> Result:
    """Play one game; an agent that fails is an AgentFault."""
    names = [agents[agent] for agent in fixture.seating]
    table = Table(game, fixture.deal_seed)
    minds = [build(name, game, seed) for name, seed in zip(names, fixture.agent_seeds, strict=True)]
    seconds, moves = [0.0] * game.seats, [0] * game.seats
    while not table.over:
        seat = table.turn
        seconds[seat] += take_turn(table, minds[seat], f"game {fixture.number}")
        moves[seat] += 1
    return Result(fixture, record_of(table, names, fixture.agent_seeds), tuple(seconds), tuple(moves))
