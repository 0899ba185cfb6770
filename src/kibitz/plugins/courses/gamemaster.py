"""The gamemaster: programs that play through plain lines meet in pairs, and their wins are counted."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.arena.plan.plan import Plan
from kibitz.arena.session import OnProgress, play_plan, preflight
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec
from kibitz.plugins.courses.gamemaster_result import GamemasterResult, gamemaster_result

USUAL_GAMES = 100


def play_gamemaster(
    game: str,
    programs: Sequence[str],
    games: int = USUAL_GAMES,
    seed: int = 1,
    jobs: int = 1,
    limits: Mapping[str, Any] | None = None,
    db: Path | str | None = None,
    progress: OnProgress | None = None,
) -> GamemasterResult:
    """Let every program play `games` games against every other, taking turns to begin, and count the results.

    Programs are commands. `games` is rounded up to an even number, so that each begins equally often. A program that
    fails loses its game.
    """
    preflight(jobs, db)
    if len(programs) < 2:
        raise BadValue(f"a gamemaster needs at least 2 programs, not {len(programs)}")
    for command in programs:
        if programs.count(command) > 1:
            raise BadValue(f"the program {command!r} is named twice; each meets all others, never itself")
    agents = [str(Spec("lines", {"cmd": Spec(command)})) for command in programs]
    pairs = len(programs) * (len(programs) - 1) // 2
    plan = Plan.make(game, agents, games=games * pairs, seed=seed, openings=0, limits=limits)
    return play_plan(plan, partial(gamemaster_result, plan, programs), None if db is None else Path(db), jobs, progress)
