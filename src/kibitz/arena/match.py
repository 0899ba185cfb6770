"""A match: games between agents that take every seat equally often on the same deals."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.agents import AgentLike
from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.match_result import MatchResult, match_result
from kibitz.arena.session import OnProgress, play_plan, preflight
from kibitz.core.game import Game
from kibitz.games import find

USUAL_GAMES = 100


def play_match(
    game: Game | str,
    agents: Sequence[AgentLike],
    games: int = USUAL_GAMES,
    seed: int | None = None,
    jobs: int = 1,
    openings: int | str = "auto",
    limits: Mapping[str, Any] | None = None,
    db: Path | str | None = None,
    save: Path | str | None = None,
    progress: OnProgress | None = None,
    isolate: bool = True,
    device: str = "cpu",
) -> MatchResult:
    """Play a match and return its result.

    With an agent for every seat, seats rotate; with fewer agents, all seatings in which every agent takes part are
    played. The same text twice, or `2*random`, is the same agent in two seats. The number of games is rounded up so
    that every seating is played equally often. The default seed is 1, or a secret drawn for this match where programs
    of your own play a game with secrets. `openings` is a number of random plies; `"auto"` plays some where all deals
    are alike. Where all seats earn the same, everyone plays with everyone, and with copies of itself. Results are kept
    in the ledger `db`, if there is one, and records are written to the file `save`. An agent may also be a class that
    inherits from Agent; it runs in this process, trusted, one game at a time, whatever `jobs` says. Agents named by a
    path run in a sandbox; without `isolate` they are trusted, and share processes. An agent that fails loses its game;
    `faults` of the result says how. With `device="gpu"`, a graphics card plays; the agents must be policies then.
    After Ctrl-C, the KeyboardInterrupt that is raised has the result so far as `result`.
    """
    preflight(jobs, db, save)
    game = find(game) if isinstance(game, str) else game
    together = game.scoring.shared
    plan = Plan.make(
        game, [*dict.fromkeys(agents)] if together else agents, scheme="cross-play" if together else "rotation",
        games=games, seed=seed, openings=openings, limits=limits, isolate=isolate,
    )  # fmt: skip
    keep = db is not None or save is not None
    return play_plan(plan, match_result, db, jobs, progress, save, keep_records=keep, device=device)
