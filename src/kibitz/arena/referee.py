"""The referee plays one fixture: view, decide, play, until the game is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from kibitz.agents import build
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


def play_fixture(game: Game, agents: Sequence[str], fixture: Fixture) -> Result:
    """Play one game; an agent that fails is an AgentFault."""
    names = [agents[agent] for agent in fixture.seating]
    table = Table(game, fixture.deal_seed)
    minds = [build(name, game, seed) for name, seed in zip(names, fixture.agent_seeds, strict=True)]
    seconds, moves = [0.0] * game.seats, [0] * game.seats
    while not table.over:
        seat = table.turn
        begun = perf_counter()
        try:
            move = minds[seat].decide(table.view(seat)).move
        except KibitzError:
            raise
        except Exception as error:
            raise AgentFault(
                f"agent {names[seat]} failed in seat {seat} at ply {table.ply} of game {fixture.number}: "
                f"{type(error).__name__}: {error}"
            ) from error
        seconds[seat] += perf_counter() - begun
        moves[seat] += 1
        try:
            table.play(move)
        except BadMove as error:
            raise AgentFault(f"agent {names[seat]} in seat {seat} of game {fixture.number}: {error}") from None
    return Result(fixture, record_of(table, names), tuple(seconds), tuple(moves))
