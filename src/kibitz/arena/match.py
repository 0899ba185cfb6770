"""A match: so many games between agents who take every seat equally often on the same deals."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from kibitz.agents import build
from kibitz.agents.human import Human
from kibitz.arena.batch import in_order
from kibitz.arena.fixture import rotations
from kibitz.arena.pool import play_all
from kibitz.arena.referee import AgentFault
from kibitz.arena.tally import Scores
from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values
from kibitz.core.record import whole_file

MOST_JOBS = 256


def play_match(
    game: Game,
    agents: Sequence[str],
    games: int,
    seed: int,
    jobs: int = 1,
    save: Path | None = None,
    tell: Callable[[int], None] = lambda played: None,
) -> dict[str, Any]:
    """Play a match and return its result as plain data; `tell` hears how many games have been played."""
    check_agents(game, agents)
    refuse_humans(game, agents)
    if games < 1:
        raise BadValue(f"a match needs at least 1 game, not {games}")
    check_jobs(jobs)
    if save is None:
        return _play(game, agents, games, seed, jobs, None, tell)
    with whole_file(save) as out:
        return _play(game, agents, games, seed, jobs, out.write, tell)


def check_jobs(jobs: int) -> None:
    """Refuse a number of workers that cannot be."""
    if not 1 <= jobs <= MOST_JOBS:
        raise BadValue(f"jobs must be 1 to {MOST_JOBS}, not {jobs}")


def check_agents(game: Game, agents: Sequence[str]) -> None:
    """Refuse a wrong number of agents, and agents that do not fit the game."""
    if len(agents) != game.seats:
        raise BadValue(
            f"{game} has {game.seats} seats, but {len(agents)} agents were named: {', '.join(agents) or 'none'}"
        )
    for agent in agents:
        build(agent, game, 0)


def refuse_humans(game: Game, agents: Sequence[str]) -> None:
    """Refuse people, who cannot sit at many tables at once."""
    if any(isinstance(build(agent, game, 0), Human) for agent in agents):
        raise BadValue("a human cannot play in a match; use: kibitz play")


def _play(
    game: Game, agents: Sequence[str], games: int, seed: int, jobs: int,
    write: Callable[[str], Any] | None, tell: Callable[[int], None],
) -> dict[str, Any]:  # fmt: skip
    scores = Scores.start(agents, game.seats)
    begun = perf_counter()
    fixtures = rotations(games, game.seats, seed)
    played = play_all(game, agents, fixtures, jobs, keep_records=write is not None, trusting=True)
    for batch in in_order(played):
        for fault in filter(None, batch.faults):
            raise AgentFault(fault)
        scores.add(batch)
        if write is not None:
            for line in batch.records:
                write(line + "\n")
        tell(scores.games)
    together = scores.together()
    return {
        "game": game.name,
        "options": option_values(game),
        "games": games,
        "seed": seed,
        "agents": [tally.summary() for tally in scores.tallies],
        "by_seat": together.by_seat(),
        "without_winner": games - int(together.wins.sum()),
        "plies": scores.plies,
        "seconds": perf_counter() - begun,
    }
